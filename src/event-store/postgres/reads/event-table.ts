/** Reads a page of a table and its exact count in one snapshot. */
import type { ProjectId } from '../../../core/ids.ts'
import { EVENT_PAGE_KEYS_MAX } from '../../../core/limits/limits-query.ts'
import type {
  EventsAsked,
  TableAsked,
  TableGroups,
  TablePage,
  TimeLeft,
} from '../../../events/ports.ts'
import { needsPerson, type Typed } from '../../../events/trees/expression.ts'
import { type SortKey, timeOrder } from '../../../events/trees/table.ts'
import { type PlanHints, readEvents } from '../../../postgres/bounded-reads.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import type { EventSelection } from '../../event-selection.ts'
import { isNarrow, joinsMany, withinBudget } from './event-page.ts'
import { countEvents, countEventsByCounters } from './event-query-store.ts'
import { pageOfEventRows, pageOfGroups, type RowsPage } from './event-table-store.ts'
import { type ResolvedSelection, resolveSelection } from './resolve-selection.ts'

/** @throws {AppError} of the time; {PostgresError} 57014 when a statement is cut. */
export async function readTable(
  sql: Sql,
  asked: EventsAsked,
  table: TableAsked,
  time: TimeLeft,
): Promise<TablePage> {
  const resolved = (await resolveSelection(sql, asked, time)) ?? 'none'
  if (resolved === 'none' && table.groups?.keys.length !== 0) return NOTHING
  const selections = resolved === 'none' ? none(asked.project) : resolved
  return await readEvents(sql, async (tx) => {
    return { value: await readPage(tx, selections, table, time) }
  })
}

const NOTHING: TablePage = { count: 0, rows: [] }

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
  table: TableAsked,
  time: TimeLeft,
): Promise<TablePage> {
  const { limit, offset, bytesMax, cells, groups } = table
  const page = { limit, offset, bytesMax, cells }
  return groups === undefined
    ? await readRows(tx, selections, table, page, time)
    : await readGroups(tx, selections.whole, table, { ...page, groups }, time)
}

async function readRows(
  tx: Db,
  { walked, whole }: ResolvedSelection,
  table: TableAsked,
  page: RowsPage,
  time: TimeLeft,
): Promise<TablePage> {
  const isFiltered = whole.where !== undefined || whole.persons !== undefined
  const isCounted = !isFiltered && !isNarrow(whole)
  const count = await withinBudget(
    tx,
    time,
    () => (isCounted ? countEventsByCounters(tx, whole) : countEvents(tx, whole)),
    hintsOf(whole),
  )
  if (count <= page.offset) return { count, rows: [] }
  const order = timeOrder(table.order) ?? table.order
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
  table: TableAsked,
  { groups, ...page }: RowsPage & { readonly groups: TableGroups },
  time: TimeLeft,
): Promise<TablePage> {
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

function joining(selection: EventSelection, values: readonly Typed[]): EventSelection {
  return { ...selection, needsPerson: selection.needsPerson || values.some(needsPerson) }
}

function hintsOf(selection: EventSelection): PlanHints {
  return { joinsMany: joinsMany(selection) }
}
