/** Measures captures and decides alone, and beside what is asked or computed all the time, in turn. */
import type { Clock } from '../../src/core/clock.ts'
import type { Product } from '../load/machine/product.ts'
import type { RunReport } from '../load/report/report.ts'
import { figure, textTable } from '../load/report/text-table.ts'
import { runOnce, WORKLOADS } from '../load/single-run.ts'
import {
  type Answers,
  type BesideLoad,
  startAsking,
  startSpin,
  startViewers,
} from './beside-loads.ts'
import type { AskedServer } from './measure.ts'
import { BENCH_QUESTIONS, SITE_QUESTION } from './questions.ts'

/** Loads beside captures, as the report words them. */
export const BESIDES = {
  questions: 'the questions of this bench, asked past the cache without a pause',
  page: 'the page of a site over 90 days, asked past the cache without a pause',
  shared: 'viewers of a shared site over 90 days, 200 a second',
  spin: 'a process that only computes, at the priority of questions',
} as const

export type BesideKind = keyof typeof BESIDES

export type LoadFigures = Pick<RunReport, 'counts' | 'figures' | 'generator' | 'open' | 'processes'>

/** One load of captures and decides; `answers` only where something ran beside it. */
export type BesideRound = {
  readonly capture: LoadFigures
  readonly decide: LoadFigures
  readonly answers: Answers | undefined
}

export type BesideFigures = {
  readonly kind: BesideKind
  /** Captures a second; as many decides beside them. */
  readonly ratePerS: number
  /** Alone and beside, in turn. */
  readonly rounds: readonly BesideRound[]
}

export type BesideOptions = {
  readonly kind: BesideKind
  readonly ratePerS: number
  readonly durationMs: number
}

const PAIRS = 2
const WARMUP_MS = 2_000
const DISTINCT_IDS_MAX = 1_000

export async function measureBeside(
  clock: Clock,
  product: Product,
  server: AskedServer,
  options: BesideOptions,
): Promise<BesideFigures> {
  const { kind, ratePerS } = options
  const rounds: BesideRound[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    rounds.push({ ...(await loadFigures(product, options)), answers: undefined })
    const running = await startBeside(clock, server, kind)
    let answers: Answers | undefined
    try {
      const figures = await loadFigures(product, options)
      answers = await running.stop()
      rounds.push({ ...figures, answers })
    } finally {
      if (answers === undefined) await running.stop()
    }
  }
  return { kind, ratePerS, rounds }
}

async function startBeside(
  clock: Clock,
  server: AskedServer,
  kind: BesideKind,
): Promise<BesideLoad> {
  if (kind === 'shared') return await startViewers(clock, server)
  if (kind === 'spin') return await startSpin(clock)
  return startAsking(server, kind === 'page' ? [SITE_QUESTION] : BENCH_QUESTIONS)
}

async function loadFigures(
  product: Product,
  { ratePerS, durationMs }: BesideOptions,
): Promise<Pick<BesideRound, 'capture' | 'decide'>> {
  const of = async (kind: 'capture' | 'decide'): Promise<LoadFigures> => {
    const { run } = await runOnce({
      product,
      workload: WORKLOADS[kind],
      warmupMs: Math.min(WARMUP_MS, durationMs),
      durationMs,
      model: { kind: 'open', ratePerS, arrivals: 'poisson' },
      // Each is asked once before, at the same rate: for a second.
      distinctIds: Math.min(DISTINCT_IDS_MAX, Math.ceil(ratePerS)),
    })
    const { counts, figures, generator, open, processes } = run
    return { counts, figures, generator, open, processes }
  }
  const decide = of('decide')
  const capture = of('capture')
  return { capture: await capture, decide: await decide }
}

export function besideLines({ kind, ratePerS, rounds }: BesideFigures): string[] {
  const groups = rounds[0]?.capture.processes.map(({ name }) => name) ?? []
  return [
    '',
    `${figure(ratePerS)} captures and as many decides a second, alone and beside`,
    `${BESIDES[kind]}, in turn;`,
    'milliseconds, and percent of a core:',
    '',
    ...textTable({
      head: ['', '/s', 'p50', 'p99', 'failed', 'answers', 'unanswered', 'generator', ...groups],
      rows: [
        ...rounds.map((round) => [...loadCells(round, 'capture'), ...besideCells(round)]),
        ...rounds.map((round) => loadCells(round, 'decide')),
      ],
    }),
    '',
    `p99 of captures: ${rise(rounds, 'capture')}; of decides: ${rise(rounds, 'decide')}`,
    ...saturated(rounds),
  ]
}

type LoadKind = 'capture' | 'decide'

function loadCells(round: BesideRound, load: LoadKind): string[] {
  const { rps, p50, p99, errors, shed } = round[load].figures
  const name = `${load} ${round.answers === undefined ? 'alone' : 'beside'}`
  return [name, ...[rps, p50, p99, errors + shed].map(figure)]
}

function besideCells({ capture, answers }: BesideRound): string[] {
  const told = answers === undefined ? ['', ''] : [answers.answered, answers.failed].map(figure)
  const used = [capture.generator, ...capture.processes]
  return [...told, ...used.map(({ cpuPercent }) => figure(cpuPercent))]
}

/** Means of the rounds alone and beside. */
function rise(rounds: readonly BesideRound[], load: LoadKind): string {
  const meanOf = (isBeside: boolean) => {
    const own = rounds.filter(({ answers }) => (answers !== undefined) === isBeside)
    return own.reduce((sum, round) => sum + round[load].figures.p99, 0) / own.length
  }
  const [alone, beside] = [meanOf(false), meanOf(true)]
  return `${figure(alone)} alone, ${figure(beside)} beside (${figure((beside / alone - 1) * 100)} %)`
}

function saturated(rounds: readonly BesideRound[]): string[] {
  const reasons = rounds.flatMap(({ capture, decide }) =>
    [capture, decide].flatMap(({ generator }) => generator.saturated ?? []),
  )
  return [...new Set(reasons)].map((reason) => `no verdict: ${reason}`)
}
