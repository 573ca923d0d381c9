/**
 * Reads the times that clients send, and corrects an event's time by what the client's clock is
 * off.
 */

import { formatInstant, type Instant, instantOfMs, isInYears0To9999 } from './instant.ts'
import { parseIsoTime } from './iso-time.ts'
import { parseRfc2822Time } from './rfc-2822-time.ts'

/** A client may be this much ahead of us; beyond it its clock is wrong. */
const FUTURE_MAX_MS = 23 * 3_600_000
const EPOCH_TEXT = /^\d{1,17}(?:\.\d{1,9})?$/
/** As many integer digits or more are milliseconds, fewer are seconds. */
const EPOCH_MS_DIGITS_MIN = 12

/** Reads `timestamp` of an event: ISO 8601, RFC 2822, or a JSON number of epoch milliseconds. */
export function parseTimestamp(value: unknown): Instant | undefined {
  if (typeof value === 'number') return instantOfMs(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return parseIsoTime(text) ?? parseRfc2822Time(text)
}

/** What may say when a request was sent. */
export type SentAtValue = string | number

/** The first that can be read: an unreadable one is as good as none. */
export function firstSentAt(values: readonly SentAtValue[]): Instant | undefined {
  for (const value of values) {
    const sentAt = parseSentAt(value)
    if (sentAt !== undefined) return sentAt
  }
  return undefined
}

/** Reads `sent_at` of a request: as `timestamp`, or digits of epoch seconds or milliseconds. */
export function parseSentAt(value: unknown): Instant | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return parseEpoch(value) ?? (typeof value === 'string' ? parseTimestamp(value) : undefined)
}

/** Reads digits, a decimal part allowed: seconds, or milliseconds when they are many. */
export function parseEpoch(value: string | number): Instant | undefined {
  const text = String(value).trim()
  if (!EPOCH_TEXT.test(text)) return undefined
  const point = text.indexOf('.')
  const integerDigits = point === -1 ? text.length : point
  const isMs = integerDigits >= EPOCH_MS_DIGITS_MIN
  return instantOfMs(isMs ? Number(text) : Number(text) * 1_000)
}

/** As `correctedTimestamp`; what cannot be right becomes `nowMs`. */
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
 * difference between `sentAt` and our receipt. `sentAt` is undefined when the request has none or
 * the event says to ignore it. Undefined for what cannot be right: unreadable, far ahead of us.
 */
export function correctedTimestamp(
  timestamp: unknown,
  offset: unknown,
  sentAt: Instant | undefined,
  nowMs: number,
): string | undefined {
  const offsetMs = typeof offset === 'number' && Number.isFinite(offset) ? offset : 0
  if (timestamp === undefined || timestamp === null || timestamp === '') {
    return beforeNow(offsetMs, nowMs)
  }
  const at = parseTimestamp(timestamp)
  if (at === undefined) return undefined
  if (sentAt === undefined) return bounded(at.ms, at.us, nowMs)
  if (offsetMs !== 0) return beforeNow(offsetMs, nowMs)
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
