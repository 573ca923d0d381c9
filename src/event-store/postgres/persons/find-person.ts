/** Finds persons by their uuids. */
import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../postgres/db.ts'

/** One distinct id of each of the persons, in no order; uuids that nobody has are left out. */
export async function distinctIdsOfUuids(
  db: Db,
  project: ProjectId,
  uuids: readonly string[],
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select d.id from persons p cross join lateral (
      select distinct_id as id from distinct_ids
      where project_id = ${project} and person_id = p.id limit 1
    ) d
    where p.project_id = ${project}
      and p.uuid = any(string_to_array(${uuids.join()}, ',')::uuid[])`
  return rows.map(({ id }) => id)
}
