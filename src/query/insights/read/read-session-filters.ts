/** Reads filters by properties of sessions. */
import { isList, isObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { readTest } from '../../list/filters.ts'
import { type Asked, asksOfSessions, type Maths, type NumbersQuestion } from '../question.ts'
import { isSessionProperty, type SessionFilter } from '../sessions/session-properties.ts'
import { type Reading, readFilter } from './common.ts'
import { type Members, membersOf, pathIn, QuestionProblem } from './members.ts'

const FILTER = ['key', 'value', 'operator', 'type'] as const

export type SplitFilters = {
  readonly sessions: readonly SessionFilter[]
  /** The other filters. */
  readonly others: Json
}

/**
 * Takes the filters of sessions out of filters that all hold: a list, or groups of lists.
 * @throws {QuestionProblem}
 */
export function splitFilters(owner: Members, name: string, reading: Reading): SplitFilters {
  const sessions: SessionFilter[] = []
  const split = (filters: Json, path: string): Json => {
    if (isList(filters)) {
      return filters.flatMap((item, place) => {
        const at = `${path}.${place}`
        if (isGroup(item)) return [split(item, at)]
        if (!isObject(item) || own(item, 'type') !== 'session') return [item]
        sessions.push(readSessionFilter(item, at, reading))
        return []
      })
    }
    if (!isGroup(filters)) return filters
    return { ...filters, values: split(own(filters, 'values') ?? [], `${path}.values`) }
  }
  const others = split(owner.json(name) ?? [], owner.at(name))
  return { sessions, others }
}

/** Whether filters are a group of which all hold. */
function isGroup(filters: Json): filters is JsonObject {
  return isObject(filters) && own(filters, 'type') === 'AND'
}

/**
 * The filters of a question about events, and those of their sessions.
 * @throws {QuestionProblem}
 */
export function readBothFilters(
  question: Members,
  reading: Reading,
): Pick<Asked, 'filter' | 'sessions'> {
  const { sessions, others } = splitFilters(question, 'properties', reading)
  const filter = readFilter(question, reading, others)
  return sessions.length === 0 ? { filter } : { filter, sessions }
}

function readSessionFilter(item: Json, path: string, reading: Reading): SessionFilter {
  const filter = membersOf(item, path, FILTER)
  const property = filter.text('key') ?? ''
  if (!isSessionProperty(property)) {
    throw new QuestionProblem(filter.at('key'), 'Sessions have no such property.')
  }
  const condition = readTest(isObject(item) ? item : {}, reading)
  if (!condition.ok) throw new QuestionProblem(path, condition.error)
  return { property, condition: condition.value }
}

/** Maths that are counted by sessions. */
const COUNTED: readonly Maths['kind'][] = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
]

/**
 * Requires that all of a question can be counted by sessions, where it asks of these.
 * @param path of the question.
 * @throws {QuestionProblem}
 */
export function requireSessionsFit(question: NumbersQuestion, path: string): void {
  if (!asksOfSessions(question)) return
  const refuse = (member: string, detail: string) => {
    throw new QuestionProblem(pathIn(path, member), detail)
  }
  if ('groups' in question && question.groups !== undefined) {
    refuse('aggregation_group_type_index', 'Groups have no sessions.')
  }
  if (question.kind === 'funnel' && question.order === 'strict') {
    refuse('funnelsFilter.funnelOrderType', 'Steps in strict order take no properties of sessions.')
  }
  const source = 'breakdown' in question ? question.breakdown?.source.kind : undefined
  const isOfSession = question.kind === 'trends' && question.series.map(isSessionMath)
  if (
    source !== undefined &&
    source !== 'session' &&
    (source !== 'event' || hasTrue(isOfSession))
  ) {
    refuse(
      'breakdownFilter.breakdown_type',
      'With properties of sessions, a breakdown is by one of these, or by a property of the events counted.',
    )
  }
  if (question.kind !== 'trends') return
  const other = question.series.findIndex(
    (each) => !isSessionMath(each) && !COUNTED.includes(each.maths.kind),
  )
  if (other === -1) return
  refuse(
    `series.${other}.math`,
    `With properties of sessions, it is one of ${COUNTED.join(', ')}, or of a property of sessions.`,
  )
}

function isSessionMath({ maths }: { readonly maths: Maths }): boolean {
  return 'ofSession' in maths
}

function hasTrue(list: false | readonly boolean[]): boolean {
  return list !== false && list.includes(true)
}
