/** Reads times as mail and HTTP headers write them. */

import { DAY_MS, daysInMonth, daysOf, type Instant, isInYears0To9999 } from './instant.ts'

const TEXT_LENGTH_MAX = 64
const WEEKDAY = String.raw`(?:[a-z]{3,9},?\s{1,2})?`
const DATE = String.raw`(\d{1,2})\s([a-z]{3})\s(\d{4})`
const TIME = String.raw`(\d{2}):(\d{2})(?::(\d{2}))?`
const ZONE = String.raw`(?:\s([a-z]{1,3}|[+-]\d{4}))?(?:\s\([^)]*\))?`
const FORM = new RegExp(`^${WEEKDAY}${DATE}\\s${TIME}${ZONE}$`, 'i')
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'
const ZONE_HOURS: ReadonlyMap<string, number> = new Map([
  ['z', 0],
  ['ut', 0],
  ['utc', 0],
  ['gmt', 0],
  ['est', -5],
  ['edt', -4],
  ['cst', -6],
  ['cdt', -5],
  ['mst', -7],
  ['mdt', -6],
  ['pst', -8],
  ['pdt', -7],
])

/** Reads the dates of mail and HTTP headers: `Sun, 16 Aug 2020 09:03:11 +0200`. No zone is UTC. */
export function parseRfc2822Time(text: string): Instant | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined
  const match = FORM.exec(text)
  if (match === null) return undefined
  const [, day = '', monthName = '', year = '', hour = '', minute = '', second = '0', zone] = match
  const monthAt = MONTHS.indexOf(monthName.toLowerCase())
  const month = monthAt % 3 === 0 ? monthAt / 3 + 1 : 0
  const dayOfMonth = Number(day)
  if (dayOfMonth < 1 || dayOfMonth > daysInMonth(Number(year), month)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const zoneMinutes = zone === undefined ? 0 : minutesOfZone(zone.toLowerCase())
  if (Number.isNaN(zoneMinutes)) return undefined
  const minutes = Number(hour) * 60 + Number(minute) - zoneMinutes
  const days = daysOf(Number(year), month, dayOfMonth)
  const ms = days * DAY_MS + (minutes * 60 + Number(second)) * 1_000
  return isInYears0To9999(ms) ? { ms, us: 0 } : undefined
}

function minutesOfZone(zone: string): number {
  const hours = ZONE_HOURS.get(zone)
  if (hours !== undefined) return hours * 60
  const offset = /^([+-])(\d{2})([0-5]\d)$/.exec(zone)
  if (offset === null) return Number.NaN
  return (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3]))
}
