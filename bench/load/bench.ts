import { randomBytes } from 'node:crypto'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import type { Log } from '../../src/core/log.ts'
import { type Conservation, conservationOf, settledCount } from './conservation.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { saturation, watchGenerator } from './generator-health.ts'
import { type LoadModel, LoadRun } from './load-run.ts'
import { ensureFlags, isManaged } from './management-api.ts'
import { createManagementSource, findObjects, type ManagementRoute } from './management-source.ts'
import { createCaptureSource, createDecideSource } from './payload.ts'
import type { BenchPlan } from './plan.ts'
import { createPrng } from './prng.ts'
import { watchGroups } from './process-usage.ts'
import type { StepOutcome } from './rate-search.ts'
import { findReadBack } from './read-back.ts'
import {
  type BenchReport,
  type LatencyKind,
  type RunReport,
  storesEvents,
  summarise,
} from './report.ts'
import type { RequestSource } from './request-source.ts'
import { runReport } from './run-report.ts'
import { SEEDED_EVENT, storeEvents } from './stored-events.ts'
import { addCounts, type Counts, emptyCounts } from './tally.ts'
import { brokenThresholds, type Figures } from './threshold.ts'

export type BenchDeps = { readonly clock: Clock; readonly log: Log }

/** A priming pass over all distinct ids ends here, however slow the server is. */
const PRIME_MS_MAX = 600_000

/** What the runs of one bench have in common. */
type Session = {
  readonly plan: BenchPlan
  readonly source: RequestSource
  /** Requests of all phases, warm-up included: what conservation is about. */
  readonly total: Counts
}

/**
 * Runs the plan and reports. A result that is not `ok` is a report all the same.
 * @throws {AppError} when the server cannot be reached or its flags cannot be made.
 */
export async function runBench(deps: BenchDeps, plan: BenchPlan): Promise<BenchReport> {
  const startedAt = new Date(deps.clock.now()).toISOString()
  const environment = readEnvironment()
  const nonce = randomBytes(6).toString('hex')
  const eventName = `sluice_bench_${nonce}`
  const settings = { ...plan.settings, ...(await prepare(deps, plan)), nonce }
  const source = await createSource(plan, nonce, eventName)
  const session = { plan, source, total: emptyCounts() }
  const runs: RunReport[] = []
  for (let number = 1; number <= plan.runs; number++) {
    runs.push(await runOnce(deps, session, plan.model, number))
    deps.log.info('run done', { run: number, of: plan.runs, ...runs.at(-1)?.figures })
  }
  const conservation = storesEvents(plan.workload.kind)
    ? await conserve(deps, session, eventName)
    : undefined
  return conclude({ plan, startedAt, environment, settings, runs, conservation })
}

/**
 * Whether an arrival rate keeps every threshold, in one run of the plan that reads nothing back.
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

/** Makes flags and asks every id once, where the workload wants it. */
async function prepare(deps: BenchDeps, plan: BenchPlan): Promise<Record<string, unknown>> {
  const { workload } = plan
  if (workload.kind === 'management') return await prepareEvents(deps, plan, workload.events)
  if (workload.kind !== 'decide') return {}
  const active: number[] = []
  for (const project of plan.projects.filter(isManaged)) {
    active.push(await ensureFlags(plan.url, project, workload.flags))
  }
  // A change of flags holds everywhere within a second; the caches must not be primed before.
  await deps.clock.sleep(1_500)
  if (workload.mode === 'hot') await prime(deps, plan)
  return { activeFlags: active.length === 0 ? 'not known' : active }
}

async function prepareEvents(
  { clock, log }: BenchDeps,
  plan: BenchPlan,
  count: number,
): Promise<Record<string, unknown>> {
  const { distinctIds, seed } = plan
  for (const project of plan.projects) {
    await storeEvents(plan.url, project, { count, distinctIds, seed, nowMs: clock.now() })
  }
  log.info('events stored', { count })
  return {}
}

async function prime(deps: BenchDeps, plan: BenchPlan): Promise<void> {
  const source = decideSource(plan, 'prime', HOT_PREFIX)
  const load = createLoad(deps, plan, source, { kind: 'closed' }, 0)
  await load.connect()
  const requestsMax = plan.distinctIds * plan.projects.length
  const result = await load.phase({ durationMs: PRIME_MS_MAX, requestsMax })
  load.close()
  const { sent, accepted } = result.tally.counts
  deps.log.info('distinct ids primed', { sent, accepted })
  if (accepted < requestsMax * 0.999) {
    throw new AppError('unavailable', `only ${accepted} of ${requestsMax} ids could be primed`)
  }
}

/** Ids that hot runs share with the priming pass. */
const HOT_PREFIX = 'user-'

function decideSource(
  plan: BenchPlan,
  ids: 'hot' | 'prime' | 'cold',
  idPrefix: string,
): RequestSource {
  const { projects, distinctIds, zipfExponent, seed } = plan
  const apiKeys = projects.map((project) => project.apiKey)
  const shape = { apiKeys, distinctIds, zipfExponent, seed, idPrefix, ids }
  return createDecideSource(shape, { host: new URL(plan.url).host, path: '/decide/?v=2' })
}

async function managementSource(plan: BenchPlan, route: ManagementRoute): Promise<RequestSource> {
  const project = plan.projects.find(isManaged)
  if (project === undefined) {
    throw new AppError('failed_precondition', 'a personal key and the id of its project are needed')
  }
  const objects = await findObjects(plan.url, project)
  const { distinctIds, seed } = plan
  const target = { host: new URL(plan.url).host, project, objects }
  return createManagementSource(target, route, { distinctIds, seed, event: SEEDED_EVENT })
}

async function createSource(
  plan: BenchPlan,
  nonce: string,
  eventName: string,
): Promise<RequestSource> {
  const { workload } = plan
  if (workload.kind === 'management') return await managementSource(plan, workload.route)
  if (workload.kind === 'decide') {
    const cold = workload.mode === 'cold'
    return decideSource(plan, workload.mode, cold ? `cold-${nonce}-` : HOT_PREFIX)
  }
  const { distinctIds, zipfExponent, seed } = plan
  const apiKeys = plan.projects.map((project) => project.apiKey)
  const shape = { ...workload, apiKeys, eventName, distinctIds, zipfExponent, seed }
  const path = workload.kind === 'capture' ? '/capture/' : '/batch/'
  return createCaptureSource(shape, { host: new URL(plan.url).host, path })
}

function createLoad(
  { clock }: BenchDeps,
  plan: BenchPlan,
  source: RequestSource,
  model: LoadModel,
  run: number,
): LoadRun {
  const { hostname, port } = new URL(plan.url)
  // Brackets of an IPv6 address belong to the URL, not to the address.
  const host = hostname.replace(/^\[|\]$/g, '')
  const { connections, timeoutMs, backlogMax } = plan
  return new LoadRun(
    { clock, prng: createPrng(plan.seed + run), source },
    {
      target: { host, port: Number(port || 80) },
      connections,
      model,
      timeoutMs,
      backlogMax,
    },
  )
}

async function runOnce(
  deps: BenchDeps,
  { plan, source, total }: Session,
  model: LoadModel,
  number: number,
): Promise<RunReport> {
  const load = createLoad(deps, plan, source, model, number)
  await load.connect()
  try {
    if (plan.warmupMs > 0) {
      const warmup = await load.phase({ durationMs: plan.warmupMs })
      addCounts(total, warmup.tally.counts)
    }
    const generator = watchGenerator()
    const processes = watchGroups(deps.clock, plan.groups)
    const result = await load.phase({ durationMs: plan.durationMs })
    const health = generator.stop()
    const usage = await processes.stop()
    addCounts(total, result.tally.counts)
    const saturated = saturation(health, result.open)
    return runReport(plan, source.eventsPerRequest, result, {
      generator: { ...health, saturated },
      usage,
    })
  } finally {
    load.close()
  }
}

async function conserve(
  { clock, log }: BenchDeps,
  { plan, source, total }: Session,
  eventName: string,
): Promise<Conservation> {
  const found = findReadBack(plan, eventName, log)
  if (found === undefined) return conservationOf(total, source.eventsPerRequest, undefined)
  try {
    const accepted = total.accepted * source.eventsPerRequest
    const options = { accepted, deadlineMs: plan.drainMs }
    const stored = await settledCount({ clock, readBack: found.readBack }, options)
    return conservationOf(total, source.eventsPerRequest, stored)
  } catch (error) {
    // The run itself stands; a count that cannot be read must not pass for one that is right.
    const detail = `reading back failed: ${error instanceof Error ? error.message : error}`
    const unread = conservationOf(total, source.eventsPerRequest, undefined)
    return { ...unread, verdict: 'broken', detail }
  } finally {
    await found.close()
  }
}

function conclude(parts: {
  plan: BenchPlan
  startedAt: string
  environment: Environment
  settings: Readonly<Record<string, unknown>>
  runs: readonly RunReport[]
  conservation: Conservation | undefined
}): BenchReport {
  const { plan, runs, conservation } = parts
  const summary = summarise(runs)
  const latencyOf: LatencyKind =
    plan.model.kind === 'open' || plan.expectedIntervalMs !== undefined ? 'response' : 'service'
  const reasons: string[] = []
  for (const [index, run] of runs.entries()) {
    if (run.generator.saturated !== undefined) {
      reasons.push(`generator saturated: no verdict (run ${index + 1}: ${run.generator.saturated})`)
    }
    if (run.counts.accepted === 0) reasons.push(`run ${index + 1} got no valid answer`)
    if (run.counts.invalid > 0) {
      reasons.push(`run ${index + 1} got ${run.counts.invalid} answers with another body`)
    }
  }
  const medians = Object.entries(summary).map(([metric, { median }]) => [metric, median] as const)
  // The keys are those of `summary`, which has every metric.
  reasons.push(...brokenThresholds(Object.fromEntries(medians) as Figures, plan.thresholds))
  if (conservation?.verdict === 'broken') reasons.push(`conservation: ${conservation.detail}`)
  return {
    schema: 'sluice-bench/1',
    bench: plan.workload.kind,
    startedAt: parts.startedAt,
    verdict: { ok: reasons.length === 0, reasons },
    settings: parts.settings,
    environment: parts.environment,
    summary,
    latencyOf,
    runs,
    conservation,
  }
}
