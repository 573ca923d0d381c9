import t from 'tap'
import {
  ALL_SHARDS,
  HANDOFF_SHARDS_MAX,
  SHARD_STABLE_MS,
} from '../../../../cluster/shards/shard-plan.ts'
import { SHARD_ROWS_MS } from '../../../../cluster/shards/shard-row-reader.ts'
import { SHARD_RETRY_MAX_MS } from '../../../../cluster/shards/shard-store-retry.ts'
import { AppError } from '../../../../src/core/code.ts'
import { type Epoch, epoch, shardId } from '../../../../src/core/ids.ts'
import { SHARDS_CLOSE_MS } from '../../../../src/core/limits/limits.ts'
import { OUTAGES_TOLD_MS } from '../../../../src/core/logging/outages.ts'
import { createShardCluster } from '../../../support/cluster/shard-cluster.ts'

const UNAVAILABLE = new AppError('unavailable', 'cut off')

t.test('a database that is away is asked again, ever more seldom', async (t) => {
  const cluster = createShardCluster()
  cluster.store.fault = () => 'refuse'
  const a = await cluster.join('a')
  await cluster.pass(1_000)
  t.ok(cluster.store.calls.list < 8, `${cluster.store.calls.list} reads in the first second`)
  await cluster.pass(60_000)
  const before = cluster.store.calls.list
  await cluster.pass(10 * SHARD_RETRY_MAX_MS)
  const reads = cluster.store.calls.list - before
  t.ok(reads >= 10 && reads <= 20, `${reads} reads of an outage in ten of the longest pauses`)
  cluster.store.fault = () => 'none'
  await cluster.pass(SHARD_RETRY_MAX_MS)
  t.equal(a.shards.held().size, 256)
})

t.test('a database that goes away takes nothing from who holds it', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  await cluster.pass(10)
  cluster.store.fault = () => 'refuse'
  await cluster.pass(60_000)
  t.equal(a.shards.held().size, 256)
  cluster.store.fault = () => 'none'
  await cluster.pass(SHARD_ROWS_MS)
  t.strictSame(new Set(a.shards.held().values()), new Set([epoch(1n)]), 'nor claims it twice')
})

t.test('a claim that fails although the rows can be read is not made all the time', async (t) => {
  const cluster = createShardCluster()
  cluster.store.fault = (call) => (call === 'claim' ? 'refuse' : 'none')
  await cluster.join('a')
  await cluster.pass(10_000)
  const { claim } = cluster.store.calls
  t.ok(claim > 10 && claim < 210, `${claim} claims in ten seconds`)
})

t.test('a claim whose answer is lost is found in the rows', async (t) => {
  const cluster = createShardCluster()
  let lost = 0
  cluster.store.fault = (call) => (call === 'claim' && lost++ === 0 ? 'lose_answer' : 'none')
  const a = await cluster.join('a')
  await cluster.pass(200)
  t.equal(a.shards.held().size, 256)
  t.equal(cluster.store.calls.claim, 1, 'and not made again')
})

t.test('a worker in doubt takes nothing and asks for nothing, and keeps what it has', async (t) => {
  const cluster = createShardCluster()
  await cluster.join('a')
  const b = await cluster.join('b')
  await cluster.pass(5_000)
  const mine = cluster.held('b')
  const questions = b.asked.length
  t.ok(mine.length > 0)
  b.confirmed = false
  await cluster.bury('a')
  await cluster.pass(10_000)
  t.strictSame(cluster.held('b'), mine)
  await cluster.join('c', { weight: 100 })
  await cluster.pass(10_000)
  t.ok(cluster.held('b').length < mine.length, 'and gives up what it is asked for')
  await cluster.members.setState('c', 'draining')
  await cluster.pass(10_000)
  t.equal(b.asked.length, questions)
  b.confirmed = true
  await cluster.pass(5_000)
  t.strictSame(cluster.held('b'), cluster.share('b'), 'then it takes what is its own')
})

t.test('a member that is not in the view takes nothing', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a', { role: 'gateway' })
  await cluster.pass(10_000)
  t.equal(a.shards.held().size, 0)
  t.equal(cluster.store.calls.claim, 0)
})

t.test('a worker alone is ready at once, with one read and one claim', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  let ready = false
  void a.shards.ready().then(() => {
    ready = true
  })
  t.equal(ready, false)
  await cluster.clock.advance(0)
  t.ok(ready)
  t.strictSame(cluster.held('a'), [...ALL_SHARDS])
  t.equal(cluster.store.calls.list, 1)
  t.equal(cluster.store.calls.claim, 1)
})

t.test('a worker is ready while others still have shards of its own', async (t) => {
  const cluster = createShardCluster()
  await cluster.join('a')
  await cluster.pass(10)
  const b = await cluster.join('b')
  await b.shards.ready()
  t.equal(b.shards.held().size, 0)
})

t.test('a live owner is asked when the view was stable, for few shards at a time', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  await cluster.pass(10)
  const b = await cluster.join('b')
  await cluster.pass(SHARD_STABLE_MS - 10)
  t.strictSame(b.asked, [])
  t.equal(a.shards.held().size, 256)
  await cluster.pass(3_000)
  t.strictSame(cluster.held('b'), cluster.share('b'))
  t.strictSame(cluster.held('a'), cluster.share('a'))
  t.equal(b.askingMax, HANDOFF_SHARDS_MAX)
  t.strictSame(a.asked, [])
  for (const shard of a.shards.held().keys()) t.equal(cluster.store.row(shard).epoch, 1n)
  for (const shard of b.shards.held().keys()) t.equal(cluster.store.row(shard).epoch, 2n)
})

t.test('a view that does not come to rest moves nothing', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  await cluster.pass(10)
  const b = await cluster.join('b')
  for (let turn = 0; turn < 20; turn++) {
    await cluster.pass(SHARD_STABLE_MS - 100)
    if (turn % 2 === 0) await cluster.join('c')
    else await cluster.bury('c')
  }
  t.strictSame(b.asked, [])
  t.equal(a.shards.held().size, 256)
})

t.test('a gateway that comes or goes does not put a move off', async (t) => {
  const cluster = createShardCluster()
  await cluster.join('a')
  await cluster.pass(10)
  await cluster.join('b')
  for (let turn = 0; turn < 5; turn++) {
    await cluster.join(`gateway ${turn}`, { role: 'gateway' })
    await cluster.pass(1_000)
  }
  t.strictSame(cluster.held('b'), cluster.share('b'))
})

t.test('shards of a dead worker are claimed at once', async (t) => {
  const cluster = createShardCluster()
  for (const id of ['a', 'b', 'c']) await cluster.join(id)
  await cluster.pass(10_000)
  const before = cluster.held('a')
  t.strictSame(before, cluster.share('a'))
  cluster.crash('b')
  await cluster.pass(10_000)
  t.strictSame(cluster.held('a'), before, 'not before it is known')
  const { claim } = cluster.store.calls
  const questions = cluster.workers.get('a')?.asked.length
  await cluster.bury('b')
  await cluster.clock.advance(0)
  t.ok(cluster.held('a').length > before.length)
  t.strictSame(cluster.held('a'), cluster.share('a'))
  t.strictSame(cluster.held('c'), cluster.share('c'))
  t.equal(cluster.store.calls.claim - claim, 2, 'with one claim of each survivor')
  t.equal(cluster.workers.get('a')?.asked.length, questions)
})

t.test('an owner that dies while it is asked is not waited for', async (t) => {
  const cluster = createShardCluster()
  await cluster.join('a')
  await cluster.pass(10)
  const b = await cluster.join('b')
  cluster.peerFault = () => new Promise(() => {})
  await cluster.pass(SHARD_STABLE_MS + 500)
  t.equal(b.asking, HANDOFF_SHARDS_MAX)
  await cluster.bury('a')
  await cluster.clock.advance(0)
  t.equal(b.shards.held().size, 256)
})

t.test('an owner that does not answer is asked again, and not all the time', async (t) => {
  const cluster = createShardCluster()
  await cluster.join('a')
  await cluster.pass(10)
  const b = await cluster.join('b')
  cluster.peerFault = () => Promise.reject(UNAVAILABLE)
  await cluster.pass(SHARD_STABLE_MS + 10_000)
  const questions = b.asked.length
  const rounds = (questions * HANDOFF_SHARDS_MAX) / cluster.share('b').length
  t.ok(rounds > 5 && rounds < 21, `each shard was asked for ${rounds} times in ten seconds`)
  cluster.peerFault = () => undefined
  await cluster.pass(3_000)
  t.strictSame(cluster.held('b'), cluster.share('b'))
})

t.test('a worker that lost a shard without knowing learns of it from the rows', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  await cluster.join('b', { weight: 1e-9 })
  await cluster.pass(10)
  const shard = shardId(7)
  await cluster.store.claim('b', [cluster.store.row(shard)])
  const seen: (Epoch | undefined)[] = []
  a.shards.subscribe(() => seen.push(a.shards.held().get(shard)))
  await cluster.pass(SHARD_ROWS_MS + 3_000)
  t.strictSame(seen, [undefined, epoch(3n)], 'and asks to have it back')
})

t.test('a listener that throws stops neither the others nor the worker', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  const heard: number[] = []
  a.shards.subscribe(() => {
    throw new Error('a fault')
  })
  const unsubscribe = a.shards.subscribe(() => heard.push(a.shards.held().size))
  await cluster.pass(10)
  t.strictSame(heard, [256])
  unsubscribe()
  await a.shards.drain()
  t.strictSame(heard, [256])
})

t.test('a worker that closes gives everything back and says so', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  await cluster.pass(10)
  const closed = [a.shards.close(), a.shards.close()]
  await cluster.clock.advance(0)
  await Promise.all(closed)
  t.ok(ALL_SHARDS.every((shard) => cluster.store.row(shard).released))
  t.equal(a.shards.held().size, 0)
  const reads = cluster.store.calls.list
  await cluster.pass(60_000)
  t.equal(cluster.store.calls.list, reads, 'and does nothing more')
  t.equal(cluster.clock.timers(), 0)
})

t.test('a worker that cannot give back closes in time all the same', async (t) => {
  const cluster = createShardCluster()
  const a = await cluster.join('a')
  await cluster.pass(10)
  cluster.store.fault = () => 'refuse'
  let isClosed = false
  const closed = a.shards.close().then(() => {
    isClosed = true
  })
  await cluster.pass(SHARDS_CLOSE_MS - 100)
  t.equal(isClosed, false, 'it tries until then')
  await cluster.pass(200)
  await closed
  t.equal(a.shards.held().size, 0)
  await cluster.pass(OUTAGES_TOLD_MS)
  t.equal(cluster.clock.timers(), 0)
})
