/** Reads back how many events of a bench are stored. */
import type { Log } from '../../src/core/log.ts'
import { createSql } from '../../src/postgres/connect.ts'
import type { ReadBack } from './conservation.ts'
import { COUNT_MS_MAX } from './machine/database.ts'
import type { BenchPlan } from './plan/plan.ts'
import { countEvents, isManaged } from './workload/management-api.ts'

type Opened = { readonly readBack: ReadBack; close(): Promise<void> }

/**
 * Counts events under names of which others may have some: those that are there now do not count.
 * @param names the first is of this bench alone.
 * @throws what counting throws.
 */
export async function openReadBack(
  plan: BenchPlan,
  names: readonly string[],
  log: Log,
): Promise<Opened | undefined> {
  const opened = findReadBack(plan, names, log)
  if (opened === undefined || names.length === 1) return opened
  try {
    const before = await opened.readBack()
    return { ...opened, readBack: async () => (await opened.readBack()) - before }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/**
 * The way to count this bench's stored events: the database where its URL was given, else the API
 * where every project can be asked. Undefined when neither is.
 */
function findReadBack(plan: BenchPlan, names: readonly string[], log: Log): Opened | undefined {
  if (!plan.readBack) return undefined
  if (plan.databaseUrl !== undefined) return databaseReadBack(plan.databaseUrl, names, log)
  const managed = plan.projects.filter(isManaged)
  if (managed.length < plan.projects.length) return undefined
  return {
    readBack: async () => {
      let count = 0
      for (const project of managed) {
        for (const name of names) count += await countEvents(plan.url, project, name)
      }
      return count
    },
    close: async () => {},
  }
}

function databaseReadBack(url: string, names: readonly string[], log: Log): Opened {
  const sql = createSql(url, {
    applicationName: 'sluice-bench',
    log,
    connectionsMax: 1,
    statementTimeoutMs: COUNT_MS_MAX,
  })
  return {
    readBack: async () => {
      // The ledger has no names: counters give the number, which the number of keys bounds.
      const rows = await sql<{ count: number }[]>`
        select case when exists (
            select from pg_inherits where inhparent = 'event_ledger'::regclass
          ) then least(
            (select coalesce(sum(count), 0) from event_counts where event = any (${names}::text[])),
            (select count(*) from event_ledger) + (select count(*) from events)
          ) else (
            select count(*) from events where event = any (${names}::text[])
          ) end::float8 as count`
      return rows[0]?.count ?? 0
    },
    close: () => sql.end({ timeout: 5 }),
  }
}
