import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'

/** Days that log entries and counts of plugins are kept; rows removed at a time. */
const PLUGIN_LOG_DAYS = 7
export const PLUGIN_LOG_SWEEP_ROWS = 10_000

export type PluginLogEntry = {
  readonly id: string
  readonly projectId: ProjectId
  readonly pluginId: number
  readonly pluginConfigId: number
  /** ISO 8601, microseconds, `Z`. */
  readonly timestamp: string
  readonly source: string
  readonly type: string
  readonly message: string
  readonly instanceId: string
}

/** Selection of a config's entries; bounds are exclusive, microseconds since 1970 as decimal text. */
export type LogSelection = {
  readonly project: ProjectId
  readonly config: number
  readonly after: string | undefined
  readonly before: string | undefined
  /** Part of the message, whatever the case; empty is none. */
  readonly search: string
  /** Empty is all. */
  readonly types: readonly string[]
}

/** Newest first. */
export async function listPluginLogs(
  db: Db,
  selection: LogSelection,
  page: { limit: number; offset: number },
): Promise<PluginLogEntry[]> {
  return await db<PluginLogEntry[]>`
    select id, project_id as "projectId", plugin_id as "pluginId",
      plugin_config_id as "pluginConfigId",
      to_char(timestamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as timestamp,
      source, type, message, instance_id as "instanceId"
    from plugin_log_entries l
    where ${selected(db, selection)}
    order by l.timestamp desc, l.id desc limit ${page.limit} offset ${page.offset}`
}

export async function countPluginLogs(db: Db, selection: LogSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::float8 as count from plugin_log_entries l where ${selected(db, selection)}`
  return row?.count ?? 0
}

function selected(db: Db, { project, config, after, before, search, types }: LogSelection) {
  return db`
    l.plugin_config_id = ${config} and l.project_id = ${project}
    ${after === undefined ? db`` : db`and l.timestamp > ${instant(db, after)}`}
    ${before === undefined ? db`` : db`and l.timestamp < ${instant(db, before)}`}
    ${types.length === 0 ? db`` : db`and l.type = any(${[...types]}::text[])`}
    ${search === '' ? db`` : db`and strpos(lower(l.message), lower(${search}::text)) > 0`}`
}

/** Bound as a number: Postgres reads no year 0000. */
function instant(db: Db, micros: string) {
  return db`(timestamptz 'epoch' + ${micros}::text::bigint * interval '1 microsecond')`
}

/** Removes expired log entries and counts of calls, a bounded number at a time. */
export async function removeOldPluginRecords(db: Db, signal: AbortSignal): Promise<void> {
  for (const remove of [removeOldLogs, removeOldMetrics]) {
    let removed = PLUGIN_LOG_SWEEP_ROWS
    while (removed === PLUGIN_LOG_SWEEP_ROWS && !signal.aborted) removed = await remove(db)
  }
}

async function removeOldLogs(db: Db): Promise<number> {
  const removed = await db`
    delete from plugin_log_entries where id in (
      select id from plugin_log_entries
      where timestamp < now() - make_interval(days => ${PLUGIN_LOG_DAYS})
      order by timestamp limit ${PLUGIN_LOG_SWEEP_ROWS}
    )`
  return removed.count
}

async function removeOldMetrics(db: Db): Promise<number> {
  const removed = await db`
    delete from plugin_metrics where (plugin_config_id, minute, category) in (
      select plugin_config_id, minute, category from plugin_metrics
      where minute < now() - make_interval(days => ${PLUGIN_LOG_DAYS})
      order by minute limit ${PLUGIN_LOG_SWEEP_ROWS}
    )`
  return removed.count
}
