/** Reads a question of any kind. */
import type { Json } from '../../../core/json.ts'
import { isObject, own } from '../../../core/json.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { echo } from '../../../wire/details.ts'
import type { Question, QuestionError } from '../question.ts'
import type { Reading } from './common.ts'
import { membersOf, QuestionProblem } from './members.ts'
import {
  FUNNEL_MEMBERS,
  RETENTION_MEMBERS,
  readFunnel,
  readLifecycle,
  readRetention,
  readStickiness,
  SERIES_MEMBERS,
} from './read-actors.ts'
import { readTrends, TRENDS_MEMBERS } from './read-trends.ts'

/** The error names the first member that is wrong. Never throws. */
export function readQuestion(asked: Json, reading: Reading): Result<Question, QuestionError> {
  try {
    return ok(read(asked, reading))
  } catch (error) {
    if (!(error instanceof QuestionProblem)) throw error
    const { code, message, attr } = error
    return err({ code, detail: message, attr })
  }
}

function read(asked: Json, reading: Reading): Question {
  const kind = isObject(asked) ? own(asked, 'kind') : undefined
  switch (kind) {
    case 'TrendsQuery':
      return readTrends(membersOf(asked, '', TRENDS_MEMBERS), reading)
    case 'FunnelsQuery':
      return readFunnel(membersOf(asked, '', FUNNEL_MEMBERS), reading)
    case 'RetentionQuery':
      return readRetention(membersOf(asked, '', RETENTION_MEMBERS), reading)
    case 'StickinessQuery':
      return readStickiness(membersOf(asked, '', SERIES_MEMBERS), reading)
    case 'LifecycleQuery':
      return readLifecycle(membersOf(asked, '', SERIES_MEMBERS), reading)
    case 'HogQLQuery':
      throw new QuestionProblem(
        'kind',
        'HogQL is unsupported: use EventsQuery.',
        'unsupported_query',
      )
    default:
      throw new QuestionProblem('kind', `Unknown kind ${echo(JSON.stringify(kind ?? null))}.`)
  }
}
