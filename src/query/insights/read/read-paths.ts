/** Reads `PathsQuery`. */
import { PATH_EVENT_TYPES, type PathEventType, type PathsQuestion } from '../question.ts'
import { COMMON, type Reading, readFilter, readRange } from './common.ts'
import { type Members, membersOf, QuestionProblem } from './members.ts'

/** Items of a path, and edges between them: by default, and at most. */
const INSIGHT_PATH_STEPS_DEFAULT = 5
const INSIGHT_PATH_STEPS_MAX = 50
const INSIGHT_EDGES_DEFAULT = 50
const INSIGHT_EDGES_MAX = 1_000

export const PATHS_MEMBERS = [...COMMON, 'pathsFilter'] as const

const PATHS_FILTER = [
  'includeEventTypes',
  'startPoint',
  'endPoint',
  'stepLimit',
  'edgeLimit',
] as const

/** @throws {QuestionProblem} */
export function readPaths(question: Members, reading: Reading): PathsQuestion {
  // Without the member, all settings have their defaults.
  const filter =
    question.members('pathsFilter', PATHS_FILTER) ?? membersOf({}, question.at('pathsFilter'), [])
  return {
    kind: 'paths',
    zone: reading.zone,
    range: readRange(question, reading),
    filter: readFilter(question, reading),
    eventTypes: readEventTypes(filter),
    startPoint: readPoint(filter, 'startPoint'),
    endPoint: readPoint(filter, 'endPoint'),
    stepLimit: filter.whole('stepLimit', 2, INSIGHT_PATH_STEPS_MAX) ?? INSIGHT_PATH_STEPS_DEFAULT,
    edgeLimit: filter.whole('edgeLimit', 1, INSIGHT_EDGES_MAX) ?? INSIGHT_EDGES_DEFAULT,
  }
}

function readPoint(filter: Members, name: string): string | undefined {
  const point = filter.text(name)
  if (point === '') throw new QuestionProblem(filter.at(name), 'May not be empty.')
  return point
}

function readEventTypes(filter: Members): readonly PathEventType[] {
  const asked = filter.list('includeEventTypes') ?? []
  const types = asked.map((item, index) => {
    const type = PATH_EVENT_TYPES.find((each) => each === item)
    if (type !== undefined) return type
    const detail = `Must be one of ${PATH_EVENT_TYPES.join(', ')}.`
    throw new QuestionProblem(`${filter.at('includeEventTypes')}.${index}`, detail)
  })
  return [...new Set(types)]
}
