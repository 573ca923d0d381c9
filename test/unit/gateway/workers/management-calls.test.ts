import t from 'tap'
import { candidates } from '../../../../cluster/shards/rendezvous.ts'
import { shardOf } from '../../../../cluster/shards/shard.ts'
import { HOLD_MS, HOLD_PAUSE_MS } from '../../../../gateway/workers/hold.ts'
import { hintedProject, isRead } from '../../../../gateway/workers/management-calls.ts'
import { AppError } from '../../../../src/core/code.ts'
import { projectId, shardId } from '../../../../src/core/ids.ts'
import { fakePool, late, lost, member, refused } from '../../../support/workers/fake-workers.ts'

const PROJECT = 7
const OPTIONS = { metadata: { authorization: 'Bearer k' }, timeoutMs: 15_000, projectId: PROJECT }
const READ = '/sluice.v1.ProjectService/GetProject'
const CHANGE = '/sluice.v1.ProjectService/UpdateProject'

const VIEW = { version: 1, members: ['w1', 'w2'].map((id) => member(id)) }
const order = candidates(shardOf(projectId(PROJECT)), VIEW).map(({ id }) => id)
const [A = '', B = ''] = order

const notOwner = () => new AppError('not_owner', 'moving')

for (const error of [lost(), late(), new AppError('unavailable', 'no database')]) {
  t.test(`a change is not sent twice: ${error.message}`, async (t) => {
    const { pool, settle, advance, last, asked } = fakePool([A, B])
    const answer = pool.call(CHANGE, {}, OPTIONS)
    await settle()
    last(A).fail(error)
    await t.rejects(answer, error)
    await advance(HOLD_MS)
    t.equal(asked(), A)
  })

  t.test(`a read is put to one other worker: ${error.message}`, async (t) => {
    const { pool, settle, last, asked } = fakePool([A, B])
    const answer = pool.call(READ, {}, OPTIONS)
    await settle()
    last(A).fail(error)
    await settle()
    last(B).fail(lost())
    await t.rejects(answer, { code: 'unavailable' })
    t.equal(asked(), `${A} ${B}`)

    const again = pool.call(READ, { id: '1' }, OPTIONS)
    await settle()
    const [, , third] = [...asked().split(' ')]
    last(third ?? '').fail(error)
    await settle()
    const [, , , fourth] = [...asked().split(' ')]
    t.not(fourth, third)
    last(fourth ?? '').answer({ name: 'x' })
    t.strictSame(await again, { name: 'x' })
  })
}

t.test('an answer that is an error is an answer', async (t) => {
  const { pool, settle, last, asked } = fakePool([A, B])
  const answer = pool.call(READ, {}, OPTIONS)
  await settle()
  last(A).fail(new AppError('not_found', 'no such project'))
  await t.rejects(answer, { code: 'not_found' })
  t.equal(asked(), A)
})

t.test('a change to a silent worker is waited for, a read is hedged', async (t) => {
  const { pool, settle, advance, silence, calls, asked, counts } = fakePool([A, B])
  const change = pool.call(CHANGE, {}, OPTIONS)
  const read = pool.call(READ, {}, OPTIONS)
  await settle()
  silence(A)
  await advance(5_000)
  t.equal(asked(), `${A} ${A} ${B}`)
  calls[2]?.answer({ name: 'x' })
  t.strictSame(await read, { name: 'x' })
  t.strictSame(counts, { failovers: 0, hedges: 1 })
  calls[0]?.answer({ id: 1 })
  t.strictSame(await change, { id: 1 })
  calls[1]?.fail(late())
  await settle()
})

t.test('a change is held until the new owner is known', async (t) => {
  const { pool, owners, settle, advance, last, asked } = fakePool([A, B])
  owners.set(shardOf(projectId(PROJECT)), A)
  const answer = pool.call(CHANGE, { name: 'x' }, OPTIONS)
  await settle()
  last(A).fail(notOwner())
  await settle()
  t.equal(pool.figures().held, 1)
  owners.set(shardOf(projectId(PROJECT)), B)
  await advance(HOLD_PAUSE_MS)
  t.equal(asked(), `${A} ${B}`)
  t.match(last(B), { request: { name: 'x' }, options: { metadata: OPTIONS.metadata } })
  t.ok(last(B).options.timeoutMs < OPTIONS.timeoutMs, 'the time goes on')
  last(B).answer({ name: 'x' })
  t.strictSame(await answer, { name: 'x' })
  t.equal(pool.figures().held, 0)
})

t.test('a change that was refused a connection goes to another worker', async (t) => {
  const { pool, settle, advance, silence, last, asked } = fakePool([A, B])
  silence(A)
  await advance(100)
  const answer = pool.call(CHANGE, {}, OPTIONS)
  await settle()
  last(A).fail(refused())
  await settle()
  await advance(HOLD_PAUSE_MS)
  t.equal(asked(), `${A} ${B}`, 'the first one is suspect now')
  last(B).answer({})
  t.strictSame(await answer, {})
})

t.test('a caller that leaves cancels the call, held or not', async (t) => {
  const { pool, settle, last } = fakePool([A, B])
  const caller = new AbortController()
  const answer = pool.call(CHANGE, {}, { ...OPTIONS, signal: caller.signal })
  await settle()
  last(A).fail(notOwner())
  await settle()
  caller.abort()
  await t.rejects(answer, { code: 'cancelled' })
  t.equal(pool.figures().held, 0)
})

t.test('calls for no project, or none that can be, go to one worker', async (t) => {
  const { pool, settle, calls } = fakePool([A, B])
  const { projectId: _, ...options } = OPTIONS
  const answers = [
    pool.call(READ, {}, options),
    pool.call(READ, {}, { ...options, projectId: 9_999_999_999 }),
  ]
  await settle()
  const [first] = candidates(shardId(0), VIEW)
  t.strictSame(
    calls.map(({ worker }) => worker),
    [first?.id, first?.id],
  )
  for (const call of calls) call.answer()
  await Promise.all(answers)
})

t.test('methods read when REST serves them under GET alone', async (t) => {
  t.ok(isRead(READ))
  t.ok(isRead('/sluice.v1.AccessService/CheckAccess'))
  t.notOk(isRead(CHANGE))
  t.notOk(isRead('/sluice.v1.ProjectService/DeleteProject'))
})

t.test('a hint that no project can have is none', async (t) => {
  t.equal(hintedProject(undefined), undefined)
  t.equal(hintedProject(2_147_483_648), undefined)
  t.equal(hintedProject(2_147_483_647), 2_147_483_647)
})
