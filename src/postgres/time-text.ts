import type { Db } from './db.ts'

/**
 * Text of a time in a statement: ISO 8601, microseconds, `Z`.
 * @param column of our own, with the alias of its table.
 */
export function timeText(db: Db, column: string) {
  return db`to_char(${db.unsafe(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
