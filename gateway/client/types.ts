// Generated from proto/sluice/v1 by `npm run gen`; changes here are lost.
import type { Json, JsonObject } from './runtime.ts'

export type AcceptInviteResponse = {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string
  readonly first_name: string
  readonly email: string
  readonly organization_id: string
  readonly project_id: number | null
  /** Shown once; null for a user who existed already. */
  readonly personal_api_key: string | null
}

export type ActivityChange = {
  readonly field: string
  /** created, changed or deleted. */
  readonly action: string
  readonly before: Json
  readonly after: Json
}

export type ActivityDetail = {
  /** Name of the item at the time of the change. */
  readonly name: string | null
  /** Version of the flag after the change. */
  readonly version: number | null
  readonly changes: readonly ActivityChange[]
}

export type ActivityEntry = {
  readonly id: string
  /** Null once the user is gone. */
  readonly user: UserSummary | null
  /** Id of the personal API key that was used; null when no key was used. */
  readonly key_id: string | null
  /** created, updated, deleted, or another word for what was done. */
  readonly activity: string
  /**
   * FeatureFlag, PluginConfig, Plugin, Project, Organization, OrganizationMembership, Invite,
   * EventDefinition, PersonalApiKey, User, Deletion, Event or Person (the last two: of exports).
   */
  readonly scope: string
  readonly item_id: string
  readonly project_id: number | null
  readonly organization_id: string | null
  readonly detail: ActivityDetail | null
  readonly created_at: string
}

export type Deletion = {
  /** UUID; null for a dry run. */
  readonly id: string | null
  /** person, events or retention. */
  readonly kind: string
  /** running, completed, cancelled or dry_run. */
  readonly state: string
  /** UUID of the deleted person. */
  readonly person_uuid: string | null
  /** False when a person is deleted and its events are kept. */
  readonly delete_events: boolean
  /** JSON object: the filters as they were sent; null but for the kind events. */
  readonly filters: Json
  /** Events of earlier UTC days go, YYYY-MM-DD; null but for the kind retention. */
  readonly cutoff: string | null
  /** Events that were found when it was asked for; null when they were not counted. */
  readonly total: number | null
  /** Events that are deleted by now. */
  readonly deleted: number
  /** What the last turn failed with; it is tried again. */
  readonly error: string | null
  /** Id of a user. */
  readonly created_by: number | null
  readonly created_at: string | null
  readonly finished_at: string | null
  /** Until when backups may hold what is deleted; null when the operator has not said. */
  readonly backups_hold_until: string | null
}

export type DryRunPluginConfigResponse = {
  /** In the order in which the plugins are called. */
  readonly steps: readonly PluginDryStep[]
}

export type EventDefinition = {
  readonly id: string
  readonly name: string
  /** Id of a user. */
  readonly owner: number | null
  readonly description: string | null
  readonly tags: readonly string[]
  readonly volume_30_day: number | null
  readonly query_usage_30_day: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly updated_by: UserSummary | null
  readonly last_seen_at: string | null
  readonly last_updated_at: string | null
  readonly verified: boolean
  readonly verified_at: string | null
  readonly verified_by: UserSummary | null
  /** The text false: there are no actions. */
  readonly is_action: string
  readonly action_id: number | null
  readonly is_calculating: boolean
  readonly last_calculated_at: string | null
  readonly created_by: UserSummary | null
  readonly post_to_chat: boolean
}

export type EventNameUsage = {
  readonly event: string
  /** Event lists of the last 30 days that asked for it. */
  readonly usage_count: number | null
  /** Events in the last 30 days. */
  readonly volume: number | null
}

export type EventPropertyUsage = {
  readonly key: string
  /** Not counted for properties: both are null. */
  readonly usage_count: number | null
  readonly volume: number | null
}

export type EventTable = {
  /** The expressions as sent, and the type of each. */
  readonly columns: readonly string[]
  readonly types: readonly string[]
  /** JSON list of rows, each a list of cells. */
  readonly results: Json
  readonly hasMore: boolean
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
}

export type EventValue = {
  readonly name: string
}

export type ExportPersonResponse = {
  /**
   * JSON object: the person with all but its events. A list that is long goes on in the next
   * pieces, whose objects hold nothing but further lists and further items; null once all were
   * given.
   */
  readonly person: Json
  /** JSON list of events. */
  readonly events: Json
  /** Cursor of the next piece; empty after the last one. A piece without events may have one. */
  readonly cursor: string
}

export type FeatureFlag = {
  readonly id: number
  readonly name: string
  readonly key: string
  readonly filters: Json
  readonly deleted: boolean
  readonly active: boolean
  readonly created_by: UserSummary | null
  readonly created_at: string
  readonly is_simple_flag: boolean
  /** A number from 0 to 100, or null when the flag is not simple. */
  readonly rollout_percentage: number | null
  readonly ensure_experience_continuity: boolean
  readonly experiment_set: readonly number[]
  readonly rollback_conditions: Json
  readonly performed_rollback: boolean
  readonly can_edit: boolean
  readonly tags: readonly string[]
  /** Rises with each change. */
  readonly version: number
  readonly bucketing_identifier: string
  readonly evaluation_runtime: string
  readonly evaluation_contexts: readonly string[]
  /**
   * True: payloads are sealed where they are stored, and masked here. Only GetRemoteConfig and the
   * definitions for server libraries have them in clear.
   */
  readonly has_encrypted_payloads: boolean
}

export type GetFlagDefinitionsResponse = {
  readonly flags: readonly LocalFlag[]
  /** Index of a group type, as text, to its name. */
  readonly group_type_mapping: JsonObject | null
  /** Id of a cohort, as text, to its definition. */
  readonly cohorts?: JsonObject
  /** Version of the rules by which values are compared with true and false. */
  readonly property_matching_version: number
  /** True asks for fewer properties on `$feature_flag_called`. */
  readonly minimal_flag_called_events: boolean
}

export type GetLocalEvaluationResponse = {
  readonly flags: readonly LocalFlag[]
  /** Index of a group type, as text, to its name. */
  readonly group_type_mapping: JsonObject | null
  /** Id of a cohort, as text, to its definition. */
  readonly cohorts?: JsonObject
}

/** Warnings of one type about one person or group are counted together. */
export type IngestionWarning = {
  /** person_properties_size_violation or group_properties_size_violation. */
  readonly type: string
  /** Of the newest one: the event, whom it is about, and a message. */
  readonly details: JsonObject | null
  readonly count: number
  readonly first_seen_at: string
  readonly last_seen_at: string
}

export type Invite = {
  readonly id: string
  readonly target_email: string
  readonly first_name: string
  readonly emailing_attempt_made: boolean
  readonly is_expired: boolean
  readonly created_by: UserSummary | null
  readonly created_at: string
  readonly updated_at: string
  readonly message: string | null
  /**
   * Accepts the invite: hand it to the invited person where no mail is sent. Only where the invite
   * is made; the mail has another one.
   */
  readonly token?: string
}

export type ListActivityResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly ActivityEntry[]
}

export type ListDeletionsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Deletion[]
}

export type ListEventDefinitionsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly EventDefinition[]
}

export type ListEventsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly StoredEvent[]
}

export type ListFeatureFlagsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly FeatureFlag[]
}

export type ListIngestionWarningsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly IngestionWarning[]
}

export type ListInvitesResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Invite[]
}

export type ListOrganizationMembersResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly OrganizationMember[]
}

export type ListOrganizationsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Organization[]
}

export type ListPluginConfigLogsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly PluginLogEntry[]
}

export type ListPluginConfigsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly PluginConfig[]
}

export type ListPluginsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Plugin[]
}

export type ListProjectsResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly ProjectSummary[]
}

export type ListUsersResponse = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly UserListItem[]
}

export type LocalFlag = {
  readonly id: number
  readonly team_id: number
  readonly name: string
  readonly key: string
  readonly filters: Json
  readonly deleted: boolean
  readonly active: boolean
  readonly ensure_experience_continuity: boolean
  readonly version: number
  readonly bucketing_identifier: string
  readonly evaluation_runtime: string
  readonly evaluation_contexts: readonly string[]
  readonly has_encrypted_payloads: boolean
}

export type MyFlag = {
  readonly feature_flag: FeatureFlag | null
  /** true, false or the key of a variant. */
  readonly value: Json
}

export type NativeEvents = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  /** JSON list of events. */
  readonly results: Json
}

export type Organization = {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly created_at: string
  readonly updated_at: string
  readonly membership_level: number | null
  readonly plugins_access_level: number
  /** Projects that the caller can see. */
  readonly teams: readonly ProjectSummary[]
  readonly available_features: readonly string[]
  readonly is_member_join_email_enabled: boolean
  readonly metadata: OrganizationMetadata | null
  readonly customer_id: string | null
}

export type OrganizationMember = {
  /** Id of the membership. */
  readonly id: string
  readonly user: UserSummary | null
  /** 1 member, 8 administrator, 15 owner. */
  readonly level: number
  readonly joined_at: string
  readonly updated_at: string
  /** False for a user who was deactivated: none of their keys works. */
  readonly is_active: boolean
  /** The user has shown that the address is theirs. */
  readonly is_email_verified: boolean
}

export type OrganizationMetadata = {
  readonly taxonomy_set_events_count: number
  readonly taxonomy_set_properties_count: number
  readonly instance_tag: string | null
}

export type PersonalApiKey = {
  readonly id: string
  readonly label: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly user_id: number
  readonly scopes: readonly string[]
  /** Project ids and organization UUIDs; empty is no restriction. */
  readonly scoped_teams: readonly number[]
  readonly scoped_organizations: readonly string[]
  readonly mask_value: string
  readonly last_rolled_at: string | null
  /** Only where the key is made or rolled. */
  readonly value?: string
  /** The key is refused from then on; null is never. */
  readonly expires_at: string | null
}

export type Plugin = {
  readonly id: number
  /** local, custom, repository or source. */
  readonly plugin_type: string
  readonly name: string
  readonly description: string | null
  readonly url: string | null
  readonly icon: string | null
  /** List of settings, or object of them by key. */
  readonly config_schema: Json
  readonly tag: string | null
  readonly latest_tag: string | null
  readonly is_global: boolean
  /** Null for a plugin that comes with the product. */
  readonly organization_id: string | null
  readonly organization_name: string | null
  /** methods, jobs, scheduled_tasks. */
  readonly capabilities: Json
  readonly metrics: Json
  readonly public_jobs: Json
}

export type PluginConfig = {
  readonly id: number
  readonly plugin: number
  readonly enabled: boolean
  readonly order: number
  /** JSON text of the settings, secrets masked. */
  readonly config: string
  /** Object or null. */
  readonly error: Json
  readonly team_id: number
  /** JSON text of the plugin; only where one config is read. */
  readonly plugin_info: string | null
  /** Decimal text; null while the config ran nothing for 24 hours. */
  readonly delivery_rate_24h: string | null
  readonly created_at: string
  /** Version of the plugin's source that the config runs. */
  readonly plugin_version: number
  /**
   * The newest version, where the config runs an older one: send it as `plugin_version` to take
   * it.
   */
  readonly plugin_update: number | null
}

export type PluginDryLog = {
  /** DEBUG, LOG, INFO, WARN or ERROR. */
  readonly type: string
  readonly message: string
}

export type PluginDryStep = {
  readonly config: number
  /** Of the plugin. */
  readonly name: string
  /** kept, dropped or failed. A failed step leaves the event as it was. */
  readonly outcome: string
  /** The event after the step; null when it was dropped. */
  readonly event: Json
  /** Message of the failure. */
  readonly error: string | null
  readonly logs: readonly PluginDryLog[]
}

export type PluginLogEntry = {
  readonly id: string
  readonly team_id: number
  readonly plugin_id: number
  readonly plugin_config_id: number
  readonly timestamp: string
  /** SYSTEM, PLUGIN or CONSOLE. */
  readonly source: string
  /** DEBUG, LOG, INFO, WARN or ERROR. */
  readonly type: string
  readonly message: string
  /** The worker process that wrote it. */
  readonly instance_id: string
}

export type Project = {
  readonly id: number
  readonly uuid: string
  readonly organization: string
  readonly api_token: string
  readonly app_urls: Json
  readonly name: string
  readonly chat_incoming_webhook: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly anonymize_ips: boolean
  readonly completed_snippet_onboarding: boolean
  readonly ingested_event: boolean
  readonly test_account_filters: Json
  readonly test_account_filters_default_checked: boolean | null
  readonly path_cleaning_filters: Json
  readonly is_demo: boolean
  readonly timezone: string
  readonly data_attributes: Json
  readonly person_display_name_properties: Json
  readonly correlation_config: Json
  readonly session_recording_opt_in: boolean
  readonly capture_console_log_opt_in: boolean | null
  readonly capture_performance_opt_in: boolean | null
  readonly effective_membership_level: number | null
  readonly access_control: boolean
  readonly has_group_types: boolean
  readonly primary_dashboard: number | null
  readonly live_events_columns: Json
  readonly recording_domains: Json
  readonly person_on_events_querying_enabled: boolean
  readonly groups_on_events_querying_enabled: boolean
  /** Events older than so many whole days (UTC) are deleted; null keeps them. */
  readonly events_retention_days: number | null
}

/** The reduced representation of lists. */
export type ProjectSummary = {
  readonly id: number
  readonly uuid: string
  readonly organization: string
  readonly api_token: string
  readonly name: string
  readonly completed_snippet_onboarding: boolean
  readonly ingested_event: boolean
  readonly is_demo: boolean
  readonly timezone: string
  readonly access_control: boolean
  readonly effective_membership_level: number | null
}

export type Signup = {
  readonly id: string
  readonly target_email: string
  readonly first_name: string
  readonly organization_name: string
}

/**
 * All eight fields are texts; properties, person and elements hold JSON. The person has `id` and
 * `uuid`, by which lists of events find it; it is the text `null` where nobody is the person.
 */
export type StoredEvent = {
  readonly id: string
  readonly distinct_id: string
  readonly properties: string
  readonly event: string
  readonly timestamp: string
  readonly person: string | null
  readonly elements: string
  readonly elements_chain: string
}

export type User = {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string
  readonly first_name: string
  readonly email: string
  readonly date_joined: string
  readonly email_opt_in: boolean
  readonly anonymize_data: boolean
  /** toolbar or disabled. */
  readonly toolbar_mode: string
  readonly notification_settings: Json
  readonly events_column_config: Json
  readonly has_password: boolean
  readonly is_staff: boolean
  readonly is_impersonated: boolean
  /** The current project; null when there is none. */
  readonly team: UserTeam | null
  /** The current organization; null when there is none. */
  readonly organization: Organization | null
  readonly organizations: readonly UserOrganization[]
  /** Semantic version of this instance. */
  readonly service_version: string
  readonly is_active: boolean
  /** The user has shown that the address is theirs, or the operator has vouched for it. */
  readonly is_email_verified: boolean
  /** The address that the user has asked for and has not confirmed yet. */
  readonly pending_email: string | null
}

export type UserListItem = {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string
  readonly first_name: string
  readonly email: string
  readonly date_joined: string
  readonly is_staff: boolean
  readonly is_active: boolean
  readonly is_email_verified: boolean
  readonly pending_email: string | null
}

export type UserOrganization = {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly membership_level: number
}

/** Who made or changed something. */
export type UserSummary = {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string
  readonly first_name: string
  readonly email: string
}

export type UserTeam = {
  readonly id: number
  readonly uuid: string
  readonly organization: string
  readonly api_token: string
  readonly name: string
  readonly completed_snippet_onboarding: boolean
  readonly ingested_event: boolean
  readonly is_demo: boolean
  readonly timezone: string
  readonly access_control: boolean
  readonly effective_membership_level: number | null
  readonly app_urls: Json
  readonly anonymize_ips: boolean
  readonly chat_incoming_webhook: string | null
  readonly test_account_filters: Json
  readonly data_attributes: Json
  readonly session_recording_opt_in: boolean
  /** Most used first, at most 2,000. */
  readonly event_names: readonly string[]
  /** Of the newest events, most used first, at most 2,000. */
  readonly event_properties: readonly string[]
  readonly event_names_with_usage: readonly EventNameUsage[]
  readonly event_properties_with_usage: readonly EventPropertyUsage[]
}

export type VerifyEmailResponse = {
  readonly email: string
}

export type ListProjectActivityInput = {
  readonly project_id: string | number
  /** Only entries of this scope, item or user; empty texts ask for all. */
  readonly scope?: 'Deletion' | 'Event' | 'EventDefinition' | 'FeatureFlag' | 'Invite' | 'Organization' | 'OrganizationMembership' | 'Person' | 'PersonalApiKey' | 'Plugin' | 'PluginConfig' | 'Project' | 'User'
  readonly item_id?: string
  /** Id or UUID of a user. */
  readonly user?: string
  readonly limit?: number
  readonly offset?: number
}

export type ListOrganizationActivityInput = {
  readonly organization_id: string | number
  readonly scope?: 'Deletion' | 'Event' | 'EventDefinition' | 'FeatureFlag' | 'Invite' | 'Organization' | 'OrganizationMembership' | 'Person' | 'PersonalApiKey' | 'Plugin' | 'PluginConfig' | 'Project' | 'User'
  readonly item_id?: string
  readonly user?: string
  readonly limit?: number
  readonly offset?: number
}

export type ListDeletionsInput = {
  readonly project_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreateDeletionInput = {
  readonly project_id: string | number
  /** ISO 8601 or relative (`-7d`), both bounds exclusive. `before` is now when empty. */
  readonly after?: string
  readonly before?: string
  /** Compared exactly. */
  readonly event?: string
  readonly distinct_id?: string
  /** Integer id or UUID of a person. */
  readonly person_id?: string
  /** JSON text: a list of filters, a group of them, or a flat object. */
  readonly properties?: string
  /** Expressions that hold for each event. */
  readonly where?: readonly string[]
  /** Counts the events and deletes none. */
  readonly dry_run?: boolean
}

export type GetDeletionInput = {
  readonly project_id: string | number
  readonly id: string | number
}

export type CancelDeletionInput = {
  readonly project_id: string | number
  readonly id: string | number
}

export type ListEventDefinitionsInput = {
  readonly project_id: string | number
  /** Words that the name must contain; case is ignored. */
  readonly search?: string
  /** name, volume_30_day or query_usage_30_day, descending with `-`. */
  readonly ordering?: string
  readonly event_type?: 'event' | 'event_custom' | 'event_posthog'
  readonly limit?: number
  readonly offset?: number
}

export type GetEventDefinitionInput = {
  readonly project_id: string | number
  readonly id: string | number
}

export type UpdateEventDefinitionInput = {
  readonly project_id: string | number
  readonly id: string | number
  readonly owner?: number | null
  readonly description?: string | null
  readonly tags?: readonly string[]
  readonly verified?: boolean
  readonly post_to_chat?: boolean
}

export type ListEventsInput = {
  readonly project_id: string | number
  /** ISO 8601 or relative (`-7d`), both bounds exclusive. `before` is now + 5 s when empty. */
  readonly after?: string
  readonly before?: string
  /** Compared exactly. */
  readonly event?: string
  readonly distinct_id?: string
  /** Integer id or UUID of a person. */
  readonly person_id?: string
  /** JSON text: a list of filters, a group of them, or a flat object. */
  readonly properties?: string
  /** JSON text: ["-timestamp"] or ["timestamp"]; with `select`, expressions. */
  readonly orderBy?: string
  /** Expressions: each a value, or one value that is a JSON list of them. */
  readonly select?: readonly string[]
  readonly where?: readonly string[]
  /** `native` gives properties, person and elements as JSON instead of texts of it. */
  readonly shape?: 'text' | 'native'
  readonly limit?: number
  readonly offset?: number
}

export type GetEventInput = {
  readonly project_id: string | number
  readonly id: string | number
  /** The person is given in any case. */
  readonly include_person?: string
  readonly shape?: 'text' | 'native'
}

export type ListEventValuesInput = {
  readonly project_id: string | number
  /** `custom_event`, or the name of an event property. */
  readonly key?: string
  /** Only values that contain this text; case is ignored. */
  readonly value?: string
  /** Only events of any of these names. */
  readonly event_name?: readonly string[]
}

export type ListFeatureFlagsInput = {
  /** Decimal id, or @current. */
  readonly project_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreateFeatureFlagInput = {
  readonly project_id: string | number
  readonly key: string
  readonly name?: string
  /**
   * Each filter of `groups[].properties` has a `type`. One without a type is an event filter,
   * which flags do not take.
   */
  readonly filters?: JsonObject
  readonly deleted?: boolean
  readonly active?: boolean
  readonly ensure_experience_continuity?: boolean | null
  readonly rollback_conditions?: readonly Json[] | null
  readonly tags?: readonly string[]
  readonly bucketing_identifier?: 'distinct_id' | 'device_id'
  readonly evaluation_runtime?: 'all' | 'server' | 'client'
  readonly evaluation_contexts?: readonly string[]
  readonly has_encrypted_payloads?: boolean
}

export type GetFeatureFlagInput = {
  readonly project_id: string | number
  readonly id: string | number
}

export type UpdateFeatureFlagInput = {
  readonly project_id: string | number
  readonly id: string | number
  readonly key?: string
  readonly name?: string
  /**
   * Each filter of `groups[].properties` has a `type`. One without a type is an event filter,
   * which flags do not take.
   */
  readonly filters?: JsonObject
  readonly deleted?: boolean
  readonly active?: boolean
  readonly ensure_experience_continuity?: boolean | null
  readonly rollback_conditions?: readonly Json[] | null
  readonly tags?: readonly string[]
  readonly bucketing_identifier?: 'distinct_id' | 'device_id'
  readonly evaluation_runtime?: 'all' | 'server' | 'client'
  readonly evaluation_contexts?: readonly string[]
  readonly has_encrypted_payloads?: boolean
}

export type GetMyFlagsInput = {
  readonly project_id: string | number
  /** Group type to group key. */
  readonly groups?: JsonObject
}

export type GetLocalEvaluationInput = {
  readonly project_id: string | number
  /** Any value adds the definitions of cohorts to the answer. */
  readonly send_cohorts?: string
}

export type GetLocalEvaluationByTokenInput = {
  /** Project API key of the project; empty means the caller's current project. */
  readonly token?: string
  /** Any value adds the definitions of cohorts to the answer. */
  readonly send_cohorts?: string
}

export type GetFlagDefinitionsInput = {
  /** Project API key of the project; empty means the caller's current project. */
  readonly token?: string
  /** Any value adds the definitions of cohorts to the answer. */
  readonly send_cohorts?: string
}

export type ListFeatureFlagsByTokenInput = {
  /** Project API key of the project; empty means the caller's current project. */
  readonly token?: string
  readonly limit?: number
  readonly offset?: number
}

export type GetRemoteConfigInput = {
  readonly project_id: string | number
  /** Key of the flag, or its id when no flag has that key. */
  readonly key: string | number
  /** Project API key that names the project when the path says @current. */
  readonly token?: string
}

export type ListFeatureFlagActivityInput = {
  readonly project_id: string | number
  readonly id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type RollbackFeatureFlagInput = {
  readonly project_id: string | number
  readonly id: string | number
  readonly version: number
}

export type ListIngestionWarningsInput = {
  readonly project_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type ListInvitesInput = {
  /** UUID, or @current. */
  readonly parent_lookup_organization_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreateInviteInput = {
  readonly parent_lookup_organization_id: string | number
  readonly target_email: string
  readonly first_name?: string
  /** So long that the longest page of invites fits into one message. */
  readonly message?: string | null
}

export type DeleteInviteInput = {
  readonly parent_lookup_organization_id: string | number
  readonly id: string | number
}

export type BulkCreateInvitesInput = {
  readonly parent_lookup_organization_id: string | number
  readonly invites: readonly { readonly target_email: string; readonly first_name?: string; readonly message?: string | null }[] | { readonly target_email: string; readonly first_name?: string; readonly message?: string | null }
}

export type GetSignupInput = {
  /** The token, or the id. */
  readonly invite_id: string | number
}

export type AcceptInviteInput = {
  /** The token, or the id. */
  readonly invite_id: string | number
  /** Both are required without a personal key. */
  readonly first_name?: string
  readonly password?: string
  /** Must be the invited address when given. */
  readonly email?: string
  readonly email_opt_in?: boolean
}

export type ListOrganizationMembersInput = {
  /** UUID, or @current. */
  readonly organization_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type GetOrganizationMemberInput = {
  readonly organization_id: string | number
  readonly user: string | number
}

export type UpdateOrganizationMemberInput = {
  readonly organization_id: string | number
  readonly user: string | number
  readonly level?: number
}

export type RemoveOrganizationMemberInput = {
  readonly organization_id: string | number
  readonly user: string | number
}

export type ListMemberKeysInput = {
  readonly organization_id: string | number
  readonly user: string | number
}

export type RevokeMemberKeyInput = {
  readonly organization_id: string | number
  readonly user: string | number
  readonly id: string | number
}

export type CreatePersonalApiKeyInput = {
  readonly label: string
  readonly scopes?: readonly string[]
  readonly scoped_teams?: readonly Json[] | null
  readonly scoped_organizations?: readonly string[] | null
  /** ISO 8601, in the future. */
  readonly expires_at?: string | null
}

export type GetPersonalApiKeyInput = {
  /** Id, or @current: the key of this call. */
  readonly id: string | number
}

export type UpdatePersonalApiKeyInput = {
  readonly id: string | number
  readonly label?: string
  readonly scopes?: readonly string[]
  readonly scoped_teams?: readonly Json[] | null
  readonly scoped_organizations?: readonly string[] | null
  readonly expires_at?: string | null
}

export type RollPersonalApiKeyInput = {
  /** Id, or @current: the key of this call. */
  readonly id: string | number
}

export type DeletePersonalApiKeyInput = {
  /** Id, or @current: the key of this call. */
  readonly id: string | number
}

export type ListOrganizationsInput = {
  readonly limit?: number
  readonly offset?: number
}

export type CreateOrganizationInput = {
  readonly name: string
  readonly is_member_join_email_enabled?: boolean
}

export type GetOrganizationInput = {
  /** UUID, or @current. */
  readonly id: string | number
}

export type UpdateOrganizationInput = {
  readonly id: string | number
  readonly name?: string
  readonly is_member_join_email_enabled?: boolean
}

export type DeleteOrganizationInput = {
  /** UUID, or @current. */
  readonly id: string | number
}

export type ListProjectsInput = {
  readonly limit?: number
  readonly offset?: number
}

export type CreateProjectInput = {
  readonly app_urls?: readonly (string | null)[]
  readonly name?: string
  readonly chat_incoming_webhook?: string | null
  readonly anonymize_ips?: boolean
  readonly completed_snippet_onboarding?: boolean
  /**
   * An object or an array, here as in `path_cleaning_filters` and `data_attributes`: what was
   * written is given back.
   */
  readonly test_account_filters?: JsonObject | readonly Json[]
  readonly test_account_filters_default_checked?: boolean | null
  readonly path_cleaning_filters?: JsonObject | readonly Json[] | null
  readonly is_demo?: boolean
  readonly timezone?: string
  readonly data_attributes?: JsonObject | readonly Json[]
  readonly person_display_name_properties?: readonly string[] | null
  readonly correlation_config?: JsonObject | null
  readonly session_recording_opt_in?: boolean
  readonly capture_console_log_opt_in?: boolean | null
  readonly capture_performance_opt_in?: boolean | null
  readonly access_control?: boolean
  readonly primary_dashboard?: number | null
  readonly live_events_columns?: readonly string[] | null
  /**
   * Addresses of the pages that record sessions, such as `https://*.example.com`; none is any
   * page.
   */
  readonly recording_domains?: readonly (string | null)[] | null
  /** Only administrators. Events older than so many whole days (UTC) are deleted; null keeps them. */
  readonly events_retention_days?: number | null
}

export type GetProjectInput = {
  /** Decimal id, or @current. */
  readonly id: string | number
}

export type UpdateProjectInput = {
  /** Decimal id, or @current. */
  readonly id: string | number
  readonly app_urls?: readonly (string | null)[]
  readonly name?: string
  readonly chat_incoming_webhook?: string | null
  readonly anonymize_ips?: boolean
  readonly completed_snippet_onboarding?: boolean
  /**
   * An object or an array, here as in `path_cleaning_filters` and `data_attributes`: what was
   * written is given back.
   */
  readonly test_account_filters?: JsonObject | readonly Json[]
  readonly test_account_filters_default_checked?: boolean | null
  readonly path_cleaning_filters?: JsonObject | readonly Json[] | null
  readonly is_demo?: boolean
  readonly timezone?: string
  readonly data_attributes?: JsonObject | readonly Json[]
  readonly person_display_name_properties?: readonly string[] | null
  readonly correlation_config?: JsonObject | null
  readonly session_recording_opt_in?: boolean
  readonly capture_console_log_opt_in?: boolean | null
  readonly capture_performance_opt_in?: boolean | null
  readonly access_control?: boolean
  readonly primary_dashboard?: number | null
  readonly live_events_columns?: readonly string[] | null
  /**
   * Addresses of the pages that record sessions, such as `https://*.example.com`; none is any
   * page.
   */
  readonly recording_domains?: readonly (string | null)[] | null
  /** Only administrators. Events older than so many whole days (UTC) are deleted; null keeps them. */
  readonly events_retention_days?: number | null
}

export type DeleteProjectInput = {
  /** Decimal id, or @current. */
  readonly id: string | number
}

export type ResetProjectTokenInput = {
  /** Decimal id, or @current. */
  readonly id: string | number
}

export type DeletePersonInput = {
  readonly project_id: string | number
  /** Integer id or UUID of the person, or one of its distinct ids with `by`. */
  readonly id: string | number
}

export type ExportPersonInput = {
  readonly project_id: string | number
  /** Integer id or UUID of the person, or one of its distinct ids with `by`. */
  readonly id: string | number
  readonly by?: 'id' | 'distinct_id'
  /** Empty for the first piece, then the cursor of the previous answer. */
  readonly cursor?: string
}

export type ListPluginConfigsInput = {
  readonly project_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreatePluginConfigInput = {
  readonly project_id: string | number
  readonly plugin: number
  readonly enabled?: boolean
  readonly order: number
  readonly error?: JsonObject | null
  /** Settings, as the JSON text of a form's part; a JSON body writes them by `…/settings/`. */
  readonly config?: JsonObject
  readonly attachments?: Readonly<Record<string, Blob>>
  readonly removed_attachments?: readonly string[]
}

export type GetPluginConfigInput = {
  readonly project_id: string | number
  readonly id: string | number
}

export type UpdatePluginConfigInput = {
  readonly project_id: string | number
  readonly id: string | number
  /**
   * Another one moves the config to that plugin. It keeps its id, order and whether it is enabled;
   * settings, files, storage, jobs and the error of the former plugin go.
   */
  readonly plugin?: number
  readonly enabled?: boolean
  readonly order?: number
  readonly error?: JsonObject | null
  readonly config?: JsonObject
  readonly attachments?: Readonly<Record<string, Blob>>
  readonly removed_attachments?: readonly string[]
  /**
   * The newest version of the plugin's source takes the place of the one that the config runs. No
   * other version can be chosen.
   */
  readonly plugin_version?: number
}

export type DeletePluginConfigInput = {
  readonly project_id: string | number
  readonly id: string | number
}

export type UpdatePluginConfigSettingsInput = {
  readonly project_id: string | number
  readonly id: string | number
  readonly settings: JsonObject
}

export type RearrangePluginConfigsInput = {
  readonly project_id: string | number
  /** Plugin id, as text, to order. */
  readonly orders?: JsonObject
  readonly plugin?: number
  readonly enabled?: boolean
  readonly order?: number
  readonly error?: JsonObject | null
}

export type RunPluginConfigJobInput = {
  readonly project_id: string | number
  readonly id: string | number
  readonly job?: { readonly type?: string | null; readonly operation?: string | null; readonly payload?: JsonObject | null }
  readonly plugin?: number
  readonly enabled?: boolean
  readonly order?: number
  readonly error?: JsonObject | null
}

export type DryRunPluginConfigInput = {
  readonly project_id: string | number
  readonly id: string | number
  /**
   * An event in the form of a capture: `event`, `distinct_id`, and any of `properties`,
   * `timestamp`, `uuid`, `ip`, `$set` and `$set_once`.
   */
  readonly event: JsonObject
}

export type GetPluginConfigFrontendInput = {
  readonly project_id: string | number
  readonly id: string | number
}

export type ListPluginConfigLogsInput = {
  readonly project_id: string | number
  readonly parent_lookup_plugin_config_id: string | number
  /** ISO 8601 or relative as in the list of events, both exclusive. */
  readonly after?: string
  readonly before?: string
  /** Only messages that contain this text; case is ignored. */
  readonly search?: string
  /** Only entries of these types. */
  readonly type_filter?: readonly ('DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR')[]
  readonly limit?: number
  readonly offset?: number
}

export type ListPluginsInput = {
  /** UUID, or @current. */
  readonly organization_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreatePluginInput = {
  readonly organization_id: string | number
  readonly plugin_type?: 'local' | 'custom' | 'repository' | 'source'
  readonly name?: string
  readonly description?: string | null
  readonly url?: string | null
  readonly icon?: string | null
  readonly is_global?: boolean
  /** File name to text. */
  readonly files?: JsonObject
}

export type GetPluginInput = {
  readonly organization_id: string | number
  readonly id: string | number
}

export type UpdatePluginInput = {
  readonly organization_id: string | number
  readonly id: string | number
  readonly name?: string
  readonly description?: string | null
  readonly url?: string | null
  readonly icon?: string | null
  readonly is_global?: boolean
}

export type DeletePluginInput = {
  readonly organization_id: string | number
  readonly id: string | number
}

export type GetPluginSourceInput = {
  readonly organization_id: string | number
  readonly id: string | number
}

export type UpdatePluginSourceInput = {
  readonly organization_id: string | number
  readonly id: string | number
  readonly files: JsonObject
}

export type ListUsersInput = {
  readonly limit?: number
  readonly offset?: number
}

export type UpdateMeInput = {
  readonly first_name?: string
  /** Asked for with this; the own address, unless it is confirmed, asks for a token there. */
  readonly email?: string
  readonly email_opt_in?: boolean | null
  readonly anonymize_data?: boolean | null
  readonly toolbar_mode?: 'toolbar' | 'disabled'
  readonly events_column_config?: JsonObject
  readonly notification_settings?: JsonObject
  /** Decimal id of a project, and UUID of an organization. */
  readonly set_current_team?: string
  readonly set_current_organization?: string
  /** Staff only. */
  readonly is_staff?: boolean
}

export type VerifyEmailInput = {
  readonly token: string
}

export type GetUserInput = {
  /** UUID. */
  readonly id: string | number
}

export type UpdateUserInput = {
  /** UUID. */
  readonly id: string | number
  readonly is_active?: boolean
}

export type ListUserKeysInput = {
  /** UUID. */
  readonly id: string | number
}

export type RevokeUserKeyInput = {
  /** UUID. */
  readonly id: string | number
  readonly key_id: string | number
}
