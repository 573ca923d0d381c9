/** Rows of flags. */
import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { CohortDefinition, FlagDefinition, FlagSources } from '../../flags/definition.ts'
import type { Db } from '../../postgres/db.ts'
import { inOrder, type Nth } from '../../postgres/in-order.ts'
import { containing } from '../../postgres/like-patterns.ts'
import {
  assignmentsOf,
  columnsText,
  defaultsOf,
  field,
  namesText,
  type SettingsOf,
  valuesOf,
} from '../../postgres/settings-fields.ts'
import { type UserSummary, userSummary } from '../people/user-store.ts'
import { loadZone } from './project-store.ts'

/** The fields of a flag that clients may write. */
export const FLAG_FIELDS = {
  key: field.text(''),
  name: field.text(''),
  filters: field.json({ groups: [{ properties: [], rollout_percentage: null }] }),
  active: field.boolean(true),
  deleted: field.boolean(false),
  ensure_experience_continuity: field.boolean(false),
  bucketing_identifier: field.choice('distinct_id', 'device_id'),
  evaluation_runtime: field.choice('all', 'server', 'client'),
  evaluation_contexts: field.texts(),
  has_encrypted_payloads: field.boolean(false),
  rollback_conditions: field.json([], { isNotNull: true }),
  tags: field.tags(),
}

/** The fields above, and the state that an automatic switch-off would set. */
export const FLAG_COLUMNS = { ...FLAG_FIELDS, performed_rollback: field.boolean(false) }

export type FlagSettings = SettingsOf<typeof FLAG_COLUMNS>

/** Settings of a new flag unless its request sets them. */
export const FLAG_DEFAULTS: FlagSettings = defaultsOf(FLAG_COLUMNS)

export type StoredFlag = FlagSettings & {
  readonly id: number
  readonly version: number
  /** Null once the user is gone. */
  readonly createdBy: UserSummary | null
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
}

/** Flags that are not deleted, and whose key and name contain each of the words. */
export type FlagSelection = { readonly project: ProjectId; readonly words: readonly string[] }

function selected(db: Db, { project, words }: FlagSelection) {
  const named =
    words.length === 0
      ? db``
      : db`and (f.key || ' ' || f.name) ilike all (${containing(words)}::text[])`
  return db`where f.project_id = ${project} and not f.deleted ${named}`
}

/** Newest first. */
export async function listFlags(
  db: Db,
  selection: FlagSelection,
  page: { readonly limit: number; readonly offset: number },
): Promise<StoredFlag[]> {
  return await db<StoredFlag[]>`
    select ${flagColumns(db)} from feature_flags f left join users u on u.id = f.created_by
    ${selected(db, selection)}
    order by f.created_at desc, f.id desc limit ${page.limit} offset ${page.offset}`
}

/** All active flags, newest first; deleted ones are hidden. */
export async function listActiveFlags(db: Db, project: ProjectId): Promise<StoredFlag[]> {
  return await db<StoredFlag[]>`
    select ${flagColumns(db)} from feature_flags f left join users u on u.id = f.created_by
    where f.project_id = ${project} and not f.deleted and f.active
    order by f.created_at desc, f.id desc`
}

export async function countFlags(db: Db, selection: FlagSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from feature_flags f ${selected(db, selection)}`
  return row?.count ?? 0
}

/** Finds deleted flags too. */
export async function findFlag(
  db: Db,
  project: ProjectId,
  id: number,
): Promise<StoredFlag | undefined> {
  const [flag] = await findFlags(db, [{ project, id }])
  return flag
}

export type FlagOfProject = { readonly project: ProjectId; readonly id: number }

/** As `findFlag`, in the order of the request. */
export async function findFlags(
  db: Db,
  asked: readonly FlagOfProject[],
): Promise<readonly (StoredFlag | undefined)[]> {
  const rows = await db<(StoredFlag & Nth)[]>`
    select a.nth::integer, ${flagColumns(db)}
    from unnest(${asked.map(({ project }) => project)}::integer[],
      ${asked.map(({ id }) => id)}::integer[]) with ordinality as a (project, id, nth)
    join feature_flags f on f.id = a.id and f.project_id = a.project
    left join users u on u.id = f.created_by`
  return inOrder(asked, rows)
}

/** The fields of a flag on which its payloads depend. */
export type FlagPayloads = Pick<FlagDefinition, 'id' | 'active'> & { readonly filters: Json }

/** The flag with this key, else the one with this id; deleted ones are hidden. */
export async function findPayloads(
  db: Db,
  project: ProjectId,
  { key, id }: { readonly key: string; readonly id: number | undefined },
): Promise<FlagPayloads | undefined> {
  const [row] = await db<FlagPayloads[]>`
    select f.id, f.active, f.filters from feature_flags f
    where f.project_id = ${project} and not f.deleted
      and (f.key = ${key} or f.id = ${id ?? null})
    order by f.key = ${key} desc limit 1`
  return row
}

/** As `findFlag`, and locks the row until the transaction ends. */
export async function lockFlag(
  db: Db,
  project: ProjectId,
  id: number,
): Promise<StoredFlag | undefined> {
  const [row] = await db<StoredFlag[]>`
    select ${flagColumns(db)} from feature_flags f left join users u on u.id = f.created_by
    where f.id = ${id} and f.project_id = ${project} for update of f`
  return row
}

const COLUMNS = columnsText('f', FLAG_COLUMNS)
const NAMES = namesText(FLAG_COLUMNS)

function flagColumns(db: Db) {
  return db`
    f.id, f.version, ${db.unsafe(COLUMNS)},
    to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    ${userSummary(db)} as "createdBy"`
}

/** Removes deleted flags of this key for good, to make room for a new one. */
export async function purgeDeletedFlags(db: Db, project: ProjectId, key: string): Promise<void> {
  await db`delete from feature_flags where project_id = ${project} and key = ${key} and deleted`
}

/** The id of a flag that is to be inserted: its secrets are sealed for it. */
export async function newFlagId(db: Db): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('feature_flags', 'id'))::integer as id`
  if (row === undefined) throw new Error('nextval answered no row')
  return row.id
}

/** @throws {PostgresError} 23505 on `feature_flags_key` when the key is in use. */
export async function insertFlag(
  db: Db,
  { id, projectId, author }: { id: number; projectId: ProjectId; author: UserId },
  s: FlagSettings,
): Promise<void> {
  await db`
    insert into feature_flags (id, project_id, created_by, ${db.unsafe(NAMES)})
    values (${id}, ${projectId}, ${author}, ${valuesOf(db, FLAG_COLUMNS, s)})`
}

/**
 * Writes every writable field and raises the version, which is the answer: the caller holds the
 * row's lock and has merged the change in.
 * @throws {PostgresError} 23505 on `feature_flags_key` when the key is in use.
 */
export async function updateFlag(db: Db, id: number, s: FlagSettings): Promise<number> {
  const [row] = await db<{ version: number }[]>`
    update feature_flags set ${assignmentsOf(db, FLAG_COLUMNS, s)},
      version = version + 1, updated_at = now()
    where id = ${id} returning version`
  if (row === undefined) throw new Error('update of feature_flags found no row')
  return row.version
}

export async function touchFlag(db: Db, id: number): Promise<void> {
  await db`update feature_flags set updated_at = now() where id = ${id}`
}

/**
 * All that a project's snapshot is compiled from, as of one moment: four statements that see the
 * same data only when `db` is a transaction of `repeatable read`, or one that nobody races.
 */
export async function loadFlagsForProject(db: Db, project: ProjectId): Promise<FlagSources> {
  const [flags, cohorts, groupTypes, zone] = await Promise.all([
    loadFlags(db, project),
    loadCohorts(db, project),
    loadGroupTypes(db, project),
    loadZone(db, project),
  ])
  return { flags, cohorts, groupTypes, timezone: zone.name }
}

async function loadFlags(db: Db, project: ProjectId): Promise<FlagDefinition[]> {
  return await db<FlagDefinition[]>`
    select f.project_id as "projectId", f.id, f.key, f.name, f.active, f.deleted, f.version,
      f.ensure_experience_continuity as "ensureExperienceContinuity",
      f.bucketing_identifier as "bucketingIdentifier",
      f.evaluation_runtime as "evaluationRuntime", f.evaluation_contexts as "evaluationContexts",
      f.has_encrypted_payloads as "hasEncryptedPayloads", f.filters
    from feature_flags f where f.project_id = ${project} order by f.id`
}

async function loadCohorts(db: Db, project: ProjectId): Promise<CohortDefinition[]> {
  return await db<CohortDefinition[]>`
    select id, name, is_static as "isStatic", deleted, filters from cohorts
    where project_id = ${project} order by id`
}

async function loadGroupTypes(db: Db, project: ProjectId): Promise<ReadonlyMap<number, string>> {
  const rows = await db<{ index: number; name: string }[]>`
    select type_index as index, group_type as name from group_types
    where project_id = ${project} order by type_index`
  return new Map(rows.map((row) => [row.index, row.name]))
}

type Row =
  | { readonly kind: 'flag'; readonly value: FlagDefinition }
  | { readonly kind: 'cohort'; readonly value: CohortDefinition }
  | { readonly kind: 'group'; readonly id: number; readonly value: string }
  | { readonly kind: 'zone'; readonly value: string }

/**
 * Reads what server libraries need to evaluate flags, as of one moment: flags and cohorts that are
 * not deleted, without definitions of static cohorts. JSON columns are returned as they were
 * written. Each is a row: a project has MB of them, and they are processed as they are received.
 */
export async function loadLocalSources(db: Db, project: ProjectId): Promise<FlagSources> {
  const rows = await db<Row[]>`
    select 'flag' as kind, f.id::float8 as id, json_build_object(
      'projectId', f.project_id, 'id', f.id, 'key', f.key, 'name', f.name, 'active', f.active,
      'deleted', f.deleted, 'version', f.version,
      'ensureExperienceContinuity', f.ensure_experience_continuity,
      'bucketingIdentifier', f.bucketing_identifier, 'evaluationRuntime', f.evaluation_runtime,
      'evaluationContexts', f.evaluation_contexts,
      'hasEncryptedPayloads', f.has_encrypted_payloads, 'filters', f.filters
    ) as value
    from feature_flags f where f.project_id = ${project} and not f.deleted
    union all
    select 'cohort', c.id, json_build_object(
      'id', c.id, 'name', c.name, 'isStatic', c.is_static, 'deleted', c.deleted,
      'filters', case when not c.is_static then c.filters end
    )
    from cohorts c where c.project_id = ${project} and not c.deleted
    union all
    select 'group', g.type_index, to_json(g.group_type)
    from group_types g where g.project_id = ${project}
    union all
    select 'zone', 0, to_json(p.timezone) from projects p where p.id = ${project}
    order by 1, 2`
  const flags: FlagDefinition[] = []
  const cohorts: CohortDefinition[] = []
  const groupTypes = new Map<number, string>()
  let timezone = 'UTC'
  for (const row of rows) {
    if (row.kind === 'flag') flags.push(row.value)
    else if (row.kind === 'cohort') cohorts.push(row.value)
    else if (row.kind === 'group') groupTypes.set(row.id, row.value)
    else timezone = row.value
  }
  return { flags, cohorts, groupTypes, timezone }
}
