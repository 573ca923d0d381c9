/** Starts a nats-server for a test. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { testFolder } from './product.ts'
import { type ServiceProcess, startService } from './service-process.ts'

export type NatsServer = ServiceProcess & {
  readonly url: string
  /** Its folder. */
  readonly store: string
  /** Removes what it keeps; the server must not run. */
  wipe(): void
}

/** A nats-server with JetStream on files, on a free port and a temporary folder. */
export async function startNats(
  t: Test,
  more: { readonly args?: readonly string[] } = {},
): Promise<NatsServer> {
  const port = await freePort()
  const store = join(testFolder(t), 'nats')
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store, ...(more.args ?? [])]
  const service = await startService(t, { program: 'nats-server', args, port, expect: 'INFO {' })
  return Object.assign(service, {
    url: `nats://127.0.0.1:${port}`,
    store,
    wipe: () => rmSync(store, { recursive: true, force: true }),
  })
}
