/**
 * Events that are older than their project keeps them: the passes that delete them, and the rest.
 */
import { v7 as uuidv7 } from 'uuid'
import type { ProjectId } from '../core/ids.ts'
import { keyIndexPartition } from '../event-store/months/partitions.ts'
import { enqueueMonthTombstone } from '../event-store/outbox/enqueue-tombstones.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { failureCode } from '../postgres/failures.ts'
import { LOCK_NOT_AVAILABLE, UNDEFINED_TABLE } from '../postgres/sqlstate.ts'
import { countChange, OTHER_SLOT } from '../store/answers/change-counts.ts'
import { forgetAnswers } from '../store/answers/forget-answers.ts'
import { KEPT_DAYS } from '../store/projects/kept-days.ts'
import { clearDeletedIds } from './deleted-ids-store.ts'
import { auditEnd } from './deletion-audit.ts'
import { walkByIndex } from './deletion-chunks.ts'

/** Retention of finished deletions, and of the digests of distinct ids. */
const DELETIONS_KEPT_DAYS = 90
/** Wait for readers and writers of events before a partition is dropped; then a later turn. */
const PARTITION_DROP_WAIT_MS = 50
/** Dead letters and counters that one statement of a retention pass takes. */
const RETENTION_ROWS_MAX = 5_000
/** Time limit of a retention statement that looks for expired rows, at the server. */
const RETENTION_STATEMENT_MS = 30_000
/** Days after the last warning of a row, or those of the project's retention if they are fewer. */
const WARNINGS_KEPT_DAYS = 30

/**
 * Drops the partitions that no project keeps, and makes a deletion of each project that has older
 * events left. Workers that do it at once share the work. Meant for a loop.
 */
export async function startRetention(sql: Sql, signal: AbortSignal): Promise<void> {
  for (const partition of await listDroppable(sql)) {
    if (signal.aborted) return
    await dropPartition(sql, partition)
  }
  await byIndex(
    sql,
    (tx) => tx`
      insert into deletions (id, project_id, kind, cutoff)
      select gen_random_uuid(), p.id, 'retention',
        (now() at time zone 'UTC')::date - ${sql.unsafe(KEPT_DAYS)}
      from projects p
      where ${sql.unsafe(KEPT_DAYS)} is not null and (exists (
        select from events e where e.project_id = p.id
          and e.day < (now() at time zone 'UTC')::date - ${sql.unsafe(KEPT_DAYS)}
      ) or exists (
        select from event_ledger e where e.project_id = p.id
          and e.day < (now() at time zone 'UTC')::date - ${sql.unsafe(KEPT_DAYS)}
      ))
      on conflict do nothing`,
  )
}

/**
 * Cancels a pass that would delete days which its project keeps by now, because the retention was
 * made longer.
 * @returns whether it did.
 */
export async function cancelUnwantedPass(sql: Sql, id: string): Promise<boolean> {
  return (await sql.begin(async (tx) => {
    const { count } = await tx`
      update deletions d set state = 'cancelled', finished_at = clock_timestamp() from projects p
      where d.id = ${id} and d.kind = 'retention' and d.state = 'running' and p.id = d.project_id
        and (${sql.unsafe(KEPT_DAYS)} is null
          or d.cutoff > (now() at time zone 'UTC')::date - ${sql.unsafe(KEPT_DAYS)})`
    if (count > 0) await auditEnd(tx, id, 'cancelled')
    return count > 0
  })) as boolean
}

/** Uses indexes: with many projects the planner would join them with all of `events`. */
async function byIndex<T>(sql: Sql, ask: (tx: Db) => Promise<T>): Promise<T> {
  return (await sql.begin(async (tx) => {
    await walkByIndex(tx, RETENTION_STATEMENT_MS)
    return await ask(tx)
  })) as T
}

type Partition = {
  readonly name: string
  /** Its partition of the key index, if only ClickHouse holds its events. */
  readonly keyIndex: string | null
  readonly from: string
  readonly until: string
}

/** A project that keeps events of days before `until`. */
const KEEPS = `(${KEPT_DAYS} is null
  or (now() at time zone 'UTC')::date - ${KEPT_DAYS} < $1::text::date)`

/** The partition of the key index with a name. */
const KEY_INDEX_OF = `
  select l.inhrelid::regclass::text as "keyIndex"
  from pg_inherits l join pg_class t on t.oid = l.inhrelid
  where l.inhparent = 'event_ledger'::regclass and t.relname`

/** Months that have events, but only of days that no project keeps. */
async function listDroppable(sql: Sql): Promise<readonly Partition[]> {
  const months = await sql<Partition[]>`
    select name, "keyIndex", from_day as "from", until_day as until from (
      select inhrelid::regclass::text as name, (
          ${sql.unsafe(KEY_INDEX_OF)} = 'event_ledger' || substring(c.relname from 7)
        ) as "keyIndex",
        substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM [(]''([0-9-]+)''[)]') as from_day,
        substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([0-9-]+)''[)]') as until_day
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'events'::regclass
    ) bounds
    where from_day is not null and until_day::date <= (now() at time zone 'UTC')::date - (
      select min(${sql.unsafe(KEPT_DAYS)}) from projects p
    )
    order by from_day`
  const droppable: Partition[] = []
  for (const month of months) if (await isDroppable(sql, month)) droppable.push(month)
  return droppable
}

async function isDroppable(sql: Sql, { name, keyIndex, until }: Partition): Promise<boolean> {
  try {
    // The name is one that the server has quoted.
    const [row] = await byIndex(sql, (tx) =>
      tx.unsafe<{ isKept: boolean; isEmpty: boolean }[]>(
        `select exists (
          select from projects p where ${KEEPS}
            and exists (select from ${keyIndex ?? name} e where e.project_id = p.id)
        ) as "isKept",
        not exists (select from ${keyIndex ?? name} where project_id >= 0) as "isEmpty"`,
        [until],
      ),
    )
    return row?.isKept === false && !row.isEmpty
  } catch (error) {
    // Another worker has dropped it.
    if (failureCode(error) === UNDEFINED_TABLE) return false
    throw error
  }
}

/** Raised within a transaction that gives up. */
class StillKept extends Error {}

/**
 * Drops a partition with its counters in one transaction. Readers and writers of events wait for it
 * `PARTITION_DROP_WAIT_MS` at most; when one of them is slow, the next pass tries again. An event
 * that is inserted into the partition meanwhile has a counter of its own, which prevents the drop.
 */
async function dropPartition(sql: Sql, month: Partition): Promise<void> {
  const { name, keyIndex, from, until } = month
  try {
    await sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${String(PARTITION_DROP_WAIT_MS)}, true)`
      await takeCounters(tx, from, until)
      // The same order everywhere: a transaction that moves a month locks the key index first.
      if (keyIndex !== null) await tx`lock table only event_ledger in access exclusive mode`
      await tx`lock table only events in access exclusive mode`
      // The month has moved meanwhile: the next pass drops it.
      if ((await keyIndexOf(tx, name)) !== keyIndex) throw new StillKept()
      const [late] = await tx<{ isThere: boolean }[]>`
        select exists (
          select from event_counts where day >= ${from}::text::date and day < ${until}::text::date
        ) as "isThere"`
      if (late?.isThere === true) throw new StillKept()
      await enqueueMonthTombstone(tx, name)
      // The replica lacks nothing of the month then. A requested fill looks at the month itself.
      await tx`delete from event_gaps where month = substring(${name}::text from 8) and not asked`
      await tx.unsafe(`drop table if exists ${name}`)
      // Includes one that an interrupted move has left beside the key index, as the month may be
      // made again.
      await tx`drop table if exists ${tx(keyIndexPartition(name))}`
    })
  } catch (error) {
    if (!(error instanceof StillKept) && failureCode(error) !== LOCK_NOT_AVAILABLE) throw error
  }
}

async function keyIndexOf(tx: Db, name: string): Promise<string | null> {
  const [row] = await tx<{ keyIndex: string }[]>`
    ${tx.unsafe(KEY_INDEX_OF)} = 'event_ledger' || substring(${name}::text from 7)`
  return row?.keyIndex ?? null
}

/** Removes the counters of days, and notes with each project how many of its events go. */
async function takeCounters(tx: Db, from: string, until: string): Promise<void> {
  const gone = await tx<{ projectId: ProjectId; count: number; isKept: boolean | null }[]>`
    with gone as (
      delete from event_counts where day >= ${from}::text::date and day < ${until}::text::date
      returning project_id, count
    )
    select g.project_id as "projectId", sum(g.count)::float8 as count,
      bool_or(${tx.unsafe(KEPT_DAYS)} is null or (now() at time zone 'UTC')::date
        - ${tx.unsafe(KEPT_DAYS)} < ${until}::text::date) as "isKept"
    from gone g left join projects p on p.id = g.project_id group by g.project_id order by 1`
  if (gone.some(({ isKept }) => isKept === true)) throw new StillKept()
  const projects = gone.map(({ projectId }) => projectId)
  await countChange(tx, projects, 'deletion', OTHER_SLOT)
  for (const { projectId, count, isKept } of gone) {
    // Null: the project is gone.
    if (isKept === null || count === 0) continue
    await forgetAnswers(tx, projectId)
    const id = uuidv7()
    await tx`
      insert into deletions (id, project_id, kind, state, cutoff, deleted, finished_at)
      values (${id}, ${projectId}, 'retention', 'completed', ${until}::text::date, ${count},
        clock_timestamp())`
    await auditEnd(tx, id)
  }
}

/**
 * Removes what is left of deleted events: dead letters that are too old for their project, counters
 * that are zero, names without events that nobody has described, and old deletions. Meant for a
 * loop.
 */
export async function removeLeftovers(sql: Sql): Promise<void> {
  await sql`
    delete from dead_letters where id in (
      select l.id from dead_letters l join projects p on p.id = l.project_id
      where l.created_at < ((now() at time zone 'UTC')::date - ${sql.unsafe(KEPT_DAYS)})
        at time zone 'UTC'
      limit ${RETENTION_ROWS_MAX}
    )`
  await sql`
    delete from ingestion_warnings w using projects p
    where p.id = w.project_id and w.last_seen_at < now()
      - least(${sql.unsafe(KEPT_DAYS)}, ${WARNINGS_KEPT_DAYS}::integer) * interval '1 day'`
  await removeEmptyCounters(sql)
  await sql`
    delete from event_definitions d
    where d.last_seen_at < now() - interval '1 day' and d.owner is null and not d.verified
      and coalesce(d.description, '') = '' and cardinality(d.tags) = 0
      and not exists (
        select from event_counts c where c.project_id = d.project_id and c.event = d.name
      )
      and (
        exists (select from deletions l where l.project_id = d.project_id)
        or exists (select from projects p
          where p.id = d.project_id and p.events_retention_days is not null)
      )`
  await clearDeletedIds(sql)
  await sql`
    delete from deleted_distinct_ids
    where asked_at < now() - ${DELETIONS_KEPT_DAYS}::integer * interval '1 day'`
  await sql`
    delete from deletions
    where finished_at < now() - ${DELETIONS_KEPT_DAYS}::integer * interval '1 day'`
}

/**
 * Deletes counters of events whose sum is zero, and with them the blocks of sessions of their days,
 * since a later day could look the same without them. Counters that change meanwhile are read again
 * once they are locked; a day with a new counter, or one that another transaction holds, keeps all
 * of them.
 */
async function removeEmptyCounters(sql: Sql): Promise<void> {
  await sql`
    with touched as materialized (
      select project_id, event, day from event_counts where slot = -1 limit ${RETENTION_ROWS_MAX}
    ), held as materialized (
      select c.project_id, c.event, c.day, c.slot, c.count from event_counts c
      join touched t using (project_id, event, day)
      order by 1, 2, 3, 4 for update of c skip locked
    ), empty as (
      select h.project_id, h.event, h.day from held h group by 1, 2, 3
      having sum(h.count) = 0 and count(*) = (
        select count(*) from event_counts c
        where c.project_id = h.project_id and c.event = h.event and c.day = h.day
      )
    ), void as (
      delete from session_blocks b using empty e
      where b.project_id = e.project_id and b.day = e.day - date 'epoch'
    )
    delete from event_counts c using empty e
    where c.project_id = e.project_id and c.event = e.event and c.day = e.day`
}
