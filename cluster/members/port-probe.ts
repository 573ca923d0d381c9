/** Finds out whether the process behind an address has ended. */
import { connect } from 'node:net'
import type { Clock } from '../../src/core/clock.ts'
import { MEMBER_PROBE_MS } from '../../src/core/limits/limits.ts'

/**
 * True when the host refuses connections to `host:port`: the process that listened there has ended,
 * because members listen from before they join until after they leave. False on silence, which
 * proves nothing. Settles within MEMBER_PROBE_MS.
 */
export type PortProbe = (address: string) => Promise<boolean>

export function createPortProbe(clock: Clock): PortProbe {
  return (address) =>
    new Promise((resolve) => {
      const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? []
      if (port === '') {
        resolve(false)
        return
      }
      const socket = connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) })
      const end = (refused: boolean) => {
        cancel()
        socket.destroy()
        resolve(refused)
      }
      const cancel = clock.after(MEMBER_PROBE_MS, () => end(false))
      socket.once('connect', () => end(false))
      socket.once('error', (error) => end('code' in error && error.code === 'ECONNREFUSED'))
    })
}
