/**
 * Reads from the properties of an event what it changes: its person, its groups, the properties of
 * a group.
 */

import { isObject, type JsonDraft } from '../core/json.ts'
import { exactJson } from '../core/json-text/exact-numbers.ts'
import { DISTINCT_ID_LENGTH_MAX, GROUP_KEY_LENGTH_MAX } from '../core/limits/limits.ts'
import { idText } from './clean-event-text.ts'
import {
  type GroupChange,
  type GroupRef,
  type IngestEvent,
  NO_PERSON_CHANGE,
  type PersonChange,
  type PersonMerge,
} from './event.ts'
import { isIllegalId } from './illegal-ids.ts'
import { type Located, personTexts, unsetNames } from './person-properties.ts'

/** `$groups` entries read from one event; a project has at most five group types. */
export const GROUPS_PER_EVENT_MAX = 16

const NO_PROFILE: PersonChange = { ...NO_PERSON_CHANGE, profile: false }
const NO_GROUPS: readonly GroupRef[] = []

/** Reads from its clean properties what an event changes. */
export function personChange(
  name: string,
  distinctId: string,
  properties: JsonDraft,
  located?: Located,
): PersonChange {
  if (properties['$process_person_profile'] === false) return NO_PROFILE
  const { set, setOnce, volatile } = personTexts(name, properties, located)
  const unset = unsetNames(properties['$unset'])
  const merge = mergeOf(name, distinctId, properties)
  const isPlain = set === '' && setOnce === '' && volatile === ''
  if (isPlain && unset.length === 0 && merge === undefined) return NO_PERSON_CHANGE
  return { profile: true, setOnce, volatile, set, unset, merge }
}

/** No merge when an id is missing or illegal, or when both are one: not even "identified" then. */
function mergeOf(name: string, distinctId: string, properties: JsonDraft): PersonMerge | undefined {
  const merge = askedMerge(name, distinctId, properties)
  return merge === undefined || isIllegal(merge, distinctId) ? undefined : merge
}

/** True when an event asks for a merge that one of its ids forbids. */
export function isIllegalMerge(
  { event, distinctId, person }: Pick<IngestEvent, 'event' | 'distinctId' | 'person'>,
  properties: JsonDraft,
): boolean {
  if (person.merge !== undefined || !person.profile) return false
  const merge = askedMerge(event, distinctId, properties)
  return merge !== undefined && isIllegal(merge, distinctId)
}

function isIllegal({ otherDistinctId }: PersonMerge, distinctId: string): boolean {
  return isIllegalId(otherDistinctId) || isIllegalId(distinctId)
}

/** Undefined when an id is missing, or when both are one. */
function askedMerge(
  name: string,
  distinctId: string,
  properties: JsonDraft,
): PersonMerge | undefined {
  const kind = mergeKind(name)
  if (kind === undefined) return undefined
  const other = properties[kind === 'identify' ? '$anon_distinct_id' : 'alias']
  // A falsy alias is none, though its text could be an id.
  if (!other) return undefined
  const otherDistinctId = idText(other, DISTINCT_ID_LENGTH_MAX)
  return otherDistinctId === distinctId ? undefined : { kind, otherDistinctId }
}

function mergeKind(name: string): PersonMerge['kind'] | undefined {
  switch (name) {
    case '$identify':
      return 'identify'
    case '$create_alias':
      return 'alias'
    case '$merge_dangerously':
      return 'dangerously'
    default:
      return undefined
  }
}

/** `$groups` of an event, `{type: key}`. Entries without a type or a key are skipped. */
export function groupRefs(properties: JsonDraft): readonly GroupRef[] {
  const groups = properties['$groups']
  if (!isObject(groups)) return NO_GROUPS
  const refs: GroupRef[] = []
  for (const name of Object.keys(groups)) {
    if (refs.length === GROUPS_PER_EVENT_MAX) break
    const type = idText(name, GROUP_KEY_LENGTH_MAX)
    const key = idText(groups[name], GROUP_KEY_LENGTH_MAX)
    if (type !== '' && key !== '') refs.push({ type, key })
  }
  return refs
}

/** The group that `$groupidentify` creates or updates; undefined without a type or a key. */
export function groupChange(name: string, properties: JsonDraft): GroupChange | undefined {
  if (name !== '$groupidentify') return undefined
  const type = idText(properties['$group_type'], GROUP_KEY_LENGTH_MAX)
  const key = idText(properties['$group_key'], GROUP_KEY_LENGTH_MAX)
  if (type === '' || key === '') return undefined
  return { type, key, set: objectText(properties['$group_set']) || '{}' }
}

/** JSON text of an object that has keys, else empty. */
function objectText(value: unknown): string {
  const text = isObject(value) ? exactJson(value) : ''
  return text === '{}' ? '' : text
}
