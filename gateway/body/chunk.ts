import { MICRO_BATCH_BYTES_MAX, MICRO_BATCH_EVENTS_MAX } from '../../src/core/limits.ts'
import type { IngestEvent } from '../../src/ingest/event.ts'

/** Writes events of one project as they travel to a worker. */
export type EncodeGroup = (projectId: number, events: readonly IngestEvent[]) => Uint8Array

/** An encoded group, no larger than one micro-batch unless it is a single event. */
export type EventChunk = { readonly bytes: Uint8Array<ArrayBuffer>; readonly events: number }

/** Field tags, lengths and fixed fields of one event, and of one entry of its lists. */
const EVENT_OVERHEAD_BYTES = 160
const ENTRY_OVERHEAD_BYTES = 16

/** Splits events, order kept, into groups within the bounds of a micro-batch, and encodes them. */
export function encodeChunks(
  projectId: number,
  events: readonly IngestEvent[],
  encode: EncodeGroup,
): EventChunk[] {
  const chunks: EventChunk[] = []
  let start = 0
  let bytes = 0
  for (const [at, event] of events.entries()) {
    const size = encodedBytes(event)
    const isFull =
      at - start >= MICRO_BATCH_EVENTS_MAX || (at > start && bytes + size > MICRO_BATCH_BYTES_MAX)
    if (isFull) {
      chunks.push(encodeChunk(projectId, events.slice(start, at), encode))
      start = at
      bytes = 0
    }
    bytes += size
  }
  if (start < events.length) chunks.push(encodeChunk(projectId, events.slice(start), encode))
  return chunks
}

function encodeChunk(
  projectId: number,
  events: readonly IngestEvent[],
  encode: EncodeGroup,
): EventChunk {
  return { bytes: ownBytes(encode(projectId, events)), events: events.length }
}

/** Bytes an event takes at most once encoded. */
export function encodedBytes(event: IngestEvent): number {
  const { person, groupChange } = event
  let bytes = EVENT_OVERHEAD_BYTES + Buffer.byteLength(event.properties)
  bytes += Buffer.byteLength(event.event) + Buffer.byteLength(event.distinctId)
  bytes += Buffer.byteLength(event.elementsChain)
  bytes += Buffer.byteLength(person.set) + Buffer.byteLength(person.setOnce)
  if (person.merge !== undefined) bytes += Buffer.byteLength(person.merge.otherDistinctId)
  for (const name of person.unset) bytes += Buffer.byteLength(name) + ENTRY_OVERHEAD_BYTES
  for (const { type, key } of event.groups) {
    bytes += Buffer.byteLength(type) + Buffer.byteLength(key) + ENTRY_OVERHEAD_BYTES
  }
  if (groupChange !== undefined) {
    bytes += Buffer.byteLength(groupChange.type) + Buffer.byteLength(groupChange.key)
    bytes += Buffer.byteLength(groupChange.set) + ENTRY_OVERHEAD_BYTES
  }
  return bytes
}

/**
 * The same bytes in a buffer of their own, fit to be transferred to another thread. A view of a
 * shared pool is copied: moving the pool would empty every other view of it.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  const isWhole = buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength
  if (isWhole && bytes.byteLength > Buffer.poolSize) return new Uint8Array(buffer)
  return new Uint8Array(bytes)
}
