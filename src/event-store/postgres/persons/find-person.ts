/** Finds persons by their names. */
import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../postgres/db.ts'

/** A person is named by its number, its UUID, or one of its distinct ids. */
export type PersonName =
  | { readonly id: string }
  | { readonly uuid: string }
  | { readonly distinctId: string }

export type FoundPerson = {
  /** Decimal text. */
  readonly id: string
  readonly uuid: string
}

export async function findPerson(
  db: Db,
  project: ProjectId,
  name: PersonName,
): Promise<FoundPerson | undefined> {
  const [row] = await db<FoundPerson[]>`
    select p.id::text as id, p.uuid::text as uuid from persons p
    where p.project_id = ${project} and ${conditionOf(db, project, name)}`
  return row
}

function conditionOf(db: Db, project: ProjectId, name: PersonName) {
  if ('id' in name) return db`p.id = ${name.id}::text::bigint`
  if ('uuid' in name) return db`p.uuid = ${name.uuid}::text::uuid`
  return db`p.id = (
    select person_id from distinct_ids
    where project_id = ${project} and distinct_id = ${name.distinctId})`
}

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
