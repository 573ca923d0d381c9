/** Reads the range of a question in the time zone of its project. */

import type { WeekStartDay, Zone } from '../../../core/time/zone.ts'
import { DAY_MS, daysInMonth, daysOf } from '../../../events/time/instant.ts'
import { OLDEST_MS } from '../../relative-date.ts'
import { dayOf, type Interval, monthOf, type Range, weekOf } from './grid.ts'

/** A bound of a range as it is asked for. */
export type Bound =
  /** A day of the wall clock, by its midnight. */
  | { readonly kind: 'day'; readonly wall: number }
  | { readonly kind: 'instant'; readonly ms: number }

/** `all` begins with the local day of the first event that matches. */
export type AskedRange = { readonly from: Bound | 'all'; readonly to: Bound }

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/
const RELATIVE = /^-?(\d{0,4})([hdwmqy])(Start|End)?$/
const HOUR_MS = 3_600_000
const MONTHS_OF_QUARTER = 3
const WEEK_DAYS = 7
/** A quarter as a distance, as in lists of events. */
const QUARTER_DAYS = 13 * WEEK_DAYS

/**
 * Reads a date (`2026-10-25`), a date-time (with an offset, else of the zone) or a time relative to
 * now (`-7d`, `-24h`, `mStart`, `-1mEnd`). Undefined for other texts.
 */
export function parseBound(text: string, zone: Zone, nowMs: number): Bound | undefined {
  const date = DATE.exec(text)
  if (date !== null) return dayBound(date)
  const time = DATE_TIME.exec(text)
  if (time !== null) return instantBound(time, zone)
  const relative = RELATIVE.exec(text)
  return relative === null ? undefined : relativeBound(relative, zone, nowMs)
}

/** The day of now. */
export function today(zone: Zone, nowMs: number): Bound {
  return { kind: 'day', wall: dayOf(zone.wallAt(nowMs)) }
}

function dayBound([, year, month, day]: RegExpExecArray): Bound | undefined {
  const wall = wallOf(Number(year), Number(month), Number(day))
  return wall === undefined ? undefined : { kind: 'day', wall }
}

function wallOf(year: number, month: number, day: number): number | undefined {
  if (day < 1 || day > daysInMonth(year, month)) return undefined
  return daysOf(year, month, day) * DAY_MS
}

function instantBound(match: RegExpExecArray, zone: Zone): Bound | undefined {
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset] = match
  const midnight = wallOf(Number(year), Number(month), Number(day))
  const h = Number(hour)
  const m = Number(minute)
  const s = Number(second)
  if (midnight === undefined || h > 23 || m > 59 || s > 59) return undefined
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const wall = midnight + ((h * 60 + m) * 60 + s) * 1_000 + ms
  if (offset === undefined) return { kind: 'instant', ms: zone.instantOf(wall) }
  const shift = offsetMs(offset)
  return shift === undefined ? undefined : { kind: 'instant', ms: wall - shift }
}

function offsetMs(text: string): number | undefined {
  if (text === 'Z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** Hours are cut to the hour, all else to the day: both of the wall clock. */
function relativeBound(match: RegExpExecArray, zone: Zone, nowMs: number): Bound {
  const [, digits = '', unit = 'd', position] = match
  const count = Number(digits)
  if (unit === 'h') {
    const ms = nowMs - count * HOUR_MS
    const wall = zone.wallAt(ms)
    return { kind: 'instant', ms: ms - (((wall % HOUR_MS) + HOUR_MS) % HOUR_MS) }
  }
  const now = dayOf(zone.wallAt(nowMs))
  const isQuarter = unit === 'q' && position !== undefined
  const wall = before(now, isQuarter ? ofMonths(count * MONTHS_OF_QUARTER) : distance(count, unit))
  const placed = position === undefined ? wall : positioned(wall, unit, position, zone)
  return { kind: 'day', wall: Math.max(placed, OLDEST_MS) }
}

/** A distance on the wall clock. */
export type Distance = { readonly days: number; readonly months: number }

function ofMonths(months: number): Distance {
  return { days: 0, months }
}

export function distance(count: number, unit: string): Distance {
  if (unit === 'm' || unit === 'y') return ofMonths(count * (unit === 'y' ? 12 : 1))
  const days = unit === 'w' ? WEEK_DAYS : unit === 'q' ? QUARTER_DAYS : 1
  return { days: count * days, months: 0 }
}

/** Midnight that is a distance earlier. A day that a month does not have becomes its last one. */
export function before(midnight: number, { days, months }: Distance): number {
  return monthsLater(midnight, -months) - days * DAY_MS
}

/** The same day of another month, or its last day. */
function monthsLater(midnight: number, months: number): number {
  const first = monthOf(midnight, months)
  const date = new Date(first)
  const last = daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)
  return first + (Math.min(new Date(midnight).getUTCDate(), last) - 1) * DAY_MS
}

/** `Start` and `End` move to the first and last day of the week, month, quarter or year. */
function positioned(wall: number, unit: string, position: string, zone: Zone): number {
  if (unit === 'd') return wall
  const start = unitStart(wall, unit, zone.weekStartDay)
  if (position === 'Start') return start
  const next =
    unit === 'w'
      ? start + WEEK_DAYS * DAY_MS
      : monthOf(start, unit === 'y' ? 12 : unit === 'q' ? MONTHS_OF_QUARTER : 1)
  return next - DAY_MS
}

function unitStart(wall: number, unit: string, weekStartDay: WeekStartDay): number {
  const month = new Date(wall).getUTCMonth()
  if (unit === 'm') return monthOf(wall, 0)
  if (unit === 'y') return monthOf(wall, -month)
  if (unit === 'q') return monthOf(wall, -(month % MONTHS_OF_QUARTER))
  return weekOf(wall, weekStartDay)
}

/** A day counts whole, at its end too; an instant is itself. */
export function rangeOf(from: Bound, to: Bound, zone: Zone): Range {
  const fromMs = from.kind === 'day' ? zone.instantOf(from.wall) : from.ms
  const untilMs = to.kind === 'day' ? zone.instantOf(to.wall + DAY_MS) : to.ms
  return { fromMs, untilMs }
}

/** True for intervals that may have a rolling number of days. */
export function hasWholeDays(interval: Interval): boolean {
  return interval === 'day' || interval === 'week' || interval === 'month'
}
