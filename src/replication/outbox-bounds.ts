/** Bounds the outbox of the replica, even if ClickHouse never answers. */
import { isInClickHouse } from '../event-store/months/home.ts'
import { LOSS_ACCEPTED, LOST } from '../event-store/outbox/gaps.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { holds, LeaseLost } from './blocks.ts'
import type { Lease } from './lease.ts'

/** Share to which a full outbox has to drain before flushes are taken again. */
const REPLICA_OUTBOX_FREE_SHARE = 0.9
/** Retention of payloads of the outbox after their block was shipped. */
const REPLICA_PAYLOADS_KEPT_DAYS = 2
/** Old payloads that one statement removes. */
const REPLICA_PRUNE_ROWS = 2_000

export type OutboxSize = {
  /** Events that ClickHouse has not acknowledged. */
  readonly events: number
  /** Rows of the outbox that hold them, and their bytes. */
  readonly rows: number
  readonly bytes: number
  /** Age of the oldest one in milliseconds, by the database's clock; 0 without any. */
  readonly lagMs: number
}

/** Size of the outbox: rows that are not shipped yet. */
export async function measureOutbox(db: Db): Promise<OutboxSize> {
  const [size] = await db<OutboxSize[]>`
    select coalesce(sum(rows), 0)::float8 as events, count(*)::float8 as rows,
      coalesce(sum(octet_length(payload)), 0)::float8 as bytes,
      coalesce(greatest(extract(epoch from clock_timestamp() - min(committed_at)), 0), 0)::float8
        * 1000 as "lagMs"
    from (
      select rows, payload, committed_at from event_outbox where block is null
      union all
      select o.rows, o.payload, o.committed_at
      from event_blocks b join event_outbox o on o.block = b.number where b.done_at is null
    ) waiting`
  return size ?? { events: 0, rows: 0, bytes: 0, lagMs: 0 }
}

export type BoundKept = {
  /** Events that were deleted from the outbox: the replica lacks them. */
  readonly emptied: number
  /** Set when the outbox has become full, or has room again. */
  readonly turned: 'full' | 'free' | undefined
}

/**
 * Keeps the outbox within its bound. If Postgres has all events, waiting rows are deleted. If it
 * may lack some, no row is deleted: the outbox is full, and flushes fail as if Postgres took no
 * writes, until a part of it is free.
 * @throws {LeaseLost}
 */
export async function keepBound(sql: Sql, lease: Lease, bytesMax: number): Promise<BoundKept> {
  const { bytes } = await measureOutbox(sql)
  const isKept = await isInClickHouse(sql)
  const isBeyond = bytes > bytesMax
  const isNear = bytes > bytesMax * REPLICA_OUTBOX_FREE_SHARE
  const [turned] = await sql<{ isFull: boolean }[]>`
    update event_keeper set is_full = not is_full
    where lease = ${lease.number}
      and is_full <> (${isKept && isBeyond}::boolean or (is_full and ${isKept && isNear}::boolean))
    returning is_full as "isFull"`
  const emptied = isBeyond && !isKept ? await emptyBeyond(sql, lease) : 0
  if (turned === undefined) return { emptied, turned }
  return { emptied, turned: turned.isFull ? 'full' : 'free' }
}

/**
 * Deletes waiting events; their months are filled from `events` once ClickHouse answers. Removals
 * stay. No month leaves Postgres meanwhile, because a move locks the key index.
 */
async function emptyBeyond(sql: Sql, lease: Lease): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`lock table only event_ledger in share update exclusive mode`
    if (await isInClickHouse(tx)) return 0
    const [row] = await tx<{ isHeld: boolean; events: number }[]>`
      with gone as (
        delete from event_outbox where block is null and removal is null and ${holds(tx, lease)}
        returning month, rows
      ), marked as (
        insert into event_gaps (month, reason, asked)
        select distinct month, 'the outbox was full', true from gone
        on conflict (month) do update set asked = true, marked_at = now()
      )
      select ${holds(tx, lease)} as "isHeld",
        (select coalesce(sum(rows), 0)::float8 from gone) as events`
    if (row?.isHeld !== true) throw new LeaseLost('the lease has ended')
    return row.events
  })
}

/**
 * Deletes some rows that were shipped long ago. Rows of a moved month that is to be filled
 * stay, because nothing else may have their events.
 * @returns whether there may be more.
 */
export async function pruneOutbox(db: Db): Promise<boolean> {
  const { count } = await db`
    delete from event_outbox where id in (
      select o.id from event_outbox o join event_blocks b on b.number = o.block
      where b.done_at < now() - ${REPLICA_PAYLOADS_KEPT_DAYS}::integer * interval '1 day'
        and o.month not in (
          select g.month from event_gaps g join pg_class c on c.relname = 'event_ledger_' || g.month
          join pg_inherits i on i.inhrelid = c.oid
          where i.inhparent = 'event_ledger'::regclass and g.reason not in (${LOST}, ${LOSS_ACCEPTED})
        )
      order by o.id limit ${REPLICA_PRUNE_ROWS}
    )`
  return count === REPLICA_PRUNE_ROWS
}
