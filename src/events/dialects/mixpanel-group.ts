/** Reads updates of groups of the Mixpanel libraries. */

import { isObject, type JsonObject } from '../../core/json.ts'
import { GROUP_KEY_LENGTH_MAX } from '../../core/limits/limits.ts'
import { idText } from '../clean-event-text.ts'
import type { RawResult } from '../raw-event.ts'

const UNKNOWN_TYPE = { kind: 'dropped', reason: 'unknown_type' } as const

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
