/** Reads events of the product's own form, which the PostHog libraries send. */

import type { JsonObject } from '../../core/json.ts'
import { BAD_PROPERTIES, type RawResult, readProperties } from '../raw-event.ts'
import { parseUuid } from '../uuid.ts'
import { readContext } from './message-fields.ts'

/**
 * `engage` names every event `$identify`; `mixpanel` falls back to `properties.time`. Otherwise the
 * three are one form.
 */
export type NativeDialect = 'posthog' | 'engage' | 'mixpanel'

/**
 * Reads an event of the product's own form, and of Mixpanel's, which it grew out of. Its `messageId`
 * is no id of it: the samples of the documentation give several events the same one.
 */
export function readNativeEvent(item: JsonObject, dialect: NativeDialect): RawResult {
  const properties = readProperties(item['properties'])
  if (properties === undefined) return BAD_PROPERTIES
  readContext(item, properties)
  const timestamp = item['timestamp']
  return {
    kind: 'raw',
    raw: {
      name: dialect === 'engage' ? '$identify' : item['event'],
      // Null is "not set": some clients send it at the top and the id among the properties.
      distinctId: item['$distinct_id'] ?? properties['distinct_id'] ?? item['distinct_id'],
      properties,
      timestamp: dialect === 'mixpanel' ? (timestamp ?? properties['time']) : timestamp,
      offset: item['offset'],
      sentAt: item['sent_at'],
      uuid: givenUuid(item),
      set: item['$set'],
      setOnce: item['$set_once'],
      unset: item['$unset'],
    },
  }
}

function givenUuid({ uuid }: JsonObject): string | undefined {
  return uuid === undefined ? undefined : parseUuid(uuid)
}
