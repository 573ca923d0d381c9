import fc from 'fast-check'
import t from 'tap'
import { conservationOf, settledCount } from '../../../../bench/load/conservation.ts'
import { saturation } from '../../../../bench/load/generator-health.ts'
import { findHighestRate } from '../../../../bench/load/plan/rate-search.ts'
import { spreadOf } from '../../../../bench/load/report/stats.ts'
import {
  brokenThresholds,
  type Figures,
  METRICS,
  parseThresholds,
} from '../../../../bench/load/report/threshold.ts'
import { type Counts, emptyCounts } from '../../../../bench/load/tally.ts'
import type { Clock } from '../../../../src/core/clock.ts'

const counts = (some: Partial<Counts>): Counts => ({ ...emptyCounts(), ...some })

t.test('an accepted event that is not stored breaks conservation', async (t) => {
  const lost = conservationOf(counts({ sent: 10, accepted: 10 }), 100, 999)
  t.match(lost, { verdict: 'broken', detail: '1 accepted events lost' })
})

t.test('an event stored twice breaks conservation', async (t) => {
  const doubled = conservationOf(counts({ sent: 10, accepted: 10 }), 1, 11)
  t.match(doubled, { verdict: 'broken', detail: '1 events stored more than were sent' })
  const refused = conservationOf(counts({ sent: 10, accepted: 9, refused: 1 }), 1, 10)
  t.equal(refused.verdict, 'broken', 'a 4xx must store nothing')
})

t.test('a request whose outcome is not known may be stored or not', async (t) => {
  const some = counts({
    sent: 10,
    accepted: 5,
    timeout: 1,
    reset: 1,
    invalid: 1,
    shed: 1,
    failed: 1,
  })
  for (let stored = 5; stored <= 10; stored++) {
    t.match(conservationOf(some, 1, stored), { verdict: 'holds', unknown: 3, rejected: 2 })
  }
  t.equal(conservationOf(some, 1, 4).verdict, 'broken')
  t.equal(conservationOf(some, 1, 11).verdict, 'broken')
})

t.test(
  'sent that does not add up is broken, stored that was not read is not checked',
  async (t) => {
    t.equal(conservationOf(counts({ sent: 2, accepted: 1 }), 1, 1).verdict, 'broken')
    t.equal(conservationOf(counts({ sent: 1, accepted: 1 }), 1, undefined).verdict, 'not checked')
    const any = fc.nat(1000)
    fc.assert(
      fc.property(any, any, any, any, (accepted, shed, refused, timeout) => {
        const sent = accepted + shed + refused + timeout
        const result = conservationOf(
          counts({ sent, accepted, shed, refused, timeout }),
          3,
          accepted * 3,
        )
        return result.verdict === 'holds' && result.sent === sent * 3
      }),
    )
  },
)

/** A clock that a sleep moves on. */
function steppingClock(): Clock {
  let now = 0
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms) => {
      now += ms
    },
    after: () => () => {},
  }
}

t.test('a count is read until it rests at what was accepted', async (t) => {
  const clock = steppingClock()
  let reads = 0
  const readBack = async () => {
    reads++
    if (reads === 2) throw new Error('not yet')
    return Math.min(10, reads)
  }
  t.equal(await settledCount({ clock, readBack }, { accepted: 10, deadlineMs: 60_000 }), 10)
  t.equal(clock.monotonic(), 6_500, 'reached in the tenth read, and the same for two seconds')
})

t.test(
  'a count that stays short is answered at the deadline, and none at all is thrown',
  async (t) => {
    const short = steppingClock()
    const options = { accepted: 10, deadlineMs: 5_000 }
    t.equal(await settledCount({ clock: short, readBack: async () => 9 }, options), 9)
    t.equal(short.monotonic(), 5_000)
    const failing = { clock: steppingClock(), readBack: () => Promise.reject(new Error('down')) }
    await t.rejects(settledCount(failing, options), { message: 'down' })
  },
)

t.test('a text that is not a threshold is refused with the reason', async (t) => {
  for (const text of [
    '',
    'rps',
    'rps=5',
    'rps>=',
    'rps>=x',
    '>=5',
    'rps>=5,',
    'rps>=-5',
    'p99 < 1e3',
  ]) {
    t.notOk(parseThresholds(text).ok, text)
  }
  const unknown = parseThresholds('p98<=5')
  t.ok(!unknown.ok && unknown.error.startsWith("'p98' is none of rps eps p50"))
})

t.test('thresholds are read with their operator and broken ones are told', async (t) => {
  const parsed = parseThresholds('rps>=15000, p99 <= 30.5,p99.9<100,errors>0')
  t.strictSame(parsed, {
    ok: true,
    value: [
      { metric: 'rps', operator: '>=', limit: 15000 },
      { metric: 'p99', operator: '<=', limit: 30.5 },
      { metric: 'p99.9', operator: '<', limit: 100 },
      { metric: 'errors', operator: '>', limit: 0 },
    ],
  })
  const zeros = METRICS.map((metric) => [metric, 0] as const)
  const figures: Figures = { ...(Object.fromEntries(zeros) as Figures), rps: 15000, p99: 30.51 }
  t.strictSame(parsed.ok && brokenThresholds(figures, parsed.value), [
    'p99 is 30.51, wanted <= 30.5',
    'errors is 0, wanted > 0',
  ])
  const unknown = { ...figures, rps: Number.NaN }
  t.equal(brokenThresholds(unknown, [{ metric: 'rps', operator: '>=', limit: 0 }]).length, 1)
})

t.test('a busy or late generator gives no verdict', async (t) => {
  t.equal(saturation({ cpuPercent: 90 }, { arrivals: 100, missedTicks: 1 }), undefined)
  t.match(saturation({ cpuPercent: 91 }, undefined), 'generator used 91 %')
  t.match(saturation({ cpuPercent: 5 }, { arrivals: 100, missedTicks: 2 }), '2.0 % of the schedule')
})

t.test('the middle of runs is their median', async (t) => {
  t.throws(() => spreadOf([]), { name: 'InvariantError' })
  t.strictSame(spreadOf([3]), { median: 3, min: 3, max: 3 })
  t.strictSame(spreadOf([9, 1, 5]), { median: 5, min: 1, max: 9 })
  t.strictSame(spreadOf([4, 1, 2, 100]), { median: 3, min: 1, max: 100 })
})

t.test('the search ends below the limit and near it', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 100_000 }),
      fc.integer({ min: 100, max: 100_000 }),
      async (limit, startPerS) => {
        const options = { startPerS, precision: 0.03, stepsMax: 40 }
        const { best } = await findHighestRate(
          async (rate) => (rate <= limit ? 'kept' : 'broken'),
          options,
        )
        return best !== undefined && best <= limit && best >= limit * 0.9
      },
    ),
  )
  const hopeless = { startPerS: 8, precision: 0.03, stepsMax: 5 }
  const { best, steps } = await findHighestRate(async () => 'no verdict', hopeless)
  t.equal(best, undefined)
  t.equal(steps.length, 5)
})
