/** The report of a bench: the shape of `--json`, and how it is made of the runs. */
import type { Histogram } from 'hdr-histogram-js'
import type { Conservation } from '../conservation.ts'
import type { GeneratorHealth } from '../generator-health.ts'
import type { Environment } from '../machine/environment.ts'
import type { GroupUsage, SecondUsage } from '../machine/process-usage.ts'
import type { Workload } from '../plan/plan.ts'
import type { OpenModelCounts } from '../schedule.ts'
import type { Counts } from '../tally.ts'
import type { Comparison } from './comparison.ts'
import { type Spread, spreadOf } from './stats.ts'
import { type Figures, METRICS, type Metric } from './threshold.ts'
import type { Second } from './time-series.ts'

/** Report that `--json` writes. Fields are only ever added under one schema name. */
export type BenchReport = {
  readonly schema: 'sluice-bench/1'
  readonly bench: Workload['kind']
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly verdict: { readonly ok: boolean; readonly reasons: readonly string[] }
  /** All settings of the run, with secrets masked. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly environment: Environment
  /** Over the runs, or the steps of a ramp. Latencies in ms; `p50` and the others are those of `latencyOf`. */
  readonly summary: Readonly<Record<Metric, Spread>>
  /** Only for a mix: the summary of each kind of request. */
  readonly kinds?: Readonly<Record<string, Readonly<Record<Metric, Spread>>>>
  readonly latencyOf: LatencyKind
  readonly runs: readonly RunReport[]
  readonly conservation: Conservation | undefined
  /** With `--baseline`. */
  readonly baseline?: Comparison
}

/**
 * `response` begins at the intended moment of sending; `service` begins at the actual one. A closed
 * model without an expected interval can tell only `service`.
 */
export type LatencyKind = 'response' | 'service'

export type RunReport = {
  /** Only in a ramp: the name of the step, such as `2000/s`. */
  readonly name?: string
  /** The arrivals a second of an open model; undefined in a closed one. */
  readonly ratePerS: number | undefined
  /** Start of the plateau: ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  /** Requests by outcome, of the plateau only. */
  readonly counts: Counts
  /** HTTP status -> answers. */
  readonly statuses: Readonly<Record<string, number>>
  readonly connectFailures: number
  /** Answers of 503 without `Retry-After`. */
  readonly shedWithoutRetryAfter: number
  readonly figures: Figures
  readonly serviceMs: Percentiles
  /** Closed model: corrected with the expected interval, undefined when none was given. */
  readonly responseMs: Percentiles | undefined
  readonly open: OpenModelCounts | undefined
  readonly generator: GeneratorHealth & { readonly saturated: string | undefined }
  readonly processes: readonly GroupUsage[]
  /** The plateau second by second. */
  readonly seconds: readonly SecondReport[]
  /** Latencies of `latencyOf` in microseconds: HdrHistogram V2, compressed, base64. */
  readonly histogram: string
  /** Only for a mix: the report of each kind of request. */
  readonly kinds?: Readonly<Record<string, KindReport>>
}

export type KindReport = {
  readonly counts: Counts
  readonly figures: Figures
}

export type SecondReport = Second & {
  /**
   * The generator first, then the groups of the run's `processes`; null where nothing was sampled.
   */
  readonly usage: readonly (SecondUsage | null)[]
}

export type Percentiles = {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly 'p99.9': number
  readonly 'p99.99': number
  readonly max: number
}

/** Milliseconds from a histogram of microseconds. */
export function percentilesOf(histogram: Histogram): Percentiles {
  const at = (percentile: number) => histogram.getValueAtPercentile(percentile) / 1000
  return {
    count: histogram.totalCount,
    mean: histogram.mean / 1000,
    p50: at(50),
    p90: at(90),
    p99: at(99),
    'p99.9': at(99.9),
    'p99.99': at(99.99),
    max: histogram.maxValue / 1000,
  }
}

/** Each figure over the runs. */
export function summarise(runs: readonly Pick<RunReport, 'figures'>[]): Record<Metric, Spread> {
  const entries = METRICS.map(
    (metric) => [metric, spreadOf(runs.map((run) => run.figures[metric]))] as const,
  )
  return Object.fromEntries(entries) as Record<Metric, Spread> // Built from all of METRICS.
}

/** The same for each kind of request of a mix; undefined for runs of one kind. */
export function summariseKinds(runs: readonly RunReport[]): BenchReport['kinds'] {
  const names = Object.keys(runs[0]?.kinds ?? {})
  if (names.length === 0) return undefined
  const parts = (name: string) =>
    runs.flatMap(({ kinds }) => (kinds?.[name] === undefined ? [] : [kinds[name]]))
  return Object.fromEntries(names.map((name) => [name, summarise(parts(name))]))
}
