/** Prepares a server for a workload before the load starts. */
import type { Clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import type { Log } from '../../../src/core/log.ts'
import { type LoadModel, LoadRun } from '../load-run.ts'
import { type BenchPlan, type DecideWorkload, partsOf } from '../plan/plan.ts'
import { ensureFlags, isManaged } from '../workload/management-api.ts'
import { createPrng } from '../workload/prng.ts'
import type { RequestSource } from '../workload/request-source.ts'
import { storeEvents } from '../workload/stored-events.ts'
import { decideSource, HOT_PREFIX, visitorsSource } from '../workload/workload-source.ts'

export type BenchDeps = { readonly clock: Clock; readonly log: Log }

/** The longest time for asking all distinct ids once, however slow the server is. */
const PRIME_MS_MAX = 600_000

/** Connections that store the page views of visitors. */
const VISITORS_CONNECTIONS = 2
/** Number of requests from which the total time is estimated. */
const VISITORS_FIRST = 20

/**
 * Creates flags, stores events and asks every id once, as the workload needs it. Answers what it
 * found, for the settings of the report.
 * @throws {AppError} when the server cannot be reached or its flags cannot be created.
 */
export async function prepare(deps: BenchDeps, plan: BenchPlan): Promise<Record<string, unknown>> {
  const { workload } = plan
  const parts =
    workload.kind === 'mixed' ? partsOf(workload).map((part) => part.workload) : [workload]
  if (parts.some((part) => 'shape' in part && part.shape !== 'plain'))
    await makeVisitors(deps, plan)
  // Stored events create persons, which clears caches, so they come before the ids are asked.
  const management = parts.find((part) => part.kind === 'management')
  if (management !== undefined) await prepareEvents(deps, plan, management.events)
  const decide = parts.find((part) => part.kind === 'decide')
  return decide === undefined ? {} : await prepareFlags(deps, plan, decide)
}

/** Persons that page views return to. */
async function makeVisitors(deps: BenchDeps, plan: BenchPlan): Promise<void> {
  const { clock, log } = deps
  const { source, requests } = visitorsSource(plan)
  const events = requests * source.eventsPerRequest
  log.info('preparing: one page view of each visitor, before the load begins', { events, requests })
  // One batch after the other, whatever the rate of the load: as fast as the server, no flood.
  const connections = Math.min(plan.connections, VISITORS_CONNECTIONS)
  const load = createLoad(deps, { ...plan, connections }, source, { kind: 'closed' }, 0)
  const startedAt = clock.monotonic()
  await load.connect()
  const phase = (requestsMax: number) => load.phase({ durationMs: PRIME_MS_MAX, requestsMax })
  // The first requests give an estimate of the total time.
  const few = Math.min(requests, VISITORS_FIRST)
  const first = await phase(few)
  const secondsLeft = Math.ceil(((requests / few - 1) * first.durationMs) / 1_000)
  if (requests > few) log.info('preparing goes on', { requestsLeft: requests - few, secondsLeft })
  const rest = await phase(requests - few)
  load.close()
  const accepted = first.tally.counts.accepted + rest.tally.counts.accepted
  const seconds = Math.round((clock.monotonic() - startedAt) / 100) / 10
  log.info('prepared: the load begins', { requests, accepted, seconds })
}

async function prepareFlags(
  deps: BenchDeps,
  plan: BenchPlan,
  workload: DecideWorkload,
): Promise<Record<string, unknown>> {
  const active: number[] = []
  const managed = plan.projects.filter(isManaged).length
  if (managed > 0) deps.log.info('making flags', { flags: workload.flags, projects: managed })
  for (const project of plan.projects.filter(isManaged)) {
    active.push(await ensureFlags(plan.url, project, workload.flags))
  }
  // A change of flags is in force everywhere within a second. The caches must not be filled before.
  await deps.clock.sleep(1_500)
  if (workload.mode === 'hot') await prime(deps, plan)
  return { activeFlags: active.length === 0 ? 'not known' : active }
}

async function prepareEvents(
  { clock, log }: BenchDeps,
  { url, projects, distinctIds, seed, model }: BenchPlan,
  count: number,
): Promise<void> {
  const perS = rateOf(model)
  log.info('storing events to list', { count, projects: projects.length, perS: perS ?? 'no limit' })
  for (const project of projects) {
    const nowMs = clock.now()
    const pace = perS === undefined ? {} : { pace: { perS, clock } }
    await storeEvents(url, project, { count, distinctIds, seed, nowMs, ...pace })
  }
  log.info('events stored', { count })
}

/** Requests a second that the plan allows; undefined where it finds the highest rate. */
function rateOf(model: LoadModel): number | undefined {
  return model.kind === 'open' ? model.ratePerS : undefined
}

async function prime(deps: BenchDeps, plan: BenchPlan): Promise<void> {
  const source = decideSource(plan, 'prime', HOT_PREFIX)
  const requestsMax = plan.distinctIds * plan.projects.length
  const perS = rateOf(plan.model)
  const asked = { requests: requestsMax, perS: perS ?? 'no limit' }
  deps.log.info('asking each distinct id once, so that the answers are cached', asked)
  // A rate that bounds the measured load also bounds the priming.
  const load = createLoad(deps, plan, source, plan.model, 0)
  await load.connect()
  // Twice the time that the rate needs, or the longest time where there is no rate.
  const neededMs = perS === undefined ? 0 : (2_000 * requestsMax) / perS
  const durationMs = Math.max(PRIME_MS_MAX, neededMs)
  const result = await load.phase({ durationMs, requestsMax })
  load.close()
  const { sent, accepted } = result.tally.counts
  deps.log.info('distinct ids primed', { sent, accepted })
  if (accepted < requestsMax * 0.999) {
    throw new AppError('unavailable', `only ${accepted} of ${requestsMax} ids could be primed`)
  }
}

/** @param run numbers the runs of a bench, so that each has its own arrivals. */
export function createLoad(
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
