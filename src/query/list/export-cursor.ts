/** The cursor of an export, which its caller returns without reading it. */

import { EVENT_EXPORT_LIMIT_MAX } from '../../core/limits/limits-query.ts'
import type { EventPosition } from '../../events/ports.ts'
import type { Instant } from '../../events/time/instant.ts'
import { parseIsoTime } from '../../events/time/iso-time.ts'
import { boundText } from '../bounds.ts'

export type ExportCursor = {
  /**
   * Bounds of the whole export, fixed by its first piece. Relative bounds would move with the
   * clock.
   */
  readonly after: Instant | undefined
  readonly before: Instant
  /** The last event that was passed; undefined at the start. */
  readonly position: EventPosition | undefined
  /** Matches that are still to be skipped, and matches that are to be given after those. */
  readonly skip: number
  readonly left: number
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MICROS = /^-?\d{1,18}$/
const CHARS_MAX = 500
const SKIP_MAX = 2_147_483_647

export function encodeCursor({ after, before, position, skip, left }: ExportCursor): string {
  const parts = [
    after === undefined ? null : boundText(after),
    boundText(before),
    position?.micros ?? null,
    position?.uuid ?? null,
    skip,
    left,
  ]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/**
 * Undefined when `text` is no cursor of ours. A forged cursor gains nothing: its caller could ask
 * for the same directly.
 */
export function decodeCursor(text: string): ExportCursor | undefined {
  const parts = text.length > CHARS_MAX ? undefined : parse(text)
  if (!Array.isArray(parts) || parts.length !== 6) return undefined
  const [afterText, beforeText, micros, uuid, skip, left]: unknown[] = parts
  const after = afterText === null ? undefined : timeOf(afterText)
  const before = timeOf(beforeText)
  const position = positionOf(micros, uuid)
  if (before === undefined || position === 'none') return undefined
  if (afterText !== null && after === undefined) return undefined
  if (!isCount(skip, SKIP_MAX) || !isCount(left, EVENT_EXPORT_LIMIT_MAX)) return undefined
  return { after, before, position, skip, left }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined // The caller says what is wrong.
  }
}

function timeOf(value: unknown): Instant | undefined {
  return typeof value === 'string' ? parseIsoTime(value) : undefined
}

function positionOf(micros: unknown, uuid: unknown): EventPosition | 'none' | undefined {
  if (micros === null && uuid === null) return undefined
  if (typeof micros !== 'string' || !MICROS.test(micros)) return 'none'
  return typeof uuid === 'string' && UUID.test(uuid) ? { micros, uuid } : 'none'
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max
}
