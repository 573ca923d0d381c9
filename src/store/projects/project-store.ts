/** Rows of projects. */
import type { OrganizationId, ProjectId, UserId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { WeekStartDay } from '../../core/time/zone.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import { inOrder, type Nth } from '../../postgres/in-order.ts'
import type { Level } from '../people/organization-store.ts'
import { retentionChange } from './kept-days.ts'

/** The fields of a project that its members may write. */
export type ProjectSettings = {
  readonly name: string
  readonly appUrls: Json
  readonly chatIncomingWebhook: string | null
  readonly anonymizeIps: boolean
  readonly completedSnippetOnboarding: boolean
  readonly testAccountFilters: Json
  readonly testAccountFiltersDefaultChecked: boolean | null
  readonly pathCleaningFilters: Json
  readonly isDemo: boolean
  readonly timezone: string
  readonly weekStartDay: WeekStartDay
  readonly dataAttributes: Json
  readonly personDisplayNameProperties: Json
  readonly correlationConfig: Json
  readonly sessionRecordingOptIn: boolean
  readonly captureConsoleLogOptIn: boolean | null
  readonly capturePerformanceOptIn: boolean | null
  readonly accessControl: boolean
  readonly primaryDashboard: number | null
  readonly liveEventsColumns: Json
  readonly recordingDomains: Json
  /** Whole days (UTC); null keeps all events. */
  readonly eventsRetentionDays: number | null
}

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

export const PROJECT_DEFAULTS: ProjectSettings = {
  name: 'Default Project',
  appUrls: [],
  chatIncomingWebhook: null,
  anonymizeIps: false,
  completedSnippetOnboarding: false,
  testAccountFilters: {},
  testAccountFiltersDefaultChecked: null,
  pathCleaningFilters: {},
  isDemo: false,
  timezone: 'UTC',
  weekStartDay: 1,
  dataAttributes: {},
  personDisplayNameProperties: null,
  correlationConfig: {},
  sessionRecordingOptIn: false,
  captureConsoleLogOptIn: null,
  capturePerformanceOptIn: null,
  accessControl: false,
  primaryDashboard: null,
  liveEventsColumns: null,
  recordingDomains: null,
  eventsRetentionDays: null,
}

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

function projectColumns(db: Db) {
  return db`
    p.id, p.uuid, p.organization_id as "organizationId", p.api_token as "apiToken", p.name,
    p.app_urls as "appUrls", p.chat_incoming_webhook as "chatIncomingWebhook",
    p.anonymize_ips as "anonymizeIps",
    p.completed_snippet_onboarding as "completedSnippetOnboarding",
    p.ingested_event as "ingestedEvent", p.test_account_filters as "testAccountFilters",
    p.test_account_filters_default_checked as "testAccountFiltersDefaultChecked",
    p.path_cleaning_filters as "pathCleaningFilters", p.is_demo as "isDemo", p.timezone,
    p.week_start_day as "weekStartDay", p.data_attributes as "dataAttributes",
    p.person_display_name_properties as "personDisplayNameProperties",
    p.correlation_config as "correlationConfig",
    p.session_recording_opt_in as "sessionRecordingOptIn",
    p.capture_console_log_opt_in as "captureConsoleLogOptIn",
    p.capture_performance_opt_in as "capturePerformanceOptIn",
    p.access_control as "accessControl", p.primary_dashboard as "primaryDashboard",
    p.live_events_columns as "liveEventsColumns", p.recording_domains as "recordingDomains",
    p.events_retention_days as "eventsRetentionDays",
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
    insert into projects (
      uuid, organization_id, api_token, name, app_urls, chat_incoming_webhook, anonymize_ips,
      completed_snippet_onboarding, test_account_filters, test_account_filters_default_checked,
      path_cleaning_filters, is_demo, timezone, week_start_day, data_attributes,
      person_display_name_properties, correlation_config, session_recording_opt_in,
      capture_console_log_opt_in, capture_performance_opt_in, access_control, primary_dashboard,
      live_events_columns, recording_domains, events_retention_days
    ) values (
      ${project.uuid}, ${project.organizationId}, ${project.apiToken}, ${s.name},
      ${jsonText(s.appUrls)}::text::json, ${s.chatIncomingWebhook}, ${s.anonymizeIps},
      ${s.completedSnippetOnboarding}, ${jsonText(s.testAccountFilters)}::text::json,
      ${s.testAccountFiltersDefaultChecked}, ${jsonText(s.pathCleaningFilters)}::text::json,
      ${s.isDemo}, ${s.timezone}, ${s.weekStartDay}, ${jsonText(s.dataAttributes)}::text::json,
      ${jsonText(s.personDisplayNameProperties)}::text::json,
      ${jsonText(s.correlationConfig)}::text::json, ${s.sessionRecordingOptIn},
      ${s.captureConsoleLogOptIn}, ${s.capturePerformanceOptIn}, ${s.accessControl},
      ${s.primaryDashboard}, ${jsonText(s.liveEventsColumns)}::text::json,
      ${jsonText(s.recordingDomains)}::text::json, ${s.eventsRetentionDays}
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
  await db`
    update projects p set
      name = ${s.name}, app_urls = ${jsonText(s.appUrls)}::text::json,
      chat_incoming_webhook = ${s.chatIncomingWebhook}, anonymize_ips = ${s.anonymizeIps},
      completed_snippet_onboarding = ${s.completedSnippetOnboarding},
      test_account_filters = ${jsonText(s.testAccountFilters)}::text::json,
      test_account_filters_default_checked = ${s.testAccountFiltersDefaultChecked},
      path_cleaning_filters = ${jsonText(s.pathCleaningFilters)}::text::json,
      is_demo = ${s.isDemo}, timezone = ${s.timezone},
      week_start_day = ${s.weekStartDay},
      data_attributes = ${jsonText(s.dataAttributes)}::text::json,
      person_display_name_properties = ${jsonText(s.personDisplayNameProperties)}::text::json,
      correlation_config = ${jsonText(s.correlationConfig)}::text::json,
      session_recording_opt_in = ${s.sessionRecordingOptIn},
      capture_console_log_opt_in = ${s.captureConsoleLogOptIn},
      capture_performance_opt_in = ${s.capturePerformanceOptIn},
      access_control = ${s.accessControl}, primary_dashboard = ${s.primaryDashboard},
      live_events_columns = ${jsonText(s.liveEventsColumns)}::text::json,
      recording_domains = ${jsonText(s.recordingDomains)}::text::json,
      ${retentionChange(db, s.eventsRetentionDays, retentionWaitHours)}, updated_at = now()
    where p.id = ${id}`
}

/** @throws {PostgresError} 23505 on `projects_api_token_key` when the token is taken. */
export async function updateProjectToken(db: Db, id: ProjectId, token: string): Promise<void> {
  await db`update projects set api_token = ${token}, updated_at = now() where id = ${id}`
}
