/** The minute, hour or day of a scheduled task that was taken last: one row for a config and kind. */
import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import type { Schedule } from '../../project/plugin-ports.ts'
import { inForce } from './plugin-store.ts'
import { versionColumn } from './plugin-version-store.ts'

/** A slot that is further ahead of the database's clock is the mistake of a worker's clock. */
const PLUGIN_SCHEDULE_SKEW_S = 60

/** The newest due time of one schedule: milliseconds since 1970. */
export type DueTime = { readonly schedule: Schedule; readonly dueMs: number }

export type ClaimedTask = {
  readonly configId: number
  readonly projectId: ProjectId
  readonly pluginId: number
  readonly pluginName: string
  readonly schedule: Schedule
}

/**
 * A task that has no row yet begins with the due time after this one: a plugin that was enabled at
 * noon does not make up for midnight.
 */
export async function beginSchedules(db: Db, dueTimes: readonly DueTime[]): Promise<void> {
  await db`
    with wanted as materialized (${wanted(db, dueTimes)})
    insert into plugin_schedules (plugin_config_id, kind, slot)
    select w.config_id, w.kind, w.slot from wanted w
    where not exists (
      select from plugin_schedules s where s.plugin_config_id = w.config_id and s.kind = w.kind
    )
    order by w.config_id, w.kind
    on conflict (plugin_config_id, kind) do nothing`
}

/**
 * Claims due tasks of configs in force that are not claimed yet. Two workers never claim the same
 * one. If there are many, any of them are claimed, so that concurrent workers share them.
 * @param busy configs whose tasks are left for later.
 */
export async function claimTasks(
  db: Db,
  dueTimes: readonly DueTime[],
  count: number,
  busy: readonly number[],
): Promise<readonly ClaimedTask[]> {
  return await db<ClaimedTask[]>`
    with wanted as materialized (${wanted(db, dueTimes)}),
    due as materialized (
      select w.* from wanted w
      join plugin_schedules s on s.plugin_config_id = w.config_id and s.kind = w.kind
      where s.slot < w.slot
        and not w.config_id = any (${busy.map(String)}::text[]::integer[])
      order by random() limit ${count}
    ), claimed as (
      insert into plugin_schedules as s (plugin_config_id, kind, slot)
      select config_id, kind, slot from due order by config_id, kind
      on conflict (plugin_config_id, kind) do update set slot = excluded.slot
      where s.slot < excluded.slot
      returning plugin_config_id, kind
    )
    select d.config_id as "configId", d.project_id as "projectId", d.plugin_id as "pluginId",
      d.plugin_name as "pluginName", d.kind as schedule
    from claimed join due d on d.config_id = claimed.plugin_config_id and d.kind = claimed.kind`
}

/** Due tasks. The capabilities that a plugin declares are untrusted: they may be any JSON. */
function wanted(db: Db, dueTimes: readonly DueTime[]) {
  return db`
    select distinct c.id as config_id, c.project_id, c.plugin_id, p.name as plugin_name, n.kind,
      n.slot
    from (
      select schedule as kind, to_timestamp("dueMs" / 1000) as slot
      from json_to_recordset(${JSON.stringify(dueTimes)}::text::json)
        as n (schedule text, "dueMs" float8)
    ) as n
    cross join plugin_configs c
    join plugins p on p.id = c.plugin_id
      and (${versionColumn(db, 'capabilities')})::jsonb -> 'scheduled_tasks' ? n.kind
    where ${inForce(db)} and n.slot <= now() + make_interval(secs => ${PLUGIN_SCHEDULE_SKEW_S})`
}
