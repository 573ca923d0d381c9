/** The report of one run. */
import { encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import type { LoadModel, PhaseResult } from '../load-run.ts'
import type { WatchedUsage } from '../machine/process-usage.ts'
import type { BenchPlan } from '../plan/plan.ts'
import { type Counts, latencyHistogram, type Tally } from '../tally.ts'
import type { RequestKind, RequestSource } from '../workload/request-source.ts'
import {
  type KindReport,
  type Percentiles,
  percentilesOf,
  type RunReport,
  type SecondReport,
} from './report.ts'
import type { Figures, Metric } from './threshold.ts'

export type MeasuredRun = {
  readonly model: LoadModel
  readonly source: Pick<RequestSource, 'eventsPerRequest' | 'mix'>
  readonly phase: PhaseResult
  readonly generator: RunReport['generator']
  /** The generator itself first. */
  readonly watched: readonly WatchedUsage[]
}

/** Figures of one run from what its plateau measured. */
export function runReport(plan: BenchPlan, run: MeasuredRun): RunReport {
  const { model, source, phase, generator, watched } = run
  const { tally, open } = phase
  const response = responseOf(plan, tally)
  const serviceMs = percentilesOf(tally.service)
  const responseMs = response === undefined ? undefined : percentilesOf(response)
  const figures = partFigures(run, tally, responseMs ?? serviceMs)
  const parts = source.mix === undefined ? undefined : kindReports(plan, run, source.mix.kinds)
  const eps =
    parts === undefined
      ? figures.rps * source.eventsPerRequest
      : Object.values(parts).reduce((sum, part) => sum + part.figures.eps, 0)
  return {
    ratePerS: model.kind === 'open' ? model.ratePerS : undefined,
    startedAt: new Date(phase.startedAt).toISOString(),
    durationMs: phase.durationMs,
    counts: tally.counts,
    statuses: Object.fromEntries(tally.statuses),
    connectFailures: tally.connectFailures,
    shedWithoutRetryAfter: tally.shedWithoutRetryAfter,
    figures: { ...figures, eps },
    serviceMs,
    responseMs,
    open,
    generator,
    processes: watched.slice(1).map(({ seconds: _seconds, ...usage }) => usage),
    seconds: secondsOf(phase, watched),
    histogram: encodeIntoCompressedBase64(response ?? tally.service),
    ...(parts === undefined ? {} : { kinds: parts }),
  }
}

function kindReports(
  plan: BenchPlan,
  run: MeasuredRun,
  kinds: readonly RequestKind[],
): Record<string, KindReport> {
  const reports = kinds.map(({ name, events }, index) => {
    const tally = run.phase.tally.kinds[index] ?? run.phase.tally
    const figures = partFigures(run, tally, percentilesOf(responseOf(plan, tally) ?? tally.service))
    return [
      name,
      { counts: tally.counts, figures: { ...figures, eps: figures.rps * events } },
    ] as const
  })
  return Object.fromEntries(reports)
}

/** `eps` is left to the caller, which knows how many events a request has. */
function partFigures(run: MeasuredRun, tally: Tally, latency: Percentiles): Figures {
  const rps = tally.acceptedInPhase / (run.phase.durationMs / 1000)
  return figuresOf(tally.counts, latency, { rps, eps: 0, cpu: run.generator.cpuPercent })
}

function figuresOf(
  counts: Counts,
  latency: Percentiles,
  rates: Pick<Record<Metric, number>, 'rps' | 'eps' | 'cpu'>,
): Figures {
  const { refused, failed, invalid, timeout, reset, protocol } = counts
  const { count: _count, ...percentiles } = latency
  const errors = refused + failed + invalid + timeout + reset + protocol
  return { ...rates, ...percentiles, errors, shed: counts.shed }
}

function secondsOf({ seconds }: PhaseResult, watched: readonly WatchedUsage[]): SecondReport[] {
  return seconds.map((second, index) => ({
    ...second,
    usage: watched.map((group) => group.seconds[index] ?? null),
  }))
}

/** In a closed model a slow answer also delays the requests after it, which is not measured. */
function responseOf(plan: BenchPlan, tally: Tally): Histogram | undefined {
  if (plan.model.kind === 'open') return tally.response
  if (plan.expectedIntervalMs === undefined) return undefined
  const corrected = latencyHistogram()
  const intervalUs = Math.max(1, Math.round(plan.expectedIntervalMs * 1000))
  corrected.addWhileCorrectingForCoordinatedOmission(tally.service, intervalUs)
  return corrected
}
