/** Makes ClickHouse the home of the events of an instance that has none yet. */

import { isInClickHouse, listMonths } from '../../event-store/months/home.ts'
import {
  attachKeyIndex,
  lockPartitions,
  makeKeyIndex,
  partitionOfMonth,
} from '../../event-store/months/partitions.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { failureCode } from '../../postgres/failures.ts'
import { LOCK_NOT_AVAILABLE } from '../../postgres/sqlstate.ts'
import { lockForMove, tablesOf } from './move-month.ts'

/**
 * Moves an instance without events, with its empty months, before its first flush. Does nothing
 * when there are events, or when flushes of other workers hold their tables: then "sluice events
 * move" moves them.
 */
export async function moveIfEmpty(sql: Sql): Promise<void> {
  if ((await isInClickHouse(sql)) || (await hasEvents(sql))) return
  try {
    await sql.begin(moveEmpty)
  } catch (error) {
    if (failureCode(error) !== LOCK_NOT_AVAILABLE) throw error
  }
}

async function moveEmpty(tx: Db): Promise<void> {
  await lockPartitions(tx)
  await lockForMove(tx)
  await tx`lock table events in share row exclusive mode`
  if ((await isInClickHouse(tx)) || (await hasEvents(tx))) return
  await tx`update event_keeper set keeps = 'clickhouse'`
  for (const month of await listMonths(tx)) {
    await tx`drop table if exists ${tx(tablesOf(month).keys)}`
    await makeKeyIndex(tx, partitionOfMonth(month))
    await attachKeyIndex(tx, partitionOfMonth(month))
  }
  // Distinct ids that there may be without events.
  await tx`update event_gaps set asked = true`
}

async function hasEvents(db: Db): Promise<boolean> {
  const [row] = await db<{ has: boolean }[]>`select exists (select from events) as has`
  return row?.has === true
}
