/** Counts questions whose turn it is, one or several in one snapshot. */
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isObject } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type Zone, zonedText } from '../../core/time/zone.ts'
import type { ColumnarInsights } from '../../event-store/columnar-insights.ts'
import type { OpenInsightEvents } from '../../event-store/insight-events.ts'
import { postgresInsights } from '../../event-store/postgres/insights/postgres-insights.ts'
import type { FilterNode } from '../../events/trees/filter.ts'
import { limitStatements, readEvents } from '../../postgres/bounded-reads.ts'
import type { Sql } from '../../postgres/connect.ts'
import { type Forgotten, readForgotten } from '../../store/answers/forget-answers.ts'
import type { CachedAnswer, ToKeep } from '../../store/answers/query-cache.ts'
import { settleAll } from '../settle-all.ts'
import { createTimeBudget, type TimeBudget } from '../time-budget.ts'
import { askLifecycle, askStickiness } from './activity/ask-activity.ts'
import { askActors } from './actors/ask-actors.ts'
import type { CachedQuestion, Question } from './any-question.ts'
import { type AnswerCache, type KeptQuestion, lookForAnswer } from './cache/answer-cache.ts'
import { holdsUntil } from './cache/holds-until.ts'
import { askFunnel } from './funnels/ask-funnel.ts'
import { createPasses } from './passes.ts'
import { askPaths } from './paths/ask-paths.ts'
import { asksOfSessions, type QuestionError, type Series } from './question.ts'
import { boundedGrid, readRangeOf } from './range.ts'
import {
  createReader,
  everyEvent,
  type InsightReader,
  openSnapshot,
  type Selected,
  type Snapshot,
  selectEvents,
} from './reader.ts'
import { askRetention } from './retention/ask-retention.ts'
import type { Range } from './time/grid.ts'
import { askTrends, planTrends } from './trends/ask-trends.ts'
import { hasMore, trendRows } from './trends/trend-rows.ts'
import { askWeb } from './web/ask-web.ts'
import { eventsBySession, withSessions } from './web/events-by-session.ts'
import { isWeb, webEvents } from './web/web-question.ts'

/** Members of the answer, which the sender writes as JSON. */
export type InsightAnswer = Readonly<Record<string, unknown>>

export type CountDeps = {
  /** Connections for queries alone. */
  readonly sql: Sql
  readonly clock: Clock
  /** Undefined: every question is counted, and no answer is cached. */
  readonly cache?: AnswerCache | undefined
  /** Milliseconds for all statements of a question together. @default EVENT_QUERY_TIMEOUT_MS */
  readonly timeoutMs?: number
  /** Opens the events as long as they are not in `columnar`. @default Postgres */
  readonly openEvents?: OpenInsightEvents
  readonly columnar?: ColumnarInsights | undefined
}

/** An answer, the time of its count, and its store. */
export type Counted = {
  readonly members: InsightAnswer
  readonly countedAt: number
  readonly from: AnsweredBy
}
export type AnsweredBy = 'cache' | 'sql' | 'clickhouse'

export function cachedAnswer({ value, countedAt }: CachedAnswer): Counted {
  const members = parseJson(value)
  return { members: isObject(members) ? members : {}, countedAt, from: 'cache' }
}

/** A question whose turn it is. */
export type InTurn = {
  readonly question: Question
  readonly project: ProjectId
  readonly nowMs: number
  /** Undefined when the answer is not cached. */
  readonly kept: KeptQuestion | undefined
  readonly isForced: boolean
}

/** A question in its turn, with the selections that it reads. */
type Prepared = {
  readonly asking: InTurn
  readonly selected: readonly Selected[]
}

/** Answers one question in a snapshot of its own. */
export async function answerAlone(
  deps: CountDeps,
  asking: InTurn,
  signal: AbortSignal,
): Promise<Result<Counted, QuestionError>> {
  const [answer] = await answerTogether(deps, [asking], signal)
  assert(answer !== undefined, 'each question has its answer')
  return answer
}

/**
 * Answers several questions of one project in one snapshot, so that they share passes over the
 * events.
 * @returns the results by question. An exception fails all of them.
 */
export async function answerTogether(
  deps: CountDeps,
  all: readonly InTurn[],
  signal: AbortSignal,
): Promise<readonly Result<Counted, QuestionError>[]> {
  const [first] = all
  assert(first !== undefined, 'there is a question')
  const { sql, clock, timeoutMs = EVENT_QUERY_TIMEOUT_MS } = deps
  const own = sql.withSignal(signal)
  const budget = createTimeBudget(clock, timeoutMs)
  // Read before any event is, in whichever store.
  const forgotten = deps.cache && (await readForgotten(own, first.project))
  const prepared: Prepared[] = []
  for (const asking of all) {
    const selected: Selected[] = []
    const bySession = isBySession(asking.question)
    for (const { event, filters } of namedEvents(asking.question)) {
      const one = await selectEvents(own, asking.project, event, filters, budget)
      // Each event of a session is read, and tested by its role.
      const selection = { ...everyEvent(asking.project), ...one.role, event: event ?? undefined }
      selected.push(bySession ? { ...one, selection } : one)
    }
    prepared.push({ asking, selected })
  }
  const told = await inSnapshot(
    deps,
    { budget, nowMs: first.nowMs },
    (snapshot, from) => settleAll(prepared.map((each) => answerFrom(snapshot, each, from))),
    signal,
  )
  return await keepTold(deps, first.project, told, forgotten)
}

/** Reads one snapshot of the store that the events are in. @param work may be done twice. */
export async function inSnapshot<T>(
  { sql, openEvents = postgresInsights, columnar }: CountDeps,
  { budget, nowMs }: { readonly budget: TimeBudget; readonly nowMs: number },
  work: (snapshot: Snapshot, from: AnsweredBy) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const own = sql.withSignal(signal)
  const read = (open: OpenInsightEvents, from: AnsweredBy) =>
    readEvents(own, async (tx) => {
      await limitStatements(tx, budget.left())
      const events = open(tx, () => budget.left(), signal)
      return { value: await work(openSnapshot(tx, events, nowMs, budget), from) }
    })
  if (columnar === undefined || !(await columnar.isHome(own))) {
    const told = await read(openEvents, 'sql')
    // The events may have moved meanwhile, and Postgres have lacked some.
    if (columnar === undefined || !(await columnar.isHome(own))) return told
  }
  const open = await columnar.open(own, budget.left(), signal)
  return await read(open, 'clickhouse').catch(columnar.refuse)
}

/**
 * Caches what has been counted.
 * @param forgotten undefined when no answer is cached.
 * @returns the answers.
 */
async function keepTold(
  { cache }: CountDeps,
  project: ProjectId,
  told: readonly Told[],
  forgotten: Forgotten | undefined,
): Promise<readonly Told['answer'][]> {
  const toKeep = told.flatMap((each) => each.toKeep)
  const keyOf = ({ hash, fromMs, untilMs }: ToKeep) => `${hash} ${fromMs} ${untilMs}`
  const rows = [...new Map(toKeep.map((row) => [keyOf(row), row])).values()]
  if (forgotten !== undefined) await cache?.keep(project, rows, forgotten)
  return told.map(({ answer }) => answer)
}

type Told = {
  readonly answer: Result<Counted, QuestionError>
  readonly toKeep: readonly ToKeep[]
}

async function answerFrom(
  snapshot: Snapshot,
  { asking, selected }: Prepared,
  from: AnsweredBy,
): Promise<Told> {
  const { question, project, nowMs, kept, isForced } = asking
  const look = async () =>
    kept && (await lookForAnswer(snapshot.db, kept, nowMs, Number.MAX_SAFE_INTEGER - 1))
  const found = await snapshot.passes.during(look)
  if (found?.fresh && !isForced) return { answer: ok(cachedAnswer(found.fresh)), toKeep: [] }
  const cells = found && { changes: found.changes, usesCache: !isForced, toKeep: [] as ToKeep[] }
  const bySession = isBySession(question)
  const plain = createReader(snapshot, kept?.reads.isOfEvents && !bySession ? cells : undefined)
  const reader = bySession ? readerBySession(plain, sourceOf(question)) : plain
  const answer = await withSessions(() => ask(reader, project, question, selected), err)
  if (!answer.ok) return { answer, toKeep: [] }
  if (kept && cells && found?.version !== undefined) {
    cells.toKeep.push({
      hash: kept.hash,
      fromMs: 0,
      untilMs: 0,
      version: found.version,
      value: JSON.stringify(answer.value),
      countedAt: nowMs,
      holdsUntil: holdsUntil(kept.question, nowMs),
    })
  }
  const counted = { members: answer.value, countedAt: nowMs, from }
  return { answer: ok(counted), toKeep: cells?.toKeep ?? [] }
}

/** The question itself, or the one that a list of actors is of. */
function sourceOf(asked: Question): CachedQuestion {
  return asked.kind === 'actors' ? asked.number.source : asked
}

function isBySession(asked: Question): boolean {
  const question = sourceOf(asked)
  return !isWeb(question) && asksOfSessions(question)
}

/** A reader whose events are counted by their sessions. */
function readerBySession(reader: InsightReader, { sessions = [] }: CachedQuestion): InsightReader {
  const events = eventsBySession(reader, sessions)
  return { ...reader, events, passes: createPasses(events.countInOnePass) }
}

type NamedEvents = { readonly event: string | null; readonly filters: readonly FilterNode[] }

/** The events that a question names, in its order. */
function namedEvents(asked: Question): readonly NamedEvents[] {
  const question = sourceOf(asked)
  if (isWeb(question)) return webEvents(question)
  const { filter } = question
  const ofSeries = (series: readonly Pick<Series, 'event' | 'filter'>[]) =>
    series.map((each) => ({ event: each.event, filters: [filter, each.filter] }))
  switch (question.kind) {
    case 'funnel':
      return ofSeries([...question.steps, ...question.exclusions])
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
  if (isWeb(question)) return await askWeb(reader, project, question, selected)
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
    const { rows, range: read } = await askRetention(
      reader,
      project,
      question,
      selected,
      range.value,
    )
    return ok({ results: rows, ...resolved(question.zone, read) })
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
