import t, { type Test } from 'tap'
import type { MemberStore } from '../../cluster/members/member-store.ts'
import { createMembership } from '../../cluster/members/membership.ts'
import { createMemoryMemberStore } from '../../cluster/members/memory-member-store.ts'
import type { Registry } from '../../cluster/members/registry.ts'
import type { Member, View } from '../../cluster/members/view.ts'
import { openKvRegistry } from '../../cluster/nats/kv-registry.ts'
import { connectNats } from '../../cluster/nats/nats-connection.ts'
import { systemClock } from '../../src/core/clock.ts'
import { silentLog } from '../../src/core/log.ts'
import { createMemoryRegistry } from '../support/cluster/memory-registry.ts'
import { startNats } from '../support/servers/nats-server.ts'

const clock = systemClock
const log = silentLog

/** A store for each test, without members. */
type Create = (t: Test) => Promise<MemberStore>

function overRegistry(t: Test, registry: Registry): MemberStore {
  const random = Math.random
  const store = createMembership({ registry, clock, log, random, probe: async () => false })
  t.teardown(() => store.close())
  return store
}

/** Every implementation of the port runs the same suite. */
const IMPLEMENTATIONS: Readonly<Record<string, (t: Test) => Promise<Create>>> = {
  memory: async () => async () => createMemoryMemberStore(),
  'a registry in memory': async () => async (t) =>
    overRegistry(t, createMemoryRegistry({ clock, ttlMs: 60_000 }).client()),
  'a registry in NATS': async (t) => {
    const server = await startNats(t)
    const nats = await connectNats({ urls: server.url, name: 'contract', clock, log })
    t.teardown(() => nats.close())
    let buckets = 0
    return async (t) => {
      buckets += 1
      const bucket = `contract_${buckets}`
      const registry = await openKvRegistry({
        nats,
        bucket,
        ttlMs: 60_000,
        replicas: 1,
        clock,
        log,
      })
      t.teardown(() => registry.close())
      return overRegistry(t, registry)
    }
  },
}

function member(id: string): Member {
  const base = { role: 'worker', state: 'active', weight: 1, version: '0.1.0' } as const
  return { id, address: `${id}:8001`, ...base }
}

for (const [name, start] of Object.entries(IMPLEMENTATIONS)) {
  t.test(name, async (t) => {
    const create = await start(t)

    t.test('an id joins once', async (t) => {
      const store = await create(t)
      await store.join(member('a'))
      await t.rejects(store.join(member('a')), { code: 'already_exists' })
      t.strictSame(store.view().members, [member('a')])
      await store.close()
    })

    t.test('leaving twice and changing who has left do nothing', async (t) => {
      const store = await create(t)
      await store.join(member('a'))
      await store.leave('a')
      const { version } = store.view()
      await store.leave('a')
      await store.setState('a', 'draining')
      t.strictSame(store.view(), { version, members: [] })
      await store.close()
    })

    t.test('every change is a newer view, told to those who listen', async (t) => {
      const store = await create(t)
      const seen: View[] = []
      const unsubscribe = store.subscribe((view) => seen.push(view))
      await store.join(member('a'))
      await store.setState('a', 'draining')
      await store.setState('a', 'draining')
      unsubscribe()
      await store.leave('a')
      t.strictSame(
        seen.map(({ members }) => members.map(({ state }) => state)),
        [['active'], ['draining']],
      )
      const versions = seen.map(({ version }) => version)
      t.strictSame(
        [...versions].sort((a, b) => a - b),
        versions,
      )
      t.ok(store.view().version > Math.max(...versions))
      await store.close()
    })

    t.test('a member is confirmed and connected, and not removed by itself', async (t) => {
      const store = await create(t)
      await store.join(member('a'))
      t.ok(store.confirmed())
      t.ok(store.connected())
      const pending = Symbol('pending')
      t.equal(await Promise.race([store.removed, Promise.resolve(pending)]), pending)
      await store.close()
    })
  })
}
