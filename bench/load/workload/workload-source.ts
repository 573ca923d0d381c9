/** Makes the request source of a plan's workload. */
import { AppError } from '../../../src/core/code.ts'
import { type BenchPlan, partsOf, type SimpleWorkload } from '../plan/plan.ts'
import { isManaged } from './management-api.ts'
import { createManagementSource, findObjects, type ManagementRoute } from './management-source.ts'
import { createMixedSource } from './mixed-source.ts'
import { createCaptureSource, createDecideSource } from './payload.ts'
import type { RequestSource } from './request-source.ts'
import { SEEDED_EVENT } from './stored-events.ts'

/** What makes the ids and event names of one bench unique. */
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
  const shape = { ...workload, apiKeys, eventName, distinctIds, zipfExponent, seed }
  const path = workload.kind === 'capture' ? '/capture/' : '/batch/'
  return createCaptureSource(shape, { host: new URL(plan.url).host, path })
}

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
