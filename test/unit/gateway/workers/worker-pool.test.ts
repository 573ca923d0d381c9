import t from 'tap'
import { candidates } from '../../../../cluster/shards/rendezvous.ts'
import { shardOf } from '../../../../cluster/shards/shard.ts'
import { SPREAD_WAITING_BYTES } from '../../../../gateway/workers/worker-routing.ts'
import { AppError } from '../../../../src/core/code.ts'
import { projectId } from '../../../../src/core/ids.ts'
import {
  batch,
  fakePool,
  late,
  lost,
  member,
  question,
} from '../../../support/workers/fake-workers.ts'

const PROJECT = 7
const SHARD = shardOf(projectId(PROJECT))

/** Ids in the order in which the view prefers them for the project. */
function ranked(ids: readonly string[]): [string, string, string] {
  const view = { version: 1, members: ids.map((id) => member(id)) }
  const [first = '', second = '', third = ''] = candidates(SHARD, view).map(({ id }) => id)
  return [first, second, third]
}

const [A, B, C] = ranked(['w1', 'w2', 'w3'])
const ALL = [A, B, C]

t.test('without a worker there is nobody to ask', async (t) => {
  const { pool } = fakePool([])
  await t.rejects(pool.ingest(batch(PROJECT)), { code: 'unavailable', detail: { retryAfterS: 2 } })
  await t.rejects(pool.decide(question(PROJECT)), { code: 'unavailable' })
  await t.rejects(pool.resolveKey({ token: 'k', project_id: 0 }), { code: 'unavailable' })
  await t.rejects(pool.call('/x/Y', {}, { metadata: {}, timeoutMs: 1 }), { code: 'unavailable' })
  t.strictSame(pool.unready(), ['no worker in the view'])
})

t.test('gateways of the view are not called', async (t) => {
  const { pool, members, connected } = fakePool([])
  await members.join(member('g1', { role: 'gateway' }))
  t.strictSame(connected, [])
  t.equal(pool.figures().workers, 0)
})

t.test('an overloaded worker is no reason to ask another one', async (t) => {
  const { pool, settle, last, asked } = fakePool(ALL)
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  last(A).fail(new AppError('resource_exhausted', 'full'))
  await t.rejects(outcome, { code: 'resource_exhausted' })
  t.equal(asked(), A)
})

t.test('at most two others are tried, and the last failure is told', async (t) => {
  const more = ranked(['w1', 'w2', 'w3'])
  const { pool, settle, last, asked, counts } = fakePool([...more, 'w4'])
  const outcome = pool.ingest(batch(PROJECT))
  const tried: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    await settle()
    const worker = asked().split(' ').at(-1) ?? ''
    tried.push(worker)
    last(worker).fail(lost())
  }
  await t.rejects(outcome, { code: 'unavailable' })
  t.equal(new Set(tried).size, 3, 'each of them once')
  t.equal(asked().split(' ').length, 3)
  t.equal(counts.failovers, 2)
})

t.test('the time for all tries together is that of one', async (t) => {
  const { pool, settle, advance, last, asked } = fakePool(ALL)
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  await advance(3_000)
  last(A).fail(lost())
  await settle()
  t.equal(asked(), `${A} ${B}`)
  const refused = t.rejects(outcome, { code: 'unavailable' })
  await advance(2_000)
  await refused
  t.equal(asked(), `${A} ${B}`, 'a third has no time left')
})

for (const error of [lost(), late(), new AppError('not_owner', 'moved')]) {
  t.test(`after ${error.code} the same events go to the next worker`, async (t) => {
    const { pool, calls, settle, last, asked } = fakePool(ALL)
    const sent = batch(PROJECT)
    const outcome = pool.ingest(sent)
    await settle()
    last(A).fail(error)
    await settle()
    t.equal(asked(), `${A} ${B}`)
    t.strictSame(calls[1]?.request, { batches: [sent] })
    last(B).answer()
    t.strictSame(await outcome, { code: '', retry_after_s: 0 })
  })
}

t.test('a worker whose writer is down sends the events to one other', async (t) => {
  const { pool, settle, last, asked } = fakePool(ALL)
  const down = {
    outcomes: [{ code: 'unavailable', retry_after_s: 3 }],
    cache_generation: '',
  }
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  last(A).answer(down)
  await settle()
  last(B).answer({ ...down, outcomes: [{ code: 'unavailable', retry_after_s: 9 }] })
  t.strictSame(await outcome, { code: 'unavailable', retry_after_s: 9 })
  t.equal(asked(), `${A} ${B}`)

  const again = pool.ingest(batch(PROJECT))
  await settle()
  last(A).answer(down)
  await settle()
  last(B).answer()
  t.strictSame(await again, { code: '', retry_after_s: 0 })

  const gone = pool.ingest(batch(PROJECT))
  await settle()
  last(A).answer({ outcomes: [{ code: 'not_found', retry_after_s: 0 }], cache_generation: '' })
  t.strictSame(await gone, { code: 'not_found', retry_after_s: 0 }, 'another would say the same')
})

t.test('the first refusal stands when the other worker is dead', async (t) => {
  const { pool, settle, last } = fakePool([A, B])
  const answer = pool.decide(question(PROJECT))
  await settle()
  last(A).answer({ answers: [{ code: 'unavailable', retry_after_s: 4 }] })
  await settle()
  last(B).fail(lost())
  t.match(await answer, { code: 'unavailable', retry_after_s: 4 })
})

t.test('questions and keys fail over as events do', async (t) => {
  const { pool, settle, calls } = fakePool([A, B])
  const answers = [pool.decide(question(PROJECT)), pool.resolveKey({ token: 'k', project_id: 0 })]
  await settle()
  for (const call of [...calls]) call.fail(lost())
  await settle()
  t.equal(calls.length, 4)
  for (const call of calls) call.answer()
  t.match(await Promise.all(answers), [{ members: '"ok"' }, { members: '"ok"' }])
})

t.test('the owner that the directory names is asked first, if it is in the view', async (t) => {
  const { pool, owners, settle, asked, last } = fakePool(ALL)
  owners.set(SHARD, C)
  const first = pool.ingest(batch(PROJECT))
  await settle()
  last(C).answer()
  await first
  owners.set(SHARD, 'left')
  const second = pool.ingest(batch(PROJECT))
  await settle()
  last(A).answer()
  await second
  t.equal(asked(), `${C} ${A}`)
})

t.test('a silent worker is asked last, and again first once it is heard', async (t) => {
  const { pool, settle, silence, hear, advance, last, asked } = fakePool([A, B])
  const send = async (to: string) => {
    const outcome = pool.ingest(batch(PROJECT))
    await settle()
    last(to).answer()
    await outcome
  }
  silence(A)
  await advance(600)
  await send(A)
  await advance(1)
  await send(B)
  t.strictSame(pool.unready(), [])
  silence(B)
  await advance(601)
  await send(A)
  t.strictSame(pool.unready(), ['no worker is heard'])
  hear(A)
  await send(A)
  t.equal(asked(), `${A} ${B} ${A} ${A}`)
})

t.test('a worker that gave no answer is suspect until it is heard again', async (t) => {
  const { pool, settle, silence, hear, advance, last, asked } = fakePool([A, B])
  silence(A)
  await advance(100)
  const first = pool.ingest(batch(PROJECT))
  await settle()
  last(A).fail(lost())
  await settle()
  last(B).answer()
  await first
  t.equal(pool.figures().suspects, 1)
  const second = pool.ingest(batch(PROJECT))
  await settle()
  last(B).answer()
  await second
  t.equal(asked(), `${A} ${B} ${B}`)
  hear(A)
  await advance(2)
  t.equal(pool.figures().suspects, 0)
})

t.test("a worker's own error makes it no suspect", async (t) => {
  const { pool, settle, silence, advance, last } = fakePool([A, B])
  silence(A)
  await advance(100)
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  last(A).fail(new AppError('unavailable', 'shutting down'))
  await settle()
  last(B).answer()
  await outcome
  t.equal(pool.figures().suspects, 0)
})

t.test('generations are told before the answers', async (t) => {
  const { pool, settle, last, told } = fakePool([A])
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  const before = outcome.then(() => [...told])
  last(A).answer()
  t.strictSame(await before, [`${A} ${A}.0`])
})

t.test('too much that waits for the owner spreads to the least loaded worker', async (t) => {
  const { pool, settle, calls, asked } = fakePool([A, B])
  const half = SPREAD_WAITING_BYTES / 2
  const sent: Promise<object>[] = []
  // Full slots of one large batch each; then what waits.
  for (let count = 0; count < 16 + 3; count++) {
    sent.push(pool.ingest(batch(PROJECT, half)))
    await settle()
  }
  t.notMatch(asked(), B)
  t.ok(pool.figures().waitingBytes > SPREAD_WAITING_BYTES)
  sent.push(pool.ingest(batch(PROJECT)))
  await settle()
  t.equal(asked().split(' ').at(-1), B)
  for (let turn = 0; turn < 10; turn++) {
    for (const call of calls) call.answer()
    await settle()
  }
  await Promise.all(sent)
  t.equal(pool.figures().waitingBytes, 0)
})
