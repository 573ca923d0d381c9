/** One bench from its plan to its report: connects, warms up, runs, and checks conservation. */
import { randomBytes } from 'node:crypto'
import { type Conservation, conservationOf, type ReadBack, settledCount } from './conservation.ts'
import { saturation, watchGenerator } from './generator-health.ts'
import type { LoadModel } from './load-run.ts'
import { readEnvironment } from './machine/environment.ts'
import { type BenchDeps, createLoad, prepare } from './machine/prepare.ts'
import { pidGroup, watchGroups } from './machine/process-usage.ts'
import type { BenchPlan } from './plan/plan.ts'
import { climb } from './plan/ramp.ts'
import type { StepOutcome } from './plan/rate-search.ts'
import { openReadBack } from './read-back.ts'
import {
  type BenchReport,
  type LatencyKind,
  type RunReport,
  summarise,
  summariseKinds,
} from './report/report.ts'
import { runReport } from './report/run-report.ts'
import { failures } from './report/verdict.ts'
import { addCounts, type Counts, emptyCounts, type Tally } from './tally.ts'
import type { RequestSource } from './workload/request-source.ts'
import { SHARED_NAMES } from './workload/site-events.ts'
import { createSource } from './workload/workload-source.ts'

/** State shared by the runs of one bench. */
type Session = {
  readonly plan: BenchPlan
  readonly source: RequestSource
  /** Events of all phases, warm-up included, for the conservation check. */
  readonly total: Counts
}

/**
 * Runs the plan and reports. A result that is not `ok` is reported too.
 * @throws {AppError} when the server cannot be reached or its flags cannot be created.
 */
export async function runBench(deps: BenchDeps, plan: BenchPlan): Promise<BenchReport> {
  const startedAt = new Date(deps.clock.now()).toISOString()
  const environment = readEnvironment()
  const nonce = randomBytes(6).toString('hex')
  const eventName = `sluice_bench_${nonce}`
  const settings = { ...plan.settings, ...(await prepare(deps, plan)), nonce }
  const source = await createSource(plan, { nonce, eventName })
  const session = { plan, source, total: emptyCounts() }
  const stores = kindsOf(source).some(({ events }) => events > 0)
  const found = stores ? await openReadBack(plan, namesOf(plan, eventName), deps.log) : undefined
  try {
    const runs =
      plan.ramp === undefined
        ? await repeat(deps, session)
        : await climb(plan.ramp, step(deps, session))
    const conservation = stores ? await conserve(deps, session, found?.readBack) : undefined
    return conclude(plan, { startedAt, environment, settings, runs, conservation })
  } finally {
    await found?.close()
  }
}

/** Names of the events that the plan sends; the first is of this bench alone. */
function namesOf({ workload }: BenchPlan, eventName: string): readonly string[] {
  const isSite = 'shape' in workload && workload.shape === 'site'
  return isSite ? [eventName, ...SHARED_NAMES] : [eventName]
}

async function repeat(deps: BenchDeps, session: Session): Promise<RunReport[]> {
  const { model, runs: count } = session.plan
  const runs: RunReport[] = []
  for (let number = 1; number <= count; number++) {
    const run = await runOnce(deps, session, model, number)
    runs.push(run)
    deps.log.info('run done', { run: number, of: count, ...run.figures })
  }
  return runs
}

function step(deps: BenchDeps, session: Session) {
  return async (ratePerS: number, number: number) => {
    const model: LoadModel = { kind: 'open', ratePerS, arrivals: arrivalsOf(session.plan) }
    const run = await runOnce(deps, session, model, number)
    deps.log.info('step done', { ratePerS, ...run.figures })
    return run
  }
}

/**
 * Whether an arrival rate keeps every threshold, in one run of the plan without reading back.
 * @throws {AppError} as `runBench`.
 */
export async function tryRate(
  deps: BenchDeps,
  plan: BenchPlan,
  ratePerS: number,
): Promise<StepOutcome> {
  const model: LoadModel = { kind: 'open', ratePerS, arrivals: arrivalsOf(plan) }
  const report = await runBench(deps, { ...plan, model, runs: 1, readBack: false })
  const saturated = report.runs.some((run) => run.generator.saturated !== undefined)
  if (saturated) return 'no verdict'
  return report.verdict.ok ? 'kept' : 'broken'
}

function arrivalsOf(plan: BenchPlan): 'poisson' | 'uniform' {
  return plan.model.kind === 'open' ? plan.model.arrivals : 'poisson'
}

async function runOnce(
  deps: BenchDeps,
  session: Session,
  model: LoadModel,
  number: number,
): Promise<RunReport> {
  const { plan, source } = session
  const load = createLoad(deps, plan, source, model, number)
  await load.connect()
  try {
    if (plan.warmupMs > 0) {
      const warmup = await load.phase({ durationMs: plan.warmupMs })
      addEvents(session, warmup.tally)
    }
    const groups = [pidGroup('generator', process.pid), ...plan.groups]
    const generator = watchGenerator()
    const processes = watchGroups(deps.clock, groups)
    const phase = await load.phase({ durationMs: plan.durationMs })
    const health = generator.stop()
    const watched = await processes.stop()
    addEvents(session, phase.tally)
    return runReport(plan, {
      model,
      source,
      phase,
      generator: { ...health, saturated: saturation(health, phase.open) },
      watched,
    })
  } finally {
    load.close()
  }
}

function addEvents({ source, total }: Session, tally: Tally): void {
  for (const [kind, { events }] of kindsOf(source).entries()) {
    addCounts(total, (tally.kinds[kind] ?? tally).counts, events)
  }
}

function kindsOf({ mix, eventsPerRequest }: RequestSource): readonly { events: number }[] {
  return mix?.kinds ?? [{ events: eventsPerRequest }]
}

async function conserve(
  { clock }: BenchDeps,
  { plan, total }: Session,
  readBack: ReadBack | undefined,
): Promise<Conservation> {
  if (readBack === undefined) return conservationOf(total, 1, undefined)
  try {
    const options = { accepted: total.accepted, deadlineMs: plan.drainMs }
    return conservationOf(total, 1, await settledCount({ clock, readBack }, options))
  } catch (error) {
    // The run stays valid. A count that cannot be read must not pass as a correct one.
    const detail = `reading back failed: ${error instanceof Error ? error.message : error}`
    return { ...conservationOf(total, 1, undefined), verdict: 'broken', detail }
  }
}

function conclude(
  plan: BenchPlan,
  parts: Pick<BenchReport, 'startedAt' | 'environment' | 'settings' | 'runs' | 'conservation'>,
): BenchReport {
  const summary = summarise(parts.runs)
  const kinds = summariseKinds(parts.runs)
  const latencyOf: LatencyKind =
    plan.model.kind === 'open' || plan.expectedIntervalMs !== undefined ? 'response' : 'service'
  const reasons = failures(plan, { ...parts, summary })
  return {
    schema: 'sluice-bench/1',
    bench: plan.workload.kind,
    startedAt: parts.startedAt,
    verdict: { ok: reasons.length === 0, reasons },
    settings: parts.settings,
    environment: parts.environment,
    summary,
    ...(kinds === undefined ? {} : { kinds }),
    latencyOf,
    runs: parts.runs,
    conservation: parts.conservation,
  }
}
