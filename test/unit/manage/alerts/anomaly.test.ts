import t from 'tap'
import { bandOf, historyOf, isAnomaly } from '../../../../src/manage/alerts/rules/anomaly.ts'

t.test('the band is the median and so many median deviations', async (t) => {
  const history = [100, 110, 90, 105, 95, 120, 80, 1_000]
  // Deviations from 102.5: 2.5, 2.5, 7.5, 7.5, 12.5, 17.5, 22.5 and 897.5.
  t.same(bandOf(history, 'medium'), { median: 102.5, low: 57.5, high: 147.5 })
  t.same(bandOf(history, 'low'), { median: 102.5, low: 42.5, high: 162.5 })
  t.same(bandOf(history, 'high'), { median: 102.5, low: 72.5, high: 132.5 })
  t.equal(bandOf([3, 1, 2], 'low').median, 2, 'of an odd number of weeks')
})

t.test('weeks that are alike allow what chance makes of a count', async (t) => {
  const band = bandOf(Array(8).fill(100), 'high')
  t.same([isAnomaly(115, band), isAnomaly(125, band), isAnomaly(75, band)], [false, true, true])
})

t.test('numbers below thirty are no alarm, a fall from more is', async (t) => {
  t.notOk(isAnomaly(29, bandOf(Array(8).fill(2), 'high')))
  t.ok(isAnomaly(30, bandOf(Array(8).fill(2), 'high')))
  t.notOk(isAnomaly(0, bandOf(Array(8).fill(29), 'high')))
  t.ok(isAnomaly(0, bandOf(Array(8).fill(30), 'high')))
})

const DAY_MS = 86_400_000

t.test('the history has the same weekday of eight weeks', async (t) => {
  const days = Array.from({ length: 60 }, (_, day) =>
    new Date(Date.UTC(2026, 8, 1) + day * DAY_MS).toISOString().slice(0, 10),
  )
  const values = days.map((_, index) => index + 1)
  t.same(historyOf(days, values, 59), [53, 46, 39, 32, 25, 18, 11, 4])
  const later = values.map((value) => (value < 30 ? 0 : value))
  t.same(historyOf(days, later, 59), [53, 46, 39, 32], 'without weeks before the first event')
  t.same(
    historyOf(
      days,
      values.map(() => 0),
      59,
    ),
    [],
  )
})

t.test('hours are those of the local clock, whatever it was moved meanwhile', async (t) => {
  const days = ['2026-03-22 01:00:00', '2026-03-22 02:00:00', '2026-03-29 01:00:00']
  const moved = [...days, '2026-03-29 03:00:00', '2026-04-05 01:00:00', '2026-04-05 02:00:00']
  const values = [1, 2, 3, 4, 5, 6]
  t.same(historyOf(moved, values, 4), [3, 1])
  t.same(historyOf(moved, values, 5), [2], 'the hour that the clock skipped is not there')
})
