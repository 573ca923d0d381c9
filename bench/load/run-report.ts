import type { PhaseResult } from './load-run.ts'
import type { BenchPlan } from './plan.ts'
import { type Percentiles, percentilesOf, type RunReport } from './report.ts'
import { type Counts, latencyHistogram, type Tally } from './tally.ts'
import type { Figures, Metric } from './threshold.ts'

/** Figures of one run from what its plateau measured. */
export function runReport(
  plan: BenchPlan,
  eventsPerRequest: number,
  { tally, durationMs, open }: PhaseResult,
  measured: { generator: RunReport['generator']; usage: RunReport['processes'] },
): RunReport {
  const serviceMs = percentilesOf(tally.service)
  const responseMs = responseOf(plan, tally)
  const latency = responseMs ?? serviceMs
  const rps = tally.acceptedInPhase / (durationMs / 1000)
  return {
    durationMs,
    counts: tally.counts,
    statuses: Object.fromEntries(tally.statuses),
    connectFailures: tally.connectFailures,
    figures: figuresOf(tally.counts, latency, {
      rps,
      eps: rps * eventsPerRequest,
      cpu: measured.generator.cpuPercent,
    }),
    serviceMs,
    responseMs,
    open,
    generator: measured.generator,
    processes: measured.usage,
  }
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

/** In a closed model a slow answer also delays the requests after it, which nobody measured. */
function responseOf(plan: BenchPlan, tally: Tally): Percentiles | undefined {
  if (plan.model.kind === 'open') return percentilesOf(tally.response)
  if (plan.expectedIntervalMs === undefined) return undefined
  const corrected = latencyHistogram()
  const intervalUs = Math.max(1, Math.round(plan.expectedIntervalMs * 1000))
  corrected.addWhileCorrectingForCoordinatedOmission(tally.service, intervalUs)
  return percentilesOf(corrected)
}
