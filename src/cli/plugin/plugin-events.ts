/** Reads recorded events for the trial of a plugin, by the rules of the server. */

import type { ProjectId } from '../../core/ids.ts'
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { IngestEvent } from '../../events/event.ts'
import { parseEvents } from '../../events/parse-event.ts'
import type { PluginEvent, StoredPluginEvent } from '../../plugins/ports.ts'
import {
  type EventFrame,
  toIngestEvent,
  toPluginEvent,
  toStoredEvent,
} from '../../plugins/runtime/event-form.ts'
import { UsageError } from '../command-end.ts'

export type RecordedEvent = {
  readonly event: PluginEvent
  /** The event after the steps, as `onEvent` and `exportEvents` get it. */
  stored(processed: PluginEvent): StoredPluginEvent
}

export type RecordedFrame = {
  readonly projectId: ProjectId
  readonly newUuid: () => string
  /** Milliseconds since the epoch. */
  readonly nowMs: number
}

/**
 * Reads one event, a list of events, a body of `/batch/`, or an answer of the list of events.
 * @param source where they are from, for errors.
 * @throws {UsageError} that names the first event that the server would refuse.
 */
export function readRecorded(
  json: Json,
  source: string,
  frame: RecordedFrame,
): readonly RecordedEvent[] {
  const items = itemsOf(json)
  if (items.length === 0) throw new UsageError(`${source}: there are no events`)
  return items.map((item, index) => {
    const place = `${source}: event ${index + 1}`
    return recorded(captured(asSent(item, place), place, frame), frame)
  })
}

/** Events for a plugin that has none of its own. */
export const SAMPLE_EVENTS: Json = [
  {
    event: '$pageview',
    distinct_id: 'ann',
    properties: { $current_url: 'https://shop.example.com/', $ip: '192.0.2.1' },
  },
  { event: '$identify', distinct_id: 'ann', $set: { email: 'ann@example.com' } },
  { event: 'order completed', distinct_id: 'ann', properties: { $revenue: 20, $currency: 'EUR' } },
]

const SITE_URL = 'http://127.0.0.1:8000'

function recorded(original: IngestEvent, { projectId, nowMs }: RecordedFrame): RecordedEvent {
  const frame: EventFrame = { projectId, siteUrl: SITE_URL, receivedAtMs: nowMs }
  return {
    event: toPluginEvent(original, frame),
    stored: (processed) =>
      toStoredEvent(toIngestEvent(original, structuredClone(processed), frame), projectId),
  }
}

function itemsOf(json: Json): readonly Json[] {
  if (isList(json)) return json
  if (!isObject(json)) return [json]
  const list = [json['batch'], json['results']].find((each) => each !== undefined && isList(each))
  return list !== undefined && isList(list) ? list : [json]
}

/** The list of events answers properties as JSON text, and the address among them. */
function asSent(item: Json, place: string): JsonObject {
  if (!isObject(item)) throw new UsageError(`${place} is not an object`)
  const { ip, properties: given } = item
  const properties = typeof given === 'string' ? parsed(given) : (given ?? {})
  if (!isObject(properties)) throw new UsageError(`${place}: "properties" is not an object`)
  const address = typeof ip === 'string' && ip !== '' ? { $ip: ip } : {}
  return { ...item, properties: { ...address, ...properties } }
}

function captured(item: JsonObject, place: string, frame: RecordedFrame): IngestEvent {
  const { projectId, newUuid, nowMs } = frame
  const context = {
    projectId,
    dialect: { kind: 'posthog' } as const,
    receivedAtMs: nowMs,
    sentAt: [],
    ip: '',
    anonymizeIps: false,
  }
  const read = parseEvents([structuredClone(item)], context, newUuid)
  if (!read.ok) throw new UsageError(`${place}: ${read.error.code}`)
  const [event] = read.value.events
  if (event !== undefined) return event
  throw new UsageError(
    `the server would refuse ${place}: ${Object.keys(read.value.losses.counts).join(', ')}`,
  )
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null // The caller words the error.
  }
}
