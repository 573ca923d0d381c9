/** Persons as lists show them. */
import type { ProjectId } from '../../../core/ids.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { Db } from '../../../postgres/db.ts'
import { type Fragment, fragment, join, run } from '../../../postgres/fragment.ts'
import { filterSql } from '../renderer/filter-sql.ts'

/** Selection of persons of a project. */
export type PersonSelection = {
  readonly project: ProjectId
  /** Decimal text. */
  readonly id?: string | undefined
  /** Text that a person has in its distinct ids, or in what names it. */
  readonly search?: string | undefined
  readonly distinctId?: string | undefined
  readonly email?: string | undefined
  /** Asks of persons alone. */
  readonly where?: FilterNode | undefined
}

export type ListedPerson = {
  /** Decimal text. */
  readonly id: string
  readonly uuid: string
  readonly isIdentified: boolean
  /** ISO 8601, UTC, with microseconds. */
  readonly createdAt: string
  /** JSON text of an object. */
  readonly properties: string
  /** JSON text of a list: the first `PERSON_IDS_SHOWN_MAX`, in order. */
  readonly distinctIds: string
  readonly distinctIdCount: number
}

export type PersonPage = {
  readonly limit: number
  readonly offset: number
  /** Bytes of a page's properties as text. A page has at least one person. */
  readonly bytesMax: number
}

const PERSON_IDS_SHOWN_MAX = 100

/** Properties that a search looks into. */
const NAMING = ['email', 'name', 'username'] as const

/** @throws {PostgresError} 57014 when the time-out cuts it. */
export async function countPersons(db: Db, selection: PersonSelection): Promise<number> {
  const statement = fragment`
    select count(*)::float8 as count from persons p where ${whereOf(selection)}`
  const [row] = await run<{ count: number }>(db, statement, false)
  return row?.count ?? 0
}

/**
 * Reads a page: exact matches of the search first, then the persons that were first seen last. No
 * index has this order, but the count of the same call reads all of them, too. Sizes are summed
 * before any properties are sent.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function pageOfPersons(
  db: Db,
  selection: PersonSelection,
  { limit, offset, bytesMax }: PersonPage,
): Promise<readonly ListedPerson[] | 'too_large'> {
  const statement = fragment`
    with page as materialized (
      select p.id, ${rankOf(selection)} as rank from persons p where ${whereOf(selection)}
      order by rank, p.created_at desc, p.id desc
      limit ${String(limit)}::bigint offset ${String(offset)}::bigint
    ), sized as (
      select p.*, page.rank, sum(octet_length(p.properties::text)) over () as bytes,
        count(*) over () as persons
      from page join persons p on p.id = page.id
    )
    select s.id::text as id, s.uuid::text as uuid, s.is_identified as "isIdentified",
      to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
      case when s.persons = 1 or s.bytes <= ${String(bytesMax)}::bigint
        then s.properties::text end as properties,
      (select coalesce(json_agg(i.distinct_id), '[]')::text from (
        select distinct_id from distinct_ids where person_id = s.id
        order by distinct_id collate "C" limit ${String(PERSON_IDS_SHOWN_MAX)}::bigint
      ) i) as "distinctIds",
      (select count(*)::float8 from distinct_ids where person_id = s.id) as "distinctIdCount"
    from sized s order by s.rank, s.created_at desc, s.id desc`
  type Row = Omit<ListedPerson, 'properties'> & { readonly properties: string | null }
  const persons: ListedPerson[] = []
  for (const row of await run<Row>(db, statement, false)) {
    const { properties } = row
    if (properties === null) return 'too_large'
    persons.push({ ...row, properties })
  }
  return persons
}

function whereOf({ project, id, search, distinctId, email, where }: PersonSelection): Fragment {
  const parts = [fragment`p.project_id = ${String(project)}::integer`]
  if (id !== undefined) parts.push(fragment`p.id = ${id}::bigint`)
  if (distinctId !== undefined) parts.push(hasId(project, fragment`d.distinct_id = ${distinctId}`))
  if (email !== undefined) parts.push(fragment`p.properties ->> 'email' = ${email}`)
  if (search !== undefined) parts.push(fragment`(${contains(project, search)})`)
  if (where !== undefined) parts.push(fragment`(${filterSql(where, project)})`)
  return join(parts, 'and')
}

function hasId(project: ProjectId, condition: Fragment): Fragment {
  return fragment`p.id in (select d.person_id from distinct_ids d
    where d.project_id = ${String(project)}::integer and ${condition})`
}

/** Searches by position instead of a pattern, so no character is special. */
function contains(project: ProjectId, search: string): Fragment {
  const within = (text: Fragment) => fragment`position(lower(${search}) in lower(${text})) > 0`
  const parts = NAMING.map((name) => within(fragment`p.properties ->> ${name}`))
  parts.push(fragment`p.uuid::text = lower(${search})`)
  parts.push(hasId(project, within(fragment`d.distinct_id`)))
  return join(parts, 'or')
}

function rankOf({ project, search }: PersonSelection): Fragment {
  if (search === undefined) return fragment`0`
  return fragment`case
    when ${hasId(project, fragment`d.distinct_id = ${search}`)} then 0
    when lower(p.properties ->> 'email') = lower(${search}) then 1
    when p.uuid::text = lower(${search}) then 2 else 3 end`
}
