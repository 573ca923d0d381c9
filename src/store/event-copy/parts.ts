/** Records how many active ClickHouse parts the events table has. */
import type { ColumnStore } from '../events-clickhouse/connect.ts'
import { countParts } from '../events-clickhouse/parts.ts'
import type { Db } from '../pool/db.ts'
import type { Lease } from './lease.ts'

/** Notes the parts that there are now; none where ClickHouse does not say. @throws {ColumnError} */
export async function tellParts(
  db: Db,
  store: ColumnStore,
  { number }: Pick<Lease, 'number'>,
): Promise<void> {
  const { all, most } = (await countParts(store)) ?? { all: 0, most: 0 }
  await db`update event_keeper set parts = ${all}, parts_most = ${most} where lease = ${number}`
}
