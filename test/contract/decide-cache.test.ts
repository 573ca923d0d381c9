import t from 'tap'
import type { DecideCache, DecidePlace } from '../../gateway/cache/decide-cache.ts'
import { createMemoryDecideCache } from '../../gateway/cache/memory-decide-cache.ts'
import { projectId, revision } from '../../src/core/ids.ts'

/** Every implementation of the port runs the same suite. */
const IMPLEMENTATIONS: Readonly<Record<string, () => Promise<DecideCache>>> = {
  memory: async () => createMemoryDecideCache({ bytesMax: 1_000_000, keepsStored: true }),
}

function place(change: Partial<DecidePlace> = {}): DecidePlace {
  const base = { projectId: projectId(1), revision: revision(1), distinctId: 'ann', question: 'v2' }
  return { ...base, ...change }
}

for (const [name, create] of Object.entries(IMPLEMENTATIONS)) {
  t.test(name, async (t) => {
    t.test('an answer is found under all of its place and nothing less', async (t) => {
      const cache = await create()
      cache.put(place(), cache.ticket(place()), 'yes')
      t.equal(await cache.get(place()), 'yes')
      t.equal(await cache.get(place({ distinctId: 'bob' })), undefined)
      t.equal(await cache.get(place({ question: 'v1' })), undefined)
      t.equal(await cache.get(place({ projectId: projectId(2) })), undefined)
      t.equal(await cache.get(place({ revision: revision(2) })), undefined)
      await cache.close()
    })

    t.test('an older revision never replaces or hides a newer one', async (t) => {
      const cache = await create()
      cache.put(place({ revision: revision(2) }), cache.ticket(place()), 'new')
      cache.put(place({ revision: revision(1) }), cache.ticket(place()), 'old')
      t.equal(await cache.get(place({ revision: revision(1) })), undefined)
      t.equal(await cache.get(place({ revision: revision(2) })), 'new')
      await cache.close()
    })

    t.test('a forgotten person is asked anew, others are not', async (t) => {
      const cache = await create()
      cache.put(place(), cache.ticket(place()), 'ann')
      cache.put(place({ distinctId: 'bob' }), cache.ticket(place()), 'bob')
      await cache.forgetPersons(projectId(1), ['ann'])
      t.equal(await cache.get(place()), undefined)
      t.equal(await cache.get(place({ distinctId: 'bob' })), 'bob')
      await cache.close()
    })

    t.test('an answer computed before its person was forgotten is not kept', async (t) => {
      const cache = await create()
      const ticket = cache.ticket(place())
      await cache.forgetPersons(projectId(1), ['ann'])
      cache.put(place(), ticket, 'stale')
      t.equal(await cache.get(place()), undefined)
      cache.put(place(), cache.ticket(place()), 'fresh')
      t.equal(await cache.get(place()), 'fresh')
      await cache.close()
    })

    t.test('that holds however many other persons were forgotten since', async (t) => {
      const cache = await create()
      const ticket = cache.ticket(place())
      await cache.forgetPersons(projectId(1), ['ann'])
      const crowd = Array.from({ length: 70_000 }, (_, index) => `id ${index}`)
      await cache.forgetPersons(projectId(1), crowd)
      cache.put(place(), ticket, 'stale')
      t.equal(await cache.get(place()), undefined)
      await cache.close()
    })
  })
}

t.test('the memory cache stays within its bytes, least recently used first out', async (t) => {
  const cache = createMemoryDecideCache({ bytesMax: 10_000, keepsStored: true })
  for (let index = 0; index < 100; index++) {
    const each = place({ distinctId: `id ${index}` })
    cache.put(each, cache.ticket(each), 'x'.repeat(500))
    await cache.get(place({ distinctId: 'id 0' }))
  }
  t.equal(await cache.get(place({ distinctId: 'id 0' })), 'x'.repeat(500), 'used all the time')
  t.equal(await cache.get(place({ distinctId: 'id 1' })), undefined, 'used longest ago')
  t.equal(await cache.get(place({ distinctId: 'id 99' })), 'x'.repeat(500))
})
