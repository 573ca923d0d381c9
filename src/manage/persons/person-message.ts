/** Persons as calls answer them. */
import type { Person } from '../../../proto/gen/sluice/v1/Person.ts'
import { isObject } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import type { ListedPerson } from '../../event-store/postgres/persons/person-list-store.ts'

export function toPerson(person: ListedPerson): Person {
  const distinctIds = textsOf(parseJson(person.distinctIds))
  return {
    id: person.id,
    uuid: person.uuid,
    name: nameIn(person.properties) ?? distinctIds[0] ?? person.uuid,
    distinct_ids: distinctIds,
    distinct_id_count: person.distinctIdCount,
    properties: person.properties,
    is_identified: person.isIdentified,
    created_at: person.createdAt,
  }
}

function textsOf(json: unknown): string[] {
  return Array.isArray(json) ? json.filter((each) => typeof each === 'string') : []
}

function nameIn(properties: string): string | undefined {
  const json = parseJson(properties)
  if (!isObject(json)) return undefined
  for (const key of ['email', 'name', 'username']) {
    const value = json[key]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}
