/** Reads a question of any kind. */
import { isObject, type Json, own } from '../../../core/json.ts'
import { PAGE_LIMIT_DEFAULT } from '../../../core/limits/limits.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { echo } from '../../../wire/details.ts'
import { parseEventTable } from '../../table/event-table.ts'
import type { Question } from '../any-question.ts'
import {
  type EventsQuestion,
  type NumbersQuestion,
  PATH_EVENT_TYPES,
  type PathEventType,
  type PathsQuestion,
  type QuestionError,
} from '../question.ts'
import { COMMON, type Reading, readFilter, readRange, requireKnownFilters } from './common.ts'
import { type Members, membersOf, pathIn, QuestionProblem } from './members.ts'
import {
  RETENTION_MEMBERS,
  readLifecycle,
  readRetention,
  readStickiness,
  SERIES_MEMBERS,
} from './read-actors.ts'
import { ACTORS_MEMBERS, readActors } from './read-actors-query.ts'
import { FUNNEL_MEMBERS, readFunnel } from './read-funnel.ts'
import { requireSessionsFit } from './read-session-filters.ts'
import { readTrends, TRENDS_MEMBERS } from './read-trends.ts'
import {
  readSessions,
  readWebGoals,
  readWebOverview,
  readWebStats,
  readWebTrends,
  SESSIONS_MEMBERS,
  WEB_GOALS_MEMBERS,
  WEB_OVERVIEW_MEMBERS,
  WEB_STATS_MEMBERS,
  WEB_TRENDS_MEMBERS,
} from './read-web.ts'

/** Rows of a table of events, as a list of them has. */
const INSIGHT_TABLE_ROWS_MAX = 10_000

const EVENTS_MEMBERS = [
  'kind',
  'select',
  'where',
  'properties',
  'event',
  'after',
  'before',
  'orderBy',
  'limit',
  'offset',
  'tags',
  'version',
  'modifiers',
] as const

const OFFSET_MAX = 2_147_483_647

/** @throws {QuestionProblem} */
function readEvents(question: Members, reading: Reading): EventsQuestion {
  const modifiers = question.json('modifiers')
  if (modifiers !== undefined) membersOf(modifiers, question.at('modifiers'), [])
  const query = parseEventTable(
    {
      after: question.text('after') ?? '',
      before: question.text('before') ?? '',
      event: question.text('event'),
      distinctId: undefined,
      personId: undefined,
      properties: JSON.stringify(question.json('properties') ?? []),
      cohorts: reading.cohorts,
      zone: reading.zone,
      select: [textList(question, 'select')],
      where: [textList(question, 'where')],
      orderBy: textList(question, 'orderBy'),
    },
    reading.nowMs,
    reading.zone,
  )
  if (!query.ok) throw new QuestionProblem(question.at(query.error.attr ?? ''), query.error.detail)
  requireKnownFilters(question, 'properties')
  const limit = question.whole('limit', 1, INSIGHT_TABLE_ROWS_MAX) ?? PAGE_LIMIT_DEFAULT
  const offset = question.whole('offset', 0, OFFSET_MAX) ?? 0
  return { kind: 'events', query: query.value, page: { limit, offset } }
}

/** The JSON text of a list of texts. */
function textList(question: Members, name: string): string {
  const items = question.list(name) ?? []
  if (items.every((item) => typeof item === 'string')) return JSON.stringify(items)
  throw new QuestionProblem(question.at(name), 'Must be a list of expressions, each a text.')
}

/** Items of a path, and edges between them: by default, and at most. */
const INSIGHT_PATH_STEPS_DEFAULT = 5
const INSIGHT_PATH_STEPS_MAX = 50
const INSIGHT_EDGES_DEFAULT = 50
const INSIGHT_EDGES_MAX = 1_000

const PATHS_MEMBERS = [...COMMON, 'pathsFilter'] as const

const PATHS_FILTER = [
  'includeEventTypes',
  'startPoint',
  'endPoint',
  'stepLimit',
  'edgeLimit',
] as const

/** The error names the first member that is wrong. Never throws. */
export function readQuestion(
  asked: Json,
  reading: Reading,
): Result<Question | EventsQuestion, QuestionError> {
  try {
    return ok(read(asked, reading))
  } catch (error) {
    if (!(error instanceof QuestionProblem)) throw error
    const { code, message, attr } = error
    return err({ code, detail: message, attr })
  }
}

function read(asked: Json, reading: Reading): Question | EventsQuestion {
  switch (kindOf(asked)) {
    case 'ActorsQuery':
      return readActors(membersOf(asked, '', ACTORS_MEMBERS), reading, readNumbers)
    case 'EventsQuery':
      return readEvents(membersOf(asked, '', EVENTS_MEMBERS), reading)
    case 'WebOverviewQuery':
      return readWebOverview(membersOf(asked, '', WEB_OVERVIEW_MEMBERS), reading)
    case 'WebStatsTableQuery':
      return readWebStats(membersOf(asked, '', WEB_STATS_MEMBERS), reading)
    case 'WebTrendsQuery':
      return readWebTrends(membersOf(asked, '', WEB_TRENDS_MEMBERS), reading)
    case 'SessionsQuery':
      return readSessions(membersOf(asked, '', SESSIONS_MEMBERS), reading)
    case 'WebGoalsQuery':
      return readWebGoals(membersOf(asked, '', WEB_GOALS_MEMBERS), reading)
    default:
      return readNumbers(asked, '', reading)
  }
}

function kindOf(asked: Json): Json | undefined {
  return isObject(asked) ? own(asked, 'kind') : undefined
}

/** @param path of the question; empty for a question of its own. */
function readNumbers(asked: Json, path: string, reading: Reading): NumbersQuestion {
  const question = readKind(asked, path, reading)
  requireSessionsFit(question, path)
  return question
}

function readKind(asked: Json, path: string, reading: Reading): NumbersQuestion {
  const kind = kindOf(asked)
  switch (kind) {
    case 'TrendsQuery':
      return readTrends(membersOf(asked, path, TRENDS_MEMBERS), reading)
    case 'FunnelsQuery':
      return readFunnel(membersOf(asked, path, FUNNEL_MEMBERS), reading)
    case 'RetentionQuery':
      return readRetention(membersOf(asked, path, RETENTION_MEMBERS), reading)
    case 'StickinessQuery':
      return readStickiness(membersOf(asked, path, SERIES_MEMBERS), reading)
    case 'LifecycleQuery':
      return readLifecycle(membersOf(asked, path, SERIES_MEMBERS), reading)
    case 'PathsQuery':
      return readPaths(membersOf(asked, path, PATHS_MEMBERS), reading)
    case 'HogQLQuery':
      throw new QuestionProblem(
        pathIn(path, 'kind'),
        'HogQL is unsupported: use EventsQuery.',
        'unsupported_query',
      )
    default: {
      const detail = `Unknown kind ${echo(JSON.stringify(kind ?? null))}.`
      throw new QuestionProblem(pathIn(path, 'kind'), detail)
    }
  }
}

/** @throws {QuestionProblem} */
function readPaths(question: Members, reading: Reading): PathsQuestion {
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
