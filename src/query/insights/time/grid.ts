/** Cuts a range of time into the buckets of a zone's calendar. */

import { changeBetween, type WeekStartDay, type Zone, zonedText } from '../../../core/time/zone.ts'
import { DAY_MS, daysOf } from '../../../events/time/instant.ts'

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** Half open, in ms since the epoch. */
export type Range = { readonly fromMs: number; readonly untilMs: number }

/** The buckets that cover a range. */
export type Grid = {
  readonly interval: Interval
  readonly zone: Zone
  /** Range to read: a first week or month is extended to a whole one, other buckets are not. */
  readonly range: Range
  /** The first instant of each bucket, ascending. */
  readonly starts: readonly number[]
  /** The range ends at a moment that moves on with time, as far as now is in another one. */
  readonly isCut?: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** 1970-01-04 was a Sunday. */
const SUNDAY_MS = 3 * DAY_MS

/**
 * Undefined when the range has more than `bucketsMax` buckets. A range that ends before it begins
 * has none.
 */
export function gridOf(
  range: Range,
  interval: Interval,
  zone: Zone,
  bucketsMax: number,
): Grid | undefined {
  const first = startOf(range.fromMs, interval, zone)
  const isWhole = interval === 'week' || interval === 'month'
  const starts: number[] = []
  for (let at = first; at < range.untilMs; at = nextStart(at, interval, zone)) {
    if (starts.length === bucketsMax) return undefined
    starts.push(at)
  }
  const read = { fromMs: isWhole ? first : range.fromMs, untilMs: range.untilMs }
  return { interval, zone, range: read, starts }
}

/** The first instant of the bucket that an instant is in. */
export function startOf(ms: number, interval: Interval, zone: Zone): number {
  const wall = zone.wallAt(ms)
  switch (interval) {
    case 'minute':
      return startWithin(ms, MINUTE_MS, zone)
    case 'hour':
      return startWithin(ms, HOUR_MS, zone)
    case 'day':
      return zone.instantOf(dayOf(wall))
    case 'week':
      return zone.instantOf(weekOf(wall, zone.weekStartDay))
    case 'month':
      return zone.instantOf(monthOf(wall, 0))
    default:
      return interval satisfies never
  }
}

/** The first instant of the bucket after the one that begins at `start`. */
export function nextStart(start: number, interval: Interval, zone: Zone): number {
  switch (interval) {
    case 'minute':
      return nextWithin(start, MINUTE_MS, zone)
    case 'hour':
      return nextWithin(start, HOUR_MS, zone)
    case 'day':
      return zone.instantOf(dayAfter(zone, start) + DAY_MS)
    case 'week':
      return zone.instantOf(weekOf(dayAfter(zone, start), zone.weekStartDay) + 7 * DAY_MS)
    case 'month':
      return zone.instantOf(monthOf(dayAfter(zone, start), 1))
    default:
      return interval satisfies never
  }
}

function dayAfter(zone: Zone, start: number): number {
  return dayOf(zone.wallAt(start))
}

/** Midnight of the wall clock's day. */
export function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS
}

/** Midnight of the day that the wall clock's week begins with. */
export function weekOf(wall: number, weekStartDay: WeekStartDay): number {
  const first = SUNDAY_MS + weekStartDay * DAY_MS
  return Math.floor((wall - first) / (7 * DAY_MS)) * 7 * DAY_MS + first
}

/** The first of the wall clock's month, or so many months later. `Date.UTC` reads year 99 as 1999. */
export function monthOf(wall: number, later: number): number {
  const date = new Date(wall)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + later
  return daysOf(Math.floor(months / 12), modulo(months, 12) + 1, 1) * DAY_MS
}

/** The wall clock's last full hour or minute, but never before the clock was moved. */
function startWithin(ms: number, unitMs: number, zone: Zone): number {
  const start = ms - modulo(zone.wallAt(ms), unitMs)
  return zone.offsetAt(start) === zone.offsetAt(ms)
    ? start
    : changeBetween(zone.offsetAt, start, ms)
}

/** Next full hour or minute, or the change of the clock if that is earlier. */
function nextWithin(start: number, unitMs: number, zone: Zone): number {
  const next = start + unitMs - modulo(zone.wallAt(start), unitMs)
  return zone.offsetAt(next - 1) === zone.offsetAt(start)
    ? next
    : changeBetween(zone.offsetAt, start, next - 1)
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}

/** `2026-10-25`, with the time of day for hours and minutes. */
export function dayText({ interval, zone }: Grid, start: number): string {
  const [date = '', time = ''] = new Date(zone.wallAt(start)).toISOString().split('T')
  return hasTime(interval) ? `${date} ${time.slice(0, 8)}` : date
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `25-Oct-2026`, with the time of day for hours and minutes. */
export function labelText({ interval, zone }: Grid, start: number): string {
  const wall = new Date(zone.wallAt(start))
  const month = MONTHS[wall.getUTCMonth()] ?? ''
  const date = `${wall.getUTCDate()}-${month}-${wall.getUTCFullYear()}`
  return hasTime(interval) ? `${date} ${wall.toISOString().slice(11, 16)}` : date
}

/** The start of a bucket as ISO 8601 with its offset. */
export function bucketText({ zone }: Grid, start: number): string {
  return zonedText(zone, start)
}

/** True when a date does not name a bucket. */
export function hasTime(interval: Interval): boolean {
  return interval === 'hour' || interval === 'minute'
}

/**
 * The index of the first bucket that has not ended at `nowMs`, or that is cut; null when all are
 * whole.
 */
export function incompleteFrom(grid: Grid, nowMs: number): number | null {
  const { starts, range, interval, zone, isCut = false } = grid
  if (isCut && startOf(range.untilMs, interval, zone) !== range.untilMs) return starts.length - 1
  const ends = [...starts.slice(1), range.untilMs]
  const index = ends.findIndex((end) => end > nowMs)
  return index === -1 ? null : index
}

/** Members of a row that name its buckets. */
export function frameOf(grid: Grid, nowMs: number) {
  const { starts } = grid
  return {
    days: starts.map((start) => dayText(grid, start)),
    labels: starts.map((start) => labelText(grid, start)),
    buckets: starts.map((start) => bucketText(grid, start)),
    incomplete_from: incompleteFrom(grid, nowMs),
  }
}
