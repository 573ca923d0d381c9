/** Bounds of a project's flags and cohorts together. */
import { isObject, listOf, objectOf, own } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FlagSources } from '../definition.ts'
import type { CohortFault } from './validate-cohort.ts'

/** Conditions of all flags and cohorts of a project; a change that leaves more is 400. */
export const PROJECT_CONDITIONS_MAX = 50_000

/** Lists of sets that a flag has. */
const PLACES = ['groups', 'super_groups', 'holdout_groups'] as const

/**
 * Checks the sum of a project's conditions after a change. Each flag and each cohort has its own
 * bound, but every decide, every compilation and every library with local evaluation handles all of
 * them.
 */
export function judgeSum(
  { flags, cohorts }: Pick<FlagSources, 'flags' | 'cohorts'>,
  conditionsMax = PROJECT_CONDITIONS_MAX,
): Result<void, CohortFault> {
  let count = 0
  for (const { deleted, filters } of flags) if (!deleted) count += ofFlag(filters)
  for (const { deleted, isStatic, filters } of cohorts) {
    if (!deleted && !isStatic) count += ofCohort(filters)
  }
  if (count <= conditionsMax) return ok(undefined)
  const detail = `The flags and cohorts of a project have at most ${conditionsMax} conditions together.`
  return err({ code: 'invalid_input', detail, attr: 'filters' })
}

/** A set counts as a condition. */
function ofFlag(filters: unknown): number {
  let count = 0
  for (const place of PLACES) {
    for (const set of listOf(own(objectOf(filters), place))) {
      count += 1 + listOf(own(objectOf(set), 'properties')).length
    }
  }
  return count
}

/** A group counts as a condition. With a stack of its own: they nest as deep as they like. */
function ofCohort(filters: unknown): number {
  let count = 0
  const waiting: unknown[] = [filters]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) for (const item of value) waiting.push(item)
    if (!isObject(value)) continue
    count += 1
    waiting.push(value['properties'], value['values'])
  }
  return count
}
