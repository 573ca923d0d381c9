/** Cuts the events of a large body into batches that fit a micro-batch, and encodes them. */

import { MICRO_BATCH_BYTES_MAX, MICRO_BATCH_EVENTS_MAX } from '../../src/core/limits/limits.ts'
import type { IngestEvent } from '../../src/events/event.ts'
import { encodedBytesMax } from '../../src/events/event-size.ts'

/** Writes events of one project as they travel to a worker. */
export type EncodeBatch = (projectId: number, events: readonly IngestEvent[]) => Uint8Array

/** An encoded batch, no larger than one micro-batch unless it is a single event. */
export type EventChunk = { readonly bytes: Uint8Array<ArrayBuffer>; readonly events: number }

/** Splits events, order kept, into batches within the bounds of a micro-batch, and encodes them. */
export function encodeChunks(
  projectId: number,
  events: readonly IngestEvent[],
  encode: EncodeBatch,
): EventChunk[] {
  const chunks: EventChunk[] = []
  let start = 0
  let bytes = 0
  for (const [at, event] of events.entries()) {
    const size = encodedBytesMax(event)
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
  encode: EncodeBatch,
): EventChunk {
  return { bytes: ownBytes(encode(projectId, events)), events: events.length }
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
