/** Reads what is shown of the actors of a page, and who they are by now. */
import type { ProjectId } from '../../../core/ids.ts'
import { textsIn } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import { toColumns } from '../../../postgres/columns.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'

/** Fields of a person that are shown. */
export type ShownPerson = {
  /** Number of the person. */
  readonly person: string
  readonly uuid: string
  readonly distinctIds: readonly string[]
  /** JSON object. */
  readonly properties: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/**
 * Reads persons by their numbers, in any order. If a person has too many ids, the first ones by
 * code point are returned.
 * @param bounds `idsMax` for one person; `bytesMax` for the properties and ids of all of them, more
 * than those of any one.
 * @returns `too_large` when they have more bytes.
 */
export async function showPersons(
  db: Db,
  project: ProjectId,
  persons: readonly string[],
  { idsMax, bytesMax }: { readonly idsMax: number; readonly bytesMax: number },
): Promise<readonly ShownPerson[] | 'too_large'> {
  if (persons.length === 0) return []
  const { separator, texts } = toColumns([persons])
  const statement = fragment`
    with shown as (
      select p.id, p.uuid, p.created_at, p.properties::text as properties, i.ids
      from persons p cross join lateral (
        select coalesce(jsonb_agg(d.distinct_id), '[]')::text as ids from (
          select distinct_id from distinct_ids where person_id = p.id
          order by distinct_id collate "C" limit ${String(idsMax)}::bigint
        ) d
      ) i
      where p.project_id = ${String(project)}::integer
        and p.id = any(string_to_array(${texts[0] ?? ''}, ${separator})::bigint[])
    ), sized as (
      select s.*,
        sum(octet_length(s.properties) + octet_length(s.ids)) over (order by s.id) as bytes,
        count(*) over ()::integer as found
      from shown s
    )
    select s.id::text as person, s.uuid, s.properties, s.ids, s.found,
      to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"
    from sized s where s.bytes <= ${String(bytesMax)}::bigint`
  type Row = Omit<ShownPerson, 'distinctIds'> & { readonly ids: string; readonly found: number }
  const rows = await run<Row>(db, statement, false)
  if (rows.length < (rows[0]?.found ?? 0)) return 'too_large'
  return rows.map(({ ids, found: _, ...shown }) => ({
    ...shown,
    distinctIds: textsIn(parseJson(ids)),
  }))
}

/** Fields of a group that are shown. */
export type ShownGroup = {
  readonly key: string
  /** JSON object. */
  readonly properties: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/**
 * Groups of one type by their keys, in any order; those that only events know are left out.
 * @param bytesMax for the properties of all of them, more than those of any one.
 * @returns `too_large` when they have more bytes.
 */
export async function showGroups(
  db: Db,
  project: ProjectId,
  { index, keys }: { readonly index: number; readonly keys: readonly string[] },
  bytesMax: number,
): Promise<readonly ShownGroup[] | 'too_large'> {
  if (keys.length === 0) return []
  const { separator, texts } = toColumns([keys])
  const statement = fragment`
    with shown as (
      select g.group_key as key, g.properties::text as properties, g.created_at
      from groups g
      where g.project_id = ${String(project)}::integer and g.type_index = ${String(index)}::smallint
        and g.group_key = any(string_to_array(${texts[0] ?? ''}, ${separator}))
    ), sized as (
      select s.*, sum(octet_length(s.properties)) over (order by s.key) as bytes,
        count(*) over ()::integer as found
      from shown s
    )
    select s.key, s.properties, s.found,
      to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"
    from sized s where s.bytes <= ${String(bytesMax)}::bigint`
  const rows = await run<ShownGroup & { readonly found: number }>(db, statement, false)
  if (rows.length < (rows[0]?.found ?? 0)) return 'too_large'
  return rows.map(({ found: _, ...shown }) => shown)
}

/** Numbers of persons by distinct id; ids that have none are left out. */
export async function firstPersonsOf(
  db: Db,
  project: ProjectId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { separator, texts } = toColumns([ids])
  const statement = fragment`
    select d.distinct_id as id, d.person_id::text as person from distinct_ids d
    where d.project_id = ${String(project)}::integer
      and d.distinct_id = any(string_to_array(${texts[0] ?? ''}, ${separator}))`
  const rows = await run<{ id: string; person: string }>(db, statement, true)
  return new Map(rows.map(({ id, person }) => [id, person]))
}
