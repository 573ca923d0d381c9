/** Months that only ClickHouse holds, and whether it is to hold all of them. */
import { lockPartitions } from '../ingest/partitions.ts'
import type { Sql } from '../pool/connect.ts'
import type { Db } from '../pool/db.ts'

/** Stores that are to hold the events. */
export type EventKeepers = 'both' | 'clickhouse'

/** Decides which stores hold the months that are created from now on; others stay until moved. */
export async function setKeepers(sql: Sql, keepers: EventKeepers): Promise<void> {
  await sql.begin(async (tx) => {
    await lockPartitions(tx)
    await tx`update event_keeper set keeps = ${keepers}`
  })
}

export async function readKeepers(db: Db): Promise<EventKeepers> {
  const [row] = await db<{ keeps: EventKeepers }[]>`select keeps from event_keeper`
  return row?.keeps ?? 'both'
}

/** Months with a partition in the ledger, as the copy names them. */
export async function listLedgerMonths(db: Db): Promise<readonly string[]> {
  const rows = await db<{ month: string }[]>`
    select substring(c.relname from 14) as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'event_ledger'::regclass order by 1`
  return rows.map(({ month }) => month)
}

/**
 * Whether Postgres may lack events: ClickHouse is to hold them alone, or still holds some months
 * alone. It becomes true before the first month leaves Postgres, and false after the last one has
 * returned.
 */
export async function isLedgerKept(db: Db): Promise<boolean> {
  const [row] = await db<{ isKept: boolean }[]>`select ${ledgerIsKept(db)} as "isKept"`
  return row?.isKept === true
}

/** The same as a condition of SQL. */
export function ledgerIsKept(db: Db) {
  return db`(exists (select from event_keeper where id and keeps = 'clickhouse')
    or exists (select from pg_inherits where inhparent = 'event_ledger'::regclass))`
}
