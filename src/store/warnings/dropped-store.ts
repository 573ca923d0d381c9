/** Counts of events that were dropped, refused or changed, by the minute, and then by the day. */

import type { ProjectId } from '../../core/ids.ts'
import { NO_PROJECT_ID } from '../../events/warnings/ingestion-warning.ts'
import type { ReasonCount } from '../../events/warnings/warning-counts.ts'
import type { Db } from '../../postgres/db.ts'

/** Days that counts are kept. */
const DROPPED_DAYS = 35
/** Rows of dropped events that the status shows. */
const DROPPED_ROWS_MAX = 100

export type DroppedCount = {
  readonly projectId: number
  readonly reason: string
  readonly count: number
}

export type DroppedLately = {
  /** The most first. */
  readonly rows: readonly DroppedCount[]
  /** Number of events that are in no row. */
  readonly others: number
  /** ISO 8601, UTC. When the first minute began. */
  readonly since: string
}

/**
 * Adds to the minutes of the database's clock. Counts of a removed project are added without a
 * project.
 */
export async function addDropped(tx: Db, counts: readonly ReasonCount[]): Promise<void> {
  const rows = counts.map(({ projectId, type, ageMs, count }) => ({
    project_id: projectId,
    reason: type,
    age_s: ageMs / 1_000,
    count,
  }))
  await tx`
    insert into dropped_events as d (project_id, reason, minute, count)
    select coalesce(p.id, ${NO_PROJECT_ID}::integer) as project, i.reason,
      date_trunc('minute', now() - i.age_s * interval '1 second') as minute, sum(i.count)
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as i (project_id integer, reason text, age_s float8, count bigint)
    left join projects p on p.id = i.project_id
    group by project, i.reason, minute order by project, minute, i.reason
    on conflict (project_id, minute, reason) do update set count = d.count + excluded.count`
  await tx`
    with gone as (
      delete from dropped_events d using (
        select project_id, minute, reason from dropped_events
        where minute < now() - interval '2 hours' limit 1000 for update skip locked
      ) old
      where d.project_id = old.project_id and d.minute = old.minute and d.reason = old.reason
      returning d.*
    )
    insert into dropped_days as d (project_id, day, reason, count)
    select project_id, (minute at time zone 'UTC')::date as day, reason, sum(count)
    from gone where project_id <> ${NO_PROJECT_ID}::integer
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (project_id, day, reason) do update set count = d.count + excluded.count`
  await tx`
    delete from dropped_days d using (
      select project_id, day, reason from dropped_days
      where day < (now() at time zone 'UTC')::date - ${DROPPED_DAYS}::integer
      limit 1000 for update skip locked
    ) old
    where d.project_id = old.project_id and d.day = old.day and d.reason = old.reason`
}

/** Reads the last days of UTC that have ended, of one project, by reason, the most first. */
export async function droppedInDays(
  db: Db,
  project: ProjectId,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): Promise<readonly Omit<DroppedCount, 'projectId'>[]> {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  return await db<Omit<DroppedCount, 'projectId'>[]>`
    select reason, sum(count)::float8 as count from (
      select day, reason, count from dropped_days where project_id = ${project}
      union all
      select (minute at time zone 'UTC')::date, reason, count
      from dropped_events where project_id = ${project}
    ) counted
    where day >= ${today}::text::date - ${days}::integer and day < ${today}::text::date
    group by reason order by count desc, reason`
}

/** Reads the last hour of one project, with all its rows. */
export async function droppedOf(db: Db, project: ProjectId): Promise<DroppedLately> {
  const rows = await db<(DroppedCount & { since: string })[]>`
    with hour as (select date_trunc('minute', now()) - interval '59 minutes' as since)
    select ${project}::integer as "projectId", d.reason, sum(d.count)::float8 as count,
      to_char(hour.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from hour left join dropped_events d on d.minute >= hour.since and d.project_id = ${project}
    group by hour.since, d.reason order by count desc nulls last, d.reason`
  return withOthers(rows, 0)
}

/** Reads the last hour of all projects, and of requests that name none. */
export async function droppedOfAll(db: Db): Promise<DroppedLately> {
  const rows = await db<(DroppedCount & { since: string; total: number })[]>`
    with hour as (select date_trunc('minute', now()) - interval '59 minutes' as since)
    select d.project_id as "projectId", d.reason, sum(d.count)::float8 as count,
      to_char(hour.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since, (sum(sum(d.count)) over ())::float8 as total
    from hour left join dropped_events d on d.minute >= hour.since
    group by hour.since, d.project_id, d.reason
    order by count desc nulls last, d.project_id, d.reason limit ${DROPPED_ROWS_MAX}`
  const shown = rows.reduce((sum, { count }) => sum + (count ?? 0), 0)
  return withOthers(rows, (rows[0]?.total ?? shown) - shown)
}

/** Adds the number of other events. An hour without any has one row without a reason. */
function withOthers(
  found: readonly (DroppedCount & { readonly since: string })[],
  others: number,
): DroppedLately {
  const rows = found
    .filter(({ reason }) => reason !== null)
    .map(({ projectId, reason, count }) => ({ projectId, reason, count }))
  return { rows, others, since: found[0]?.since ?? '' }
}
