/** Filters on events, as the address holds them; `asProperties` makes those that questions take. */

import { labelOf } from '../../../../src/core/charts/label.ts'
import type { Json } from '../../../client/index.ts'
import { isolated } from '../../data/format.ts'
import { isRecord, parsedJson } from '../../data/json.ts'

/** `event_metadata`: the name or the distinct id of the event itself. `hogql`: an expression. */
const TYPES = ['event', 'person', 'session', 'cohort', 'event_metadata', 'hogql'] as const

/** Kind of list that the filters are for: events have a name besides, persons have not. */
export type FilterUse = 'questions' | 'events' | 'persons'

export type PropertyFilter = {
  readonly type: (typeof TYPES)[number]
  /** Name of a property; `event` or `distinct_id` of the event itself; or the whole expression. */
  readonly key: string
  readonly operator: string
  /** See `takesList` and `isBare`. */
  readonly value?: string | readonly string[]
  /** Name of the cohort that the value is the id of. */
  readonly cohort_name?: string
}

/** Words of operators whose name is misleading or unclear. */
const WORDS: Readonly<Record<string, string>> = {
  exact: 'is',
  eq: '=',
  neq: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  is_date_exact: 'is on',
  in: 'in cohort',
  not_in: 'not in cohort',
}

/** Words of an operator: "does not start with", "is before", "version ≥". */
export function wordsOf(operator: string): string {
  const name = operator.replace('semver_', '')
  if (name !== operator) return `version ${wordsOf(name)}`
  if (Object.hasOwn(WORDS, name)) return WORDS[name] ?? ''
  return name
    .replaceAll('_', ' ')
    .replace('regex', 'matches')
    .replace('icon', 'con')
    .replace(/^not (\w+?)e?s\b/, 'does not $1')
    .replace(' date', '')
}

/** Whether the operator has no value. */
export function isBare(operator: string): boolean {
  return /^is_(not_)?set$/.test(operator)
}

/** Whether the operator takes several values: alternatives, or the ends of a range. */
export function takesList(operator: string): boolean {
  return /^exact$|^is_not$|_multi$|between$/.test(operator)
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
  const known = String(json['operator'] ?? 'exact')
  const operator = isCohort && known !== 'not_in' ? 'in' : known
  const value = json['value']
  const texts = Array.isArray(value) ? value.map(String) : value == null ? undefined : String(value)
  return {
    type,
    key: json['key'],
    operator,
    ...(texts === undefined ? {} : { value: texts }),
    ...(isCohort ? { cohort_name: String(json['cohort_name'] ?? texts) } : {}),
  }
}

/** "Country code is DE or FR". */
export function sentenceOf(filter: PropertyFilter): string {
  const { type, key, operator, value } = filter
  if (type === 'cohort') return `${wordsOf(operator)} ${isolated(filter.cohort_name ?? '')}`
  if (type === 'hogql') return key
  const isName = type === 'event_metadata' && key === 'event'
  const texts = [value ?? []].flat().map((text) => isolated(isName ? labelOf(text) : text))
  return [
    isolated(labelOf(key)),
    wordsOf(operator),
    texts.join(/between$/.test(operator) ? ' and ' : ' or '),
  ]
    .filter((part) => part !== '')
    .join(' ')
}
