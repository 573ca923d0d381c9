/** Projects as messages: reads, merges and renders their fields. */
import type { Project } from '../../../proto/gen/sluice/v1/Project.ts'
import type { ProjectSummary } from '../../../proto/gen/sluice/v1/ProjectSummary.ts'
import type { UpdateProjectRequest__Output } from '../../../proto/gen/sluice/v1/UpdateProjectRequest.ts'
import { invalid } from '../../access/errors.ts'
import type { Json } from '../../core/json.ts'
import { UTC } from '../../core/time/zone.ts'
import { ANY_COHORT } from '../../query/asked-cohorts.ts'
import { checkGoals } from '../../query/insights/check-question.ts'
import { createBudget } from '../../query/language/expressions.ts'
import { readFilters } from '../../query/list/filters.ts'
import type { Level } from '../../store/people/organization-store.ts'
import {
  PROJECT_FIELDS,
  type ProjectListItem,
  type ProjectSettings,
  type StoredProject,
} from '../../store/projects/project-store.ts'
import type { RetentionSettings } from '../settings.ts'
import { mergeFields, toFields } from '../settings-messages.ts'

/** The writable fields, which the messages of a create and an update share. */
export type ProjectFields = Omit<UpdateProjectRequest__Output, 'id'>

/** Requires that changed filters can be used by a query: otherwise each later one would fail. */
function requireFilters(filters: Json, before: Json): void {
  if (filters === before) return
  const read = readFilters(filters, { nowMs: 0, zone: UTC }, createBudget(), ANY_COHORT)
  if (!read.ok) throw invalid(read.error.detail, 'test_account_filters')
}

/** As `requireFilters`, of the goals of a site. */
function requireGoals(goals: Json, before: Json): void {
  if (goals === before) return
  const checked = checkGoals(goals)
  if (!checked.ok) throw invalid(checked.error.detail, checked.error.attr)
}

/** The settings that `base` and the given fields make together; null where one is set to null. */
export function mergeSettings(base: ProjectSettings, request: ProjectFields): ProjectSettings {
  const merged = mergeFields(PROJECT_FIELDS, base, request)
  requireFilters(merged.testAccountFilters, base.testAccountFilters)
  requireGoals(merged.webGoals, base.webGoals)
  return merged
}

export function toProject(
  project: StoredProject,
  level: Level,
  { retentionWaitHours }: RetentionSettings,
): Project {
  return {
    ...toFields(PROJECT_FIELDS, project),
    id: project.id,
    uuid: project.uuid,
    organization: project.organizationId,
    api_token: project.apiToken,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    ingested_event: project.ingestedEvent,
    effective_membership_level: level,
    has_group_types: project.hasGroupTypes,
    person_on_events_querying_enabled: false,
    groups_on_events_querying_enabled: false,
    ...(project.eventsRetentionFrom === null
      ? {}
      : { events_retention_from: project.eventsRetentionFrom }),
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
