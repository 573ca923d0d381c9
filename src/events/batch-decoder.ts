import protobuf from 'protobufjs/minimal.js'
import { projectId } from '../core/ids.ts'
import type { IngestGroup } from '../project/ports.ts'
import {
  type GroupChange,
  type GroupRef,
  type IngestEvent,
  NO_PERSON_CHANGE,
  type PersonChange,
  type PersonMerge,
} from './event.ts'

/**
 * Static decoder of the messages that carry events: what the writer takes is made of the bytes at
 * once, without the objects that reflection would make on the way. Unknown fields are skipped.
 * `proto/sluice/v1/ingest.proto` is the contract; a test holds the two together.
 */

/** A group whose project id nobody has looked at. */
export type DecodedGroup = Omit<IngestGroup, 'projectId'> & { readonly projectId: number }

/** An `IngestBatchRequest`. */
export type DecodedBatch = { readonly groups: readonly DecodedGroup[] }

/** What an event costs beside its texts, in bytes; part of every ingest bound. */
const EVENT_OVERHEAD_BYTES = 256

const MERGES: readonly (PersonMerge['kind'] | undefined)[] = [
  undefined,
  'identify',
  'alias',
  'dangerously',
]

/** @throws {Error} when the bytes are no such message. */
export function decodeIngestBatch(bytes: Uint8Array): DecodedBatch {
  const reader = protobuf.Reader.create(bytes)
  const groups: DecodedGroup[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 2) groups.push(readGroup(reader, endOf(reader)))
    else reader.skipType(tag & 7)
  }
  return { groups }
}

/** Of an `IngestGroup`. @throws {Error} when the bytes are no such message. */
export function decodeIngestGroup(bytes: Uint8Array): DecodedGroup {
  const reader = protobuf.Reader.create(bytes)
  return readGroup(reader, reader.len)
}

/** A group for the writer. @throws {RangeError} when its project id is none. */
export function checkedGroup({ projectId: id, events, bytes }: DecodedGroup): IngestGroup {
  return { projectId: projectId(id), events, bytes }
}

/** Events that were never encoded, with their size as if they had been. */
export function groupOf(id: number, events: readonly IngestEvent[]): DecodedGroup {
  let bytes = 0
  for (const event of events) bytes += sizeOf(event)
  return { projectId: id, events, bytes }
}

function sizeOf({ properties, person, elementsChain }: IngestEvent): number {
  const ofPerson = person.set.length + person.setOnce.length
  return EVENT_OVERHEAD_BYTES + properties.length + ofPerson + elementsChain.length
}

/** Where the message that begins here ends. */
function endOf(reader: protobuf.Reader): number {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new RangeError('a message is longer than what holds it')
  return end
}

function readGroup(reader: protobuf.Reader, end: number): DecodedGroup {
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
        const event = readEvent(reader, endOf(reader))
        bytes += sizeOf(event)
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

function readEvent(reader: protobuf.Reader, end: number): IngestEvent {
  let [uuid, event, distinctId, timestamp, properties, elementsChain] = ['', '', '', '', '', '']
  let [setOnce, set, mergeDistinctId] = ['', '', '']
  let [merge, noProfile] = [0, false]
  let unset: string[] | undefined
  let groups: GroupRef[] | undefined
  let groupChange: GroupChange | undefined
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
      case 7:
        noProfile = reader.bool()
        break
      case 8:
        setOnce = reader.string()
        break
      case 9:
        set = reader.string()
        break
      case 10:
        unset ??= []
        unset.push(reader.string())
        break
      case 11:
        merge = reader.int32()
        break
      case 12:
        mergeDistinctId = reader.string()
        break
      case 13: {
        const [type, key] = readTexts(reader, endOf(reader))
        groups ??= []
        groups.push({ type, key })
        break
      }
      case 14: {
        const [type, key, values] = readTexts(reader, endOf(reader))
        groupChange = { type, key, set: values }
        break
      }
      default:
        reader.skipType(tag & 7)
    }
  }
  const kind = MERGES[merge]
  const person: PersonChange =
    kind === undefined && !noProfile && set === '' && setOnce === '' && unset === undefined
      ? NO_PERSON_CHANGE
      : {
          profile: !noProfile,
          setOnce,
          set,
          unset: unset ?? NOTHING_UNSET,
          merge: kind === undefined ? undefined : { kind, otherDistinctId: mergeDistinctId },
        }
  return {
    uuid,
    event,
    distinctId,
    timestamp,
    properties,
    elementsChain,
    person,
    groups: groups ?? NO_GROUPS,
    groupChange,
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
