/** Organizations as messages: reads, merges and renders their fields. */
import type { Organization } from '../../../proto/gen/sluice/v1/Organization.ts'
import type { StoredOrganization } from '../../store/people/organization-membership-store.ts'
import type { OrganizationSettings } from '../../store/people/organization-store.ts'
import type { ProjectListItem } from '../../store/projects/project-store.ts'
import { toProjectSummary } from '../projects/project-message.ts'

/** The writable fields, which the messages of a create and an update share. */
export type OrganizationFields = {
  readonly name?: string
  readonly is_member_join_email_enabled?: boolean
}

/** Settings of a new organization unless its request sets them. */
export const ORGANIZATION_DEFAULTS: OrganizationSettings = {
  name: '',
  isMemberJoinEmailEnabled: true,
}

/** The settings that `base` and the given fields make together. */
export function mergeOrganization(
  base: OrganizationSettings,
  request: OrganizationFields,
): OrganizationSettings {
  return {
    name: request.name ?? base.name,
    isMemberJoinEmailEnabled: request.is_member_join_email_enabled ?? base.isMemberJoinEmailEnabled,
  }
}

/** @param projects that the caller sees; those of other organizations are left out. */
export function toOrganization(
  organization: StoredOrganization,
  projects: readonly ProjectListItem[],
): Organization {
  const { id, level } = organization
  return {
    id,
    name: organization.name,
    slug: organization.slug,
    created_at: organization.createdAt,
    updated_at: organization.updatedAt,
    membership_level: level,
    plugins_access_level: organization.pluginsAccessLevel,
    teams: projects
      .filter(({ organizationId }) => organizationId === id)
      .map((project) => toProjectSummary(project, level)),
    available_features: [],
    is_member_join_email_enabled: organization.isMemberJoinEmailEnabled,
    // Nothing here describes properties.
    metadata: {
      taxonomy_set_events_count: organization.describedEvents,
      taxonomy_set_properties_count: 0,
    },
  }
}
