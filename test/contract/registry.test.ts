import t, { type Test } from 'tap'
import type { Registry, RegistryEvent } from '../../cluster/members/registry.ts'
import { openKvRegistry } from '../../cluster/nats/kv-registry.ts'
import { connectNats } from '../../cluster/nats/nats-connection.ts'
import { systemClock } from '../../src/core/clock.ts'
import { silentLog } from '../../src/core/log.ts'
import { createMemoryRegistry } from '../support/cluster/memory-registry.ts'
import { startNats } from '../support/servers/nats-server.ts'
import { until } from '../support/until.ts'

const clock = systemClock
const log = silentLog

type Clients = (t: Test) => Promise<Registry>

/** Every implementation of the port runs the same suite, with clients of one store. */
const IMPLEMENTATIONS: Readonly<Record<string, (t: Test) => Promise<Clients>>> = {
  memory: async () => {
    const store = createMemoryRegistry({ clock, ttlMs: 60_000 })
    return async () => store.client()
  },
  'NATS KV': async (t) => {
    const server = await startNats(t)
    return async (t) => {
      const nats = await connectNats({ urls: server.url, name: 'contract', clock, log })
      const bucket = 'contract_members'
      const registry = await openKvRegistry({
        nats,
        bucket,
        ttlMs: 60_000,
        replicas: 1,
        clock,
        log,
      })
      t.teardown(async () => {
        await registry.close()
        await nats.close()
      })
      return registry
    }
  },
}

const told = (event: RegistryEvent) =>
  event.kind === 'put'
    ? `${event.entry.key}=${event.entry.value}@${event.entry.revision}`
    : `-${event.key}@${event.revision}`

for (const [name, start] of Object.entries(IMPLEMENTATIONS)) {
  t.test(name, async (t) => {
    const client = await start(t)

    t.test('an update or removal at another revision changes nothing', async (t) => {
      const registry = await client(t)
      const first = await registry.create('worker.a', '1')
      const second = await registry.update('worker.a', '2', first)
      t.ok(second > first, 'revisions rise')
      await t.rejects(registry.update('worker.a', '3', first), { code: 'aborted' })
      await t.rejects(registry.update('worker.a', '3', second + 100), { code: 'aborted' })
      await t.rejects(registry.remove('worker.a', first), { code: 'aborted' })
      const entry = { key: 'worker.a', value: '2', revision: second }
      t.strictSame(await registry.get('worker.a'), entry)
    })

    t.test('a key that is gone is neither updated nor removed', async (t) => {
      const registry = await client(t)
      await t.rejects(registry.update('worker.never', 'x', 1), { code: 'aborted' })
      await t.rejects(registry.remove('worker.never', 1), { code: 'aborted' })
      t.equal(await registry.get('worker.never'), undefined)
      const revision = await registry.create('worker.b', '1')
      await registry.remove('worker.b', revision)
      await t.rejects(registry.update('worker.b', '2', revision), { code: 'aborted' })
      await t.rejects(registry.remove('worker.b', revision), { code: 'aborted' })
      t.equal(await registry.get('worker.b'), undefined)
      t.notOk((await registry.list()).some(({ key }) => key === 'worker.b'))
    })

    t.test('a key is created once, and again after its removal, by one of many', async (t) => {
      const clients = await Promise.all([client(t), client(t), client(t)])
      const race = () =>
        Promise.all(
          clients.map((registry, index) =>
            registry.create('worker.c', String(index)).then(
              (revision) => ({ revision }),
              (error: unknown) => ({ code: codeOf(error) }),
            ),
          ),
        )
      for (let round = 0; round < 2; round++) {
        const outcomes = await race()
        const won = outcomes.filter((outcome) => 'revision' in outcome)
        const lost = outcomes.filter((outcome) => 'code' in outcome)
        t.equal(won.length, 1, `round ${round}`)
        t.strictSame(lost, [{ code: 'already_exists' }, { code: 'already_exists' }])
        const entry = await clients[0]?.get('worker.c')
        t.equal(entry?.revision, won[0]?.revision)
        await clients[1]?.remove('worker.c', entry?.revision ?? 0)
      }
    })

    t.test('one of two updates at the same revision is made', async (t) => {
      const clients = await Promise.all([client(t), client(t), client(t)])
      const revision = await clients[0]?.create('worker.d', '')
      const outcomes = await Promise.allSettled(
        clients.map((registry, index) => registry.update('worker.d', String(index), revision ?? 0)),
      )
      t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    })

    t.test('every client lists the same keys', async (t) => {
      const [one, other] = await Promise.all([client(t), client(t)])
      const made: string[] = []
      // More than are read at a time.
      for (let index = 0; index < 70; index++) {
        made.push(`list.${index}=v${index}@${await one.create(`list.${index}`, `v${index}`)}`)
      }
      const listed = (await other.list()).filter(({ key }) => key.startsWith('list.'))
      const texts = listed.map((entry) => told({ kind: 'put', entry }))
      t.strictSame(texts.sort(), made.sort())
    })

    t.test('a watch tells each change of others in order, until it is stopped', async (t) => {
      const [one, other] = await Promise.all([client(t), client(t)])
      const events: string[] = []
      const stop = await one.watch((event) => {
        const text = told(event)
        if (text.includes('watched')) events.push(text)
      })
      const first = await other.create('watched.a', '1')
      const second = await other.update('watched.a', '2', first)
      const beside = await other.create('watched.b', 'é "')
      await other.remove('watched.a', second)
      await until('four changes are told', () => events.length >= 4)
      t.strictSame(events.slice(0, 3), [
        `watched.a=1@${first}`,
        `watched.a=2@${second}`,
        `watched.b=é "@${beside}`,
      ])
      t.match(events[3], /^-watched\.a@\d+$/)
      t.ok(Number(events[3]?.split('@')[1]) > beside, 'a removal has a revision of its own')
      stop()
      const late: string[] = []
      const control = await one.watch((event) => late.push(told(event)))
      const last = await other.create('watched.d', '1')
      await until('the other watch goes on', () => late.includes(`watched.d=1@${last}`))
      t.equal(events.length, 4)
      control()
    })

    t.test('it is connected', async (t) => {
      t.ok((await client(t)).connected())
    })
  })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}
