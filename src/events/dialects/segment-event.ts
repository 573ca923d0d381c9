/** Reads events of the Segment and RudderStack libraries. */

import { isObject, type JsonDraft, type JsonObject } from '../../core/json.ts'
import { DISTINCT_ID_LENGTH_MAX, GROUP_KEY_LENGTH_MAX } from '../../core/limits/limits.ts'
import { idText } from '../clean-event-text.ts'
import { type RawEvent, type RawResult, REFUSED, readProperties } from '../raw-event.ts'
import { messageUuid } from '../uuid.ts'

export const SEGMENT_TYPES = ['track', 'identify', 'page', 'screen', 'alias', 'group'] as const
export type SegmentType = (typeof SEGMENT_TYPES)[number]

/** Segment's groups have no type; all of them become groups of this one. */
const GROUP_TYPE = 'group'
/** Longer message ids are no ids. */
const MESSAGE_ID_LENGTH_MAX = 1_024
const UNKNOWN_TYPE = { kind: 'dropped', reason: 'unknown_type' } as const

type Fields = {
  readonly item: JsonObject
  readonly properties: JsonDraft
  readonly traits: JsonObject
  readonly anonymousId: string
  readonly userId: string
}

/**
 * Reads an event of Segment's form, which RudderStack shares. `routeType` is that of `/v1/track`
 * and its kin; in a batch each item names its own. Of `context` the user's ip is kept, as the
 * request comes from a server, whose own address would be wrong, and the user's group.
 */
export function readSegmentEvent(
  item: JsonObject,
  routeType: SegmentType | undefined,
  projectId: number,
): RawResult {
  const properties = readProperties(item['properties'])
  if (properties === undefined) return REFUSED
  const type = typeOf(item['type']) ?? routeType
  if (type === undefined) return UNKNOWN_TYPE
  const context = item['context']
  const contextTraits = isObject(context) ? context['traits'] : undefined
  if (isObject(context)) readContext(context, properties)
  const traits = isObject(item['traits']) ? item['traits'] : contextTraits
  const fields: Fields = {
    item,
    properties,
    traits: isObject(traits) ? traits : {},
    anonymousId: idText(item['anonymousId'], DISTINCT_ID_LENGTH_MAX),
    userId: idText(item['userId'], DISTINCT_ID_LENGTH_MAX),
  }
  return { kind: 'raw', raw: toRaw(fields, mapType(type, fields), projectId) }
}

/** What the event itself says is above what its context says. */
function readContext(context: JsonObject, properties: JsonDraft): void {
  if (typeof context['ip'] === 'string') properties['$ip'] ??= context['ip']
  const groupId = idText(context['groupId'], GROUP_KEY_LENGTH_MAX)
  if (groupId !== '') properties['$groups'] ??= { [GROUP_TYPE]: groupId }
}

function typeOf(value: unknown): SegmentType | undefined {
  return SEGMENT_TYPES.find((type) => type === value)
}

function toRaw(fields: Fields, name: unknown, projectId: number): RawEvent {
  const { item, properties, userId, anonymousId } = fields
  const messageId = item['messageId']
  const hasMessageId =
    typeof messageId === 'string' && messageId !== '' && messageId.length <= MESSAGE_ID_LENGTH_MAX
  return {
    name,
    distinctId: userId === '' ? anonymousId : userId,
    properties,
    timestamp: item['timestamp'] ?? item['originalTimestamp'],
    offset: undefined,
    sentAt: undefined,
    uuid: hasMessageId ? messageUuid(projectId, messageId) : undefined,
    set: undefined,
    setOnce: undefined,
    unset: undefined,
  }
}

/** Puts what the type carries beside its properties among them; answers the event's name. */
function mapType(type: SegmentType, fields: Fields): unknown {
  const { item, properties, traits, anonymousId, userId } = fields
  switch (type) {
    case 'track':
      return item['event']
    case 'identify':
      properties['$set'] = traits
      if (userId !== '' && anonymousId !== '') properties['$anon_distinct_id'] = anonymousId
      return '$identify'
    case 'page':
      describePage(item, properties)
      return '$pageview'
    case 'screen':
      describePage(item, properties)
      properties['$screen_name'] ??= item['name'] ?? undefined
      return '$screen'
    case 'alias':
      properties['alias'] = item['previousId']
      return '$create_alias'
    case 'group':
      properties['$group_type'] = GROUP_TYPE
      properties['$group_key'] = item['groupId']
      properties['$group_set'] = traits
      return '$groupidentify'
    default:
      return type satisfies never
  }
}

function describePage(item: JsonObject, properties: JsonDraft): void {
  properties['name'] ??= item['name'] ?? undefined
  properties['category'] ??= item['category'] ?? undefined
  properties['$current_url'] ??= properties['url'] ?? undefined
}
