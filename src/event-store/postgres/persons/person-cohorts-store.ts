/** The cohorts that one person is in. */
import type { ProjectId } from '../../../core/ids.ts'
import type { Members } from '../../../events/trees/members.ts'
import type { Db } from '../../../postgres/db.ts'
import { commas, fragment, run } from '../../../postgres/fragment.ts'
import { isMember } from '../renderer/cohort-sql.ts'

/**
 * The ids of those of the cohorts that hold the person.
 * @param person decimal text.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function cohortsHolding(
  db: Db,
  project: ProjectId,
  person: string,
  cohorts: readonly { readonly id: number; readonly members: Members }[],
): Promise<ReadonlySet<number>> {
  if (cohorts.length === 0) return new Set()
  const each = cohorts.map(
    ({ id, members }) => fragment`case when ${isMember(members)} then ${String(id)}::integer end`,
  )
  const statement = fragment`
    select to_json(array_remove(array[${commas(each)}], null)) as ids from persons p
    where p.project_id = ${String(project)}::integer and p.id = ${person}::bigint`
  const [row] = await run<{ ids: readonly number[] }>(db, statement, false)
  return new Set(row?.ids)
}
