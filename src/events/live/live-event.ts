/** The form of an event in a stream, bounded in its bytes. */
import type { IngestEvent } from '../event.ts'
import type { LiveEvent } from './live-message.ts'

/** Bytes of the texts of an event; the rest is left out. */
export const LIVE_EVENT_BYTES_MAX = 8_192

/**
 * An event as a stream shows it: `LIVE_EVENT_BYTES_MAX` of its texts. A larger one keeps the first
 * properties that fit, whole, and loses its elements; it is marked.
 * @param storedAt ISO 8601.
 */
export function liveEventOf(event: IngestEvent, storedAt: string): LiveEvent {
  const { uuid: id, distinctId: distinct_id, timestamp, properties, elementsChain } = event
  const known = { id, event: event.event, distinct_id, timestamp, stored_at: storedAt }
  const room = LIVE_EVENT_BYTES_MAX - byteLength(event.event) - byteLength(distinct_id)
  if (byteLength(properties) + byteLength(elementsChain) <= room) {
    return { ...known, properties, elements_chain: elementsChain, truncated: false }
  }
  const fitting = firstMembers(properties, room)
  return { ...known, properties: fitting, elements_chain: '', truncated: true }
}

/** Exact for what may be too long, and at least as much for all else. */
function byteLength(text: string): number {
  const most = 3 * text.length
  return most <= LIVE_EVENT_BYTES_MAX / 4 ? most : Buffer.byteLength(text)
}

/**
 * The first members of a JSON object, as they are written there: at most so many bytes. Reads no
 * more of the text than that.
 */
export function firstMembers(json: string, bytesMax: number): string {
  if (Buffer.byteLength(json) <= bytesMax) return json
  let end = 0
  let depth = 0
  let isText = false
  let bytes = 1
  for (let at = 0; at < json.length && bytes < bytesMax; at++) {
    const unit = json.charCodeAt(at)
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
    if (isText) {
      if (unit === BACKSLASH) {
        at++
        bytes++
      } else if (unit === QUOTE) isText = false
      continue
    }
    if (unit === QUOTE) isText = true
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--
    else if (unit === COMMA && depth === 1) end = at
  }
  return end === 0 ? '{}' : `${json.slice(0, end)}}`
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
