/** Names, locks and errors for moving a month in either direction. */
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { MONTH_LOCK_WAIT_MS } from '../../core/limits/limits-columns.ts'
import type { ColumnStore } from '../events-clickhouse/connect.ts'
import { ledgerPartition, partitionOfMonth } from '../ingest/partitions.ts'
import type { Sql } from '../pool/connect.ts'
import type { Db } from '../pool/db.ts'

export type MoveDeps = {
  /** For statements that take long. */
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
   * What is done to the ledger as a whole. A partition that is taken off locks it, and writers hold
   * it while they wait for their partition: then it has to come first.
   */
  readonly parent: 'share update exclusive' | 'access exclusive'
}

/**
 * A snapshot of which nothing is missing of a table: all that was written to it, and nobody writes
 * to it before the end. `lock table` comes before the first statement that would take a snapshot.
 * Writers that come meanwhile wait, so the lock is waited for a short time only.
 */
export async function withLocked<T>(
  sql: Sql,
  { table, parent }: Locked,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return (await sql.begin('isolation level repeatable read', async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${MONTH_LOCK_WAIT_MS}`)
    // In this order everywhere: who drops a month holds the parents first.
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
