import type { Sql } from './connect.ts'
import type { Db } from './db.ts'
import { failureCode, INVALID_REGEX } from './failures.ts'

/** Bounds each of a transaction's statements from here on; whole milliseconds, at least 1. */
export async function limitStatements(tx: Db, timeoutMs: number): Promise<void> {
  await tx`select set_config('statement_timeout', ${String(timeoutMs)}, true)`
}

/**
 * False when Postgres refuses the pattern.
 * @throws {PostgresError} 57014 when compiling it takes longer than `timeoutMs`.
 */
export async function acceptsPattern(
  sql: Sql,
  pattern: string,
  timeoutMs: number,
): Promise<boolean> {
  try {
    await sql.begin('read only', async (tx) => {
      await limitStatements(tx, timeoutMs)
      await tx`select '' ~ ${pattern}::text`
    })
    return true
  } catch (error) {
    if (failureCode(error) === INVALID_REGEX) return false
    throw error
  }
}

/** Reads in one snapshot, so that count and page agree. */
export async function readEvents<T>(sql: Sql, work: (tx: Db) => Promise<{ value: T }>): Promise<T> {
  const { value } = await sql.begin('isolation level repeatable read read only', work)
  return value
}
