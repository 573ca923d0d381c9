/** Reads a question of any kind. */
import type { Json } from '../../../core/json.ts'
import { isObject, own } from '../../../core/json.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { echo } from '../../../wire/details.ts'
import type { Question } from '../any-question.ts'
import type { EventsQuestion, NumbersQuestion, QuestionError } from '../question.ts'
import type { Reading } from './common.ts'
import { membersOf, pathIn, QuestionProblem } from './members.ts'
import {
  RETENTION_MEMBERS,
  readLifecycle,
  readRetention,
  readStickiness,
  SERIES_MEMBERS,
} from './read-actors.ts'
import { ACTORS_MEMBERS, readActors } from './read-actors-query.ts'
import { EVENTS_MEMBERS, readEvents } from './read-events.ts'
import { FUNNEL_MEMBERS, readFunnel } from './read-funnel.ts'
import { PATHS_MEMBERS, readPaths } from './read-paths.ts'
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
