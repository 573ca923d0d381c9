/** Usage status of a flag, from the reports of libraries. */
import { isList, isObject, type Json, listOf } from '../core/json.ts'

/** Days without a call after which a flag is stale. */
export const STALE_DAYS = 30
const DAY_MS = 86_400_000

export type UsageFacts = {
  readonly active: boolean
  /** Filters of the flag. */
  readonly filters: Json
  /** Milliseconds since 1970. */
  readonly createdAtMs: number
  readonly changedAtMs: number
  /** Undefined: no library has reported a call. */
  readonly calledAtMs: number | undefined
  /** Libraries report calls of any flag of the project. */
  readonly hasReports: boolean
}

export type UsageStatus = {
  /** `unknown`: without any report, flags in use cannot be told from unused ones. */
  readonly status: 'active' | 'stale' | 'off' | 'new' | 'unknown'
  /** A sentence. */
  readonly reason: string
}

export function usageStatus(facts: UsageFacts, nowMs: number): UsageStatus {
  const { active, filters, createdAtMs, changedAtMs, calledAtMs, hasReports } = facts
  const days = (sinceMs: number) => Math.floor((nowMs - sinceMs) / DAY_MS)
  if (!active) return { status: 'off', reason: 'The flag is switched off.' }
  if (calledAtMs !== undefined) {
    return days(calledAtMs) < STALE_DAYS
      ? {
          status: 'active',
          reason: `Libraries have reported calls in the last ${STALE_DAYS} days.`,
        }
      : { status: 'stale', reason: `No library has reported a call for ${days(calledAtMs)} days.` }
  }
  if (isForEverybody(filters) && days(changedAtMs) >= STALE_DAYS) {
    const since = `unchanged for ${days(changedAtMs)} days`
    return {
      status: 'stale',
      reason: `It gives everybody the same, is ${since}, and no library has reported a call.`,
    }
  }
  if (!hasReports) {
    const reason = 'No library reports its calls, so nobody knows which flags are in use.'
    return { status: 'unknown', reason }
  }
  return days(createdAtMs) < STALE_DAYS
    ? {
        status: 'new',
        reason: `It is younger than ${STALE_DAYS} days, and no library has reported a call.`,
      }
    : { status: 'stale', reason: 'No library has reported a call.' }
}

/**
 * Whether the first condition set gives every person one value, so that later sets are never
 * reached. Sets of groups leave out requests that name no group.
 */
export function isForEverybody(filters: Json): boolean {
  if (!isObject(filters) || (filters['aggregation_group_type_index'] ?? null) !== null) return false
  const [first] = listOf(filters['groups'])
  if (!isObject(first) || (first['aggregation_group_type_index'] ?? null) !== null) return false
  const { properties, rollout_percentage: rollout, variant } = first
  if (isList(properties) && properties.length > 0) return false
  if ((rollout ?? null) !== null && rollout !== 100) return false
  const { multivariate } = filters
  const variants = isObject(multivariate) ? listOf(multivariate['variants']) : []
  if (variants.length === 0 || typeof variant === 'string') return true
  return variants.some((each) => isObject(each) && each['rollout_percentage'] === 100)
}
