/** Answers questions: from JSON to JSON. */
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isObject, type Json } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { EVENT_QUERY_TIMEOUT_MS, KEPT_COUNTERS_MAX } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { KeptAnswer, ToKeep } from '../../store/insights/kept-answer-store.ts'
import { limitStatements, readEvents } from '../../store/pool/bounded-reads.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Db } from '../../store/pool/db.ts'
import { readAskedCohorts } from '../asked-cohorts.ts'
import type { FilterNode } from '../list/filters.ts'
import type { Scans } from '../scan-gate.ts'
import { createTimeBudget, isOutOfTime } from '../time-budget.ts'
import { askLifecycle, askStickiness } from './activity/ask-activity.ts'
import { askActors } from './actors/ask-actors.ts'
import {
  type AnswerCache,
  type KeptQuestion,
  keptQuestion,
  lookForAnswer,
} from './cache/answer-cache.ts'
import { holdsUntil } from './cache/holds-until.ts'
import { hashOf } from './cache/question-key.ts'
import { askEvents } from './events/ask-events.ts'
import { askFunnel } from './funnels/ask-funnel.ts'
import { askPaths } from './paths/ask-paths.ts'
import type { Question, QuestionError, Series } from './question.ts'
import { boundedGrid, readRangeOf } from './range.ts'
import { createReading, type Reading } from './read/common.ts'
import { readQuestion } from './read/read-question.ts'
import { createReader, type InsightReader, type Selected, selectEvents } from './reader.ts'
import { askRetention } from './retention/ask-retention.ts'
import type { Range } from './time/grid.ts'
import { type Zone, zonedText, zoneOf } from './time/zone.ts'
import { askTrends, planTrends } from './trends/ask-trends.ts'
import { hasMore, trendRows } from './trends/trend-rows.ts'

/** What a project brings to its questions. */
export type AskingProject = {
  readonly id: ProjectId
  readonly timezone: string
  readonly testAccountFilters: Json
}

/** Members of the answer; written as JSON by whoever sends it. */
export type InsightAnswer = Readonly<Record<string, unknown>>

export type AnswerDeps = {
  /** Connections for queries alone. */
  readonly sql: Sql
  readonly clock: Clock
  readonly scans: Scans
  /** Undefined: every question is counted, and nothing is kept. */
  readonly cache?: AnswerCache | undefined
  /** Milliseconds for all statements of a question together. @default EVENT_QUERY_TIMEOUT_MS */
  readonly timeoutMs?: number
}

export type Asking = {
  /** Where the question stands in its request, such as `query.3`: errors begin with it. */
  readonly path: string
  /** Past what is kept, which is counted anew. */
  readonly isForced?: boolean
}

/**
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the scan gate; what the store throws when it cannot answer. Safe to retry.
 */
export async function answerQuestion(
  deps: AnswerDeps,
  project: AskingProject,
  asked: Json,
  { path, isForced = false }: Asking,
  signal: AbortSignal,
): Promise<Result<InsightAnswer, QuestionError>> {
  const { clock, scans, cache } = deps
  const nowMs = clock.now()
  const reading = await readingOf(deps.sql.endingWith(signal), project, asked, nowMs)
  const question = readQuestion(asked, reading)
  if (!question.ok) return err(placed(question.error, path))
  const startedAt = clock.monotonic()
  const whole = ({ members, countedAt, isCached }: Counted): InsightAnswer => ({
    ...members,
    timezone: project.timezone,
    is_cached: isCached,
    last_refresh: new Date(countedAt).toISOString(),
    cache_key: hashOf('key', project.id, project.timezone, asked),
    timings: [{ k: isCached ? 'cache' : 'sql', t: (clock.monotonic() - startedAt) / 1_000 }],
  })
  try {
    const { value } = question
    if (value.kind === 'events') {
      const answer = await askEvents(deps, project.id, value, signal)
      if (!answer.ok) return err(placed(answer.error, path))
      return ok(whole({ members: answer.value, countedAt: nowMs, isCached: false }))
    }
    const kept = cache && value.kind !== 'actors' ? keptQuestion(project.id, value) : undefined
    // Before it waits for its turn. What depends on more than events is checked first, in its turn.
    if (cache && kept?.reads.isOfEvents && !isForced) {
      const { fresh } = await lookForAnswer(cache.sql, kept, nowMs, KEPT_COUNTERS_MAX)
      if (fresh) return ok(whole(keptAnswer(fresh)))
    }
    const asking = { question: value, project: project.id, nowMs, kept, isForced }
    const answer = await scans.run(signal, () => answerIn(deps, asking, signal))
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

/** An answer, and when it was counted. */
type Counted = {
  readonly members: InsightAnswer
  readonly countedAt: number
  readonly isCached: boolean
}

function keptAnswer({ value, countedAt }: KeptAnswer): Counted {
  const members = parseJson(value)
  return { members: isObject(members) ? members : {}, countedAt, isCached: true }
}

type InTurn = {
  readonly question: Question
  readonly project: ProjectId
  readonly nowMs: number
  /** Undefined when nothing is kept of the question. */
  readonly kept: KeptQuestion | undefined
  readonly isForced: boolean
}

async function answerIn(
  { sql, clock, cache, timeoutMs = EVENT_QUERY_TIMEOUT_MS }: AnswerDeps,
  { question, project, nowMs, kept, isForced }: InTurn,
  signal: AbortSignal,
): Promise<Result<Counted, QuestionError>> {
  const own = sql.endingWith(signal)
  const budget = createTimeBudget(clock, timeoutMs)
  let toKeep: readonly ToKeep[] = []
  const selected: Selected[] = []
  for (const { event, filters } of namedEvents(question)) {
    selected.push(await selectEvents(own, project, event, filters, budget))
  }
  const count = async (tx: Db): Promise<{ value: Result<Counted, QuestionError> }> => {
    await limitStatements(tx, budget.left())
    const found = kept && (await lookForAnswer(tx, kept, nowMs, Number.MAX_SAFE_INTEGER - 1))
    if (found?.fresh && !isForced) return { value: ok(keptAnswer(found.fresh)) }
    const cells = found && { changes: found.changes, usesKept: !isForced, toKeep: [] as ToKeep[] }
    const usable = kept?.reads.isOfEvents ? cells : undefined
    const reader = createReader(tx, nowMs, budget, usable)
    const answer = await ask(reader, project, question, selected)
    if (!answer.ok) return { value: answer }
    if (kept && cells && found?.version !== undefined) {
      cells.toKeep.push({
        ...{ hash: kept.hash, fromMs: 0, untilMs: 0, version: found.version },
        ...{ value: JSON.stringify(answer.value), countedAt: nowMs },
        holdsUntil: holdsUntil(kept.question, nowMs),
      })
    }
    toKeep = cells?.toKeep ?? []
    return { value: ok({ members: answer.value, countedAt: nowMs, isCached: false }) }
  }
  const answer = await readEvents(own, count)
  await cache?.keep(project, toKeep)
  return answer
}

type NamedEvents = { readonly event: string | null; readonly filters: readonly FilterNode[] }

/** The events that a question names, in its order. */
function namedEvents(asked: Question): readonly NamedEvents[] {
  const question = asked.kind === 'actors' ? asked.number.source : asked
  const { filter } = question
  const ofSeries = (series: readonly Series[]) =>
    series.map((each) => ({ event: each.event, filters: [filter, each.filter] }))
  switch (question.kind) {
    case 'funnel': {
      const exclusions = question.exclusions.map(({ event }) => ({ event, filters: [filter] }))
      return [...ofSeries(question.steps), ...exclusions]
    }
    case 'retention':
      return [question.target, question.returning].map((event) => ({ event, filters: [filter] }))
    case 'paths':
      return [{ event: null, filters: [filter] }]
    default:
      return ofSeries(question.series)
  }
}

async function ask(
  reader: InsightReader,
  project: ProjectId,
  question: Question,
  selected: readonly Selected[],
): Promise<Result<InsightAnswer, QuestionError>> {
  const selections = selected.map(({ selection }) => selection)
  if (question.kind === 'trends') {
    const plan = await planTrends(reader, question, selections)
    if (!plan.ok) return plan
    const trends = await askTrends(reader, question, selections, plan.value)
    const results = trendRows(question, trends, reader.nowMs)
    const { range } = plan.value.current
    return ok({ results, hasMore: hasMore(trends), ...resolved(question.zone, range) })
  }
  if (question.kind === 'actors') return await askActors(reader, project, question, selected)
  const range = await readRangeOf(reader, question, selections)
  if (!range.ok) return range
  const frame = resolved(question.zone, range.value)
  if (question.kind === 'funnel') {
    const funnel = await askFunnel(reader, project, question, selected, range.value)
    if (!funnel.ok) return funnel
    const { range: read, ...answer } = funnel.value
    return ok({ ...answer, ...resolved(question.zone, read) })
  }
  if (question.kind === 'paths') {
    const edges = await askPaths(reader, question, selections, range.value)
    return edges.ok ? ok({ results: edges.value, ...frame }) : edges
  }
  if (question.kind === 'retention') {
    const results = await askRetention(reader, project, question, selected, range.value.fromMs)
    return ok({ results, ...frame })
  }
  const grid = boundedGrid(range.value, question.interval, question.zone)
  if (!grid.ok) return grid
  const results =
    question.kind === 'stickiness'
      ? await askStickiness(reader, project, question.series, selected, grid.value)
      : await askLifecycle(reader, project, question, selected, grid.value)
  return ok({ results, ...resolved(question.zone, grid.value.range) })
}

function resolved(zone: Zone, { fromMs, untilMs }: Range): InsightAnswer {
  return {
    resolved_date_range: {
      date_from: zonedText(zone, fromMs),
      date_to: zonedText(zone, untilMs - 1),
    },
  }
}
