/**
 * Flag calls that libraries have reported: rows of `flag_usage`, summed over the writers' slots.
 */
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { Db } from '../../postgres/db.ts'
import { KEPT_DAYS } from './kept-days.ts'

/** How many days back reports are counted, today among them; older ones are removed. */
export const FLAG_USAGE_DAYS = 90

export type FlagCalls = {
  readonly id: number
  readonly key: string
  readonly active: boolean
  readonly filters: Json
  /** Milliseconds since 1970. */
  readonly createdAtMs: number
  readonly changedAtMs: number
  /** The newest report of the last `FLAG_USAGE_DAYS`; null when there is none. */
  readonly calledAtMs: number | null
  /** Reports of the last days that were asked for. */
  readonly count: number
}

/**
 * Flags with what is reported of them, newest first; deleted ones are hidden.
 * @param only the flag with this id, deleted or not.
 */
export async function listFlagCalls(
  db: Db,
  project: ProjectId,
  {
    days,
    only,
    limit,
    offset,
  }: {
    readonly days: number
    readonly only?: number
    readonly limit: number
    readonly offset: number
  },
): Promise<FlagCalls[]> {
  const which = only === undefined ? db`not f.deleted` : db`f.id = ${only}`
  return await db<FlagCalls[]>`
    select f.id, f.key, f.active, f.filters,
      extract(epoch from f.created_at)::float8 * 1000 as "createdAtMs",
      extract(epoch from f.updated_at)::float8 * 1000 as "changedAtMs",
      extract(epoch from u.last_at)::float8 * 1000 as "calledAtMs",
      coalesce(u.count, 0)::float8 as count
    from feature_flags f left join lateral (
      select max(last_at) as last_at,
        sum(count) filter (where day > (now() at time zone 'UTC')::date - ${days}::integer) as count
      from flag_usage where project_id = f.project_id and key = f.key
    ) u on true
    where f.project_id = ${project} and ${which}
    order by f.created_at desc, f.id desc limit ${limit} offset ${offset}`
}

/** Whether libraries report calls of any flag of the project. */
export async function hasFlagReports(db: Db, project: ProjectId): Promise<boolean> {
  const [row] = await db<{ has: boolean }[]>`
    select exists (select from flag_usage where project_id = ${project}) as has`
  return row?.has === true
}

export type DayOfCalls = {
  /** YYYY-MM-DD, UTC. */
  readonly day: string
  /** Empty: one that the flag did not have. */
  readonly value: string
  readonly count: number
  /** Milliseconds since 1970. */
  readonly calledAtMs: number
}

/** The last `days` days, today among them; days without a report are left out. */
export async function listDaysOfCalls(
  db: Db,
  project: ProjectId,
  key: string,
  days: number,
): Promise<DayOfCalls[]> {
  return await db<DayOfCalls[]>`
    select to_char(day, 'YYYY-MM-DD') as day, value, sum(count)::float8 as count,
      extract(epoch from max(last_at))::float8 * 1000 as "calledAtMs"
    from flag_usage
    where project_id = ${project} and key = ${key}
      and day > (now() at time zone 'UTC')::date - ${days}::integer
      and day <= (now() at time zone 'UTC')::date
    group by 1, 2 order by 1, 2`
}

/** Days that are no longer kept: of all projects, and of those that keep events for a shorter time. */
export async function removeOldFlagUsage(db: Db): Promise<void> {
  await db`
    delete from flag_usage where day <= (now() at time zone 'UTC')::date - ${FLAG_USAGE_DAYS}::integer`
  await db`
    delete from flag_usage u using projects p
    where p.id = u.project_id and ${db.unsafe(KEPT_DAYS)} < ${FLAG_USAGE_DAYS}::integer
      and u.day < (now() at time zone 'UTC')::date - ${db.unsafe(KEPT_DAYS)}`
}
