/** Answers questions: from JSON to JSON. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { readEvents } from '../../store/pool/bounded-reads.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { FilterNode } from '../list/filters.ts'
import type { Scans } from '../scan-gate.ts'
import { createTimeBudget, isOutOfTime } from '../time-budget.ts'
import { askLifecycle, askStickiness } from './activity/ask-activity.ts'
import { askFunnel } from './funnels/ask-funnel.ts'
import type { Question, QuestionError, Series } from './question.ts'
import { boundedGrid, readRangeOf } from './range.ts'
import { createReading } from './read/common.ts'
import { readQuestion } from './read/read-question.ts'
import { createReader, type InsightReader, type Selected, selectEvents } from './reader.ts'
import { askRetention } from './retention/ask-retention.ts'
import type { Range } from './time/grid.ts'
import { type Zone, zonedText, zoneOf } from './time/zone.ts'
import { askTrends } from './trends/ask-trends.ts'
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
  /** Milliseconds for all statements of a question together. @default EVENT_QUERY_TIMEOUT_MS */
  readonly timeoutMs?: number
}

/**
 * @param path where the question stands in its request, such as `query.3`: errors begin with it.
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the scan gate; what the store throws when it cannot answer. Safe to retry.
 */
export async function answerQuestion(
  deps: AnswerDeps,
  project: AskingProject,
  asked: Json,
  path: string,
  signal: AbortSignal,
): Promise<Result<InsightAnswer, QuestionError>> {
  const { clock, scans } = deps
  const nowMs = clock.now()
  const zone = zoneOf(project.timezone)
  const reading = createReading(zone, nowMs, project.testAccountFilters)
  const question = readQuestion(asked, reading)
  if (!question.ok) return err(placed(question.error, path))
  const startedAt = clock.monotonic()
  try {
    const answer = await scans.run(signal, () =>
      answerIn(deps, project.id, question.value, nowMs, signal),
    )
    if (!answer.ok) return err(placed(answer.error, path))
    return ok({
      ...answer.value,
      timezone: project.timezone,
      is_cached: false,
      last_refresh: new Date(nowMs).toISOString(),
      cache_key: cacheKey(project, asked),
      timings: [{ k: 'sql', t: (clock.monotonic() - startedAt) / 1_000 }],
    })
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return err(TOO_LONG)
  }
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

async function answerIn(
  { sql, clock, timeoutMs = EVENT_QUERY_TIMEOUT_MS }: AnswerDeps,
  project: ProjectId,
  question: Question,
  nowMs: number,
  signal: AbortSignal,
): Promise<Result<InsightAnswer, QuestionError>> {
  const own = sql.endingWith(signal)
  const budget = createTimeBudget(clock, timeoutMs)
  const selected: Selected[] = []
  for (const { event, filters } of namedEvents(question)) {
    selected.push(await selectEvents(own, project, event, filters, budget))
  }
  return await readEvents(
    own,
    async (tx): Promise<{ value: Result<InsightAnswer, QuestionError> }> => {
      return { value: await ask(createReader(tx, nowMs, budget), project, question, selected) }
    },
  )
}

type NamedEvents = { readonly event: string | null; readonly filters: readonly FilterNode[] }

/** The events that a question names, in its order. */
function namedEvents(question: Question): readonly NamedEvents[] {
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
    const trends = await askTrends(reader, question, selections)
    if (!trends.ok) return trends
    const results = trendRows(question, trends.value, reader.nowMs)
    const { range } = trends.value.current.grid
    return ok({ results, hasMore: hasMore(trends.value), ...resolved(question.zone, range) })
  }
  const range = await readRangeOf(reader, question, selections)
  if (!range.ok) return range
  const frame = resolved(question.zone, range.value)
  if (question.kind === 'funnel') {
    const steps = await askFunnel(reader, project, question, selected, range.value)
    return steps.ok ? ok({ results: steps.value, ...frame }) : steps
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

/** Equal questions of a project have one key. */
function cacheKey({ id, timezone }: AskingProject, asked: Json): string {
  const text = JSON.stringify([id, timezone, asked])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
