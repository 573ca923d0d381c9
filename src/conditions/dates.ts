import { doubleOf } from '../core/json-text/exact-numbers.ts'
import type { Zone } from '../core/time/zone.ts'
import { offsetWithin } from '../core/time/zone-changes.ts'

/** Instants are milliseconds since the epoch, with a fraction for microseconds. */

const DAY_MS = 86_400_000
const DATE_LENGTH = 10
/** Numbers from these on are milliseconds and microseconds; smaller ones are seconds. */
const EPOCH_MS_MIN = 1e11
const EPOCH_US_MIN = 1e14
const INSTANT_MS_MAX = 8.64e15
const RELATIVE_COUNT_MAX = 10_000
const TEXT_LENGTH_MAX = 64

const DAY = /(\d{4})-(\d{2})-(\d{2})/
const TIME = /(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?/
const ZONE = /([Zz]|[+-]\d{2}(?::?\d{2})?)/
const ABSOLUTE = new RegExp(`^${DAY.source}(?:[Tt ]${TIME.source}(?: ?${ZONE.source})?)?$`)
const EPOCH = /^-?\d+(?:\.\d+)?$/
const RELATIVE = /^-?(\d{1,5})([hdwmy])$/

export type RelativeDate = { readonly count: number; readonly unit: 'h' | 'd' | 'w' | 'm' | 'y' }

/**
 * `YYYY-MM-DD`, with a time and a zone if wanted; without a zone the wall clock of `zone`. Else
 * `undefined`.
 */
export function parseAbsolute(text: string, zone: Zone): number | undefined {
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  const { wall, offset } = parts
  return offset === undefined ? instantOfWall(wall, zone) : wall - offset * 60_000
}

/** The day that a date without a time means, from its begin on and before the next one's. */
export function dayOf(
  text: string,
  zone: Zone,
): { readonly from: number; readonly before: number } | undefined {
  const wall = text.length === DATE_LENGTH ? partsOf(text)?.wall : undefined
  if (wall === undefined) return undefined
  return { from: instantOfWall(wall, zone), before: instantOfWall(wall + DAY_MS, zone) }
}

/** `wall`: milliseconds of the face of a clock. `offset`: minutes, undefined without a zone. */
function partsOf(text: string): { wall: number; offset: number | undefined } | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined
  const parts = ABSOLUTE.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone] = parts
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  // A leap-year date is kept and the year set afterwards: Date.UTC reads years below 100 as 19xx.
  const date = new Date(Date.UTC(2000, Number(month) - 1, 1))
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined
  const time = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const wall = date.getTime() + time * 1000 + Number(`0.${fraction}`) * 1000
  if (zone === undefined) return { wall, offset: undefined }
  const offset = offsetMinutes(zone)
  return offset === undefined ? undefined : { wall, offset }
}

/**
 * The first instant at which a clock shows `wall`; where none does, as if clocks had not been moved
 * yet. SQL has the same rule.
 */
function instantOfWall(wall: number, zone: Zone): number {
  const offsetAt = (ms: number) => offsetWithin(zone, ms)
  const one = wall - offsetAt(wall - DAY_MS)
  const other = wall - offsetAt(wall + DAY_MS)
  const [first, second] = one <= other ? [one, other] : [other, one]
  return first + offsetAt(first) === wall ? first : second
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (hours * 60 + minutes) * (zone.startsWith('-') ? -1 : 1)
}

/** `-7d`, `7d`: always into the past. Else `undefined`. */
export function parseRelative(text: string): RelativeDate | undefined {
  const parts = RELATIVE.exec(text)
  const count = Number(parts?.[1])
  const unit = parts?.[2]
  if (unit !== 'h' && unit !== 'd' && unit !== 'w' && unit !== 'm' && unit !== 'y') return undefined
  return count < RELATIVE_COUNT_MAX ? { count, unit } : undefined
}

/** The instant that lies `relative` before `now`; months and years of the zone keep the day or its clamp. */
export function before(now: number, relative: RelativeDate, zone: Zone): number {
  switch (relative.unit) {
    case 'h':
      return now - (relative.count * DAY_MS) / 24
    case 'd':
      return now - relative.count * DAY_MS
    case 'w':
      return now - relative.count * 7 * DAY_MS
    case 'm':
      return monthsBefore(now, relative.count, zone)
    case 'y':
      return monthsBefore(now, relative.count * 12, zone)
    default:
      return relative.unit satisfies never
  }
}

function monthsBefore(now: number, months: number, zone: Zone): number {
  const date = new Date(zone.wallAt(now))
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  const lastDay = new Date(date.getTime())
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0)
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
  return instantOfWall(date.getTime(), zone)
}

/**
 * A property as an instant: dates, and numbers or texts of digits as seconds, milliseconds or
 * microseconds of Unix by their size. Else `undefined`.
 */
export function momentOf(value: unknown, zone: Zone): number | undefined {
  const double = doubleOf(value)
  if (double !== undefined) return fromEpoch(double)
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX) return undefined
  return EPOCH.test(value) ? fromEpoch(Number(value)) : parseAbsolute(value, zone)
}

function fromEpoch(number: number): number | undefined {
  const size = Math.abs(number)
  const instant =
    size >= EPOCH_US_MIN ? number / 1000 : size >= EPOCH_MS_MIN ? number : number * 1000
  return Math.abs(instant) <= INSTANT_MS_MAX ? instant : undefined
}
