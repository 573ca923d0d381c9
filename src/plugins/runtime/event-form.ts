/** Converts events between ingestion and plugins, before the first step and after the last. */

import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { parseExact } from '../../core/json-text/exact-numbers.ts'
import { DISTINCT_ID_LENGTH_MAX } from '../../core/limits/limits.ts'
import { idText } from '../../events/clean-event-text.ts'
import { takeElements } from '../../events/elements.ts'
import { parseElementsChain } from '../../events/elements-chain.ts'
import type { IngestEvent } from '../../events/event.ts'
import { cleanProperties, eventName } from '../../events/parse-event.ts'
import { groupChange, groupRefs, personChange } from '../../events/person-change.ts'
import { promote, takeLocated } from '../../events/person-properties.ts'
import { eventTimestamp } from '../../events/time/timestamp.ts'
import type { PluginEvent, StoredPluginEvent } from '../ports.ts'

/** Values that the events of one batch share. */
export type EventFrame = {
  readonly projectId: ProjectId
  readonly siteUrl: string
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number
}

type Properties = PluginEvent['properties']

/**
 * The event that `processEvent` gets. Elements are in `$elements_chain`, so that a plugin can
 * change or remove them.
 */
export function toPluginEvent(event: IngestEvent, frame: EventFrame): PluginEvent {
  const properties = parseExact(event.properties) as Properties
  if (event.elementsChain !== '') properties['$elements_chain'] = event.elementsChain
  const sentAt = properties['$sent_at']
  return {
    uuid: event.uuid,
    event: event.event,
    distinct_id: event.distinctId,
    team_id: frame.projectId,
    properties,
    timestamp: event.timestamp,
    now: new Date(frame.receivedAtMs).toISOString(),
    ...(typeof sentAt === 'string' ? { sent_at: sentAt } : {}),
    ip: ipOf(properties),
    site_url: frame.siteUrl,
  }
}

/**
 * The event that is stored: it is made by the rules for incoming events with these properties. It
 * takes over `given`, which has been checked.
 */
export function toIngestEvent(
  original: IngestEvent,
  given: PluginEvent,
  { receivedAtMs }: EventFrame,
): IngestEvent {
  const name = eventName(given.event)
  const distinctId = idText(given.distinct_id, DISTINCT_ID_LENGTH_MAX)
  const raw = given.properties
  promote({ properties: raw, set: given.$set, setOnce: given.$set_once, unset: undefined })
  const elementsChain = takeElements(raw)
  const located = takeLocated(raw, original.person)
  const { properties, text } = cleanProperties(raw)
  const isSameTime = given.timestamp === original.timestamp
  return {
    uuid: original.uuid,
    event: name,
    distinctId,
    timestamp: isSameTime
      ? original.timestamp
      : eventTimestamp(given.timestamp, undefined, undefined, receivedAtMs),
    properties: text,
    elementsChain,
    person: personChange(name, distinctId, properties, located),
    groups: groupRefs(properties),
    groupChange: groupChange(name, properties),
  }
}

/** The event that `onEvent` and `exportEvents` get. */
export function toStoredEvent(event: IngestEvent, projectId: ProjectId): StoredPluginEvent {
  const properties = parseExact(event.properties) as Properties
  const { $set: set, $set_once: setOnce } = properties
  return {
    uuid: event.uuid,
    event: event.event,
    distinct_id: event.distinctId,
    team_id: projectId,
    properties,
    timestamp: event.timestamp,
    ip: ipOf(properties),
    elements: elementsOf(event.elementsChain),
    ...(set === undefined ? {} : { $set: set }),
    ...(setOnce === undefined ? {} : { $set_once: setOnce }),
  }
}

function elementsOf(chain: string): Json {
  return parseElementsChain(chain).map((element) => ({ ...element }))
}

/** Null when the address is unknown. */
export function ipOf(properties: Properties): string | null {
  const ip = properties['$ip']
  return typeof ip === 'string' ? ip : null
}
