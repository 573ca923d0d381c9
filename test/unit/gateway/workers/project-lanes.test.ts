import t from 'tap'
import { INGEST_DEADLINE_MS } from '../../../../src/core/limits/limits.ts'
import { PLUGIN_INGEST_MS } from '../../../../src/core/limits/limits-plugins.ts'
import { batch, fakePool, lost } from '../../../support/workers/fake-workers.ts'

const SLOW = 7
const OTHER_SLOW = 8
const PLAIN = 9
const OTHER_PLAIN = 10

/** Projects of the batches of each call, as sent. */
function sent(calls: readonly { readonly request: object }[]): number[][] {
  return calls.map(({ request }) => {
    const batches = 'batches' in request && Array.isArray(request.batches) ? request.batches : []
    return batches.map(({ projectId }) => Number(projectId))
  })
}

t.test('events of a project with plugins share no call with those of others', async (t) => {
  const { pool, calls, settle } = fakePool(['w1'])
  const outcomes = [
    pool.ingest(batch(SLOW, 100, true)),
    pool.ingest(batch(PLAIN)),
    pool.ingest(batch(SLOW, 100, true)),
    pool.ingest(batch(OTHER_SLOW, 100, true)),
    pool.ingest(batch(OTHER_PLAIN)),
  ]
  await settle()
  t.strictSame(sent(calls).sort(), [[SLOW, SLOW], [OTHER_SLOW], [PLAIN, OTHER_PLAIN]])
  for (const call of calls) call.answer()
  t.strictSame(
    (await Promise.all(outcomes)).map(({ code }) => code),
    ['', '', '', '', ''],
  )
})

t.test('while a plugin hangs, others are answered and its own events wait', async (t) => {
  const { pool, calls, settle } = fakePool(['w1'])
  const waiting = Array.from({ length: 5 }, () => pool.ingest(batch(SLOW, 100, true)))
  await settle()
  const later = Array.from({ length: 5 }, () => pool.ingest(batch(SLOW, 100, true)))
  await settle()
  const last = pool.ingest(batch(SLOW, 100, true))
  await settle()
  t.strictSame(
    sent(calls).map(({ length }) => length),
    [5, 5],
    'two calls at a time',
  )
  const plain = pool.ingest(batch(PLAIN))
  await settle()
  t.strictSame(sent(calls).at(-1), [PLAIN])
  calls.at(-1)?.answer()
  t.equal((await plain).code, '')
  for (const call of calls) call.answer()
  await Promise.all([...waiting, ...later])
  await settle()
  calls.at(-1)?.answer()
  t.equal((await last).code, '')
})

t.test('plugins get more time, and what a worker loses goes to another one', async (t) => {
  const { pool, calls, settle, last } = fakePool(['w1', 'w2'])
  const slow = pool.ingest(batch(SLOW, 100, true))
  const plain = pool.ingest(batch(PLAIN))
  await settle()
  const times = calls.map(({ options }) => options.timeoutMs).sort((a, b) => a - b)
  t.strictSame(times, [INGEST_DEADLINE_MS, PLUGIN_INGEST_MS])
  const first = calls.find(({ options }) => options.timeoutMs === PLUGIN_INGEST_MS)
  first?.fail(lost())
  await settle()
  last(first?.worker === 'w1' ? 'w2' : 'w1').answer()
  t.equal((await slow).code, '')
  for (const call of calls) call.answer()
  await plain
})

t.test('a pool that closes waits for the plugins of every project', async (t) => {
  const { pool, calls, closed, settle } = fakePool(['w1'])
  const outcome = pool.ingest(batch(SLOW, 100, true))
  await settle()
  const ended = pool.close()
  await settle()
  t.strictSame(closed, [])
  calls.at(-1)?.answer()
  t.equal((await outcome).code, '')
  await ended
  t.strictSame(closed, ['w1'])
})
