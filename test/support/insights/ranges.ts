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
  type LocalZone,
  laterBucket,
  localOf,
  startOfDay,
} from './zones.ts'

export type DateRange = { readonly date_from?: string | null; readonly date_to?: string | null }
/** The end is exclusive. */
export type Range = { readonly from: Micros; readonly to: Micros }

export type Grid = {
  readonly interval: Interval
  /** Start of each bucket; the first may be before the range. */
  readonly starts: readonly Micros[]
  readonly ends: readonly Micros[]
}

const BUCKETS_MAX = 1_000

/** Thrown for a refused question, with the wrong member. */
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

/** How many local days, weeks or months a range touches. */
function lengthOf(zone: LocalZone, interval: Interval, { from, to }: Range): number {
  const unit = interval === 'week' || interval === 'month' ? interval : 'day'
  let count = 1
  let at = laterBucket(zone, unit, bucketStart(zone, unit, from), 1)
  for (; at < to; at = laterBucket(zone, unit, at, 1)) count += 1
  return count
}

/** A distance: `-7d`, or as long as the range is. */
function distanceOf(zone: LocalZone, interval: Interval, range: Range, compareTo?: string) {
  const [, digits = '', unit = ''] = RELATIVE.exec(compareTo ?? '') ?? []
  const back = Number(digits)
  if (unit === 'm' || unit === 'y') return { months: unit === 'm' ? back : 12 * back }
  if (unit !== '') return { days: back * daysOfUnit(unit) }
  const length = lengthOf(zone, interval, range)
  if (interval === 'month') return { months: length }
  return { days: interval === 'week' ? 7 * length : length }
}

/**
 * The compared range: the one directly before, or shifted by `-7d`. While the range lasts, it ends
 * where the clock on the wall shows what it shows now.
 */
export function compared(
  { zone, now }: Pick<World, 'zone' | 'now'>,
  interval: Interval,
  range: Range,
  compareTo: string | undefined,
): Range {
  const to = range.from < now && now < range.to ? now : range.to
  if (compareTo?.endsWith('h') === true) {
    const back = Number(compareTo.slice(1, -1)) * HOUR
    return { from: range.from - back, to: to - back }
  }
  const { days = 0, months = 0 } = distanceOf(zone, interval, range, compareTo)
  const earlier = (day: number) => addMonths(day, -months) - days
  const isMidnight = (at: Micros) => startOfDay(zone, dayOf(zone, at)) === at
  const shift = (at: Micros) => {
    const day = dayOf(zone, at)
    if (isMidnight(at)) return startOfDay(zone, earlier(day))
    return instantOf(zone, earlier(day) * DAY + (localOf(zone, at) - day * DAY))
  }
  const from = shift(range.from)
  // A day that ends the range is whole in the other one.
  const until = isMidnight(to) ? startOfDay(zone, earlier(dayOf(zone, to - 1)) + 1) : shift(to)
  return { from, to: until > from ? until : from + (to - range.from) }
}

export function gridOf(zone: LocalZone, interval: Interval, range: Range): Grid {
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

/** Range that the buckets cover: only a week or a month begins before the range. */
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
