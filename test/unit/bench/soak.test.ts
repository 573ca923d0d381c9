import t from 'tap'
import { trendOf } from '../../../bench/soak/memory-trend.ts'
import { minutesTable, trendsOf } from '../../../bench/soak/soak-tables.ts'
import { sampleRun } from '../../support/bench-report.ts'

/** One each ten seconds. */
const samples = (mb: (index: number) => number, count = 30) =>
  Array.from({ length: count }, (_, index) => ({ atMs: index * 10_000, mb: mb(index) }))

t.test('a line has its slope, whatever its first third does', async (t) => {
  const trend = trendOf(samples((index) => (index < 10 ? 500 - index : 100 + index)))
  // A megabyte each ten seconds.
  t.ok(Math.abs(trend.slopeMbPerHour - 360) < 1e-6, `${trend.slopeMbPerHour}`)
  t.equal(trend.maxMb, 500)
  // Twenty samples span 190 s, from 110 to 129 MB.
  t.ok(Math.abs(trend.growthPercent - (19 / 119.5) * 100) < 1e-6, `${trend.growthPercent}`)
  t.equal(trend.verdict, 'grows')
})

t.test('under five percent of the mean is flat, noise or not', async (t) => {
  t.equal(trendOf(samples(() => 100)).verdict, 'flat')
  t.equal(trendOf(samples((index) => (index % 2 === 0 ? 90 : 110))).verdict, 'flat')
  t.equal(trendOf(samples((index) => 100 + index * 0.2)).verdict, 'flat')
  t.equal(trendOf(samples((index) => 100 + index * 0.4)).verdict, 'grows')
  t.equal(trendOf(samples((index) => 100 - index * 0.4)).verdict, 'falls')
})

t.test('a change that is no more than the ups and downs is unclear', async (t) => {
  const saw = (size: number) => (index: number) => 100 + index * 0.4 + ((index * 7) % 10) * size
  t.equal(trendOf(samples(saw(0.1))).verdict, 'grows')
  const { verdict, growthPercent, errorPercent } = trendOf(samples(saw(5)))
  t.equal(verdict, 'unclear')
  t.ok(growthPercent > 5 && errorPercent > growthPercent, `${growthPercent} of ${errorPercent}`)
  t.equal(trendOf(samples((index) => 100 + index)).errorPercent, 0, 'a line has none')
})

t.test('a few samples say nothing', async (t) => {
  t.equal(trendOf([]).verdict, 'too short')
  t.equal(trendOf(samples((index) => index * 100, 4)).verdict, 'too short')
  t.equal(trendOf(samples((index) => index * 100, 5)).verdict, 'grows')
})

const second = { sent: 50, accepted: 49, errors: 1, shed: 2, p50: 2, p99: 10 }

t.test('minutes add up their seconds, and the last one may be shorter', async (t) => {
  const seconds = Array.from({ length: 90 }, (_, index) => ({
    ...second,
    second: index + 1,
    p99: index === 70 ? 80 : 10,
    // Nobody looked in every tenth second.
    usage: [
      { cpuPercent: 1, rssMb: 80 },
      index % 10 === 9 ? null : { cpuPercent: 1, rssMb: index },
    ],
  }))
  const run = sampleRun({}, { seconds })
  t.strictSame(minutesTable(run), {
    head: [
      'minute',
      'accepted/s',
      'errors',
      'shed',
      'worst p99 of a second, ms',
      'generator MB',
      'gateway MB',
    ],
    rows: [
      ['1', '49', '60', '120', '10', '80', '58'],
      ['2', '49', '30', '60', '80', '80', '88'],
    ],
  })
  const trends = trendsOf(run)
  t.match(trends, [
    { name: 'generator', verdict: 'flat', maxMb: 80 },
    { name: 'gateway', verdict: 'grows', maxMb: 88 },
  ])
})
