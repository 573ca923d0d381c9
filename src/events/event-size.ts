/**
 * Size of an event for every bound on bytes: a fixed overhead, and the texts that may be long.
 *
 *   `eventBytes`       of what a client may send: the event itself, once its name and ids are cut
 *   `eventSize`        of queues and of what travels together: cheap, for every event
 *   `encodedBytesMax`  of messages that have a hard limit: no event takes more once it is encoded
 */

import { assert } from '../core/code.ts'
import { GRPC_MESSAGE_BYTES_MAX, LARGE_EVENT_BYTES } from '../core/limits/limits.ts'
import type { IngestEvent } from './event.ts'

/** Bytes of one event, see `eventBytes`; a request with a larger one is 413. */
export const EVENT_BYTES_MAX = 1_048_576
assert(8 * EVENT_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'an event, encoded, fits into a message')

/**
 * An event beside its long texts: uuid, time, name, ids, tags and lengths on the wire, and its
 * objects in memory.
 */
const EVENT_OVERHEAD_BYTES = 256
/** Tag and lengths of an entry of its lists. */
const ENTRY_OVERHEAD_BYTES = 16

/** UTF-8 of one UTF-16 code unit. */
const BYTES_PER_CHAR_MAX = 3

/** Bytes of its name, its distinct id, its properties as JSON text and its elements. */
function eventBytes({ event, distinctId, properties, elementsChain }: IngestEvent): number {
  let bytes = Buffer.byteLength(event) + Buffer.byteLength(distinctId)
  bytes += Buffer.byteLength(properties) + Buffer.byteLength(elementsChain)
  return bytes
}

/**
 * True when an event is larger than a client may send. It counts as it is stored: a small one can
 * have come with a long name, and a large one with a short text, as `1e20` is written in 21 digits.
 */
export function isOversized(event: IngestEvent): boolean {
  const { properties, elementsChain } = event
  const chars = event.event.length + event.distinctId.length
  const isSmall =
    BYTES_PER_CHAR_MAX * (chars + properties.length + elementsChain.length) <= EVENT_BYTES_MAX
  return !isSmall && eventBytes(event) > EVENT_BYTES_MAX
}

/** About the bytes that an event takes in memory and on the wire; a text counts by its length. */
export function eventSize({ properties, elementsChain, person }: IngestEvent): number {
  const ofPerson = person.set.length + person.setOnce.length + person.volatile.length
  return EVENT_OVERHEAD_BYTES + properties.length + elementsChain.length + ofPerson
}

/** True when an event is so large that storing it may take long. @param bytes of all of them. */
export function holdsLargeEvent(events: readonly IngestEvent[], bytes: number): boolean {
  return bytes > LARGE_EVENT_BYTES && events.some((event) => eventSize(event) > LARGE_EVENT_BYTES)
}

/** Sum of `eventSize`. */
export function sizeOfEvents(events: readonly IngestEvent[]): number {
  let bytes = 0
  for (const event of events) bytes += eventSize(event)
  return bytes
}

/** Bytes that an event takes at most once it is encoded. */
export function encodedBytesMax(event: IngestEvent): number {
  const { person, groupChange } = event
  let bytes = EVENT_OVERHEAD_BYTES + Buffer.byteLength(event.properties)
  bytes += Buffer.byteLength(event.event) + Buffer.byteLength(event.distinctId)
  bytes += Buffer.byteLength(event.elementsChain)
  bytes += Buffer.byteLength(person.set) + Buffer.byteLength(person.setOnce)
  bytes += Buffer.byteLength(person.volatile)
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
 * True when an event may take more than `bytesMax` once it is encoded. Properties set on the person
 * count twice, because the encoding repeats them.
 */
export function isLargerThan(event: IngestEvent, bytesMax: number): boolean {
  return mayBeLarger(event, bytesMax) && encodedBytesMax(event) > bytesMax
}

/** Upper bound in bytes of an event without its long texts: names, ids and groups. */
const BOUNDED_BYTES_MAX = 131_072

/** False for nearly every event: its texts are too short, whatever their bytes. */
function mayBeLarger(event: IngestEvent, bytesMax: number): boolean {
  const { properties, elementsChain, person, groupChange } = event
  const ofPerson = person.set.length + person.setOnce.length + person.volatile.length
  const chars = properties.length + elementsChain.length + ofPerson
  const mayBeBytes = BYTES_PER_CHAR_MAX * (chars + (groupChange?.set.length ?? 0))
  return mayBeBytes + BOUNDED_BYTES_MAX > bytesMax || person.unset.length > 0
}
