/** Makes the request source of a plan's workload. */
import { AppError } from '../../../src/core/code.ts'
import { type BenchPlan, partsOf, type SimpleWorkload } from '../plan/plan.ts'
import { isManaged } from './management-api.ts'
import { createManagementSource, findObjects, type ManagementRoute } from './management-source.ts'
import { createMixedSource } from './mixed-source.ts'
import { createCaptureSource, createDecideSource } from './payload.ts'
import type { RequestSource } from './request-source.ts'
import { SEEDED_EVENT } from './stored-events.ts'

/** Parts that make the ids and event names of one bench unique. */
export type RunNames = { readonly nonce: string; readonly eventName: string }

/**
 * The requests of the plan's workload.
 * @throws {AppError} when the objects to ask for can be neither found nor created.
 */
export async function createSource(plan: BenchPlan, names: RunNames): Promise<RequestSource> {
  const { workload } = plan
  if (workload.kind !== 'mixed') return await simpleSource(plan, workload, names)
  const parts: Parameters<typeof createMixedSource>[0][number][] = []
  for (const part of partsOf(workload)) {
    const source = await simpleSource(plan, part.workload, names)
    parts.push({ name: part.workload.kind, share: part.share, source })
  }
  return createMixedSource(parts, plan.seed)
}

async function simpleSource(
  plan: BenchPlan,
  workload: SimpleWorkload,
  { nonce, eventName }: RunNames,
): Promise<RequestSource> {
  if (workload.kind === 'management') return await managementSource(plan, workload.route)
  if (workload.kind === 'decide') {
    const cold = workload.mode === 'cold'
    return decideSource(plan, workload.mode, cold ? `cold-${nonce}-` : HOT_PREFIX)
  }
  const { distinctIds, zipfExponent, seed } = plan
  const apiKeys = plan.projects.map((project) => project.apiKey)
  const returning = workload.shape === 'plain' ? distinctIds : Math.min(distinctIds, RETURNING_MAX)
  const newFrom = FIRST_NEW + (Number.parseInt(nonce, 16) % NEW_RANGES) * NEW_RANGE
  const named = { apiKeys, eventName, distinctIds: returning, zipfExponent, seed, newFrom }
  const shape = { ...workload, ...named }
  const path = workload.kind === 'capture' ? '/capture/' : '/batch/'
  return createCaptureSource(shape, { host: new URL(plan.url).host, path })
}

/** Most persons that page views return to: each is made before the load. */
const RETURNING_MAX = 20_000
/** Numbers of new persons: each bench takes a range of its own. */
const FIRST_NEW = 1_000_000_000
const NEW_RANGE = 1_000_000
const NEW_RANGES = 8_000

/** One page view of each person that the load returns to. */
export function visitorsSource(plan: BenchPlan): { source: RequestSource; requests: number } {
  const { seed } = plan
  const distinctIds = Math.min(plan.distinctIds, RETURNING_MAX)
  const apiKeys = plan.projects.map((project) => project.apiKey)
  const event = { eventName: 'sluice_bench_visitor', properties: 0, valueBytes: 0, gzipShare: 0 }
  const shape = { ...event, apiKeys, distinctIds, seed, batch: VISITORS_BATCH }
  const made = {
    ...shape,
    shape: 'pages',
    prime: true,
    zipfExponent: undefined,
    uuidVersion: 7,
  } as const
  const source = createCaptureSource(made, { host: new URL(plan.url).host, path: '/batch/' })
  return {
    source,
    requests:
      Math.ceil(distinctIds / VISITORS_BATCH) * Math.min(apiKeys.length, PRIMED_PROJECTS_MAX),
  }
}

/** With more projects each gets fewer of the persons: the pass would take too long. */
const PRIMED_PROJECTS_MAX = 8
/** A multiple of the kinds of browsers. */
const VISITORS_BATCH = 96

/** The prefix of the ids that hot runs share with the priming pass. */
export const HOT_PREFIX = 'user-'

export function decideSource(
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
