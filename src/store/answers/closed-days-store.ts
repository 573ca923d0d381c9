/** How many events the days of a project have that have ended. */
import { type ProjectId, projectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import type { Days } from './query-cache.ts'

/**
 * A project with many events. A new version means that some were stored or removed, that answers
 * about them were forgotten, or that its goals or test accounts are others.
 */
export type ClosedDays = { readonly project: ProjectId; readonly version: string }

type Row = { readonly project: number; readonly version: string }

/** Closed days of each project with enough events. @param eventsMin in all the days together. */
export async function closedDays(
  db: Db,
  { first, last }: { readonly first: number; readonly last: Days['last'] },
  eventsMin: number,
): Promise<readonly ClosedDays[]> {
  const rows = await db<Row[]>`
    select c.project_id as project, ${first}::text || ' ' || c.events || ' ' || coalesce((
        select sum(count) from project_changes
        where project_id = c.project_id and kind in ('deletion', 'forgotten')), 0)
      || ' ' || md5(p.web_goals::text || p.test_account_filters::text) as version
    from (
      select project_id, sum(count) as events from event_counts
      where day >= date 'epoch' + ${first}::integer and day <= date 'epoch' + ${last}::integer
      group by 1
    ) c join projects p on p.id = c.project_id
    where c.events >= ${eventsMin} order by 1`
  return rows.map(({ project, version }) => ({ project: projectId(project), version }))
}
