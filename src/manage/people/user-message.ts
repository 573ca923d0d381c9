/** Users as messages: reads, merges and renders their fields. */
import type {
  UpdateMeRequest,
  UpdateMeRequest__Output,
} from '../../../proto/gen/sluice/v1/UpdateMeRequest.ts'
import type { User } from '../../../proto/gen/sluice/v1/User.ts'
import type { UserListItem } from '../../../proto/gen/sluice/v1/UserListItem.ts'
import type { UserSummary as UserSummaryMessage } from '../../../proto/gen/sluice/v1/UserSummary.ts'
import type { UserTeam } from '../../../proto/gen/sluice/v1/UserTeam.ts'
import type { CurrentPlace } from '../../access/current-project.ts'
import { invalid } from '../../access/errors.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import type { EventNameUsage } from '../../event-store/postgres/reads/event-names-store.ts'
import type { Level } from '../../store/people/organization-store.ts'
import type { StoredUser, UserSettings, UserSummary } from '../../store/people/user-store.ts'
import type { StoredProject } from '../../store/projects/project-store.ts'
import { echo } from '../../wire/details.ts'
import { fromValue } from '../../wire/proto/value.ts'
import { merger } from '../merge.ts'
import { toProjectSummary } from '../projects/project-message.ts'
import { toWireValue } from '../wire-value.ts'

/** All notifications, with their defaults. */
const NOTIFICATION_DEFAULTS: JsonObject = { plugin_disabled: true }

/**
 * The settings that `base` and the given fields make together.
 * @throws {AppError} `invalid_argument` of `notification_settings`.
 */
export function mergeUser(base: UserSettings, request: UpdateMeRequest__Output): UserSettings {
  const { json, orKept, orNull } = merger(request.null_fields)
  const { email_opt_in: optIn, anonymize_data: anonymize, events_column_config: columns } = request
  return {
    firstName: orKept(request.first_name, base.firstName),
    email: orKept(request.email, base.email),
    emailOptIn: orNull('email_opt_in', optIn, base.emailOptIn) ?? false,
    anonymizeData: orNull('anonymize_data', anonymize, base.anonymizeData) ?? false,
    toolbarMode: orKept(request.toolbar_mode, base.toolbarMode),
    notificationSettings: {
      ...base.notificationSettings,
      ...notifications(fromValue(request.notification_settings)),
    },
    eventsColumnConfig: json('events_column_config', columns, base.eventsColumnConfig),
    isStaff: orKept(request.is_staff, base.isStaff),
  }
}

/** True when the request changes nothing, whatever the stored user. */
export function isEmptyChange({ null_fields: nulls, ...fields }: UpdateMeRequest__Output): boolean {
  return nulls.length === 0 && Object.values(fields).every((each) => (each ?? null) === null)
}

/** Writable fields of a user, as they are written: audit entries compare them. */
export function toWritable(user: UserSettings, place: CurrentPlace): UpdateMeRequest {
  const { organizationId, projectId } = place
  return {
    ...settingsOf(user),
    is_staff: user.isStaff,
    ...(projectId === null ? {} : { set_current_team: String(projectId) }),
    ...(organizationId === null ? {} : { set_current_organization: organizationId }),
  }
}

export function toUserSummary(user: UserSummary): UserSummaryMessage {
  return {
    id: user.id,
    uuid: user.uuid,
    distinct_id: user.distinctId,
    first_name: user.firstName,
    email: user.email,
  }
}

/** The fields that are the user's own. */
export function toUser(user: StoredUser): User {
  return {
    ...toUserSummary(user),
    date_joined: user.dateJoined,
    ...settingsOf(user),
    has_password: user.hasPassword,
    is_staff: user.isStaff,
    is_impersonated: false,
    is_active: user.isActive,
    is_email_verified: user.isEmailConfirmed,
    ...(user.pendingEmail === null ? {} : { pending_email: user.pendingEmail }),
  }
}

export function toUserListItem(user: StoredUser): UserListItem {
  return {
    ...toUserSummary(user),
    date_joined: user.dateJoined,
    is_staff: user.isStaff,
    is_active: user.isActive,
    is_email_verified: user.isEmailConfirmed,
    ...(user.pendingEmail === null ? {} : { pending_email: user.pendingEmail }),
  }
}

/** @param properties names only: neither their volumes nor their use in queries is known. */
export function toUserTeam(
  project: StoredProject,
  level: Level,
  events: readonly EventNameUsage[],
  properties: readonly string[],
): UserTeam {
  const { chatIncomingWebhook: webhook } = project
  return {
    ...toProjectSummary(project, level),
    app_urls: toWireValue(project.appUrls),
    anonymize_ips: project.anonymizeIps,
    ...(webhook === null ? {} : { chat_incoming_webhook: webhook }),
    test_account_filters: toWireValue(project.testAccountFilters),
    data_attributes: toWireValue(project.dataAttributes),
    session_recording_opt_in: project.sessionRecordingOptIn,
    event_names: events.map(({ name }) => name),
    event_properties: [...properties],
    event_names_with_usage: events.map(({ name, queries, volume }) => ({
      event: name,
      usage_count: queries,
      volume,
    })),
    event_properties_with_usage: properties.map((key) => ({ key })),
  }
}

function settingsOf(user: UserSettings) {
  return {
    first_name: user.firstName,
    email: user.email,
    email_opt_in: user.emailOptIn,
    anonymize_data: user.anonymizeData,
    toolbar_mode: user.toolbarMode,
    notification_settings: toWireValue({ ...NOTIFICATION_DEFAULTS, ...user.notificationSettings }),
    events_column_config: toWireValue(user.eventsColumnConfig),
  }
}

function notifications(given: unknown): JsonObject {
  if (!isObject(given)) return {}
  const settings: Record<string, boolean> = {}
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(NOTIFICATION_DEFAULTS, key)) {
      throw invalid(`"${echo(key)}" is not a notification setting.`, 'notification_settings')
    }
    if (typeof value !== 'boolean') {
      throw invalid(`"${key}" must be a boolean.`, 'notification_settings')
    }
    settings[key] = value
  }
  return settings
}
