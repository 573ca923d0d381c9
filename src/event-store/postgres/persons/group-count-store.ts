/** Counts of groups. */
import type { ProjectId } from '../../../core/ids.ts'
import type { Members } from '../../../events/trees/members.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'
import { isMember } from '../renderer/cohort-sql.ts'

/** Selection of groups of a project. */
type GroupSelection = {
  readonly project: ProjectId
  /** Index of their type. */
  readonly index: number
  /** Conditions as on persons, over the properties of the group. */
  readonly who?: Members | undefined
}

/** @throws {PostgresError} 57014 when the time-out cuts it. */
export async function countGroupsThat(
  db: Db,
  { project, index, who }: GroupSelection,
): Promise<number> {
  const statement = fragment`
    select count(*)::float8 as count from (
      select g.type_index as id, g.properties from groups g
      where g.project_id = ${String(project)}::integer and g.type_index = ${String(index)}::integer
    ) p where ${who === undefined ? fragment`true` : isMember(who)}`
  const [row] = await run<{ count: number }>(db, statement, false)
  return row?.count ?? 0
}
