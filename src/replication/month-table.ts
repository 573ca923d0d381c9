/**
 * Table of Postgres that lists the events of a month: a partition of `events` or of the key index.
 */

import { listMonths } from '../event-store/months/home.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'

export type MonthTable = {
  /** `events_y2026m11` or `event_ledger_y2026m11`: with `project_id`, `day` and `uuid`. */
  readonly name: string
  /** True when only ClickHouse and the outbox hold its events. */
  readonly isKeyIndex: boolean
}

/**
 * Runs `work` in one snapshot, during which the month is neither moved nor dropped. Emptying a
 * table empties it for older snapshots too, so `lock table` is before the first statement, which
 * takes the snapshot. The key index is locked first, as by every move of a month.
 */
export async function withMonth<T>(
  sql: Sql,
  month: string,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const isThere = (await listMonths(sql)).includes(month)
  return (await sql.begin('isolation level repeatable read', async (tx) => {
    await tx`lock table only event_ledger in access share mode`
    if (isThere) await tx`lock table only ${tx(`events_${month}`)} in access share mode`
    return await work(tx)
  })) as T
}

/** Undefined when the month has no events. */
export async function tableOfMonth(tx: Db, month: string): Promise<MonthTable | undefined> {
  const [row] = await tx<MonthTable[]>`
    select c.relname as name, i.inhparent = 'event_ledger'::regclass as "isKeyIndex"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('events'::regclass, 'event_ledger'::regclass)
      and c.relname in ('events_' || ${month}::text, 'event_ledger_' || ${month}::text)
    order by 2 desc limit 1`
  return row
}
