/** Local time, from the offsets that `Intl` knows. */
import type { Micros } from './world.ts'

/** The clock and the calendar of a project: weeks begin on Sunday (0) or on Monday. */
export type LocalZone = { readonly name: string; readonly weekStartDay: 0 | 1 }

export const SECOND: Micros = 1_000_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** A time in which clocks do not change. */
type Stretch = { readonly from: Micros; readonly to: Micros; readonly offset: Micros }

const SCANNED_FROM = Date.UTC(2009, 0) * 1_000
const SCANNED_TO = Date.UTC(2030, 0) * 1_000
const stretchesOf = new Map<string, readonly Stretch[]>()

function offsetReader(zone: string): (at: Micros) => Micros {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const parts = format.formatToParts(at / 1_000)
    const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
    const year = part('year')
    const month = part('month') - 1
    const day = part('day')
    const local = Date.UTC(year, month, day, part('hour'), part('minute'), part('second'))
    return local * 1_000 - at
  }
}

function stretches({ name }: LocalZone): readonly Stretch[] {
  const known = stretchesOf.get(name)
  if (known !== undefined) return known
  const offsetAt = offsetReader(name)
  const found: Stretch[] = []
  let from = Number.NEGATIVE_INFINITY
  let offset = offsetAt(SCANNED_FROM)
  for (let at = SCANNED_FROM; at < SCANNED_TO; at += 7 * DAY) {
    const next = offsetAt(at)
    if (next === offset) continue
    let [before, after] = [at - 7 * DAY, at]
    while (after - before > SECOND) {
      const middle = before + Math.floor((after - before) / 2 / SECOND) * SECOND
      if (offsetAt(middle) === offset) before = middle
      else after = middle
    }
    found.push({ from, to: after, offset })
    from = after
    offset = next
  }
  found.push({ from, to: Number.POSITIVE_INFINITY, offset })
  stretchesOf.set(name, found)
  return found
}

function offsetAt(zone: LocalZone, at: Micros): Micros {
  return stretches(zone).find(({ to }) => at < to)?.offset ?? 0
}

/** Local time of the zone, as if it were UTC. */
export function localOf(zone: LocalZone, at: Micros): Micros {
  return at + offsetAt(zone, at)
}

/** First instant at which the local time is this or later. */
export function instantOf(zone: LocalZone, local: Micros): Micros {
  for (const { from, to, offset } of stretches(zone)) {
    const at = Math.max(from, local - offset)
    if (at < to) return at
  }
  return local
}

/** Number of a local day: days since 1970. */
export function dayOf(zone: LocalZone, at: Micros): number {
  return Math.floor(localOf(zone, at) / DAY)
}

export function startOfDay(zone: LocalZone, day: number): Micros {
  return instantOf(zone, day * DAY)
}

/** The first day of the week or month that has this day. */
function firstDay({ weekStartDay }: LocalZone, interval: Interval, day: number): number {
  // 1970 began on a Thursday.
  const since = weekStartDay === 0 ? 4 : 3
  if (interval === 'week') return day - ((((day + since) % 7) + 7) % 7)
  if (interval !== 'month') return day
  const date = new Date((day * DAY) / 1_000)
  return Math.floor((Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) * 1_000) / DAY)
}

/** The first day of the week or month that is `steps` later; for the other intervals a day. */
function laterDay(interval: Interval, day: number, steps: number): number {
  if (interval === 'week') return day + 7 * steps
  return interval === 'month' ? addMonths(day, steps) : day + steps
}

/** The same day of a later month, or its last one. */
export function addMonths(day: number, months: number): number {
  const date = new Date((day * DAY) / 1_000)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + months
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return (Date.UTC(year, month, Math.min(date.getUTCDate(), length)) * 1_000) / DAY
}

/** The start of the bucket that has this instant. */
export function bucketStart(zone: LocalZone, interval: Interval, at: Micros): Micros {
  if (interval !== 'hour' && interval !== 'minute') {
    return startOfDay(zone, firstDay(zone, interval, dayOf(zone, at)))
  }
  const length = interval === 'hour' ? HOUR : MINUTE
  const offset = offsetAt(zone, at)
  const since = stretches(zone).find(({ to }) => at < to)?.from ?? at
  return Math.max(since, Math.floor((at + offset) / length) * length - offset)
}

/** The start of the bucket that is `steps` (0 or more) after the one that begins at `start`. */
export function laterBucket(
  zone: LocalZone,
  interval: Interval,
  start: Micros,
  steps: number,
): Micros {
  if (interval !== 'hour' && interval !== 'minute') {
    return startOfDay(zone, laterDay(interval, dayOf(zone, start), steps))
  }
  let at = start
  for (let step = 0; step < steps; step += 1) {
    const length = interval === 'hour' ? HOUR : MINUTE
    const next = Math.floor(localOf(zone, at) / length + 1) * length - offsetAt(zone, at)
    const change = stretches(zone).find(({ to }) => at < to)?.to ?? next
    at = Math.min(next, change)
  }
  return at
}

/** ISO 8601 to the second, with the offset. */
export function written(zone: LocalZone, at: Micros): string {
  const offset = offsetAt(zone, at) / MINUTE
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const sign = offset < 0 ? '-' : '+'
  const shown = new Date(localOf(zone, at) / 1_000).toISOString().slice(0, 19)
  return `${shown}${sign}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
}
