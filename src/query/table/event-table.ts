/** Reads a list with `select`: the table and its exact count in one snapshot. */
import type { ProjectId } from '../../core/ids.ts'
import { EVENT_PAGE_BYTES_MAX, EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { UTC, type Zone } from '../../core/time/zone.ts'
import type { TableRow } from '../../events/ports.ts'
import type { Cell } from '../../events/trees/table.ts'
import type { Page } from '../../wire/page.ts'
import { boundText } from '../bounds.ts'
import { conditionOf, createBudget } from '../language/expressions.ts'
import {
  askedOf,
  type EventListQuery,
  type EventListRequest,
  parseEventList,
  type QueryError,
} from '../list/event-list-query.ts'
import { type EventListDeps, TOO_LONG } from '../list/events-list.ts'
import { localTimeOf } from '../local-time-of.ts'
import { createTimeBudget, isOutOfTime } from '../time-budget.ts'
import { parseTable, type TableQuery, type TableRequest } from './table-query.ts'

/** Events to read, and what the table shows of them. */
export type EventTableQuery = { readonly events: EventListQuery; readonly table: TableQuery }

export type EventTable = {
  /** The expressions as sent, and the type of each. */
  readonly columns: readonly string[]
  readonly types: readonly string[]
  /** Cells in order: values and whole events. */
  readonly cells: readonly Cell[]
  readonly rows: readonly TableRow[]
  /** Rows of the whole result. */
  readonly count: number
  readonly hasMore: boolean
  /** The upper bound of this page, which later pages use too. */
  readonly pinnedBefore: string
}

/** Reads the parameters. An error names the first that is wrong. */
export function parseEventTable(
  request: EventListRequest & TableRequest,
  nowMs: number,
  zone: Zone = request.zone ?? UTC,
): Result<EventTableQuery, QueryError> {
  const budget = createBudget()
  const events = parseEventList({ ...request, orderBy: '', where: [] }, nowMs, budget, zone)
  if (!events.ok) return events
  const table = parseTable(request, { nowMs, local: localTimeOf(zone) }, budget)
  if (!table.ok) return err({ code: 'invalid_input', ...table.error })
  const where = conditionOf(table.value.conditions)
  return ok({ events: { ...events.value, where }, table: table.value })
}

/**
 * Reads a page of a table and its exact count.
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the query limiter; errors of the store. Safe to retry.
 */
export async function readEventTable(
  { events: reader, clock, scans, timeoutMs = EVENT_QUERY_TIMEOUT_MS }: EventListDeps,
  project: ProjectId,
  query: EventTableQuery,
  page: Page,
  signal: AbortSignal,
): Promise<Result<EventTable, QueryError>> {
  const { events, table } = query
  const { cells, order, groups } = table
  const { limit, offset } = page
  const asked = { cells, order, groups, limit, offset, bytesMax: EVENT_PAGE_BYTES_MAX }
  const read = () => {
    const call = { signal, time: createTimeBudget(clock, timeoutMs) }
    return reader.table(askedOf(project, events), asked, call)
  }
  try {
    const { count, rows } = await scans.run(signal, read, (each) => bytesOfRows(each.rows))
    const wanted = Math.max(Math.min(page.limit, count - page.offset), 0)
    if (rows.length < wanted) return err(TOO_LARGE)
    return ok({
      columns: table.columns,
      types: table.cells.map(typeOf),
      cells: table.cells,
      rows,
      count,
      hasMore: page.offset + rows.length < count,
      pinnedBefore: boundText(events.before),
    })
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return err(TOO_LONG)
  }
}

function bytesOfRows(rows: readonly TableRow[]): number {
  let bytes = 0
  for (const { parts } of rows) for (const part of parts) bytes += part.length
  return bytes
}

const TOO_LARGE: QueryError = {
  code: 'invalid_input',
  detail: 'The rows of this page are too large to send together. Ask for fewer.',
  attr: 'limit',
}

/** The type's name in answers. A whole event and a person are described by their members. */
function typeOf(cell: Cell): string {
  switch (cell.kind) {
    case 'event':
      return tuple(EVENT_TYPES)
    case 'person':
      return tuple(PERSON_TYPES)
    case 'value':
      return cell.value.type
    default:
      return cell satisfies never
  }
}

/** The type of any JSON. */
const JSON_TYPE = 'Tuple()'

const PERSON_TYPES: Readonly<Record<string, string>> = {
  id: 'UUID',
  distinct_id: 'String',
  created_at: 'DateTime',
  is_identified: 'Bool',
  properties: JSON_TYPE,
}

const EVENT_TYPES: Readonly<Record<string, string>> = {
  id: 'UUID',
  distinct_id: 'String',
  properties: JSON_TYPE,
  event: 'String',
  timestamp: 'DateTime',
  person: JSON_TYPE,
  elements: JSON_TYPE,
  elements_chain: 'String',
}

function tuple(members: Readonly<Record<string, string>>): string {
  const types = Object.entries(members).map(([name, type]) => `${name} ${type}`)
  return `Tuple(${types.join(', ')})`
}
