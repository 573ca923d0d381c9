/** Counts of groups. */
import type { ProjectId } from '../../core/ids.ts'
import { run } from '../events/event-selection.ts'
import type { Db } from '../pool/db.ts'
import { type Fragment, fragment } from '../pool/fragment.ts'

/** Which groups of a project. */
type GroupSelection = {
  readonly project: ProjectId
  /** Of their type. */
  readonly index: number
  /** Over `p`, as conditions on persons are: `p.properties` are those of the group. */
  readonly where?: Fragment | undefined
}

/** @throws {PostgresError} 57014 when the time-out cuts it. */
export async function countGroupsThat(
  db: Db,
  { project, index, where }: GroupSelection,
): Promise<number> {
  const statement = fragment`
    select count(*)::float8 as count from (
      select g.type_index as id, g.properties from groups g
      where g.project_id = ${String(project)}::integer and g.type_index = ${String(index)}::integer
    ) p where ${where ?? fragment`true`}`
  const [row] = await run<{ count: number }>(db, statement, false)
  return row?.count ?? 0
}
