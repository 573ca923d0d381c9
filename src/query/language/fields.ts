/** The names under which an expression finds the fields of events. */
import type { Typed } from '../../events/trees/expression.ts'
import { FIELDS, type FieldName } from '../../events/trees/fields.ts'

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
