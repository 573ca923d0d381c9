import fc from 'fast-check'
import t from 'tap'
import { ALL_SHARDS, assign } from '../../../../cluster/shards/shard-plan.ts'
import { AppError } from '../../../../src/core/code.ts'
import { type Epoch, type ShardId, shardId } from '../../../../src/core/ids.ts'
import {
  createShardCluster,
  type ShardCluster,
  worker,
} from '../../../support/cluster/shard-cluster.ts'

/** One thing that happens to a cluster; `who` picks one of the workers there are. */
type Step =
  | { readonly kind: 'join'; readonly weight: number }
  /** Gone, and known to be. */
  | { readonly kind: 'bury'; readonly who: number }
  /** Gone, and known to be a while later. */
  | { readonly kind: 'crash'; readonly who: number }
  /** Declared dead, and still running: frozen, or cut off from the registry. */
  | { readonly kind: 'exile'; readonly who: number }
  | { readonly kind: 'drain'; readonly who: number }
  | { readonly kind: 'doubt'; readonly who: number; readonly ms: number }
  | { readonly kind: 'faults'; readonly store: number; readonly peers: number }
  | { readonly kind: 'change'; readonly who: number; readonly shard: number; readonly ms: number }
  | { readonly kind: 'pass'; readonly ms: number }

const who = fc.nat({ max: 9 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('join' as const), weight: fc.constantFrom(1, 1, 1, 2) }),
    fc.record({ kind: fc.constantFrom('bury' as const, 'crash', 'exile', 'drain'), who }),
    fc.record({ kind: fc.constant('doubt' as const), who, ms: fc.nat({ max: 5_000 }) }),
    fc.record({
      kind: fc.constant('faults' as const),
      store: fc.constantFrom(0, 0.2, 0.9),
      peers: fc.constantFrom(0, 0.2, 0.9),
    }),
    fc.record({
      kind: fc.constant('change' as const),
      who,
      shard: fc.nat({ max: 255 }),
      ms: fc.nat({ max: 8_000 }),
    }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat({ max: 4_000 }) }),
  ),
  { minLength: 5, maxLength: 25 },
)

/** Uniform numbers in [0, 1) from a seed: the faults of a run are the same when it is run again. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 0x1_0000_0000
  }
}

type World = {
  readonly cluster: ShardCluster
  /** Epochs of the changes of each shard that were written, in their order. */
  readonly written: Map<ShardId, Epoch[]>
  /** Failures of changes that a caller cannot make anything of. */
  readonly strange: unknown[]
  readonly exiled: Set<string>
  joined: number
}

function change({ cluster, written, strange }: World, id: string, shard: ShardId, ms: number) {
  const { store, clock } = cluster
  const run = cluster.workers.get(id)?.shards.run(shard, (under) =>
    store.change(shard, under, async () => {
      await clock.sleep(ms)
      written.set(shard, [...(written.get(shard) ?? []), under])
    }),
  )
  run?.catch((error: unknown) => {
    const isExpected = error instanceof AppError && error.code === 'not_owner'
    if (!isExpected) strange.push(error)
  })
}

async function take(world: World, step: Step, random: () => number): Promise<void> {
  const { cluster } = world
  const { members, store, workers } = cluster
  const alive = [...workers.keys()]
  const id = 'who' in step ? alive[step.who % alive.length] : undefined
  const isActive = ({ state }: { state: string }) => state === 'active'
  const active = members.view().members.filter(isActive)
  /** At least one member must be left that can own shards. */
  const isLast = active.length <= 1 && active[0]?.id === id
  switch (step.kind) {
    case 'join':
      if (alive.length >= 6) return
      world.joined += 1
      await cluster.join(`w${world.joined}`, { weight: step.weight })
      return
    case 'bury':
      if (id !== undefined && !isLast) await cluster.bury(id)
      return
    case 'crash':
      if (id === undefined || isLast) return
      cluster.crash(id)
      await cluster.pass(3_000)
      await cluster.bury(id)
      return
    case 'exile':
      if (id === undefined || isLast) return
      world.exiled.add(id)
      await members.leave(id)
      return
    case 'drain':
      if (id === undefined || isLast) return
      await members.setState(id, 'draining')
      void workers.get(id)?.shards.drain()
      return
    case 'doubt': {
      const doubting = id === undefined ? undefined : workers.get(id)
      if (doubting === undefined) return
      doubting.confirmed = false
      await cluster.pass(step.ms)
      doubting.confirmed = true
      return
    }
    case 'faults':
      store.fault = () => {
        if (random() >= step.store) return 'none'
        return random() < 0.5 ? 'refuse' : 'lose_answer'
      }
      cluster.peerFault = () => {
        if (random() >= step.peers) return undefined
        if (random() < 0.3) return cluster.clock.sleep(9_000)
        return Promise.reject(new AppError('unavailable', 'cut off'))
      }
      return
    case 'change':
      if (id !== undefined) change(world, id, shardId(step.shard), step.ms)
      return
    case 'pass':
      await cluster.pass(step.ms)
      return
    default:
      step satisfies never
  }
}

/** Invariants at any moment. @throws {Error} that names the broken one. */
function check({ cluster, written, strange }: World): void {
  const { store, workers } = cluster
  const fail = (problem: string): never => {
    throw new Error(problem)
  }
  if (strange.length > 0) fail(`a change failed with ${strange[0]}`)
  const holders = new Map<string, string>()
  for (const { id, shards } of workers.values()) {
    for (const [shard, epoch] of shards.held()) {
      const other = holders.get(`${shard} ${epoch}`)
      if (other !== undefined) fail(`${other} and ${id} hold ${shard} under ${epoch}`)
      holders.set(`${shard} ${epoch}`, id)
      const row = store.row(shard)
      if (epoch > row.epoch) fail(`${id} holds ${shard} under ${epoch}, which nobody claimed`)
      if (epoch === row.epoch && row.owner !== id) fail(`${id} holds what is ${row.owner}'s`)
    }
  }
  const won = new Set(store.won.map(({ shard, epoch }) => `${shard} ${epoch}`))
  if (won.size !== store.won.length) fail('an epoch was claimed twice')
  for (const [shard, epochs] of written) {
    const isOrdered = epochs.every(
      (epoch, index) => index === 0 || epoch >= (epochs[index - 1] ?? 0),
    )
    if (!isOrdered) fail(`${shard} was written under ${epochs}`)
  }
}

t.test(
  'whatever happens, one holds each epoch, and in the end each shard is at home',
  async (t) => {
    const property = fc.asyncProperty(steps, fc.integer(), async (each, seed) => {
      const random = randomFrom(seed)
      const cluster = createShardCluster()
      const world: World = {
        cluster,
        written: new Map(),
        strange: [],
        exiled: new Set(),
        joined: 0,
      }
      await take(world, { kind: 'join', weight: 1 }, random)
      for (const step of each) {
        await take(world, step, random)
        check(world)
      }
      await take(world, { kind: 'faults', store: 0, peers: 0 }, random)
      // Changes of 8 s, questions of 8 s that are not answered, then the moves themselves.
      await cluster.pass(40_000)
      check(world)
      for (const { id } of cluster.workers.values()) {
        const share = world.exiled.has(id) ? [] : cluster.share(id)
        if (cluster.held(id).join() !== share.join()) {
          throw new Error(`${id} holds ${cluster.held(id).length} of ${share.length}`)
        }
      }
    })
    await fc.assert(property, { numRuns: 40 })
    t.pass('and every run of it has ended')
  },
)

/** The shards that move when the first of `ids` comes to the others, and where they go. */
function moves(ids: readonly string[]) {
  const [newest, ...others] = ids.map((id) => worker(id))
  const all = newest === undefined ? others : [newest, ...others]
  const before = assign({ version: 1, members: others })
  const after = assign({ version: 2, members: all })
  const moved = ALL_SHARDS.filter((shard) => before.preferred(shard) !== after.preferred(shard))
  return {
    share: moved.length / 256,
    to: new Set(moved.map((shard) => after.preferred(shard)?.id)),
  }
}

t.test('another member takes shards from the others, and nothing else moves', async (t) => {
  const ids = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 9 })
  const property = fc.property(ids, (each) => {
    const { to } = moves(each)
    return to.size === 0 || (to.size === 1 && to.has(each[0]))
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('another member of n takes a share of 1/n, seldom more than a tenth besides', async (t) => {
  for (let count = 2; count <= 8; count++) {
    const shares = Array.from({ length: 200 }, (_, turn) => {
      return moves(Array.from({ length: count }, (_, index) => `${turn}-${index}`)).share
    })
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    t.ok(Math.abs(mean - 1 / count) < 0.01, `${mean} of ${count}`)
    const above = shares.filter((share) => share > 1 / count + 0.1).length
    t.ok(above <= 2, `${above} of 200 above the bound`)
  }
})
