import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { EVENT_LIST_AHEAD_MS, EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { cleanText } from '../../core/validation/clean-text.ts'
import type { Instant } from '../../events/time/instant.ts'
import type { QueriedEvent } from '../../store/events/event-rows.ts'
import type { EventOrder } from '../../store/events/event-selection.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Page } from '../../wire/page.ts'
import { boundText, parseBound } from '../bounds.ts'
import { createBudget, parseWhere } from '../language/expressions.ts'
import type { Budget } from '../language/tree.ts'
import type { ScanGate } from '../scan-gate.ts'
import { createTimeBudget, isOutOfTime } from '../time-budget.ts'
import { readEventPage } from './event-page.ts'
import type { Condition } from './filter-sql.ts'
import { type FilterNode, parseFilters } from './filters.ts'
import { isEmpty } from './resolve-selection.ts'

/** The parameters of a list as they came; empty texts are absent. */
export type EventListRequest = {
  readonly after: string
  readonly before: string
  readonly event: string | undefined
  readonly distinctId: string | undefined
  readonly personId: string | undefined
  readonly properties: string
  readonly orderBy: string
  /** Expressions as sent: an item for each value, or one that is a JSON list. */
  readonly where?: readonly string[] | undefined
}

/** A list that is understood. */
export type EventListQuery = {
  readonly after: Instant | undefined
  readonly before: Instant
  readonly event: string | undefined
  readonly distinctId: string | undefined
  readonly person: { readonly id: string } | { readonly uuid: string } | 'none' | undefined
  readonly filter: FilterNode
  /** Holds beside `filter`. */
  readonly where: Condition | undefined
  readonly order: EventOrder
}

export type QueryError = {
  readonly code: 'invalid_input' | 'query_timeout'
  readonly detail: string
  readonly attr: string | null
}

export type EventList = {
  readonly count: number
  readonly events: readonly QueriedEvent[]
  /** The upper bound that the page was read under; later pages carry it on. */
  readonly pinnedBefore: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const BIGINT_DIGITS = /^\d{1,18}$/

/** Reads the parameters; errors name the first that is wrong. */
export function parseEventList(
  request: EventListRequest,
  nowMs: number,
  expressions: Budget = createBudget(),
): Result<EventListQuery, QueryError> {
  const after = request.after === '' ? undefined : parseBound(request.after, nowMs)
  if (request.after !== '' && after === undefined) return invalidDate('after')
  const before =
    request.before === ''
      ? { ms: nowMs + EVENT_LIST_AHEAD_MS, us: 0 }
      : parseBound(request.before, nowMs)
  if (before === undefined) return invalidDate('before')
  const filter = parseFilters(request.properties, nowMs, expressions)
  if (!filter.ok) return err({ code: 'invalid_input', ...filter.error })
  const order = parseOrder(request.orderBy)
  if (order === undefined) {
    const detail = 'orderBy is a list of "timestamp" or "-timestamp".'
    return err({ code: 'invalid_input', detail, attr: 'orderBy' })
  }
  const where = parseWhere(request.where ?? [], nowMs, expressions)
  if (!where.ok) return err({ code: 'invalid_input', detail: where.error, attr: 'where' })
  return ok({
    after,
    before,
    event: textOf(request.event),
    distinctId: textOf(request.distinctId),
    person: personOf(request.personId),
    filter: filter.value,
    where: where.value,
    order,
  })
}

function invalidDate(attr: string): { readonly ok: false; readonly error: QueryError } {
  const detail = 'Must be a date of ISO 8601 or relative, such as -7d.'
  return err({ code: 'invalid_input', detail, attr })
}

function textOf(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : cleanText(text)
}

/** What cannot be a person's id is as unknown as one that nobody has. */
function personOf(text: string | undefined): EventListQuery['person'] {
  if (text === undefined || text === '') return undefined
  if (UUID.test(text)) return { uuid: text }
  return BIGINT_DIGITS.test(text) ? { id: text } : 'none'
}

function parseOrder(text: string): EventOrder | undefined {
  if (text.trim() === '') return 'newest'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined // The caller says what is wrong.
  }
  if (!Array.isArray(json) || json.length > 1) return undefined
  const item: unknown = json[0] ?? '-timestamp'
  return item === '-timestamp' ? 'newest' : item === 'timestamp' ? 'oldest' : undefined
}

export type EventListDeps = {
  readonly sql: Sql
  readonly clock: Clock
  readonly scans: ScanGate
  /** Of count and page together. @default EVENT_QUERY_TIMEOUT_MS */
  readonly timeoutMs?: number
}

/**
 * Reads a page and the exact count in one snapshot.
 * @param signal gives up the wait for a turn; a statement that runs is bounded by its time-out.
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
  const read = () => readEventPage(sql, project, query, page, createTimeBudget(clock, timeoutMs))
  try {
    const list = await (isFiltered(query) ? scans.run(project, signal, read) : read())
    if (list === 'too_large') return err(TOO_LARGE)
    return ok({ ...list, pinnedBefore: boundText(query.before) })
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return err(TOO_LONG)
  }
}

/** Reads events that it does not send. */
export function isFiltered({ filter, where }: EventListQuery): boolean {
  return where !== undefined || !isEmpty(filter)
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
