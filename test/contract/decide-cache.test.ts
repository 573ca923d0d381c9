import t, { type Test } from 'tap'
import type { DecideCache, DecidePlace } from '../../gateway/cache/decide-cache.ts'
import { createMemoryDecideCache } from '../../gateway/cache/memory-decide-cache.ts'
import { createTieredDecideCache } from '../../gateway/cache/tiered-decide-cache.ts'
import { projectId, revision } from '../../src/core/ids.ts'
import { DECIDE_QUESTIONS_MAX } from '../../src/core/limits/limits.ts'
import { openRedisCache } from '../support/servers/redis-cache.ts'
import { startRedis } from '../support/servers/redis-server.ts'

const redis = await startRedis(t)

type Implementation = {
  readonly create: (t: Test) => Promise<DecideCache>
  /** How many answers of one person it may hold. */
  readonly questionsMax: number
}

/** Every implementation of the port runs the same suite, each cache with nothing in it. */
const IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  memory: {
    create: async () => createMemoryDecideCache({ bytesMax: 1_000_000, keepsStored: true }),
    questionsMax: DECIDE_QUESTIONS_MAX,
  },
  redis: {
    create: async (t) => (await openRedisCache(t, redis.url)).cache,
    // Where no answer reads stored data, one has the place of the field that guards them.
    questionsMax: DECIDE_QUESTIONS_MAX + 1,
  },
  tiered: {
    create: async (t) => {
      const memory = createMemoryDecideCache({ bytesMax: 1_000_000, keepsStored: false })
      const { cache } = await openRedisCache(t, redis.url)
      return createTieredDecideCache(memory, cache, () => undefined)
    },
    // Each tier has its own.
    questionsMax: 2 * DECIDE_QUESTIONS_MAX + 1,
  },
}

function place(change: Partial<DecidePlace> = {}): DecidePlace {
  const base = { projectId: projectId(1), revision: revision(1), distinctId: 'ann', question: 'v2' }
  return { ...base, ...change }
}

for (const [name, { create, questionsMax }] of Object.entries(IMPLEMENTATIONS)) {
  for (const dependsOnStored of [true, false]) {
    const kind = dependsOnStored ? 'read stored data' : 'read nothing stored'
    t.test(`${name}: answers that ${kind}`, async (t) => {
      const look = async (cache: DecideCache, at: DecidePlace) => (await cache.look(at)).members
      const ticketAt = async (cache: DecideCache, at: DecidePlace) => (await cache.look(at)).ticket
      const keep = async (cache: DecideCache, at: DecidePlace, members: string) => {
        await cache.put(at, await ticketAt(cache, at), { members, dependsOnStored })
      }

      t.test('an answer is found under all of its place and nothing less', async (t) => {
        const cache = await create(t)
        const long = '"x"'.repeat(400)
        await keep(cache, place(), 'yes')
        await keep(cache, place({ question: long }), 'long')
        t.equal(await look(cache, place()), 'yes')
        t.equal(await look(cache, place({ question: long })), 'long')
        t.equal(await look(cache, place({ question: `${long} ` })), undefined)
        t.equal(await look(cache, place({ distinctId: 'bob' })), undefined)
        t.equal(await look(cache, place({ question: 'v1' })), undefined)
        t.equal(await look(cache, place({ question: 'g' })), undefined)
        t.equal(await look(cache, place({ projectId: projectId(2) })), undefined)
        t.equal(await look(cache, place({ revision: revision(2) })), undefined)
      })

      t.test('it comes back as it was, whatever it holds', async (t) => {
        const cache = await create(t)
        const texts = ['', '\n', '-\n- -', `"a":"é 💡 \\u0000"`, 'x'.repeat(50_000)]
        for (const [index, text] of texts.entries()) {
          const at = place({ distinctId: `id ${index} \n é 💡` })
          await keep(cache, at, text)
          t.equal(await look(cache, at), text)
        }
      })

      t.test('one of an older revision never replaces a newer one', async (t) => {
        const cache = await create(t)
        await keep(cache, place({ revision: revision(2) }), 'new')
        await keep(cache, place({ revision: revision(1) }), 'old')
        t.equal(await look(cache, place({ revision: revision(2) })), 'new')
        t.not(await look(cache, place({ revision: revision(1) })), 'new')
      })

      t.test('a forgotten person is asked anew, others are not', async (t) => {
        const cache = await create(t)
        await keep(cache, place(), 'ann')
        await keep(cache, place({ distinctId: 'bob' }), 'bob')
        await cache.forgetPersons(projectId(1), [])
        await cache.forgetPersons(projectId(2), ['bob'])
        await cache.forgetPersons(projectId(1), ['ann'])
        if (dependsOnStored) t.equal(await look(cache, place()), undefined)
        t.equal(await look(cache, place({ distinctId: 'bob' })), 'bob')
      })

      t.test('the questions kept of one person are bounded', async (t) => {
        const cache = await create(t)
        let most = 0
        for (let asked = 1; asked <= 3 * DECIDE_QUESTIONS_MAX; asked++) {
          await keep(cache, place({ question: `v2 ${asked}` }), `${asked}`)
          let kept = 0
          const wrong = []
          for (let index = 1; index <= asked; index++) {
            const members = await look(cache, place({ question: `v2 ${index}` }))
            if (members !== undefined && members !== `${index}`) wrong.push([index, members])
            if (members !== undefined) kept++
          }
          t.same(wrong, [], 'each has its own answer')
          if (asked <= DECIDE_QUESTIONS_MAX) t.equal(kept, asked, 'so many are kept')
          most = Math.max(most, kept)
        }
        t.ok(most <= questionsMax, `${most} kept`)
      })

      if (!dependsOnStored) return
      t.test('an answer computed before its person was forgotten is not kept', async (t) => {
        const cache = await create(t)
        const ticket = await ticketAt(cache, place())
        await cache.forgetPersons(projectId(1), ['ann'])
        await cache.put(place(), ticket, { members: 'stale', dependsOnStored })
        t.equal(await look(cache, place()), undefined)
        await cache.put(place(), ticket, { members: 'stale', dependsOnStored })
        t.equal(await look(cache, place()), undefined, 'nor once it was looked for again')
        await keep(cache, place(), 'fresh')
        t.equal(await look(cache, place()), 'fresh')
      })

      t.test('nor is one whose ticket is of a time with other answers', async (t) => {
        const cache = await create(t)
        await keep(cache, place({ question: 'v1' }), 'before')
        const ticket = await ticketAt(cache, place())
        await cache.forgetPersons(projectId(1), ['ann'])
        await keep(cache, place({ question: 'v1' }), 'after')
        await cache.put(place(), ticket, { members: 'stale', dependsOnStored })
        t.equal(await look(cache, place()), undefined)
        t.equal(await look(cache, place({ question: 'v1' })), 'after')
      })

      t.test('that holds however many other persons were forgotten since', async (t) => {
        const cache = await create(t)
        const ticket = await ticketAt(cache, place())
        await cache.forgetPersons(projectId(1), ['ann'])
        for (let from = 0; from < 70_000; from += 5_000) {
          const crowd = Array.from({ length: 5_000 }, (_, index) => `id ${from + index}`)
          await cache.forgetPersons(projectId(1), crowd)
        }
        await cache.put(place(), ticket, { members: 'stale', dependsOnStored })
        t.equal(await look(cache, place()), undefined)
      })
    })
  }
}

t.test('the memory cache stays within its bytes, least recently used first out', async (t) => {
  const cache = createMemoryDecideCache({ bytesMax: 10_000, keepsStored: true })
  const look = async (distinctId: string) => (await cache.look(place({ distinctId }))).members
  for (let index = 0; index < 100; index++) {
    const each = place({ distinctId: `id ${index}` })
    const { ticket } = await cache.look(each)
    await cache.put(each, ticket, { members: 'x'.repeat(500), dependsOnStored: false })
    await look('id 0')
  }
  t.equal(await look('id 0'), 'x'.repeat(500), 'used all the time')
  t.equal(await look('id 1'), undefined, 'used longest ago')
  t.equal(await look('id 99'), 'x'.repeat(500))
})

t.test('a memory cache that is told of no changes keeps nothing they could touch', async (t) => {
  const cache = createMemoryDecideCache({ bytesMax: 10_000, keepsStored: false })
  const { ticket } = await cache.look(place())
  await cache.put(place(), ticket, { members: 'yes', dependsOnStored: true })
  t.equal((await cache.look(place())).members, undefined)
})
