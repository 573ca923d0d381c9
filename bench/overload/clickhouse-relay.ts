/** A TCP relay between the product and ClickHouse that refuses, holds or delays what passes. */
import { createServer, connect as dial, type Socket } from 'node:net'

/** `away`: connections are refused. `frozen`: nothing passes. `slow`: answers come later. */
export const CLICKHOUSE_FAULTS = ['away', 'frozen', 'slow'] as const
export type ClickHouseFault = (typeof CLICKHOUSE_FAULTS)[number]

export type ClickHouseRelay = {
  /** URL of ClickHouse by way of the relay. */
  readonly url: string
  /** @param fault undefined: everything passes. */
  set(fault: ClickHouseFault | undefined): void
  stop(): Promise<void>
}

const SLOW_MS = 300

/** @param target URL of ClickHouse. */
export async function startClickHouseRelay(target: string): Promise<ClickHouseRelay> {
  const url = new URL(target)
  const to = { host: url.hostname, port: Number(url.port || 8123) }
  let fault: ClickHouseFault | undefined
  const pairs = new Map<Socket, Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    if (fault === 'away') return void client.destroy()
    const upstream = dial({ ...to, noDelay: true })
    pairs.set(client, upstream)
    join(client, upstream)
    client.on('close', () => pairs.delete(client))
    if (fault === 'frozen') freeze(client, upstream)
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      if (fault === 'slow') setTimeout(() => client.write(chunk), SLOW_MS)
      else client.write(chunk)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  url.hostname = '127.0.0.1'
  url.port = typeof address === 'object' && address !== null ? String(address.port) : ''
  return {
    url: url.href,
    set: (next) => {
      fault = next
      for (const [client, upstream] of pairs) {
        if (next === 'away') client.destroy()
        else if (next === 'frozen') freeze(client, upstream)
        else thaw(client, upstream)
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const client of pairs.keys()) client.destroy()
      }),
  }
}

function freeze(client: Socket, upstream: Socket): void {
  client.pause()
  upstream.pause()
}

function thaw(client: Socket, upstream: Socket): void {
  client.resume()
  upstream.resume()
}

/** Either end's end or failure is the other's. */
function join(client: Socket, upstream: Socket): void {
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.on('close', () => to.destroy())
    // `close` follows.
    from.on('error', () => {})
  }
}
