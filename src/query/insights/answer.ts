/** Answers questions: from JSON to JSON. */
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type WeekStartDay, withWeeks, type Zone, zoneOf } from '../../core/time/zone.ts'
import { createPostgresEvents } from '../../event-store/postgres/reads/event-reader.ts'
import type { EventReader } from '../../events/ports.ts'
import type { CohortMembers } from '../../store/cohorts/cohort-members.ts'
import type { StoredProject } from '../../store/projects/project-store.ts'
import { readCohortsInTurn } from '../asked-cohorts.ts'
import type { Scans } from '../query-limiter.ts'
import { isOutOfTime } from '../time-budget.ts'
import { keptQuestion, lookForAnswer } from './cache/answer-cache.ts'
import {
  answerAlone,
  type CountDeps,
  type Counted,
  cachedAnswer,
  type InsightAnswer,
  type InTurn,
} from './count-answers.ts'
import { askEvents } from './events/ask-events.ts'
import type { QuestionError } from './question.ts'
import { hashOf } from './question-key.ts'
import { createReading, type Reading } from './read/common.ts'
import { readQuestion } from './read/read-question.ts'

/** Counters of events that are read to look for an answer before the question has its turn. */
const CACHE_COUNTERS_MAX = 20_000

/** Settings of a project that its questions depend on. */
export type AskingProject = {
  readonly id: ProjectId
  readonly timezone: string
  readonly testAccountFilters: Json
  /** @default none */
  readonly webGoals?: Json
  /** @default 1 */
  readonly weekStartDay?: WeekStartDay
}

/** Settings of a stored project. */
export function askingProject({
  id,
  timezone,
  testAccountFilters,
  webGoals,
  weekStartDay,
}: StoredProject): AskingProject {
  return { id, timezone, testAccountFilters, webGoals, weekStartDay }
}

/** The clock and the calendar of a project. @throws {RangeError} when the zone is not known. */
export function calendarOf({ timezone, weekStartDay = 1 }: AskingProject): Zone {
  return withWeeks(zoneOf(timezone), weekStartDay)
}

export type AnswerDeps = CountDeps & {
  readonly scans: Scans
  /** Reader of tables of events. @default Postgres */
  readonly events?: EventReader
}

export type Asking = {
  /** Path of the question in its request, such as `query.3`: errors begin with it. */
  readonly path: string
  /** Ignores cached answers and counts again. */
  readonly isForced?: boolean
  /** Cohorts that its call names. @default those of this question alone */
  readonly cohorts?: (signal: AbortSignal) => Promise<CohortMembers>
  /** Counts a question that the cache does not answer. @default alone, in its turn */
  readonly count?: (asking: InTurn, signal: AbortSignal) => Promise<Result<Counted, QuestionError>>
}

/**
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the query limiter; errors of the store. Safe to retry.
 */
export async function answerQuestion(
  deps: AnswerDeps,
  project: AskingProject,
  asked: Json,
  { path, isForced = false, cohorts, count }: Asking,
  signal: AbortSignal,
): Promise<Result<InsightAnswer, QuestionError>> {
  const { clock, scans, cache } = deps
  const nowMs = clock.now()
  const startedAt = clock.monotonic()
  const whole = ({ members, countedAt, from }: Counted): InsightAnswer => ({
    ...members,
    timezone: project.timezone,
    is_cached: from === 'cache',
    last_refresh: new Date(countedAt).toISOString(),
    cache_key: hashOf('key', project.id, { zone: calendarOf(project) }, asked),
    timings: [{ k: from, t: (clock.monotonic() - startedAt) / 1_000 }],
  })
  try {
    const own = cohorts ?? ((ending) => cohortsOf(deps, project, [asked], nowMs, ending))
    const question = readQuestion(asked, readingOf(project, nowMs, await own(signal)))
    if (!question.ok) return err(placed(question.error, path))
    const { value } = question
    if (value.kind === 'events') {
      const { events = createPostgresEvents(deps.sql) } = deps
      const answer = await askEvents({ ...deps, events }, project.id, value, signal)
      if (!answer.ok) return err(placed(answer.error, path))
      return ok(whole({ members: answer.value, countedAt: nowMs, from: 'sql' }))
    }
    const kept = cache && value.kind !== 'actors' ? keptQuestion(project.id, value) : undefined
    // Looks up the answer before queueing. One that depends on more than events is looked up in its
    // turn.
    if (cache && kept?.reads.isOfEvents && !isForced) {
      const { fresh } = await lookForAnswer(cache.sql, kept, nowMs, CACHE_COUNTERS_MAX)
      if (fresh) return ok(whole(cachedAnswer(fresh)))
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

/** Checks a question without running it: the error that it would be answered with, if any. */
export async function checkQuestion(
  deps: Pick<AnswerDeps, 'sql' | 'clock' | 'scans'>,
  project: AskingProject,
  asked: Json,
  signal: AbortSignal,
): Promise<Result<undefined, QuestionError>> {
  const nowMs = deps.clock.now()
  const cohorts = await cohortsOf(deps, project, [asked], nowMs, signal)
  const question = readQuestion(asked, readingOf(project, nowMs, cohorts))
  return question.ok ? ok(undefined) : err(placed(question.error, 'query'))
}

/**
 * Members of the cohorts that questions name: each is read once, and all of them count together.
 * @throws {AppError} of the query limiter.
 */
export async function cohortsOf(
  { sql, scans }: Pick<AnswerDeps, 'sql' | 'scans'>,
  { id, testAccountFilters, webGoals = [] }: AskingProject,
  asked: readonly Json[],
  nowMs: number,
  signal: AbortSignal,
): Promise<CohortMembers> {
  const named = [...asked, testAccountFilters, webGoals]
  return await readCohortsInTurn({ sql, scans, signal }, id, named, nowMs)
}

/** Builds the context to read a project's question. @throws {RangeError} for an unknown zone. */
export function readingOf(project: AskingProject, nowMs: number, cohorts: CohortMembers): Reading {
  const { testAccountFilters, webGoals } = project
  return createReading(calendarOf(project), nowMs, testAccountFilters, cohorts, webGoals)
}

function placed(error: QuestionError, path: string): QuestionError {
  return {
    ...error,
    attr: error.attr === null ? null : [path, error.attr].filter(Boolean).join('.'),
  }
}

const TOO_LONG: QuestionError = {
  code: 'query_timeout',
  detail: 'The query took too long. Try again, or choose a shorter range.',
  attr: null,
}
