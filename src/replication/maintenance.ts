/**
 * Periodic maintenance of the replica: changed distinct ids, columns, part counts, pruning of old
 * ids.
 */

import type { ColumnStore } from '../clickhouse/connect.ts'
import { countParts } from '../clickhouse/parts.ts'
import type { Clock } from '../core/clock.ts'
import {
  REPLICA_COLUMNS_MS,
  REPLICA_LINGER_MS,
  REPLICA_READ_LINGER_MS,
} from '../core/limits/limits-replica.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { tendColumns } from './asked-columns.ts'
import type { Lease } from './lease.ts'
import { forgetOldIds, sendChangedIds } from './replicate-ids.ts'

/** Time after which ids without a person are forgotten. */
const REPLICA_FORGET_MS = 3_600_000
/** Interval of counting ClickHouse's parts. */
const REPLICA_PARTS_MS = 30_000

export type Maintenance = {
  /**
   * Runs the tasks that are due.
   * @param isAwaited whether a question waits: then changes are collected for a shorter time.
   * @throws {LeaseLost} @throws {ColumnError}
   */
  run(store: ColumnStore, isAwaited: boolean): Promise<void>
}

export function createMaintenance(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  lease: Lease,
): Maintenance {
  const never = Number.NEGATIVE_INFINITY
  const doneAt = { ids: never, columns: never, forgotten: never, parts: never }
  const isDue = (name: keyof typeof doneAt, everyMs: number): boolean => {
    const now = clock.monotonic()
    if (now - doneAt[name] < everyMs) return false
    doneAt[name] = now
    return true
  }
  return {
    async run(store, isAwaited) {
      const deps = { sql, store, lease }
      // A few changes wait for more, as blocks do: each insert is a part that ClickHouse merges.
      if (isDue('ids', isAwaited ? REPLICA_READ_LINGER_MS : REPLICA_LINGER_MS))
        await sendChangedIds(deps)
      if (isDue('columns', REPLICA_COLUMNS_MS)) await tendColumns(sql, store, lease)
      if (isDue('parts', REPLICA_PARTS_MS)) await recordParts(sql, store, lease)
      if (isDue('forgotten', REPLICA_FORGET_MS)) await forgetOldIds(deps, REPLICA_FORGET_MS)
    },
  }
}

/** Stores the current number of parts; 0 if ClickHouse does not tell. @throws {ColumnError} */
async function recordParts(
  db: Db,
  store: ColumnStore,
  { number }: Pick<Lease, 'number'>,
): Promise<void> {
  const { all, most } = (await countParts(store)) ?? { all: 0, most: 0 }
  await db`update event_keeper set parts = ${all}, parts_most = ${most} where lease = ${number}`
}
