/** Reads filters by properties of sessions. */
import { isList, isObject, type Json, own } from '../../../core/json.ts'
import { readTest } from '../../list/filters.ts'
import { isSessionProperty } from '../web/session-properties.ts'
import type { SessionFilter } from '../web/web-question.ts'
import type { Reading } from './common.ts'
import { type Members, membersOf, QuestionProblem } from './members.ts'

const FILTER = ['key', 'value', 'operator', 'type'] as const

export type SplitFilters = {
  readonly sessions: readonly SessionFilter[]
  /** The other filters. */
  readonly others: Json
}

/**
 * Takes the filters of sessions out of a list of filters, all of which hold.
 * @throws {QuestionProblem}
 */
export function splitFilters(owner: Members, name: string, reading: Reading): SplitFilters {
  const filters = owner.json(name) ?? []
  if (!isList(filters)) return { sessions: [], others: filters }
  const sessions: SessionFilter[] = []
  const others = filters.filter((item, place) => {
    if (!isObject(item) || own(item, 'type') !== 'session') return true
    sessions.push(readSessionFilter(item, `${owner.at(name)}.${place}`, reading))
    return false
  })
  return { sessions, others }
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
