/**
 * Static decoder of the messages that carry events: what the writer takes is made of the bytes at
 * once, without the objects that reflection would make on the way. Unknown fields are skipped.
 * `proto/sluice/v1/ingest.proto` is the contract; a test holds the two together.
 */

import protobuf from 'protobufjs/minimal.js'
import {
  type GroupChange,
  type GroupRef,
  type IngestEvent,
  NO_PERSON_CHANGE,
  type PersonChange,
  type PersonMerge,
} from './event.ts'
import type { UncheckedBatch } from './event-batch.ts'
import { eventSize } from './event-size.ts'

/** Events, group references and names to unset in one micro-batch of events. */
export const INGEST_ELEMENTS_MAX = 1_000_000

/** An `IngestBatchRequest`. */
export type DecodedIngestRequest = { readonly batches: readonly UncheckedBatch[] }

const MERGES: readonly (PersonMerge['kind'] | undefined)[] = [
  undefined,
  'identify',
  'alias',
  'dangerously',
]

/** @throws {Error} when the bytes are no such message. */
export function decodeIngestRequest(bytes: Uint8Array): DecodedIngestRequest {
  const reader = protobuf.Reader.create(bytes)
  const count: Count = { elements: 0 }
  const batches: UncheckedBatch[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 2) {
      add(count, 1)
      batches.push(readBatch(reader, endOf(reader), count))
    } else reader.skipType(tag & 7)
  }
  return { batches }
}

/** Decodes an `IngestGroup`. @throws {Error} when the bytes are no such message. */
export function decodeEventBatch(bytes: Uint8Array): UncheckedBatch {
  const reader = protobuf.Reader.create(bytes)
  return readBatch(reader, reader.len, { elements: 0 })
}

/** Elements decoded from one message. An empty one takes two bytes there, about 100 in memory. */
type Count = { elements: number }

/** @throws {RangeError} past `INGEST_ELEMENTS_MAX`. */
function add(count: Count, elements: number): void {
  count.elements += elements
  if (count.elements > INGEST_ELEMENTS_MAX) throw new RangeError('a message of too many elements')
}

/** End of the message that begins here. */
function endOf(reader: protobuf.Reader): number {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new RangeError('a message is longer than what holds it')
  return end
}

function readBatch(reader: protobuf.Reader, end: number, count: Count): UncheckedBatch {
  let id = 0
  let bytes = 0
  const events: IngestEvent[] = []
  while (reader.pos < end) {
    const tag = reader.uint32()
    switch (tag >>> 3) {
      case 1:
        id = reader.int32()
        break
      case 2: {
        add(count, 1)
        const event = readEvent(reader, endOf(reader), count)
        bytes += eventSize(event)
        events.push(event)
        break
      }
      default:
        reader.skipType(tag & 7)
    }
  }
  return { projectId: id, events, bytes }
}

const NO_GROUPS: readonly GroupRef[] = []
const NOTHING_UNSET: readonly string[] = []

function readEvent(reader: protobuf.Reader, end: number, count: Count): IngestEvent {
  let [uuid, event, distinctId, timestamp, properties, elementsChain] = ['', '', '', '', '', '']
  let changes: Changes | undefined
  while (reader.pos < end) {
    const tag = reader.uint32()
    switch (tag >>> 3) {
      case 1:
        uuid = reader.string()
        break
      case 2:
        event = reader.string()
        break
      case 3:
        distinctId = reader.string()
        break
      case 4:
        timestamp = reader.string()
        break
      case 5:
        properties = reader.string()
        break
      case 6:
        elementsChain = reader.string()
        break
      default:
        changes ??= new Changes()
        changes.read(reader, tag, count)
    }
  }
  return {
    uuid,
    event,
    distinctId,
    timestamp,
    properties,
    elementsChain,
    person: changes?.person() ?? NO_PERSON_CHANGE,
    groups: changes?.groups ?? NO_GROUPS,
    groupChange: changes?.groupChange,
  }
}

/** Changes to persons and groups that an event carries; most events have none of these fields. */
class Changes {
  groups: GroupRef[] | undefined
  groupChange: GroupChange | undefined
  #noProfile = false
  #setOnce = ''
  #set = ''
  #volatile = ''
  #unset: string[] | undefined
  #merge = 0
  #mergeDistinctId = ''

  read(reader: protobuf.Reader, tag: number, count: Count): void {
    switch (tag >>> 3) {
      case 7:
        this.#noProfile = reader.bool()
        break
      case 8:
        this.#setOnce = reader.string()
        break
      case 9:
        this.#set = reader.string()
        break
      case 10:
        add(count, 1)
        this.#unset ??= []
        this.#unset.push(reader.string())
        break
      case 11:
        this.#merge = reader.int32()
        break
      case 12:
        this.#mergeDistinctId = reader.string()
        break
      case 13: {
        add(count, 1)
        const [type, key] = readTexts(reader, endOf(reader))
        this.groups ??= []
        this.groups.push({ type, key })
        break
      }
      case 14: {
        const [type, key, set] = readTexts(reader, endOf(reader))
        this.groupChange = { type, key, set }
        break
      }
      case 15:
        this.#volatile = reader.string()
        break
      default:
        reader.skipType(tag & 7)
    }
  }

  /** Undefined when the person is not changed. */
  person(): PersonChange | undefined {
    const kind = MERGES[this.#merge]
    const isPlain = kind === undefined && !this.#noProfile && this.#unset === undefined
    const setsNone = this.#set === '' && this.#setOnce === '' && this.#volatile === ''
    if (isPlain && setsNone) return undefined
    return {
      profile: !this.#noProfile,
      setOnce: this.#setOnce,
      volatile: this.#volatile,
      set: this.#set,
      unset: this.#unset ?? NOTHING_UNSET,
      merge: kind === undefined ? undefined : { kind, otherDistinctId: this.#mergeDistinctId },
    }
  }
}

/** A message whose first three fields are texts. */
function readTexts(reader: protobuf.Reader, end: number): [string, string, string] {
  const texts: [string, string, string] = ['', '', '']
  while (reader.pos < end) {
    const tag = reader.uint32()
    const field = tag >>> 3
    if (field === 1) texts[0] = reader.string()
    else if (field === 2) texts[1] = reader.string()
    else if (field === 3) texts[2] = reader.string()
    else reader.skipType(tag & 7)
  }
  return texts
}
