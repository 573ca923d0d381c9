/** How the filters of a dashboard change the questions of its tiles. */
import { isList, isObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { asFilterGroup } from '../list/filters.ts'

/**
 * The question as it is asked on a dashboard. `date_from` and `date_to`, where one is given, take the
 * place of the question's whole range; `properties` hold beside the question's own. An events table
 * has `after` and `before` for a range; a list of actors, which is about one number of another
 * question, stays as it is.
 * @param query a question that was checked.
 * @param filters as `checkOverride` accepts them.
 */
export function overridden(query: Json, filters: JsonObject): Json {
  if (!isObject(query) || query['kind'] === 'ActorsQuery') return query
  const properties = both(own(query, 'properties'), own(filters, 'properties'))
  return {
    ...query,
    ...(properties === undefined ? {} : { properties }),
    ...rangeOf(query, filters),
  }
}

function rangeOf(query: JsonObject, filters: JsonObject): JsonObject {
  const from = own(filters, 'date_from') ?? null
  const to = own(filters, 'date_to') ?? null
  if (from === null && to === null) return {}
  if (query['kind'] === 'EventsQuery') return { after: from === 'all' ? null : from, before: to }
  return { dateRange: { date_from: from, date_to: to } }
}

/** Filters that must all hold. */
function both(mine: Json | undefined, theirs: Json | undefined): Json | undefined {
  if (isNone(theirs)) return mine
  if (isNone(mine)) return theirs
  return { type: 'AND', values: [asFilterGroup(mine ?? []), asFilterGroup(theirs ?? [])] }
}

function isNone(filters: Json | undefined): boolean {
  if (filters === undefined || filters === null) return true
  return isList(filters) && filters.length === 0
}
