/** Records how many active ClickHouse parts the events table has. */
import type { ColumnStore } from '../clickhouse/connect.ts'
import { countParts } from '../clickhouse/parts.ts'
import type { Db } from '../postgres/db.ts'
import type { Lease } from './lease.ts'

/** Stores the current number of parts; 0 if ClickHouse does not tell. @throws {ColumnError} */
export async function recordParts(
  db: Db,
  store: ColumnStore,
  { number }: Pick<Lease, 'number'>,
): Promise<void> {
  const { all, most } = (await countParts(store)) ?? { all: 0, most: 0 }
  await db`update event_keeper set parts = ${all}, parts_most = ${most} where lease = ${number}`
}
