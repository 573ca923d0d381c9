/** Loads and locks the persons of a flush, and writes what its plan changes. */

import { InvariantError } from '../../../core/code.ts'
import { PERSON_DISTINCT_IDS_TOLD_MAX } from '../../../core/limits/limits.ts'
import { StoreError } from '../../../ingest/store-port.ts'
import type { LoadedDistinctId, LoadedPerson } from '../../../persons/plan-persons.ts'
import { intArray, toColumns } from '../../../postgres/columns.ts'
import type { Db } from '../../../postgres/db.ts'
import { PROGRAM_LIMIT } from '../../../postgres/sqlstate.ts'
import { countChange } from '../../../store/answers/change-counts.ts'
import { changed, changeObjects, fits } from './property-bounds.ts'
import {
  changedActorsOf,
  type ProjectPlan,
  type Settled,
  settleRefused,
} from './refused-changes.ts'
import { changeColumns, type OwnedDistinctId, updatePersons } from './update-persons.ts'

/** Bytes of properties that a flush loads to merge persons; one that needs more is split. */
const MERGED_PROPERTIES_BYTES_MAX = 16_777_216

export type WantedDistinctId = {
  readonly projectId: number
  readonly distinctId: string
  /** Load the person's properties too. */
  readonly whole: boolean
}

/**
 * Locks in the order of ids, so that two flushes never deadlock on persons. A person deleted by a
 * concurrent merge is missing in the answer: its distinct ids look new, and their insert fails as a
 * stale plan. Ids for new persons are returned too, so that the plan can name them.
 */
const LOAD = `
  with wanted as materialized (
    select * from unnest($1::int[], string_to_array($2, $4), string_to_array($3, $4))
    with ordinality as w (project_id, distinct_id, whole, position)
  ), held as materialized (
    select w.position, p.id, p.is_identified,
      to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at,
      case when w.whole = '1' then p.properties::text end as properties
    from wanted w
    join distinct_ids d on d.project_id = w.project_id and d.distinct_id = w.distinct_id
    join persons p on p.id = d.person_id
    order by p.id
    for no key update of p
  )
  select (position - 1)::int as position, id, is_identified, created_at,
    case when (select sum(octet_length(properties)) from held) <= ${MERGED_PROPERTIES_BYTES_MAX}
      then properties end as properties
  from held
  union all
  select null, nextval('persons_id_seq'), null, null, null
  from generate_series(1, (select count(*) from wanted) - (select count(*) from held))`

type LoadRow =
  | ({ readonly position: number; readonly is_identified: boolean } & {
      readonly id: bigint
      readonly created_at: string
      readonly properties: string | null
    })
  | { readonly position: null; readonly id: bigint }

/** Loads and locks the persons of distinct ids, which must differ. In the order asked for. */
export async function loadPersons(
  db: Db,
  wanted: readonly WantedDistinctId[],
): Promise<readonly LoadedDistinctId[]> {
  const { texts, separator } = toColumns([
    wanted.map((each) => each.distinctId),
    wanted.map((each) => (each.whole ? '1' : '0')),
  ])
  const owners = intArray(wanted.map((each) => each.projectId))
  const rows = await db.unsafe<LoadRow[]>(LOAD, [owners, ...texts, separator], { prepare: true })
  const persons = new Map<bigint, LoadedPerson>()
  const owned = new Map<number, bigint>()
  const spare: bigint[] = []
  for (const row of rows) {
    if (row.position === null) {
      spare.push(row.id)
      continue
    }
    owned.set(row.position, row.id)
    const { id, is_identified: isIdentified, created_at: createdAt } = row
    // Several distinct ids may name one person, and one of them is enough to load it whole.
    const properties = row.properties ?? persons.get(id)?.properties
    persons.set(id, { id, isIdentified, createdAt, properties })
  }
  return wanted.map(({ whole }, position): LoadedDistinctId => {
    const id = owned.get(position)
    const person = id === undefined ? undefined : persons.get(id)
    if (person !== undefined) {
      if (whole && person.properties === undefined) throw tooMuchToMerge()
      return { kind: 'known', person }
    }
    const free = spare.pop()
    if (free === undefined) throw new InvariantError('fewer person ids than new distinct ids')
    return { kind: 'new', id: free }
  })
}

/** Fewer rows may need less: see `bisect`. */
function tooMuchToMerge(): StoreError {
  const bytes = MERGED_PROPERTIES_BYTES_MAX
  return new StoreError('data', PROGRAM_LIMIT, `the persons to merge have more than ${bytes} bytes`)
}

const FITS_NEW = `(${fits('properties', "'{}'")})`

/** Creates persons, without properties that are too large. */
const CREATE = `
  with made as materialized (
    select id, project_id, uuid, (${changed("'{}'::jsonb")}) as properties, is_identified,
      created_at
    from unnest(
      $1::bigint[], $2::int[], string_to_array($3, $10)::uuid[], string_to_array($4, $10),
      string_to_array($5, $10), string_to_array($6, $10), string_to_array($7, $10),
      string_to_array($8, $10)::boolean[], string_to_array($9, $10)::timestamptz[]
    ) as n (id, project_id, uuid, onces, moments, sets, unset, is_identified, created_at), lateral (
      select ${changeObjects('onces', 'moments', 'sets')}, n.unset) c
  ), inserted as (
    insert into persons (id, project_id, uuid, properties, is_identified, created_at)
    select id, project_id, uuid, case when ${FITS_NEW} then properties else '{}' end,
      is_identified, created_at
    from made
  )
  select id from made where not ${FITS_NEW}`

const ATTACH = `
  insert into distinct_ids (project_id, distinct_id, person_id)
  select project_id, distinct_id, person_id
  from unnest($1::int[], string_to_array($2, $3), $4::bigint[])
    as a (project_id, distinct_id, person_id)
  order by project_id, distinct_id`

/** Writes merged properties; a person that would become too large keeps its own. */
const REWRITE = `
  with next as materialized (
    select r.id, r.is_identified, r.created_at, p.properties as before,
      r.properties::jsonb as after
    from unnest(
      $1::bigint[], string_to_array($2, $5), string_to_array($3, $5)::boolean[],
      string_to_array($4, $5)::timestamptz[]
    ) as r (id, properties, is_identified, created_at)
    join persons p on p.id = r.id
  ), judged as materialized (
    select *, after is not distinct from before or (${fits('after', 'before')}) as fits from next
  ), updated as (
    update persons p
    set properties = case when j.fits then j.after else j.before end,
      is_identified = j.is_identified, created_at = j.created_at
    from judged j
    where p.id = j.id and (p.is_identified, p.created_at, j.fits and j.after <> j.before)
      is distinct from (j.is_identified, j.created_at, false)
    returning p.id
  )
  select id, true as fits from updated
  union all
  select id, false from judged where not fits`

const FOLDED = 'unnest($1::bigint[], $2::bigint[]) with ordinality as f (source, target, place)'

/** Moves the belongings of folded persons; the first to bring a flag's override wins. */
const MOVES = [
  `update distinct_ids d set person_id = f.target from ${FOLDED} where d.person_id = f.source`,
  `insert into cohort_people (cohort_id, person_id)
   select c.cohort_id, f.target from ${FOLDED} join cohort_people c on c.person_id = f.source
   order by f.target, c.cohort_id
   on conflict do nothing`,
  `insert into flag_hash_key_overrides (project_id, person_id, flag_key, hash_key)
   select o.project_id, f.target, o.flag_key, o.hash_key
   from ${FOLDED} join flag_hash_key_overrides o on o.project_id = any ($3::int[])
     and o.person_id = f.source
   order by f.target, f.place
   on conflict do nothing`,
  `delete from cohort_people c using ${FOLDED} where c.person_id = f.source`,
  `delete from flag_hash_key_overrides o using ${FOLDED}
   where o.project_id = any ($3::int[]) and o.person_id = f.source`,
  `delete from persons p using ${FOLDED} where p.id = f.source`,
]

const DISTINCT_IDS_OF = `
  select d.project_id as "projectId", p.id, d.distinct_id
  from unnest($1::bigint[]) as p (id) cross join lateral (
    select project_id, distinct_id from distinct_ids where person_id = p.id
    limit ${PERSON_DISTINCT_IDS_TOLD_MAX}
  ) d`

/**
 * Writes plans made on the state that `loadPersons` holds locked, in the same transaction. Changes
 * that make a person too large are not made.
 * @param options `countSlot`: where changes of identity are counted, see `countChange`.
 * @returns distinct ids of the stored persons that changed, a bounded number for each.
 * @throws a unique violation of `distinct_ids_pkey` when a plan is stale.
 */
export async function writePersons(
  db: Db,
  plans: readonly ProjectPlan[],
  { uuid, countSlot }: { readonly uuid: () => string; readonly countSlot: number },
): Promise<Settled> {
  // Pipelined: both are sent without waiting in between.
  const [updated, created] = await Promise.all([
    updatePersons(
      db,
      plans.flatMap(({ plan }) => plan.updated),
    ),
    createPersons(db, plans, uuid),
    attachDistinctIds(db, plans),
    countChange(db, changedActorsOf(plans), 'identity', countSlot),
  ])
  const rewritten = await rewritePersons(db, plans)
  const changed = [...updated.refused, ...created]
  const settled = await settleRefused(db, plans, { changed, merged: rewritten.refused })
  const merged = await moveFolded(db, plans, rewritten.changed)
  return {
    owned: [...updated.owned, ...settled.owned, ...merged],
    refused: settled.refused,
  }
}

/** @returns persons without properties, because these would be too large. */
async function createPersons(
  db: Db,
  plans: readonly ProjectPlan[],
  uuid: () => string,
): Promise<readonly bigint[]> {
  const created = plans.flatMap(({ projectId, plan }) =>
    plan.created.map((person) => ({ projectId, ...person })),
  )
  if (created.length === 0) return []
  const { texts, separator } = toColumns([
    created.map(() => uuid()),
    ...changeColumns(created),
    created.map((each) => String(each.isIdentified)),
    created.map((each) => each.createdAt),
  ])
  const ids = intArray(created.map((each) => each.id))
  const owners = intArray(created.map((each) => each.projectId))
  const parameters = [ids, owners, ...texts, separator]
  const refused = await db.unsafe<{ id: bigint }[]>(CREATE, parameters, { prepare: true })
  return refused.map(({ id }) => id)
}

async function attachDistinctIds(db: Db, plans: readonly ProjectPlan[]): Promise<void> {
  const attached = plans.flatMap(({ projectId, plan }) =>
    plan.attached.map((each) => ({ projectId, ...each })),
  )
  if (attached.length === 0) return
  const { texts, separator } = toColumns([attached.map((each) => each.distinctId)])
  const owners = intArray(attached.map((each) => each.projectId))
  const ids = intArray(attached.map((each) => each.personId))
  await db.unsafe(ATTACH, [owners, ...texts, separator, ids], { prepare: true })
}

async function rewritePersons(
  db: Db,
  plans: readonly ProjectPlan[],
): Promise<{ readonly changed: readonly bigint[]; readonly refused: readonly bigint[] }> {
  const rewritten = plans.flatMap(({ plan }) => plan.rewritten)
  if (rewritten.length === 0) return { changed: [], refused: [] }
  const { texts, separator } = toColumns([
    rewritten.map((each) => each.properties),
    rewritten.map((each) => String(each.isIdentified)),
    rewritten.map((each) => each.createdAt),
  ])
  const parameters = [intArray(rewritten.map((each) => each.id)), ...texts, separator]
  const rows = await db.unsafe<{ id: bigint; fits: boolean }[]>(REWRITE, parameters, {
    prepare: true,
  })
  const idsOf = (fit: boolean) => rows.filter((row) => row.fits === fit).map(({ id }) => id)
  return { changed: idsOf(true), refused: idsOf(false) }
}

/** @returns distinct ids of `changed`, and of the persons that got another distinct id or data. */
async function moveFolded(
  db: Db,
  plans: readonly ProjectPlan[],
  changed: readonly bigint[],
): Promise<readonly OwnedDistinctId[]> {
  const folded = plans.flatMap(({ plan }) => plan.folded)
  const touched = new Set([...changed, ...folded.map(({ into }) => into)])
  for (const { plan } of plans) {
    const created = new Set(plan.created.map(({ id }) => id))
    for (const { personId } of plan.attached) if (!created.has(personId)) touched.add(personId)
  }
  if (folded.length > 0) {
    const sources = intArray(folded.map((each) => each.from))
    const targets = intArray(folded.map((each) => each.into))
    const owners = intArray(plans.map(({ projectId }) => projectId))
    for (const move of MOVES) {
      const parameters = move.includes('$3') ? [sources, targets, owners] : [sources, targets]
      await db.unsafe(move, parameters, { prepare: true })
    }
  }
  if (touched.size === 0) return []
  return await db.unsafe<OwnedDistinctId[]>(DISTINCT_IDS_OF, [intArray([...touched])], {
    prepare: true,
  })
}
