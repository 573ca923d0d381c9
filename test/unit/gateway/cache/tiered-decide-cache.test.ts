import t from 'tap'
import type {
  CachedAnswer,
  DecideCache,
  DecidePlace,
} from '../../../../gateway/cache/decide-cache.ts'
import { createMemoryDecideCache } from '../../../../gateway/cache/memory-decide-cache.ts'
import { createTieredDecideCache } from '../../../../gateway/cache/tiered-decide-cache.ts'
import { AppError } from '../../../../src/core/code.ts'
import { projectId, revision } from '../../../../src/core/ids.ts'

const PLACE: DecidePlace = {
  projectId: projectId(1),
  revision: revision(1),
  distinctId: 'ann',
  question: 'v2',
}
const TICKET = { heard: 0, shared: { era: 'e', nonce: 'n' } }

/** A shared cache that holds one answer, or none. */
function sharedWith(answer: CachedAnswer | undefined, isAway = false) {
  const kept: CachedAnswer[] = []
  let looks = 0
  const shared: DecideCache = {
    keepsStored: true,
    look() {
      looks++
      const { members, dependsOnStored = true } = answer ?? {}
      const looked = { members, dependsOnStored, ticket: TICKET }
      return isAway ? looked : Promise.resolve(looked)
    },
    async put(_place, _ticket, each) {
      kept.push(each)
    },
    async forgetPersons() {
      if (isAway) throw new AppError('unavailable', 'away')
    },
    close: async () => undefined,
  }
  const tiers: string[] = []
  const memory = createMemoryDecideCache({ bytesMax: 100_000, keepsStored: false })
  const cache = createTieredDecideCache(memory, shared, (tier) => tiers.push(tier))
  return { cache, kept, tiers, looks: () => looks }
}

t.test('a shared answer that read nothing stored is found at once from then on', async (t) => {
  const { cache, tiers, looks } = sharedWith({ members: 'yes', dependsOnStored: false })
  t.equal((await cache.look(PLACE)).members, 'yes')
  const again = cache.look(PLACE)
  t.notOk(again instanceof Promise)
  t.equal((await again).members, 'yes')
  t.equal(looks(), 1)
  t.strictSame(tiers, ['shared', 'memory'])
})

t.test('one that read stored data is looked for in the shared cache each time', async (t) => {
  const { cache, tiers, looks } = sharedWith({ members: 'yes', dependsOnStored: true })
  t.equal((await cache.look(PLACE)).members, 'yes')
  t.equal((await cache.look(PLACE)).members, 'yes')
  t.equal(looks(), 2)
  t.strictSame(tiers, ['shared', 'shared'])
})

t.test('an answer goes to both, to memory only what read nothing stored', async (t) => {
  for (const dependsOnStored of [true, false]) {
    const { cache, kept, tiers } = sharedWith(undefined)
    const { ticket, members } = await cache.look(PLACE)
    t.equal(members, undefined)
    t.strictSame(ticket.shared, TICKET.shared)
    await cache.put(PLACE, ticket, { members: 'yes', dependsOnStored })
    t.strictSame(kept, [{ members: 'yes', dependsOnStored }])
    t.equal((await cache.look(PLACE)).members, dependsOnStored ? undefined : 'yes')
    t.strictSame(tiers, ['none', dependsOnStored ? 'none' : 'memory'])
  }
})

t.test('while the shared cache is away a miss takes no turn', async (t) => {
  const { cache } = sharedWith(undefined, true)
  t.notOk(cache.look(PLACE) instanceof Promise)
  await t.rejects(Promise.resolve(cache.forgetPersons(projectId(1), ['ann'])), {
    code: 'unavailable',
  })
})
