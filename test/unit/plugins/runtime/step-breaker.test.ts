import fc from 'fast-check'
import t from 'tap'
import {
  PLUGIN_FAILURES_MAX,
  PLUGIN_TIMEOUTS_MAX,
} from '../../../../src/core/limits/limits-plugins.ts'
import {
  createStepBreaker,
  PLUGIN_TIMEOUTS_MS,
} from '../../../../src/plugins/runtime/step-breaker.ts'

const CALL = 'processEvent'

type Call = { readonly afterMs: number; readonly went: 'well' | 'wrong' | 'late' }

/** Verdict of the rules on a sequence: the index of the call that breaks it, and why. */
function expected(calls: readonly Call[]) {
  let now = 0
  let inARow = 0
  const late: number[] = []
  for (const [index, { afterMs, went }] of calls.entries()) {
    now += afterMs
    inARow = went === 'well' ? 0 : inARow + 1
    if (went === 'late') late.push(now)
    const recent = late.filter((at) => at > now - PLUGIN_TIMEOUTS_MS).length
    if (went === 'late' && recent >= PLUGIN_TIMEOUTS_MAX) return `${index} timeouts`
    if (inARow >= PLUGIN_FAILURES_MAX) return `${index} failures`
  }
  return 'never'
}

function actual(calls: readonly Call[]) {
  const breaker = createStepBreaker()
  let now = 0
  let broke = 'never'
  for (const [index, { afterMs, went }] of calls.entries()) {
    now += afterMs
    const before = breaker.isBroken()
    const reason =
      went === 'well' ? breaker.succeeded(CALL) : breaker.failed(CALL, now, went === 'late')
    if (reason !== undefined && !before) broke = `${index} ${reason}`
  }
  return { broke, isBroken: breaker.isBroken() }
}

t.test('so many failures in a row or time-outs in a while break a step, once and for good', (t) => {
  const call = fc.record({
    afterMs: fc.integer({ min: 0, max: PLUGIN_TIMEOUTS_MS }),
    went: fc.constantFrom('well', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'late' as const),
  }) as fc.Arbitrary<Call>
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
      const { broke, isBroken } = actual(calls)
      t.equal(broke, expected(calls))
      t.equal(isBroken, broke !== 'never')
    }),
  )
  t.end()
})

t.test('the last failure that is allowed does not break a step, the next one does', (t) => {
  const breaker = createStepBreaker()
  for (let n = 1; n < PLUGIN_FAILURES_MAX; n++) t.equal(breaker.failed(CALL, 0, false), undefined)
  breaker.succeeded(CALL)
  for (let n = 1; n < PLUGIN_FAILURES_MAX; n++) t.equal(breaker.failed(CALL, 0, false), undefined)
  t.equal(breaker.failed(CALL, 0, false), 'failures')
  t.equal(breaker.failed(CALL, 0, false), undefined, 'it is told once')
  t.end()
})

t.test('time-outs that lie apart do not break a step', (t) => {
  const breaker = createStepBreaker()
  for (let n = 0; n < 3 * PLUGIN_TIMEOUTS_MAX; n++) {
    t.equal(breaker.failed(CALL, n * PLUGIN_TIMEOUTS_MS, true), undefined)
    breaker.succeeded(CALL)
  }
  t.end()
})

t.test('calls of one kind that go well do not hide failures of another', (t) => {
  const breaker = createStepBreaker()
  for (let n = 1; n < PLUGIN_FAILURES_MAX; n++) {
    t.equal(breaker.failed('onEvent', 0, false), undefined)
    breaker.succeeded(CALL)
    t.equal(breaker.failed('exportEvents', 0, false), undefined, 'nor do failures add up')
  }
  t.equal(breaker.failed('onEvent', 0, false), 'failures')
  t.end()
})

t.test('time-outs of every kind add up', (t) => {
  const breaker = createStepBreaker()
  t.equal(breaker.failed('onEvent', 0, true), undefined)
  t.equal(breaker.failed('scheduledTask', 0, true), undefined)
  t.equal(breaker.failed(CALL, 0, true), 'timeouts')
  t.end()
})
