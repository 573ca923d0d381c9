/** Access of a bench to the database of the product under load. */
import { silentLog } from '../../../src/core/log.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'

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

const LOG_MESSAGE_BYTES = 1_000_000

/**
 * Makes the database's log one that has been through a checkpoint or two, as it is on an instance
 * of an hour's work: its files are then used over again. In a young database each new 16 MB are
 * filled with zeros in the middle of a commit, which takes some 50 ms and is most of a p99.
 * @param bytes that captures may write after it.
 */
export async function ageLog(url: string, bytes = 1_000_000_000): Promise<void> {
  const messages = Math.ceil(bytes / LOG_MESSAGE_BYTES)
  await withDatabase(url, async (sql) => {
    await sql`
      select count(pg_logical_emit_message(false, 'bench', repeat('x', ${LOG_MESSAGE_BYTES}::integer)))
      from generate_series(1, ${messages}::integer)`
    await sql`checkpoint`
  })
}
