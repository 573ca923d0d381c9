/**
 * Blocks of the replica in Postgres. Only the lease holder records them, with their rows, before
 * any event is sent; later changes of a block are fenced by the lease too.
 */

import type { Tombstone } from '../clickhouse/tombstone.ts'
import {
  REPLICA_BLOCK_ROWS,
  REPLICA_BLOCK_TEXT_BYTES,
  REPLICA_READ_RECENT_MS,
} from '../core/limits/limits-replica.ts'
import { ASKED } from '../event-store/outbox/gaps.ts'
import { type PackedEvent, packEvents } from '../event-store/outbox/payload.ts'
import type { Db } from '../postgres/db.ts'
import type { Lease } from './lease.ts'

/** Flushes in one block. */
const REPLICA_BLOCK_FLUSHES = 4_000
/** Backfilled events in one row of the outbox: a turn of the event loop decodes one row. */
const REPLICA_FILL_PAYLOAD_ROWS = 500

export type RecordedBlock = {
  readonly number: number
  readonly month: string
  readonly rows: number
  readonly isStored: boolean
}

/** A row of the outbox. */
export type OutboxRow = {
  readonly id: bigint
  readonly removal: Tombstone | null
  readonly payload: Buffer | null
  readonly skipped: readonly number[]
  readonly textBytes: number
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly committedAt: string
}

/** `committed_at` as `OutboxRow` has it. */
export function committedAt(db: Db) {
  return db`to_char(committed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** Table of the removals (`removal`) of a month that are not carried out yet. */
export function openTombstones(db: Db, month: string) {
  return db`(
    select removal from event_outbox
    where month = ${month} and block is null and removal is not null
    union all
    select o.removal from event_blocks b join event_outbox o on o.block = b.number
    where b.done_at is null and o.month = ${month} and o.removal is not null
  )`
}

/** Thrown when another worker has taken the lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export type Waiting = {
  readonly month: string
  readonly rows: number
  readonly removes: boolean
  readonly ageMs: number
}

/** Outbox rows that are in no block yet, by month; the month that has waited longest first. */
export async function listWaiting(db: Db): Promise<readonly Waiting[]> {
  return await db<Waiting[]>`
    select month, sum(rows)::float8 as rows, bool_or(removal is not null) as removes,
      extract(epoch from clock_timestamp() - min(committed_at))::float8 * 1000 as "ageMs"
    from event_outbox where block is null group by month order by min(id)`
}

/** Whether a question waits for the replica, or did just now. */
export async function isAwaited(db: Db): Promise<boolean> {
  const [row] = await db<{ isAwaited: boolean }[]>`
    select waited_at > clock_timestamp() - ${REPLICA_READ_RECENT_MS}::integer * interval '1 ms'
      and waited_at <= clock_timestamp() as "isAwaited" from event_keeper`
  return row?.isAwaited === true
}

/** Finds the oldest block that is not done. */
export async function openBlock(db: Db): Promise<RecordedBlock | undefined> {
  const [row] = await db<RecordedBlock[]>`
    select number::float8 as number, month, rows, stored_at is not null as "isStored"
    from event_blocks where done_at is null order by event_blocks.number limit 1`
  return row
}

/**
 * Records the next block of a month from rows in the outbox, in their order: events up to the
 * bounds of a block or to the first removal, then removals until the next event. So events that a
 * removal takes are in its block or an older one, and events stored anew after it are in a later
 * one. A flush that commits late goes into a later block, because a block names its rows and no
 * range of ids.
 * @returns false when no row is waiting.
 * @throws {LeaseLost} and has recorded nothing.
 */
export async function recordBlock(db: Db, lease: Lease, month: string): Promise<boolean> {
  const [row] = await db<{ isHeld: boolean; recorded: number }[]>`
    with held as (
      update event_shipper set last_block = last_block + 1
      where lease = ${lease.number}
      returning last_block as number
    ), waiting as materialized (
      select id, removal is not null as removes, rows, text_bytes,
        lag(removal is not null) over (order by id) as follows
      from (
        select id, removal, rows, text_bytes from event_outbox
        where month = ${month} and block is null order by id limit ${REPLICA_BLOCK_FLUSHES}
      ) oldest
    ), chosen as materialized (
      select id from (
        select id, row_number() over place as nth, sum(rows) over place as rows,
          sum(text_bytes) over place as bytes,
          count(*) filter (where follows and not removes) over place as behind
        from waiting window place as (order by id)
      ) measured
      where behind = 0 and (nth = 1
        or (rows <= ${REPLICA_BLOCK_ROWS} and bytes <= ${REPLICA_BLOCK_TEXT_BYTES}))
    ), taken as (
      update event_outbox o set block = held.number from chosen c, held
      where o.id = c.id and o.block is null
      returning o.rows
    ), recorded as (
      insert into event_blocks (number, month, rows, lease)
      select number, ${month}, (select coalesce(sum(rows), 0) from taken), ${lease.number}
      from held where exists (select from taken)
      returning 1
    )
    select exists (select from held) as "isHeld", (select count(*)::int from recorded) as recorded`
  if (row?.isHeld !== true) throw new LeaseLost('the lease has ended')
  return row.recorded > 0
}

/** Rows of a block, in the order of the outbox. */
export async function readOutboxRows(db: Db, block: number): Promise<readonly OutboxRow[]> {
  return await db<OutboxRow[]>`
    select id, removal, payload, skipped, text_bytes::float8 as "textBytes",
      ${committedAt(db)} as "committedAt"
    from event_outbox where block = ${String(block)}::text::bigint order by id`
}

/**
 * Marks the events of a block as acknowledged by ClickHouse.
 * @throws {LeaseLost}
 */
export async function markStored(db: Db, lease: Lease, block: number): Promise<void> {
  const { count } = await db`
    update event_blocks set stored_at = coalesce(stored_at, now())
    where number = ${String(block)}::text::bigint and ${holds(db, lease)}`
  if (count === 0) throw new LeaseLost('the lease has ended')
}

/** Marks a block as done, with its removals. @throws {LeaseLost} */
export async function markDone(db: Db, lease: Lease, block: number): Promise<void> {
  const { count } = await db`
    update event_blocks set done_at = now()
    where number = ${String(block)}::text::bigint and stored_at is not null and ${holds(db, lease)}`
  if (count === 0) throw new LeaseLost('the lease has ended')
}

/** Share-locks the lease, so that a takeover waits for this transaction. */
export function holds(db: Db, { number }: Lease) {
  return db`exists (
    select from event_shipper where lease = ${number} for share)`
}

/**
 * Numbers for blocks that the transaction of `tx` records by itself.
 * @param splits how many blocks it gives up for them.
 * @throws {LeaseLost}
 */
export async function takeNumbers(
  tx: Db,
  lease: Lease,
  count: number,
  splits = 0,
): Promise<number> {
  const [row] = await tx<{ last: number }[]>`
    update event_shipper set last_block = last_block + ${count}::integer,
      splits = splits + ${splits}::integer
    where lease = ${lease.number}
    returning last_block::float8 as last`
  if (row === undefined) throw new LeaseLost('the lease has ended')
  return row.last - count + 1
}

export async function insertRecorded(
  tx: Db,
  lease: Lease,
  { number, month, rows }: Pick<RecordedBlock, 'number' | 'month' | 'rows'>,
): Promise<void> {
  await tx`
    insert into event_blocks (number, month, rows, lease)
    values (${String(number)}::text::bigint, ${month}, ${rows}, ${lease.number})`
}

type NewBlock = Pick<RecordedBlock, 'number' | 'month'>

/** A block of one removal, and its member. */
export async function recordTombstone(
  tx: Db,
  lease: Lease,
  block: NewBlock,
  removal: Tombstone,
): Promise<void> {
  await insertRecorded(tx, lease, { ...block, rows: 0 })
  await tx`
    insert into event_outbox (month, removal, block)
    values (${block.month}, ${JSON.stringify(removal)}::text::json,
      ${String(block.number)}::text::bigint)`
}

/** A block of events, and its members. */
export async function recordEvents(
  tx: Db,
  lease: Lease,
  block: NewBlock,
  events: readonly PackedEvent[],
): Promise<void> {
  await insertRecorded(tx, lease, { ...block, rows: events.length })
  for (let from = 0; from < events.length; from += REPLICA_FILL_PAYLOAD_ROWS) {
    const some = events.slice(from, from + REPLICA_FILL_PAYLOAD_ROWS)
    const { bytes, textBytes } = await packEvents(some)
    await tx`
      insert into event_outbox (month, payload, rows, text_bytes, block)
      values (${block.month}, decode(${bytes.toString('base64')}, 'base64'), ${some.length},
        ${String(textBytes)}::text::bigint, ${String(block.number)}::text::bigint)`
  }
}

/** Empties a block whose rows are in other blocks now. Its number is never used again. */
export async function giveUpBlock(tx: Db, lease: Lease, block: number): Promise<void> {
  const { count } = await tx`
    update event_blocks set rows = 0, stored_at = now(), done_at = now()
    where number = ${String(block)}::text::bigint and done_at is null and ${holds(tx, lease)}`
  if (count === 0) throw new LeaseLost('the lease has ended')
}

/**
 * Marks a block that ClickHouse has in part as stored, once an operator has requested a fill of its
 * month, which completes it.
 * @returns whether a fill was requested.
 */
export async function settleBroken(
  db: Db,
  lease: Lease,
  { number, month }: Pick<RecordedBlock, 'number' | 'month'>,
): Promise<boolean> {
  const { count } = await db`
    update event_blocks set stored_at = now()
    where number = ${String(number)}::text::bigint and done_at is null and ${holds(db, lease)}
      and exists (select from event_gaps where month = ${month} and asked and reason = ${ASKED})`
  return count > 0
}
