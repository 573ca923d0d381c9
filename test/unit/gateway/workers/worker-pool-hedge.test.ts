import t from 'tap'
import { candidates } from '../../../../cluster/shards/rendezvous.ts'
import { shardOf } from '../../../../cluster/shards/shard.ts'
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
const OPTIONS = { metadata: {}, timeoutMs: 15_000, projectId: PROJECT }

function ranked(ids: readonly string[]): [string, string, string] {
  const view = { version: 1, members: ids.map((id) => member(id)) }
  const order = candidates(shardOf(projectId(PROJECT)), view).map(({ id }) => id)
  const [first = '', second = '', third = ''] = order
  return [first, second, third]
}

const [A, B, C] = ranked(['w1', 'w2', 'w3'])

/** The best worker has got an event and has not been heard from that moment on. */
async function frozen(ids: readonly string[] = [A, B]) {
  const fake = fakePool(ids)
  const outcome = fake.pool.ingest(batch(PROJECT))
  await fake.settle()
  fake.silence(A)
  return { ...fake, outcome }
}

t.test('when both fail, the event fails, and nobody is asked a third time', async (t) => {
  const { outcome, advance, settle, last, asked } = await frozen()
  await advance(1_000)
  t.equal(asked(), `${A} ${B}`)
  last(B).fail(lost())
  await settle()
  t.equal(asked(), `${A} ${B}`, 'the first may still answer')
  last(A).fail(late())
  await t.rejects(outcome, { code: 'deadline_exceeded' })
  t.equal(asked(), `${A} ${B}`)
})

t.test('a hedge that fails leaves the event to the first worker', async (t) => {
  const { outcome, advance, settle, last } = await frozen()
  await advance(1_000)
  last(B).fail(lost())
  await settle()
  last(A).answer()
  t.match(await outcome, { code: '' })
})

t.test(
  'a worker that dies while its hedge is under way leaves the event to the other',
  async (t) => {
    const { outcome, advance, settle, last, asked } = await frozen()
    await advance(1_000)
    last(A).fail(lost())
    await settle()
    last(B).answer()
    t.match(await outcome, { code: '' })
    t.equal(asked(), `${A} ${B}`)
  },
)

t.test('events of a frozen worker are with another one within a second', async (t) => {
  const { outcome, advance, settle, last, asked, counts } = await frozen()
  await advance(600)
  t.equal(asked(), A, 'not before it counts as silent')
  await advance(200)
  t.equal(asked(), `${A} ${B}`)
  last(B).answer()
  t.match(await outcome, { code: '' })
  last(A).answer()
  await settle()
  t.strictSame(counts, { failovers: 0, hedges: 1 })
})

t.test('the first worker wins when it answers first', async (t) => {
  const { outcome, advance, settle, last } = await frozen()
  await advance(1_000)
  last(A).answer({ outcomes: [{ code: '', retry_after_s: 1 }], cache_generation: '' })
  t.strictSame(await outcome, { code: '', retry_after_s: 1 })
  last(B).answer()
  await settle()
})

t.test('an event sent just before is given its time', async (t) => {
  const fake = fakePool([A, B])
  fake.silence(A)
  await fake.advance(590)
  const outcome = fake.pool.ingest(batch(PROJECT))
  await fake.settle()
  t.equal(fake.asked(), A)
  await fake.advance(450)
  t.equal(fake.asked(), A)
  await fake.advance(150)
  t.equal(fake.asked(), `${A} ${B}`)
  fake.last(B).answer()
  t.match(await outcome, { code: '' })
})

t.test('a worker that is slow but heard is waited for', async (t) => {
  const { pool, settle, advance, last, asked } = fakePool([A, B])
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  await advance(4_000)
  t.equal(asked(), A)
  last(A).answer()
  t.match(await outcome, { code: '' })
})

t.test('a call that waits for a slot of a frozen worker is moved to another, unsent', async (t) => {
  const { pool, settle, advance, silence, calls, last, asked } = fakePool([A, B])
  const sent: Promise<object>[] = []
  for (let count = 0; count < 6; count++) {
    sent.push(pool.ingest(batch(PROJECT)))
    await settle()
  }
  t.equal(asked(), A, 'one slot each of two workers: five wait')
  silence(A)
  await advance(800)
  t.equal(asked(), `${A} ${B}`, 'all of them in one batch')
  last(B).answer()
  await Promise.all(sent)
  for (const call of calls) call.answer()
  await settle()
  t.equal(calls.length, 2, 'the frozen worker is sent nothing more')
})

t.test('nothing is hedged to a worker that is silent too, until one is heard', async (t) => {
  const { outcome, advance, silence, hear, last, asked } = await frozen()
  silence(B)
  await advance(1_500)
  t.equal(asked(), A)
  hear(B)
  await advance(100)
  t.equal(asked(), `${A} ${B}`)
  last(B).answer()
  t.match(await outcome, { code: '' })
})

t.test('a hedge that gets lost is sent to the third worker', async (t) => {
  const { outcome, advance, settle, last, asked } = await frozen([A, B, C])
  await advance(1_000)
  last(B).fail(lost())
  await settle()
  t.equal(asked(), `${A} ${B} ${C}`)
  last(C).answer()
  t.match(await outcome, { code: '' })
})

for (const kind of ['decide', 'resolveKey'] as const) {
  t.test(`${kind} is hedged as well`, async (t) => {
    const { pool, settle, advance, silence, calls } = fakePool([A, B])
    const answer =
      kind === 'decide'
        ? pool.decide(question(PROJECT))
        : pool.resolveKey({ token: 'k', project_id: 0 })
    await settle()
    silence(calls[0]?.worker ?? '')
    await advance(1_000)
    t.not(calls[1]?.worker, calls[0]?.worker)
    calls[1]?.answer()
    t.match(await answer, { members: '"ok"' })
  })
}

t.test('when the second worker freezes too, the third is asked', async (t) => {
  const { outcome, advance, silence, last, asked } = await frozen([A, B, C])
  await advance(1_000)
  silence(B)
  await advance(1_000)
  t.equal(asked(), `${A} ${B} ${C}`)
  last(C).answer()
  t.match(await outcome, { code: '' })
})

t.test('neither of two callers that leave at once gets what the other had', async (t) => {
  const { pool, settle, show, calls, asked } = fakePool([A, B, C])
  const sent: Promise<object>[] = []
  // Some wait at each of the two: their slots are busy.
  for (let project = 1; project < 80; project++) {
    sent.push(pool.ingest(batch(project)))
    await settle()
  }
  const before = calls.length
  show([C])
  for (let turn = 0; turn < 30; turn++) {
    for (const call of calls) call.answer()
    await settle()
  }
  await Promise.all(sent)
  t.strictSame(new Set(asked().split(' ').slice(before)), new Set([C]))
})

t.test('a stall of this process is not taken for the silence of the workers', async (t) => {
  const { pool, clock, settle, silence, hear, asked, last } = fakePool([A, B])
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  silence(A)
  await clock.stall(2_000)
  await settle()
  t.equal(asked(), A)
  hear(A)
  await clock.advance(200)
  await settle()
  t.equal(asked(), A)
  last(A).answer()
  t.match(await outcome, { code: '' })
})

t.test(
  'a member that leaves the view hands over its calls, and is closed after them',
  async (t) => {
    const { pool, members, settle, calls, last, asked, closed } = fakePool([A, B])
    const outcome = pool.ingest(batch(PROJECT))
    const change = pool.call('/sluice.v1.ProjectService/UpdateProject', {}, OPTIONS)
    await settle()
    const before = [...calls]
    await members.leave(A)
    await settle()
    t.match(asked(), new RegExp(`${B}$`))
    last(B).answer()
    t.match(await outcome, { code: '' })
    t.strictSame(closed, [], 'a change runs to its end')
    for (const call of before) call.answer()
    await change
    await settle()
    t.strictSame(closed, [A])
    await pool.close()
    t.strictSame(closed, [A, B])
  },
)

t.test('a restarted worker is another one, with a link of its own', async (t) => {
  const { pool, members, connected, closed, settle, last } = fakePool([A])
  await members.join(member('again', { address: `${A}:1` }))
  await members.leave(A)
  await settle()
  t.strictSame(connected, [A, 'again'])
  t.strictSame(closed, [A])
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  last('again').answer()
  t.match(await outcome, { code: '' })
})

t.test('the last member to leave keeps what it may still answer', async (t) => {
  const { pool, members, settle, last, closed } = fakePool([A])
  const outcome = pool.ingest(batch(PROJECT))
  await settle()
  await members.leave(A)
  await settle()
  t.strictSame(closed, [])
  last(A).answer()
  t.match(await outcome, { code: '' })
  await settle()
  t.strictSame(closed, [A])
})
