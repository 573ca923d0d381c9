/** Reads events of the Segment and RudderStack libraries. */

import { isObject, type JsonDraft, type JsonObject } from '../../core/json.ts'
import { DISTINCT_ID_LENGTH_MAX } from '../../core/limits/limits.ts'
import { idText } from '../clean-event-text.ts'
import { BAD_PROPERTIES, type RawEvent, type RawResult, readProperties } from '../raw-event.ts'
import { describePage, GROUP_TYPE, readContext, uuidOfMessage } from './message-fields.ts'

export const SEGMENT_TYPES = ['track', 'identify', 'page', 'screen', 'alias', 'group'] as const
export type SegmentType = (typeof SEGMENT_TYPES)[number]

const UNKNOWN_TYPE = { kind: 'dropped', reason: 'unknown_type' } as const

type Fields = {
  readonly item: JsonObject
  readonly properties: JsonDraft
  readonly traits: JsonObject
  readonly anonymousId: string
  readonly userId: string
}

/**
 * Whether an item of the product's own routes is of Segment's form: it has one of the six types and
 * an id that only Segment's form has. One with a name and an id of the product's form is of that.
 */
export function isSegmentEvent(item: JsonObject): boolean {
  if (typeOf(item['type']) === undefined) return false
  if (!isGiven(item['userId']) && !isGiven(item['anonymousId'])) return false
  return !isGiven(item['event']) || !hasOwnId(item)
}

function hasOwnId({ distinct_id: id, $distinct_id: dollarId, properties }: JsonObject): boolean {
  if (isGiven(id) || isGiven(dollarId)) return true
  return isObject(properties) && isGiven(properties['distinct_id'])
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/**
 * Reads an event of Segment's form, which RudderStack shares. `routeType` is that of `/v1/track`
 * and its kin; in a batch each item names its own.
 */
export function readSegmentEvent(
  item: JsonObject,
  routeType: SegmentType | undefined,
  projectId: number,
): RawResult {
  const properties = readProperties(item['properties'])
  if (properties === undefined) return BAD_PROPERTIES
  const type = typeOf(item['type']) ?? routeType
  if (type === undefined) return UNKNOWN_TYPE
  const context = item['context']
  const contextTraits = isObject(context) ? context['traits'] : undefined
  readContext(item, properties)
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

function typeOf(value: unknown): SegmentType | undefined {
  return SEGMENT_TYPES.find((type) => type === value)
}

function toRaw(fields: Fields, name: unknown, projectId: number): RawEvent {
  const { item, properties, userId } = fields
  return {
    name,
    // Not cut yet: the parser records what it cuts.
    distinctId: item[userId === '' ? 'anonymousId' : 'userId'],
    properties,
    timestamp: item['timestamp'] ?? item['originalTimestamp'],
    offset: undefined,
    sentAt: undefined,
    uuid: uuidOfMessage(item, projectId),
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
      properties['$current_url'] ??= properties['url'] ?? undefined
      return '$pageview'
    case 'screen':
      describePage(item, properties)
      properties['$current_url'] ??= properties['url'] ?? undefined
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
