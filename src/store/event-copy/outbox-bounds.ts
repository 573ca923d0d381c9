/** The outbox of the copy is bounded, whatever happens to ClickHouse. */
import { COPY_PAYLOADS_KEPT_DAYS, COPY_PRUNE_ROWS } from '../../core/limits/limits-columns.ts'
import type { Sql } from '../pool/connect.ts'
import type { Db } from '../pool/db.ts'
import { holds, LeaseLost } from './blocks.ts'
import type { Lease } from './lease.ts'

export type OutboxSize = {
  /** Events that ClickHouse has not acknowledged. */
  readonly events: number
  /** Rows of the outbox that hold them, and their bytes. */
  readonly rows: number
  readonly bytes: number
  /** Age of the oldest one in milliseconds, by the database's clock; 0 without any. */
  readonly lagMs: number
}

/** What waits or is on its way. */
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

/**
 * Empties an outbox beyond its bound: events that wait go, and their months are filled from `events`
 * once ClickHouse answers. Removals stay.
 * @returns how many events the copy is behind by; 0 within the bound.
 * @throws {LeaseLost}
 */
export async function emptyBeyond(sql: Sql, lease: Lease, bytesMax: number): Promise<number> {
  const { bytes } = await measureOutbox(sql)
  if (bytes <= bytesMax) return 0
  return await sql.begin(async (tx) => {
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

/** Removes some rows that were shipped long ago. @returns whether there may be more. */
export async function pruneOutbox(db: Db): Promise<boolean> {
  const { count } = await db`
    delete from event_outbox where id in (
      select o.id from event_outbox o join event_blocks b on b.number = o.block
      where b.done_at < now() - ${COPY_PAYLOADS_KEPT_DAYS}::integer * interval '1 day'
      order by o.id limit ${COPY_PRUNE_ROWS}
    )`
  return count === COPY_PRUNE_ROWS
}
