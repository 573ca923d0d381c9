/** Reads relative dates such as `-7d`. */
import { DAY_MS, daysInMonth, daysOf, type Instant } from '../events/time/instant.ts'

const FORM = /^-?(\d{1,6})([hdwmqy])(Start|End)?$/
const HOUR_MS = 3_600_000
const WEEKS_OF_QUARTER = 13
/** 0000-01-01. Nothing stored is older, so an older bound means the same. */
export const OLDEST_MS = daysOf(0, 1, 1) * DAY_MS

type Unit = 'h' | 'd' | 'w' | 'm' | 'q' | 'y'
type Position = 'Start' | 'End' | undefined

/**
 * Reads `[-]<n><unit>[Start|End]` as a moment before `nowMs`. The sign is optional, and the moment
 * is always in the past. Hours are cut to the hour, all other units to 00:00 UTC. `Start` and `End`
 * move months and years to their first and last day and leave other units as they are.
 */
export function parseRelativeDate(text: string, nowMs: number): Instant | undefined {
  const match = FORM.exec(text)
  if (match === null) return undefined
  const count = Number(match[1])
  // The pattern admits only these letters and words.
  const ms = before(nowMs, count, match[2] as Unit, match[3] as Position)
  return { ms: Math.max(ms, OLDEST_MS), us: 0 }
}

function before(nowMs: number, count: number, unit: Unit, position: Position): number {
  switch (unit) {
    case 'h':
      return Math.floor((nowMs - count * HOUR_MS) / HOUR_MS) * HOUR_MS
    case 'd':
      return midnight(nowMs - count * DAY_MS)
    case 'w':
      return midnight(nowMs - count * 7 * DAY_MS)
    case 'q':
      return midnight(nowMs - count * WEEKS_OF_QUARTER * 7 * DAY_MS)
    case 'm':
      return monthsBefore(nowMs, count, position)
    case 'y':
      return yearsBefore(nowMs, count, position)
    default:
      return unit satisfies never
  }
}

function midnight(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** The same day of an earlier month, or the last day of a shorter month. */
function monthsBefore(nowMs: number, count: number, position: Position): number {
  const now = new Date(nowMs)
  const months = now.getUTCFullYear() * 12 + now.getUTCMonth() - count
  const year = Math.floor(months / 12)
  const month = months - year * 12 + 1
  const last = daysInMonth(year, month)
  const day = position === 'Start' ? 1 : position === 'End' ? last : now.getUTCDate()
  return daysOf(year, month, Math.min(day, last)) * DAY_MS
}

function yearsBefore(nowMs: number, count: number, position: Position): number {
  const now = new Date(nowMs)
  const year = now.getUTCFullYear() - count
  if (position === 'Start') return daysOf(year, 1, 1) * DAY_MS
  if (position === 'End') return daysOf(year, 12, 31) * DAY_MS
  const month = now.getUTCMonth() + 1
  const day = Math.min(now.getUTCDate(), daysInMonth(year, month))
  return daysOf(year, month, day) * DAY_MS
}
