/** Parses the filters of a list. */

import { asOf, type Condition, type Moment } from '../../conditions/condition.ts'
import { isPattern } from '../../conditions/patterns/store-patterns.ts'
import { isOperator, readCondition } from '../../conditions/read-condition.ts'
import { cleanText } from '../../core/clean-text.ts'
import { cohortIdOf } from '../../core/ids.ts'
import { isObject, type Json, type JsonObject, listOf } from '../../core/json.ts'
import { cleanExact, parseExact } from '../../core/json-text/exact-numbers.ts'
import { EVENT_FILTER_CHARS_MAX } from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FilterNode } from '../../events/trees/filter.ts'
import type { Members } from '../../events/trees/members.ts'
import type { CohortMembers } from '../../store/cohorts/cohort-members.ts'
import { createBudget, parseCondition } from '../language/expressions.ts'
import type { Budget as ExpressionBudget } from '../language/tree.ts'
import { localTimeOf } from '../local-time-of.ts'

/** Events query: filters, levels of their groups, values of a filter. */
export const EVENT_FILTERS_MAX = 100
export const EVENT_FILTER_DEPTH_MAX = 16
export const EVENT_FILTER_VALUES_MAX = 1_000

export type FilterError = { readonly detail: string; readonly attr: 'properties' | null }

const KEY_LENGTH_MAX = 1_000
/** A project has at most five types of groups. */
export const GROUP_INDEX_MAX = 4
const UNSUPPORTED: readonly string[] = ['element', 'session']
const ALL: FilterNode = { kind: 'and', nodes: [] }

/**
 * Reads the `properties` parameter: JSON text of a list of filters, a group of them, or a flat
 * object `{"key__operator": value}`. Never throws. Members that no filter has are passed over: see
 * `unknownFilterMember`.
 */
export function parseFilters(
  text: string,
  moment: Moment,
  expressions: ExpressionBudget = createBudget(),
  cohorts?: CohortMembers,
): Result<FilterNode, FilterError> {
  if (text.trim() === '') return ok(ALL)
  if (text.length > EVENT_FILTER_CHARS_MAX) {
    return malformed(`Properties are longer than ${EVENT_FILTER_CHARS_MAX} characters.`)
  }
  let json: unknown
  try {
    json = parseExact(text)
  } catch {
    return err({ detail: 'Properties are unparsable!', attr: null })
  }
  return readFilters(json, moment, expressions, cohorts)
}

/**
 * Reads filters that are JSON already: see `parseFilters`.
 * @param cohorts those that the filters name; without it filters of cohorts are unsupported.
 */
export function readFilters(
  json: unknown,
  moment: Moment,
  expressions: ExpressionBudget,
  cohorts?: CohortMembers,
): Result<FilterNode, FilterError> {
  const budget = { filters: EVENT_FILTERS_MAX, expressions, moment, cohorts }
  if (Array.isArray(json)) return parseAll(json, 'and', 1, budget)
  if (!isObject(json)) return malformed('Properties must be a list or an object.')
  if (isFilterGroup(json)) return parseGroup(json, 1, budget)
  if (isSingleFilter(json)) return parseFilter(json, budget)
  return parseFlat(json, budget)
}

type Budget = {
  filters: number
  readonly expressions: ExpressionBudget
  readonly moment: Moment
  /** Undefined where filters of cohorts are unsupported. */
  readonly cohorts: CohortMembers | undefined
}
type Parsed = Result<FilterNode, FilterError>

function malformed(detail: string): { readonly ok: false; readonly error: FilterError } {
  return err({ detail, attr: 'properties' })
}

/** Groups have a type and values, and are no filter. */
export function isFilterGroup(json: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(json, 'values') && Object.hasOwn(json, 'type') && !isSingleFilter(json)
}

/** A flat object may have a property named `key`, but no other member of a filter. */
export function isSingleFilter(json: Readonly<Record<string, unknown>>): boolean {
  const has = (name: string) => Object.hasOwn(json, name)
  return has('key') && typeof json['key'] === 'string' && (has('value') || has('operator'))
}

function parseGroup(
  json: Readonly<Record<string, unknown>>,
  depth: number,
  budget: Budget,
): Parsed {
  const { type, values } = json
  if (type !== 'AND' && type !== 'OR') return malformed('The type of a group is AND or OR.')
  if (!Array.isArray(values)) return malformed('The values of a group are a list.')
  return parseAll(values, type === 'AND' ? 'and' : 'or', depth, budget)
}

/** A list of filters or a list of groups. */
function parseAll(
  items: readonly unknown[],
  kind: 'and' | 'or',
  depth: number,
  budget: Budget,
): Parsed {
  if (depth > EVENT_FILTER_DEPTH_MAX) {
    return malformed(`Groups nest more than ${EVENT_FILTER_DEPTH_MAX} levels.`)
  }
  const nodes: FilterNode[] = []
  let groups = 0
  for (const item of items) {
    if (!isObject(item)) return malformed('Each filter is an object.')
    const group = isFilterGroup(item)
    if (group) groups++
    const parsed = group ? parseGroup(item, depth + 1, budget) : parseFilter(item, budget)
    if (!parsed.ok) return parsed
    nodes.push(parsed.value)
  }
  if (groups > 0 && groups < items.length) {
    return malformed('Groups and filters cannot be mixed in one list.')
  }
  // An empty group of alternatives restricts nothing: the interface that builds filters means that
  // by it.
  return ok(nodes.length === 0 ? ALL : { kind, nodes: [...new Set(nodes)] })
}

function parseFlat(json: JsonObject, budget: Budget): Parsed {
  const nodes: FilterNode[] = []
  for (const item of flatFilters(json)) {
    const parsed = parseFilter(item, budget)
    if (!parsed.ok) return parsed
    nodes.push(parsed.value)
  }
  return ok({ kind: 'and', nodes })
}

/** `{"key__operator": value}` as filters. */
function flatFilters(json: JsonObject): readonly JsonObject[] {
  return Object.entries(json).map(([name, value]) => {
    const at = name.lastIndexOf('__')
    const operator = at > 0 ? name.slice(at + 2) : ''
    return isOperator(operator) ? { key: name.slice(0, at), operator, value } : { key: name, value }
  })
}

/** Filters of any form, such as `readFilters` takes, as one group. */
export function asFilterGroup(json: Json): JsonObject {
  if (!isObject(json)) return { type: 'AND', values: listOf(json) }
  if (isFilterGroup(json)) return json
  return { type: 'AND', values: isSingleFilter(json) ? [json] : flatFilters(json) }
}

function parseFilter(item: Readonly<Record<string, unknown>>, budget: Budget): Parsed {
  if (budget.filters-- <= 0) return malformed(`There are more than ${EVENT_FILTERS_MAX} filters.`)
  const key = item['key']
  if (item['type'] === 'hogql') return parseExpressionFilter(key, budget)
  if (item['type'] === 'cohort') return parseCohortFilter(item, budget)
  if (typeof key !== 'string' || key === '' || key.length > KEY_LENGTH_MAX) {
    return malformed(`The key of a filter is a text of 1 to ${KEY_LENGTH_MAX} characters.`)
  }
  const type = item['type'] ?? 'event'
  if (type !== 'event' && type !== 'person' && type !== 'group') {
    const isKnown = typeof type === 'string' && UNSUPPORTED.includes(type)
    return malformed(isKnown ? `Filters of type ${type} are unsupported.` : 'Unknown filter type.')
  }
  const condition = readTest(item, budget.moment)
  if (!condition.ok) return malformed(condition.error)
  const named = { key: cleanText(key), condition: condition.value }
  if (type !== 'group') return ok({ kind: 'property', source: type, ...named })
  const index = item['group_type_index']
  if (!isGroupIndex(index)) {
    return malformed(`Filters of type group have a group_type_index of 0 to ${GROUP_INDEX_MAX}.`)
  }
  return ok({ kind: 'group', index, ...named })
}

function isGroupIndex(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= GROUP_INDEX_MAX
}

function parseCohortFilter(item: Readonly<Record<string, unknown>>, { cohorts }: Budget): Parsed {
  if (cohorts === undefined) return malformed('Filters of type cohort are unsupported here.')
  if (item['key'] !== 'id') return malformed('The key of a filter of type cohort is id.')
  const id = cohortIdOf(item['value'])
  if (id === undefined) return malformed('The value of a filter of type cohort is its id.')
  const operator = item['operator'] ?? 'in'
  if (operator !== 'in' && operator !== 'exact' && operator !== 'not_in') {
    return malformed('The operator of a filter of type cohort is in or not_in.')
  }
  const members = cohorts(id)
  if (!members.ok) return malformed(members.error)
  return ok(cohortNode(members.value, operator === 'not_in'))
}

/** One node for a cohort, however often it is named: equal ones of a list are found by that. */
function cohortNode(members: Members, negated: boolean): FilterNode {
  const nodes = negated ? COHORTS_LEFT_OUT : COHORTS_WANTED
  const known = nodes.get(members)
  if (known !== undefined) return known
  const node: FilterNode = { kind: 'cohort', members, negated }
  nodes.set(members, node)
  return node
}

const COHORTS_WANTED = new WeakMap<Members, FilterNode>()
const COHORTS_LEFT_OUT = new WeakMap<Members, FilterNode>()

/** The expression is the key. Other members of the filter are ignored. */
function parseExpressionFilter(key: unknown, { expressions, moment }: Budget): Parsed {
  if (typeof key !== 'string') return malformed('The key of a filter of type hogql is a text.')
  const { nowMs, zone } = moment
  const tree = parseCondition(key, expressions, { nowMs, local: localTimeOf(zone) })
  return tree.ok ? ok({ kind: 'expression', tree: tree.value }) : malformed(tree.error)
}

/** Reads the operator and the value of a filter. */
export function readTest(
  item: Readonly<Record<string, unknown>>,
  moment: Moment,
): Result<Condition, string> {
  const value = storableOf(item['value'])
  if (!value.ok) return value
  const read = readCondition(item['operator'], value.value, moment.zone)
  if (!read.ok) return read
  const condition = asOf(read.value, moment.nowMs)
  const { value: test } = condition
  if (test.kind !== 'regex' || isPattern(test.pattern)) return ok(condition)
  return err('The regular expression is too large for a question, or looks around.')
}

/** A value as stores have it: they hold no text with a NUL or half a character. */
function storableOf(value: unknown): Result<unknown, string> {
  if (typeof value === 'string') return ok(cleanExact(value))
  if (!Array.isArray(value)) return isScalar(value) ? ok(value) : err(NO_VALUE)
  const list: readonly unknown[] = value
  const isOdd = list.some((item) => item === null || !isScalar(item))
  if (list.length > EVENT_FILTER_VALUES_MAX || isOdd) return err(NO_VALUE)
  return ok(list.map((item) => (typeof item === 'string' ? cleanExact(item) : item)))
}

const NO_VALUE =
  `The value of a filter is a text, number or boolean, or at most ` +
  `${EVENT_FILTER_VALUES_MAX} of them.`

function isScalar(value: unknown): boolean {
  return value === null || value === undefined || typeof value !== 'object'
}
