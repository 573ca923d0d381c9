/** Queries about persons that ClickHouse as the store of events sends to Postgres. */
import type { ProjectId } from '../../../core/ids.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'
import { filterSql } from '../renderer/filter-sql.ts'
import { PERSON, SIZE_OF_PERSON } from './event-rows.ts'

/**
 * Distinct ids of the persons that a filter on persons holds for, or does not, as many as `limit`,
 * in no order.
 */
export async function idsOfPersons(
  db: Db,
  project: ProjectId,
  where: FilterNode,
  { holds, limit }: { readonly holds: boolean; readonly limit: number },
): Promise<readonly string[]> {
  // A test of a missing property is null, which does not hold.
  const test = fragment`coalesce(${filterSql(where, project)}, false)`
  const statement = fragment`
    select d.distinct_id as "distinctId" from persons p join distinct_ids d on d.person_id = p.id
    where p.project_id = ${String(project)}::integer and d.project_id = ${String(project)}::integer
      and ${test} = ${String(holds)}::boolean
    limit ${String(limit)}::bigint`
  const rows = await run<{ distinctId: string }>(db, statement, false)
  return rows.map(({ distinctId }) => distinctId)
}

/** Distinct ids of one person, as many as `limit`, in no order. */
export async function idsOfPerson(
  db: Db,
  project: ProjectId,
  person: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db<{ distinctId: string }[]>`
    select distinct_id as "distinctId" from distinct_ids
    where project_id = ${project} and person_id = ${person}::text::bigint limit ${limit}`
  return rows.map(({ distinctId }) => distinctId)
}

export type ShownPerson = {
  readonly distinctId: string
  /** JSON text: what events show of their person. */
  readonly person: string
  /** Bytes that it adds to a page. */
  readonly bytes: number
}

/** The persons of distinct ids, of those that have one. */
export async function personsOfIds(
  db: Db,
  project: ProjectId,
  ids: readonly string[],
): Promise<readonly ShownPerson[]> {
  const statement = fragment`
    select d.distinct_id as "distinctId", ${PERSON} as person, ${SIZE_OF_PERSON}::float8 as bytes
    from distinct_ids d join persons p on p.id = d.person_id
    where d.project_id = ${String(project)}::integer and d.distinct_id = any(
      array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`
  return await run<ShownPerson>(db, statement, false)
}
