/** Pieces of a long list, each going on after the last event of the one before. */
import type { EventOrder, EventPosition, QueriedEvent } from '../../../events/ports.ts'
import type { Db } from '../../../postgres/db.ts'
import { type Fragment, fragment, join, run } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import { dayOf, instant } from '../renderer/instants.ts'
import {
  eventsAmong,
  type PageBounds,
  type PagedEvent,
  pageWithin,
  ROW_COLUMNS,
} from './event-rows.ts'
import { fromWalkedEvents, orderOf, reachedBy, walkedFiltersOf } from './selection-sql.ts'

/** A stretch of a list: so many events from a position on, whatever the filters say of them. */
export type Stretch = {
  readonly order: EventOrder
  /** Exclusive; undefined is the start of the list. */
  readonly after: EventPosition | undefined
  readonly rows: number
}

/** The last event of a stretch; undefined when the list ends before. */
export async function endOfStretch(
  db: Db,
  selection: EventSelection,
  stretch: Stretch,
): Promise<EventPosition | undefined> {
  const statement = fragment`
    select (extract(epoch from e.timestamp) * 1000000)::bigint::text as micros, e.uuid
    from ${eventsAfter(selection, stretch, fragment`e.timestamp, e.uuid`)} e
    order by ${orderOf(stretch.order, fragment`e`)}
    limit 1 offset ${String(stretch.rows - 1)}::bigint`
  const [row] = await run<EventPosition>(db, statement, false)
  return row
}

/** How many of a stretch pass the filters. */
export async function countOfStretch(
  db: Db,
  selection: EventSelection,
  stretch: Stretch,
): Promise<number> {
  const statement = fragment`
    select count(*)::float8 as count ${fromWalkedEvents(selection, rowsOf(selection, stretch))}
    where ${join(walkedFiltersOf(selection), 'and')}`
  const [row] = await run<{ count: number }>(db, statement, false)
  return row?.count ?? 0
}

/** A statement: `columns` of the events of a stretch that pass the filters and `more`. */
export function matchesOfStretch(
  selection: EventSelection,
  stretch: Stretch,
  columns: Fragment,
  more: Fragment,
): Fragment {
  return fragment`
    select ${columns} ${fromWalkedEvents(selection, rowsOf(selection, stretch))}
    where ${join([...walkedFiltersOf(selection), more], 'and')}`
}

/** Events of a stretch that pass the filters, in order, as far as the bounds reach but one at least. */
export async function pageOfStretch(
  db: Db,
  selection: EventSelection,
  stretch: Stretch,
  page: { readonly limit: number; readonly offset: number } & PageBounds,
): Promise<readonly (PagedEvent & QueriedEvent)[]> {
  const rows = fragment`(
    select ${ROW_COLUMNS} ${fromWalkedEvents(selection, rowsOf(selection, stretch))}
    where ${join(walkedFiltersOf(selection), 'and')} order by ${orderOf(stretch.order, fragment`e`)}
    limit ${String(page.limit)}::bigint offset ${String(page.offset)}::bigint)`
  const statement = pageWithin(selection.project, rows, stretch.order, page, 'part')
  return eventsAmong(await run<PagedEvent>(db, statement, false))
}

function rowsOf(selection: EventSelection, stretch: Stretch): Fragment {
  return fragment`(
    select e.* from ${eventsAfter(selection, stretch, fragment`e.*`)} e
    order by ${orderOf(stretch.order, fragment`e`)} limit ${String(stretch.rows)}::bigint)`
}

/**
 * Reads at least the events of a stretch. Events at the very time of the position are read apart
 * from the others: an index leads to both, while one condition for both would read all events of
 * that time again for every piece. Events that were imported by the day may all have one time.
 */
function eventsAfter(
  selection: EventSelection,
  { order, after, rows }: Stretch,
  columns: Fragment,
): Fragment {
  const first = (conditions: readonly Fragment[]) => fragment`(
    select ${columns} from events e where ${join([...reachedBy(selection), ...conditions], 'and')}
    order by ${orderOf(order, fragment`e`)} limit ${String(rows)}::bigint)`
  if (after === undefined) return first([])
  const time = instant(after.micros)
  const day = dayOf(after.micros)
  const [beyond, within] =
    order === 'newest' ? [fragment`<`, fragment`>`] : [fragment`>`, fragment`<`]
  const ties = first([
    fragment`e.timestamp = ${time} and e.day = ${day}`,
    fragment`e.uuid ${within} ${after.uuid}::uuid`,
  ])
  const others = first([fragment`e.timestamp ${beyond} ${time}`, fragment`e.day ${beyond}= ${day}`])
  return fragment`(${ties} union all ${others})`
}
