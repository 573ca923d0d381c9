/** Names, locks and errors for moving a month. */

import type { ColumnStore } from '../../clickhouse/connect.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { keyIndexPartition, partitionOfMonth } from '../../event-store/months/partitions.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'

/** Wait for the lock of a month that moves. */
const MONTH_LOCK_WAIT_MS = 2_000

export type MoveDeps = {
  /** Pool for statements that take long. */
  readonly sql: Sql
  readonly store: ColumnStore
  readonly clock: Clock
}

/** Names of a month: of its table, and of that in the key index. */
export function tablesOf(month: string): { readonly events: string; readonly keys: string } {
  const { name } = partitionOfMonth(month)
  return { events: name, keys: keyIndexPartition(name) }
}

/**
 * Runs `work` in a snapshot that has everything written to a table, with its writers locked out
 * until the end. `lock table` is before the first statement, which takes the snapshot. Writers wait
 * meanwhile, so the lock is waited for a short time only.
 */
export async function withLocked<T>(
  sql: Sql,
  table: string,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return (await sql.begin('isolation level repeatable read', async (tx) => {
    await lockForMove(tx)
    await tx`lock table ${tx(table)} in access exclusive mode`
    return await work(tx)
  })) as T
}

/**
 * Locks the key index, so that no month moves or is dropped meanwhile, and bounds the wait for it
 * and for later locks. The order is the same everywhere: parents first.
 */
export async function lockForMove(tx: Db): Promise<void> {
  await tx.unsafe(`set local lock_timeout = ${MONTH_LOCK_WAIT_MS}`)
  await tx`lock table only event_ledger in share update exclusive mode`
}

export function refused(words: string): AppError {
  return new AppError('failed_precondition', words, {
    detail: { type: 'validation_error', code: 'invalid_input', detail: words, attr: null },
  })
}
