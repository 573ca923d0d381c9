import t, { type Test } from 'tap'
import type { Registry } from '../../../cluster/members/registry.ts'
import { openKvRegistry } from '../../../cluster/nats/kv-registry.ts'
import { connectNats } from '../../../cluster/nats/nats-connection.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'
import { type NatsServer, startNats } from '../../support/servers/nats-server.ts'
import { until } from '../../support/until.ts'

const clock = systemClock
const log = silentLog
const settings = { bucket: 'b', ttlMs: 0, replicas: 1 }

/** A client with a watch that has seen many changes, so that a new stream's revisions are low. */
async function start(t: Test, server: NatsServer) {
  const connect = async () => {
    const nats = await connectNats({ urls: server.url, name: 'test', clock, log })
    const registry = await openKvRegistry({ nats, ...settings, clock, log })
    t.teardown(async () => {
      await registry.close()
      await nats.close()
    })
    return { nats, registry }
  }
  const { nats, registry } = await connect()
  const told: string[] = []
  await registry.watch((event) => {
    told.push(event.kind === 'put' ? `${event.entry.key}=${event.entry.value}` : `-${event.key}`)
  })
  let revision = await registry.create('old', '0')
  for (let beat = 1; beat <= 50; beat++) {
    revision = await registry.update('old', String(beat), revision)
  }
  await until('the watch is up to date', () => told.includes('old=50'))
  return { nats, registry, told, connect }
}

async function tells(registry: Registry, told: readonly string[]): Promise<void> {
  const revision = await registry.create('new', 'v')
  await until('a key is told', () => told.includes('new=v'))
  await registry.remove('new', revision)
  await until('its removal is told', () => told.includes('-new'))
}

t.test('a watch continues in a store that lost everything', async (t) => {
  const server = await startNats(t)
  const { registry, told } = await start(t, server)
  await server.kill()
  await until('the loss is known', () => !registry.connected())
  server.wipe()
  await server.start()
  await until('it is connected', () => registry.connected())
  await tells(registry, told)
})

t.test('a watch continues in a bucket that another client has made again', async (t) => {
  const server = await startNats(t)
  const { nats, registry, told, connect } = await start(t, server)
  const other = await connect()
  const manager = await nats.connection.jetstreamManager()
  await manager.streams.delete('KV_b')
  await other.registry.create('first', 'x')
  t.strictSame(
    (await registry.list()).map(({ key }) => key),
    ['first'],
    'listing shows that it is another bucket',
  )
  await until('the key is told', () => told.includes('first=x'))
  await tells(other.registry, told)
})

t.test('a key deleted while the connection was lost is reported after it', async (t) => {
  const server = await startNats(t)
  const { registry, told, connect } = await start(t, server)
  const { registry: other } = await connect()
  const entry = await other.get('old')
  await server.kill()
  await until('the loss is known', () => !registry.connected())
  await server.start()
  await until('the other one is connected', () => other.connected())
  await other.remove('old', entry?.revision ?? 0)
  await until('the removal is told', () => told.includes('-old'))
})
