/** The question how many visitors a site has now, as its viewers may ask it. */
import { isList, isObject, type Json, type JsonObject, own } from '../../../core/json.ts'

/** A visitor is current for so long after a page view. */
const CURRENT_MS = 300_000
/** Moments are cut to it, so that all who ask within it ask the same. */
const MINUTE_MS = 60_000

/** `{"current": true}`. */
export function isCurrent(asked: Json): boolean {
  return isObject(asked) && Object.keys(asked).length === 1 && own(asked, 'current') === true
}

/**
 * Undefined for a link with filters of sessions, which a question about events does not know: its
 * number would be that of other visitors too.
 */
export function currentVisitors(
  filters: JsonObject,
  testAccountFilters: Json,
  nowMs: number,
): JsonObject | undefined {
  const tests = own(filters, 'filterTestAccounts') === true ? testAccountFilters : []
  const properties = own(filters, 'properties') ?? []
  if (!isList(properties) || !isList(tests)) return undefined
  const all = [...properties, ...tests]
  if (all.some((each) => isObject(each) && own(each, 'type') === 'session')) return undefined
  const after = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - CURRENT_MS
  return {
    kind: 'EventsQuery',
    select: ['countDistinct(distinct_id)'],
    event: '$pageview',
    after: new Date(after).toISOString(),
    properties: all,
  }
}
