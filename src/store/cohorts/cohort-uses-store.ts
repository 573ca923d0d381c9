/** Saved insights and dashboards that may name a cohort. */
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { Db } from '../../postgres/db.ts'

/** Insights, and dashboards, that are looked through for the uses of a cohort. */
const COHORT_USES_READ_MAX = 1_000

export type NamingInsight = {
  readonly shortId: string
  readonly name: string
  readonly query: Json
}

export type NamingDashboard = {
  readonly id: number
  readonly name: string
  readonly filters: Json
}

/** Insights whose question has the word and the id somewhere, the last changed first. */
export async function insightsThatMayName(
  db: Db,
  project: ProjectId,
  cohort: number,
): Promise<NamingInsight[]> {
  return await db<NamingInsight[]>`
    select short_id as "shortId", name, query from insights
    where project_id = ${project} and not deleted
      and position('cohort' in query::text) > 0
      and position(${String(cohort)} in query::text) > 0
    order by last_modified_at desc, id desc limit ${COHORT_USES_READ_MAX}`
}

/** Dashboards whose filters have them, the last changed first. */
export async function dashboardsThatMayName(
  db: Db,
  project: ProjectId,
  cohort: number,
): Promise<NamingDashboard[]> {
  return await db<NamingDashboard[]>`
    select id, name, filters from dashboards
    where project_id = ${project} and not deleted
      and position('cohort' in filters::text) > 0
      and position(${String(cohort)} in filters::text) > 0
    order by last_modified_at desc, id desc limit ${COHORT_USES_READ_MAX}`
}
