/**
 * The parts of the flush's statement that change properties of persons; ADR 128 says why they are
 * right.
 *
 * Persons are locked in the order of ids before the events are inserted, and changed ones are
 * written after them. If a flush needs more than the statement can do, the statement writes nothing
 * and the flush is planned (`loadPlanned`).
 */

import type { ProjectId } from '../../../core/ids.ts'
import { PERSON_DISTINCT_IDS_TOLD_MAX } from '../../../core/limits/limits.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import { type ChangeTexts, PropertyFold } from '../../../persons/property-fold.ts'
import { intArray, toColumns } from '../../../postgres/columns.ts'
import { changed, changeObjects, fits, isQuiet } from '../persons/property-bounds.ts'
import { unsetText } from '../persons/update-persons.ts'
import { type PreparedFlush, storedTimestamp } from './prepare-flush.ts'

export const CHANGE_PARAMETERS = 9

/** SQLSTATE with which the statement takes itself back. Nothing else in it divides. */
export const TAKEN_BACK = '22012'

/** `$n` of the columns of changes; see `changeParameters`. */
function changeColumns(first: number): string {
  const [projects, separator, ...texts] = Array.from(
    { length: CHANGE_PARAMETERS },
    (_, index) => `$${first + index}`,
  )
  const columns = texts.map((each) => `string_to_array(${each}, ${separator})`)
  return [`${projects}::int[]`, ...columns].join(', ')
}

/**
 * Statement part before the events, behind `lookAtPersons`. `asked` has the change of each distinct
 * id. A person that already has all of it is neither locked nor written: a change that commits
 * after the look-up counts as later. `held` reads under the lock, so it sees changes that have committed
 * meanwhile. `simple` is false when a plan is needed: for a distinct id that should have a person
 * and has none, a person that a merge has ended meanwhile, a changing person that two distinct ids
 * of the flush name, and changes beyond the bound of a person; also where `lookAtPersons` finds that
 * a person lacks something. Columns are carried along, because
 * joining two lists here would compare each row with each.
 */
export const holdPersons = (first: number) => `
  , asked as materialized (
    select place, project_id, distinct_id, unset, uuid, created_at,
      ${changeObjects('once', 'volatile', 'set')}
    from unnest(${changeColumns(first)}) with ordinality as c (
      project_id, distinct_id, once, volatile, set, unset, uuid, created_at, place
    )
  ), owners as materialized (
    select c.*, d.person_id, (${isQuiet('p.properties')}) is true as is_quiet
    from asked c
    left join distinct_ids d on d.project_id = c.project_id and d.distinct_id = c.distinct_id
    left join persons p on p.id = d.person_id
  ), held as materialized (
    select o.place, p.id, p.properties as before, o.once, o.volatile, o.set, o.unset
    from owners o join persons p on p.id = o.person_id
    where not o.is_quiet
    order by p.id
    for no key update of p
  ), next as materialized (
    select place, id, after, ${fits('after', 'before')} as fits
    from (select place, id, before, (${changed('before')}) as after from held c offset 0) made
    where after is distinct from before
  ), newborn as materialized (
    select c.place, c.project_id, c.distinct_id, c.uuid, c.created_at,
      coalesce(c.uuid, '') <> '' as named, (${changed("'{}'::jsonb")}) as properties
    from owners c where c.person_id is null
  ), simple as materialized (
    select (select yes from quiet) and (select count(*) from held)
        = (select count(*) from owners where person_id is not null and not is_quiet)
      and not exists (
        select from owners where person_id is not null group by person_id
        having count(*) > 1 and not bool_and(is_quiet))
      and not exists (
        select from owners o where not o.is_quiet and o.person_id in (select person_id from judged))
      and not exists (select from next where not fits)
      and not exists (select from newborn where not named)
      and not exists (select from newborn where not (${fits('properties', "'{}'")})) as yes
  )`

/** Statement part after the events. */
export const CHANGE_PERSONS = `
  , updated as (
    update persons p set properties = n.after from next n
    where p.id = n.id and (select yes from simple)
    returning p.id, n.place
  )`

/**
 * A repeated event changes nothing. So where something changes and not all rows were new, or
 * another transaction has made a person meanwhile that is to have properties, the division by zero
 * takes everything back.
 */
export const CHANGES_ANSWER = `,
    (select yes from simple) as simple,
    1 / (case when (select yes from simple) and (
        exists (select from fresh where properties <> '{}'
          and (id in (select person_id from owned)) is not true)
        or (select count(*) from written) < (select count(*) from input)
          and (exists (select from next) or exists (select from fresh))
      ) then 0 else 1 end) as whole,
    (select string_agg((place - 1)::text, ',') from fresh) as created,
    (select json_agg(json_build_array(d.project_id, d.distinct_id)) from updated u
      cross join lateral (
        select project_id, distinct_id from distinct_ids where person_id = u.id
        limit ${PERSON_DISTINCT_IDS_TOLD_MAX}
      ) d) as owned,
    (select string_agg((place - 1)::text, ',') from updated) as changed`

export type ChangesAnswer = {
  readonly simple: boolean
  /** Places in the list of changes, separated by commas, whose distinct id got a person. */
  readonly created: string | null
  /** Places of changes that have changed their person. */
  readonly changed: string | null
  /** Distinct ids of the persons that changed, a bounded number for each. */
  readonly owned: readonly (readonly [projectId: number, distinctId: string])[] | null
}

/** Parameters of `holdPersons`. */
export function changeParameters(changes: readonly SimpleChange[]): string[] {
  const { texts, separator } = toColumns([
    changes.map(({ distinctId }) => distinctId),
    changes.map(({ setOnce }) => setOnce),
    changes.map(({ volatile }) => volatile),
    changes.map(({ set }) => set),
    changes.map(unsetText),
    changes.map(({ personUuid }) => personUuid),
    changes.map(({ createdAt }) => createdAt),
  ])
  const projects = intArray(changes.map(({ projectId }) => projectId))
  return [projects, separator, ...texts]
}

/**
 * The simple changes of a flush: persons that are made, and `$set`, `$set_once` and `$unset`, folded
 * for each distinct id. They go with the events in one statement; see ADR 128. Flushes that merge
 * persons or change groups are not simple.
 */

/** Combined change of all rows with one distinct id. */
export type SimpleChange = ChangeTexts & {
  readonly projectId: ProjectId
  readonly distinctId: string
  /** UUID of the new person if the distinct id has none; empty when it is known to have one. */
  readonly personUuid: string
  readonly createdAt: string
}

type Folding = {
  readonly projectId: ProjectId
  readonly distinctId: string
  readonly fold: PropertyFold
  createdAt: string | undefined
}

/**
 * Folds the changes of the rows of each of these distinct ids.
 * @param newPersonUuid of a distinct id: empty when it is known to have a person.
 * @throws {PropertiesError} when properties cannot be read.
 */
export function foldChanges(
  rows: readonly FlushRow[],
  distinctIds: PreparedFlush['planned'],
  newPersonUuid: (projectId: ProjectId, distinctId: string) => string,
): SimpleChange[] {
  const projects = new Map<ProjectId, Map<string, Folding>>()
  const all: Folding[] = []
  for (const { projectId, event } of rows) {
    const { distinctId, person } = event
    if (distinctIds.get(projectId)?.has(distinctId) !== true) continue
    const foldings = projects.get(projectId) ?? new Map<string, Folding>()
    projects.set(projectId, foldings)
    let folding = foldings.get(distinctId)
    if (folding === undefined) {
      const fold = new PropertyFold()
      folding = { projectId, distinctId, fold, createdAt: undefined }
      foldings.set(distinctId, folding)
      all.push(folding)
    }
    if (!person.profile) continue
    folding.createdAt ??= storedTimestamp(event)
    folding.fold.add(person)
  }
  return all.map(({ projectId, distinctId, fold, createdAt = '' }) => {
    const { setOnce, volatile, set, unset } = fold.texts()
    const personUuid = newPersonUuid(projectId, distinctId)
    // Member by member: objects made with a spread have each a hidden class of their own.
    return {
      projectId,
      distinctId,
      setOnce,
      volatile,
      set,
      unset,
      personUuid,
      createdAt,
    }
  })
}
