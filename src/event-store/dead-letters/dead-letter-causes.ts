/** Why the database refuses events, for all projects together. */
import type { Db } from '../../postgres/db.ts'

/** Causes of dead letters that are counted in one answer. */
const DEAD_LETTER_CAUSES_MAX = 100

export type DeadLetterCause = {
  readonly sqlstate: string
  /** Error of the newest one. */
  readonly error: string
  readonly count: number
  /** Number of projects that have them. */
  readonly projects: number
  /** ISO 8601 in UTC. */
  readonly oldestAt: string
  readonly newestAt: string
}

/** The most frequent first. */
export async function listDeadLetterCauses(db: Db): Promise<readonly DeadLetterCause[]> {
  return await db<DeadLetterCause[]>`
    select c.sqlstate, d.error, c.count, c.projects,
      to_char(c.oldest at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "oldestAt",
      to_char(c.newest at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "newestAt"
    from (
      select sqlstate, count(*)::float8 as count, count(distinct project_id)::int as projects,
        min(created_at) as oldest, max(created_at) as newest, max(id) as last
      from dead_letters group by sqlstate
      order by count(*) desc, sqlstate limit ${DEAD_LETTER_CAUSES_MAX}
    ) as c
    join dead_letters d on d.id = c.last
    order by c.count desc, c.sqlstate`
}
