/**
 * Reads the times that clients send, and corrects an event's time by what the client's clock is
 * off.
 */

import { doubleOf } from '../../core/json-text/exact-numbers.ts'
import {
  DAY_MS,
  daysInMonth,
  daysOf,
  formatInstant,
  type Instant,
  instantOfMs,
  isInYears0To9999,
} from './instant.ts'
import { parseIsoTime } from './iso-time.ts'

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
function parseNamedMonthTime(text: string): Instant | undefined {
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

/** A client may be this much ahead of us; beyond it its clock is wrong. */
const FUTURE_MAX_MS = 23 * 3_600_000
/** A client's clock that is off by no more is right: a request needs time to get here. */
const CLOCK_OFF_MAX_MS = 10_000
/** Fewer digits are a year or a date. */
const EPOCH_TEXT = /^\d{9,17}(?:\.\d{1,9})?$/
/** Numbers from here on are milliseconds: as seconds they are of the year 5138 and later. */
const EPOCH_MS_MIN = 1e11
/** Numbers from here on are microseconds. */
const EPOCH_US_MIN = 1e14
const UTC_MARK = / (?:UTC|GMT)$/i

/**
 * Reads a moment, in whatever form a client writes it: ISO 8601, a date of a mail or of JavaScript,
 * or a number, in JSON or as text, of seconds, milliseconds or microseconds since the epoch, which
 * its size tells apart. No zone means UTC.
 */
export function parseTimestamp(value: unknown): Instant | undefined {
  const double = doubleOf(value)
  if (double !== undefined) return instantOfEpoch(double)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (EPOCH_TEXT.test(text)) return instantOfEpoch(Number(text))
  return parseIsoTime(text) ?? parseIsoTime(text.replace(UTC_MARK, '')) ?? parseNamedMonthTime(text)
}

function instantOfEpoch(value: number): Instant | undefined {
  const size = Math.abs(value)
  if (size >= EPOCH_US_MIN) return instantOfMs(value / 1_000)
  return instantOfMs(size >= EPOCH_MS_MIN ? value : value * 1_000)
}

/** A client's statement of when it sent a request. */
export type SentAtValue = string | number

/** First value that can be read; unreadable ones are skipped. */
export function firstSentAt(values: readonly SentAtValue[]): Instant | undefined {
  for (const value of values) {
    const sentAt = parseTimestamp(value)
    if (sentAt !== undefined) return sentAt
  }
  return undefined
}

/** As `correctedTimestamp`; an impossible time becomes `nowMs`. */
export function eventTimestamp(
  timestamp: unknown,
  offset: unknown,
  sentAt: Instant | undefined,
  nowMs: number,
): string {
  return correctedTimestamp(timestamp, offset, sentAt, nowMs) ?? formatInstant(nowMs, 0)
}

/**
 * Time to store for an event, as `YYYY-MM-DDTHH:MM:SS.ffffffZ`: the client's clock corrected by the
 * difference between `sentAt` and our receipt, unless it is small. `sentAt` is undefined when the
 * request has none or the event says to ignore it. Undefined for what cannot be right: unreadable,
 * far ahead of us.
 * @param nowMs when the head of the request came: with its body the client's clock would look late.
 */
export function correctedTimestamp(
  timestamp: unknown,
  offset: unknown,
  sentAt: Instant | undefined,
  nowMs: number,
): string | undefined {
  const double = doubleOf(offset) ?? 0
  const offsetMs = Number.isFinite(double) ? double : 0
  if (timestamp === undefined || timestamp === null || timestamp === '') {
    return beforeNow(offsetMs, nowMs)
  }
  const at = parseTimestamp(timestamp)
  if (at === undefined) return undefined
  if (sentAt === undefined) return bounded(at.ms, at.us, nowMs)
  if (offsetMs !== 0) return beforeNow(offsetMs, nowMs)
  if (Math.abs(nowMs - sentAt.ms) <= CLOCK_OFF_MAX_MS) return bounded(at.ms, at.us, nowMs)
  const us = at.us - sentAt.us
  const ms = nowMs + at.ms - sentAt.ms
  return us < 0 ? bounded(ms - 1, us + 1_000, nowMs) : bounded(ms, us, nowMs)
}

function beforeNow(offsetMs: number, nowMs: number): string | undefined {
  const at = instantOfMs(nowMs - offsetMs)
  return at === undefined ? undefined : bounded(at.ms, at.us, nowMs)
}

function bounded(ms: number, us: number, nowMs: number): string | undefined {
  const isCredible = ms - nowMs <= FUTURE_MAX_MS && isInYears0To9999(ms)
  return isCredible ? formatInstant(ms, us) : undefined
}

/** Text stored as `properties.$sent_at`. */
export function sentAtText(sentAt: Instant): string {
  return sentAt.us === 0 ? new Date(sentAt.ms).toISOString() : formatInstant(sentAt.ms, sentAt.us)
}
