import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../core/limits/limits.ts'
import { OFFSET_MAX } from '../core/limits/limits-query.ts'
import type { MethodRules } from './proto/rules.ts'

export type Page = { readonly limit: number; readonly offset: number }

/**
 * The page that a list call requests. A missing, zero, negative or unreadable member gets its
 * default, a too large one the maximum: a bad page is never an error.
 */
export function pageOf(
  rules: Pick<MethodRules, 'limit_max' | 'limit_default'>,
  asked: { readonly limit?: unknown; readonly offset?: unknown },
): Page {
  const limit = wholeNumber(asked.limit)
  const limitDefault = rules.limit_default === 0 ? PAGE_LIMIT_DEFAULT : rules.limit_default
  const limitMax = rules.limit_max === 0 ? PAGE_LIMIT_MAX : rules.limit_max
  return {
    limit: limit === 0 ? limitDefault : Math.min(limit, limitMax),
    offset: Math.min(wholeNumber(asked.offset), OFFSET_MAX),
  }
}

/** Reads a positive whole number; 0 for anything else. */
function wholeNumber(value: unknown): number {
  if (typeof value === 'string') {
    return /^\s*\+?\d{1,30}\s*$/.test(value) ? Number(value) : 0
  }
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0
}
