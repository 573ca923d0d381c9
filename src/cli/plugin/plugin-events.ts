/** Recorded events, taken in as the server takes them in, for a plugin to be tried on. */
import type { ProjectId } from '../../core/ids.ts'
import type { IngestEvent } from '../../events/event.ts'
import { parseEvents } from '../../events/parse-event.ts'
import type { PluginEvent, StoredPluginEvent } from '../../plugins/ports.ts'
import {
  type EventFrame,
  toIngestEvent,
  toPluginEvent,
  toStoredEvent,
} from '../../plugins/runtime/event-form.ts'
import { isRecord } from '../../wire/proto/rules.ts'
import type { Json, JsonObject } from '../../wire/proto/value.ts'
import { UsageError } from '../usage-error.ts'

export type RecordedEvent = {
  readonly event: PluginEvent
  /** What is left of it after the steps, as `onEvent` and `exportEvents` get it. */
  stored(processed: PluginEvent): StoredPluginEvent
}

export type RecordedFrame = {
  readonly projectId: ProjectId
  readonly newUuid: () => string
  /** Milliseconds since the epoch. */
  readonly nowMs: number
}

/**
 * One event, a list of them, a body of `/batch/`, or what the list of events answers.
 * @param source where they are from, for errors.
 * @throws {UsageError} naming the first one that the server would not take.
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

/** For a plugin that comes without events of its own. */
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
  if (!isRecord(json)) return [json]
  const list = [json['batch'], json['results']].find((each) => each !== undefined && isList(each))
  return list !== undefined && isList(list) ? list : [json]
}

/** The list of events answers properties as JSON text, and the address is one of them. */
function asSent(item: Json, place: string): JsonObject {
  if (!isRecord(item)) throw new UsageError(`${place} is not an object`)
  const { ip, properties: given } = item
  const properties = typeof given === 'string' ? parsed(given) : (given ?? {})
  if (!isRecord(properties)) throw new UsageError(`${place}: "properties" is not an object`)
  const address = typeof ip === 'string' && ip !== '' ? { $ip: ip } : {}
  return { ...item, properties: { ...address, ...properties } }
}

function captured(item: JsonObject, place: string, frame: RecordedFrame): IngestEvent {
  const { projectId, newUuid, nowMs } = frame
  const context = {
    ...{ projectId, dialect: { kind: 'posthog' } as const, receivedAtMs: nowMs },
    ...{ sentAt: undefined, ip: '', anonymizeIps: false },
  }
  const read = parseEvents([structuredClone(item)], context, newUuid)
  if (!read.ok) throw new UsageError(`${place}: ${read.error.code}`)
  const [event] = read.value.events
  if (event !== undefined) return event
  const dropped = Object.entries(read.value.dropped).find(([, count]) => count > 0)
  throw new UsageError(`${place} would not be taken: ${dropped?.[0] ?? 'unknown'}`)
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null // The caller says what is wrong.
  }
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}
