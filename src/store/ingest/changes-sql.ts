/**
 * The parts of the flush's statement that change properties of persons; see ADR 73 for why they are
 * right. `$n` are counted from a first number, so that the parts fit behind others.
 *
 * A person that has all that is set on it is read and neither locked nor written. One that differs is
 * locked, in the order of ids, before the events go in. What the statement cannot do it leaves to a
 * plan (`loadPlanned`): then it writes nothing.
 */
import { PERSON_DISTINCT_IDS_TOLD_MAX } from '../../core/limits/limits.ts'
import { intArray, toColumns } from '../pool/columns.ts'
import { changed, fits } from './property-bounds.ts'
import type { SimpleChange } from './simple-changes.ts'
import { changeColumns } from './update-persons.ts'

export const CHANGE_PARAMETERS = 9

/** SQLSTATE with which the statement takes itself back. Nothing else in it divides. */
export const TAKEN_BACK = '22012'

/**
 * Before the events. `held` reads again what `known` has read: under the lock, a change that has
 * committed meanwhile is seen. `simple` is false for what a plan must do: a distinct id that should
 * have a person and has none, a person that a merge has ended meanwhile, one that two distinct ids
 * of the flush change, and changes beyond the bound of a person.
 */
export const holdPersons = (first: number): string => {
  const [projects, ids, once, set, unset, rows, uuids, times, separator] = Array.from(
    { length: CHANGE_PARAMETERS },
    (_, index) => `$${first + index}`,
  )
  const split = (column: string | undefined) => `string_to_array(${column}, ${separator})`
  return `
  asked as materialized (
    select * from unnest(
      ${projects}::int[], ${split(ids)}, ${split(once)}, ${split(set)}, ${split(unset)},
      ${rows}::bigint[], ${split(uuids)}, ${split(times)}
    ) with ordinality
    as c (project_id, distinct_id, once, set, unset, rows, uuid, created_at, place)
  ), known as materialized (
    select c.place, p.id, (${changed('p.properties')}) is distinct from p.properties as differs
    from asked c
    join distinct_ids d on d.project_id = c.project_id and d.distinct_id = c.distinct_id
    join persons p on p.id = d.person_id
  ), held as materialized (
    select k.place, p.id, p.properties as before
    from known k join persons p on p.id = k.id
    where k.differs
    order by p.id
    for no key update of p
  ), next as materialized (
    select c.place, h.id, h.before, (${changed('h.before')}) as after
    from held h join asked c on c.place = h.place
  ), newborn as materialized (
    select c.place, (${changed("'{}'::jsonb")}) as properties
    from asked c where c.place not in (select place from known)
  ), simple as materialized (
    select (select count(*) from held) = (select count(*) from known where differs)
      and not exists (
        select from known group by id having count(*) > 1 and bool_or(differs))
      and not exists (
        select from newborn n join asked c on c.place = n.place where coalesce(c.uuid, '') = '')
      and not exists (select from next where not (${fits('after', 'before')}))
      and not exists (select from newborn where not (${fits('properties', "'{}'")})) as yes
  ),`
}

/**
 * After the events. A repeated event changes nothing, so a change is made when all rows of its
 * distinct id were new, and not when none was.
 */
export const CHANGE_PERSONS = `
  , done as materialized (
    select place, project_id, distinct_id from asked
    where (select count(*) from written) = (select count(*) from input)
      or ((project_id, distinct_id, rows) in (
        select project_id, distinct_id, count(*) from written group by project_id, distinct_id
      )) is true
  ), updated as (
    update persons p set properties = n.after from next n
    where p.id = n.id and n.after is distinct from n.before
      and (n.place in (select place from done)) is true
    returning p.id
  )`

/** Persons of the changes that are made, for `fresh`. */
export const FRESH_OF_CHANGES = `
    union all
    select c.project_id, c.distinct_id, c.uuid::uuid, c.created_at::timestamptz, n.properties,
      c.place, nextval('persons_id_seq')
    from newborn n join asked c on c.place = n.place join done on done.place = n.place
    where c.project_id in (select id from live)`

/**
 * `torn`: some rows of a distinct id were new and others were not, or another transaction has made
 * its person meanwhile. Then the division by zero takes everything back.
 */
export const CHANGES_ANSWER = `,
    (select yes from simple) as simple,
    1 / (case when exists (
        select from written w join asked c
          on c.project_id = w.project_id and c.distinct_id = w.distinct_id
        where (select count(*) from written) < (select count(*) from input)
          and c.place not in (select place from done)
      ) or exists (
        select from fresh where place is not null
          and (id in (select person_id from owned)) is not true
      ) then 0 else 1 end) as whole,
    (select string_agg((place - 1)::text, ',') from fresh where place is not null) as created,
    (select string_agg((n.place - 1)::text, ',') from newborn n
      where (n.place in (select place from done)) is not true) as absent,
    (select json_agg(json_build_array(d.project_id, d.distinct_id)) from updated u
      cross join lateral (
        select project_id, distinct_id from distinct_ids where person_id = u.id
        limit ${PERSON_DISTINCT_IDS_TOLD_MAX}
      ) d) as owned,
    (select string_agg((place - 1)::text, ',') from next
      where id in (select id from updated)) as changed`

export type ChangesAnswer = {
  readonly simple: boolean
  /** Places of changes, with commas: whose distinct id got a person. */
  readonly created: string | null
  /** Whose distinct id has none, because its events were known. */
  readonly absent: string | null
  /** Whose person is another now. */
  readonly changed: string | null
  /** Distinct ids of the persons that changed, a bounded number for each. */
  readonly owned: readonly (readonly [projectId: number, distinctId: string])[] | null
}

export function changeParameters(changes: readonly SimpleChange[]): string[] {
  const { texts, separator } = toColumns([
    changes.map((each) => each.distinctId),
    ...changeColumns(changes),
    changes.map((each) => each.personUuid),
    changes.map((each) => each.createdAt),
  ])
  const [ids = '', once = '', set = '', unset = '', uuids = '', times = ''] = texts
  const owners = intArray(changes.map((each) => each.projectId))
  const rows = intArray(changes.map((each) => each.rows))
  return [owners, ids, once, set, unset, rows, uuids, times, separator]
}
