/** The times that bound a query: how they are read and written. */

import { UTC, type Zone } from '../core/time/zone.ts'
import { formatInstant, type Instant, isInYears0To9999 } from '../events/time/instant.ts'
import { parseIsoTime } from '../events/time/iso-time.ts'
import { parseRelativeDate } from './relative-date.ts'

/** A time whose zone has lost its `+`: a query that does not escape the sign delivers a space. */
const SPACED_ZONE = /^(.*[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) (\d{2}:?\d{2})$/

/** A time of ISO 8601 that names its zone. */
const ZONED = /[T ]\S*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i
const HOURS = /^-?\d+h/

/**
 * Reads `after` or `before`: ISO 8601, or relative to `nowMs`.
 * @param zone of what names none.
 */
export function parseBound(text: string, nowMs: number, zone = UTC): Instant | undefined {
  const trimmed = text.trim()
  const relative = parseRelativeIn(trimmed, nowMs, zone)
  if (relative !== undefined) return relative
  const iso = trimmed.replace(SPACED_ZONE, '$1+$2')
  const time = parseIsoTime(iso)
  return time === undefined || ZONED.test(iso) ? time : { ms: zone.instantOf(time.ms), us: time.us }
}

/** Whether a bound is the same instant in every zone. */
export function namesZone(text: string): boolean {
  return ZONED.test(text.trim().replace(SPACED_ZONE, '$1+$2'))
}

/** Cut to the day of the zone, hours to its hour. */
function parseRelativeIn(text: string, nowMs: number, zone: Zone): Instant | undefined {
  const inUtc = parseRelativeDate(text, nowMs)
  if (inUtc === undefined || zone.name === UTC.name) return inUtc
  if (HOURS.test(text)) {
    const offset = zone.offsetAt(inUtc.ms)
    const wall = parseRelativeDate(text, nowMs + offset) ?? inUtc
    return { ms: wall.ms - offset, us: 0 }
  }
  const wall = parseRelativeDate(text, zone.wallAt(nowMs)) ?? inUtc
  return { ms: zone.instantOf(wall.ms), us: 0 }
}

/** Decimal text of the microseconds since the epoch, as statements bind it. */
export function microsOf({ ms, us }: Instant): string {
  return String(BigInt(ms) * 1_000n + BigInt(us))
}

/** ISO 8601 with microseconds and `Z`; reads back as the same bound. */
export function boundText({ ms, us }: Instant): string {
  return formatInstant(ms, us)
}

/**
 * A stored time in answers: ISO 8601 with `+00:00`, without a fraction of zero.
 * @param micros decimal text of microseconds since the epoch.
 */
export function storedTimeText(micros: string): string {
  const all = BigInt(micros)
  const us = Number(((all % 1_000n) + 1_000n) % 1_000n)
  const ms = Number((all - BigInt(us)) / 1_000n)
  if (!isInYears0To9999(ms)) return new Date(ms).toISOString()
  const text = formatInstant(ms, us)
  return `${text.slice(0, 19)}${text.endsWith('.000000Z') ? '' : text.slice(19, 26)}+00:00`
}
