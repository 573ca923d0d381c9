import t from 'tap'
import { NotOwnerError } from '../../../../cluster/shards/not-owner.ts'
import {
  HANDOFF_GRACE_MS,
  HANDOFF_SHARDS_MAX,
  SHARD_STABLE_MS,
} from '../../../../cluster/shards/shard-plan.ts'
import { SHARD_ROWS_MS } from '../../../../cluster/shards/shard-row-reader.ts'
import { HOLD_WAITERS_MAX } from '../../../../cluster/shards/shard-waiters.ts'
import { OWNERSHIP_WAIT_MS } from '../../../../cluster/shards/shards.ts'
import { AppError } from '../../../../src/core/code.ts'
import {
  type FailpointName,
  type Failpoints,
  NO_FAILPOINTS,
} from '../../../../src/core/failpoint.ts'
import { type Epoch, epoch, type ShardId } from '../../../../src/core/ids.ts'
import { HANDOFF_CHANGES_MS } from '../../../../src/core/limits/limits.ts'
import { createShardCluster, type ShardCluster } from '../../../support/cluster/shard-cluster.ts'

/** State of a promise: a value, an error with its owner, or nothing so far. */
type Watched<T> = { value?: T; code?: string; owner?: string | undefined }

function watch<T>(promise: Promise<T>): Watched<T> {
  const seen: Watched<T> = {}
  promise.then(
    (value) => {
      seen.value = value
    },
    (error: unknown) => {
      seen.code = error instanceof AppError ? error.code : String(error)
      if (error instanceof NotOwnerError) seen.owner = error.owner?.id
    },
  )
  return seen
}

/** A change that runs until `end`. */
function slowChange(): { readonly change: (epoch: Epoch) => Promise<Epoch>; end(): void } {
  let end: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    end = resolve
  })
  return { change: (under) => gate.then(() => under), end: () => end() }
}

function someShard(shards: readonly ShardId[]): ShardId {
  const [shard] = shards
  if (shard === undefined) throw new Error('no shard to test with')
  return shard
}

/** Two workers with what is theirs, and a shard of each. */
async function pair(cluster: ShardCluster) {
  const a = await cluster.join('a')
  const b = await cluster.join('b')
  await cluster.pass(10_000)
  const [ofA, ofB] = [someShard(cluster.held('a')), someShard(cluster.held('b'))]
  return { a: a.shards, b: b.shards, ofA, ofB }
}

t.test("a change of another's shard is refused with its owner, at once", async (t) => {
  const cluster = createShardCluster()
  const { a, ofB } = await pair(cluster)
  let ran = false
  const run = watch(
    a.run(ofB, async () => {
      ran = true
    }),
  )
  const hold = watch(a.hold(ofB))
  await cluster.clock.advance(0)
  t.strictSame(run, { code: 'not_owner', owner: 'b' })
  t.strictSame(hold, { code: 'not_owner', owner: 'b' })
  t.equal(ran, false)
  t.equal(a.epochOf(ofB), undefined)
  t.equal(a.ownerOf(ofB)?.id, 'b')
})

t.test('a wait that its caller gives up ends, before and after it began', async (t) => {
  const cluster = createShardCluster()
  cluster.store.fault = () => 'refuse'
  const { shards } = await cluster.join('a')
  const shard = someShard(cluster.share('a'))
  const early = watch(shards.hold(shard, AbortSignal.abort('early')))
  const abort = new AbortController()
  const late = watch(shards.hold(shard, abort.signal))
  await cluster.clock.advance(0)
  t.strictSame([early, late], [{ code: 'early' }, {}])
  abort.abort('late')
  await cluster.clock.advance(0)
  t.strictSame(late, { code: 'late' })
})

t.test('a wait has a bound, and nobody is named who does not have the shard', async (t) => {
  const cluster = createShardCluster()
  cluster.store.fault = () => 'refuse'
  const { shards } = await cluster.join('a')
  const hold = watch(shards.hold(someShard(cluster.share('a'))))
  await cluster.pass(OWNERSHIP_WAIT_MS - 10)
  t.strictSame(hold, {})
  await cluster.pass(20)
  t.strictSame(hold, { code: 'not_owner', owner: undefined })
})

t.test('one call too many does not wait', async (t) => {
  const cluster = createShardCluster()
  cluster.store.fault = () => 'refuse'
  const { shards } = await cluster.join('a')
  const shard = someShard(cluster.share('a'))
  const waiting = Array.from({ length: HOLD_WAITERS_MAX }, () => watch(shards.hold(shard)))
  const refused = watch(shards.hold(shard))
  await cluster.clock.advance(0)
  t.strictSame(refused, { code: 'resource_exhausted' })
  cluster.store.fault = () => 'none'
  await cluster.pass(OWNERSHIP_WAIT_MS / 2)
  t.ok(waiting.every(({ value }) => value === 1n))
})

t.test('an error of a change is thrown to the caller, and the shard stays', async (t) => {
  const cluster = createShardCluster()
  const { a, ofA } = await pair(cluster)
  await t.rejects(
    a.run(ofA, () => Promise.reject(new AppError('invalid_argument', 'no'))),
    { code: 'invalid_argument' },
  )
  t.type(a.epochOf(ofA), 'bigint')
})

t.test('a fenced change drops the shard and names who has it now', async (t) => {
  const cluster = createShardCluster()
  const { a, b, ofA } = await pair(cluster)
  await cluster.store.claim('b', [cluster.store.row(ofA)])
  const run = watch(a.run(ofA, (under) => cluster.store.change(ofA, under, async () => 'written')))
  await cluster.clock.advance(0)
  t.strictSame(run, { code: 'not_owner', owner: 'b' })
  t.equal(a.epochOf(ofA), undefined)
  await cluster.pass(SHARD_ROWS_MS + SHARD_STABLE_MS)
  t.equal(b.epochOf(ofA), undefined)
  t.equal(a.epochOf(ofA), cluster.store.row(ofA).epoch, 'it is asked for again')
})

t.test('a change that begins before the first claim runs under it', async (t) => {
  const cluster = createShardCluster()
  const { shards } = await cluster.join('a')
  const run = watch(shards.run(someShard(cluster.share('a')), async (under) => under))
  await cluster.clock.advance(0)
  t.strictSame(run, { value: epoch(1n) })
})

t.test('a hand-off waits for a change, and a new one for the hand-off', async (t) => {
  const cluster = createShardCluster()
  const { a, ofA } = await pair(cluster)
  const { change, end } = slowChange()
  const under = cluster.store.row(ofA).epoch
  const running = watch(a.run(ofA, change))
  const released = watch(a.release([ofA], 'b'))
  await cluster.pass(1_000)
  const late = watch(a.run(ofA, async () => 'late'))
  await cluster.pass(1_000)
  t.strictSame([running, released, late], [{}, {}, {}])
  t.equal(cluster.store.row(ofA).released, false)
  t.equal(a.epochOf(ofA), undefined, 'no change begins')
  end()
  await cluster.clock.advance(0)
  t.strictSame(running, { value: under })
  t.strictSame(released, { value: [ofA] })
  t.strictSame(late, { code: 'not_owner', owner: 'b' })
  t.strictSame(cluster.store.row(ofA), { shard: ofA, epoch: under, owner: 'a', released: true })
})

t.test('a change that has waited does not begin when a hand-off has', async (t) => {
  const cluster = createShardCluster()
  const { shards } = await cluster.join('a')
  await cluster.join('b', { weight: 1e-9 })
  const shard = someShard(cluster.share('a'))
  let ran = false
  const run = watch(
    shards.run(shard, async () => {
      ran = true
    }),
  )
  const unsubscribe = shards.subscribe(() => {
    unsubscribe()
    void shards.release([shard], 'b')
  })
  await cluster.pass(10)
  t.strictSame([run, ran], [{ code: 'not_owner', owner: 'b' }, false])
})

t.test('shards without a change under way do not wait for one that has', async (t) => {
  const cluster = createShardCluster()
  const { a } = await pair(cluster)
  const [busy, ...quiet] = cluster.held('a')
  t.ok(busy !== undefined && quiet.length > 2)
  if (busy === undefined) return
  const { change, end } = slowChange()
  const running = watch(a.run(busy, change))
  const released = watch(a.release([busy, ...quiet], 'b'))
  await cluster.clock.advance(0)
  t.ok(quiet.every((shard) => cluster.store.row(shard).released))
  t.equal(cluster.store.calls.release, 1, 'in one statement')
  end()
  await cluster.clock.advance(0)
  t.equal(released.value?.length, quiet.length + 1)
  t.type(running.value, 'bigint')
})

t.test('a change that does not end keeps its shard, and those that wait go on', async (t) => {
  const cluster = createShardCluster()
  const { a, ofA } = await pair(cluster)
  const { change, end } = slowChange()
  const running = watch(a.run(ofA, change))
  const released = watch(a.release([ofA], 'b'))
  await cluster.pass(HANDOFF_CHANGES_MS - 500)
  const late = watch(a.run(ofA, async () => 'late'))
  await cluster.pass(600)
  t.strictSame(released, { value: [] })
  t.strictSame(late, { value: 'late' })
  t.type(a.epochOf(ofA), 'bigint')
  end()
  await cluster.clock.advance(0)
  t.type(running.value, 'bigint')
})

t.test('two that ask for one shard hear the same', async (t) => {
  const cluster = createShardCluster()
  const { a, ofA } = await pair(cluster)
  const { change, end } = slowChange()
  void a.run(ofA, change)
  const asked = [watch(a.release([ofA], 'b')), watch(a.release([ofA, ofA], 'c'))]
  await cluster.pass(100)
  t.strictSame(asked, [{}, {}])
  end()
  await cluster.clock.advance(0)
  t.strictSame(asked, [{ value: [ofA] }, { value: [ofA] }])
})

t.test('shards that a worker never had are among those it has let go of', async (t) => {
  const cluster = createShardCluster()
  const { a, ofB } = await pair(cluster)
  t.strictSame(await a.release([ofB], 'c'), [ofB])
  t.equal(cluster.store.row(ofB).owner, 'b')
})

t.test(
  'a release whose answer is lost is found in the rows, and the shard comes back',
  async (t) => {
    const cluster = createShardCluster()
    const { a, ofA } = await pair(cluster)
    cluster.store.fault = (call) => (call === 'release' ? 'lose_answer' : 'none')
    const before = cluster.store.row(ofA).epoch
    t.strictSame(await a.release([ofA], 'b'), [])
    t.equal(a.epochOf(ofA), before)
    cluster.store.fault = () => 'none'
    await cluster.pass(SHARD_ROWS_MS + 1_000)
    t.equal(a.epochOf(ofA), before + 1n)
  },
)

t.test('a shard let go for another is not snatched back from it', async (t) => {
  const cluster = createShardCluster()
  const { a, ofA } = await pair(cluster)
  await a.release([ofA], 'somebody newer than the view')
  await cluster.pass(HANDOFF_GRACE_MS - 10)
  t.equal(cluster.store.row(ofA).released, true)
  await cluster.pass(500)
  t.type(a.epochOf(ofA), 'bigint', 'but it does not stay with nobody')
})

t.test('a caller that asks for a shard on its way here waits for it', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  await cluster.pass(10)
  const b = await cluster.join('b')
  const shard = someShard(cluster.share('b'))
  const { change, end } = slowChange()
  const running = watch(a.shards.run(shard, change))
  const soon = watch(b.shards.hold(shard))
  await cluster.clock.advance(0)
  t.strictSame(soon, { code: 'not_owner', owner: 'a' }, 'while nobody has asked for it')
  await cluster.pass(SHARD_STABLE_MS)
  const early = watch(b.shards.hold(shard))
  await cluster.pass(300)
  t.strictSame(early, {})
  end()
  await cluster.pass(10)
  t.strictSame(running, { value: epoch(1n) })
  t.strictSame(early, { value: epoch(2n) })
})

t.test('a worker that drains gives everything back unasked, and the others take it', async (t) => {
  const cluster = createShardCluster()
  const { a, b, ofA } = await pair(cluster)
  const { change, end } = slowChange()
  const running = watch(a.run(ofA, change))
  await cluster.members.setState('a', 'draining')
  const drained = watch(a.drain())
  await cluster.pass(300)
  t.strictSame(cluster.held('a'), [])
  t.equal(b.held().size, 255, 'all but the one with a change')
  t.strictSame(drained, {})
  const waiting = watch(b.run(ofA, async () => 'late'))
  end()
  await cluster.pass(1_500)
  t.type(running.value, 'bigint')
  t.ok('value' in drained)
  t.strictSame(waiting, { value: 'late' })
  t.equal(b.held().size, 256)
  const call = watch(a.hold(ofA))
  await cluster.clock.advance(0)
  t.strictSame(call, { code: 'not_owner', owner: 'b' })
})

t.test('a call for a shard of a worker that drains waits where it will be', async (t) => {
  const cluster = createShardCluster()
  const { b } = await pair(cluster)
  const shards = cluster.held('a')
  await cluster.members.setState('a', 'draining')
  const calls = shards.map((shard) => watch(b.hold(shard)))
  await cluster.pass(500)
  t.ok(calls.length > 2 * HANDOFF_SHARDS_MAX)
  t.ok(calls.every(({ value }) => value !== undefined))
})

t.test('a worker that drains takes nothing back, even when nobody else can', async (t) => {
  const cluster = createShardCluster()
  const { shards } = await cluster.join('a')
  await cluster.pass(10)
  await cluster.members.setState('a', 'draining')
  const drained = watch(shards.drain())
  await cluster.pass(10)
  t.ok('value' in drained)
  await cluster.pass(60_000)
  t.equal(shards.held().size, 0)
  const call = watch(shards.hold(someShard(cluster.share('a'))))
  await cluster.clock.advance(0)
  t.strictSame(call, { code: 'not_owner', owner: undefined })
})

t.test('members that drain take nothing while an active one is there', async (t) => {
  const cluster = createShardCluster()
  await cluster.join('a', { state: 'draining' })
  await cluster.join('b', { state: 'drained' })
  await cluster.join('c')
  await cluster.pass(10_000)
  t.strictSame([cluster.held('a'), cluster.held('b')], [[], []])
  t.equal(cluster.held('c').length, 256)
  await cluster.bury('c')
  await cluster.pass(1_000)
  const left = [...cluster.held('a'), ...cluster.held('b')]
  t.equal(left.length, 256, 'and all of it when there is none')
})

t.test('a drain continues when the database is back', async (t) => {
  const cluster = createShardCluster()
  const { shards } = await cluster.join('a')
  await cluster.pass(10)
  cluster.store.fault = () => 'refuse'
  const drained = watch(shards.drain())
  await cluster.pass(20_000)
  t.strictSame(drained, {})
  t.ok(cluster.store.calls.release < 40, `${cluster.store.calls.release} attempts`)
  cluster.store.fault = () => 'none'
  await cluster.pass(2_500)
  t.ok('value' in drained)
})

/** Failpoints that fail once at `name`, and remember all that were reached. */
function failingOnce(name: FailpointName): Failpoints & { readonly reached: FailpointName[] } {
  const reached: FailpointName[] = []
  return {
    reached,
    async reach(each) {
      reached.push(each)
      if (each !== name || reached.filter((other) => other === name).length > 1) return
      throw new AppError('unavailable', `failpoint ${name}`)
    },
  }
}

t.test('failpoints of a claim and of a hand-off are reached, and survived', async (t) => {
  const names = ['before-epoch-claim', 'after-claim-before-load', 'mid-handoff'] as const
  for (const name of names) {
    const cluster = createShardCluster()
    const failpoints = failingOnce(name)
    await cluster.join('a', { failpoints })
    await cluster.pass(1_000)
    await cluster.join('b', { failpoints: NO_FAILPOINTS })
    await cluster.pass(10_000)
    t.ok(failpoints.reached.includes(name), name)
    t.strictSame(cluster.held('a'), cluster.share('a'), `after an error ${name}`)
    t.strictSame(cluster.held('b'), cluster.share('b'))
  }
})

t.test('a crash between a claim and its load costs an epoch and nothing else', async (t) => {
  const cluster = createShardCluster()
  const failpoints: Failpoints = {
    reach: async (name) => {
      if (name === 'after-claim-before-load') cluster.crash('a')
    },
  }
  await cluster.join('a', { failpoints })
  await cluster.pass(10)
  const b = await cluster.join('b')
  await cluster.pass(100)
  t.equal(b.shards.held().size, 0, 'it counts as held until the view knows')
  await cluster.bury('a')
  await cluster.pass(10)
  t.strictSame(new Set(b.shards.held().values()), new Set([epoch(2n)]))
  t.equal(b.shards.held().size, 256)
})
