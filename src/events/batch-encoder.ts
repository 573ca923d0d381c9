/**
 * Static encoder of the messages that carry events, between gateway and worker and in the spill:
 * encoding by reflection would cost more than all the rest of the gateway's work on an event.
 * `proto/sluice/v1/ingest.proto` is the contract; a test holds the two together.
 */

import protobuf from 'protobufjs/minimal.js'
import { asBuffer } from '../core/as-buffer.ts'
import type { IngestEvent, PersonMerge } from './event.ts'

/** A batch as objects, or as the bytes of its message. */
export type EncodableBatch = {
  readonly projectId: number
  readonly content:
    | { readonly kind: 'events'; readonly events: readonly IngestEvent[] }
    | { readonly kind: 'encoded'; readonly batch: Uint8Array }
}

const MERGE_NUMBERS: Readonly<Record<PersonMerge['kind'], number>> = {
  identify: 1,
  alias: 2,
  dangerously: 3,
}

// Field number << 3 | wire type, from ingest.proto. 2 is length-delimited, 0 a varint.
const REQUEST_ID = (1 << 3) | 2
const REQUEST_BATCHES = (2 << 3) | 2
const BATCH_PROJECT_ID = (1 << 3) | 0
const BATCH_EVENTS = (2 << 3) | 2
const EVENT = {
  uuid: (1 << 3) | 2,
  event: (2 << 3) | 2,
  distinctId: (3 << 3) | 2,
  timestamp: (4 << 3) | 2,
  properties: (5 << 3) | 2,
  elementsChain: (6 << 3) | 2,
  noProfile: (7 << 3) | 0,
  setOnce: (8 << 3) | 2,
  set: (9 << 3) | 2,
  unset: (10 << 3) | 2,
  merge: (11 << 3) | 0,
  mergeDistinctId: (12 << 3) | 2,
  groups: (13 << 3) | 2,
  groupChange: (14 << 3) | 2,
  volatile: (15 << 3) | 2,
} as const
const FIRST = (1 << 3) | 2
const SECOND = (2 << 3) | 2
const THIRD = (3 << 3) | 2

/** Bytes of an `IngestGroup` message. */
export function encodeEventBatch(projectId: number, events: readonly IngestEvent[]): Uint8Array {
  const writer = protobuf.Writer.create()
  writeBatch(writer, projectId, events)
  return writer.finish()
}

/** Bytes of an `IngestBatchRequest`. */
export function encodeIngestRequest(batchId: string, batches: readonly EncodableBatch[]): Buffer {
  const writer = protobuf.Writer.create()
  writer.uint32(REQUEST_ID).string(batchId)
  for (const { projectId, content } of batches) {
    writer.uint32(REQUEST_BATCHES)
    if (content.kind === 'encoded') {
      writer.bytes(content.batch)
    } else {
      writer.fork()
      writeBatch(writer, projectId, content.events)
      writer.ldelim()
    }
  }
  return asBuffer(writer.finish())
}

function writeBatch(
  writer: protobuf.Writer,
  projectId: number,
  events: readonly IngestEvent[],
): void {
  writer.uint32(BATCH_PROJECT_ID).int32(projectId)
  for (const event of events) {
    writer.uint32(BATCH_EVENTS).fork()
    writeEvent(writer, event)
    writer.ldelim()
  }
}

function writeEvent(writer: protobuf.Writer, event: IngestEvent): void {
  writer.uint32(EVENT.uuid).string(event.uuid)
  writer.uint32(EVENT.event).string(event.event)
  writer.uint32(EVENT.distinctId).string(event.distinctId)
  writer.uint32(EVENT.timestamp).string(event.timestamp)
  writer.uint32(EVENT.properties).string(event.properties)
  if (event.elementsChain !== '') writer.uint32(EVENT.elementsChain).string(event.elementsChain)
  const { person, groups, groupChange } = event
  if (!person.profile) writer.uint32(EVENT.noProfile).bool(true)
  if (person.setOnce !== '') writer.uint32(EVENT.setOnce).string(person.setOnce)
  if (person.set !== '') writer.uint32(EVENT.set).string(person.set)
  if (person.volatile !== '') writer.uint32(EVENT.volatile).string(person.volatile)
  for (const name of person.unset) writer.uint32(EVENT.unset).string(name)
  if (person.merge !== undefined) {
    writer.uint32(EVENT.merge).int32(MERGE_NUMBERS[person.merge.kind])
    writer.uint32(EVENT.mergeDistinctId).string(person.merge.otherDistinctId)
  }
  for (const { type, key } of groups) {
    writer.uint32(EVENT.groups).fork()
    writer.uint32(FIRST).string(type).uint32(SECOND).string(key)
    writer.ldelim()
  }
  if (groupChange !== undefined) {
    writer.uint32(EVENT.groupChange).fork()
    writer.uint32(FIRST).string(groupChange.type).uint32(SECOND).string(groupChange.key)
    writer.uint32(THIRD).string(groupChange.set)
    writer.ldelim()
  }
}
