/** Filters of a question, as far as the kit can show and change them. */
import type { Json, JsonObject } from '../../client/index.ts'
import { isRecord } from '../data/json.ts'
import { filtersOf, type PropertyFilter } from '../kit/filters/filter.ts'

/** Undefined for filters that only the JSON can show: groups, expressions. */
export function filtersIn(owner: JsonObject): readonly PropertyFilter[] | undefined {
  const json = owner['properties'] ?? []
  if (!Array.isArray(json)) return undefined
  return (json as readonly Json[]).every(isPlain) ? filtersOf(JSON.stringify(json)) : undefined
}

function isPlain(json: Json): boolean {
  if (!isRecord(json) || typeof json['key'] !== 'string') return false
  const { type = 'event', operator = 'exact' } = json
  if (type === 'cohort')
    return json['key'] === 'id' && /^(?:exact|in|not_in)$/.test(String(operator))
  return type === 'event' || type === 'person'
}
