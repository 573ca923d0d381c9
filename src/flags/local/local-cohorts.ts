/** Cohorts as server libraries evaluate them, and as condition sets in their place. */
import { assert } from '../../core/code.ts'
import { cohortIdOf } from '../../core/ids.ts'
import { type JsonObject, own } from '../../core/json.ts'
import type { Work } from '../../core/work/turns.ts'
import { isCohortOperator, readShape, type Shape } from '../cohorts.ts'
import type { CohortDefinition } from '../definition.ts'
import { dependencyOrder } from '../order.ts'

/** A definition in the one form that libraries read. */
export type CohortGroup = {
  readonly type: 'AND' | 'OR'
  /** Groups only, or leaves only: libraries treat all like the first one. */
  readonly values: readonly CohortGroup[] | readonly JsonObject[]
}

/** The cohorts of a project that can be evaluated away from it, by id. */
export type LocalCohorts = ReadonlyMap<number, LocalCohort>

export type LocalCohort = {
  readonly shape: Shape
  readonly cohortIds: ReadonlySet<number>
}

/** Microseconds that reading one takes, most of them much less. */
const WORK_OF_COHORT = 100

/**
 * Leaves out definitions that a library would evaluate wrongly: stored membership, behaviour,
 * leaves that cannot be evaluated, and cohorts that contain themselves, which it would follow for
 * ever. For a flag with an unknown cohort it asks the server. Never throws.
 */
export function* localCohorts(definitions: readonly CohortDefinition[]): Work<LocalCohorts> {
  const found = new Map<number, LocalCohort>()
  for (const { id, isStatic, deleted, filters } of definitions) {
    if (isStatic || deleted) continue
    const shape = readShape(filters)
    const cohortIds = new Set<number>()
    if (isLocal(shape, cohortIds)) found.set(id, { shape, cohortIds })
    yield WORK_OF_COHORT
  }
  const ids = [...found.keys()]
  const positions = new Map(ids.map((id, position) => [id, position]))
  const { inCycle } = dependencyOrder(ids.length, (position) =>
    [...(found.get(ids[position] ?? 0)?.cohortIds ?? [])]
      .map((id) => positions.get(id))
      .filter((inner) => inner !== undefined),
  )
  for (const [position, id] of ids.entries()) if (inCycle[position] === 1) found.delete(id)
  return found
}

/** Gathers the cohorts within; stops at the first leaf that is only known here. */
function isLocal(shape: Shape, cohortIds: Set<number>): boolean {
  switch (shape.kind) {
    case 'every':
    case 'some':
      return shape.parts.every((part) => isLocal(part, cohortIds))
    case 'leaf': {
      if (own(shape.leaf, 'type') !== 'cohort') return isPersonLeaf(shape.leaf)
      const id = cohortIdOf(own(shape.leaf, 'value'))
      if (id === undefined || !isCohortOperator(own(shape.leaf, 'operator') ?? 'in')) return false
      cohortIds.add(id)
      return true
    }
    case 'unreadable':
      return false
    default:
      return shape satisfies never
  }
}

function isPersonLeaf(leaf: JsonObject): boolean {
  const type = own(leaf, 'type') ?? 'person'
  return (type === 'person' || type === 'event') && typeof own(leaf, 'key') === 'string'
}

/** Definitions of these cohorts and of those within them, as far as they are local, by id. */
export function definitionsOf(
  wanted: Iterable<number>,
  cohorts: LocalCohorts,
): ReadonlyMap<number, CohortGroup> {
  const definitions = new Map<number, CohortGroup>()
  const waiting = [...wanted]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const cohort = cohorts.get(id)
    if (cohort === undefined || definitions.has(id)) continue
    definitions.set(id, groupOf(cohort.shape))
    for (const inner of cohort.cohortIds) waiting.push(inner)
  }
  return definitions
}

function groupOf(shape: Shape): CohortGroup {
  if (shape.kind === 'leaf') return { type: 'AND', values: [shape.leaf] }
  assert(shape.kind !== 'unreadable', 'a local cohort is readable throughout')
  const type = shape.kind === 'some' ? 'OR' : 'AND'
  const leaves = shape.parts.flatMap((part) => (part.kind === 'leaf' ? [part.leaf] : []))
  if (leaves.length === shape.parts.length) return { type, values: leaves }
  return { type, values: shape.parts.map(groupOf) }
}

/**
 * The cohort as condition sets, of which a person must match one: lists of person filters.
 * Undefined when it has no such form, as with negated filters, cohorts within, or an AND of several
 * ORs.
 */
export function conditionSetsOf(shape: Shape): readonly (readonly JsonObject[])[] | undefined {
  switch (shape.kind) {
    case 'leaf': {
      const isPlain = isPersonLeaf(shape.leaf) && own(shape.leaf, 'negation') !== true
      return isPlain ? [[shape.leaf]] : undefined
    }
    case 'some': {
      const sets: (readonly JsonObject[])[] = []
      for (const part of shape.parts) {
        const those = conditionSetsOf(part)
        if (those === undefined) return undefined
        for (const set of those) sets.push(set)
      }
      return sets
    }
    case 'every':
      return everyOf(shape.parts)
    case 'unreadable':
      return undefined
    default:
      return shape satisfies never
  }
}

function everyOf(parts: readonly Shape[]): readonly (readonly JsonObject[])[] | undefined {
  const filters: JsonObject[] = []
  let choice: readonly (readonly JsonObject[])[] | undefined
  for (const part of parts) {
    const sets = conditionSetsOf(part)
    const [only] = sets ?? []
    if (sets === undefined || only === undefined) return undefined
    if (sets.length === 1) for (const filter of only) filters.push(filter)
    else if (choice === undefined) choice = sets
    else return undefined // The product of two ORs grows without bound.
  }
  if (choice === undefined) return [filters]
  return filters.length === 0 ? choice : undefined
}
