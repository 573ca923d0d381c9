/** Projects as messages: reads, merges and renders their fields. */
import type { Project } from '../../../proto/gen/sluice/v1/Project.ts'
import type { ProjectSummary } from '../../../proto/gen/sluice/v1/ProjectSummary.ts'
import type { UpdateProjectRequest__Output } from '../../../proto/gen/sluice/v1/UpdateProjectRequest.ts'
import { invalid } from '../../access/errors.ts'
import type { Json } from '../../core/json.ts'
import { UTC, type WeekStartDay } from '../../core/time/zone.ts'
import { ANY_COHORT } from '../../query/asked-cohorts.ts'
import { createBudget } from '../../query/language/expressions.ts'
import { readFilters } from '../../query/list/filters.ts'
import type { Level } from '../../store/people/organization-store.ts'
import type {
  ProjectListItem,
  ProjectSettings,
  StoredProject,
} from '../../store/projects/project-store.ts'
import { merger } from '../merge.ts'
import type { RetentionSettings } from '../settings.ts'
import { toWireValue } from '../wire-value.ts'

/** The writable fields, which the messages of a create and an update share. */
export type ProjectFields = Omit<UpdateProjectRequest__Output, 'id'>

/** Requires that changed filters can be used by a query: otherwise each later one would fail. */
function requireFilters(filters: Json, before: Json): Json {
  if (filters === before) return filters
  const read = readFilters(filters, { nowMs: 0, zone: UTC }, createBudget(), ANY_COHORT)
  if (read.ok) return filters
  throw invalid(read.error.detail, 'test_account_filters')
}

/** The settings that `base` and the given fields make together; null where one is set to null. */
export function mergeSettings(base: ProjectSettings, request: ProjectFields): ProjectSettings {
  const { json, orNull, orKept } = merger(request.null_fields)
  return {
    name: orKept(request.name, base.name),
    appUrls: json('app_urls', request.app_urls, base.appUrls),
    chatIncomingWebhook: orNull(
      'chat_incoming_webhook',
      request.chat_incoming_webhook,
      base.chatIncomingWebhook,
    ),
    anonymizeIps: orKept(request.anonymize_ips, base.anonymizeIps),
    completedSnippetOnboarding: orKept(
      request.completed_snippet_onboarding,
      base.completedSnippetOnboarding,
    ),
    testAccountFilters: requireFilters(
      json('test_account_filters', request.test_account_filters, base.testAccountFilters),
      base.testAccountFilters,
    ),
    testAccountFiltersDefaultChecked: orNull(
      'test_account_filters_default_checked',
      request.test_account_filters_default_checked,
      base.testAccountFiltersDefaultChecked,
    ),
    pathCleaningFilters: json(
      'path_cleaning_filters',
      request.path_cleaning_filters,
      base.pathCleaningFilters,
    ),
    isDemo: orKept(request.is_demo, base.isDemo),
    timezone: orKept(request.timezone, base.timezone),
    weekStartDay: weekStartOf(orKept(request.week_start_day, base.weekStartDay)),
    dataAttributes: json('data_attributes', request.data_attributes, base.dataAttributes),
    personDisplayNameProperties: json(
      'person_display_name_properties',
      request.person_display_name_properties,
      base.personDisplayNameProperties,
    ),
    correlationConfig: json(
      'correlation_config',
      request.correlation_config,
      base.correlationConfig,
    ),
    sessionRecordingOptIn: orKept(request.session_recording_opt_in, base.sessionRecordingOptIn),
    captureConsoleLogOptIn: orNull(
      'capture_console_log_opt_in',
      request.capture_console_log_opt_in,
      base.captureConsoleLogOptIn,
    ),
    capturePerformanceOptIn: orNull(
      'capture_performance_opt_in',
      request.capture_performance_opt_in,
      base.capturePerformanceOptIn,
    ),
    accessControl: orKept(request.access_control, base.accessControl),
    primaryDashboard: orNull('primary_dashboard', request.primary_dashboard, base.primaryDashboard),
    liveEventsColumns: json(
      'live_events_columns',
      request.live_events_columns,
      base.liveEventsColumns,
    ),
    recordingDomains: json('recording_domains', request.recording_domains, base.recordingDomains),
    eventsRetentionDays: orNull(
      'events_retention_days',
      request.events_retention_days,
      base.eventsRetentionDays,
    ),
  }
}

/** The rule of the field lets nothing else through. */
function weekStartOf(day: number): WeekStartDay {
  return day === 0 ? 0 : 1
}

export function toProject(
  project: StoredProject,
  level: Level,
  { retentionWaitHours }: RetentionSettings,
): Project {
  return {
    id: project.id,
    uuid: project.uuid,
    organization: project.organizationId,
    api_token: project.apiToken,
    app_urls: toWireValue(project.appUrls),
    name: project.name,
    ...optional('chat_incoming_webhook', project.chatIncomingWebhook),
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    anonymize_ips: project.anonymizeIps,
    completed_snippet_onboarding: project.completedSnippetOnboarding,
    ingested_event: project.ingestedEvent,
    test_account_filters: toWireValue(project.testAccountFilters),
    ...optional('test_account_filters_default_checked', project.testAccountFiltersDefaultChecked),
    path_cleaning_filters: toWireValue(project.pathCleaningFilters),
    is_demo: project.isDemo,
    timezone: project.timezone,
    week_start_day: project.weekStartDay,
    data_attributes: toWireValue(project.dataAttributes),
    person_display_name_properties: toWireValue(project.personDisplayNameProperties),
    correlation_config: toWireValue(project.correlationConfig),
    session_recording_opt_in: project.sessionRecordingOptIn,
    ...optional('capture_console_log_opt_in', project.captureConsoleLogOptIn),
    ...optional('capture_performance_opt_in', project.capturePerformanceOptIn),
    effective_membership_level: level,
    access_control: project.accessControl,
    has_group_types: project.hasGroupTypes,
    ...optional('primary_dashboard', project.primaryDashboard),
    live_events_columns: toWireValue(project.liveEventsColumns),
    recording_domains: toWireValue(project.recordingDomains),
    person_on_events_querying_enabled: false,
    groups_on_events_querying_enabled: false,
    ...optional('events_retention_days', project.eventsRetentionDays),
    ...optional('events_retention_from', project.eventsRetentionFrom),
    events_retention_wait_hours: retentionWaitHours,
  }
}

export function toProjectSummary(project: ProjectListItem, level: Level): ProjectSummary {
  return {
    id: project.id,
    uuid: project.uuid,
    organization: project.organizationId,
    api_token: project.apiToken,
    name: project.name,
    completed_snippet_onboarding: project.completedSnippetOnboarding,
    ingested_event: project.ingestedEvent,
    is_demo: project.isDemo,
    timezone: project.timezone,
    access_control: project.accessControl,
    effective_membership_level: level,
  }
}

/** Leaves a field out when it is null: messages have no other form of null. */
function optional<Name extends string, T>(name: Name, value: T | null): { [N in Name]?: T } {
  // The only member has this name and type.
  return (value === null ? {} : { [name]: value }) as { [N in Name]?: T }
}
