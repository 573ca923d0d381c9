/** `sluice bench insights`: starts the product with a data set of its own and asks it questions. */
import type { Clock } from '../../src/core/clock.ts'
import type { Log } from '../../src/core/log.ts'
import { PRECOMPUTE_EVENTS_MIN } from '../../src/query/insights/precompute/precompute.ts'
import { withDatabase } from '../load/machine/database.ts'
import { type Environment, readEnvironment } from '../load/machine/environment.ts'
import { startProduct } from '../load/machine/product.ts'
import type { Spread } from '../load/report/stats.ts'
import { figure, textTable } from '../load/report/text-table.ts'
import { type BesideFigures, type BesideKind, besideLines, measureBeside } from './beside.ts'
import { DATA_DAYS, writeDataSet } from './data-set.ts'
import { measureQuestion, type QuestionFigures } from './measure.ts'
import { BENCH_QUESTIONS } from './questions.ts'

export type InsightsBenchOptions = {
  readonly events: number
  readonly persons: number
  /** Times that each question is asked in each of its states; 0 asks none by itself. */
  readonly runs: number
  /** Captures a second, and as many decides, alone and beside something; undefined: none. */
  readonly capture: number | undefined
  readonly beside: BesideKind
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
  readonly schema: 'sluice-bench-insights/2'
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
  const { events, persons, runs, capture, beside: kind, duration } = options
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
    for (const question of runs === 0 ? [] : BENCH_QUESTIONS) {
      const figures = await measureQuestion(clock, server, question, runs)
      log.info('question measured', { name: figures.name, coldMs: figures.coldMs.median })
      questions.push(figures)
    }
    const load = { kind, ratePerS: capture ?? 0, durationMs: duration * 1_000 }
    const beside =
      capture === undefined ? undefined : await measureBeside(clock, product, server, load)
    const settings = { ...options, days: DATA_DAYS }
    const schema = 'sluice-bench-insights/2'
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
    `${figure(events)} events over ${days} days, ${figure(persons)} persons, in ${store}`,
  ]
  if (questions.length > 0) {
    lines.push(
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
    )
  }
  return [...lines, ...(beside === undefined ? [] : besideLines(beside))].join('\n')
}

function spreadText({ median, min, max }: Spread): string {
  return `${figure(median)} (${figure(min)} to ${figure(max)})`
}
