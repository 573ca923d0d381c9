/** Group types of a project and the groups themselves, as a flush writes them. */

import { type ProjectId, type Revision, revision } from '../../../core/ids.ts'
import type { Members } from '../../../events/trees/members.ts'
import { intArray, toColumns } from '../../../postgres/columns.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'
import { isMember } from '../renderer/cohort-sql.ts'
import { fits } from './property-bounds.ts'

/** Group types of a project that have an index, 0 to 4. */
export const GROUP_TYPES_MAX = 5
/** First key of the advisory lock; the second is the project. */
const GROUP_TYPES_LOCK = 7_305_112

export type GroupTypes = ReadonlyMap<string, number>

export type AssignedGroupTypes = {
  /** The project's whole map. */
  readonly types: GroupTypes
  /** Revision of the project after a type was added, since its flags may be about it. */
  readonly raised: Revision | undefined
}

/**
 * Gives the types an index each in the order given, as long as there are any. `undefined` when the
 * project does not exist.
 */
export async function assignGroupTypes(
  sql: Sql,
  projectId: number,
  types: readonly string[],
): Promise<AssignedGroupTypes | undefined> {
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${GROUP_TYPES_LOCK}, ${projectId})`
    const [project] = await tx`select 1 from projects where id = ${projectId}`
    if (project === undefined) return undefined
    const rows = await tx<{ group_type: string; type_index: number }[]>`
      select group_type, type_index from group_types where project_id = ${projectId}`
    const known = new Map(rows.map((row) => [row.group_type, row.type_index]))
    const before = known.size
    for (const type of types) {
      if (known.has(type) || known.size >= GROUP_TYPES_MAX) continue
      const index = known.size
      await tx`
        insert into group_types (project_id, group_type, type_index)
        values (${projectId}, ${type}, ${index})`
      known.set(type, index)
    }
    if (known.size === before) return { types: known, raised: undefined }
    const [raised] = await tx<{ revision: bigint }[]>`
      update projects set revision = revision + 1 where id = ${projectId} returning revision`
    return { types: known, raised: raised && revision(Number(raised.revision)) }
  })
}

export type GroupUpsert = {
  readonly projectId: number
  readonly typeIndex: number
  readonly key: string
  /** JSON text of an object. */
  readonly properties: string
  readonly createdAt: string
}

export type WrittenGroup = {
  readonly project_id: number
  readonly type_index: number
  readonly group_key: string
  /** Properties would be too large: the group was left as it was, or made without them. */
  readonly refused: boolean
}

const MERGED = 'g.properties || excluded.properties'

/** A group is created in any case, without properties that are too large by themselves. */
const UPSERT = `
  with asked as (
    select project_id, type_index, group_key, properties::jsonb as properties, created_at
    from unnest(
      $1::int[], $2::smallint[], string_to_array($3, $6), string_to_array($4, $6),
      string_to_array($5, $6)::timestamptz[]
    ) as i (project_id, type_index, group_key, properties, created_at)
  ), input as materialized (
    select *, (${fits('properties', "'{}'")}) as fits from asked
  ), upserted as (
    insert into groups as g (project_id, type_index, group_key, properties, created_at)
    select project_id, type_index, group_key, case when fits then properties else '{}' end,
      created_at
    from input order by project_id, type_index, group_key
    on conflict (project_id, type_index, group_key) do update
    set properties = ${MERGED}, created_at = least(g.created_at, excluded.created_at)
    where (${MERGED} is distinct from g.properties or excluded.created_at < g.created_at)
      and (${fits(`(${MERGED})`, 'g.properties')})
    returning project_id, type_index, group_key
  )
  select project_id, type_index, group_key, false as refused from upserted
  union all
  select i.project_id, i.type_index, i.group_key, true
  from input i left join groups g using (project_id, type_index, group_key)
  where not i.fits or (
    g.properties || i.properties is distinct from g.properties and g.project_id is not null
    and (i.project_id, i.type_index, i.group_key) not in (select * from upserted)
  )`

/** Creates or updates groups, each named once. @returns those that are new, changed or refused. */
export async function upsertGroups(
  db: Db,
  groups: readonly GroupUpsert[],
): Promise<readonly WrittenGroup[]> {
  if (groups.length === 0) return []
  const { texts, separator } = toColumns([
    groups.map((each) => each.key),
    groups.map((each) => each.properties),
    groups.map((each) => each.createdAt),
  ])
  const owners = intArray(groups.map((each) => each.projectId))
  const indexes = intArray(groups.map((each) => each.typeIndex))
  return await db.unsafe<WrittenGroup[]>(UPSERT, [owners, indexes, ...texts, separator], {
    prepare: true,
  })
}

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
