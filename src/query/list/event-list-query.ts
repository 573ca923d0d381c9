/** Reads and checks the parameters of a list of events. */

import { cleanText } from '../../core/clean-text.ts'
import { isUuid, type ProjectId } from '../../core/ids.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { EVENT_LIST_AHEAD_MS } from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { UTC, type Zone } from '../../core/time/zone.ts'
import type { EventOrder, EventsAsked } from '../../events/ports.ts'
import type { Instant } from '../../events/time/instant.ts'
import type { FilterNode } from '../../events/trees/filter.ts'
import type { CohortMembers } from '../../store/cohorts/cohort-members.ts'
import { microsOf, parseBound } from '../bounds.ts'
import { createBudget, parseWhere } from '../language/expressions.ts'
import type { Budget } from '../language/tree.ts'
import { localTimeOf } from '../local-time-of.ts'
import { parseFilters } from './filters.ts'

/** Parameters as received. An empty text counts as absent. */
export type EventListRequest = {
  readonly after: string
  readonly before: string
  readonly event: string | undefined
  readonly distinctId: string | undefined
  readonly personId: string | undefined
  readonly properties: string
  readonly orderBy: string
  /** The expressions as sent: one item for each value, or one that is a JSON list. */
  readonly where?: readonly string[] | undefined
  /** The cohorts that the filters name; without it filters of cohorts are unsupported. */
  readonly cohorts?: CohortMembers | undefined
  /**
   * Zone of bounds and dates that name none, and in which expressions truncate to days.
   * @default UTC
   */
  readonly zone?: Zone | undefined
}

/** The checked parameters of a list. */
export type EventListQuery = {
  readonly after: Instant | undefined
  readonly before: Instant
  readonly event: string | undefined
  readonly distinctId: string | undefined
  readonly person: { readonly id: string } | { readonly uuid: string } | 'none' | undefined
  readonly filter: FilterNode
  /** A condition that must hold as well as `filter`. */
  readonly where: FilterNode | undefined
  readonly order: EventOrder
}

/** The query as a store of events takes it. */
export function askedOf(
  project: ProjectId,
  { after, before, event, distinctId, person, filter, where }: Omit<EventListQuery, 'order'>,
): EventsAsked {
  const bounds = { before: microsOf(before), after: after === undefined ? after : microsOf(after) }
  return { project, ...bounds, event, distinctId, person, filter, where }
}

export type QueryError = {
  readonly code: 'invalid_input' | 'query_timeout'
  readonly detail: string
  readonly attr: string | null
}

const BIGINT_DIGITS = /^\d{1,18}$/

/**
 * Reads the parameters; errors name the first that is wrong.
 * @param zone of bounds and expressions. @default that of the request
 */
export function parseEventList(
  request: EventListRequest,
  nowMs: number,
  expressions: Budget = createBudget(),
  zone: Zone = request.zone ?? UTC,
): Result<EventListQuery, QueryError> {
  const after = request.after === '' ? undefined : parseBound(request.after, nowMs, zone)
  if (request.after !== '' && after === undefined) return invalidDate('after')
  const before =
    request.before === ''
      ? { ms: nowMs + EVENT_LIST_AHEAD_MS, us: 0 }
      : parseBound(request.before, nowMs, zone)
  if (before === undefined) return invalidDate('before')
  const moment = { nowMs, zone: request.zone ?? zone }
  const filter = parseFilters(request.properties, moment, expressions, request.cohorts)
  if (!filter.ok) return err({ code: 'invalid_input', ...filter.error })
  const order = parseOrder(request.orderBy)
  if (order === undefined) {
    const detail = 'orderBy is a list of "timestamp" or "-timestamp".'
    return err({ code: 'invalid_input', detail, attr: 'orderBy' })
  }
  const where = parseWhere(request.where ?? [], { nowMs, local: localTimeOf(zone) }, expressions)
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

/** A text that cannot be a person's id is treated like the id of an unknown person. */
function personOf(text: string | undefined): EventListQuery['person'] {
  if (text === undefined || text === '') return undefined
  if (isUuid(text)) return { uuid: text }
  return BIGINT_DIGITS.test(text) ? { id: text } : 'none'
}

function parseOrder(text: string): EventOrder | undefined {
  if (text.trim() === '') return 'newest'
  let json: unknown
  try {
    json = parseJson(text)
  } catch {
    return undefined // The caller says what is wrong.
  }
  if (!Array.isArray(json) || json.length > 1) return undefined
  const item: unknown = json[0] ?? '-timestamp'
  return item === '-timestamp' ? 'newest' : item === 'timestamp' ? 'oldest' : undefined
}
