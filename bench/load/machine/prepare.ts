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
import { decideSource, HOT_PREFIX } from '../workload/workload-source.ts'

export type BenchDeps = { readonly clock: Clock; readonly log: Log }

/** The longest time for asking all distinct ids once, however slow the server is. */
const PRIME_MS_MAX = 600_000

/**
 * Creates flags, stores events and asks every id once, as the workload needs it. Answers what it
 * found, for the settings of the report.
 * @throws {AppError} when the server cannot be reached or its flags cannot be created.
 */
export async function prepare(deps: BenchDeps, plan: BenchPlan): Promise<Record<string, unknown>> {
  const { workload } = plan
  const parts =
    workload.kind === 'mixed' ? partsOf(workload).map((part) => part.workload) : [workload]
  // Stored events create persons, which clears caches, so they come before the ids are asked.
  const management = parts.find((part) => part.kind === 'management')
  if (management !== undefined) await prepareEvents(deps, plan, management.events)
  const decide = parts.find((part) => part.kind === 'decide')
  return decide === undefined ? {} : await prepareFlags(deps, plan, decide)
}

async function prepareFlags(
  deps: BenchDeps,
  plan: BenchPlan,
  workload: DecideWorkload,
): Promise<Record<string, unknown>> {
  const active: number[] = []
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
  { url, projects, distinctIds, seed }: BenchPlan,
  count: number,
): Promise<void> {
  for (const project of projects) {
    await storeEvents(url, project, { count, distinctIds, seed, nowMs: clock.now() })
  }
  log.info('events stored', { count })
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
