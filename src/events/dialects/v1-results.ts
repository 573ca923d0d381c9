/** Writes the answer of the capture protocol v1: the result of each event. */

import { isObject, type JsonObject } from '../../core/json.ts'
import type { DropReason } from '../raw-event.ts'
import { givenUuid, v1NoteOf } from './v1-event.ts'

/** Why an event is not stored, in the words of the capture protocol v1. */
const DROP_DETAILS: Readonly<Record<DropReason, string>> = {
  not_an_object: 'malformed_event',
  no_name: 'missing_event_name',
  no_distinct_id: 'missing_distinct_id',
  not_analytics: 'not_an_analytics_event',
  unknown_type: 'unknown_event_type',
  bad_properties: 'malformed_event_properties',
  too_large: 'event_too_large',
}
const OK = '{"result":"ok"}'

/**
 * Body of the answer to a batch of the capture protocol v1, once its events are durable: a JSON
 * object with the result of each item by the uuid that the client sent. Items without a uuid are
 * left out; if several have the same one, the last counts.
 * @param drops one for each item: why it is not stored, or undefined.
 */
export function v1ResultsText(
  items: readonly unknown[],
  drops: readonly (DropReason | undefined)[],
): string {
  const results = new Map<string, string>()
  for (const [at, item] of items.entries()) {
    if (!isObject(item)) continue
    const uuid = givenUuid(item)
    if (uuid !== '') results.set(uuid, resultText(item, drops[at]))
  }
  const members: string[] = []
  for (const [uuid, result] of results) members.push(`${JSON.stringify(uuid)}:${result}`)
  return `{"results":{${members.join(',')}}}`
}

function resultText(item: JsonObject, drop: DropReason | undefined): string {
  if (drop !== undefined) return `{"result":"drop","details":"${DROP_DETAILS[drop]}"}`
  const note = v1NoteOf(item)
  return note === undefined ? OK : `{"result":"warning","details":"${note}"}`
}
