/** Rows of projects. */
import type { OrganizationId, ProjectId, UserId } from '../../core/ids.ts'
import { type WeekStartDay, withWeeks, type Zone, zoneOrUtc } from '../../core/time/zone.ts'
import type { Db } from '../../postgres/db.ts'
import { inOrder, type Nth } from '../../postgres/in-order.ts'
import {
  assignmentsOf,
  columnsText,
  defaultsOf,
  field,
  namesText,
  type SettingsOf,
  valuesOf,
} from '../../postgres/settings-fields.ts'
import type { Level } from '../people/organization-store.ts'
import { retentionChange } from './kept-days.ts'

/** The fields of a project that its members may write. */
export const PROJECT_FIELDS = {
  name: field.text('Default Project'),
  app_urls: field.json([]),
  chat_incoming_webhook: field.nullable<string>(),
  anonymize_ips: field.boolean(false),
  completed_snippet_onboarding: field.boolean(false),
  test_account_filters: field.json({}),
  test_account_filters_default_checked: field.nullable<boolean>(),
  path_cleaning_filters: field.json({}),
  is_demo: field.boolean(false),
  timezone: field.text('UTC'),
  week_start_day: field.choice(1, 0),
  /** Named events of sessions, that questions about a site count. */
  web_goals: field.json([]),
  data_attributes: field.json({}),
  person_display_name_properties: field.json(null),
  correlation_config: field.json({}),
  session_recording_opt_in: field.boolean(false),
  capture_console_log_opt_in: field.nullable<boolean>(),
  capture_performance_opt_in: field.nullable<boolean>(),
  access_control: field.boolean(false),
  primary_dashboard: field.nullable<number>(),
  live_events_columns: field.json(null),
  recording_domains: field.json(null),
  /** Whole days (UTC); null keeps all events. */
  events_retention_days: field.nullable<number>(),
}

export type ProjectSettings = SettingsOf<typeof PROJECT_FIELDS>

export type StoredProject = ProjectSettings & {
  readonly id: ProjectId
  readonly uuid: string
  readonly organizationId: OrganizationId
  readonly apiToken: string
  readonly ingestedEvent: boolean
  readonly hasGroupTypes: boolean
  /** Time when `eventsRetentionDays` takes effect; null once it has. ISO 8601, `Z`. */
  readonly eventsRetentionFrom: string | null
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
  readonly updatedAt: string
}

export type ProjectListItem = Pick<
  StoredProject,
  | 'id'
  | 'uuid'
  | 'organizationId'
  | 'apiToken'
  | 'name'
  | 'completedSnippetOnboarding'
  | 'ingestedEvent'
  | 'isDemo'
  | 'timezone'
  | 'accessControl'
>

export const PROJECT_DEFAULTS: ProjectSettings = defaultsOf(PROJECT_FIELDS)

/** Access of one user to a project; `level` is null for an outsider of its organization. */
export type ProjectLevel = {
  readonly id: ProjectId
  readonly organizationId: OrganizationId
  readonly accessControl: boolean
  readonly level: Level | null
  /** Set by its organization. */
  readonly pluginsAccessLevel: number
}

export type UserInProject = { readonly project: number; readonly user: UserId }

/** Access in the order of the request; undefined where there is no such project. */
export async function findProjectLevels(
  db: Db,
  asked: readonly UserInProject[],
): Promise<readonly (ProjectLevel | undefined)[]> {
  const rows = await db<(ProjectLevel & Nth)[]>`
    select a.nth::integer, ${projectLevelColumns(db)}
    from unnest(${asked.map(({ project }) => project)}::integer[],
      ${asked.map(({ user }) => user)}::integer[]) with ordinality as a (project, member, nth)
    join projects p on p.id = a.project
    join organizations o on o.id = p.organization_id
    left join memberships m on m.organization_id = p.organization_id and m.user_id = a.member`
  return inOrder(asked, rows)
}

/** Finds the access of one user to the project with this project API key. */
export async function findProjectLevelByToken(
  db: Db,
  token: string,
  user: UserId,
): Promise<ProjectLevel | undefined> {
  const [row] = await db<ProjectLevel[]>`
    select ${projectLevelColumns(db)}
    from projects p join organizations o on o.id = p.organization_id
    left join memberships m on m.organization_id = p.organization_id and m.user_id = ${user}
    where p.api_token = ${token}`
  return row
}

function projectLevelColumns(db: Db) {
  return db`
    p.id, p.organization_id as "organizationId", p.access_control as "accessControl",
    m.level, o.plugins_access_level as "pluginsAccessLevel"`
}

/** A row of one organization: plain members do not see projects under access control. */
export async function listProjects(
  db: Db,
  organization: OrganizationId,
  level: Level,
  page: { limit: number; offset: number },
): Promise<ProjectListItem[]> {
  return await db<ProjectListItem[]>`
    select id, uuid, organization_id as "organizationId", api_token as "apiToken", name,
      completed_snippet_onboarding as "completedSnippetOnboarding",
      ingested_event as "ingestedEvent", is_demo as "isDemo", timezone,
      access_control as "accessControl"
    from projects
    where organization_id = ${organization} and (not access_control or ${level}::integer > 1)
    order by id limit ${page.limit} offset ${page.offset}`
}

export async function countProjects(
  db: Db,
  organization: OrganizationId,
  level: Level,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from projects
    where organization_id = ${organization} and (not access_control or ${level}::integer > 1)`
  return row?.count ?? 0
}

/** First project of an organization, by id. */
export async function findFirstProject(
  db: Db,
  organization: OrganizationId,
): Promise<{ id: ProjectId; apiToken: string } | undefined> {
  const [row] = await db<{ id: ProjectId; apiToken: string }[]>`
    select id, api_token as "apiToken" from projects
    where organization_id = ${organization} order by id limit 1`
  return row
}

/** First project of the instance, by id. */
export async function findOldestProject(
  db: Db,
): Promise<{ id: ProjectId; apiToken: string } | undefined> {
  const [row] = await db<{ id: ProjectId; apiToken: string }[]>`
    select id, api_token as "apiToken" from projects order by id limit 1`
  return row
}

export async function findProject(db: Db, id: ProjectId): Promise<StoredProject | undefined> {
  const [project] = await findProjects(db, [id])
  return project
}

/** Projects in the order of the ids; undefined where there is no such project. */
export async function findProjects(
  db: Db,
  ids: readonly ProjectId[],
): Promise<readonly (StoredProject | undefined)[]> {
  const rows = await db<(StoredProject & Nth)[]>`
    select a.nth::integer, ${projectColumns(db)}
    from unnest(${ids}::integer[]) with ordinality as a (id, nth) join projects p on p.id = a.id`
  return inOrder(ids, rows)
}

/** As `findProject`, and locks the row until the transaction ends. */
export async function lockProject(db: Db, id: ProjectId): Promise<StoredProject | undefined> {
  const [row] = await db<StoredProject[]>`
    select ${projectColumns(db)} from projects p where p.id = ${id} for update`
  return row
}

const COLUMNS = columnsText('p', PROJECT_FIELDS)
const NAMES = namesText(PROJECT_FIELDS)

function projectColumns(db: Db) {
  return db`
    p.id, p.uuid, p.organization_id as "organizationId", p.api_token as "apiToken",
    p.ingested_event as "ingestedEvent", ${db.unsafe(COLUMNS)},
    case when p.events_retention_from > now() then
      to_char(p.events_retention_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    end as "eventsRetentionFrom",
    to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt",
    exists (select from group_types g where g.project_id = p.id) as "hasGroupTypes"`
}

/** @throws {PostgresError} 23505 on `projects_api_token_key` when the token is taken. */
export async function insertProject(
  db: Db,
  project: { uuid: string; organizationId: OrganizationId; apiToken: string },
  s: ProjectSettings,
): Promise<ProjectId> {
  const [row] = await db<{ id: ProjectId }[]>`
    insert into projects (uuid, organization_id, api_token, ${db.unsafe(NAMES)})
    values (
      ${project.uuid}, ${project.organizationId}, ${project.apiToken},
      ${valuesOf(db, PROJECT_FIELDS, s)}
    ) returning id`
  if (row === undefined) throw new Error('insert into projects answered no row')
  return row.id
}

/**
 * Writes every writable field: the caller holds the row's lock and has merged the change in. Until
 * a shorter retention holds, the one before it does.
 */
export async function updateProject(
  db: Db,
  id: ProjectId,
  s: ProjectSettings,
  { retentionWaitHours }: { readonly retentionWaitHours: number },
): Promise<void> {
  const { events_retention_days: _, ...fields } = PROJECT_FIELDS
  await db`
    update projects p set ${assignmentsOf(db, fields, s)},
      ${retentionChange(db, s.eventsRetentionDays, retentionWaitHours)}, updated_at = now()
    where p.id = ${id}`
}

/** @throws {PostgresError} 23505 on `projects_api_token_key` when the token is taken. */
export async function updateProjectToken(db: Db, id: ProjectId, token: string): Promise<void> {
  await db`update projects set api_token = ${token}, updated_at = now() where id = ${id}`
}

/** The zone of a project with its weeks; UTC of one that is gone. */
export async function loadZone(db: Db, project: ProjectId): Promise<Zone> {
  const [row] = await db<{ timezone: string; weekStartDay: WeekStartDay }[]>`
    select timezone, week_start_day as "weekStartDay" from projects where id = ${project}`
  return withWeeks(zoneOrUtc(row?.timezone ?? 'UTC'), row?.weekStartDay ?? 1)
}
