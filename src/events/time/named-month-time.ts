/** Reads times that name their month, as headers of mail and HTTP and JavaScript's Date do. */

import { DAY_MS, daysInMonth, daysOf, type Instant, isInYears0To9999 } from './instant.ts'

/** Names of zones in the reader's language are long. */
const TEXT_LENGTH_MAX = 128
const WEEKDAY = String.raw`(?:[a-z]{3,9},?\s{1,2})?`
const DATE = String.raw`(?:(?<day>\d{1,2})\s(?<month>[a-z]{3})|(?<jsMonth>[a-z]{3})\s(?<jsDay>\d{1,2}))\s(?<year>\d{4})`
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2}))?`
const ZONE = String.raw`(?:\s(?<zone>[a-z]{1,3}|(?:GMT|UTC)?[+-]\d{4}))?(?:\s\([^)]*\))?`
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

/**
 * Reads RFC 2822, `Sun, 16 Aug 2020 09:03:11 +0200`, and what JavaScript makes of a Date,
 * `Sun Aug 16 2020 09:03:11 GMT+0200 (Central European Summer Time)`. No zone is UTC.
 */
export function parseNamedMonthTime(text: string): Instant | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined
  const parts = FORM.exec(text)?.groups
  if (parts === undefined) return undefined
  const monthAt = MONTHS.indexOf((parts['month'] ?? parts['jsMonth'] ?? '').toLowerCase())
  const month = monthAt % 3 === 0 ? monthAt / 3 + 1 : 0
  const year = Number(parts['year'])
  const day = Number(parts['day'] ?? parts['jsDay'])
  if (day < 1 || day > daysInMonth(year, month)) return undefined
  const hour = Number(parts['hour'])
  const minute = Number(parts['minute'])
  const second = Number(parts['second'] ?? 0)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const zoneMinutes = minutesOfZone((parts['zone'] ?? 'utc').toLowerCase())
  if (Number.isNaN(zoneMinutes)) return undefined
  const minutes = hour * 60 + minute - zoneMinutes
  const ms = daysOf(year, month, day) * DAY_MS + (minutes * 60 + second) * 1_000
  return isInYears0To9999(ms) ? { ms, us: 0 } : undefined
}

function minutesOfZone(zone: string): number {
  const hours = ZONE_HOURS.get(zone)
  if (hours !== undefined) return hours * 60
  const offset = /([+-])(\d{2})([0-5]\d)$/.exec(zone)
  if (offset === null) return Number.NaN
  return (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3]))
}
