// Generated from proto/sluice/v1 by `npm run gen`; changes here are lost.
import type {
  AcceptInviteInput,
  AcceptInviteResponse,
  AskFunnelInput,
  AskRetentionInput,
  AskTrendInput,
  BulkCreateInvitesInput,
  CancelDeletionInput,
  CancelQueryInput,
  ChangeFeatureFlagsInput,
  ChangeFeatureFlagsResponse,
  Cohort,
  CohortCount,
  CohortUses,
  CopyStatus,
  CountCohortInput,
  CreateCohortInput,
  CreateDashboardInput,
  CreateDeletionInput,
  CreateFeatureFlagInput,
  CreateInviteInput,
  CreateOrganizationInput,
  CreatePersonalApiKeyInput,
  CreatePluginConfigInput,
  CreatePluginInput,
  CreateProjectInput,
  CreateSavedInsightInput,
  Dashboard,
  DeadLetterCause,
  DeadLettersDone,
  DeleteCohortInput,
  DeleteDashboardInput,
  DeleteInviteInput,
  DeleteOrganizationInput,
  DeletePersonInput,
  DeletePersonalApiKeyInput,
  DeletePluginConfigInput,
  DeletePluginInput,
  DeleteProjectInput,
  DeleteSavedInsightInput,
  Deletion,
  DiscardDeadLettersInput,
  DrainMemberInput,
  DrainResponse,
  DryRunPluginConfigInput,
  DryRunPluginConfigResponse,
  EndSessionInput,
  EvaluateFlagsInput,
  EvaluateFlagsResponse,
  EventDefinition,
  EventTable,
  EventValue,
  ExportPersonInput,
  ExportPersonResponse,
  FeatureFlag,
  FlagDependencies,
  FlagReach,
  FlagUsage,
  GetCohortInput,
  GetDashboardInput,
  GetDeletionInput,
  GetEventDefinitionInput,
  GetEventInput,
  GetFeatureFlagInput,
  GetFlagDefinitionsInput,
  GetFlagDefinitionsResponse,
  GetFlagDependenciesInput,
  GetFlagReachInput,
  GetFlagUsageInput,
  GetLocalEvaluationByTokenInput,
  GetLocalEvaluationInput,
  GetLocalEvaluationResponse,
  GetMyFlagsInput,
  GetOrganizationInput,
  GetOrganizationMemberInput,
  GetPersonInput,
  GetPersonalApiKeyInput,
  GetPluginConfigFrontendInput,
  GetPluginConfigInput,
  GetPluginInput,
  GetPluginSourceInput,
  GetProjectInput,
  GetPropagationInput,
  GetQueryInput,
  GetRemoteConfigInput,
  GetSavedInsightInput,
  GetSignupInput,
  GetStatusResponse,
  GetUserInput,
  Invite,
  ListActivityResponse,
  ListCohortPersonsInput,
  ListCohortUsesInput,
  ListCohortsInput,
  ListCohortsResponse,
  ListDashboardsInput,
  ListDashboardsResponse,
  ListDeadLettersInput,
  ListDeadLettersResponse,
  ListDeletionsInput,
  ListDeletionsResponse,
  ListEventDefinitionsInput,
  ListEventDefinitionsResponse,
  ListEventValuesInput,
  ListEventsInput,
  ListEventsResponse,
  ListFeatureFlagActivityInput,
  ListFeatureFlagsByTokenInput,
  ListFeatureFlagsInput,
  ListFeatureFlagsResponse,
  ListFlagUsageInput,
  ListFlagUsageResponse,
  ListIngestionWarningsInput,
  ListIngestionWarningsResponse,
  ListInvitesInput,
  ListInvitesResponse,
  ListMemberKeysInput,
  ListOrganizationActivityInput,
  ListOrganizationMembersInput,
  ListOrganizationMembersResponse,
  ListOrganizationsInput,
  ListOrganizationsResponse,
  ListPersonCohortsInput,
  ListPersonCohortsResponse,
  ListPersonsInput,
  ListPersonsResponse,
  ListPluginConfigLogsInput,
  ListPluginConfigLogsResponse,
  ListPluginConfigsInput,
  ListPluginConfigsResponse,
  ListPluginsInput,
  ListPluginsResponse,
  ListProjectActivityInput,
  ListProjectsInput,
  ListProjectsResponse,
  ListSavedInsightsInput,
  ListSavedInsightsResponse,
  ListUserKeysInput,
  ListUsersInput,
  ListUsersResponse,
  LoginInput,
  MergePersonsInput,
  MergePersonsResponse,
  MyFlag,
  NativeEvents,
  Organization,
  OrganizationMember,
  Person,
  PersonalApiKey,
  Plugin,
  PluginConfig,
  Project,
  Propagation,
  RearrangePluginConfigsInput,
  RemoveOrganizationMemberInput,
  ReplayDeadLettersInput,
  ResetProjectTokenInput,
  RevokeMemberKeyInput,
  RevokeUserKeyInput,
  RollPersonalApiKeyInput,
  RollbackFeatureFlagInput,
  RunPluginConfigJobInput,
  RunQueryInput,
  SavedInsight,
  Session,
  Signup,
  StoredEvent,
  UpdateCohortInput,
  UpdateDashboardInput,
  UpdateEventDefinitionInput,
  UpdateFeatureFlagInput,
  UpdateMeInput,
  UpdateOrganizationInput,
  UpdateOrganizationMemberInput,
  UpdatePersonInput,
  UpdatePersonalApiKeyInput,
  UpdatePluginConfigInput,
  UpdatePluginConfigSettingsInput,
  UpdatePluginInput,
  UpdatePluginSourceInput,
  UpdateProjectInput,
  UpdateSavedInsightInput,
  UpdateUserInput,
  User,
  UserSession,
  VerifyEmailInput,
  VerifyEmailResponse,
  WatchEventsInput,
} from './types.ts'
import type { CallOptions, Client, Json, JsonObject, ServerEvent } from './runtime.ts'
import { call, callEvents, callStream, callWithBody, callWithQuery, formOf, segment } from './runtime.ts'

/**
 * Changes in a project, newest first.
 *
 * `GET /api/projects/{project_id}/activity/`
 */
export function listProjectActivity(
  client: Client,
  input: ListProjectActivityInput,
  options?: CallOptions,
): Promise<ListActivityResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/activity/', input, options)
}

/**
 * Changes in an organization and its projects that the caller may see, newest first.
 *
 * `GET /api/organizations/{organization_id}/activity/`
 */
export function listOrganizationActivity(
  client: Client,
  input: ListOrganizationActivityInput,
  options?: CallOptions,
): Promise<ListActivityResponse> {
  return callWithQuery(client, 'GET', '/api/organizations/{organization_id}/activity/', input, options)
}

/**
 * Sends each event of the project once it is stored, until the caller leaves: first an `open`,
 * from which on no event is missing without a `dropped`. Over HTTP it is a stream of server-sent
 * events whose data is JSON: `event`, `dropped`, `revision` and `bye`.
 *
 * `GET /api/projects/{project_id}/live/`
 */
export function watchEvents(
  client: Client,
  input: WatchEventsInput,
  options?: CallOptions,
): AsyncGenerator<ServerEvent, void, undefined> {
  const { project_id, ...query } = input
  return callEvents(client, {
    verb: 'GET',
    path: `/api/projects/${segment(project_id)}/live/`,
    query,
    accept: 'text/event-stream',
  }, options)
}

/**
 * Cohorts that are not hidden, the newest first.
 *
 * `GET /api/projects/{project_id}/cohorts/`
 */
export function listCohorts(
  client: Client,
  input: ListCohortsInput,
  options?: CallOptions,
): Promise<ListCohortsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/cohorts/', input, options)
}

/**
 * Makes a cohort: of conditions, or with `is_static` of persons who are named.
 *
 * `POST /api/projects/{project_id}/cohorts/`
 */
export function createCohort(
  client: Client,
  input: CreateCohortInput,
  options?: CallOptions,
): Promise<Cohort> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/cohorts/', input, options)
}

/**
 * One cohort, also one that is hidden.
 *
 * `GET /api/projects/{project_id}/cohorts/{id}/`
 */
export function getCohort(
  client: Client,
  input: GetCohortInput,
  options?: CallOptions,
): Promise<Cohort> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/cohorts/{id}/', input, options)
}

/**
 * Changes the fields that the body names; flags follow at once. A cohort that a flag or another
 * cohort uses cannot be hidden.
 *
 * `PATCH /api/projects/{project_id}/cohorts/{id}/`
 */
export function updateCohort(
  client: Client,
  input: UpdateCohortInput,
  options?: CallOptions,
): Promise<Cohort> {
  return callWithBody(client, 'PATCH', '/api/projects/{project_id}/cohorts/{id}/', input, options)
}

/**
 * Removes a cohort for good, unless a flag or another cohort uses it.
 *
 * `DELETE /api/projects/{project_id}/cohorts/{id}/`
 */
export function deleteCohort(
  client: Client,
  input: DeleteCohortInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/projects/{project_id}/cohorts/{id}/', input, options)
}

/**
 * Persons who are in a cohort now, those that were first seen last before the others.
 *
 * `GET /api/projects/{project_id}/cohorts/{id}/persons/`
 */
export function listCohortPersons(
  client: Client,
  input: ListCohortPersonsInput,
  options?: CallOptions,
): Promise<ListPersonsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/cohorts/{id}/persons/', input, options)
}

/**
 * How many persons conditions hold for, before they are saved as a cohort.
 *
 * `POST /api/projects/{project_id}/cohorts/count/`
 */
export function countCohort(
  client: Client,
  input: CountCohortInput,
  options?: CallOptions,
): Promise<CohortCount> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/cohorts/count/', input, options)
}

/**
 * Flags, cohorts, insights, dashboards and settings whose conditions name a cohort.
 *
 * `GET /api/projects/{project_id}/cohorts/{id}/used_by/`
 */
export function listCohortUses(
  client: Client,
  input: ListCohortUsesInput,
  options?: CallOptions,
): Promise<CohortUses> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/cohorts/{id}/used_by/', input, options)
}

/**
 * Cohorts that a person is in now, the newest first; hidden ones are left out.
 *
 * `GET /api/projects/{project_id}/persons/{id}/cohorts/`
 */
export function listPersonCohorts(
  client: Client,
  input: ListPersonCohortsInput,
  options?: CallOptions,
): Promise<ListPersonCohortsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/persons/{id}/cohorts/', input, options)
}

/**
 * Persons of the project, those that were first seen last before the others. With `search` those
 * first that it names exactly.
 *
 * `GET /api/projects/{project_id}/persons/`
 */
export function listPersons(
  client: Client,
  input: ListPersonsInput,
  options?: CallOptions,
): Promise<ListPersonsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/persons/', input, options)
}

/**
 * One person.
 *
 * `GET /api/projects/{project_id}/persons/{id}/`
 */
export function getPerson(
  client: Client,
  input: GetPersonInput,
  options?: CallOptions,
): Promise<Person> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/persons/{id}/', input, options)
}

/**
 * Sets and removes properties of a person; the others stay.
 *
 * `PATCH /api/projects/{project_id}/persons/{id}/`
 */
export function updatePerson(
  client: Client,
  input: UpdatePersonInput,
  options?: CallOptions,
): Promise<Person> {
  return callWithBody(client, 'PATCH', '/api/projects/{project_id}/persons/{id}/', input, options)
}

/**
 * Makes the persons of other distinct ids and this one into one, for good: their events, distinct
 * ids, cohorts and flag overrides become this person's, whose properties win. With `dry_run` the
 * answer is the same, and nothing changes.
 *
 * `POST /api/projects/{project_id}/persons/{id}/merge/`
 */
export function mergePersons(
  client: Client,
  input: MergePersonsInput,
  options?: CallOptions,
): Promise<MergePersonsResponse> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/persons/{id}/merge/', input, options)
}

/**
 * Deletes a person with its properties and distinct ids at once, and its events in the background.
 *
 * `DELETE /api/projects/{project_id}/persons/{id}/`
 */
export function deletePerson(
  client: Client,
  input: DeletePersonInput,
  options?: CallOptions,
): Promise<Deletion> {
  return callWithQuery(client, 'DELETE', '/api/projects/{project_id}/persons/{id}/', input, options)
}

/**
 * All that is known of a person, in pieces, until an answer has no cursor. Over REST one streamed
 * JSON object: the person and the list of its events.
 *
 * `GET /api/projects/{project_id}/persons/{id}/export/`
 */
export function exportPerson(
  client: Client,
  input: ExportPersonInput,
  options?: CallOptions,
): Promise<ExportPersonResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/persons/{id}/export/', input, options)
}

/**
 * Deletions of the project, newest first.
 *
 * `GET /api/projects/{project_id}/deletions/`
 */
export function listDeletions(
  client: Client,
  input: ListDeletionsInput,
  options?: CallOptions,
): Promise<ListDeletionsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/deletions/', input, options)
}

/**
 * Deletes events by the filters of a list; with `dry_run`, counts them. Events that the database
 * had refused go too, unless `properties` or `where` ask what cannot be read of them.
 *
 * `POST /api/projects/{project_id}/deletions/`
 */
export function createDeletion(
  client: Client,
  input: CreateDeletionInput,
  options?: CallOptions,
): Promise<Deletion> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/deletions/', input, options)
}

/**
 * One deletion, with how far it has come.
 *
 * `GET /api/projects/{project_id}/deletions/{id}/`
 */
export function getDeletion(
  client: Client,
  input: GetDeletionInput,
  options?: CallOptions,
): Promise<Deletion> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/deletions/{id}/', input, options)
}

/**
 * Ends a deletion that runs. What it has deleted is gone.
 *
 * `DELETE /api/projects/{project_id}/deletions/{id}/`
 */
export function cancelDeletion(
  client: Client,
  input: CancelDeletionInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/projects/{project_id}/deletions/{id}/', input, options)
}

/**
 * Dashboards that are not hidden, last changed first unless `order` says otherwise.
 *
 * `GET /api/projects/{project_id}/dashboards/`
 */
export function listDashboards(
  client: Client,
  input: ListDashboardsInput,
  options?: CallOptions,
): Promise<ListDashboardsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/dashboards/', input, options)
}

/**
 * Makes a dashboard.
 *
 * `POST /api/projects/{project_id}/dashboards/`
 */
export function createDashboard(
  client: Client,
  input: CreateDashboardInput,
  options?: CallOptions,
): Promise<Dashboard> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/dashboards/', input, options)
}

/**
 * One dashboard with its tiles, also one that is hidden.
 *
 * `GET /api/projects/{project_id}/dashboards/{id}/`
 */
export function getDashboard(
  client: Client,
  input: GetDashboardInput,
  options?: CallOptions,
): Promise<Dashboard> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/dashboards/{id}/', input, options)
}

/**
 * Changes the fields that the body names; `tiles` are all tiles. `deleted: true` hides the
 * dashboard from lists, `false` shows it again.
 *
 * `PATCH /api/projects/{project_id}/dashboards/{id}/`
 */
export function updateDashboard(
  client: Client,
  input: UpdateDashboardInput,
  options?: CallOptions,
): Promise<Dashboard> {
  return callWithBody(client, 'PATCH', '/api/projects/{project_id}/dashboards/{id}/', input, options)
}

/**
 * Removes a dashboard. Its insights stay. The project's `primary_dashboard`, where it is this one,
 * becomes null.
 *
 * `DELETE /api/projects/{project_id}/dashboards/{id}/`
 */
export function deleteDashboard(
  client: Client,
  input: DeleteDashboardInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/projects/{project_id}/dashboards/{id}/', input, options)
}

/**
 * Names of events with what is known of them, most frequent first unless `ordering` says
 * otherwise.
 *
 * `GET /api/projects/{project_id}/event_definitions/`
 */
export function listEventDefinitions(
  client: Client,
  input: ListEventDefinitionsInput,
  options?: CallOptions,
): Promise<ListEventDefinitionsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/event_definitions/', input, options)
}

/**
 * One name of an event.
 *
 * `GET /api/projects/{project_id}/event_definitions/{id}/`
 */
export function getEventDefinition(
  client: Client,
  input: GetEventDefinitionInput,
  options?: CallOptions,
): Promise<EventDefinition> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/event_definitions/{id}/', input, options)
}

/**
 * Changes what is said of an event. With `post_to_chat` the project's `chat_incoming_webhook` gets
 * a message when it is verified.
 *
 * `PATCH /api/projects/{project_id}/event_definitions/{id}/`
 */
export function updateEventDefinition(
  client: Client,
  input: UpdateEventDefinitionInput,
  options?: CallOptions,
): Promise<EventDefinition> {
  return callWithBody(client, 'PATCH', '/api/projects/{project_id}/event_definitions/{id}/', input, options)
}

/**
 * Stored events that fit all filters, newest first. With `select` a table of expressions. The last
 * page is the one whose `next` is null.
 *
 * `GET /api/projects/{project_id}/events/`
 */
export function listEvents(
  client: Client,
  input: ListEventsInput,
  options?: CallOptions,
): Promise<ListEventsResponse | NativeEvents | EventTable> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/events/', input, options)
}

/** As `listEvents`, the answer in text/csv, unread. `GET /api/projects/{project_id}/events/` */
export function listEventsCsv(
  client: Client,
  input: ListEventsInput,
  options?: CallOptions,
): Promise<Response> {
  const { project_id, ...query } = input
  return callStream(client, {
    verb: 'GET',
    path: `/api/projects/${segment(project_id)}/events/`,
    query,
    accept: 'text/csv',
  }, options)
}

/**
 * One stored event.
 *
 * `GET /api/projects/{project_id}/events/{id}/`
 */
export function getEvent(
  client: Client,
  input: GetEventInput,
  options?: CallOptions,
): Promise<StoredEvent | Json> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/events/{id}/', input, options)
}

/** As `getEvent`, the answer in text/csv, unread. `GET /api/projects/{project_id}/events/{id}/` */
export function getEventCsv(
  client: Client,
  input: GetEventInput,
  options?: CallOptions,
): Promise<Response> {
  const { project_id, id, ...query } = input
  return callStream(client, {
    verb: 'GET',
    path: `/api/projects/${segment(project_id)}/events/${segment(id)}/`,
    query,
    accept: 'text/csv',
  }, options)
}

/**
 * Distinct values of an event property, or event names for the key `custom_event`.
 *
 * `GET /api/projects/{project_id}/events/values/`
 */
export function listEventValues(
  client: Client,
  input: ListEventValuesInput,
  options?: CallOptions,
): Promise<readonly EventValue[]> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/events/values/', input, options)
}

/**
 * As `listEventValues`, the answer in text/csv, unread. `GET
 * /api/projects/{project_id}/events/values/`
 */
export function listEventValuesCsv(
  client: Client,
  input: ListEventValuesInput,
  options?: CallOptions,
): Promise<Response> {
  const { project_id, ...query } = input
  return callStream(client, {
    verb: 'GET',
    path: `/api/projects/${segment(project_id)}/events/values/`,
    query,
    accept: 'text/csv',
  }, options)
}

/**
 * Flags that are not deleted, newest first.
 *
 * `GET /api/projects/{project_id}/feature_flags/`
 */
export function listFeatureFlags(
  client: Client,
  input: ListFeatureFlagsInput,
  options?: CallOptions,
): Promise<ListFeatureFlagsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/', input, options)
}

/**
 * Makes a flag. It holds for the next decide request. Each filter of `filters.groups[].properties`
 * has a `type`: one without is an event filter, which flags do not take.
 *
 * `POST /api/projects/{project_id}/feature_flags/`
 */
export function createFeatureFlag(
  client: Client,
  input: CreateFeatureFlagInput,
  options?: CallOptions,
): Promise<FeatureFlag> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/feature_flags/', input, options)
}

/**
 * One flag.
 *
 * `GET /api/projects/{project_id}/feature_flags/{id}/`
 */
export function getFeatureFlag(
  client: Client,
  input: GetFeatureFlagInput,
  options?: CallOptions,
): Promise<FeatureFlag> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/{id}/', input, options)
}

/**
 * Changes the fields that the body names, as a new version that holds for the next decide request.
 * `deleted: true` is the soft delete; there is no hard one.
 *
 * `PATCH /api/projects/{project_id}/feature_flags/{id}/`
 */
export function updateFeatureFlag(
  client: Client,
  input: UpdateFeatureFlagInput,
  options?: CallOptions,
): Promise<FeatureFlag> {
  return callWithBody(client, 'PATCH', '/api/projects/{project_id}/feature_flags/{id}/', input, options)
}

/**
 * The value of every active flag for the caller's own distinct id.
 *
 * `GET /api/projects/{project_id}/feature_flags/my_flags/`
 */
export function getMyFlags(
  client: Client,
  input: GetMyFlagsInput,
  options?: CallOptions,
): Promise<readonly MyFlag[]> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/my_flags/', input, options)
}

/**
 * Definitions for server libraries that evaluate flags themselves.
 *
 * `GET /api/projects/{project_id}/feature_flags/local_evaluation/`
 */
export function getLocalEvaluation(
  client: Client,
  input: GetLocalEvaluationInput,
  options?: CallOptions,
): Promise<GetLocalEvaluationResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/local_evaluation/', input, options)
}

/**
 * GetLocalEvaluation under the path that older server libraries use.
 *
 * `GET /api/feature_flag/local_evaluation/`
 */
export function getLocalEvaluationByToken(
  client: Client,
  input: GetLocalEvaluationByTokenInput = {},
  options?: CallOptions,
): Promise<GetLocalEvaluationResponse> {
  return callWithQuery(client, 'GET', '/api/feature_flag/local_evaluation/', input, options)
}

/**
 * GetLocalEvaluation for current server libraries, with the rules of comparison to use.
 *
 * `GET /flags/definitions/`
 */
export function getFlagDefinitions(
  client: Client,
  input: GetFlagDefinitionsInput = {},
  options?: CallOptions,
): Promise<GetFlagDefinitionsResponse> {
  return callWithQuery(client, 'GET', '/flags/definitions/', input, options)
}

/**
 * Every flag that is not deleted, for the oldest server libraries, which read one page only.
 *
 * `GET /api/feature_flag/`
 */
export function listFeatureFlagsByToken(
  client: Client,
  input: ListFeatureFlagsByTokenInput = {},
  options?: CallOptions,
): Promise<ListFeatureFlagsResponse> {
  return callWithQuery(client, 'GET', '/api/feature_flag/', input, options)
}

/**
 * The payload of a flag without variants, also of a flag with encrypted payloads. Null while the
 * flag is switched off or has no payload.
 *
 * `GET /api/projects/{project_id}/feature_flags/{key}/remote_config/`
 */
export function getRemoteConfig(
  client: Client,
  input: GetRemoteConfigInput,
  options?: CallOptions,
): Promise<Json> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/{key}/remote_config/', input, options)
}

/**
 * The flag's history, newest first, each entry with what it changed.
 *
 * `GET /api/projects/{project_id}/feature_flags/{id}/activity/`
 */
export function listFeatureFlagActivity(
  client: Client,
  input: ListFeatureFlagActivityInput,
  options?: CallOptions,
): Promise<ListActivityResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/{id}/activity/', input, options)
}

/**
 * Restores the settings of an earlier version as a new version.
 *
 * `POST /api/projects/{project_id}/feature_flags/{id}/rollback/`
 */
export function rollbackFeatureFlag(
  client: Client,
  input: RollbackFeatureFlagInput,
  options?: CallOptions,
): Promise<FeatureFlag> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/feature_flags/{id}/rollback/', input, options)
}

/**
 * How many persons, or groups, the conditions of a set hold for now. Its rollout is left aside. A
 * set with conditions takes the scope `person:read` as well: its count depends on stored
 * properties.
 *
 * `POST /api/projects/{project_id}/feature_flags/user_blast_radius/`
 */
export function getFlagReach(
  client: Client,
  input: GetFlagReachInput,
  options?: CallOptions,
): Promise<FlagReach> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/feature_flags/user_blast_radius/', input, options)
}

/**
 * Changes many flags at once: all of them, or none. The audit log has an entry for each.
 *
 * `POST /api/projects/{project_id}/feature_flags/bulk/`
 */
export function changeFeatureFlags(
  client: Client,
  input: ChangeFeatureFlagsInput,
  options?: CallOptions,
): Promise<ChangeFeatureFlagsResponse> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/feature_flags/bulk/', input, options)
}

/**
 * The flags and cohorts that a flag depends on, and the flags that depend on it.
 *
 * `GET /api/projects/{project_id}/feature_flags/{id}/dependencies/`
 */
export function getFlagDependencies(
  client: Client,
  input: GetFlagDependenciesInput,
  options?: CallOptions,
): Promise<FlagDependencies> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/{id}/dependencies/', input, options)
}

/**
 * Which flags are in use, newest flag first: what libraries report of them, and what follows.
 *
 * `GET /api/projects/{project_id}/feature_flags/usage/`
 */
export function listFlagUsage(
  client: Client,
  input: ListFlagUsageInput,
  options?: CallOptions,
): Promise<ListFlagUsageResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/usage/', input, options)
}

/**
 * How often programs asked for a flag, by day and by the value that they got. Libraries report it;
 * decides over HTTP alone are not counted, and what a deletion of events removes stays counted.
 *
 * `GET /api/projects/{project_id}/feature_flags/{id}/usage/`
 */
export function getFlagUsage(
  client: Client,
  input: GetFlagUsageInput,
  options?: CallOptions,
): Promise<FlagUsage> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/{id}/usage/', input, options)
}

/**
 * How far a change of the project's flags has come: at how many of the gateways no answer that
 * begins now rests on anything older. `revision` and `wait_ms` serve to wait for the rest.
 *
 * `GET /api/projects/{project_id}/feature_flags/propagation/`
 */
export function getPropagation(
  client: Client,
  input: GetPropagationInput,
  options?: CallOptions,
): Promise<Propagation> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/feature_flags/propagation/', input, options)
}

/**
 * Outcomes of flags for a person, by the evaluator that decides, and what each condition has said:
 * of a stored flag, of a draft, of an earlier version, or of every active flag. Nothing is stored.
 * `filters` with a `distinct_id` or `groups` take the scope `person:read` as well: they depend on
 * stored properties.
 *
 * `POST /api/projects/{project_id}/feature_flags/evaluate/`
 */
export function evaluateFlags(
  client: Client,
  input: EvaluateFlagsInput,
  options?: CallOptions,
): Promise<EvaluateFlagsResponse> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/feature_flags/evaluate/', input, options)
}

/**
 * Samples of what was dropped, refused or changed, the newest first. With them, how many events it
 * was in the last hour. A project has at most 100 samples, of each reason no more than its share.
 *
 * `GET /api/projects/{project_id}/ingestion_warnings/`
 */
export function listIngestionWarnings(
  client: Client,
  input: ListIngestionWarningsInput,
  options?: CallOptions,
): Promise<ListIngestionWarningsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/ingestion_warnings/', input, options)
}

/**
 * Answers one question, or a list of up to 12 in one call. A question of a list that cannot be
 * answered has `error` in place of its answer.
 *
 * `POST /api/projects/{project_id}/query/`
 */
export function runQuery(
  client: Client,
  input: RunQueryInput,
  options?: CallOptions,
): Promise<Json> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/query/', input, options)
}

/**
 * The state of a question that was asked under a name, within the last hour.
 *
 * `GET /api/projects/{project_id}/query/{client_query_id}/`
 */
export function getQuery(
  client: Client,
  input: GetQueryInput,
  options?: CallOptions,
): Promise<Json> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/query/{client_query_id}/', input, options)
}

/**
 * Ends a question, with its statement at the database, and forgets it.
 *
 * `DELETE /api/projects/{project_id}/query/{client_query_id}/`
 */
export function cancelQuery(
  client: Client,
  input: CancelQueryInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/projects/{project_id}/query/{client_query_id}/', input, options)
}

/**
 * Open and expired invites of the organization, newest first.
 *
 * `GET /api/organizations/{parent_lookup_organization_id}/invites/`
 */
export function listInvites(
  client: Client,
  input: ListInvitesInput,
  options?: CallOptions,
): Promise<ListInvitesResponse> {
  return callWithQuery(client, 'GET', '/api/organizations/{parent_lookup_organization_id}/invites/', input, options)
}

/**
 * Invites a person. Earlier invites of the same address, in whatever case, are taken back. The
 * message, and names, are in the mail from level 8 on; others invite in our words alone. An
 * organization, and a user, may make a number of invites a day: over it the answer is 429.
 *
 * `POST /api/organizations/{parent_lookup_organization_id}/invites/`
 */
export function createInvite(
  client: Client,
  input: CreateInviteInput,
  options?: CallOptions,
): Promise<Invite> {
  return callWithBody(client, 'POST', '/api/organizations/{parent_lookup_organization_id}/invites/', input, options)
}

/**
 * Takes an invite back: its token stops working.
 *
 * `DELETE /api/organizations/{parent_lookup_organization_id}/invites/{id}/`
 */
export function deleteInvite(
  client: Client,
  input: DeleteInviteInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/organizations/{parent_lookup_organization_id}/invites/{id}/', input, options)
}

/**
 * Makes all invites or none. A body of one invite is answered with one. Of several to one address
 * the last stands.
 *
 * `POST /api/organizations/{parent_lookup_organization_id}/invites/bulk/`
 */
export function bulkCreateInvites(
  client: Client,
  input: BulkCreateInvitesInput,
  options?: CallOptions,
): Promise<readonly Invite[] | Invite> {
  return call(client, {
    verb: 'POST',
    path: `/api/organizations/${segment(input.parent_lookup_organization_id)}/invites/bulk/`,
    body: input.invites,
  }, options)
}

/**
 * The subject of an invite, to show to the invited person.
 *
 * `GET /api/signup/{invite_id}/`
 */
export function getSignup(
  client: Client,
  input: GetSignupInput,
  options?: CallOptions,
): Promise<Signup> {
  return callWithQuery(client, 'GET', '/api/signup/{invite_id}/', input, options)
}

/**
 * Makes a user with name and password, or takes the user of the call's personal key. That user
 * becomes an organization member, and every invite of the organization to the address is removed.
 * The token that came by mail confirms the address.
 *
 * `POST /api/signup/{invite_id}/`
 */
export function acceptInvite(
  client: Client,
  input: AcceptInviteInput,
  options?: CallOptions,
): Promise<AcceptInviteResponse> {
  return callWithBody(client, 'POST', '/api/signup/{invite_id}/', input, options)
}

/**
 * Begins a session. The body has a mail address and its password, or a personal API key, or the
 * token of a login link. Five failed tries a minute from one address (IPv6: a network of 64 bits),
 * and the next one is answered 429; a browser that has signed the user in before counts by itself.
 * Takes JSON only, and from no page of another origin.
 *
 * `POST /api/login/`
 */
export function login(
  client: Client,
  input: LoginInput = {},
  options?: CallOptions,
): Promise<Session> {
  return callWithBody(client, 'POST', '/api/login/', input, options)
}

/**
 * Ends the session of the call. Over REST it needs the header `X-CSRF-Token`.
 *
 * `POST /api/logout/`
 */
export function logout(
  client: Client,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'POST', '/api/logout/', {}, options)
}

/**
 * The user that is signed in: the session of the call, or a null user alone.
 *
 * `GET /api/session/`
 */
export function getSession(
  client: Client,
  options?: CallOptions,
): Promise<Session> {
  return callWithQuery(client, 'GET', '/api/session/', {}, options)
}

/**
 * The sessions of the caller that last, those used last first.
 *
 * `GET /api/users/@me/sessions/`
 */
export function listSessions(
  client: Client,
  options?: CallOptions,
): Promise<readonly UserSession[]> {
  return callWithQuery(client, 'GET', '/api/users/@me/sessions/', {}, options)
}

/**
 * Ends a session of the caller, on whichever machine it is.
 *
 * `DELETE /api/users/@me/sessions/{id}/`
 */
export function endSession(
  client: Client,
  input: EndSessionInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/users/@me/sessions/{id}/', input, options)
}

/**
 * Members of the organization. The highest level first, then who joined first.
 *
 * `GET /api/organizations/{organization_id}/members/`
 */
export function listOrganizationMembers(
  client: Client,
  input: ListOrganizationMembersInput,
  options?: CallOptions,
): Promise<ListOrganizationMembersResponse> {
  return callWithQuery(client, 'GET', '/api/organizations/{organization_id}/members/', input, options)
}

/**
 * One member of the organization.
 *
 * `GET /api/organizations/{organization_id}/members/{user}/`
 */
export function getOrganizationMember(
  client: Client,
  input: GetOrganizationMemberInput,
  options?: CallOptions,
): Promise<OrganizationMember> {
  return callWithQuery(client, 'GET', '/api/organizations/{organization_id}/members/{user}/', input, options)
}

/**
 * Changes the level of a member. Nobody changes the own level, that of a higher one, or gives more
 * than they have. An owner who makes another member the owner becomes an administrator.
 *
 * `PATCH /api/organizations/{organization_id}/members/{user}/`
 */
export function updateOrganizationMember(
  client: Client,
  input: UpdateOrganizationMemberInput,
  options?: CallOptions,
): Promise<OrganizationMember> {
  return callWithBody(client, 'PATCH', '/api/organizations/{organization_id}/members/{user}/', input, options)
}

/**
 * Any member leaves; administrators remove others of their level and below. The owner passes the
 * organization on first. The open invites that the user made in the organization go too.
 *
 * `DELETE /api/organizations/{organization_id}/members/{user}/`
 */
export function removeOrganizationMember(
  client: Client,
  input: RemoveOrganizationMemberInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/organizations/{organization_id}/members/{user}/', input, options)
}

/**
 * Keys of a member that reach the organization, newest first.
 *
 * `GET /api/organizations/{organization_id}/members/{user}/personal_api_keys/`
 */
export function listMemberKeys(
  client: Client,
  input: ListMemberKeysInput,
  options?: CallOptions,
): Promise<readonly PersonalApiKey[]> {
  return callWithQuery(client, 'GET', '/api/organizations/{organization_id}/members/{user}/personal_api_keys/', input, options)
}

/**
 * Takes the organization away from a key of a member. A key that reaches no other organization is
 * deleted, any other is restricted to the others.
 *
 * `DELETE /api/organizations/{organization_id}/members/{user}/personal_api_keys/{id}/`
 */
export function revokeMemberKey(
  client: Client,
  input: RevokeMemberKeyInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/organizations/{organization_id}/members/{user}/personal_api_keys/{id}/', input, options)
}

/**
 * The caller's keys without their values, newest first.
 *
 * `GET /api/personal_api_keys/`
 */
export function listPersonalApiKeys(
  client: Client,
  options?: CallOptions,
): Promise<readonly PersonalApiKey[]> {
  return callWithQuery(client, 'GET', '/api/personal_api_keys/', {}, options)
}

/**
 * Makes a key. Its `value` is in this answer and never again.
 *
 * `POST /api/personal_api_keys/`
 */
export function createPersonalApiKey(
  client: Client,
  input: CreatePersonalApiKeyInput,
  options?: CallOptions,
): Promise<PersonalApiKey> {
  return callWithBody(client, 'POST', '/api/personal_api_keys/', input, options)
}

/**
 * One key without its value.
 *
 * `GET /api/personal_api_keys/{id}/`
 */
export function getPersonalApiKey(
  client: Client,
  input: GetPersonalApiKeyInput,
  options?: CallOptions,
): Promise<PersonalApiKey> {
  return callWithQuery(client, 'GET', '/api/personal_api_keys/{id}/', input, options)
}

/**
 * Changes the fields that the body names.
 *
 * `PATCH /api/personal_api_keys/{id}/`
 */
export function updatePersonalApiKey(
  client: Client,
  input: UpdatePersonalApiKeyInput,
  options?: CallOptions,
): Promise<PersonalApiKey> {
  return callWithBody(client, 'PATCH', '/api/personal_api_keys/{id}/', input, options)
}

/**
 * Gives the key a new value. The old value stops working at once.
 *
 * `POST /api/personal_api_keys/{id}/roll/`
 */
export function rollPersonalApiKey(
  client: Client,
  input: RollPersonalApiKeyInput,
  options?: CallOptions,
): Promise<PersonalApiKey> {
  return callWithQuery(client, 'POST', '/api/personal_api_keys/{id}/roll/', input, options)
}

/**
 * Deletes a key. It stops working at once.
 *
 * `DELETE /api/personal_api_keys/{id}/`
 */
export function deletePersonalApiKey(
  client: Client,
  input: DeletePersonalApiKeyInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/personal_api_keys/{id}/', input, options)
}

/**
 * Answers a question about numbers by bucket.
 *
 * `POST /api/projects/{project_id}/insights/trend/`
 */
export function askTrend(
  client: Client,
  input: AskTrendInput,
  options?: CallOptions,
): Promise<Json> {
  return call(client, {
    verb: 'POST',
    path: `/api/projects/${segment(input.project_id)}/insights/trend/`,
    body: input.question,
  }, options)
}

/**
 * Answers a question about steps.
 *
 * `POST /api/projects/{project_id}/insights/funnel/`
 */
export function askFunnel(
  client: Client,
  input: AskFunnelInput,
  options?: CallOptions,
): Promise<Json> {
  return call(client, {
    verb: 'POST',
    path: `/api/projects/${segment(input.project_id)}/insights/funnel/`,
    body: input.question,
  }, options)
}

/**
 * Answers a question about who comes back.
 *
 * `POST /api/projects/{project_id}/insights/retention/`
 */
export function askRetention(
  client: Client,
  input: AskRetentionInput,
  options?: CallOptions,
): Promise<Json> {
  return call(client, {
    verb: 'POST',
    path: `/api/projects/${segment(input.project_id)}/insights/retention/`,
    body: input.question,
  }, options)
}

/**
 * The cluster as one worker sees it, with the figures of every worker that answers in time.
 *
 * `GET /api/cluster/`
 */
export function getCluster(
  client: Client,
  options?: CallOptions,
): Promise<GetStatusResponse> {
  return callWithQuery(client, 'GET', '/api/cluster/', {}, options)
}

/**
 * How far the copy of the events in ClickHouse is, as the worker that answers knows it.
 *
 * `GET /api/cluster/copy/`
 */
export function getClusterCopy(
  client: Client,
  options?: CallOptions,
): Promise<CopyStatus> {
  return callWithQuery(client, 'GET', '/api/cluster/copy/', {}, options)
}

/**
 * Events that the database refuses, of all projects, oldest first. Their properties are not shown.
 *
 * `GET /api/cluster/dead_letters/`
 */
export function listDeadLetters(
  client: Client,
  input: ListDeadLettersInput = {},
  options?: CallOptions,
): Promise<ListDeadLettersResponse> {
  return callWithQuery(client, 'GET', '/api/cluster/dead_letters/', input, options)
}

/**
 * How many dead letters there are of each cause, the most first; of the 100 most frequent ones.
 *
 * `GET /api/cluster/dead_letters/causes/`
 */
export function listDeadLetterCauses(
  client: Client,
  options?: CallOptions,
): Promise<readonly DeadLetterCause[]> {
  return callWithQuery(client, 'GET', '/api/cluster/dead_letters/causes/', {}, options)
}

/**
 * Sends one page of dead letters to the writer again; repeat the call with `cursor` until it is 0.
 * Those that are now stored, or were before, are removed. A call that was cut short is repeated.
 *
 * `POST /api/cluster/dead_letters/replay/`
 */
export function replayDeadLetters(
  client: Client,
  input: ReplayDeadLettersInput = {},
  options?: CallOptions,
): Promise<DeadLettersDone> {
  return callWithBody(client, 'POST', '/api/cluster/dead_letters/replay/', input, options)
}

/**
 * Removes one page of dead letters for good; repeat the call with `cursor` until it is 0.
 *
 * `POST /api/cluster/dead_letters/discard/`
 */
export function discardDeadLetters(
  client: Client,
  input: DiscardDeadLettersInput = {},
  options?: CallOptions,
): Promise<DeadLettersDone> {
  return callWithBody(client, 'POST', '/api/cluster/dead_letters/discard/', input, options)
}

/**
 * Moves all shards away from a worker and marks it drained. Its process runs until it is ended.
 * Answers when the worker holds no shard. The last active worker is refused.
 *
 * `POST /api/cluster/drain/`
 */
export function drainMember(
  client: Client,
  input: DrainMemberInput,
  options?: CallOptions,
): Promise<DrainResponse> {
  return callWithBody(client, 'POST', '/api/cluster/drain/', input, options)
}

/**
 * Organizations of the caller.
 *
 * `GET /api/organizations/`
 */
export function listOrganizations(
  client: Client,
  input: ListOrganizationsInput = {},
  options?: CallOptions,
): Promise<ListOrganizationsResponse> {
  return callWithQuery(client, 'GET', '/api/organizations/', input, options)
}

/**
 * Makes an organization. The caller becomes its owner; a first project is made.
 *
 * `POST /api/organizations/`
 */
export function createOrganization(
  client: Client,
  input: CreateOrganizationInput,
  options?: CallOptions,
): Promise<Organization> {
  return callWithBody(client, 'POST', '/api/organizations/', input, options)
}

/**
 * One organization.
 *
 * `GET /api/organizations/{id}/`
 */
export function getOrganization(
  client: Client,
  input: GetOrganizationInput,
  options?: CallOptions,
): Promise<Organization> {
  return callWithQuery(client, 'GET', '/api/organizations/{id}/', input, options)
}

/**
 * Changes the fields that the body names.
 *
 * `PATCH /api/organizations/{id}/`
 */
export function updateOrganization(
  client: Client,
  input: UpdateOrganizationInput,
  options?: CallOptions,
): Promise<Organization> {
  return callWithBody(client, 'PATCH', '/api/organizations/{id}/', input, options)
}

/**
 * Deletes the organization and all its projects.
 *
 * `DELETE /api/organizations/{id}/`
 */
export function deleteOrganization(
  client: Client,
  input: DeleteOrganizationInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/organizations/{id}/', input, options)
}

/**
 * Projects of the current organization that the caller may see.
 *
 * `GET /api/projects/`
 */
export function listProjects(
  client: Client,
  input: ListProjectsInput = {},
  options?: CallOptions,
): Promise<ListProjectsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/', input, options)
}

/**
 * Makes a project in the current organization, with an API key of its own. `test_account_filters`,
 * `path_cleaning_filters` and `data_attributes` are objects or arrays: what was written is given
 * back.
 *
 * `POST /api/projects/`
 */
export function createProject(
  client: Client,
  input: CreateProjectInput = {},
  options?: CallOptions,
): Promise<Project> {
  return callWithBody(client, 'POST', '/api/projects/', input, options)
}

/**
 * One project with all its settings.
 *
 * `GET /api/projects/{id}/`
 */
export function getProject(
  client: Client,
  input: GetProjectInput,
  options?: CallOptions,
): Promise<Project> {
  return callWithQuery(client, 'GET', '/api/projects/{id}/', input, options)
}

/**
 * Changes the fields that the body names. `chat_incoming_webhook` gets messages of new and
 * verified events, as `{"text": …}`. Browser libraries are told of `session_recording_opt_in`,
 * `capture_console_log_opt_in` and `recording_domains`; recordings themselves are not supported,
 * and `/s/` refuses them.
 *
 * `PATCH /api/projects/{id}/`
 */
export function updateProject(
  client: Client,
  input: UpdateProjectInput,
  options?: CallOptions,
): Promise<Project> {
  return callWithBody(client, 'PATCH', '/api/projects/{id}/', input, options)
}

/**
 * Deletes a project. Its settings, flags and plugin configs go at once, its stored events in the
 * background.
 *
 * `DELETE /api/projects/{id}/`
 */
export function deleteProject(
  client: Client,
  input: DeleteProjectInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/projects/{id}/', input, options)
}

/**
 * Makes a new project API key. The old key stops working at once.
 *
 * `PATCH /api/projects/{id}/reset_token/`
 */
export function resetProjectToken(
  client: Client,
  input: ResetProjectTokenInput,
  options?: CallOptions,
): Promise<Project> {
  return callWithQuery(client, 'PATCH', '/api/projects/{id}/reset_token/', input, options)
}

/**
 * Plugin configs of the project, in their order.
 *
 * `GET /api/projects/{project_id}/plugin_configs/`
 */
export function listPluginConfigs(
  client: Client,
  input: ListPluginConfigsInput,
  options?: CallOptions,
): Promise<ListPluginConfigsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/plugin_configs/', input, options)
}

/**
 * Sets a plugin up in the project. A second config for the same plugin updates the first.
 *
 * `POST /api/projects/{project_id}/plugin_configs/`
 */
export function createPluginConfig(
  client: Client,
  input: CreatePluginConfigInput,
  options?: CallOptions,
): Promise<PluginConfig> {
  const { project_id, attachments, removed_attachments, ...body } = input
  return call(client, {
    verb: 'POST',
    path: `/api/projects/${segment(project_id)}/plugin_configs/`,
    body,
    form: body.config !== undefined || attachments !== undefined || removed_attachments !== undefined ? formOf(body, { add_attachment: attachments, remove_attachment: removed_attachments }) : undefined,
  }, options)
}

/**
 * One plugin config.
 *
 * `GET /api/projects/{project_id}/plugin_configs/{id}/`
 */
export function getPluginConfig(
  client: Client,
  input: GetPluginConfigInput,
  options?: CallOptions,
): Promise<PluginConfig> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/plugin_configs/{id}/', input, options)
}

/**
 * Changes the fields that the body names.
 *
 * `PATCH /api/projects/{project_id}/plugin_configs/{id}/`
 */
export function updatePluginConfig(
  client: Client,
  input: UpdatePluginConfigInput,
  options?: CallOptions,
): Promise<PluginConfig> {
  const { project_id, id, attachments, removed_attachments, ...body } = input
  return call(client, {
    verb: 'PATCH',
    path: `/api/projects/${segment(project_id)}/plugin_configs/${segment(id)}/`,
    body,
    form: body.config !== undefined || attachments !== undefined || removed_attachments !== undefined ? formOf(body, { add_attachment: attachments, remove_attachment: removed_attachments }) : undefined,
  }, options)
}

/**
 * Takes a plugin out of the project, with its settings, files, logs and storage.
 *
 * `DELETE /api/projects/{project_id}/plugin_configs/{id}/`
 */
export function deletePluginConfig(
  client: Client,
  input: DeletePluginConfigInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/projects/{project_id}/plugin_configs/{id}/', input, options)
}

/**
 * Writes settings by name. Null clears a setting; settings that are not named stay.
 *
 * `PATCH /api/projects/{project_id}/plugin_configs/{id}/settings/`
 */
export function updatePluginConfigSettings(
  client: Client,
  input: UpdatePluginConfigSettingsInput,
  options?: CallOptions,
): Promise<PluginConfig> {
  return call(client, {
    verb: 'PATCH',
    path: `/api/projects/${segment(input.project_id)}/plugin_configs/${segment(input.id)}/settings/`,
    body: input.settings,
  }, options)
}

/**
 * With `orders` (plugin id to order) the answer is the list of enabled configs. With `plugin`, the
 * config of that plugin is changed as by an update, and answered.
 *
 * `PATCH /api/projects/{project_id}/plugin_configs/rearrange/`
 */
export function rearrangePluginConfigs(
  client: Client,
  input: RearrangePluginConfigsInput,
  options?: CallOptions,
): Promise<readonly PluginConfig[] | PluginConfig> {
  return callWithBody(client, 'PATCH', '/api/projects/{project_id}/plugin_configs/rearrange/', input, options)
}

/**
 * Starts `job`. Without it, the fields of an update are checked, nothing is changed or started,
 * and the config is the answer.
 *
 * `POST /api/projects/{project_id}/plugin_configs/{id}/job/`
 */
export function runPluginConfigJob(
  client: Client,
  input: RunPluginConfigJobInput,
  options?: CallOptions,
): Promise<PluginConfig> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/plugin_configs/{id}/job/', input, options)
}

/**
 * Runs one event through the enabled plugins up to this config and answers it after each step. The
 * config itself need not be enabled. Nothing is stored.
 *
 * `POST /api/projects/{project_id}/plugin_configs/{id}/dry_run/`
 */
export function dryRunPluginConfig(
  client: Client,
  input: DryRunPluginConfigInput,
  options?: CallOptions,
): Promise<DryRunPluginConfigResponse> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/plugin_configs/{id}/dry_run/', input, options)
}

/**
 * The config, or the plugin's browser module for those who accept JavaScript.
 *
 * `GET /api/projects/{project_id}/plugin_configs/{id}/frontend/`
 */
export function getPluginConfigFrontend(
  client: Client,
  input: GetPluginConfigFrontendInput,
  options?: CallOptions,
): Promise<PluginConfig> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/plugin_configs/{id}/frontend/', input, options)
}

/**
 * As `getPluginConfigFrontend`, the answer in application/javascript, unread. `GET
 * /api/projects/{project_id}/plugin_configs/{id}/frontend/`
 */
export function getPluginConfigFrontendModule(
  client: Client,
  input: GetPluginConfigFrontendInput,
  options?: CallOptions,
): Promise<Response> {
  return callStream(client, {
    verb: 'GET',
    path: `/api/projects/${segment(input.project_id)}/plugin_configs/${segment(input.id)}/frontend/`,
    accept: 'application/javascript',
  }, options)
}

/**
 * Log entries of the plugin and the server about its runs, newest first.
 *
 * `GET /api/projects/{project_id}/plugin_configs/{parent_lookup_plugin_config_id}/logs/`
 */
export function listPluginConfigLogs(
  client: Client,
  input: ListPluginConfigLogsInput,
  options?: CallOptions,
): Promise<ListPluginConfigLogsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/plugin_configs/{parent_lookup_plugin_config_id}/logs/', input, options)
}

/**
 * Plugins that projects of the organization can use.
 *
 * `GET /api/organizations/{organization_id}/plugins/`
 */
export function listPlugins(
  client: Client,
  input: ListPluginsInput,
  options?: CallOptions,
): Promise<ListPluginsResponse> {
  return callWithQuery(client, 'GET', '/api/organizations/{organization_id}/plugins/', input, options)
}

/**
 * Installs a plugin, from files or from a URL. It runs once a project has an enabled config for
 * it.
 *
 * `POST /api/organizations/{organization_id}/plugins/`
 */
export function createPlugin(
  client: Client,
  input: CreatePluginInput,
  options?: CallOptions,
): Promise<Plugin> {
  return callWithBody(client, 'POST', '/api/organizations/{organization_id}/plugins/', input, options)
}

/**
 * One plugin.
 *
 * `GET /api/organizations/{organization_id}/plugins/{id}/`
 */
export function getPlugin(
  client: Client,
  input: GetPluginInput,
  options?: CallOptions,
): Promise<Plugin> {
  return callWithQuery(client, 'GET', '/api/organizations/{organization_id}/plugins/{id}/', input, options)
}

/**
 * Changes the fields that the body names.
 *
 * `PATCH /api/organizations/{organization_id}/plugins/{id}/`
 */
export function updatePlugin(
  client: Client,
  input: UpdatePluginInput,
  options?: CallOptions,
): Promise<Plugin> {
  return callWithBody(client, 'PATCH', '/api/organizations/{organization_id}/plugins/{id}/', input, options)
}

/**
 * Deletes a plugin and its configs in all projects.
 *
 * `DELETE /api/organizations/{organization_id}/plugins/{id}/`
 */
export function deletePlugin(
  client: Client,
  input: DeletePluginInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/organizations/{organization_id}/plugins/{id}/', input, options)
}

/**
 * The files of a plugin: file name to text.
 *
 * `GET /api/organizations/{organization_id}/plugins/{id}/source/`
 */
export function getPluginSource(
  client: Client,
  input: GetPluginSourceInput,
  options?: CallOptions,
): Promise<JsonObject> {
  return callWithQuery(client, 'GET', '/api/organizations/{organization_id}/plugins/{id}/source/', input, options)
}

/**
 * Writes files of a plugin: file name to text. Null removes a file; files that are not named stay.
 *
 * `PATCH /api/organizations/{organization_id}/plugins/{id}/update_source/`
 */
export function updatePluginSource(
  client: Client,
  input: UpdatePluginSourceInput,
  options?: CallOptions,
): Promise<JsonObject> {
  return call(client, {
    verb: 'PATCH',
    path: `/api/organizations/${segment(input.organization_id)}/plugins/${segment(input.id)}/update_source/`,
    body: input.files,
  }, options)
}

/**
 * Insights that are not hidden, last changed first unless `order` says otherwise.
 *
 * `GET /api/projects/{project_id}/insights/`
 */
export function listSavedInsights(
  client: Client,
  input: ListSavedInsightsInput,
  options?: CallOptions,
): Promise<ListSavedInsightsResponse> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/insights/', input, options)
}

/**
 * Keeps a question. It is checked as if it was asked: a wrong member is an error whose `attr` is
 * its path.
 *
 * `POST /api/projects/{project_id}/insights/`
 */
export function createSavedInsight(
  client: Client,
  input: CreateSavedInsightInput,
  options?: CallOptions,
): Promise<SavedInsight> {
  return callWithBody(client, 'POST', '/api/projects/{project_id}/insights/', input, options)
}

/**
 * One insight, also one that is hidden.
 *
 * `GET /api/projects/{project_id}/insights/{id}/`
 */
export function getSavedInsight(
  client: Client,
  input: GetSavedInsightInput,
  options?: CallOptions,
): Promise<SavedInsight> {
  return callWithQuery(client, 'GET', '/api/projects/{project_id}/insights/{id}/', input, options)
}

/**
 * Changes the fields that the body names. `deleted: true` hides the insight from lists and
 * dashboards, `false` shows it again.
 *
 * `PATCH /api/projects/{project_id}/insights/{id}/`
 */
export function updateSavedInsight(
  client: Client,
  input: UpdateSavedInsightInput,
  options?: CallOptions,
): Promise<SavedInsight> {
  return callWithBody(client, 'PATCH', '/api/projects/{project_id}/insights/{id}/', input, options)
}

/**
 * Removes an insight, and its tiles from dashboards.
 *
 * `DELETE /api/projects/{project_id}/insights/{id}/`
 */
export function deleteSavedInsight(
  client: Client,
  input: DeleteSavedInsightInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/projects/{project_id}/insights/{id}/', input, options)
}

/**
 * Users of the instance.
 *
 * `GET /api/users/`
 */
export function listUsers(
  client: Client,
  input: ListUsersInput = {},
  options?: CallOptions,
): Promise<ListUsersResponse> {
  return callWithQuery(client, 'GET', '/api/users/', input, options)
}

/**
 * The caller, with the current organization and project.
 *
 * `GET /api/users/@me/`
 */
export function getMe(
  client: Client,
  options?: CallOptions,
): Promise<User> {
  return callWithQuery(client, 'GET', '/api/users/@me/', {}, options)
}

/**
 * Changes the fields that the body names. Another address is the user's once it is confirmed: a
 * token goes there by mail, or, without mail, the operator says so. Until then it is
 * `pending_email`. A new password ends the user's other sessions; it takes a session or a key that
 * may do everything, and five wrong tries a minute are answered 429.
 *
 * `PATCH /api/users/@me/`
 */
export function updateMe(
  client: Client,
  input: UpdateMeInput = {},
  options?: CallOptions,
): Promise<User> {
  return callWithBody(client, 'PATCH', '/api/users/@me/', input, options)
}

/**
 * The token that came by mail confirms the address that it was sent to, within a day.
 *
 * `POST /api/users/verify_email/`
 */
export function verifyEmail(
  client: Client,
  input: VerifyEmailInput,
  options?: CallOptions,
): Promise<VerifyEmailResponse> {
  return callWithBody(client, 'POST', '/api/users/verify_email/', input, options)
}

/**
 * One user.
 *
 * `GET /api/users/{id}/`
 */
export function getUser(
  client: Client,
  input: GetUserInput,
  options?: CallOptions,
): Promise<User> {
  return callWithQuery(client, 'GET', '/api/users/{id}/', input, options)
}

/**
 * A deactivated user is refused everywhere at once, and their open invites go. Nobody deactivates
 * themselves.
 *
 * `PATCH /api/users/{id}/`
 */
export function updateUser(
  client: Client,
  input: UpdateUserInput,
  options?: CallOptions,
): Promise<User> {
  return callWithBody(client, 'PATCH', '/api/users/{id}/', input, options)
}

/**
 * Keys of a user without their values, newest first.
 *
 * `GET /api/users/{id}/personal_api_keys/`
 */
export function listUserKeys(
  client: Client,
  input: ListUserKeysInput,
  options?: CallOptions,
): Promise<readonly PersonalApiKey[]> {
  return callWithQuery(client, 'GET', '/api/users/{id}/personal_api_keys/', input, options)
}

/**
 * Deletes a key of a user. It stops working at once.
 *
 * `DELETE /api/users/{id}/personal_api_keys/{key_id}/`
 */
export function revokeUserKey(
  client: Client,
  input: RevokeUserKeyInput,
  options?: CallOptions,
): Promise<void> {
  return callWithQuery(client, 'DELETE', '/api/users/{id}/personal_api_keys/{key_id}/', input, options)
}
