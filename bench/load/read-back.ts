/** Reads back how many events of a bench are stored. */
import type { Log } from '../../src/core/log.ts'
import { createSql } from '../../src/store/pool/connect.ts'
import type { ReadBack } from './conservation.ts'
import { COUNT_MS_MAX } from './machine/database.ts'
import type { BenchPlan } from './plan/plan.ts'
import { countEvents, isManaged } from './workload/management-api.ts'

/**
 * The way to count this bench's stored events: the database where its URL was given, else the API
 * where every project can be asked. Undefined when neither is.
 */
export function findReadBack(
  plan: BenchPlan,
  eventName: string,
  log: Log,
): { readBack: ReadBack; close(): Promise<void> } | undefined {
  if (!plan.readBack) return undefined
  if (plan.databaseUrl !== undefined) return databaseReadBack(plan.databaseUrl, eventName, log)
  const managed = plan.projects.filter(isManaged)
  if (managed.length < plan.projects.length) return undefined
  return {
    readBack: async () => {
      let count = 0
      for (const project of managed) count += await countEvents(plan.url, project, eventName)
      return count
    },
    close: async () => {},
  }
}

function databaseReadBack(
  url: string,
  eventName: string,
  log: Log,
): { readBack: ReadBack; close(): Promise<void> } {
  const sql = createSql(url, {
    applicationName: 'sluice-bench',
    log,
    connectionsMax: 1,
    statementTimeoutMs: COUNT_MS_MAX,
  })
  return {
    readBack: async () => {
      const rows = await sql<{ count: number }[]>`
        select count(*)::int as count from events where event = ${eventName}`
      return rows[0]?.count ?? 0
    },
    close: () => sql.end({ timeout: 5 }),
  }
}
