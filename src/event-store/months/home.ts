/** Home of the events, and the months whose keys Postgres has and whose events ClickHouse has. */

import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { lockPartitions } from './partitions.ts'

/** Makes ClickHouse the home of the events. Months that Postgres has leave one by one. */
export async function moveHome(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await lockPartitions(tx)
    await tx`update event_keeper set keeps = 'clickhouse'`
  })
}

/** Months that have a partition, in the form of `monthOf`. */
export async function listMonths(db: Db): Promise<readonly string[]> {
  const rows = await db<{ month: string }[]>`
    select substring(c.relname from 8) as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname like 'events\\_%' order by 1`
  return rows.map(({ month }) => month)
}

/** Months with a partition in the key index, in the form of `monthOf`. */
export async function listMovedMonths(db: Db): Promise<readonly string[]> {
  const rows = await db<{ month: string }[]>`
    select substring(c.relname from 14) as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'event_ledger'::regclass order by 1`
  return rows.map(({ month }) => month)
}

/**
 * Whether ClickHouse is the home of the events, so that Postgres may lack some. It becomes true
 * before the first month leaves Postgres, and stays true.
 */
export async function isInClickHouse(db: Db): Promise<boolean> {
  const [row] = await db<{ isKept: boolean }[]>`select ${homeIsClickHouse(db)} as "isKept"`
  return row?.isKept === true
}

/** The same as a condition of SQL. */
export function homeIsClickHouse(db: Db) {
  return db`(exists (select from event_keeper where id and keeps = 'clickhouse')
    or exists (select from pg_inherits where inhparent = 'event_ledger'::regclass))`
}

/** Remembers a positive answer of `isInClickHouse`, which holds for good. */
export function createHomeLook(): (db: Db) => Promise<boolean> {
  let isMoved = false
  return async (db) => {
    isMoved ||= await isInClickHouse(db)
    return isMoved
  }
}
