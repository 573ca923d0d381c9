/** The fields that an expression may name. */
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import type { FieldName, Typed, ValueType } from './typed.ts'

type FieldRule = {
  readonly type: ValueType
  /** SQL over the row aliases `e` (events) and `p` (the event's person). */
  readonly sql: Fragment
  readonly ofPerson: boolean
}

export const FIELDS: Readonly<Record<FieldName, FieldRule>> = {
  uuid: ofEvent('UUID', fragment`e.uuid`),
  event: ofEvent('String', fragment`e.event`),
  timestamp: ofEvent('DateTime', fragment`e.timestamp`),
  distinct_id: ofEvent('String', fragment`e.distinct_id`),
  properties: ofEvent('String', fragment`e.properties::text`),
  elements_chain: ofEvent('String', fragment`e.elements_chain`),
  created_at: ofEvent('DateTime', fragment`e.created_at`),
  team_id: ofEvent('Int64', fragment`e.project_id::numeric`),
  'person.id': ofPerson('UUID', fragment`p.uuid`),
  'person.created_at': ofPerson('DateTime', fragment`p.created_at`),
  'person.properties': ofPerson('String', fragment`p.properties::text`),
}

const PATHS: ReadonlyMap<string, FieldName> = new Map([
  // The keys of a record of field names are field names.
  ...(Object.keys(FIELDS) as FieldName[]).map((name) => [name, name] as const),
  ['id', 'uuid'],
  ['person_id', 'person.id'],
])

/** The field of a name and its keys; undefined when there is none. */
export function fieldOf(path: readonly string[]): Typed | undefined {
  const [first, second, third] = path
  if (first === 'properties' && second !== undefined && path.length === 2) {
    return { kind: 'property', type: 'String', source: 'event', key: second }
  }
  if (first === 'person' && second === 'properties' && third !== undefined && path.length === 3) {
    return { kind: 'property', type: 'String', source: 'person', key: third }
  }
  const field = PATHS.get(path.join('.'))
  return field === undefined ? undefined : { kind: 'field', type: FIELDS[field].type, field }
}

/** SQL of a property as text, without JSON's quotes. Empty when it is missing or null. */
export function propertyText(source: 'event' | 'person', key: string): Fragment {
  return source === 'event'
    ? fragment`coalesce(e.properties ->> ${key}, '')`
    : fragment`coalesce(p.properties ->> ${key}, '')`
}

function ofEvent(type: ValueType, sql: Fragment): FieldRule {
  return { type, sql, ofPerson: false }
}

function ofPerson(type: ValueType, sql: Fragment): FieldRule {
  return { type, sql, ofPerson: true }
}
