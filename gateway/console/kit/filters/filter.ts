/** Filters on events, as the address holds them; `asProperties` makes those that questions take. */
import type { Json } from '../../../client/index.ts'
import { isolated } from '../../data/format.ts'
import { isRecord, parsedJson } from '../../data/json.ts'
import { labelOf } from '../names/label.ts'

/** `event_metadata`: the name or the distinct id of the event itself. `hogql`: an expression. */
const TYPES = ['event', 'person', 'cohort', 'event_metadata', 'hogql'] as const

/** Kind of list that the filters are for: events have a name besides, persons have not. */
export type FilterUse = 'questions' | 'events' | 'persons'

export type PropertyFilter = {
  readonly type: (typeof TYPES)[number]
  /** Name of a property; `event` or `distinct_id` of the event itself; or the whole expression. */
  readonly key: string
  readonly operator: Operator
  /** A list for `exact` and `is_not`; none for `is_set` and `is_not_set`. */
  readonly value?: string | readonly string[]
  /** Name of the cohort that the value is the id of. */
  readonly cohort_name?: string
}

/** With the words that stand between property and value. */
export const OPERATORS = {
  exact: 'is',
  is_not: 'is not',
  icontains: 'contains',
  not_icontains: 'does not contain',
  regex: 'matches',
  not_regex: 'does not match',
  gt: 'is greater than',
  lt: 'is less than',
  is_set: 'is set',
  is_not_set: 'is not set',
  in: 'in cohort',
  not_in: 'not in cohort',
} as const

export type Operator = keyof typeof OPERATORS

/** They ask for no value. */
export function isBare(operator: Operator): boolean {
  return operator === 'is_set' || operator === 'is_not_set'
}

/** They take several values, of which one must hold. */
export function takesList(operator: Operator): boolean {
  return operator === 'exact' || operator === 'is_not'
}

export function filtersOf(text: string | null): readonly PropertyFilter[] {
  const all = parsedJson(text ?? '[]')
  if (!Array.isArray(all)) return []
  return (all as readonly Json[]).flatMap((each) => {
    const read = filterOf(each)
    return read === undefined ? [] : [read]
  })
}

/** Undefined for none, so that the address names no empty list. */
export function textOfFilters(filters: readonly PropertyFilter[]): string | undefined {
  return filters.length === 0 ? undefined : JSON.stringify(filters)
}

function filterOf(json: Json): PropertyFilter | undefined {
  if (!isRecord(json) || typeof json['key'] !== 'string') return undefined
  const type = TYPES.find((each) => each === json['type']) ?? 'event'
  const isCohort = type === 'cohort'
  const known = Object.keys(OPERATORS).find((each) => each === json['operator']) ?? 'exact'
  const operator = isCohort && known !== 'not_in' ? 'in' : known
  const value = json['value']
  const texts = Array.isArray(value) ? value.map(String) : value == null ? undefined : String(value)
  return {
    type,
    key: json['key'],
    // Found among the keys.
    operator: operator as Operator,
    ...(texts === undefined ? {} : { value: texts }),
    ...(isCohort ? { cohort_name: String(json['cohort_name'] ?? texts) } : {}),
  }
}

/** "Country code is DE or FR". */
export function sentenceOf(filter: PropertyFilter): string {
  const { type, key, operator, value } = filter
  if (type === 'cohort') return `${OPERATORS[operator]} ${isolated(filter.cohort_name ?? '')}`
  if (type === 'hogql') return key
  const isName = type === 'event_metadata' && key === 'event'
  const texts = [value ?? []].flat().map((text) => isolated(isName ? labelOf(text) : text))
  return [isolated(labelOf(key)), OPERATORS[operator], texts.join(' or ')]
    .filter((part) => part !== '')
    .join(' ')
}
