import type { IngestEvent } from '../events/event.ts'

/** Field tags, lengths and fixed fields of one event, and of one entry of its lists. */
const EVENT_OVERHEAD_BYTES = 160
const ENTRY_OVERHEAD_BYTES = 16

/** Bytes an event takes at most once encoded for a worker. */
export function eventBytes(event: IngestEvent): number {
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

/** Encoded, an event takes less than forty times the length of these two texts. */
const LENGTH_SMALL_MAX = 524_288

/**
 * True when an event takes more than `bytesMax`, which must be 32 MB or so. A body of the greatest
 * size can hold such an event: `1e20` is written in 21 digits, a bare element in 36 characters, and
 * what is set on the person is in the event a second time.
 */
export function isLargerThan(event: IngestEvent, bytesMax: number): boolean {
  const isSmall = event.properties.length + event.elementsChain.length <= LENGTH_SMALL_MAX
  return !isSmall && eventBytes(event) > bytesMax
}
