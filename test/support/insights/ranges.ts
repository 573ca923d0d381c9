/** Ranges of dates, and their buckets. */

import type { Micros, World } from './world.ts'
import {
  addMonths,
  bucketStart,
  DAY,
  dayOf,
  HOUR,
  type Interval,
  instantOf,
  laterBucket,
  localOf,
  startOfDay,
} from './zones.ts'

export type DateRange = { readonly date_from?: string | null; readonly date_to?: string | null }
/** The end is exclusive. */
export type Range = { readonly from: Micros; readonly to: Micros }

export type Grid = {
  readonly interval: Interval
  /** Of each bucket; the first may be before the range. */
  readonly starts: readonly Micros[]
  readonly ends: readonly Micros[]
}

const BUCKETS_MAX = 1_000

/** A question that is not answered; the member that is wrong. */
export class Refused extends Error {
  readonly attr: string

  constructor(attr: string) {
    super(`refused: ${attr}`)
    this.attr = attr
  }
}

const RELATIVE = /^-(\d+)([hdwmqy])$/
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/

function bound(world: World, text: string, isEnd: boolean): Micros {
  const { zone, now } = world
  const date = DATE.exec(text)
  if (date !== null) {
    const day = (Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3])) * 1_000) / DAY
    return startOfDay(zone, isEnd ? day + 1 : day)
  }
  const relative = RELATIVE.exec(text)
  if (relative === null) return instantWritten(text)
  const [, digits = '', unit = ''] = relative
  const back = Number(digits)
  if (unit === 'h') return bucketStart(zone, 'hour', now - back * HOUR)
  return startOfDay(zone, daysBack(dayOf(zone, now), back, unit) + (isEnd ? 1 : 0))
}

function daysBack(day: number, back: number, unit: string): number {
  if (unit === 'm') return addMonths(day, -back)
  if (unit === 'y') return addMonths(day, -12 * back)
  return day - back * daysOfUnit(unit)
}

/** A quarter is 13 weeks. */
function daysOfUnit(unit: string): number {
  return unit === 'w' ? 7 : unit === 'q' ? 91 : 1
}

/** `2026-10-25T12:00:00.123456Z`, to the microsecond. */
function instantWritten(text: string): Micros {
  const [seconds = '', fraction = '0'] = text.replace('Z', '').split('.')
  return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, '0'))
}

/** @param first when `all` begins. */
export function resolved(world: World, range: DateRange, first: () => Micros | undefined): Range {
  const { zone, now } = world
  const end = range.date_to ?? null
  const to = end === null ? startOfDay(zone, dayOf(zone, now) + 1) : bound(world, end, true)
  const start = range.date_from ?? '-7d'
  const from =
    start === 'all' ? startOfDay(zone, dayOf(zone, first() ?? now)) : bound(world, start, false)
  if (from > to) throw new Refused('query.dateRange.date_to')
  return { from, to }
}

function daysOf(zone: string, { from, to }: Range): number {
  return dayOf(zone, to - 1) - dayOf(zone, from) + 1
}

/** The compared range: as many local days earlier, or shifted by `-7d`. */
export function compared(zone: string, range: Range, compareTo: string | undefined): Range {
  const [, digits = '', unit = ''] = RELATIVE.exec(compareTo ?? '') ?? []
  const back = Number(digits)
  if (unit === 'h') return { from: range.from - back * HOUR, to: range.to - back * HOUR }
  const isMonths = unit === 'm' || unit === 'y'
  const days = unit === '' ? daysOf(zone, range) : back * daysOfUnit(unit)
  const shift = (at: Micros) => {
    const local = localOf(zone, at)
    const day = Math.floor(local / DAY)
    const to = isMonths ? addMonths(day, unit === 'm' ? -back : -12 * back) : day - days
    return instantOf(zone, to * DAY + (local - day * DAY))
  }
  const [from, to] = [shift(range.from), shift(range.to)]
  return { from, to: to > from ? to : from + (range.to - range.from) }
}

export function gridOf(zone: string, interval: Interval, range: Range): Grid {
  const starts: Micros[] = []
  let at = bucketStart(zone, interval, range.from)
  if (at >= range.to) starts.push(at)
  while (at < range.to) {
    starts.push(at)
    if (starts.length > BUCKETS_MAX) throw new Refused('query.interval')
    at = laterBucket(zone, interval, at, 1)
  }
  return { interval, starts, ends: [...starts.slice(1), range.to] }
}

/** What the buckets have: only a week or a month begins before the range. */
export function covered(grid: Grid, range: Range): Range {
  const isWhole = grid.interval === 'week' || grid.interval === 'month'
  return { from: isWhole ? (grid.starts[0] ?? range.from) : range.from, to: range.to }
}

/** The bucket of an instant; -1 outside. */
export function bucketOf(grid: Grid, at: Micros): number {
  return grid.starts.findIndex((start, index) => start <= at && at < (grid.ends[index] ?? start))
}

export function isWithin(range: Range, at: Micros): boolean {
  return range.from <= at && at < range.to
}
