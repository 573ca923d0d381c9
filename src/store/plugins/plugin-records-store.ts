/** Writes log entries of plugins and counts of their calls. */
import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import { toUnavailable } from '../../postgres/failures.ts'

export type NewPluginLog = {
  /** UUID: a second write of it changes nothing. */
  readonly id: string
  readonly projectId: ProjectId
  readonly pluginId: number
  readonly configId: number
  /** ISO 8601. */
  readonly timestamp: string
  readonly source: string
  readonly type: string
  /** Message without characters that no store can hold. */
  readonly message: string
  readonly instanceId: string
}

/** Calls of one config in one minute by outcome. */
export type PluginCounts = {
  readonly configId: number
  /** ISO 8601, a whole minute. */
  readonly minute: string
  readonly category: string
  readonly successes: number
  readonly successesOnRetry: number
  readonly failures: number
}

/** Writes each in one statement, and skips removed projects and configs. */
export type PluginRecordsStore = {
  /** @throws {AppError} `unavailable` when it may be tried again. */
  writeLogs(entries: readonly NewPluginLog[]): Promise<void>
  /**
   * Adds to what is there. When the answer was lost, a second try may count twice.
   * @throws {AppError} `unavailable` when it may be tried again.
   */
  addCounts(counts: readonly PluginCounts[]): Promise<void>
}

export function createPluginRecordsStore(db: Db): PluginRecordsStore {
  return {
    writeLogs: (entries) => sorted(insertLogs(db, entries)),
    addCounts: (counts) => sorted(upsertCounts(db, counts)),
  }
}

async function insertLogs(db: Db, entries: readonly NewPluginLog[]): Promise<void> {
  await db`
    insert into plugin_log_entries
      (id, project_id, plugin_id, plugin_config_id, timestamp, source, type, message, instance_id)
    select e.id, p.id, e."pluginId", e."configId", e.timestamp, e.source, e.type, e.message,
      e."instanceId"
    from json_to_recordset(${JSON.stringify(entries)}::text::json) as e (
      id uuid, "projectId" integer, "pluginId" integer, "configId" integer,
      timestamp timestamptz, source text, type text, message text, "instanceId" uuid
    )
    join projects p on p.id = e."projectId"
    on conflict (id) do nothing`
}

async function upsertCounts(db: Db, counts: readonly PluginCounts[]): Promise<void> {
  await db`
    insert into plugin_metrics as m
      (plugin_config_id, minute, category, successes, successes_on_retry, failures)
    select c.id, n.minute, n.category, n.successes, n."successesOnRetry", n.failures
    from json_to_recordset(${JSON.stringify(counts)}::text::json) as n (
      "configId" integer, minute timestamptz, category text, successes bigint,
      "successesOnRetry" bigint, failures bigint
    )
    join plugin_configs c on c.id = n."configId"
    order by c.id, n.minute, n.category
    on conflict (plugin_config_id, minute, category) do update set
      successes = m.successes + excluded.successes,
      successes_on_retry = m.successes_on_retry + excluded.successes_on_retry,
      failures = m.failures + excluded.failures`
}

async function sorted(statement: Promise<void>): Promise<void> {
  try {
    await statement
  } catch (error) {
    throw toUnavailable(error) ?? error
  }
}
