/** Reads the breakdown of a question. */

import { cohortIdOf } from '../../../core/ids.ts'
import { isList } from '../../../core/json.ts'
import { INSIGHT_VALUES_MAX } from '../../../core/limits/limits-query.ts'
import { GROUP_INDEX_MAX } from '../../list/filters.ts'
import type { AskedCohort, Breakdown } from '../question.ts'
import { isSessionProperty } from '../sessions/session-properties.ts'
import type { Reading } from './common.ts'
import { type Members, QuestionProblem } from './members.ts'

/** Values of a breakdown that are shown by themselves, by default. */
const INSIGHT_VALUES_DEFAULT = 25
/** Cohorts of a breakdown. */
const INSIGHT_COHORTS_MAX = 25

const PROPERTY_TYPES = ['event', 'person', 'session', 'group', 'event_metadata'] as const
type PropertyType = (typeof PROPERTY_TYPES)[number]
const BREAKDOWN_TYPES = [...PROPERTY_TYPES, 'cohort'] as const
const MEMBERS = [
  'breakdown',
  'breakdown_type',
  'breakdown_group_type_index',
  'breakdown_limit',
] as const

/** @throws {QuestionProblem} */
export function readBreakdown(question: Members, reading: Reading): Breakdown | undefined {
  const asked = question.members('breakdownFilter', MEMBERS)
  if (asked === undefined || asked.json('breakdown') === undefined) return undefined
  const limit = asked.whole('breakdown_limit', 1, INSIGHT_VALUES_MAX) ?? INSIGHT_VALUES_DEFAULT
  const type = asked.choice('breakdown_type', BREAKDOWN_TYPES) ?? 'event'
  if (type !== 'cohort') return { source: readSource(asked, type), limit }
  if (asked.json('breakdown_group_type_index') !== undefined) {
    const detail = 'Breakdowns of type cohort have no type of groups.'
    throw new QuestionProblem(asked.at('breakdown_group_type_index'), detail)
  }
  const cohorts = readCohorts(asked, reading)
  if (cohorts.length <= limit) return { source: { kind: 'cohorts', cohorts }, limit }
  throw new QuestionProblem(asked.at('breakdown_limit'), 'There are more cohorts than that.')
}

/** All that are named are shown, so none is left out for being small. */
function readCohorts(asked: Members, reading: Reading): readonly AskedCohort[] {
  const json = asked.json('breakdown')
  const items = json !== undefined && isList(json) ? json : [json]
  const path = asked.at('breakdown')
  if (items.length === 0 || items.length > INSIGHT_COHORTS_MAX) {
    throw new QuestionProblem(path, `Must have 1 to ${INSIGHT_COHORTS_MAX} ids of cohorts.`)
  }
  const cohorts = new Map<number, AskedCohort>()
  for (const item of items) {
    const id = cohortIdOf(item)
    if (id === undefined) throw new QuestionProblem(path, 'Must be a list of ids of cohorts.')
    const members = reading.cohorts(id)
    if (!members.ok) throw new QuestionProblem(path, members.error)
    cohorts.set(id, { id, name: reading.cohorts.nameOf(id), members: members.value })
  }
  return [...cohorts.values()]
}

function readSource(asked: Members, type: PropertyType): Breakdown['source'] {
  const index = asked.whole('breakdown_group_type_index', 0, GROUP_INDEX_MAX)
  const property = asked.text('breakdown') ?? ''
  if (property === '') throw new QuestionProblem(asked.at('breakdown'), 'May not be empty.')
  if ((index === undefined) === (type === 'group')) {
    const detail =
      index === undefined ? 'Must be given.' : `Breakdowns of type ${type} have no type of groups.`
    throw new QuestionProblem(asked.at('breakdown_group_type_index'), detail)
  }
  if (index !== undefined) return { kind: 'group', index, property }
  if (type === 'event' || type === 'person') return { kind: type, property }
  if (type === 'session') {
    if (isSessionProperty(property)) return { kind: type, property }
    throw new QuestionProblem(asked.at('breakdown'), 'Sessions have no such property.')
  }
  if (property === '$event') return { kind: 'event_name' }
  throw new QuestionProblem(asked.at('breakdown'), 'Of event_metadata there is $event only.')
}
