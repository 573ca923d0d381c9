import { silentLog } from '../../../src/core/log.ts'
import { createSql, destroySql, type Sql } from '../../../src/store/pool/connect.ts'

/** Counting some ten million rows takes seconds. */
export const COUNT_MS_MAX = 120_000

/** One connection for as long as `work` takes. */
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
    await destroySql(sql)
  }
}
