/** Query cache: answers and numbers of their buckets, with the version of the events they read. */
import type { ProjectId } from '../../core/ids.ts'
import { intArray, toColumns } from '../../postgres/columns.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { type Forgotten, holdAnswers } from './forget-answers.ts'

/** Rows and bytes of the cached answers of a project; the oldest ones are removed first. */
const CACHED_ANSWERS_ROWS_MAX = 20_000
const CACHED_ANSWERS_BYTES_MAX = 67_108_864
/** Rows of all projects together, and days that a row is kept. */
const CACHED_ANSWERS_ALL_MAX = 500_000
const CACHED_ANSWERS_DAYS = 7

/** Change counters of a project: numbers from before a new value cannot be used. */
export type Changes = {
  /** Stored events have gone. */
  readonly deletions: string
  /** Distinct ids have got other persons. */
  readonly identities: string
}

/** Days of UTC since 1970, both inclusive; an undefined first day is before all. */
export type Days = { readonly first: number | undefined; readonly last: number }

/** Events of these names; null means all events. */
export type EventNames = readonly string[] | null

export type FoundAnswer = {
  /** Stored events of the days and names. Undefined when the counters are more than `countersMax`. */
  readonly events: string | undefined
  readonly changes: Changes
  readonly kept: CachedAnswer | undefined
}

export type CachedAnswer = {
  readonly version: string
  /** JSON text. */
  readonly value: string
  /** ms since 1970. */
  readonly countedAt: number
  /** ms since 1970: time alone makes it another answer then. */
  readonly holdsUntil: number | undefined
}

type AnswerRow = {
  readonly counters: string
  readonly events: string
  readonly deletions: string
  readonly identities: string
  readonly version: string | null
  readonly value: string
  readonly countedAt: number
  readonly holdsUntil: number | null
}

/** Events are selected by the names, or all of them. */
const COUNTED = `
  select count from event_counts
  where project_id = $1::int and ($2::text is null or event = any (string_to_array($2, $3)))
    and day >= coalesce(date 'epoch' + $4::int, '-infinity') and day <= date 'epoch' + $5::int`

const CHANGES = `
  select coalesce(sum(count) filter (where kind = 'deletion'), 0)::text as deletions,
    coalesce(sum(count) filter (where kind = 'identity'), 0)::text as identities
  from project_changes where project_id = $1::int`

const FIND_ANSWER = `
  select c.counters, c.events, n.deletions, n.identities, k.version, k.value,
    k.counted_at::float8 as "countedAt", k.holds_until::float8 as "holdsUntil"
  from (
    select count(*)::text as counters, coalesce(sum(count), 0)::text as events
    from (${COUNTED} limit $6::bigint) s
  ) c cross join (${CHANGES}) n
  left join kept_answers k on k.project_id = $1::int and k.hash = $7
    and k.from_ms = 0 and k.until_ms = 0`

/** A whole answer, with what its version is made of, in one statement and so of one snapshot. */
export async function findAnswer(
  db: Db,
  project: ProjectId,
  asked: { readonly hash: string; readonly names: EventNames; readonly days: Days },
  countersMax: number,
): Promise<FoundAnswer> {
  const { texts, separator } = toColumns([asked.names ?? []])
  const [row] = await db.unsafe<AnswerRow[]>(
    FIND_ANSWER,
    [
      String(project),
      asked.names === null ? null : (texts[0] ?? ''),
      separator,
      textOf(asked.days.first),
      String(asked.days.last),
      String(countersMax + 1),
      asked.hash,
    ],
    { prepare: true },
  )
  if (row === undefined) throw new Error('no answer of a statement that has one row')
  const { deletions, identities, version, value, countedAt, holdsUntil } = row
  const kept = { value, countedAt, holdsUntil: holdsUntil ?? undefined }
  return {
    events: Number(row.counters) > countersMax ? undefined : row.events,
    changes: { deletions, identities },
    kept: version === null ? undefined : { version, ...kept },
  }
}

function textOf(day: number | undefined): string | null {
  return day === undefined ? null : String(day)
}

/** Stored events by day; days without any are left out. */
export type DayCount = { readonly day: number; readonly count: number }

const COUNTS_BY_DAY = `
  select (day - date 'epoch')::int as day, sum(count)::float8 as count from event_counts
  where project_id = $1::int and ($2::text is null or event = $2)
    and day >= coalesce(date 'epoch' + $3::int, '-infinity') and day <= date 'epoch' + $4::int
  group by 1 order by 1`

/** @param event null means all events. */
export async function countsByDay(
  db: Db,
  project: ProjectId,
  event: string | null,
  { first, last }: Days,
): Promise<readonly DayCount[]> {
  const values = [String(project), event, textOf(first), String(last)]
  return await db.unsafe<DayCount[]>(COUNTS_BY_DAY, values, { prepare: true })
}

const COUNT_STORED = `
  select coalesce(sum(count), 0)::float8 as count from event_counts
  where project_id = $1::int and ($2::text is null or event = any (string_to_array($2, $3)))
    and day >= coalesce(date 'epoch' + $4::int, '-infinity') and day <= date 'epoch' + $5::int`

/** How many events of these names the days have; null means all events. */
export async function countStored(
  db: Db,
  project: ProjectId,
  names: readonly string[] | null,
  { first, last }: Days,
): Promise<number> {
  const { texts, separator } = toColumns([names ?? []])
  const [named = ''] = texts
  const values = [String(project), names && named, separator, textOf(first), String(last)]
  const [row] = await db.unsafe<{ count: number }[]>(COUNT_STORED, values, { prepare: true })
  return row?.count ?? 0
}

/** A bucket: ms since 1970. */
export type CellKey = { readonly fromMs: number; readonly untilMs: number }
export type CachedCell = CellKey & { readonly version: string; readonly value: string }

const FIND_CELLS = `
  select from_ms::float8 as "fromMs", until_ms::float8 as "untilMs", version, value
  from kept_answers k
  join unnest($3::bigint[], $4::bigint[]) as b (f, u) on k.from_ms = b.f and k.until_ms = b.u
  where k.project_id = $1::int and k.hash = $2`

export async function findCells(
  db: Db,
  project: ProjectId,
  hash: string,
  cells: readonly CellKey[],
): Promise<readonly CachedCell[]> {
  const from = intArray(cells.map(({ fromMs }) => fromMs))
  const until = intArray(cells.map(({ untilMs }) => untilMs))
  const values = [String(project), hash, from, until]
  return await db.unsafe<CachedCell[]>(FIND_CELLS, values, { prepare: true })
}

/** Row to cache: a bucket, or a whole answer if both bounds are 0. */
export type ToKeep = CachedCell & {
  readonly hash: string
  readonly countedAt: number
  readonly holdsUntil: number | undefined
}

const KEEP = `
  insert into kept_answers (project_id, hash, from_ms, until_ms, version, value, counted_at,
    holds_until, bytes)
  select $1::int, hash, from_ms, until_ms, version, value, counted_at, holds_until,
    octet_length(value)
  from unnest(
    string_to_array($2, $9), $3::bigint[], $4::bigint[], string_to_array($5, $9),
    string_to_array($6, $9), $7::bigint[], $8::bigint[]
  ) as r (hash, from_ms, until_ms, version, value, counted_at, holds_until)
  where exists (select from projects where id = $1::int) and $10::bigint = (
    select coalesce(sum(count), 0) from project_changes
    where project_id = $1::int and kind in ('deletion', 'forgotten')
  )
  order by hash, from_ms, until_ms
  on conflict (project_id, hash, from_ms, until_ms) do update
  set version = excluded.version, value = excluded.value, counted_at = excluded.counted_at,
    holds_until = excluded.holds_until, bytes = excluded.bytes, kept_at = excluded.kept_at`

/**
 * Caches answers, unless events of the project have been deleted since, or the project is removed.
 * @param rows their keys must differ.
 * @param forgotten as it was before they were counted.
 */
export async function keepAnswers(
  sql: Sql,
  project: ProjectId,
  rows: readonly ToKeep[],
  forgotten: Forgotten,
): Promise<void> {
  if (rows.length === 0) return
  const { texts, separator } = toColumns([
    rows.map(({ hash }) => hash),
    rows.map(({ version }) => version),
    rows.map(({ value }) => value),
  ])
  const [hashes = '', versions = '', values = ''] = texts
  const from = intArray(rows.map(({ fromMs }) => fromMs))
  const until = intArray(rows.map(({ untilMs }) => untilMs))
  const countedAt = intArray(rows.map((row) => row.countedAt))
  const holds = `{${rows.map(({ holdsUntil }) => holdsUntil ?? 'null').join(',')}}`
  const columns = [hashes, from, until, versions, values, countedAt, holds]
  await sql.begin(async (tx) => {
    await holdAnswers(tx, project)
    // A statement of its own: it must see what was committed before the lock was there.
    await tx.unsafe(KEEP, [String(project), ...columns, separator, forgotten], { prepare: true })
  })
}

/** Beyond its bounds a project loses what was kept first. */
export async function trimAnswers(db: Db, project: ProjectId): Promise<void> {
  await db`
    delete from kept_answers where project_id = ${project} and kept_at <= (
      select kept_at from (
        select kept_at, row_number() over newest as rows, sum(bytes) over newest as bytes
        from kept_answers where project_id = ${project}
        window newest as (order by kept_at desc)
      ) k
      where rows > ${CACHED_ANSWERS_ROWS_MAX} or bytes > ${CACHED_ANSWERS_BYTES_MAX}::bigint
      order by kept_at desc limit 1
    )`
}

/** Deletes answers of all projects that are too old or too many. Meant for a loop. */
export async function removeOldAnswers(db: Db): Promise<void> {
  await db`
    delete from kept_answers
    where kept_at < now() - ${CACHED_ANSWERS_DAYS}::integer * interval '1 day' or kept_at <= (
      select kept_at from kept_answers
      order by kept_at desc limit 1 offset ${CACHED_ANSWERS_ALL_MAX}
    )`
}
