/** Counts and pages of stored events. */
import type { EventOrder, ListPage, QueriedEvent } from '../../../events/ports.ts'
import type { Db } from '../../../postgres/db.ts'
import { type Fragment, fragment, join, run } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import { dayOf, instant, startOfDay } from '../renderer/instants.ts'
import {
  eventsAmong,
  type PageBounds,
  type PagedEvent,
  pageWithin,
  ROW_COLUMNS,
} from './event-rows.ts'
import {
  fromEvents,
  fromWalkedEvents,
  orderOf,
  reachedBy,
  walkedFiltersOf,
  whereOf,
  whereOfWalked,
} from './selection-sql.ts'

/** Way to find the events of a page. */
export type PageSource =
  /** Walks in order, until there are enough. */
  | { readonly kind: 'walk' }
  /** Few match: all of them are gathered and sorted. */
  | { readonly kind: 'gather' }
  /** Among the first so many that an index leads to, whatever the filters say of them. */
  | { readonly kind: 'first'; readonly rows: number }

/** Names an event where it is stored. */
export type EventKey = {
  /** Microseconds since the epoch, decimal. */
  readonly micros: string
  /** ISO date, UTC. */
  readonly day: string
  readonly uuid: string
}

/**
 * Exact, by reading every row that matches.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function countEvents(db: Db, selection: EventSelection): Promise<number> {
  const statement = fragment`
    select count(*)::float8 as count ${fromEvents(selection)} where ${whereOf(selection)}`
  return await oneCount(db, statement, isFixedShape(selection))
}

/**
 * Exact, from the counters kept by the insert: whole days, less what lies outside the bounds on the
 * first and the last day. Selections by time and event only.
 */
export async function countEventsByCounters(db: Db, s: EventSelection): Promise<number> {
  const project = fragment`${String(s.project)}::integer`
  const named = (alias: Fragment) =>
    s.event === undefined ? fragment`true` : fragment`${alias}.event = ${s.event}`
  const from = s.after === undefined ? fragment`true` : fragment`c.day >= ${dayOf(s.after)}`
  // Both ends of a day, because with the day alone the planner could read all of it.
  const early =
    s.after === undefined
      ? fragment`0`
      : fragment`(select count(*) from events e where e.project_id = ${project}
          and e.day = ${dayOf(s.after)} and e.timestamp >= ${startOfDay(s.after)}
          and e.timestamp <= ${instant(s.after)} and ${named(fragment`e`)})`
  const statement = fragment`
    select (
      (select coalesce(sum(c.count), 0) from event_counts c
        where c.project_id = ${project} and c.day <= ${dayOf(s.before)} and ${from}
          and ${named(fragment`c`)})
      - (select count(*) from events e where e.project_id = ${project}
          and e.day = ${dayOf(s.before)} and e.timestamp >= ${instant(s.before)}
          and e.timestamp < ${startOfDay(s.before, 1)} and ${named(fragment`e`)})
      - ${early}
    )::float8 as count`
  return await oneCount(db, statement, true)
}

/**
 * Exact, and names all that matches when that is no more than `keysMax`, so that they need not be
 * looked for again.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function countEventsWithKeys(
  db: Db,
  selection: EventSelection,
  keysMax: number,
): Promise<{ count: number; keys: readonly EventKey[] | undefined }> {
  const statement = fragment`
    select count(*)::float8 as count, string_agg(
      (extract(epoch from h.timestamp) * 1000000)::bigint || ' ' || h.day || ' ' || h.uuid, ','
    ) filter (where h.place <= ${String(keysMax)}::bigint) as keys
    from (
      select e.timestamp, e.day, e.uuid, row_number() over () as place
      ${fromEvents(selection)} where ${whereOf(selection)}
    ) h`
  const [row] = await run<{ count: number; keys: string | null }>(db, statement, false)
  const count = row?.count ?? 0
  return { count, keys: count > keysMax ? undefined : keysOf(row?.keys ?? '') }
}

function keysOf(text: string): EventKey[] {
  if (text === '') return []
  return text.split(',').map((key) => {
    const [micros = '', day = '', uuid = ''] = key.split(' ')
    return { micros, day, uuid }
  })
}

/**
 * Reads one page: picks rows by time first, and looks up persons for those rows only. Rows beyond
 * the bounds are not fetched, except for a single event.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function pageOfEvents(
  db: Db,
  selection: EventSelection,
  page: ListPage,
  source: PageSource,
): Promise<QueriedEvent[] | 'too_large'> {
  const rows = fragment`(${rowsOf(selection, page.order, source)}
    limit ${String(page.limit)}::bigint offset ${String(page.offset)}::bigint)`
  const statement = pageWithin(selection.project, rows, page.order, page, 'whole')
  return whole(await run<PagedEvent>(db, statement, isFixedShape(selection)))
}

/** `offset 0` keeps the planner from pulling the filter up into the ordered walk, and down. */
function rowsOf(selection: EventSelection, order: EventOrder, source: PageSource): Fragment {
  const by = orderOf(order, fragment`e`)
  switch (source.kind) {
    case 'walk':
      return fragment`select ${ROW_COLUMNS} ${fromWalkedEvents(selection)}
        where ${whereOfWalked(selection)} order by ${by}`
    case 'gather':
      return fragment`select h.* from (
          select ${ROW_COLUMNS} ${fromEvents(selection)} where ${whereOf(selection)} offset 0
        ) h order by ${orderOf(order, fragment`h`)}`
    case 'first': {
      const first = fragment`(select e.* from events e where ${join(reachedBy(selection), 'and')}
        order by ${by} limit ${String(source.rows)}::bigint)`
      return fragment`select ${ROW_COLUMNS} ${fromWalkedEvents(selection, first)}
        where ${join(walkedFiltersOf(selection), 'and')} order by ${by}`
    }
    default:
      return source satisfies never
  }
}

/** The events of these keys, as a page of all of them. */
export async function eventsOfKeys(
  db: Db,
  { project }: EventSelection,
  keys: readonly EventKey[],
  page: PageBounds & Pick<ListPage, 'order'>,
): Promise<QueriedEvent[] | 'too_large'> {
  const days = keys.map(({ day }) => day).join(' ')
  const uuids = keys.map(({ uuid }) => uuid).join(' ')
  const rows = fragment`(
    select ${ROW_COLUMNS}
    from unnest(string_to_array(${days}, ' ')::date[], string_to_array(${uuids}, ' ')::uuid[])
      as k (day, uuid)
    cross join lateral (
      select * from events where project_id = ${String(project)}::integer
        and day = k.day and uuid = k.uuid
    ) e)`
  const statement = pageWithin(project, rows, page.order, page, 'whole')
  return whole(await run<PagedEvent>(db, statement, true))
}

function whole(rows: readonly PagedEvent[]): QueriedEvent[] | 'too_large' {
  const events = eventsAmong(rows)
  return events.length < (rows[0]?.rowsOfPage ?? 0) ? 'too_large' : [...events]
}

function isFixedShape({ where, persons }: EventSelection): boolean {
  return where === undefined && persons === undefined
}

async function oneCount(db: Db, statement: Fragment, isFixedShape: boolean): Promise<number> {
  const [row] = await run<{ count: number }>(db, statement, isFixedShape)
  return row?.count ?? 0
}
