import t from 'tap'
import type { MemberStore } from '../../cluster/member-store.ts'
import { createMemoryMemberStore } from '../../cluster/memory-member-store.ts'
import type { Member, View } from '../../cluster/view.ts'

/** Every implementation of the port runs the same suite. */
const IMPLEMENTATIONS: Readonly<Record<string, () => Promise<MemberStore>>> = {
  memory: async () => createMemoryMemberStore(),
}

function member(id: string): Member {
  const base = { role: 'worker', state: 'active', weight: 1, version: '0.1.0' } as const
  return { id, address: `${id}:8001`, ...base }
}

for (const [name, create] of Object.entries(IMPLEMENTATIONS)) {
  t.test(name, async (t) => {
    t.test('an id joins once', async (t) => {
      const store = await create()
      await store.join(member('a'))
      await t.rejects(store.join(member('a')), { code: 'already_exists' })
      t.strictSame(store.view().members, [member('a')])
      await store.close()
    })

    t.test('leaving twice and changing who has left do nothing', async (t) => {
      const store = await create()
      await store.join(member('a'))
      await store.leave('a')
      const { version } = store.view()
      await store.leave('a')
      await store.setState('a', 'draining')
      t.strictSame(store.view(), { version, members: [] })
      await store.close()
    })

    t.test('every change is a newer view, told to those who listen', async (t) => {
      const store = await create()
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
  })
}
