/** Reads what questions of several kinds have in common. */
import { isList, isObject, type Json } from '../../../core/json.ts'
import type { Zone } from '../../../core/time/zone.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { CohortMembers } from '../../../store/cohorts/cohort-members.ts'
import { NO_COHORTS } from '../../asked-cohorts.ts'
import { createBudget } from '../../language/expressions.ts'
import type { Budget } from '../../language/tree.ts'
import { GROUP_INDEX_MAX, isFilterGroup, isSingleFilter, readFilters } from '../../list/filters.ts'
import {
  COUNT_MATHS,
  GROUP_MATH,
  type GroupIndex,
  type Maths,
  PROPERTY_MATHS,
  type Series,
} from '../question.ts'
import { isSessionNumber } from '../sessions/session-properties.ts'
import { type AskedRange, type Bound, parseBound, today } from '../time/date-range.ts'
import { type Members, membersOf, membersOfKind, QuestionProblem } from './members.ts'

const OF_GROUP: readonly string[] = ['type', 'values']
const OF_FILTER: readonly string[] = ['key', 'value', 'operator', 'type']
/** Further members of filters, by type. The name of a cohort is for people, and has no effect. */
const OF_TYPE: Readonly<Record<string, string>> = {
  cohort: 'cohort_name',
  group: 'group_type_index',
}

/** Context in which a question is parsed. */
export type Reading = {
  readonly zone: Zone
  readonly nowMs: number
  /** The project's filters of test accounts. */
  readonly testAccounts: Json
  /** The project's goals. */
  readonly goals: Json
  /** Cohorts named by the question or by the filters of test accounts. */
  readonly cohorts: CohortMembers
  /** Bounds the expressions of the whole question. */
  readonly budget: Budget
}

export function createReading(
  zone: Zone,
  nowMs: number,
  testAccounts: Json,
  cohorts: CohortMembers = NO_COHORTS,
  goals: Json = [],
): Reading {
  return { zone, nowMs, testAccounts, goals, cohorts, budget: createBudget() }
}

/** Members that every question may have. The last three do not affect the answer. */
export const COMMON = [
  'kind',
  'dateRange',
  'properties',
  'filterTestAccounts',
  'tags',
  'version',
  'modifiers',
] as const

const DEFAULT_FROM = '-7d'

/** @throws {QuestionProblem} */
export function readRange(question: Members, reading: Reading): AskedRange {
  const range = question.members('dateRange', ['date_from', 'date_to'])
  const from = range?.text('date_from') ?? DEFAULT_FROM
  const to = range?.text('date_to')
  const path = question.at('dateRange')
  return {
    from: from === 'all' ? 'all' : boundOf(from, `${path}.date_from`, reading),
    to:
      to === undefined
        ? today(reading.zone, reading.nowMs)
        : boundOf(to, `${path}.date_to`, reading),
  }
}

function boundOf(text: string, path: string, { zone, nowMs }: Reading): Bound {
  const bound = parseBound(text, zone, nowMs)
  if (bound !== undefined) return bound
  throw new QuestionProblem(path, 'Must be a date, a date-time, or relative such as -7d.')
}

/**
 * The filters of the question, and those of the project's test accounts.
 * @param filters @default all `properties` of the question
 */
export function readFilter(question: Members, reading: Reading, filters?: Json): FilterNode {
  const modifiers = question.json('modifiers')
  if (modifiers !== undefined) membersOf(modifiers, question.at('modifiers'), [])
  const own = filterOf(question, 'properties', reading, filters)
  if (!question.flag('filterTestAccounts')) return own
  const people = readFilters(reading.testAccounts, reading, reading.budget, reading.cohorts)
  if (!people.ok) {
    const detail = `The project's test_account_filters cannot be used: ${people.error.detail}`
    throw new QuestionProblem(question.at('filterTestAccounts'), detail)
  }
  return { kind: 'and', nodes: [own, people.value] }
}

/** @throws {QuestionProblem} */
export function filterOf(
  owner: Members,
  name: string,
  reading: Reading,
  filters: Json = owner.json(name) ?? [],
): FilterNode {
  const read = readFilters(filters, reading, reading.budget, reading.cohorts)
  if (!read.ok) throw new QuestionProblem(owner.at(name), read.error.detail)
  requireKnownFilters(owner, name)
  return read.value
}

/** @throws {QuestionProblem} when readable filters have an unknown member. */
export function requireKnownFilters(owner: Members, name: string): void {
  const unknown = unknownFilterMember(owner.json(name) ?? [])
  if (unknown === undefined) return
  throw new QuestionProblem(`${owner.at(name)}.${unknown}`, 'Unknown member.')
}

const EVENTS_NODE = [
  'kind',
  'event',
  'name',
  'custom_name',
  'math',
  'math_property',
  'math_property_type',
  'math_group_type_index',
  'properties',
] as const

/** @throws {QuestionProblem} */
export function readSeries(
  question: Members,
  bounds: { readonly minimum: number; readonly maximum: number },
  reading: Reading,
): readonly Series[] {
  const { minimum, maximum } = bounds
  const items = question.list('series') ?? []
  const path = question.at('series')
  if (items.length < minimum || items.length > maximum) {
    throw new QuestionProblem(path, `Must have ${minimum} to ${maximum} items.`)
  }
  return items.map((item, index) => readNode(item, `${path}.${index}`, reading))
}

function readNode(item: Json, path: string, reading: Reading): Series {
  const node = membersOfKind(item, 'EventsNode', path, EVENTS_NODE)
  return {
    event: node.text('event') ?? null,
    name: node.text('name'),
    customName: node.text('custom_name'),
    maths: readMaths(node),
    filter: filterOf(node, 'properties', reading),
  }
}

/** @throws {QuestionProblem} */
export function readGroupIndex(owner: Members, name: string): GroupIndex {
  return owner.whole(name, 0, GROUP_INDEX_MAX)
}

const PROPERTY_TYPES = ['event_properties', 'session_properties'] as const

function readMaths(node: Members): Maths {
  const kind = node.choice('math', [...COUNT_MATHS, ...PROPERTY_MATHS, GROUP_MATH]) ?? 'total'
  const index = readGroupIndex(node, 'math_group_type_index')
  const property = node.text('math_property')
  if (kind !== GROUP_MATH && index !== undefined) {
    const detail = `The math ${kind} takes no type of groups.`
    throw new QuestionProblem(node.at('math_group_type_index'), detail)
  }
  const ofProperty = PROPERTY_MATHS.find((each) => each === kind)
  const isOfSession = node.choice('math_property_type', PROPERTY_TYPES) === 'session_properties'
  if (ofProperty !== undefined && (isOfSession || property === '$session_duration')) {
    if (property !== undefined && isSessionNumber(property)) {
      return { kind: ofProperty, ofSession: property }
    }
    throw new QuestionProblem(node.at('math_property'), 'Sessions have no such number.')
  }
  if (ofProperty !== undefined) {
    if (property !== undefined && property !== '') return { kind: ofProperty, property }
    throw new QuestionProblem(node.at('math_property'), `The math ${kind} needs a property.`)
  }
  if (property !== undefined) {
    throw new QuestionProblem(node.at('math_property'), `The math ${kind} takes no property.`)
  }
  if (kind === GROUP_MATH) {
    if (index !== undefined) return { kind, index }
    throw new QuestionProblem(node.at('math_group_type_index'), 'Must be given.')
  }
  // The choice was one of both lists.
  return { kind: COUNT_MATHS.find((each) => each === kind) ?? 'total' }
}

/**
 * The dotted path of the first member that no filter has, such as `0.values.1.cake`. All members of
 * the flat form are properties.
 * @param filters as `readFilters` accepts them.
 */
function unknownFilterMember(filters: Json): string | undefined {
  if (isList(filters)) return inList(filters, '')
  if (!isObject(filters)) return undefined
  return isFilterGroup(filters) || isSingleFilter(filters) ? inItem(filters, '') : undefined
}

function inList(items: readonly Json[], path: string): string | undefined {
  for (const [index, item] of items.entries()) {
    const unknown = inItem(item, `${path}${index}.`)
    if (unknown !== undefined) return unknown
  }
  return undefined
}

function inItem(item: Json, path: string): string | undefined {
  if (!isObject(item)) return undefined
  const isGroup = isFilterGroup(item)
  const known = isGroup ? OF_GROUP : OF_FILTER
  const ofType = isGroup ? undefined : OF_TYPE[String(item['type'])]
  const unknown = Object.keys(item).find((name) => !known.includes(name) && name !== ofType)
  if (unknown !== undefined) return `${path}${unknown}`
  const { values } = item
  return isGroup && isList(values) ? inList(values, `${path}values.`) : undefined
}
