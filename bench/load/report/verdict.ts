/** Whether a bench passed, and the reasons when it did not. */
import type { BenchPlan } from '../plan/plan.ts'
import { stepName } from '../plan/ramp.ts'
import type { BenchReport, RunReport } from './report.ts'
import { brokenThresholds, type Figures } from './threshold.ts'

/** Why a bench did not succeed, as sentences; empty when it did. */
export function failures(
  plan: Pick<BenchPlan, 'thresholds' | 'ramp'>,
  { runs, summary, conservation }: Pick<BenchReport, 'runs' | 'summary' | 'conservation'>,
): string[] {
  const nameOf = (run: RunReport, index: number) =>
    run.name === undefined ? `run ${index + 1}` : `step ${run.name}`
  const reasons = runs.flatMap((run, index) => troubleOf(run, nameOf(run, index)))
  if (plan.ramp !== undefined) reasons.push(...troubleOfRamp(plan, plan.ramp, runs))
  else {
    const medians = Object.entries(summary).map(([name, { median }]) => [name, median] as const)
    // The keys are those of `summary`, which has every metric.
    reasons.push(...brokenThresholds(Object.fromEntries(medians) as Figures, plan.thresholds))
  }
  if (conservation?.verdict === 'broken') reasons.push(`conservation: ${conservation.detail}`)
  return reasons
}

/** Each step must pass alone: a median over different rates describes none of them. */
function troubleOfRamp(
  { thresholds }: Pick<BenchPlan, 'thresholds'>,
  ramp: readonly number[],
  runs: readonly RunReport[],
): string[] {
  const reasons = runs.flatMap((run) =>
    brokenThresholds(run.figures, thresholds).map((broken) => `step ${run.name}: ${broken}`),
  )
  const left = ramp.slice(runs.length).map(stepName)
  if (left.length > 0) reasons.push(`steps not measured: ${left.join(', ')}`)
  return reasons
}

function troubleOf(run: RunReport, name: string): string[] {
  const reasons: string[] = []
  const { saturated } = run.generator
  if (saturated !== undefined) {
    reasons.push(`generator saturated: no verdict (${name}: ${saturated})`)
  }
  if (run.counts.accepted === 0) reasons.push(`${name} got no valid answer`)
  if (run.counts.invalid > 0) {
    reasons.push(`${name} got ${run.counts.invalid} answers with another body`)
  }
  return reasons
}
