/** Rows of cohorts. */
import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { inspectDefinition } from '../../flags/cohorts.ts'
import type { CohortDefinition } from '../../flags/definition.ts'
import type { Db } from '../../postgres/db.ts'
import { containing } from '../../postgres/like-patterns.ts'
import {
  assignmentsOf,
  columnsText,
  field,
  namesText,
  type SettingsOf,
  valuesOf,
} from '../../postgres/settings-fields.ts'
import { type UserSummary, userSummary } from '../people/user-store.ts'

/** Insights, and dashboards, that are looked through for the uses of a cohort. */
const COHORT_USES_READ_MAX = 1_000

/** Cohorts that one question reads, those within others included. */
const COHORTS_READ_MAX = 100

const INTEGER_MAX = 2_147_483_647

/** The fields of a cohort that members may write. */
export const COHORT_FIELDS = {
  name: field.text(''),
  description: field.text(''),
  /** `{properties: <definition>}`. */
  filters: field.json({}),
  deleted: field.boolean(false),
}

export type CohortSettings = SettingsOf<typeof COHORT_FIELDS>

const COLUMNS = columnsText('c', COHORT_FIELDS)
const NAMES = namesText(COHORT_FIELDS)

export type StoredCohort = CohortSettings & {
  readonly id: number
  readonly isStatic: boolean
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
  readonly updatedAt: string
  /** Null once that user is gone. */
  readonly createdBy: UserSummary | null
}

/** Newest first; hidden ones are left out. @param words as `SavedSelection` has them. */
export async function listCohorts(
  db: Db,
  project: ProjectId,
  page: { limit: number; offset: number; words?: readonly string[] },
): Promise<StoredCohort[]> {
  return await db<StoredCohort[]>`
    select ${cohortColumns(db)} from cohorts c left join users u on u.id = c.created_by
    where c.project_id = ${project} and not c.deleted ${named(db, page.words)}
    order by c.created_at desc, c.id desc limit ${page.limit} offset ${page.offset}`
}

export async function countCohorts(
  db: Db,
  project: ProjectId,
  { hidden, words }: { readonly hidden: boolean; readonly words?: readonly string[] },
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from cohorts c
    where c.project_id = ${project} and (${hidden} or not c.deleted) ${named(db, words)}`
  return row?.count ?? 0
}

function named(db: Db, words: readonly string[] = []) {
  if (words.length === 0) return db``
  return db`and concat_ws(' ', c.name, c.description) ilike all (${containing(words)}::text[])`
}

/** Finds hidden cohorts too. */
export async function findCohort(
  db: Db,
  project: ProjectId,
  id: number,
): Promise<StoredCohort | undefined> {
  const [row] = await db<StoredCohort[]>`
    select ${cohortColumns(db)} from cohorts c left join users u on u.id = c.created_by
    where c.id = ${id} and c.project_id = ${project}`
  return row
}

function cohortColumns(db: Db) {
  return db`
    c.id, ${db.unsafe(COLUMNS)}, c.is_static as "isStatic",
    to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt",
    ${userSummary(db)} as "createdBy"`
}

export async function insertCohort(
  tx: Db,
  cohort: { projectId: ProjectId; author: UserId; isStatic: boolean },
  s: CohortSettings,
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into cohorts (project_id, is_static, created_by, ${tx.unsafe(NAMES)})
    values (${cohort.projectId}, ${cohort.isStatic}, ${cohort.author},
      ${valuesOf(tx, COHORT_FIELDS, s)})
    returning id`
  if (row === undefined) throw new Error('insert into cohorts answered no row')
  return row.id
}

/** Writes every writable field: the caller has merged the change in. */
export async function updateCohort(tx: Db, id: number, s: CohortSettings): Promise<void> {
  await tx`
    update cohorts set ${assignmentsOf(tx, COHORT_FIELDS, s)}, updated_at = now()
    where id = ${id}`
}

/** Deletes a cohort with its members. */
export async function deleteCohort(tx: Db, id: number): Promise<void> {
  await tx`delete from cohorts where id = ${id}`
}

/**
 * Adds the persons of distinct ids to a static cohort; those who are in stay.
 * @returns how many persons are new, and how many of the distinct ids nobody has.
 */
export async function addMembers(
  tx: Db,
  project: ProjectId,
  cohort: number,
  distinctIds: readonly string[],
): Promise<{ readonly added: number; readonly notFound: number }> {
  // A person who is being deleted or merged is waited for, so that no row of one who is gone stays.
  const [row] = await tx<{ added: number; found: number }[]>`
    with owned as materialized (
      select d.person_id as id from distinct_ids d
      where d.project_id = ${project} and d.distinct_id = any(
        array(select jsonb_array_elements_text(${JSON.stringify(distinctIds)}::text::jsonb)))
    ), held as materialized (
      select p.id from persons p
      where p.project_id = ${project} and p.id in (select id from owned)
      order by p.id for key share
    ), added as (
      insert into cohort_people (cohort_id, person_id) select ${cohort}, id from held order by id
      on conflict do nothing returning 1
    )
    select (select count(*)::integer from added) as added,
      (select count(*)::integer from owned where id in (select id from held)) as found`
  if (row === undefined) throw new Error('a count answered no row')
  return { added: row.added, notFound: distinctIds.length - row.found }
}

/**
 * Loads cohorts of the project that are not deleted, and those within them, at most
 * `COHORTS_READ_MAX`. A cohort that refers to a missing one cannot be used.
 */
export async function loadCohortDefinitions(
  db: Db,
  project: ProjectId,
  ids: Iterable<number>,
): Promise<readonly CohortDefinition[]> {
  const found = new Map<number, CohortDefinition>()
  const asked = new Set<number>()
  let wanted = [...new Set(ids)]
  while (wanted.length > 0 && asked.size < COHORTS_READ_MAX) {
    const next = wanted.filter(isInteger).slice(0, COHORTS_READ_MAX - asked.size)
    for (const id of next) asked.add(id)
    for (const definition of await definitionsOf(db, project, next)) {
      found.set(definition.id, definition)
    }
    const inner = next.flatMap((id) => innerIds(found.get(id)))
    wanted = [...new Set(inner)].filter((id) => isInteger(id) && !asked.has(id))
    if (next.length === 0) break
  }
  return [...found.values()]
}

function innerIds(definition: CohortDefinition | undefined): readonly number[] {
  if (definition === undefined || definition.isStatic) return []
  return [...inspectDefinition(definition.filters).cohortIds]
}

function isInteger(id: number): boolean {
  return id >= 0 && id <= INTEGER_MAX
}

async function definitionsOf(
  db: Db,
  project: ProjectId,
  ids: readonly number[],
): Promise<readonly CohortDefinition[]> {
  if (ids.length === 0) return []
  return await db<CohortDefinition[]>`
    select id, name, is_static as "isStatic", deleted, filters from cohorts
    where project_id = ${project} and not deleted
      and id = any(array(select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)::integer))`
}

/** Saved insights and dashboards that may name a cohort. */
type NamingInsight = {
  readonly shortId: string
  readonly name: string
  readonly query: Json
}

type NamingDashboard = {
  readonly id: number
  readonly name: string
  readonly filters: Json
}

/** Insights whose question has the word and the id somewhere, the last changed first. */
export async function insightsThatMayName(
  db: Db,
  project: ProjectId,
  cohort: number,
): Promise<NamingInsight[]> {
  return await db<NamingInsight[]>`
    select short_id as "shortId", name, query from insights
    where project_id = ${project} and not deleted
      and position('cohort' in query::text) > 0
      and position(${String(cohort)} in query::text) > 0
    order by last_modified_at desc, id desc limit ${COHORT_USES_READ_MAX}`
}

/** Dashboards whose filters have them, the last changed first. */
export async function dashboardsThatMayName(
  db: Db,
  project: ProjectId,
  cohort: number,
): Promise<NamingDashboard[]> {
  return await db<NamingDashboard[]>`
    select id, name, filters from dashboards
    where project_id = ${project} and not deleted
      and position('cohort' in filters::text) > 0
      and position(${String(cohort)} in filters::text) > 0
    order by last_modified_at desc, id desc limit ${COHORT_USES_READ_MAX}`
}
