/** The local time of a zone: offsets from UTC and the instants of wall clocks. */
import { remembered } from '../work/remembered.ts'

const DAY_MS = 86_400_000
/** All that the database of zones has, and some of their other names. */
const ZONES_KEPT_MAX = 1_000

/**
 * A time zone of the IANA database. Wall time is given as the milliseconds since the epoch that a
 * clock of UTC with the same face would have.
 */
export type Zone = {
  readonly name: string
  /** The day that its weeks begin with. */
  readonly weekStartDay: WeekStartDay
  /** Local time less UTC, in ms. */
  offsetAt(ms: number): number
  /** Face of the wall clock. */
  wallAt(ms: number): number
  /**
   * The first instant at which the wall clock shows `wall`, or more where it never shows `wall`
   * because clocks are moved forward over it.
   */
  instantOf(wall: number): number
}

/** Sunday or Monday, as JavaScript counts days. */
export type WeekStartDay = 0 | 1

/** Offsets change at most a few times a year, and never twice within this time. */
const SPAN_MS = DAY_MS
const OFFSETS_MAX = 4_096

/** The zone by its name, or UTC where the runtime does not know it: a database may have newer ones. */
export function zoneOrUtc(name: string): Zone {
  try {
    return zoneOf(name)
  } catch (error) {
    if (error instanceof RangeError) return zoneOf('UTC')
    throw error
  }
}

/** Its weeks begin on Monday. @throws {RangeError} when the runtime does not know the zone. */
export const zoneOf: (name: string) => Zone = remembered(ZONES_KEPT_MAX, newZone)

/** The same zone with weeks that begin on another day. */
export function withWeeks(zone: Zone, weekStartDay: WeekStartDay): Zone {
  return zone.weekStartDay === weekStartDay ? zone : { ...zone, weekStartDay }
}

function newZone(name: string): Zone {
  const offsetAt = name === 'UTC' ? () => 0 : offsetsOf(name)
  return {
    name,
    weekStartDay: 1,
    offsetAt,
    wallAt: (ms) => ms + offsetAt(ms),
    instantOf: (wall) => instantOf(offsetAt, wall),
  }
}

export const UTC = zoneOf('UTC')

type OffsetAt = (ms: number) => number

function offsetsOf(name: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  })
  const known = new Map<number, number>()
  return (ms) => {
    const second = Math.floor(ms / 1_000) * 1_000
    const found = known.get(second)
    if (found !== undefined) return found
    if (known.size >= OFFSETS_MAX) known.clear()
    const offset = wallOf(format, second) - second
    known.set(second, offset)
    return offset
  }
}

function wallOf(format: Intl.DateTimeFormat, ms: number): number {
  const parts: Record<string, string> = {}
  for (const { type, value } of format.formatToParts(ms)) parts[type] = value
  const number = (part: string) => Number(parts[part])
  const year = parts['era'] === 'BC' ? 1 - number('year') : number('year')
  const date = new Date(0)
  date.setUTCFullYear(year, number('month') - 1, number('day'))
  date.setUTCHours(number('hour'), number('minute'), number('second'))
  return date.getTime()
}

function instantOf(offsetAt: OffsetAt, wall: number): number {
  const early = wall - offsetAt(wall - SPAN_MS)
  const late = wall - offsetAt(wall + SPAN_MS)
  const [first, second] = early <= late ? [early, late] : [late, early]
  if (first + offsetAt(first) === wall) return first
  if (second + offsetAt(second) === wall) return second
  // No clock shows it: the first instant after the change.
  return changeBetween(offsetAt, first - 1, second + 1)
}

/**
 * The first instant in `(from, to]` with the offset that holds at `to`. Where both have one offset,
 * `to`.
 */
export function changeBetween(offsetAt: OffsetAt, from: number, to: number): number {
  const after = offsetAt(to)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === after) high = middle
    else low = middle
  }
  return high
}

/** ISO 8601 with the offset of the zone, without a fraction of zero. */
export function zonedText(zone: Zone, ms: number): string {
  // Years before 0000 have more than four digits.
  const [date = '', time = ''] = new Date(zone.wallAt(ms)).toISOString().split('T')
  const fraction = time.slice(8, 12)
  const offset = zone.offsetAt(ms)
  const minutes = Math.abs(Math.trunc(offset / 60_000))
  const sign = offset < 0 ? '-' : '+'
  const hm = `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
  return `${date}T${time.slice(0, 8)}${fraction === '.000' ? '' : fraction}${sign}${hm}`
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
