/** Reads the filters of a deletion as those of a list. */

import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { isObject } from '../../core/json.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { UTC, withWeeks, zoneOrUtc } from '../../core/time/zone.ts'
import type { EventSelection } from '../../event-store/event-selection.ts'
import { resolveSelection } from '../../event-store/postgres/reads/resolve-selection.ts'
import type { EventsAsked } from '../../events/ports.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { StoredDeletion } from '../../privacy/deletion-store.ts'
import { createBudget } from '../language/expressions.ts'
import { createTimeBudget } from '../time-budget.ts'
import { askedOf, type EventListRequest, parseEventList } from './event-list-query.ts'

/**
 * The events that a deletion's filters select, each relative date counted from the time of asking.
 * @returns undefined when none can match.
 * @throws {AppError} `failed_precondition` for filters that this release does not read.
 */
export async function selectionOfDeletion(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  deletion: StoredDeletion,
): Promise<EventSelection | undefined> {
  const budget = createTimeBudget(clock, EVENT_QUERY_TIMEOUT_MS)
  const resolved = await resolveSelection(sql, askedOfDeletion(deletion), budget)
  return resolved?.walked
}

/** The same for any store. @throws {AppError} `failed_precondition`, as above. */
export function askedOfDeletion({ projectId, filters, askedAt }: StoredDeletion): EventsAsked {
  const request = requestOf(filters)
  // One that was asked of an older release has the bounds and the days of UTC.
  const zone = isObject(filters) && 'week_start_day' in filters ? request.zone : UTC
  const query = parseEventList(request, Date.parse(askedAt), createBudget(), zone)
  if (!query.ok) throw new AppError('failed_precondition', query.error.detail)
  return askedOf(projectId, query.value)
}

function requestOf(filters: unknown): EventListRequest {
  const fields = isObject(filters) ? filters : {}
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : undefined
  }
  const where = fields['where']
  return {
    after: text('after') ?? '',
    before: text('before') ?? '',
    event: text('event'),
    distinctId: text('distinct_id'),
    personId: text('person_id'),
    properties: text('properties') ?? '',
    orderBy: '',
    zone: withWeeks(zoneOrUtc(text('timezone') ?? 'UTC'), fields['week_start_day'] === 0 ? 0 : 1),
    where: Array.isArray(where) ? where.map(String) : [],
  }
}
