/** Counters of event definitions: how often events of a name were stored, and queried. */

import type { ProjectId } from '../../core/ids.ts'
import { limitStatements } from '../../postgres/bounded-reads.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'

/**
 * Sets `volume_30_day` and `query_usage_30_day` of every event definition from the counters, where
 * they differ. Meant for a loop of a few minutes; two workers that do it at once only do the work
 * twice.
 */
export async function refreshVolumes(sql: Sql): Promise<void> {
  await refresh(sql, undefined)
}

/**
 * As `refreshVolumes`, for one project.
 * @throws {PostgresError} `QUERY_CANCELED` when it takes longer.
 */
export async function refreshVolumesOf(
  sql: Sql,
  project: ProjectId,
  timeoutMs: number,
): Promise<void> {
  await sql.begin(async (tx) => {
    await limitStatements(tx, timeoutMs)
    await refresh(tx, project)
  })
}

async function refresh(db: Db, project: ProjectId | undefined): Promise<void> {
  const ofProject = project === undefined ? db`` : db`and project_id = ${project}`
  const ofDefinition = project === undefined ? db`` : db`and d.project_id = ${project}`
  await db`
    with volume as (
      select project_id, event, sum(count)::bigint as total from event_counts
      where day > (now() at time zone 'UTC')::date - 30 ${ofProject}
      group by project_id, event
    ), usage as (
      select project_id, event, sum(count)::bigint as total from event_query_counts
      where day > (now() at time zone 'UTC')::date - 30 ${ofProject}
      group by project_id, event
    ), changed as (
      select d.id, coalesce(v.total, 0) as volume, coalesce(u.total, 0) as usage
      from event_definitions d
      left join volume v on v.project_id = d.project_id and v.event = d.name
      left join usage u on u.project_id = d.project_id and u.event = d.name
      where (d.volume_30_day <> coalesce(v.total, 0)
        or d.query_usage_30_day <> coalesce(u.total, 0)) ${ofDefinition}
      order by d.project_id, d.name
      for no key update of d
    )
    update event_definitions d set volume_30_day = c.volume, query_usage_30_day = c.usage
    from changed c where d.id = c.id`
}

/**
 * Adds to today's counts of lists that queried an event. Names without a definition are not
 * counted: otherwise a client could fill the table with invented names.
 */
export async function addQueryCounts(
  db: Db,
  counts: readonly { projectId: ProjectId; event: string; count: number }[],
): Promise<void> {
  await db`
    insert into event_query_counts as c (project_id, event, day, count)
    select d.project_id, d.name, (now() at time zone 'UTC')::date, i.count
    from jsonb_to_recordset(${JSON.stringify(counts)}::text::jsonb)
      as i ("projectId" integer, event text, count bigint)
    join projects p on p.id = i."projectId"
    join event_definitions d on d.project_id = p.id and d.name = i.event
    order by d.project_id, d.name
    on conflict (project_id, event, day) do update set count = c.count + excluded.count`
}

/** Deletes counts of days that no statistic reads any more. */
export async function removeOldQueryCounts(db: Db): Promise<void> {
  await db`
    delete from event_query_counts where day <= (now() at time zone 'UTC')::date - 30`
}
