import t from 'tap'
import {
  createHold,
  HELD_CALLS_MAX,
  HOLD_MS,
  HOLD_PAUSE_MS,
} from '../../../../gateway/workers/hold.ts'
import { AppError } from '../../../../src/core/code.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { late, lost, refused } from '../../../support/workers/fake-workers.ts'

const notOwner = () => new AppError('not_owner', 'moving', { detail: DETAIL })
const DETAIL = { type: 'server_error', code: 'server_error', detail: 'x', retryAfterS: 1 }

function setUp(random = 1) {
  const clock = createFakeClock()
  const hold = createHold({ clock, random: () => random })
  return { clock, hold }
}

/** Fails with each of `errors` in turn, then answers. */
function attempts(errors: readonly Error[]) {
  const left = [...errors]
  const seen = { count: 0 }
  const attempt = async () => {
    seen.count++
    const error = left.shift()
    if (error !== undefined) throw error
    return 'done'
  }
  return { attempt, seen }
}

for (const error of [lost(), late(), new AppError('unavailable', 'down'), new Error('a fault')]) {
  t.test(`a call that may have had an effect is not sent again: ${error.message}`, async (t) => {
    const { hold } = setUp()
    const { attempt, seen } = attempts([error])
    await t.rejects(hold.run(attempt, undefined), error)
    t.equal(seen.count, 1)
    t.equal(hold.held(), 0)
  })
}

t.test('nor when that happens to a retry', async (t) => {
  const { hold, clock } = setUp()
  const { attempt, seen } = attempts([notOwner(), lost()])
  const failed = t.rejects(hold.run(attempt, undefined), { code: 'unavailable' })
  await clock.advance(HOLD_MS)
  await failed
  t.equal(seen.count, 2)
  t.equal(hold.held(), 0)
})

t.test('over the bound a call gets its failure at once', async (t) => {
  const { hold, clock } = setUp()
  const refusal = () => Promise.reject(notOwner())
  const held = Array.from({ length: HELD_CALLS_MAX }, () => hold.run(refusal, undefined))
  const all = Promise.allSettled(held)
  await clock.advance(0)
  t.equal(hold.held(), HELD_CALLS_MAX)
  await t.rejects(hold.run(refusal, undefined), { code: 'not_owner', detail: { retryAfterS: 1 } })
  await clock.advance(HOLD_MS)
  await all
  t.equal(hold.held(), 0)
})

t.test('a caller that leaves ends the hold', async (t) => {
  const { hold, clock } = setUp()
  const caller = new AbortController()
  const { attempt, seen } = attempts([notOwner(), notOwner(), notOwner()])
  const failed = t.rejects(hold.run(attempt, caller.signal), { code: 'cancelled' })
  await clock.advance(0)
  caller.abort()
  await failed
  t.equal(seen.count, 1)
  t.equal(hold.held(), 0)
  t.equal(clock.timers(), 0)
})

t.test('a hold ends after its time with the last failure', async (t) => {
  const { hold, clock } = setUp()
  let count = 0
  let failedAt = -1
  const run = hold.run(() => Promise.reject(count++ === 0 ? refused() : notOwner()), undefined)
  const failed = t.rejects(run, { code: 'not_owner' }).then(() => {
    failedAt = clock.monotonic()
  })
  await clock.advance(2 * HOLD_MS)
  await failed
  t.ok(failedAt < HOLD_MS, `${failedAt} ms`)
  t.ok(failedAt > HOLD_MS / 2, `${failedAt} ms`)
  t.ok(count > 5 && count < 20, `${count} attempts`)
})

for (const [random, pauses] of [
  [0, [0.5, 1.5, 3.5]],
  [1, [1, 3, 7]],
] as const) {
  t.test(`pauses double, with a jitter of ${random}`, async (t) => {
    const { hold, clock } = setUp(random)
    const at: number[] = []
    const run = hold.run(async () => {
      at.push(clock.monotonic() / HOLD_PAUSE_MS)
      if (at.length < 4) throw notOwner()
      return 'done'
    }, undefined)
    await clock.advance(HOLD_MS)
    t.equal(await run, 'done')
    t.strictSame(at, [0, ...pauses])
    t.equal(hold.held(), 0)
  })
}

t.test('a call that was never sent is sent again', async (t) => {
  const { hold, clock } = setUp()
  const { attempt } = attempts([refused()])
  const run = hold.run(attempt, undefined)
  await clock.advance(HOLD_PAUSE_MS)
  t.equal(await run, 'done')
})
