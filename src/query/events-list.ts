import type { Clock } from '../core/clock.ts'
import type { ProjectId } from '../core/ids.ts'
import {
  EVENT_LIST_AHEAD_MS,
  EVENT_PAGE_BYTES_MAX,
  EVENT_QUERY_TIMEOUT_MS,
} from '../core/limits.ts'
import { err, ok, type Result } from '../core/result.ts'
import { cleanText } from '../core/validation/clean-text.ts'
import type { Instant } from '../ingest/instant.ts'
import { acceptsPattern, limitStatements, readEvents } from '../store/bounded-reads.ts'
import type { Sql } from '../store/connect.ts'
import {
  countEvents,
  countEventsByCounters,
  type EventPage,
  type EventSelection,
  findPersonId,
  pageOfEvents,
  type QueriedEvent,
} from '../store/event-query-store.ts'
import { failureCode, QUERY_CANCELED } from '../store/failures.ts'
import { boundText, microsOf, parseBound } from './bounds.ts'
import { type FilterNode, parseFilters } from './filters.ts'
import type { ScanGate } from './scan-gate.ts'
import { type Condition, toCondition } from './to-sql.ts'

/** The parameters of a list as they came; empty texts are absent. */
export type EventListRequest = {
  readonly after: string
  readonly before: string
  readonly event: string | undefined
  readonly distinctId: string | undefined
  readonly personId: string | undefined
  readonly properties: string
  readonly orderBy: string
}

/** A list that is understood. */
export type EventListQuery = {
  readonly after: Instant | undefined
  readonly before: Instant
  readonly event: string | undefined
  readonly distinctId: string | undefined
  readonly person: { readonly id: string } | { readonly uuid: string } | 'none' | undefined
  readonly filter: FilterNode
  readonly order: EventPage['order']
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
/** Up to so many matches are gathered and sorted; a walk in order would pass too many others. */
const SPARSE_MAX = 5_000

/** Reads the parameters; errors name the first that is wrong. */
export function parseEventList(
  request: EventListRequest,
  nowMs: number,
): Result<EventListQuery, QueryError> {
  const after = request.after === '' ? undefined : parseBound(request.after, nowMs)
  if (request.after !== '' && after === undefined) return invalidDate('after')
  const before =
    request.before === ''
      ? { ms: nowMs + EVENT_LIST_AHEAD_MS, us: 0 }
      : parseBound(request.before, nowMs)
  if (before === undefined) return invalidDate('before')
  const filter = parseFilters(request.properties)
  if (!filter.ok) return err({ code: 'invalid_input', ...filter.error })
  const order = parseOrder(request.orderBy)
  if (order === undefined) {
    const detail = 'orderBy is a list of "timestamp" or "-timestamp".'
    return err({ code: 'invalid_input', detail, attr: 'orderBy' })
  }
  return ok({
    after,
    before,
    event: textOf(request.event),
    distinctId: textOf(request.distinctId),
    person: personOf(request.personId),
    filter: filter.value,
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

function parseOrder(text: string): EventPage['order'] | undefined {
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
  page: { limit: number; offset: number },
  signal: AbortSignal,
): Promise<Result<EventList, QueryError>> {
  const pinnedBefore = boundText(query.before)
  const read = () => readList(deps, project, query, page)
  try {
    const list = await (isFiltered(query) ? deps.scans.run(project, signal, read) : read())
    if (list === 'too_long') return err(TOO_LONG)
    return list === 'too_large' ? err(TOO_LARGE) : ok({ ...list, pinnedBefore })
  } catch (error) {
    if (failureCode(error) !== QUERY_CANCELED) throw error
    return err(TOO_LONG)
  }
}

function isFiltered({ filter }: EventListQuery): boolean {
  return filter.kind === 'property' || filter.nodes.length > 0
}

const TOO_LONG: QueryError = {
  code: 'query_timeout',
  detail: 'The query took too long. Narrow it by time, event or distinct id.',
  attr: null,
}

const TOO_LARGE: QueryError = {
  code: 'invalid_input',
  detail: 'The events of this page are too large to send together. Ask for fewer.',
  attr: 'limit',
}

type ListRead = PageRead | 'too_long' | 'too_large'
type PageRead = { readonly count: number; readonly events: readonly QueriedEvent[] }

async function readList(
  { sql, clock, timeoutMs = EVENT_QUERY_TIMEOUT_MS }: EventListDeps,
  project: ProjectId,
  query: EventListQuery,
  page: { limit: number; offset: number },
): Promise<ListRead> {
  const endAt = clock.monotonic() + timeoutMs
  const leftMs = () => Math.floor(endAt - clock.monotonic())
  const selection = await selectionOf(sql, project, query, leftMs)
  if (selection === undefined) return { count: 0, events: [] }
  const countMs = leftMs()
  if (selection === 'too_long' || countMs <= 0) return 'too_long'
  return await readEvents<ListRead>(sql, async (tx) => {
    // Sent together: the second waits on the server, not for another way there and back.
    const [, count] = await Promise.all([
      limitStatements(tx, countMs),
      isCounted(selection) ? countEventsByCounters(tx, selection) : countEvents(tx, selection),
    ])
    if (count <= page.offset) return { value: { count, events: [] } }
    const pageMs = leftMs()
    if (pageMs <= 0) return { value: 'too_long' }
    const isSparse = count <= SPARSE_MAX && isWalked(selection)
    const [, events] = await Promise.all([
      limitStatements(tx, pageMs),
      pageOfEvents(tx, selection, {
        ...page,
        order: query.order,
        isSparse,
        bytesMax: EVENT_PAGE_BYTES_MAX,
      }),
    ])
    return { value: events === 'too_large' ? events : { count, events } }
  })
}

/** Undefined when nothing can match. */
async function selectionOf(
  sql: Sql,
  project: ProjectId,
  query: EventListQuery,
  leftMs: () => number,
): Promise<EventSelection | 'too_long' | undefined> {
  const { after, before, event, distinctId, person } = query
  const bounds = { before: microsOf(before), after: after === undefined ? after : microsOf(after) }
  if (bounds.after !== undefined && BigInt(bounds.after) >= BigInt(bounds.before)) return undefined
  if (person === 'none') return undefined
  const personId = person === undefined ? person : await findPersonId(sql, project, person)
  if (person !== undefined && personId === undefined) return undefined
  const condition = await conditionOf(sql, query.filter, leftMs)
  if (condition === 'too_long') return condition
  const { where, needsPerson } = condition ?? { where: undefined, needsPerson: false }
  return { project, ...bounds, event, distinctId, personId, where, needsPerson }
}

/** Postgres is asked about each pattern first: inside the query a refusal would be its end. */
async function conditionOf(
  sql: Sql,
  filter: FilterNode,
  leftMs: () => number,
): Promise<Condition | 'too_long' | undefined> {
  if (filter.kind !== 'property' && filter.nodes.length === 0) return undefined
  const condition = toCondition(filter)
  if (condition.patterns.length === 0) return condition
  const patterns = [...new Set(condition.patterns)]
  const refused = new Set<string>()
  for (const pattern of patterns) {
    const patternMs = leftMs()
    if (patternMs <= 0) return 'too_long'
    if (!(await acceptsPattern(sql, pattern, patternMs))) refused.add(pattern)
  }
  return refused.size === 0 ? condition : toCondition(filter, refused)
}

/** The counters know time and event. */
function isCounted({ distinctId, personId, where }: EventSelection): boolean {
  return distinctId === undefined && personId === undefined && where === undefined
}

/** No index leads to the matches but the one by time. */
function isWalked({ event, distinctId, personId, where }: EventSelection): boolean {
  const isIndexed = distinctId !== undefined || personId !== undefined
  return !isIndexed && (event !== undefined || where !== undefined)
}
