/** The range that another one is compared with. */

import type { Zone } from '../../../core/time/zone.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import { before, type Distance, distance } from './date-range.ts'
import { dayOf, type Interval, monthOf, type Range, weekOf } from './grid.ts'

/** How far before a range the one lies that it is compared with. Hours are hours of time. */
export type Shift = Distance & { readonly hours: number }

/** A question that compares: `own_length` is the range directly before its own. */
export type Comparing = {
  readonly compare: Shift | 'own_length'
  readonly interval: Interval
  readonly zone: Zone
}

export type ComparedRange = Range & {
  /** True when it ends at the moment that corresponds to now, and so moves with time. */
  readonly isCut: boolean
}

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * DAY_MS
const MONTHS_OF_YEAR = 12
/** Postgres knows times since 4713 BC, and a range may begin in the year 0. */
const SHIFT_YEARS_MAX = 4_000

/** Reads `-6h`, `-7d`, `-1w`, `-1m`, `-1q`, `-1y`. Undefined for other texts. */
export function parseShift(text: string): Shift | undefined {
  const match = /^-(\d{1,4})([hdwmqy])$/.exec(text)
  if (match === null) return undefined
  const [, digits, unit = 'd'] = match
  const count = Number(digits)
  if (count === 0 || (unit === 'y' && count > SHIFT_YEARS_MAX)) return undefined
  if (unit === 'h') return { days: 0, months: 0, hours: count }
  return { ...distance(count, unit), hours: 0 }
}

/**
 * Shifts the range back to the compared period. If the range has begun but not ended, only the
 * elapsed part is compared: a started day with the same part of an earlier day.
 */
export function comparedRange(
  range: Range,
  { compare, interval, zone }: Comparing,
  nowMs: number,
): ComparedRange {
  const shift = compare === 'own_length' ? ownLength(range, interval, zone) : compare
  const isCut = range.fromMs < nowMs && nowMs < range.untilMs
  return { ...shifted(isCut ? { ...range, untilMs: nowMs } : range, shift, zone), isCut }
}

/** Length in local days; for weeks or months in whole weeks or months, so that they align. */
function ownLength({ fromMs, untilMs }: Range, interval: Interval, zone: Zone): Shift {
  const first = zone.wallAt(fromMs)
  const last = zone.wallAt(Math.max(untilMs - 1, fromMs))
  if (interval === 'month') {
    return { days: 0, months: monthNumber(last) - monthNumber(first) + 1, hours: 0 }
  }
  const days =
    interval === 'week'
      ? weekOf(last, zone.weekStartDay) - weekOf(first, zone.weekStartDay) + WEEK_MS
      : dayOf(last) - dayOf(first) + DAY_MS
  return { days: Math.round(days / DAY_MS), months: 0, hours: 0 }
}

function monthNumber(wall: number): number {
  const date = new Date(monthOf(wall, 0))
  return date.getUTCFullYear() * MONTHS_OF_YEAR + date.getUTCMonth()
}

/**
 * The range so much earlier on the wall clock. An hour that the clock showed twice has no other day
 * to lie on: it keeps its length.
 */
function shifted({ fromMs, untilMs }: Range, shift: Shift, zone: Zone): Range {
  const from = earlier(fromMs, shift, zone)
  const until = endEarlier(untilMs, shift, zone)
  return { fromMs: from, untilMs: until > from ? until : from + untilMs - fromMs }
}

/** A day begins where another one does, also where clocks leave its midnight out. */
function earlier(ms: number, { hours, ...onWall }: Shift, zone: Zone): number {
  if (hours > 0) return ms - hours * HOUR_MS
  const wall = zone.wallAt(ms)
  const midnight = dayOf(wall)
  const time = zone.instantOf(midnight) === ms ? 0 : wall - midnight
  return zone.instantOf(before(midnight, onWall) + time)
}

/**
 * Shifts the end of a range. An end at midnight is shifted as a day: the 30th becomes the last day
 * of a shorter month.
 */
function endEarlier(ms: number, shift: Shift, zone: Zone): number {
  const isMidnight = zone.instantOf(dayOf(zone.wallAt(ms))) === ms
  if (shift.hours > 0 || !isMidnight) return earlier(ms, shift, zone)
  const last = dayOf(zone.wallAt(ms - 1))
  return zone.instantOf(before(last, shift) + DAY_MS)
}
