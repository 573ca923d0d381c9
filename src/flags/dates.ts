/** Instants are milliseconds since the epoch, with a fraction for microseconds. */

const DAY_MS = 86_400_000
const INSTANT_MS_MAX = 8.64e15
const RELATIVE_COUNT_MAX = 10_000
const TEXT_LENGTH_MAX = 64

const DAY = /(\d{4})-(\d{2})-(\d{2})/
const TIME = /(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?/
const ZONE = /([Zz]|[+-]\d{2}(?::?\d{2})?)/
const ABSOLUTE = new RegExp(`^${DAY.source}(?:[Tt ]${TIME.source}(?: ?${ZONE.source})?)?$`)
const UNIX_SECONDS = /^-?\d+(?:\.\d+)?$/
const RELATIVE = /^-?(\d{1,5})([hdwmy])$/

export type RelativeDate = { readonly count: number; readonly unit: 'h' | 'd' | 'w' | 'm' | 'y' }

/** `YYYY-MM-DD`, with a time and a zone if wanted; without a zone UTC. Else `undefined`. */
export function parseAbsolute(text: string): number | undefined {
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
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  return date.getTime() + time * 1000 + Number(`0.${fraction}`) * 1000 - offset * 60_000
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
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

/** The instant that lies `relative` before `now`; months and years keep the day or its clamp. */
export function before(now: number, relative: RelativeDate): number {
  switch (relative.unit) {
    case 'h':
      return now - (relative.count * DAY_MS) / 24
    case 'd':
      return now - relative.count * DAY_MS
    case 'w':
      return now - relative.count * 7 * DAY_MS
    case 'm':
      return monthsBefore(now, relative.count)
    case 'y':
      return monthsBefore(now, relative.count * 12)
    default:
      return relative.unit satisfies never
  }
}

function monthsBefore(now: number, months: number): number {
  const date = new Date(now)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  const lastDay = new Date(date.getTime())
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0)
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
  return date.getTime()
}

/** A property as an instant: numbers and numeric texts are Unix seconds. Else `undefined`. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'number') return fromSeconds(value)
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX) return undefined
  return UNIX_SECONDS.test(value) ? fromSeconds(Number(value)) : parseAbsolute(value)
}

function fromSeconds(seconds: number): number | undefined {
  const instant = seconds * 1000
  return Math.abs(instant) <= INSTANT_MS_MAX ? instant : undefined
}
