import type { Histogram } from 'hdr-histogram-js'
import type { Conservation } from './conservation.ts'
import type { Environment } from './environment.ts'
import type { GeneratorHealth } from './generator-health.ts'
import type { Workload } from './plan.ts'
import type { GroupUsage } from './process-usage.ts'
import type { OpenModelCounts } from './schedule.ts'
import { type Spread, spreadOf } from './stats.ts'
import type { Counts } from './tally.ts'
import { type Figures, METRICS, type Metric } from './threshold.ts'

/** What `--json` writes. Fields are only ever added under one schema name. */
export type BenchReport = {
  readonly schema: 'sluice-bench/1'
  readonly bench: Workload['kind']
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly verdict: { readonly ok: boolean; readonly reasons: readonly string[] }
  /** Everything the run was told, secrets masked. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly environment: Environment
  /** Over the runs. Latencies in ms; `p50` and the others are those of `latencyOf`. */
  readonly summary: Readonly<Record<Metric, Spread>>
  readonly latencyOf: LatencyKind
  readonly runs: readonly RunReport[]
  readonly conservation: Conservation | undefined
}

/** The others read. */
export function storesEvents(kind: Workload['kind']): boolean {
  return kind === 'capture' || kind === 'batch'
}

/**
 * `response` runs from the intended moment of sending; `service` from the actual one, and is all
 * that a closed model without an expected interval can tell.
 */
export type LatencyKind = 'response' | 'service'

export type RunReport = {
  readonly durationMs: number
  /** Requests by outcome, of the plateau only. */
  readonly counts: Counts
  /** HTTP status -> answers. */
  readonly statuses: Readonly<Record<string, number>>
  readonly connectFailures: number
  readonly figures: Figures
  readonly serviceMs: Percentiles
  /** Closed model: corrected with the expected interval, undefined when none was given. */
  readonly responseMs: Percentiles | undefined
  readonly open: OpenModelCounts | undefined
  readonly generator: GeneratorHealth & { readonly saturated: string | undefined }
  readonly processes: readonly GroupUsage[]
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

export function summarise(runs: readonly RunReport[]): Record<Metric, Spread> {
  const entries = METRICS.map(
    (metric) => [metric, spreadOf(runs.map((run) => run.figures[metric]))] as const,
  )
  return Object.fromEntries(entries) as Record<Metric, Spread> // Built from all of METRICS.
}

/** For a person at a terminal. */
export function renderReport(report: BenchReport): string {
  const { environment: env } = report
  const lines = [
    `sluice bench ${report.bench}: ${report.verdict.ok ? 'ok' : report.verdict.reasons[0]}`,
    '',
    `  ${env.cpuModel}, ${env.cores} cores, ${env.memoryMb} MB, kernel ${env.kernel}`,
    `  node ${env.node}, revision ${env.revision}, generator on CPUs ${env.generatorCpus}, ` +
      `load before ${env.loadBefore.toFixed(2)}`,
    `  ${settingsLine(report.settings)}`,
    '',
    ...renderSummary(report),
    '',
    ...report.runs.flatMap((run, index) => renderRun(run, index + 1)),
  ]
  if (report.conservation !== undefined) lines.push('', ...renderConservation(report.conservation))
  for (const reason of report.verdict.reasons) lines.push('', `  not ok: ${reason}`)
  return lines.join('\n')
}

function settingsLine(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ')
}

const UNITS: Readonly<Record<Metric, string>> = {
  rps: 'requests/s',
  eps: 'events/s',
  p50: 'ms',
  p90: 'ms',
  p99: 'ms',
  'p99.9': 'ms',
  'p99.99': 'ms',
  max: 'ms',
  mean: 'ms',
  errors: 'requests',
  shed: 'requests',
  cpu: '% of a core (generator)',
}

function renderSummary(report: BenchReport): string[] {
  const head = `  ${report.latencyOf} time, ${report.runs.length} runs`
  const columns = ['median', 'min', 'max'].map((name) => name.padStart(12)).join('')
  const rows = METRICS.filter((metric) => metric !== 'eps' || storesEvents(report.bench)).map(
    (metric) => {
      const { median, min, max } = report.summary[metric]
      const cells = [median, min, max].map((value) => figure(value).padStart(12)).join('')
      return `  ${metric.padEnd(10)}${cells}  ${UNITS[metric]}`
    },
  )
  return [head, `  ${' '.repeat(10)}${columns}`, ...rows]
}

function renderRun(run: RunReport, number: number): string[] {
  const { counts, generator } = run
  const outcomes = Object.entries(counts)
    .filter(([name, count]) => count > 0 || name === 'accepted')
    .map(([name, count]) => `${name} ${count}`)
  const statuses = Object.entries(run.statuses).map(([status, count]) => `${status}: ${count}`)
  const { responseMs } = run
  const response =
    responseMs === undefined ? 'not known in a closed model' : percentileLine(responseMs)
  const lines = [
    `  run ${number}, ${(run.durationMs / 1000).toFixed(1)} s: ${outcomes.join(', ')}` +
      ` (${statuses.join(', ')})`,
    `    service  ${percentileLine(run.serviceMs)}`,
    `    response ${response}`,
    `    generator ${figure(generator.cpuPercent)} % of a core, loop lag p99 ` +
      `${figure(generator.loopLagMs.p99)} max ${figure(generator.loopLagMs.max)} ms`,
  ]
  if (run.open !== undefined) {
    const { arrivals, missedTicks, delayed, dropped, backlogPeak } = run.open
    lines.push(
      `    schedule ${arrivals} arrivals, ${missedTicks} missed ticks, ${delayed} waited for a ` +
        `connection (at most ${backlogPeak} at a time), ${dropped} dropped`,
    )
  }
  for (const group of run.processes) {
    lines.push(
      `    ${group.name.padEnd(10)} ${figure(group.cpuPercent)} % of a core, ` +
        `${figure(group.rssMbPeak)} MB at most (${figure(group.rssMbStart)} MB at the start)`,
    )
  }
  return lines
}

function percentileLine(ms: Percentiles): string {
  const names = ['p50', 'p90', 'p99', 'p99.9', 'p99.99', 'max', 'mean'] as const
  return `${names.map((name) => `${name} ${figure(ms[name])}`).join('  ')} ms`
}

function renderConservation(conservation: Conservation): string[] {
  const { sent, accepted, rejected, unknown, stored } = conservation
  return [
    `  conservation (warm-up and all runs): ${conservation.verdict}: ${conservation.detail}`,
    `    sent ${sent} = accepted ${accepted} + rejected ${rejected} + unknown ${unknown}; ` +
      `stored ${stored ?? 'not read back'}`,
  ]
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return '-'
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US')
  return String(Math.round(value * 100) / 100)
}
