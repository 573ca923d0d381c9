/** Statement parts that make persons of distinct ids that have none, behind the events. */
import { intArray, toColumns } from '../../../postgres/columns.ts'
import type { SimpleChange } from './simple-changes.ts'

export const BIRTH_PARAMETERS = 5

/**
 * Flushes of two slots may make the same person: the later one waits for the other's commit, and
 * makes none.
 */
const OWN = `
  , owned as (
    insert into distinct_ids (project_id, distinct_id, person_id)
    select project_id, distinct_id, id from fresh order by project_id, distinct_id
    on conflict do nothing
    returning person_id
  ), born as (
    insert into persons (id, project_id, uuid, created_at, properties)
    select id, project_id, uuid, created_at, properties from fresh
    where (id in (select person_id from owned)) is true
  )`

/** Persons without properties: no order among flushes matters to them, and nothing is locked. */
export const makeEmptyPersons = (first: number) => `
  , fresh as materialized (
    select project_id, distinct_id, uuid::uuid as uuid, created_at::timestamptz as created_at,
      '{}'::jsonb as properties, nextval('persons_id_seq') as id
    from unnest(
      $${first}::int[], string_to_array($${first + 1}, $${first + 4}),
      string_to_array($${first + 2}, $${first + 4}), string_to_array($${first + 3}, $${first + 4})
    ) as b (project_id, distinct_id, uuid, created_at)
    where project_id in (select id from live) and (select yes from quiet) and not exists (
      select from distinct_ids d
      where d.project_id = b.project_id and d.distinct_id = b.distinct_id)
  )${OWN}`

/** A repeated event makes no person: as in `CHANGES_ANSWER`, the division takes all back. */
export const BIRTHS_ANSWER = `,
    1 / (case when (select count(*) from written) < (select count(*) from input)
      and exists (select from fresh) then 0 else 1 end) as whole`

/** Persons of `newborn`. */
export const MAKE_PERSONS = `
  , fresh as materialized (
    select n.project_id, n.distinct_id, n.uuid::uuid as uuid,
      n.created_at::timestamptz as created_at, n.properties, n.place,
      nextval('persons_id_seq') as id
    from newborn n
    where n.project_id in (select id from live) and (select yes from simple)
  )${OWN}`

/** Parameters of `makeEmptyPersons`. */
export function birthParameters(births: readonly SimpleChange[]): string[] {
  const { texts, separator } = toColumns([
    births.map(({ distinctId }) => distinctId),
    births.map(({ personUuid }) => personUuid),
    births.map(({ createdAt }) => createdAt),
  ])
  return [intArray(births.map(({ projectId }) => projectId)), ...texts, separator]
}
