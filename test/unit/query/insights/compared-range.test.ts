import fc from 'fast-check'
import t from 'tap'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import {
  type Comparing,
  comparedRange,
  parseShift,
} from '../../../../src/query/insights/time/compared-range.ts'
import {
  bucketText,
  gridOf,
  type Interval,
  incompleteFrom,
  type Range,
} from '../../../../src/query/insights/time/grid.ts'

type Asked = {
  readonly zone: string
  /** Wall clock, without an offset. */
  readonly from: string
  readonly until: string
  readonly now: string
  readonly interval?: Interval
  readonly to?: string
}

function compared({
  zone: name,
  from,
  until,
  now,
  interval = 'day',
  to,
}: Asked): readonly string[] {
  const zone = zoneOf(name)
  const at = (wall: string) => zone.instantOf(Date.parse(`${wall}Z`))
  const compare = to === undefined ? 'own_length' : parseShift(to)
  if (compare === undefined) throw new Error('no shift')
  const range = { fromMs: at(from), untilMs: at(until) }
  const { isCut, ...before } = comparedRange(range, { compare, interval, zone }, at(now))
  const grid = gridOf(before, interval, zone, 1_000)
  if (grid === undefined) throw new Error('no grid')
  const place = incompleteFrom({ ...grid, isCut }, at(now))
  const text = (ms: number) => bucketText(grid, ms).slice(0, 16)
  return [text(before.fromMs), text(before.untilMs), place === null ? 'whole' : String(place)]
}

const WEEK = { zone: 'UTC', from: '2026-11-21T00:00', until: '2026-11-29T00:00' }
const SANTIAGO = { zone: 'America/Santiago', now: '2025-10-01T00:00' }
const MARCH = { zone: 'UTC', from: '2026-03-01T00:00', until: '2026-04-01T00:00' }

const EDGES: readonly (readonly [title: string, Asked, readonly string[]])[] = [
  [
    'a started day, with as much of a day',
    { ...WEEK, now: '2026-11-28T03:00' },
    ['2026-11-13T00:00', '2026-11-20T03:00', '7'],
  ],
  [
    'days from one that begins at 01:00, with days that end where it begins',
    { ...SANTIAGO, from: '2025-09-07T00:00', until: '2025-09-09T00:00' },
    ['2025-09-05T00:00', '2025-09-07T01:00', 'whole'],
  ],
  [
    'days up to one that begins at 01:00, with as many whole days',
    { ...SANTIAGO, from: '2025-09-05T00:00', until: '2025-09-07T00:00' },
    ['2025-09-03T00:00', '2025-09-05T00:00', 'whole'],
  ],
  [
    'days behind one that begins at 01:00, with days from where it begins',
    { ...SANTIAGO, from: '2025-09-09T00:00', until: '2025-09-11T00:00' },
    ['2025-09-07T01:00', '2025-09-09T00:00', 'whole'],
  ],
  [
    'days that have ended, with whole days',
    { ...WEEK, now: '2026-11-29T00:00' },
    ['2026-11-13T00:00', '2026-11-21T00:00', 'whole'],
  ],
  [
    'days that have not begun, with whole days',
    { ...WEEK, now: '2026-11-20T09:00' },
    ['2026-11-13T00:00', '2026-11-21T00:00', '7'],
  ],
  [
    'days to come are left out of both',
    { ...WEEK, now: '2026-11-23T12:00' },
    ['2026-11-13T00:00', '2026-11-15T12:00', '2'],
  ],
  [
    'the same days of the week before',
    { ...WEEK, now: '2026-11-28T03:00', to: '-7d' },
    ['2026-11-14T00:00', '2026-11-21T03:00', '7'],
  ],
  [
    'hours of today, with those of yesterday',
    {
      ...{ zone: 'Europe/Berlin', from: '2026-11-28T00:00', until: '2026-11-29T00:00' },
      ...{ now: '2026-11-28T03:20', interval: 'hour' },
    },
    ['2026-11-27T00:00', '2026-11-27T03:20', '3'],
  ],
  [
    'a moment at which an hour ends cuts none',
    {
      ...{ zone: 'Europe/Berlin', from: '2026-11-28T00:00', until: '2026-11-29T00:00' },
      ...{ now: '2026-11-28T03:00', interval: 'hour' },
    },
    ['2026-11-27T00:00', '2026-11-27T03:00', 'whole'],
  ],
  [
    'minutes, to the second',
    {
      ...{ zone: 'UTC', from: '2026-11-28T10:00', until: '2026-11-28T10:30' },
      ...{ now: '2026-11-28T10:15:30', interval: 'minute' },
    },
    ['2026-11-27T10:00', '2026-11-27T10:15', '15'],
  ],
  [
    'hours of time',
    { ...WEEK, now: '2026-11-28T03:00', to: '-36h' },
    ['2026-11-19T12:00', '2026-11-26T15:00', '7'],
  ],
  [
    'a day of 25 hours, by the wall clock',
    {
      ...{ zone: 'Europe/Berlin', from: '2026-10-26T00:00', until: '2026-10-27T00:00' },
      now: '2026-10-26T12:00',
    },
    ['2026-10-25T00:00', '2026-10-25T12:00', '0'],
  ],
  [
    'a moment that a day of 23 hours does not have',
    {
      ...{ zone: 'Europe/Berlin', from: '2026-03-30T00:00', until: '2026-03-31T00:00' },
      now: '2026-03-30T02:30',
    },
    ['2026-03-29T00:00', '2026-03-29T03:00', '0'],
  ],
  [
    'a day whose midnight is left out, with one that has it',
    {
      ...{ zone: 'Asia/Beirut', from: '2026-03-29T00:00', until: '2026-03-30T00:00' },
      now: '2026-04-02T00:00',
    },
    ['2026-03-28T00:00', '2026-03-29T01:00', 'whole'],
  ],
  [
    'a day before one whose midnight is left out',
    {
      ...{ zone: 'Asia/Beirut', from: '2026-03-28T00:00', until: '2026-03-29T00:00' },
      now: '2026-04-02T00:00',
    },
    ['2026-03-27T00:00', '2026-03-28T00:00', 'whole'],
  ],
  [
    'a started week, with as many of its days',
    {
      ...{ zone: 'UTC', from: '2026-11-12T00:00', until: '2026-11-29T00:00' },
      ...{ now: '2026-11-25T06:00', interval: 'week' },
    },
    ['2026-10-22T00:00', '2026-11-04T06:00', '2'],
  ],
  [
    'weeks, with as many of them',
    {
      ...{ zone: 'UTC', from: '2026-11-12T00:00', until: '2026-11-29T00:00' },
      ...{ now: '2026-11-29T06:00', interval: 'week' },
    },
    ['2026-10-22T00:00', '2026-11-08T00:00', 'whole'],
  ],
  [
    'a started month, with as much of a month',
    { ...MARCH, now: '2026-03-20T09:00', interval: 'month' },
    ['2026-02-01T00:00', '2026-02-20T09:00', '0'],
  ],
  [
    'a day that a shorter month does not have, with its last one',
    { ...MARCH, now: '2026-03-31T09:00', interval: 'month' },
    ['2026-02-01T00:00', '2026-02-28T09:00', '0'],
  ],
  [
    'months, with as many months',
    {
      ...{ zone: 'UTC', from: '2026-09-10T00:00', until: '2026-12-01T00:00' },
      ...{ now: '2026-12-05T00:00', interval: 'month' },
    },
    ['2026-06-10T00:00', '2026-08-31T00:00', 'whole'],
  ],
  [
    'days of a month, with its last day whole',
    {
      ...{ zone: 'UTC', from: '2026-03-01T00:00', until: '2026-03-31T00:00' },
      ...{ now: '2026-04-05T00:00', to: '-1m' },
    },
    ['2026-02-01T00:00', '2026-03-01T00:00', 'whole'],
  ],
  [
    'the year before, with the 28th of February',
    {
      ...{ zone: 'UTC', from: '2028-02-29T00:00', until: '2028-03-01T00:00' },
      ...{ now: '2028-02-29T10:00', to: '-1y' },
    },
    ['2027-02-28T00:00', '2027-02-28T10:00', '0'],
  ],
]

t.test('ranges and what they are compared with', (t) => {
  for (const [title, asked, expected] of EDGES) t.strictSame(compared(asked), expected, title)
  t.end()
})

t.test('the range directly before has as many points, and stops at the one of now', (t) => {
  const zones = ['UTC', 'Europe/Berlin', 'Asia/Beirut', 'America/St_Johns', 'Asia/Kolkata'] as const
  const day = fc.integer({
    min: Date.UTC(2025, 0) / 86_400_000,
    max: Date.UTC(2027, 0) / 86_400_000,
  })
  const asked = fc.record({
    zone: fc.constantFrom(...zones),
    interval: fc.constantFrom<Interval[]>('day', 'week', 'month'),
    day,
    length: fc.integer({ min: 1, max: 70 }),
    /** Share of the way from before the range to behind it. */
    share: fc.double({ min: -0.2, max: 1.2, noNaN: true }),
  })
  const holds = ({ zone: name, interval, day, length, share }: Place) => {
    const zone = zoneOf(name)
    const at = (day: number) => zone.instantOf(day * 86_400_000)
    const range = { fromMs: at(day), untilMs: at(day + length) }
    const nowMs = Math.round(range.fromMs + share * (range.untilMs - range.fromMs))
    const pointsOf = (of: Range) => gridOf(of, interval, zone, 1_000)?.starts.length ?? 0
    const comparing: Comparing = { compare: 'own_length', interval, zone }
    const whole = comparedRange(range, comparing, Infinity)
    const before = comparedRange(range, comparing, nowMs)
    const isStarted = range.fromMs < nowMs && nowMs < range.untilMs
    const now = isStarted ? { ...range, untilMs: nowMs } : range
    t.equal(before.isCut, isStarted)
    t.equal(before.fromMs, whole.fromMs)
    t.ok(before.untilMs <= whole.untilMs)
    return pointsOf(whole) === pointsOf(range) && pointsOf(before) === pointsOf(now)
  }
  fc.assert(fc.property(asked, holds), { numRuns: 1_000 })
  t.end()
})

type Place = {
  readonly zone: string
  readonly interval: Interval
  readonly day: number
  readonly length: number
  readonly share: number
}

t.test('a range is compared with one that is hours, weeks or months before it', (t) => {
  const zone = zoneOf('Europe/Berlin')
  const at = (text: string) => Date.parse(text)
  const range = { fromMs: at('2026-10-26T00:00+01:00'), untilMs: at('2026-10-27T00:00+01:00') }
  const found = ['-6h', '-24h', '-1d', '-1m', '-1q'].map((text) => {
    const compare = parseShift(text)
    const before = compare && comparedRange(range, { compare, interval: 'day', zone }, Infinity)
    return before && new Date(before.fromMs).toISOString().slice(0, 16)
  })
  const days = ['2026-10-25T17:00', '2026-10-24T23:00', '2026-10-24T22:00', '2026-09-25T22:00']
  t.strictSame(found, [...days, '2026-07-26T22:00'])
  for (const text of ['6h', '-0d', '-1mStart', '-1']) t.equal(parseShift(text), undefined, text)
  t.end()
})

t.test('an hour that came twice is compared with an hour', (t) => {
  const zone = zoneOf('Asia/Beirut')
  const range = { fromMs: Date.UTC(2022, 9, 29, 20), untilMs: Date.UTC(2022, 9, 29, 21) }
  const comparing: Comparing = { compare: 'own_length', interval: 'hour', zone }
  const { fromMs, untilMs } = comparedRange(range, comparing, Infinity)
  t.same(
    { fromMs, untilMs },
    { fromMs: Date.UTC(2022, 9, 28, 20), untilMs: Date.UTC(2022, 9, 28, 21) },
  )
  t.end()
})
