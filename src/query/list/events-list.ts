/** Lists events. */
import type { Clock } from '../../core/clock.ts'
import type { OrganizationId, ProjectId } from '../../core/ids.ts'
import {
  EVENT_PAGE_BYTES_MAX,
  EVENT_PAGE_PERSON_BYTES_MAX,
  EVENT_QUERY_TIMEOUT_MS,
} from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { EVER, type EventReader, type QueriedEvent, type ReadCall } from '../../events/ports.ts'
import type { FilterNode } from '../../events/trees/filter.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Page } from '../../wire/page.ts'
import { boundText } from '../bounds.ts'
import type { QueryLimiter, Scans } from '../query-limiter.ts'
import { createTimeBudget, isOutOfTime } from '../time-budget.ts'
import { askedOf, type EventListQuery, type QueryError } from './event-list-query.ts'

export type EventList = {
  readonly count: number
  readonly events: readonly QueriedEvent[]
  /** The upper bound of this page, which later pages use too. */
  readonly pinnedBefore: string
}

export type EventListDeps = ScanDeps & { readonly events: EventReader }

/** Dependencies of a part that reads events for organizations. */
export type EventReadsDeps = {
  /** Connections for queries alone. */
  readonly scanSql: Sql
  readonly events: EventReader
  readonly queryLimiter: QueryLimiter
  readonly clock: Clock
}

/** The reads of one organization, which share its places. */
export function readsOf(
  { scanSql: sql, events, queryLimiter, clock }: EventReadsDeps,
  { organizationId }: { readonly organizationId: OrganizationId },
): EventListDeps {
  return { sql, events, clock, scans: queryLimiter.of(organizationId) }
}

/** Dependencies of long reads. */
export type ScanDeps = {
  /** Connections for queries alone. */
  readonly sql: Sql
  readonly clock: Clock
  readonly scans: Scans
  /** Milliseconds for count and page together. @default EVENT_QUERY_TIMEOUT_MS */
  readonly timeoutMs?: number
}

const PAGE_BOUNDS = {
  bytesMax: EVENT_PAGE_BYTES_MAX,
  personBytesMax: EVENT_PAGE_PERSON_BYTES_MAX,
}

/**
 * Reads a page and the exact count in one snapshot.
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the query limiter; errors of the store. Safe to retry.
 */
export async function listEvents(
  deps: EventListDeps,
  project: ProjectId,
  query: EventListQuery,
  page: Page,
  signal: AbortSignal,
): Promise<Result<EventList, QueryError>> {
  const { events: reader, clock, scans, timeoutMs = EVENT_QUERY_TIMEOUT_MS } = deps
  const asked = askedOf(project, query)
  const { limit, offset } = page
  const read = () => {
    const call = { signal, time: createTimeBudget(clock, timeoutMs) }
    return reader.list(asked, { order: query.order, limit, offset, ...PAGE_BOUNDS }, call)
  }
  try {
    const list = await scans.run(signal, read, (each) =>
      each === 'too_large' ? 0 : bytesOfEvents(each.events),
    )
    if (list === 'too_large') return err(TOO_LARGE)
    const { count, events } = list
    return ok({ count, events, pinnedBefore: boundText(query.before) })
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return err(TOO_LONG)
  }
}

const EVERY: FilterNode = { kind: 'and', nodes: [] }

/** Events of the distinct ids of a person. */
export async function countPersonEvents(
  reader: EventReader,
  project: ProjectId,
  { id }: { readonly id: string },
  call: ReadCall,
): Promise<number | null> {
  const { before, after } = EVER
  const asked = {
    project,
    before,
    after,
    person: { id },
    filter: EVERY,
    event: undefined,
    distinctId: undefined,
    where: undefined,
  }
  const list = await reader.list(
    asked,
    { order: 'newest', limit: 0, offset: 0, ...PAGE_BOUNDS },
    call,
  )
  return list === 'too_large' ? null : list.count
}

/** About the bytes of their texts. */
export function bytesOfEvents(events: readonly QueriedEvent[]): number {
  let bytes = 0
  for (const { properties, person, elementsChain } of events) {
    bytes += properties.length + elementsChain.length + (person?.length ?? 0)
  }
  return bytes
}

/** Result of `read`, or the error that it took too long. */
export async function inTime<T>(
  read: Promise<T>,
  detail = TOO_LONG.detail,
): Promise<Result<T, QueryError>> {
  try {
    return ok(await read)
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return err({ ...TOO_LONG, detail })
  }
}

export const TOO_LONG: QueryError = {
  code: 'query_timeout',
  detail: 'The query took too long. Narrow it by time, event or distinct id.',
  attr: null,
}

const TOO_LARGE: QueryError = {
  code: 'invalid_input',
  detail: 'The events of this page are too large to send together. Ask for fewer.',
  attr: 'limit',
}
