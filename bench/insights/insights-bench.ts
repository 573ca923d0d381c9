/** `sluice bench insights`: starts the product with a data set of its own and asks it questions. */
import type { Clock } from '../../src/core/clock.ts'
import type { Log } from '../../src/core/log.ts'
import { PRECOMPUTE_EVENTS_MIN } from '../../src/query/insights/precompute/precompute.ts'
import { withDatabase } from '../load/machine/database.ts'
import { type Environment, readEnvironment } from '../load/machine/environment.ts'
import { type Product, startProduct } from '../load/machine/product.ts'
import type { Percentiles } from '../load/report/report.ts'
import type { Spread } from '../load/report/stats.ts'
import { figure, textTable } from '../load/report/text-table.ts'
import { runOnce, WORKLOADS } from '../load/single-run.ts'
import { DATA_DAYS, writeDataSet } from './data-set.ts'
import { type AskedServer, ask, measureQuestion, type QuestionFigures } from './measure.ts'
import { BENCH_QUESTIONS, type BenchQuestion } from './questions.ts'

const DISTINCT_IDS_MAX = 1_000

export type InsightsBenchOptions = {
  readonly events: number
  readonly persons: number
  /** Times that each question is asked in each of its states. */
  readonly runs: number
  /** Captures a second, and as many decides, alone and beside questions; undefined: none. */
  readonly capture: number | undefined
  /** Seconds of each load. */
  readonly duration: number
  /** Store that answers. */
  readonly store: 'postgres' | 'clickhouse'
}

type BenchDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly eventsUrl: string | undefined
}

/** The first project of a new product. */
const PROJECT = 1

export type InsightsReport = {
  readonly schema: 'sluice-bench-insights/1'
  readonly startedAt: string
  readonly environment: Environment
  readonly settings: InsightsBenchOptions & { readonly days: number }
  /** Milliseconds of writing the data set. */
  readonly filledMs: number
  readonly questions: readonly QuestionFigures[]
  readonly beside: BesideFigures | undefined
}

/**
 * @param eventsUrl of the ClickHouse that answers, where that is the store: a database without
 * tables.
 * @param signal aborts the start; the caller ends this process afterwards.
 */
export async function runInsightsBench(
  { clock, log, eventsUrl }: BenchDeps,
  options: InsightsBenchOptions,
  signal: AbortSignal,
): Promise<InsightsReport> {
  const startedAt = new Date(clock.now()).toISOString()
  const environment = readEnvironment()
  const { events, persons, runs, capture, duration } = options
  let filledMs = 0
  const fill = async (databaseUrl: string) => {
    log.info('writing the data set', { events, persons, days: DATA_DAYS })
    const from = clock.monotonic()
    const dataSet = { project: PROJECT, events, persons, untilMs: clock.now() }
    await withDatabase(databaseUrl, (sql) => writeDataSet(sql, dataSet))
    filledMs = clock.monotonic() - from
    log.info('data set written', { ms: Math.round(filledMs) })
  }
  const product = await startProduct(clock, {
    topology: 'standalone',
    projects: 1,
    signal,
    environment: {},
    columns: eventsUrl === undefined ? undefined : { url: eventsUrl, fill },
  })
  const stop = () => void product.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [project] = product.projects
    if (project?.projectId !== PROJECT) throw new Error('the product has no project')
    if (eventsUrl === undefined) await fill(product.databaseUrl)
    const server = { url: product.url, project }
    if (events >= PRECOMPUTE_EVENTS_MIN) await untilPrecomputed(clock, log, product.databaseUrl)
    const questions: QuestionFigures[] = []
    for (const question of BENCH_QUESTIONS) {
      const figures = await measureQuestion(clock, server, question, runs)
      log.info('question measured', { name: figures.name, coldMs: figures.coldMs.median })
      questions.push(figures)
    }
    const load = { ratePerS: capture ?? 0, durationMs: duration * 1_000 }
    const beside =
      capture === undefined
        ? undefined
        : await measureBeside(product, server, BENCH_QUESTIONS, load)
    const settings = { ...options, days: DATA_DAYS }
    const schema = 'sluice-bench-insights/1'
    return { schema, startedAt, environment, settings, filledMs, questions, beside }
  } finally {
    signal.removeEventListener('abort', stop)
    await product.stop()
  }
}

const LOOK_MS = 2_000
const PRECOMPUTED_MS_MAX = 1_800_000

/** Waits for the blocks of sessions of all days but the first and today. */
async function untilPrecomputed(clock: Clock, log: Log, databaseUrl: string): Promise<void> {
  const from = clock.monotonic()
  await withDatabase(databaseUrl, async (sql) => {
    for (;;) {
      const [row] = await sql<{ days: number; bytes: number }[]>`
        select count(*)::integer as days, coalesce(sum(length(bytes)), 0)::float8 as bytes
        from session_blocks where project_id = ${PROJECT}`
      const ms = Math.round(clock.monotonic() - from)
      if (row !== undefined && row.days >= DATA_DAYS - 1) {
        log.info('days precomputed', { ms, ...row })
        return
      }
      if (ms > PRECOMPUTED_MS_MAX) throw new Error('days were not precomputed')
      await clock.sleep(LOOK_MS)
    }
  })
}

/** The report for a terminal. */
export function insightsReportText({ settings, questions, beside }: InsightsReport): string {
  const { events, persons, days, runs, store } = settings
  const lines = [
    `${figure(events)} events over ${days} days, ${figure(persons)} persons, in ${store};`,
    `median (lowest to highest) of ${runs}, in milliseconds:`,
    '',
    ...textTable({
      head: ['question', 'cold', 'cached, nothing new', 'cached, today moved', 'from the cache'],
      rows: questions.map(({ name, coldMs, cachedMs, movedMs, isCached }) => [
        name,
        ...[coldMs, cachedMs, movedMs].map(spreadText),
        isCached ? 'yes' : 'no',
      ]),
    }),
  ]
  return [...lines, ...(beside === undefined ? [] : besideLines(beside))].join('\n')
}

function spreadText({ median, min, max }: Spread): string {
  return `${figure(median)} (${figure(min)} to ${figure(max)})`
}

function besideLines({ ratePerS, alone, beside, answered }: BesideFigures): string[] {
  const kinds = ['capture', 'decide'] as const
  return [
    '',
    `${figure(ratePerS)} captures and as many decides a second, alone and while questions are`,
    `asked past the cache without a pause (${answered} requests), in milliseconds:`,
    '',
    ...textTable({
      head: ['', 'p50 alone', 'p50 beside', 'p99 alone', 'p99 beside'],
      rows: kinds.map((kind) => [
        kind,
        ...[alone[kind].p50, beside[kind].p50, alone[kind].p99, beside[kind].p99].map(figure),
      ]),
    }),
  ]
}

/** Milliseconds of captures and of decides. */
type LoadFigures = { readonly capture: Percentiles; readonly decide: Percentiles }

type BesideFigures = {
  /** Captures a second; as many decides beside them. */
  readonly ratePerS: number
  readonly alone: LoadFigures
  readonly beside: LoadFigures
  /** Requests with questions that were answered in the measured time. */
  readonly answered: number
}

async function measureBeside(
  product: Product,
  server: AskedServer,
  questions: readonly BenchQuestion[],
  load: { readonly ratePerS: number; readonly durationMs: number },
): Promise<BesideFigures> {
  const alone = await loadFigures(product, load)
  let isOver = false
  let answered = 0
  const asking = (async () => {
    while (!isOver) {
      for (const { query } of questions) {
        if (isOver) return
        await ask(server, query, 'force_blocking')
        answered += 1
      }
    }
  })()
  try {
    const beside = await Promise.race([loadFigures(product, load), failureOf(asking)])
    return { ratePerS: load.ratePerS, alone, beside, answered }
  } finally {
    isOver = true
    await asking
  }
}

/** Never resolves; rejects when `work` does. */
function failureOf(work: Promise<void>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject)
  })
}

async function loadFigures(
  product: Product,
  { ratePerS, durationMs }: { readonly ratePerS: number; readonly durationMs: number },
): Promise<LoadFigures> {
  const of = async (kind: 'capture' | 'decide') => {
    const { run } = await runOnce({
      product,
      workload: WORKLOADS[kind],
      warmupMs: 2_000,
      durationMs,
      model: { kind: 'open', ratePerS, arrivals: 'poisson' },
      // Each is asked once before, at the same rate: for a second.
      distinctIds: Math.min(DISTINCT_IDS_MAX, Math.ceil(ratePerS)),
    })
    return run.responseMs ?? run.serviceMs
  }
  const decide = of('decide')
  const capture = of('capture')
  return { capture: await capture, decide: await decide }
}
