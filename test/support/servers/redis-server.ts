/** Starts a redis-server for a test. */
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { testFolder } from './product.ts'
import { type ServiceProcess, startService } from './service-process.ts'

export type RedisServer = ServiceProcess & { readonly url: string }

/** A redis-server on a free port and a temporary folder; it keeps nothing over a restart. */
export async function startRedis(
  t: Test,
  more: { readonly args?: readonly string[] } = {},
): Promise<RedisServer> {
  const port = await freePort()
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', testFolder(t)]
  const args = [...settings, '--save', '', '--appendonly', 'no', ...(more.args ?? [])]
  const service = await startService(t, {
    program: 'redis-server',
    args,
    port,
    hello: 'PING\r\n',
    expect: 'PONG',
  })
  return Object.assign(service, { url: `redis://127.0.0.1:${port}` })
}
