import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { objectOf } from '../../core/json.ts'
import { parseExact } from '../../core/json-text/exact-numbers.ts'
import { createBudgets } from '../../core/limits/budgets.ts'
import type { Db } from '../../postgres/db.ts'
import type {
  ContinuityRow,
  GroupLookup,
  PersonLookup,
  StoredGroup,
  StoredPerson,
  StoredProperties,
} from '../../project/ports.ts'

/** Bytes of stored properties that one statement of decide reads, and its statements for a call. */
export const STORED_READ_BYTES_MAX = 2_097_152
export const STORED_READ_STATEMENTS_MAX = 4
/** Properties of one person or group that flags read; more are read apart, on a budget. */
const STORED_READ_SMALL_BYTES_MAX = 32_768
/** Bytes a second of such large properties that flags of a project read, and at once. */
export const STORED_READ_LARGE_BYTES_PER_S = 2_097_152
export const STORED_READ_LARGE_BURST_BYTES = 4_194_304

/**
 * The properties that a lookup names as JSON text, and their bytes. The whole is unpacked once, by
 * an empty path, and not for each of the names; no text is made of a value above `$4` bytes.
 */
const picked = (properties: string) => `cross join lateral (
    select sum(pg_column_size(value)) as size, json_object_agg(
      name, case when pg_column_size(value) <= $4::integer then value end)::text as text
    from (
      select name, u.whole -> name as value
      from (select ${properties} #> '{}' as whole, $2::text::jsonb -> q.names as names
          where q.names is not null offset 0) u,
        jsonb_array_elements_text(u.names) as name offset 0
    ) v where value is not null
  ) r`

const PICKED = `coalesce(greatest(r.size, octet_length(r.text)), 0)::float8 as bytes,
      case when r.size is null then '{}'
        when greatest(r.size, octet_length(r.text)) <= $4::integer then r.text end as properties`

/** Properties up to `$3` bytes in all, the smallest first; null for the rest. */
const READ = `bytes,
  case when sum(octet_length(properties)) over (order by octet_length(properties), n)
    <= $3::integer then properties end as properties`

const PERSONS = `
  with found as materialized (
    select q.n, p.id as "personId", ${PICKED},
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
    ${picked('p.properties')}
  )
  select n, "personId", overrides, cohorts, ${READ} from found`

const GROUPS = `
  with found as materialized (
    select q.n, ${PICKED}
    from jsonb_to_recordset($1::text::jsonb)
      as q (n integer, project_id integer, group_type text, group_key text, names integer)
    join group_types t on t.project_id = q.project_id and t.group_type = q.group_type
    join groups g on g.project_id = q.project_id and g.type_index = t.type_index
      and g.group_key = q.group_key
    ${picked('g.properties')}
  )
  select n, ${READ} from found`

/** `n` is the position of its lookup; properties are JSON text, null where it was not made. */
type ReadRow = {
  readonly n: number
  readonly bytes: number
  readonly properties: string | null
}

type PersonRow = ReadRow & {
  readonly personId: bigint
  readonly overrides: Record<string, string> | null
  readonly cohorts: number[] | null
}

/** True when so many bytes may be read for a project; they are counted then. */
export type TakeLarge = (project: ProjectId, bytes: number) => boolean

/**
 * Text of large properties costs Postgres and this process some 10 ms for each MB, so each project
 * has a budget of it.
 */
export function createLargeReads(clock: Pick<Clock, 'monotonic'>): TakeLarge {
  const budgets = createBudgets<ProjectId>(clock, {
    perMs: STORED_READ_LARGE_BYTES_PER_S / 1_000,
    burst: STORED_READ_LARGE_BURST_BYTES,
  })
  return (project, bytes) => {
    if (budgets.left(project) <= 0) return false
    budgets.spend(project, bytes)
    return true
  }
}

/**
 * Reads the persons of distinct ids, for many lookups in one statement. A lookup whose distinct id
 * has no person has no row. Overrides and cohorts are read on request.
 * @param takeLarge called for each person whose properties are large; it decides whether they are
 * read or are `too_large`.
 */
export async function loadPersons(
  db: Db,
  lookups: readonly PersonLookup[],
  takeLarge: TakeLarge,
): Promise<ReadonlyMap<number, StoredPerson>> {
  const persons = new Map<number, StoredPerson>()
  const wanted = lookups.map(({ projectId, distinctId, properties, overrides, cohorts }) => ({
    project_id: projectId,
    distinct_id: distinctId,
    overrides,
    cohorts,
    names: properties,
  }))
  await readInSteps<PersonRow>(db, PERSONS, wanted, takeLarge, (row) => {
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
  takeLarge: TakeLarge,
): Promise<ReadonlyMap<number, StoredGroup>> {
  const groups = new Map<number, StoredGroup>()
  const wanted = lookups.map(({ projectId, type, key, properties }) => ({
    project_id: projectId,
    group_type: type,
    group_key: key,
    names: properties,
  }))
  await readInSteps<ReadRow>(db, GROUPS, wanted, takeLarge, (row) => {
    groups.set(row.n, { properties: readProperties(row) })
  })
  return groups
}

function readProperties({ properties }: ReadRow): StoredProperties {
  return properties === null ? 'too_large' : objectOf(parseExact(properties))
}

type Wanted = { readonly project_id: ProjectId; readonly names: readonly string[] }

/**
 * Reads what is stored for each lookup. The first statement reads what is small, and finds what is
 * large: that is read by further ones, as far as `takeLarge` lets it. A statement answers with
 * `STORED_READ_BYTES_MAX` bytes of properties at most, the smallest first, so that nobody is left
 * out for what is large of others. After `STORED_READ_STATEMENTS_MAX` further ones the rest is null.
 */
async function readInSteps<Row extends ReadRow>(
  db: Db,
  statement: string,
  lookups: readonly Wanted[],
  takeLarge: TakeLarge,
  onRow: (row: Row) => void,
): Promise<void> {
  const sets = new Map<readonly string[], number>()
  let wanted = lookups.map((lookup, n) => {
    const set = sets.get(lookup.names) ?? sets.size
    sets.set(lookup.names, set)
    return { ...lookup, n, names: lookup.names.length === 0 ? null : set }
  })
  const names = JSON.stringify([...sets.keys()])
  const mayRead = ({ n, bytes }: ReadRow) => {
    const project = lookups[n]?.project_id
    if (project === undefined || bytes <= STORED_READ_SMALL_BYTES_MAX) return true
    return bytes <= STORED_READ_BYTES_MAX && takeLarge(project, bytes)
  }
  for (let step = 0; ; step++) {
    const eachMax = step === 0 ? STORED_READ_SMALL_BYTES_MAX : STORED_READ_BYTES_MAX
    const bounds = [String(STORED_READ_BYTES_MAX), String(eachMax)]
    const parameters = [JSON.stringify(wanted), names, ...bounds]
    const rows = await db.unsafe<Row[]>(statement, parameters, { prepare: true })
    const left = new Set<number>()
    for (const row of rows) {
      const isLeft = row.properties === null && (step > 0 || mayRead(row))
      if (isLeft && step < STORED_READ_STATEMENTS_MAX) left.add(row.n)
      else onRow(row)
    }
    if (left.size === 0) return
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
