/** Reads events of the Mixpanel libraries. */

import { isObject, type JsonObject } from '../../core/json.ts'
import { exactJson } from '../../core/json-text/exact-numbers.ts'
import { GROUP_KEY_LENGTH_MAX } from '../../core/limits/limits.ts'
import { idText } from '../clean-event-text.ts'
import type { RawResult } from '../raw-event.ts'
import { messageUuid } from '../uuid.ts'
import { readNativeEvent } from './native-event.ts'

const UNKNOWN_TYPE = { kind: 'dropped', reason: 'unknown_type' } as const

/** Longest insert id; longer ones are ignored. Ids of the libraries have 16 characters. */
const INSERT_ID_LENGTH_MAX = 1_024

/**
 * Reads an event of Mixpanel's form. Its browser library sends what it holds when its page is
 * hidden, again when it is left, and once more from the next page, and counts on the server to know
 * an event by its `$insert_id`, name, time and user.
 */
export function readMixpanelEvent(item: JsonObject, projectId: number): RawResult {
  const read = readNativeEvent(item, 'mixpanel')
  if (read.kind !== 'raw' || read.raw.uuid !== undefined) return read
  return { kind: 'raw', raw: { ...read.raw, uuid: insertUuid(item, projectId) } }
}

/** Undefined for an event without an insert id. */
function insertUuid(item: JsonObject, projectId: number): string | undefined {
  const properties = item['properties']
  if (!isObject(properties)) return undefined
  const { $insert_id: id, time, distinct_id: distinctId } = properties
  if (typeof id !== 'string' || id === '' || id.length > INSERT_ID_LENGTH_MAX) return undefined
  return messageUuid(projectId, exactJson([id, item['event'], time, distinctId]))
}

/**
 * Reads an update of a Mixpanel group: there `$group_key` is the type and `$group_id` the group.
 * Only `$set` is known of groups: a property that should be set once would overwrite what is there.
 */
export function readGroupUpdate(item: JsonObject): RawResult {
  const { $set: set } = item
  if (!isObject(set)) return UNKNOWN_TYPE
  const type = idText(item['$group_key'], GROUP_KEY_LENGTH_MAX)
  const key = idText(item['$group_id'], GROUP_KEY_LENGTH_MAX)
  return {
    kind: 'raw',
    raw: {
      name: '$groupidentify',
      distinctId: item['$distinct_id'] ?? (type === '' || key === '' ? '' : `$${type}_${key}`),
      properties: { $group_type: type, $group_key: key, $group_set: set },
      timestamp: undefined,
      offset: undefined,
      sentAt: undefined,
      uuid: undefined,
      set: undefined,
      setOnce: undefined,
      unset: undefined,
    },
  }
}
