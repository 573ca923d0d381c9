/** Reads a list with `select`: the table and its exact count in one snapshot. */
import type { ProjectId } from '../../core/ids.ts'
import {
  EVENT_PAGE_BYTES_MAX,
  EVENT_PAGE_KEYS_MAX,
  EVENT_QUERY_TIMEOUT_MS,
} from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { needsPerson } from '../../events/trees/expression.ts'
import type { Cell, SortKey } from '../../events/trees/table.ts'
import { countEvents, countEventsByCounters } from '../../store/events/event-query-store.ts'
import type { EventOrder, EventSelection } from '../../store/events/event-selection.ts'
import {
  pageOfEventRows,
  pageOfGroups,
  type TablePage,
  type TableRow,
} from '../../store/events/event-table-store.ts'
import { type PlanHints, readEvents } from '../../store/pool/bounded-reads.ts'
import type { Db } from '../../store/pool/db.ts'
import type { Page } from '../../wire/page.ts'
import { boundText } from '../bounds.ts'
import { conditionOf, createBudget } from '../language/expressions.ts'
import {
  type EventListQuery,
  type EventListRequest,
  parseEventList,
  type QueryError,
} from '../list/event-list-query.ts'
import { isNarrow, joinsMany, withinBudget } from '../list/event-page.ts'
import { type EventListDeps, TOO_LONG } from '../list/events-list.ts'
import { type ResolvedSelection, resolveSelection } from '../list/resolve-selection.ts'
import { createTimeBudget, isOutOfTime, type TimeBudget } from '../time-budget.ts'
import { typeOf } from './cell-types.ts'
import { type Groups, parseTable, type TableQuery, type TableRequest } from './table-query.ts'

/** Which events are read, and what the table shows of them. */
export type EventTableQuery = { readonly events: EventListQuery; readonly table: TableQuery }

export type EventTable = {
  /** The expressions as sent, and the type of each. */
  readonly columns: readonly string[]
  readonly types: readonly string[]
  /** The cells in order. Whole events may stand among values. */
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
): Result<EventTableQuery, QueryError> {
  const budget = createBudget()
  const events = parseEventList({ ...request, orderBy: '', where: [] }, nowMs, budget)
  if (!events.ok) return events
  const table = parseTable(request, nowMs, budget)
  if (!table.ok) return err({ code: 'invalid_input', ...table.error })
  const where = conditionOf(table.value.conditions)
  return ok({ events: { ...events.value, where }, table: table.value })
}

/**
 * Reads a page of a table and its exact count.
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the scan gate; what the store throws when it cannot answer. Safe to retry.
 */
export async function readEventTable(
  { sql, clock, scans, timeoutMs = EVENT_QUERY_TIMEOUT_MS }: EventListDeps,
  project: ProjectId,
  query: EventTableQuery,
  page: Page,
  signal: AbortSignal,
): Promise<Result<EventTable, QueryError>> {
  const { events, table } = query
  const own = sql.endingWith(signal)
  const read = async () => {
    const time = createTimeBudget(clock, timeoutMs)
    const resolved = (await resolveSelection(own, project, events, time)) ?? 'none'
    if (resolved === 'none' && table.groups?.keys.length !== 0) return NOTHING
    const selections = resolved === 'none' ? none(project) : resolved
    return await readEvents(own, async (tx) => {
      return { value: await readPage(tx, selections, table, page, time) }
    })
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

type ReadRows = { readonly count: number; readonly rows: readonly TableRow[] }

const NOTHING: ReadRows = { count: 0, rows: [] }

/** A selection of no events. An aggregate without groups still answers one row for it. */
function none(project: ProjectId): ResolvedSelection {
  const selection: EventSelection = {
    project,
    before: '0',
    after: '0',
    event: undefined,
    distinctId: undefined,
    personId: undefined,
    where: undefined,
    needsPerson: false,
  }
  return { walked: selection, whole: selection }
}

async function readPage(
  tx: Db,
  selections: ResolvedSelection,
  table: TableQuery,
  page: Page,
  time: TimeBudget,
): Promise<ReadRows> {
  const asked = {
    limit: page.limit,
    offset: page.offset,
    bytesMax: EVENT_PAGE_BYTES_MAX,
    cells: table.cells,
  }
  return table.groups === undefined
    ? await readRows(tx, selections, table, asked, time)
    : await readGroups(tx, selections.whole, table, { ...asked, groups: table.groups }, time)
}

async function readRows(
  tx: Db,
  { walked, whole }: ResolvedSelection,
  table: TableQuery,
  page: TablePage,
  time: TimeBudget,
): Promise<ReadRows> {
  const isFiltered = whole.where !== undefined || whole.persons !== undefined
  const isCounted = !isFiltered && !isNarrow(whole)
  const count = await withinBudget(
    tx,
    time,
    () => (isCounted ? countEventsByCounters(tx, whole) : countEvents(tx, whole)),
    hintsOf(whole),
  )
  if (count <= page.offset) return { count, rows: [] }
  const order = timeOrder(table) ?? table.order
  const isFew = count <= EVENT_PAGE_KEYS_MAX && (isFiltered || whole.event !== undefined)
  const isSparse = isFew && !isNarrow(whole)
  // A sort reads all events and their persons. A walk in the order of an index reads few.
  const isWalk = typeof order === 'string' && !isSparse
  const selection = isWalk
    ? walked
    : joining(
        whole,
        table.order.map(({ value }) => value),
      )
  const hints = isWalk ? {} : hintsOf(selection)
  const asked = { ...page, order, isSparse }
  const rows = await withinBudget(tx, time, () => pageOfEventRows(tx, selection, asked), hints)
  return { count, rows }
}

async function readGroups(
  tx: Db,
  whole: EventSelection,
  table: TableQuery,
  { groups, ...page }: TablePage & { readonly groups: Groups },
  time: TimeBudget,
): Promise<ReadRows> {
  const { keys, aggregates, conditions } = groups
  const selection = joining(whole, [...keys, ...aggregates])
  const ties = keys.map(({ type }, place): SortKey => {
    const value = { kind: 'column', of: 'key', type, place, isProperty: false } as const
    return { value, descending: false }
  })
  const order = [...table.order, ...ties]
  const asked = { ...page, keys, aggregates, having: conditions, order }
  return await withinBudget(tx, time, () => pageOfGroups(tx, selection, asked), hintsOf(selection))
}

/** The order of the index that gives this order, ties included; undefined when none does. */
function timeOrder({ order }: TableQuery): EventOrder | undefined {
  const [first, ...others] = order
  const isTime = first?.value.kind === 'field' && first.value.field === 'timestamp'
  if (!isTime || others.length > 0) return undefined
  return first.descending ? 'newest' : 'oldest'
}

function joining(selection: EventSelection, values: TableQuery['conditions']): EventSelection {
  return { ...selection, needsPerson: selection.needsPerson || values.some(needsPerson) }
}

function hintsOf(selection: EventSelection): PlanHints {
  return { joinsMany: joinsMany(selection) }
}
