/** Statements that delete events, a bounded number each, with the counters that follow them. */

import { daysOf } from '../clickhouse/block-reader.ts'
import { DELETION_CHUNK_ROWS_MAX, DELETION_IDS_MAX } from '../core/limits/limits.ts'
import type { EventSelection } from '../event-store/event-selection.ts'
import { enqueueTombstones } from '../event-store/outbox/enqueue-tombstones.ts'
import {
  endOfStretch,
  matchesOfStretch,
  type Stretch,
} from '../event-store/postgres/reads/event-export-store.ts'
import { toColumns } from '../postgres/columns.ts'
import type { Db } from '../postgres/db.ts'
import { type Fragment, fragment, run } from '../postgres/fragment.ts'
import { OTHER_SLOT } from '../store/answers/change-counts.ts'
import type { FoundKey, Place } from './deletion-place.ts'
import type { StoredDeletion } from './deletion-store.ts'

/** Events that a filter looks at for one statement. */
const DELETION_STRETCH_ROWS = 20_000

export type Deleted = {
  readonly events: number
  /** Undefined when the walk is over. */
  readonly place: Place | undefined
}

/** Slot in which deletions are counted: no writer waits for it. */
const DELETED_SLOT = OTHER_SLOT

/**
 * Deletes the events of `chosen` (`day`, `uuid`, and what `last` names) and takes them off the
 * counters in one statement.
 * @param last a JSON list of texts over `chosen`, or null.
 */
async function deleteChosen(
  tx: Db,
  project: number,
  chosen: Fragment,
  last: Fragment,
): Promise<{ readonly gone: number; readonly seen: number; readonly last: Place | null }> {
  const id = fragment`${String(project)}::integer`
  const statement = fragment`
    with chosen as materialized (${chosen}), gone as (
      delete from events e using chosen c
      where e.project_id = ${id} and e.day = c.day and e.uuid = c.uuid
      returning e.event, e.day, e.uuid
    ) ${followedBy(id)}
    select (select count(*) from gone)::float8 as gone,
      (select count(*) from chosen)::float8 as seen, (${last}) as last`
  const [row] = await run<{ gone: number; seen: number; last: Place | null }>(tx, statement, false)
  return row ?? { gone: 0, seen: 0, last: null }
}

/**
 * Common tables that follow what has `gone` (`event`, `day`, `uuid`): the replica, the counters.
 */
const followedBy = (id: Fragment) => fragment`
    , copied as (${enqueueTombstones(id)}
    ), counted as (
      insert into event_counts as n (project_id, event, day, slot, count)
      select ${id}, event, day, ${String(DELETED_SLOT)}::smallint, -count(*) from gone
      group by event, day order by event, day
      on conflict (project_id, event, day, slot) do update set count = n.count + excluded.count
    ), changed as (
      insert into project_changes as n (project_id, kind, slot, count)
      select ${id}, 'deletion', ${String(DELETED_SLOT)}::smallint, 1 where exists (select from gone)
      on conflict (project_id, kind, slot) do update set count = n.count + 1
    )`

/**
 * Deletes events that were found in ClickHouse: their keys, or the events of a month that has not
 * left Postgres yet.
 * @returns how many there were.
 */
export async function deleteFound(
  tx: Db,
  project: number,
  keys: readonly FoundKey[],
): Promise<number> {
  if (keys.length === 0) return 0
  const id = fragment`${String(project)}::integer`
  const texts = toColumns([
    keys.map(({ day }) => day),
    keys.map(({ uuid }) => uuid),
    keys.map(({ event }) => event),
  ])
  const [days = '', uuids = '', events = ''] = texts.texts
  const list = (text: string) => fragment`string_to_array(${text}, ${texts.separator})`
  // Neighbours in most chunks: no other partition is planned for where the planner knows the days,
  // and what becomes of a text as a date is known later only.
  await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
  const [first = '', ...others] = keys.map(({ day }) => day).sort()
  const date = (day: string) => fragment`(date '1970-01-01' + ${String(daysOf(day))}::integer)`
  const within = (e: Fragment) =>
    fragment`${e}.day between ${date(first)} and ${date(others.at(-1) ?? first)}`
  // Each looked up by itself: of a partition that has grown since, the planner may think that all
  // of a project is less to read, and read it for each key.
  const deleteFrom = (table: Fragment) => fragment`
      delete from ${table} e using chosen c cross join lateral (
        select s.tableoid as part, s.ctid as place from ${table} s
        where s.project_id = ${id} and s.day = c.day and s.uuid = c.uuid
          and ${within(fragment`s`)} offset 0
      ) found
      where e.ctid = found.place and e.tableoid = found.part and ${within(fragment`e`)}
      returning c.event, c.day, c.uuid`
  const statement = fragment`
    with chosen as materialized (
      select day, uuid, coalesce(event, '') as event
      from unnest(${list(days)}::date[], ${list(uuids)}::uuid[], ${list(events)})
        as c (day, uuid, event) -- An empty text is no item: a single key without a name.
    ), whole as (${deleteFrom(fragment`events`)}
    ), kept as (${deleteFrom(fragment`event_ledger`)}
    ), gone as materialized (
      select event, day, uuid from whole union select event, day, uuid from kept
    ) ${followedBy(id)}
    select (select count(*) from gone)::float8 as gone`
  const [row] = await run<{ gone: number }>(tx, statement, false)
  return row?.gone ?? 0
}

/**
 * Makes Postgres read rows by indexes, and cuts statements after `statementMs`, for this
 * transaction. A planner without statistics of a young partition would read it as a whole for each
 * chunk.
 */
export async function walkByIndex(tx: Db, statementMs: number): Promise<void> {
  await tx`
    select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
      set_config('enable_seqscan', 'off', true),
      set_config('statement_timeout', ${String(statementMs)}, true)`
}

/** How much one chunk takes: a whole is divided by `share`. */
export const rowsOf = (whole: number, share: number) => Math.ceil(whole / share)

/** Events of the distinct ids of a deleted person that were stored before it was asked for. */
export async function deletePersonEvents(
  tx: Db,
  { id, projectId, askedAt }: StoredDeletion,
  place: Place | undefined,
  share: number,
): Promise<Deleted> {
  const after = place?.[0]
  const rows = await tx<{ id: string }[]>`
    select distinct_id as id from deleted_distinct_ids
    where deletion_id = ${id} and distinct_id is not null
      ${after === undefined ? tx`` : tx`and distinct_id collate "C" > ${after}`}
    order by distinct_id collate "C" limit ${DELETION_IDS_MAX}`
  const last = rows.at(-1)?.id
  if (last === undefined) return { events: 0, place: undefined }
  const ids = JSON.stringify(rows.map((row) => row.id))
  const chosen = fragment`
    select e.day, e.uuid from events e
    where e.project_id = ${String(projectId)}::integer and e.created_at < ${askedAt}::timestamptz
      and e.distinct_id = any (array(select jsonb_array_elements_text(${ids}::jsonb)))
    limit ${String(rowsOf(DELETION_CHUNK_ROWS_MAX, share))}::bigint`
  const { gone } = await deleteChosen(tx, projectId, chosen, fragment`select null::text[]`)
  if (gone > 0) return { events: gone, place: place ?? [] }
  return { events: 0, place: rows.length < DELETION_IDS_MAX ? undefined : [last] }
}

/** Events of days before the cutoff, in the order of the unique index. */
export async function deleteOldEvents(
  tx: Db,
  { projectId, cutoff }: StoredDeletion,
  place: Place | undefined,
  share: number,
): Promise<Deleted> {
  const [day, uuid] = place ?? []
  const rows = rowsOf(DELETION_CHUNK_ROWS_MAX, share)
  const after =
    day === undefined || uuid === undefined
      ? fragment``
      : fragment`and (e.day, e.uuid) > (${day}::date, ${uuid}::uuid) and e.day >= ${day}::date`
  const chosen = fragment`
    select e.day, e.uuid from events e
    where e.project_id = ${String(projectId)}::integer and e.day < ${cutoff ?? ''}::date ${after}
    order by e.day, e.uuid limit ${String(rows)}::bigint`
  const last = fragment`
    select array[day::text, uuid::text] from chosen order by day desc, uuid desc limit 1`
  const done = await deleteChosen(tx, projectId, chosen, last)
  const isOver = done.seen < rows
  return { events: done.gone, place: isOver ? undefined : (done.last ?? undefined) }
}

type Walk = {
  readonly startedAt: string
  readonly place: Place | undefined
  readonly share: number
}

/**
 * Events that pass a filter, of one stretch of the list, that were stored before `startedAt`. In a
 * transaction that reads one snapshot, or events between two stretches are passed over.
 */
export async function deleteMatches(
  tx: Db,
  selection: EventSelection,
  { startedAt, place, share }: Walk,
): Promise<Deleted> {
  const [micros, uuid] = place ?? []
  const after = micros === undefined || uuid === undefined ? undefined : { micros, uuid }
  const rows = rowsOf(DELETION_STRETCH_ROWS, share)
  const stretch: Stretch = { order: 'oldest', after, rows }
  const end = await endOfStretch(tx, selection, stretch)
  const { project } = selection
  const stored = fragment`e.created_at < ${startedAt}::timestamptz`
  const chosen = matchesOfStretch(selection, stretch, fragment`e.day, e.uuid`, stored)
  const { gone } = await deleteChosen(tx, project, chosen, fragment`select null::text[]`)
  return { events: gone, place: end === undefined ? undefined : [end.micros, end.uuid] }
}
