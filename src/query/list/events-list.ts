/** Lists events. */
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { QueriedEvent } from '../../store/events/event-rows.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Page } from '../../wire/page.ts'
import { boundText } from '../bounds.ts'
import type { Scans } from '../scan-gate.ts'
import { createTimeBudget, isOutOfTime } from '../time-budget.ts'
import type { EventListQuery, QueryError } from './event-list-query.ts'
import { readEventPage } from './event-page.ts'

export type EventList = {
  readonly count: number
  readonly events: readonly QueriedEvent[]
  /** The upper bound of this page, which later pages use too. */
  readonly pinnedBefore: string
}

export type EventListDeps = {
  /** Connections for queries alone. */
  readonly sql: Sql
  readonly clock: Clock
  readonly scans: Scans
  /** Milliseconds for count and page together. @default EVENT_QUERY_TIMEOUT_MS */
  readonly timeoutMs?: number
}

/**
 * Reads a page and the exact count in one snapshot.
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the scan gate; what the store throws when it cannot answer. Safe to retry.
 */
export async function listEvents(
  deps: EventListDeps,
  project: ProjectId,
  query: EventListQuery,
  page: Page,
  signal: AbortSignal,
): Promise<Result<EventList, QueryError>> {
  const { sql, clock, scans, timeoutMs = EVENT_QUERY_TIMEOUT_MS } = deps
  const own = sql.endingWith(signal)
  const read = () => readEventPage(own, project, query, page, createTimeBudget(clock, timeoutMs))
  try {
    const list = await scans.run(signal, read, (each) =>
      each === 'too_large' ? 0 : bytesOfEvents(each.events),
    )
    if (list === 'too_large') return err(TOO_LARGE)
    return ok({ ...list, pinnedBefore: boundText(query.before) })
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return err(TOO_LONG)
  }
}

/** About the bytes of their texts. */
export function bytesOfEvents(events: readonly QueriedEvent[]): number {
  let bytes = 0
  for (const { properties, person, elementsChain } of events) {
    bytes += properties.length + elementsChain.length + (person?.length ?? 0)
  }
  return bytes
}

/** What `read` answers, or that it took too long. */
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
