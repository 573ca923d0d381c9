import type { ProjectId } from '../../core/ids.ts'
import type { JsonObject } from '../../flags/definition.ts'
import type {
  ContinuityRow,
  GroupLookup,
  PersonLookup,
  StoredGroup,
  StoredPerson,
} from '../../project/ports.ts'
import type { Db } from '../pool/db.ts'

/**
 * What is stored about the owners of distinct ids, for many questions in one statement. A lookup
 * whose distinct id nobody owns has no row. Overrides and cohorts are read where asked for.
 */
export async function loadPersons(
  db: Db,
  lookups: readonly PersonLookup[],
): Promise<ReadonlyMap<number, StoredPerson>> {
  const rows = await db<
    {
      n: number
      personId: bigint
      properties: JsonObject
      overrides: Record<string, string> | null
      cohorts: number[] | null
    }[]
  >`
    select q.n::integer as n, p.id as "personId", p.properties,
      case when q.overrides then (
        select json_object_agg(o.flag_key, o.hash_key) from flag_hash_key_overrides o
        where o.project_id = q.project_id and o.person_id = p.id
      ) end as overrides,
      case when q.cohorts then (
        select array_agg(c.cohort_id) from cohort_people c where c.person_id = p.id
      ) end as cohorts
    from rows from (
      jsonb_to_recordset(${JSON.stringify(lookups)}::text::jsonb)
        as ("projectId" integer, "distinctId" text, overrides boolean, cohorts boolean)
    ) with ordinality as q (project_id, distinct_id, overrides, cohorts, n)
    join distinct_ids d on d.project_id = q.project_id and d.distinct_id = q.distinct_id
    join persons p on p.id = d.person_id`
  return new Map(
    rows.map(({ n, personId, properties, overrides, cohorts }) => [
      n - 1,
      {
        personId,
        properties,
        overrides: new Map(Object.entries(overrides ?? {})),
        cohortIds: new Set(cohorts ?? []),
      },
    ]),
  )
}

/** Properties of groups, by the position of their lookup; unknown groups have no entry. */
export async function loadGroups(
  db: Db,
  lookups: readonly GroupLookup[],
): Promise<ReadonlyMap<number, StoredGroup>> {
  const rows = await db<{ n: number; properties: JsonObject }[]>`
    select q.n::integer as n, g.properties
    from rows from (
      jsonb_to_recordset(${JSON.stringify(lookups)}::text::jsonb)
        as ("projectId" integer, type text, key text)
    ) with ordinality as q (project_id, group_type, group_key, n)
    join group_types t on t.project_id = q.project_id and t.group_type = q.group_type
    join groups g on g.project_id = q.project_id and g.type_index = t.type_index
      and g.group_key = q.group_key`
  return new Map(rows.map(({ n, properties }) => [n - 1, { properties }]))
}

/**
 * Stores hash keys of experience continuity. The first entry of a person and flag wins for ever.
 * Nothing is kept of a project that is gone.
 */
export async function insertContinuity(
  db: Db,
  project: ProjectId,
  rows: readonly ContinuityRow[],
): Promise<void> {
  const texts = rows.map(({ personId, ...rest }) => ({ ...rest, personId: String(personId) }))
  await db`
    insert into flag_hash_key_overrides (project_id, person_id, flag_key, hash_key)
    select o.id, r."personId", r."flagKey", r."hashKey"
    from projects o
    cross join jsonb_to_recordset(${JSON.stringify(texts)}::text::jsonb)
      as r ("personId" bigint, "flagKey" text, "hashKey" text)
    join persons p on p.id = r."personId"
    where o.id = ${project}
    order by r."personId", r."flagKey"
    on conflict do nothing`
}
