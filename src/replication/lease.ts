/**
 * Lease of the worker that keeps the replica: a row in Postgres, timed by its clock, whose number
 * fences the writes of its holder.
 */
import { assert } from '../core/code.ts'
import { REPLICA_ABANDONED_DAYS, REPLICA_LEASE_MS } from '../core/limits/limits-replica.ts'
import { isInClickHouse, listMonths, listMovedMonths } from '../event-store/months/home.ts'
import { PERSONS } from '../event-store/outbox/gaps.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'

export type Lease = {
  readonly number: bigint
  /** The one replica that belongs to this database. */
  readonly copyId: string
}

/**
 * State of the replicator. Only `shipping` needs no operator; the others are failures of the column
 * store (`ColumnErrorKind`), all of which it retries except `broken_block`.
 */
export type ReplicaState =
  | 'starting'
  | 'shipping'
  | 'unreachable'
  | 'refused'
  | 'too_old'
  | 'foreign_table'
  | 'broken_block'
  | 'failed'

/**
 * Records that there is a replica from now on, before the first flush that writes to the outbox.
 * Months that have events by then become gaps of the replica.
 */
export async function beginReplication(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    // Workers that start together do this one after another.
    await tx`lock table event_shipper in share row exclusive mode`
    const isWatchedAnew = await watchIds(tx)
    const { count } = await tx`insert into event_shipper default values on conflict do nothing`
    if (count === 0) {
      // A replica of an older release, or out of a backup.
      if (isWatchedAnew) await markIds(tx, BEFORE)
      return
    }
    // Its lease has just ended: from now on removals are recorded for the replica.
    await tx`insert into event_keeper (expires_at) values (now()) on conflict do nothing`
    await markAll(tx, BEFORE)
  })
}

const BEFORE = 'before the copy'

/** Marks all that the replica may lack: see `markAllMonths` and `markIds`. */
export async function markAll(tx: Db, reason: string): Promise<void> {
  await markAllMonths(tx, reason)
  await markIds(tx, reason)
}

/** Marks the months that have events as gaps of the replica, which are filled on request. */
async function markAllMonths(tx: Db, reason: string): Promise<void> {
  const moved = new Set(await listMovedMonths(tx))
  for (const month of await listMonths(tx)) {
    const table = `${moved.has(month) ? 'event_ledger' : 'events'}_${month}`
    await tx`
      insert into event_gaps (month, reason, asked)
      select ${month}, ${reason}, false
      where exists (select from ${tx(table)})
      on conflict (month) do nothing`
  }
}

/**
 * Bound on how far ahead a lease may end. A later end was written before the clock of Postgres went
 * back, so that lease is free, and its holder is fenced by the number.
 */
const LATEST_END_MS = 4 * REPLICA_LEASE_MS

/**
 * Takes the lease. The state is `starting` until the new holder has checked the replica, because
 * ClickHouse may have been restored to an older state meanwhile.
 * @returns undefined while another worker holds it.
 */
export async function takeLease(sql: Sql, holder: string): Promise<Lease | undefined> {
  return await sql.begin(async (tx) => {
    const [row] = await tx<{ number: bigint; isLate: boolean }[]>`
      with free as materialized (
        select expires_at from event_keeper
        where not expires_at between now() and now() + ${LATEST_END_MS}::integer * interval '1 ms'
        for update skip locked
      )
      update event_keeper k set lease = k.lease + 1, holder = ${holder},
        state = 'starting', problem = '', state_since = now(),
        expires_at = now() + ${REPLICA_LEASE_MS}::integer * interval '1 ms'
      from free
      returning k.lease as number, free.expires_at > '-infinity'
        and free.expires_at < now() - ${REPLICA_ABANDONED_DAYS}::integer * interval '1 day' as "isLate"`
    if (row === undefined) return undefined
    // Waits for a write of the previous holder, and fences its later ones.
    const [copy] = await tx<{ copyId: string }[]>`
      update event_shipper set lease = ${row.number} returning copy_id::text as "copyId"`
    assert(copy !== undefined, 'there is a keeper of no copy')
    if (row.isLate) await markLate(tx)
    return { number: row.number, copyId: copy.copyId }
  })
}

/**
 * Marks everything that changed unrecorded while no worker kept the replica: distinct ids, and
 * removals unless Postgres lacks events, as removals are always recorded then. Where only
 * ClickHouse can answer, all distinct ids are sent again at once.
 */
async function markLate(tx: Db): Promise<void> {
  const reason = 'nobody kept the copy'
  if (await isInClickHouse(tx)) await markIds(tx, reason, true)
  else await markAll(tx, reason)
}

/** @returns false when it is lost. */
export async function renewLease(db: Db, { number }: Lease): Promise<boolean> {
  const { count } = await db`
    update event_keeper set expires_at = now() + ${REPLICA_LEASE_MS}::integer * interval '1 ms'
    where lease = ${number} and expires_at > now()`
  return count > 0
}

/** Ends the lease now, so that the next holder need not wait. */
export async function releaseLease(db: Db, { number }: Lease): Promise<void> {
  await db`
    update event_keeper set expires_at = now() where lease = ${number} and expires_at > now()`
}

export async function recordState(
  db: Db,
  { number }: Lease,
  state: ReplicaState,
  problem: string,
): Promise<void> {
  await db`
    update event_keeper set problem = ${problem}, state = ${state},
      state_since = case when state = ${state} then state_since else now() end
    where lease = ${number} and (state <> ${state} or problem <> ${problem})`
}

/**
 * Creates missing triggers, in the transaction that begins the replication.
 * @returns whether any was missing: then the replica knows no earlier change.
 */
async function watchIds(tx: Db): Promise<boolean> {
  const made = await tx<{ name: string }[]>`
    select tgname as name from pg_trigger where tgrelid = 'distinct_ids'::regclass`
  let isNew = false
  for (const [change, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    const name = `distinct_ids_tell_${change}`
    if (made.some((each) => each.name === name)) continue
    isNew = true
    await tx.unsafe(`
      create trigger ${name} after ${change} on distinct_ids
      referencing ${rows} table as changed for each statement execute function tell_copy_of_ids()`)
  }
  return isNew
}

/** Marks the replica as lacking distinct ids. @param asked whether to send all of them again. */
export async function markIds(tx: Db, reason: string, asked = false): Promise<void> {
  await tx`
    insert into event_gaps as g (month, reason, asked)
    select ${PERSONS}, ${reason}, ${asked}::boolean where exists (select from distinct_ids)
    on conflict (month) do update set asked = g.asked or excluded.asked`
}
