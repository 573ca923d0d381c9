/** Access of a bench to the database of the product under load. */
import { silentLog } from '../../../src/core/log.ts'
import { createSql, type Sql } from '../../../src/store/pool/connect.ts'

/** Counting some ten million rows takes seconds. */
export const COUNT_MS_MAX = 120_000

/** Opens one connection, runs `work` with it, and closes it. */
export async function withDatabase<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = createSql(url, {
    applicationName: 'sluice-bench',
    log: silentLog,
    connectionsMax: 1,
    statementTimeoutMs: COUNT_MS_MAX,
  })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 0 })
  }
}
