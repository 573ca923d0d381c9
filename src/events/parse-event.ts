/**
 * Turns the payload of a capture request, in whatever dialect, into events ready to store: the one
 * place where an event gets its form.
 */

import { cleanObject, cleanText, mayHoldUnstorable } from '../core/clean-text.ts'
import { isObject, type JsonDraft, type JsonObject } from '../core/json.ts'
import { cleanExact, exactJson } from '../core/json-text/exact-numbers.ts'
import { DISTINCT_ID_LENGTH_MAX, EVENT_NAME_LENGTH_MAX } from '../core/limits/limits.ts'
import { ok, type Result } from '../core/result.ts'
import { cutText, idText, plainText } from './clean-event-text.ts'
import { batchItems, INVALID_PAYLOAD, type PayloadError, TOO_LARGE } from './dialects/batch-form.ts'
import { describePage } from './dialects/message-fields.ts'
import { readGroupUpdate, readMixpanelEvent } from './dialects/mixpanel-event.ts'
import { type NativeDialect, readNativeEvent } from './dialects/native-event.ts'
import { isSegmentEvent, readSegmentEvent, type SegmentType } from './dialects/segment-event.ts'
import { readV1Event, type Sdk, v1Items } from './dialects/v1-event.ts'
import { v1ResultsText } from './dialects/v1-results.ts'
import { takeElements } from './elements.ts'
import type { IngestEvent } from './event.ts'
import { isOversized } from './event-size.ts'
import { changesOf, droppedItem, givenLoss, isAsSent, LossNotes } from './losses.ts'
import { groupChange, groupRefs, isIllegalMerge, personChange } from './person-change.ts'
import { promote } from './person-properties.ts'
import type { DropReason, RawEvent, RawResult } from './raw-event.ts'
import { formatInstant, type Instant } from './time/instant.ts'
import {
  correctedTimestamp,
  firstSentAt,
  parseTimestamp,
  type SentAtValue,
  sentAtText,
} from './time/timestamp.ts'
import { type Losses, lossOf } from './warnings/ingestion-warning.ts'

/** Ours, Mixpanel's and other clients' own, and the first one ever seen of a person. */
const NAMES = ['$ip', 'ip', '$initial_ip'] as const
/** Properties that become those of a person or of a group. */
const HOLDERS = ['$set', '$set_once', '$group_set'] as const

/** How the client of a route spells its events. */
export type Dialect =
  | { readonly kind: NativeDialect }
  /** `type` is that of `/v1/track` and its kin; undefined on `/v1/batch`. */
  | { readonly kind: 'segment'; readonly type: SegmentType | undefined }
  /** Mixpanel's updates of groups. */
  | { readonly kind: 'groups' }
  /** The capture protocol v1; `sdk` is that of the request. */
  | { readonly kind: 'v1'; readonly sdk: Sdk | undefined }

/** Values of a request that apply to each of its events. */
export type IngestContext = {
  readonly projectId: number
  readonly dialect: Dialect
  readonly receivedAtMs: number
  /** Taken from the request; if empty, each item may carry its own. */
  readonly sentAt: readonly SentAtValue[]
  /** Address of the client; empty when it is not known. */
  readonly ip: string
  readonly anonymizeIps: boolean
}

export type ParsedEvents = {
  readonly events: readonly IngestEvent[]
  /** Events that were dropped or changed. */
  readonly losses: Losses
  /** Body of the answer to a request of the capture protocol v1; empty for the others. */
  readonly results: string
}

type EventResult =
  | { readonly kind: 'event'; readonly event: IngestEvent }
  | Exclude<RawResult, { kind: 'raw' }>

/** Carried on the public routes, but not analytics: session recordings, heat maps, reports. */
const NOT_ANALYTICS: ReadonlySet<string> = new Set([
  '$performance_event',
  '$snapshot',
  '$snapshot_items',
  '$$heatmap',
  '$$client_ingestion_warning',
])
const IS_NOT_AN_OBJECT = { kind: 'dropped', reason: 'not_an_object' } as const
const NO_NAME = { kind: 'dropped', reason: 'no_name' } as const
const NO_DISTINCT_ID = { kind: 'dropped', reason: 'no_distinct_id' } as const
const IS_NOT_ANALYTICS = { kind: 'dropped', reason: 'not_analytics' } as const
const IS_TOO_LARGE = { kind: 'dropped', reason: 'too_large' } as const

/**
 * Turns a decoded payload into events ready to store, in the order sent. Never throws as long as
 * `payload` is JSON no deeper than `JSON_DEPTH_MAX`. Takes the payload over: its objects are
 * changed.
 * @param newUuid makes the uuid of an event that has none.
 */
export function parseEvents(
  payload: unknown,
  context: IngestContext,
  newUuid: () => string,
): Result<ParsedEvents, PayloadError> {
  const isV1 = context.dialect.kind === 'v1'
  const items = isV1 ? v1Items(payload) : batchItems(payload)
  if (!items.ok) return items
  const events: IngestEvent[] = []
  const drops: (DropReason | undefined)[] = []
  const notes = new LossNotes()
  const sentAt = firstSentAt(context.sentAt)
  let unreadable = 0
  for (const [index, item] of items.value.entries()) {
    const parsed = parseItem(item, index, context, sentAt, newUuid, notes)
    if (parsed.kind === 'event') events.push(parsed.event)
    else if (isUnreadable(parsed.reason, isV1)) unreadable += 1
    else if (parsed === IS_TOO_LARGE && !isV1) return TOO_LARGE
    if (isV1) drops.push(parsed.kind === 'dropped' ? parsed.reason : undefined)
  }
  if (unreadable > 0 && unreadable === items.value.length) return INVALID_PAYLOAD
  const results = isV1 ? v1ResultsText(items.value, drops) : ''
  return ok({ events, losses: notes.losses, results })
}

/** The answer of v1 names each object, and says what is wrong with it. */
function isUnreadable(reason: DropReason, isV1: boolean): boolean {
  return reason === 'not_an_object' || (reason === 'bad_properties' && !isV1)
}

function parseItem(
  item: unknown,
  index: number,
  context: IngestContext,
  requestSentAt: Instant | undefined,
  newUuid: () => string,
  notes: LossNotes,
): EventResult {
  if (!isObject(item)) {
    notes.add(droppedItem('not_an_object', index, undefined, undefined))
    return IS_NOT_AN_OBJECT
  }
  const read = readItem(item, context)
  if (read.kind === 'dropped') {
    notes.add(droppedItem(read.reason, index, item['event'], idOf(item)))
    return read
  }
  const { raw } = read
  const name = eventName(raw.name)
  const distinctId = idText(raw.distinctId, DISTINCT_ID_LENGTH_MAX)
  const drop = dropOf(name, distinctId)
  if (drop !== undefined) {
    notes.add(droppedItem(drop.reason, index, name, distinctId))
    return drop
  }
  if (name === '$page' || name === '$screen') describePage(item, raw.properties)
  const sentAt = requestSentAt ?? parseTimestamp(raw.sentAt)
  const head = { name, distinctId, sentAt }
  const event = toEvent(raw, head, context, newUuid, notes)
  if (isOversized(event)) {
    notes.add(lossOf('too_large', event))
    return IS_TOO_LARGE
  }
  if (!isAsSent(raw, event, item['uuid'])) {
    for (const loss of changesOf(raw, event, item['uuid'])) notes.add(loss)
  }
  return { kind: 'event', event }
}

function dropOf(name: string, distinctId: string) {
  if (name === '') return NO_NAME
  if (distinctId === '') return NO_DISTINCT_ID
  return NOT_ANALYTICS.has(name) ? IS_NOT_ANALYTICS : undefined
}

function idOf(item: JsonObject): unknown {
  return item['distinct_id'] ?? item['$distinct_id'] ?? item['userId'] ?? item['anonymousId']
}

function readItem(item: JsonObject, { dialect, projectId }: IngestContext): RawResult {
  switch (dialect.kind) {
    case 'segment':
      return readSegmentEvent(item, dialect.type, projectId)
    case 'v1':
      return readV1Event(item, dialect.sdk)
    case 'groups':
      return readGroupUpdate(item)
    case 'mixpanel':
      return readMixpanelEvent(item, projectId)
    case 'posthog':
      return isSegmentEvent(item)
        ? readSegmentEvent(item, undefined, projectId)
        : readNativeEvent(item, 'posthog')
    default:
      return readNativeEvent(item, dialect.kind)
  }
}

type EventHead = {
  readonly name: string
  readonly distinctId: string
  readonly sentAt: Instant | undefined
}

function toEvent(
  raw: RawEvent,
  { name, distinctId, sentAt }: EventHead,
  context: IngestContext,
  newUuid: () => string,
  notes: LossNotes,
): IngestEvent {
  const chain = takeElements(raw.properties)
  enrich(raw, sentAt, context)
  const { properties, text } = cleanProperties(raw.properties)
  const clockSentAt = properties['$ignore_sent_at'] ? undefined : sentAt
  const { receivedAtMs } = context
  const timestamp = correctedTimestamp(raw.timestamp, raw.offset, clockSentAt, receivedAtMs)
  const event = {
    uuid: raw.uuid ?? newUuid(),
    event: name,
    distinctId,
    timestamp: timestamp ?? formatInstant(receivedAtMs, 0),
    properties: text,
    elementsChain: chain,
    person: personChange(name, distinctId, properties),
    groups: groupRefs(properties),
    groupChange: groupChange(name, properties),
  }
  if (timestamp === undefined) notes.add(givenLoss('bad_timestamp', event, raw.timestamp))
  if (properties !== raw.properties) noteCleaned(raw.properties, event, notes)
  if (isIllegalMerge(event, properties)) {
    notes.add(lossOf('cannot_merge_with_illegal_distinct_id', event))
  }
  return event
}

/** An escaped backslash may have looked like what cannot be stored. */
function noteCleaned(sent: JsonDraft, event: IngestEvent, notes: LossNotes): void {
  if (exactJson(sent) !== event.properties) notes.add(lossOf('unstorable_text', event))
}

/** Properties without anything that Postgres refuses, as an object and as JSON text. */
export function cleanProperties(properties: JsonDraft): { properties: JsonDraft; text: string } {
  const text = exactJson(properties)
  if (!mayHoldUnstorable(text)) return { properties, text }
  const clean = cleanObject(properties, cleanExact)
  return { properties: clean, text: exactJson(clean) }
}

/** Empty when there is none. A blank name is one; what is not text is named by its JSON. */
export function eventName(value: unknown): string {
  return cleanText(cutText(plainText(value), EVENT_NAME_LENGTH_MAX))
}

function enrich(raw: RawEvent, sentAt: Instant | undefined, context: IngestContext): void {
  const { properties } = raw
  if (properties['$ip'] === undefined && context.ip !== '') properties['$ip'] = context.ip
  if (sentAt !== undefined) properties['$sent_at'] = sentAtText(sentAt)
  promote(raw)
  if (context.anonymizeIps) removeIpAddresses(properties)
}

/**
 * Removes each address that a client or the server has put into an event's properties, for projects
 * that anonymize addresses: those of the event, and those it would set on its person or group. A
 * key set to undefined is left out of the JSON text, while `delete` would make a slow object.
 */
function removeIpAddresses(properties: JsonDraft): void {
  removeNames(properties)
  for (const holder of HOLDERS) {
    const held = properties[holder]
    if (isObject(held)) removeNames(held)
  }
}

function removeNames(draft: JsonDraft): void {
  for (const name of NAMES) if (draft[name] !== undefined) draft[name] = undefined
}
