import type { ProjectId } from '../../core/ids.ts'
import { objectOf } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { STORED_READ_BYTES_MAX, STORED_READ_STATEMENTS_MAX } from '../../core/limits/limits.ts'
import type {
  ContinuityRow,
  GroupLookup,
  PersonLookup,
  StoredGroup,
  StoredPerson,
  StoredProperties,
} from '../../project/ports.ts'
import type { Db } from '../pool/db.ts'

/**
 * The properties that a lookup names, as JSON text. The whole is unpacked once, by a concatenation
 * that adds nothing, and not for each of the names.
 */
const picked = (properties: string) => `coalesce((
    select json_object_agg(name, whole -> name)::text
    from (select ${properties} || '{}' as whole, $2::text::jsonb -> q.names as names offset 0) u,
      jsonb_array_elements_text(u.names) as name
    where whole ? name
  ), '{}')`

/** Of those that come to `$3` bytes together, the smallest first; null for the rest. */
const READ = `
  case when sum(octet_length(properties)) over (order by octet_length(properties), n)
    <= $3::integer then properties end as properties`

const PERSONS = `
  with found as materialized (
    select q.n, p.id as "personId",
      case when q.names is null then '{}' else ${picked('p.properties')} end as properties,
      case when q.overrides then (
        select json_object_agg(o.flag_key, o.hash_key) from flag_hash_key_overrides o
        where o.project_id = q.project_id and o.person_id = p.id
      ) end as overrides,
      case when q.cohorts then (
        select array_agg(c.cohort_id) from cohort_people c where c.person_id = p.id
      ) end as cohorts
    from jsonb_to_recordset($1::text::jsonb) as q (
      n integer, project_id integer, distinct_id text, names integer,
      overrides boolean, cohorts boolean
    )
    join distinct_ids d on d.project_id = q.project_id and d.distinct_id = q.distinct_id
    join persons p on p.id = d.person_id
  )
  select n, "personId", overrides, cohorts, ${READ} from found`

const GROUPS = `
  with found as materialized (
    select q.n, ${picked('g.properties')} as properties
    from jsonb_to_recordset($1::text::jsonb)
      as q (n integer, project_id integer, group_type text, group_key text, names integer)
    join group_types t on t.project_id = q.project_id and t.group_type = q.group_type
    join groups g on g.project_id = q.project_id and g.type_index = t.type_index
      and g.group_key = q.group_key
  )
  select n, ${READ} from found`

/** `n` is the position of its lookup; properties are JSON text. */
type ReadRow = { readonly n: number; readonly properties: string | null }

type PersonRow = ReadRow & {
  readonly personId: bigint
  readonly overrides: Record<string, string> | null
  readonly cohorts: number[] | null
}

/**
 * What is stored about the owners of distinct ids, for many questions in one statement. A lookup
 * whose distinct id nobody owns has no row. Overrides and cohorts are read where asked for.
 */
export async function loadPersons(
  db: Db,
  lookups: readonly PersonLookup[],
): Promise<ReadonlyMap<number, StoredPerson>> {
  const persons = new Map<number, StoredPerson>()
  const wanted = lookups.map(({ projectId, distinctId, properties, overrides, cohorts }) => ({
    ...{ project_id: projectId, distinct_id: distinctId, overrides, cohorts },
    names: properties,
  }))
  await readInSteps<PersonRow>(db, PERSONS, wanted, (row) => {
    persons.set(row.n, {
      personId: row.personId,
      properties: readProperties(row),
      overrides: new Map(Object.entries(row.overrides ?? {})),
      cohortIds: new Set(row.cohorts ?? []),
    })
  })
  return persons
}

/** Properties of groups, by the position of their lookup; unknown groups have no entry. */
export async function loadGroups(
  db: Db,
  lookups: readonly GroupLookup[],
): Promise<ReadonlyMap<number, StoredGroup>> {
  const groups = new Map<number, StoredGroup>()
  const wanted = lookups.map(({ projectId, type, key, properties }) => ({
    ...{ project_id: projectId, group_type: type, group_key: key, names: properties },
  }))
  await readInSteps<ReadRow>(db, GROUPS, wanted, (row) => {
    groups.set(row.n, { properties: readProperties(row) })
  })
  return groups
}

function readProperties({ properties }: ReadRow): StoredProperties {
  return properties === null ? 'too_large' : objectOf(parseJson(properties))
}

/**
 * Reads what is stored for each lookup. A statement answers with `STORED_READ_BYTES_MAX` bytes of
 * properties at most, the smallest first, so that nobody is left out for what is large of others.
 * The large are read by further statements, and are null after `STORED_READ_STATEMENTS_MAX`.
 */
async function readInSteps<Row extends ReadRow>(
  db: Db,
  statement: string,
  lookups: readonly { readonly names: readonly string[] }[],
  onRow: (row: Row) => void,
): Promise<void> {
  const sets = new Map<readonly string[], number>()
  let wanted = lookups.map((lookup, n) => {
    const set = sets.get(lookup.names) ?? sets.size
    sets.set(lookup.names, set)
    return { ...lookup, n, names: lookup.names.length === 0 ? null : set }
  })
  const names = JSON.stringify([...sets.keys()])
  for (let step = 1; ; step++) {
    const parameters = [JSON.stringify(wanted), names, String(STORED_READ_BYTES_MAX)]
    const rows = await db.unsafe<Row[]>(statement, parameters, { prepare: true })
    const left = new Set<number>()
    for (const row of rows) if (row.properties === null) left.add(row.n)
    // One that is alone too large for a statement would be so for the next one as well.
    const isLast = left.size === rows.length || step === STORED_READ_STATEMENTS_MAX
    for (const row of rows) if (isLast || row.properties !== null) onRow(row)
    if (isLast || left.size === 0) return
    wanted = wanted.filter(({ n }) => left.has(n))
  }
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
