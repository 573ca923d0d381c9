/** Keeps the events that the database refuses, lists them, and hands them out for another try. */

import type { FlushRow, StoreError } from '../../ingest/store-port.ts'
import type { Db } from '../../postgres/db.ts'
import { type Fragment, fragment, join, run } from '../../postgres/fragment.ts'
import { formatKeptEvent, keptUuid } from './kept-event.ts'

/** Kept events read by one call of a replay; the first is read whatever its size. */
export const DEAD_LETTER_REPLAY_BYTES_MAX = 8_388_608
/** A kept event that is shown whole; it must fit into one gRPC message. */
const DEAD_LETTER_SHOWN_BYTES_MAX = 33_000_000

const ERROR_LENGTH_MAX = 1_000

/**
 * Keeps an event that the database refuses, whatever it contains. The same event again adds an
 * attempt to its row. No event of a removed project is kept.
 */
export async function insertDeadLetter(db: Db, row: FlushRow, reason: StoreError): Promise<void> {
  const { projectId, event } = row
  const error = storable(reason.message).slice(0, ERROR_LENGTH_MAX)
  await db`
    insert into dead_letters as d
      (project_id, uuid, event, distinct_id, payload, sqlstate, error)
    select p.id, ${keptUuid(event)}, ${storable(event.event)}, ${storable(event.distinctId)},
      ${formatKeptEvent(event)}, ${reason.code}, ${error}
    from projects p where p.id = ${projectId}
    on conflict (project_id, uuid) do update
    set attempts = d.attempts + 1, payload = excluded.payload, sqlstate = excluded.sqlstate,
      error = excluded.error`
}

/** Rows of all projects. */
export async function countDeadLetters(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from dead_letters`
  return row?.count ?? 0
}

/** Conditions that must all hold; without any, every dead letter is selected. */
export type DeadLetterSelection = {
  /** Empty is no condition. */
  readonly ids: readonly number[]
  readonly projectId: number | undefined
  /** ISO 8601 in UTC: from this one, and before that one. */
  readonly since: string | undefined
  readonly until: string | undefined
  /** A SQLSTATE, or a part of the error's text whatever its case. */
  readonly reason: string | undefined
}

/** Rows in the order of their ids, those after `cursor`. */
export type DeadLetterPage = { readonly cursor: number; readonly rows: number }

export type ListedDeadLetter = {
  readonly id: number
  readonly projectId: number
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly sqlstate: string
  readonly error: string
  readonly attempts: number
  /** ISO 8601 in UTC, microseconds. */
  readonly createdAt: string
}

const LISTED = fragment`
  d.id::float8 as id, d.project_id as "projectId", d.uuid::text as uuid, d.event,
  d.distinct_id as "distinctId", d.sqlstate, d.error, d.attempts,
  to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"`

export async function listDeadLetters(
  db: Db,
  selection: DeadLetterSelection,
  page: DeadLetterPage,
): Promise<readonly ListedDeadLetter[]> {
  const statement = fragment`
    select ${LISTED} from dead_letters d where ${pageOf(selection, page.cursor)}
    order by d.id limit ${String(page.rows)}::int`
  return await run<ListedDeadLetter>(db, statement, false)
}

export async function countSelected(
  db: Db,
  selection: DeadLetterSelection,
  cursor = 0,
): Promise<number> {
  const statement = fragment`
    select count(*)::float8 as count from dead_letters d where ${pageOf(selection, cursor)}`
  const [row] = await run<{ count: number }>(db, statement, false)
  return row?.count ?? 0
}

/** One dead letter with its event as JSON text: null when it is too large for an answer. */
export async function findDeadLetter(
  db: Db,
  id: number,
): Promise<(ListedDeadLetter & { readonly payload: string | null }) | undefined> {
  const statement = fragment`
    select ${LISTED}, case
      when octet_length(d.payload) <= ${String(DEAD_LETTER_SHOWN_BYTES_MAX)}::int then d.payload
      end as payload
    from dead_letters d where d.id = ${String(id)}::bigint`
  const [row] = await run<ListedDeadLetter & { payload: string | null }>(db, statement, true)
  return row
}

/** A dead letter that a replay has read. `attempts` shows whether it has been kept again since. */
export type HeldDeadLetter = {
  readonly id: number
  readonly projectId: number
  readonly uuid: string
  readonly payload: string
  readonly sqlstate: string
  readonly attempts: number
  /** Time when it was first kept, ms since 1970. */
  readonly createdAtMs: number
  /** False when its project is gone. */
  readonly hasProject: boolean
}

/** The rows of a page as far as their events fit into memory, one at least. */
export async function readDeadLetters(
  db: Db,
  selection: DeadLetterSelection,
  page: DeadLetterPage,
): Promise<{ readonly letters: readonly HeldDeadLetter[]; readonly more: boolean }> {
  const statement = fragment`
    select id::float8 as id, project_id as "projectId", uuid::text as uuid, payload, sqlstate,
      attempts, extract(epoch from created_at)::float8 * 1000 as "createdAtMs",
      exists (select from projects p where p.id = project_id) as "hasProject", found
    from (
      select *, count(*) over ()::int as found, row_number() over (order by id) as place,
        sum(octet_length(payload)) over (order by id) as bytes
      from (
        select * from dead_letters d where ${pageOf(selection, page.cursor)}
        order by d.id limit ${String(page.rows)}::int
      ) chosen
    ) measured
    where place = 1 or bytes <= ${String(DEAD_LETTER_REPLAY_BYTES_MAX)}::bigint
    order by id`
  const letters = await run<HeldDeadLetter & { found: number }>(db, statement, false)
  const found = letters[0]?.found ?? 0
  return { letters, more: found === page.rows || letters.length < found }
}

/** Removes those that have not been kept again since they were read. */
export async function removeDeadLetters(
  db: Db,
  letters: readonly Pick<HeldDeadLetter, 'id' | 'attempts'>[],
): Promise<void> {
  if (letters.length === 0) return
  await db`
    delete from dead_letters d
    using unnest(${letters.map(({ id }) => String(id))}::bigint[],
      ${letters.map(({ attempts }) => String(attempts))}::int[]) as done (id, attempts)
    where d.id = done.id and d.attempts = done.attempts`
}

/** SQLSTATE of a dead letter that cannot be read: invalid parameter value. */
const UNREADABLE = '22023'

/** Counts the attempt to read a dead letter, with what is wrong with it. */
export async function markUnreadable(
  db: Db,
  { id, attempts }: HeldDeadLetter,
  problem: string,
): Promise<void> {
  await db`
    update dead_letters set attempts = attempts + 1, sqlstate = ${UNREADABLE},
      error = ${`the kept event cannot be read: ${problem}`}
    where id = ${String(id)}::text::bigint and attempts = ${attempts}`
}

export type DiscardedDeadLetters = {
  readonly matched: number
  readonly discarded: number
  /** Discarded rows by id of the project. */
  readonly projects: Readonly<Record<string, number>>
  readonly last: number
}

/** Removes the rows of a page for good. */
export async function discardDeadLetters(
  db: Db,
  selection: DeadLetterSelection,
  page: DeadLetterPage,
): Promise<DiscardedDeadLetters> {
  const statement = fragment`
    with chosen as materialized (
      select d.id from dead_letters d where ${pageOf(selection, page.cursor)}
      order by d.id limit ${String(page.rows)}::int
    ), gone as (
      delete from dead_letters d using chosen c where d.id = c.id returning d.project_id
    )
    select (select count(*)::int from chosen) as matched,
      (select count(*)::int from gone) as discarded,
      (select coalesce(json_object_agg(project_id, count), '{}') from (
        select project_id, count(*) as count from gone group by project_id
      ) as by_project) as projects,
      (select coalesce(max(id), 0)::float8 from chosen) as last`
  const [done] = await run<DiscardedDeadLetters>(db, statement, false)
  return done ?? { matched: 0, discarded: 0, projects: {}, last: 0 }
}

function pageOf(selection: DeadLetterSelection, cursor: number): Fragment {
  return join([...conditionsOf(selection), fragment`d.id > ${String(cursor)}::bigint`], 'and')
}

function conditionsOf({
  ids,
  projectId,
  since,
  until,
  reason,
}: DeadLetterSelection): readonly Fragment[] {
  const conditions: Fragment[] = []
  if (ids.length > 0) {
    conditions.push(fragment`d.id = any (string_to_array(${ids.join(',')}, ',')::bigint[])`)
  }
  if (projectId !== undefined) conditions.push(fragment`d.project_id = ${String(projectId)}::int`)
  if (since !== undefined) conditions.push(fragment`d.created_at >= ${since}::timestamptz`)
  if (until !== undefined) conditions.push(fragment`d.created_at < ${until}::timestamptz`)
  if (reason !== undefined) {
    const text = storable(reason)
    // Literally: a pattern's wildcards are letters like any other.
    conditions.push(fragment`
      (d.sqlstate = upper(${text}) or strpos(lower(d.error), lower(${text})) > 0)`)
  }
  return conditions
}

/** The driver writes lone surrogates as U+FFFD; NUL would be refused. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd')
}
