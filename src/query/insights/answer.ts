/** Answers questions: from JSON to JSON. */
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { KEPT_COUNTERS_MAX } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { EventReader } from '../../events/ports.ts'
import { createPostgresEvents } from '../../store/events-postgres/read/event-reader.ts'
import type { Sql } from '../../store/pool/connect.ts'
import { readAskedCohorts } from '../asked-cohorts.ts'
import type { Scans } from '../scan-gate.ts'
import { isOutOfTime } from '../time-budget.ts'
import { keptQuestion, lookForAnswer } from './cache/answer-cache.ts'
import { hashOf } from './cache/question-key.ts'
import {
  answerAlone,
  type CountDeps,
  type Counted,
  type InsightAnswer,
  type InTurn,
  keptAnswer,
} from './count-answers.ts'
import { askEvents } from './events/ask-events.ts'
import type { QuestionError } from './question.ts'
import { createReading, type Reading } from './read/common.ts'
import { readQuestion } from './read/read-question.ts'
import { zoneOf } from './time/zone.ts'

/** What a project brings to its questions. */
export type AskingProject = {
  readonly id: ProjectId
  readonly timezone: string
  readonly testAccountFilters: Json
}

export type AnswerDeps = CountDeps & {
  readonly scans: Scans
  /** For tables of events. @default Postgres */
  readonly events?: EventReader
}

export type Asking = {
  /** Where the question stands in its request, such as `query.3`: errors begin with it. */
  readonly path: string
  /** Past what is kept, which is counted anew. */
  readonly isForced?: boolean
  /** Counts what is not answered by what is kept. @default alone, in its turn. */
  readonly count?: (asking: InTurn, signal: AbortSignal) => Promise<Result<Counted, QuestionError>>
}

/**
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the scan gate; what the store throws when it cannot answer. Safe to retry.
 */
export async function answerQuestion(
  deps: AnswerDeps,
  project: AskingProject,
  asked: Json,
  { path, isForced = false, count }: Asking,
  signal: AbortSignal,
): Promise<Result<InsightAnswer, QuestionError>> {
  const { clock, scans, cache } = deps
  const nowMs = clock.now()
  const reading = await readingOf(deps.sql.endingWith(signal), project, asked, nowMs)
  const question = readQuestion(asked, reading)
  if (!question.ok) return err(placed(question.error, path))
  const startedAt = clock.monotonic()
  const whole = ({ members, countedAt, from }: Counted): InsightAnswer => ({
    ...members,
    timezone: project.timezone,
    is_cached: from === 'cache',
    last_refresh: new Date(countedAt).toISOString(),
    cache_key: hashOf('key', project.id, project.timezone, asked),
    timings: [{ k: from, t: (clock.monotonic() - startedAt) / 1_000 }],
  })
  try {
    const { value } = question
    if (value.kind === 'events') {
      const { events = createPostgresEvents(deps.sql) } = deps
      const answer = await askEvents({ ...deps, events }, project.id, value, signal)
      if (!answer.ok) return err(placed(answer.error, path))
      return ok(whole({ members: answer.value, countedAt: nowMs, from: 'sql' }))
    }
    const kept = cache && value.kind !== 'actors' ? keptQuestion(project.id, value) : undefined
    // Before it waits for its turn. What depends on more than events is checked first, in its turn.
    if (cache && kept?.reads.isOfEvents && !isForced) {
      const { fresh } = await lookForAnswer(cache.sql, kept, nowMs, KEPT_COUNTERS_MAX)
      if (fresh) return ok(whole(keptAnswer(fresh)))
    }
    const asking = { question: value, project: project.id, nowMs, kept, isForced }
    const alone = () => scans.run(signal, () => answerAlone(deps, asking, signal))
    const answer = await (count === undefined ? alone() : count(asking, signal))
    return answer.ok ? ok(whole(answer.value)) : err(placed(answer.error, path))
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return err(TOO_LONG)
  }
}

/** What can be said of a question before it is asked: the error that it would be answered with. */
export async function checkQuestion(
  { sql, clock }: Pick<AnswerDeps, 'sql' | 'clock'>,
  project: AskingProject,
  asked: Json,
  signal: AbortSignal,
): Promise<Result<undefined, QuestionError>> {
  const reading = await readingOf(sql.endingWith(signal), project, asked, clock.now())
  const question = readQuestion(asked, reading)
  return question.ok ? ok(undefined) : err(placed(question.error, 'query'))
}

async function readingOf(
  sql: Sql,
  { id, timezone, testAccountFilters }: AskingProject,
  asked: Json,
  nowMs: number,
): Promise<Reading> {
  const cohorts = await readAskedCohorts(sql, id, [asked, testAccountFilters], nowMs)
  return createReading(zoneOf(timezone), nowMs, testAccountFilters, cohorts)
}

function placed(error: QuestionError, path: string): QuestionError {
  return {
    ...error,
    attr: error.attr === null ? null : [path, error.attr].filter(Boolean).join('.'),
  }
}

const TOO_LONG: QuestionError = {
  code: 'query_timeout',
  detail: 'The question took too long. Ask for a shorter range or fewer series.',
  attr: null,
}
