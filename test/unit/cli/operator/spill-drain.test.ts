import t from 'tap'
import type { SpillStatus__Output } from '../../../../proto/gen/sluice/v1/SpillStatus.ts'
import { readableSpill, waitForDrain } from '../../../../src/cli/operator/spill-drain.ts'
import { AppError } from '../../../../src/core/code.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const EMPTY: SpillStatus__Output = {
  ...{ configured: true, connected: true, breaker: 'closed', messages: 0, bytes: 0 },
  ...{ bytes_max: 1_000, oldest_age_ms: 0, spilled_events: 0, drained_events: 0 },
  ...{ repeated_events: 0, redelivered_messages: 0 },
}

function setUp(answers: readonly Partial<SpillStatus__Output>[]) {
  const clock = createFakeClock()
  const shown: string[] = []
  const abort = new AbortController()
  let asked = 0
  const wait = (timeoutMs: number) =>
    waitForDrain(
      {
        clock,
        ask: async () => ({ ...EMPTY, ...answers[Math.min(asked++, answers.length - 1)] }),
        show: (line) => shown.push(line),
      },
      { timeoutMs },
      abort.signal,
    )
  return { abort, clock, shown, wait }
}

t.test('a spill that does not shrink is given up, with what may be the matter', async (t) => {
  for (const [status, why] of [
    [{ messages: 5 }, /5 messages are left: see the log/],
    [{ messages: 5, breaker: 'open' }, /the database does not take events/],
    [{ messages: 5, connected: false }, /NATS is away/],
  ] as const) {
    const { clock, wait } = setUp([status])
    const failed = t.rejects(wait(600_000), { code: 'failed_precondition', message: why })
    await clock.advance(61_000)
    await failed
  }
})

t.test('time-out, abort and a worker that does not answer end it', async (t) => {
  const slow = setUp(Array.from({ length: 100 }, (_, n) => ({ messages: 1_000 - n })))
  const late = t.rejects(slow.wait(2_000), { code: 'deadline_exceeded', message: /messages/ })
  await slow.clock.advance(2_000)
  await late
  const aborted = setUp([{ messages: 1 }])
  const ended = t.rejects(aborted.wait(2_000), { message: 'over' })
  await aborted.clock.advance(100)
  aborted.abort.abort(new Error('over'))
  await ended
  const clock = createFakeClock()
  const ask = () => Promise.reject(new AppError('unavailable', 'nobody'))
  const { signal } = new AbortController()
  await t.rejects(waitForDrain({ clock, ask, show: () => {} }, { timeoutMs: 1 }, signal), {
    code: 'unavailable',
  })
})

t.test('each change is shown once, an unknown size is not an empty spill', async (t) => {
  const { clock, shown, wait } = setUp([
    { connected: false },
    { messages: 7, bytes: 70 },
    { messages: 7, bytes: 70 },
    { messages: 9, bytes: 90 },
    { messages: 0 },
  ])
  const done = wait(600_000)
  await clock.advance(2_000)
  t.same(await done, EMPTY)
  t.same(shown, [
    'NATS is away',
    '7 messages, 70 bytes left',
    '9 messages, 90 bytes left',
    'the spill is empty',
  ])
})

t.test('where there is no spill there is nothing to wait for', async (t) => {
  const { shown, wait } = setUp([{ configured: false, connected: false }])
  t.equal((await wait(1)).configured, false)
  t.match(shown, [/NATS_URL/])
})

t.test('the status is readable', async (t) => {
  t.match(readableSpill({ ...EMPTY, configured: false }), /NATS_URL/)
  const text = readableSpill({
    ...{ ...EMPTY, connected: false, breaker: 'open', messages: 3, bytes: 250 },
    ...{ oldest_age_ms: 61_400, spilled_events: 30, drained_events: 10 },
    ...{ repeated_events: 4, redelivered_messages: 2 },
  })
  t.match(text, /the spill: the database does not take them/)
  t.match(text, /away/)
  t.match(text, /3 messages, 250 of 1000 bytes \(25\.0 %\)/)
  t.match(text, /61 s/)
  t.match(text, /30 events spilled, 10 drained\n +\(4 of them were stored already\)/)
  t.match(text, /2 messages came more than once/)
  t.notMatch(readableSpill(EMPTY), /NaN|away/)
  t.match(readableSpill({ ...EMPTY, bytes_max: 0 }), /0\.0 %/)
})
