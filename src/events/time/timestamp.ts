/**
 * Reads the times that clients send, and corrects an event's time by what the client's clock is
 * off.
 */

import { doubleOf } from '../../core/json-text/exact-numbers.ts'
import { formatInstant, type Instant, instantOfMs, isInYears0To9999 } from './instant.ts'
import { parseIsoTime } from './iso-time.ts'
import { parseNamedMonthTime } from './named-month-time.ts'

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
