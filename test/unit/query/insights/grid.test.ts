import t from 'tap'
import { withWeeks, zoneOf } from '../../../../src/core/time/zone.ts'
import { parseBound, rangeOf } from '../../../../src/query/insights/time/date-range.ts'
import {
  bucketText,
  gridOf,
  type Interval,
  incompleteFrom,
  labelText,
} from '../../../../src/query/insights/time/grid.ts'

const NOW = Date.parse('2026-10-27T12:34:56Z')

function starts(zoneName: string, from: string, to: string, interval: Interval): string[] {
  const zone = zoneOf(zoneName)
  const [first, last] = [parseBound(from, zone, NOW), parseBound(to, zone, NOW)]
  if (first === undefined || last === undefined) throw new Error('no bound')
  const grid = gridOf(rangeOf(first, last, zone), interval, zone, 1_000)
  return (grid?.starts ?? []).map((start) => (grid ? bucketText(grid, start) : ''))
}

t.test('days of 23 and 25 hours', async (t) => {
  t.equal(starts('Europe/Berlin', '2026-03-29', '2026-03-29', 'hour').length, 23)
  const autumn = starts('Europe/Berlin', '2026-10-25', '2026-10-25', 'hour')
  t.equal(autumn.length, 25)
  t.strictSame(autumn.slice(2, 4), ['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00'])
})

t.test('a clock that is moved by half an hour cuts its hours short', async (t) => {
  const spring = starts('Australia/Lord_Howe', '2026-10-04', '2026-10-04', 'hour')
  t.strictSame(spring.slice(1, 4), [
    '2026-10-04T01:00:00+10:30',
    '2026-10-04T02:30:00+11:00',
    '2026-10-04T03:00:00+11:00',
  ])
  const autumn = starts('Australia/Lord_Howe', '2026-04-05', '2026-04-05', 'hour')
  t.strictSame(autumn.slice(1, 4), [
    '2026-04-05T01:00:00+11:00',
    '2026-04-05T01:30:00+10:30',
    '2026-04-05T02:00:00+10:30',
  ])
})

t.test('a zone of half hours, and one whose midnight is left out', async (t) => {
  t.strictSame(starts('Asia/Kolkata', '2026-10-25', '2026-10-26', 'day'), [
    '2026-10-25T00:00:00+05:30',
    '2026-10-26T00:00:00+05:30',
  ])
  t.equal(
    starts('Asia/Kolkata', '2026-10-25', '2026-10-25', 'hour')[1],
    '2026-10-25T01:00:00+05:30',
  )
  const beirut = starts('Asia/Beirut', '2026-03-28', '2026-03-30', 'day')
  t.strictSame(beirut, [
    '2026-03-28T00:00:00+02:00',
    '2026-03-29T01:00:00+03:00',
    '2026-03-30T00:00:00+03:00',
  ])
})

t.test('a first week or month is whole; weeks begin on Monday', async (t) => {
  t.strictSame(starts('UTC', '2026-10-01', '2026-10-13', 'week'), [
    '2026-09-28T00:00:00+00:00',
    '2026-10-05T00:00:00+00:00',
    '2026-10-12T00:00:00+00:00',
  ])
  const zone = zoneOf('UTC')
  const range = { fromMs: Date.parse('2026-10-15'), untilMs: Date.parse('2026-11-02') }
  const months = gridOf(range, 'month', zone, 10)
  t.equal(months?.range.fromMs, Date.parse('2026-10-01'))
  t.equal(months?.range.untilMs, range.untilMs)
  t.equal(gridOf(range, 'day', zone, 10)?.starts, undefined)
})

t.test('weeks begin on Sunday where the project says so', async (t) => {
  const zone = withWeeks(zoneOf('Europe/Berlin'), 0)
  const grid = gridOf({ fromMs: Date.parse('2026-10-21'), untilMs: NOW }, 'week', zone, 10)
  t.ok(grid)
  if (grid === undefined) return
  const texts = grid.starts.map((start) => bucketText(grid, start))
  t.strictSame(texts, ['2026-10-18T00:00:00+02:00', '2026-10-25T00:00:00+02:00'])
  t.equal(grid.range.fromMs, grid.starts[0], 'the first is whole')
  const bounds = ['wStart', 'wEnd', '-1wStart'].map((text) => {
    const bound = parseBound(text, zone, NOW)
    return bound?.kind === 'day' ? new Date(bound.wall).toISOString().slice(0, 10) : bound
  })
  t.strictSame(bounds, ['2026-10-25', '2026-10-31', '2026-10-18'])
  t.equal(incompleteFrom({ ...grid, isCut: true }, NOW), 1)
})

t.test('relative bounds are cut in the zone', async (t) => {
  const zone = zoneOf('America/Los_Angeles')
  const now = Date.parse('2026-10-27T05:30:00Z')
  const texts = ['-7d', '-1w', '-1m', '-1q', 'mStart', '-1mEnd', 'qStart', '-1qEnd', 'yStart']
  texts.push('wStart', '-24h')
  const found = texts.map((text) => {
    const bound = parseBound(text, zone, now)
    if (bound === undefined) return undefined
    const at = bound.kind === 'day' ? bound.wall : bound.ms
    return new Date(at).toISOString().slice(0, bound.kind === 'day' ? 10 : 16)
  })
  t.strictSame(found, [
    '2026-10-19',
    '2026-10-19',
    '2026-09-26',
    '2026-07-27',
    '2026-10-01',
    '2026-09-30',
    '2026-10-01',
    '2026-09-30',
    '2026-01-01',
    '2026-10-26',
    '2026-10-26T05:00',
  ])
  t.equal(parseBound('2026-02-30', zone, now), undefined)
  t.equal(parseBound('yesterday', zone, now), undefined)
})

t.test('a bucket that has not ended is told from those that have', async (t) => {
  const zone = zoneOf('UTC')
  const range = { fromMs: Date.parse('2026-10-26'), untilMs: Date.parse('2026-10-28') }
  const grid = gridOf(range, 'day', zone, 10)
  t.ok(grid)
  if (grid === undefined) return
  t.equal(incompleteFrom(grid, NOW), 1)
  t.equal(incompleteFrom(grid, range.untilMs), null)
  t.equal(labelText(grid, range.fromMs), '26-Oct-2026')
})
