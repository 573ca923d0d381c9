/** Names, locks and errors for moving a month in either direction. */
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { MONTH_LOCK_WAIT_MS } from '../../core/limits/limits-columns.ts'
import type { ColumnStore } from '../events-clickhouse/connect.ts'
import { ledgerPartition, partitionOfMonth } from '../ingest/partitions.ts'
import type { Sql } from '../pool/connect.ts'
import type { Db } from '../pool/db.ts'

export type MoveDeps = {
  /** Pool for statements that take long. */
  readonly sql: Sql
  readonly store: ColumnStore
  readonly clock: Clock
}

/** Names of a month: of its table, and of that in the ledger. */
export function tablesOf(month: string): { readonly events: string; readonly ledger: string } {
  const { name } = partitionOfMonth(month)
  return { events: name, ledger: ledgerPartition(name) }
}

export type Locked = {
  readonly table: string
  /**
   * Lock on the ledger as a whole. Detaching a partition locks the ledger, and writers hold a lock
   * on it while they wait for their partition, so it is locked first.
   */
  readonly parent: 'share update exclusive' | 'access exclusive'
}

/**
 * Runs `work` in a snapshot that has everything written to a table, with its writers locked out
 * until the end. `lock table` is before the first statement, which takes the snapshot. Writers wait
 * meanwhile, so the lock is waited for a short time only.
 */
export async function withLocked<T>(
  sql: Sql,
  { table, parent }: Locked,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return (await sql.begin('isolation level repeatable read', async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${MONTH_LOCK_WAIT_MS}`)
    // The same order everywhere: a transaction that drops a month locks the parents first.
    await tx.unsafe(`lock table only event_ledger in ${parent} mode`)
    await tx`lock table ${tx(table)} in access exclusive mode`
    return await work(tx)
  })) as T
}

export function refused(words: string): AppError {
  return new AppError('failed_precondition', words, {
    detail: { type: 'validation_error', code: 'invalid_input', detail: words, attr: null },
  })
}
