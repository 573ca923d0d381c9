import t from 'tap'
import type { DecideCache, DecidePlace } from '../../../../gateway/cache/decide-cache.ts'
import { createRedisAccess } from '../../../../gateway/cache/redis-access.ts'
import { createRedisDecideCache } from '../../../../gateway/cache/redis-decide-cache.ts'
import { projectId, revision } from '../../../../src/core/ids.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { createCacheGeneration } from '../../../../src/project/cache-generation.ts'
import { createPersonForgetter } from '../../../../src/project/person-forgetter.ts'
import { turns } from '../../../support/cache/fake-redis-link.ts'
import { SimRedis } from '../../../support/cache/sim-redis.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const PROJECT = projectId(1)
const STEPS = 500
const PERSONS = ['ann', 'bob']
const FIRST_SEED = Number(process.env['SEED'] ?? 1)
const SEEDS = process.env['SEED'] === undefined ? 300 : 1

/** Mulberry32: the same steps for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Two gateways and a worker on one server, each step at random: persons change and are forgotten,
 * answers are looked for, computed and put late, batches are done and answered late, keys are
 * evicted, and the server is restarted, empty or with older data. What a person was when a change
 * was last acknowledged must never be undercut by an answer that was asked for afterwards.
 */
async function simulate(seed: number) {
  const random = randomOf(seed)
  const clock = createFakeClock()
  const server = new SimRedis()
  const generation = createCacheGeneration('worker')
  const open = (): DecideCache => {
    const deps = { open: () => server.connect(), clock, log, random, count: () => undefined }
    const options = { cluster: 'c', generation: () => generation.current() }
    return createRedisDecideCache(createRedisAccess(deps), options)
  }
  const gateways = [open(), open()]
  const forgetter = createPersonForgetter({ cache: open(), generation, clock, log })

  const now = new Map<string, number>()
  const acknowledged = new Map<string, number>()
  const waiting: (() => void)[] = []
  const stale: string[] = []
  const seen = { hits: 0, changes: 0, restarts: 0 }
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]

  const change = async (person: string) => {
    const value = (now.get(person) ?? 0) + 1
    now.set(person, value)
    await forgetter.onPersonsChanged([{ projectId: PROJECT, distinctIds: [person], groups: [] }])
    acknowledged.set(person, Math.max(value, acknowledged.get(person) ?? 0))
    seen.changes++
  }
  const decide = async (cache: DecideCache, person: string) => {
    const question = random() < 0.5 ? 'v2' : 'v3'
    const at: DecidePlace = {
      projectId: PROJECT,
      revision: revision(1),
      distinctId: person,
      question,
    }
    const floor = acknowledged.get(person) ?? 0
    const { members, ticket } = await cache.look(at)
    if (members !== undefined) {
      seen.hits++
      if (Number(members) < floor) stale.push(`${person} is ${members}, ${floor} is acknowledged`)
      return
    }
    waiting.push(() => {
      const computed = String(now.get(person) ?? 0)
      waiting.push(() => {
        void cache.put(at, ticket, { members: computed, dependsOnStored: true })
      })
    })
  }
  const restart = () => {
    seen.restarts++
    server.restart(random() < 0.5)
  }

  for (let step = 0; step < STEPS; step++) {
    const dice = random()
    if (dice < 0.03) void change(pick(PERSONS) ?? '')
    else if (dice < 0.25) void decide(pick(gateways) ?? open(), pick(PERSONS) ?? '')
    else if (dice < 0.45) waiting.splice(Math.floor(random() * waiting.length), 1)[0]?.()
    else if (dice < 0.46) server.evict(random)
    else if (dice < 0.47) server.snapshot()
    else if (dice < 0.473) restart()
    else if (dice < 0.5) await clock.advance(pick([1, 5, 5, 20, 50, 1_000]) ?? 0)
    else for (let each = 0; each < 3; each++) pick(server.busy())?.step(random)
    await turns()
  }
  return { ...seen, stale, raised: generation.current() !== 'worker.0' }
}

t.test('an answer of before an acknowledged change is never served', async (t) => {
  const total = { hits: 0, changes: 0, restarts: 0, raised: 0 }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const { stale, hits, changes, restarts, raised } = await simulate(seed)
    t.strictSame(stale, [], `SEED=${seed}`)
    total.hits += hits
    total.changes += changes
    total.restarts += restarts
    if (raised) total.raised++
  }
  t.comment(JSON.stringify(total))
  if (SEEDS === 1) return
  t.ok(total.hits > 4 * SEEDS, 'answers were served')
  t.ok(total.changes > 10 * SEEDS, 'changes were acknowledged')
  t.ok(total.restarts > SEEDS, 'the server was restarted')
  t.ok(total.raised > SEEDS / 4, 'and deletions failed')
})
