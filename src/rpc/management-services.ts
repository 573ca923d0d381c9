/** The services of the management interface: one line each. */
import type { Clock } from '../core/clock.ts'
import type { ProjectId } from '../core/ids.ts'
import type { NewsHub } from '../core/project-news.ts'
import { createActivityHandlers } from '../manage/activity-handlers.ts'
import { createEventDefinitionHandlers } from '../manage/events/event-definitions-handlers.ts'
import { createEventHandlers } from '../manage/events/events-handlers.ts'
import { createFeatureFlagHandlers } from '../manage/flags/feature-flags-handlers.ts'
import type { FlagEvaluationDeps } from '../manage/flags/flag-evaluation.ts'
import type { Management } from '../manage/management.ts'
import { createInviteHandlers } from '../manage/people/invites-handlers.ts'
import { createOrganizationHandlers } from '../manage/people/organizations-handlers.ts'
import { createPersonalApiKeyHandlers } from '../manage/people/personal-api-keys-handlers.ts'
import { createSignupHandlers } from '../manage/people/signup-handlers.ts'
import { createUserHandlers } from '../manage/people/users-handlers.ts'
import { createPluginConfigHandlers } from '../manage/plugins/plugin-configs-handlers.ts'
import type { DryRunner } from '../manage/plugins/plugin-dry-run.ts'
import { createPluginHandlers } from '../manage/plugins/plugins-handlers.ts'
import { createProjectHandlers } from '../manage/projects/projects-handlers.ts'
import { createModuleFetcher } from '../plugins/settings/fetch-module.ts'
import { createFrontendCompiler } from '../plugins/settings/frontend.ts'
import type { DecideService } from '../project/decide.ts'
import type { MutateProject, RemoveProject } from '../project/ports.ts'
import type { Sql } from '../store/pool/connect.ts'

export type ManagementServicesDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly mutateProject: MutateProject
  readonly activate: FlagEvaluationDeps['activate']
  readonly decide: DecideService
  readonly removeProject: RemoveProject
  /** Told of each list of events that asks for one by its name. */
  readonly onEventAsked: (project: ProjectId, event: string) => void
  readonly news: NewsHub
  readonly clock: Clock
  /** The plugins of this worker. */
  readonly plugins: DryRunner
  readonly settings: ManagementSettings
}

/** What an operator has set. */
export type ManagementSettings = {
  /** Semantic version of this instance. */
  readonly version: string
  /** Where people reach this instance, when mails can be sent: both are set, or no mail is. */
  readonly mail: { readonly publicUrl: string } | undefined
  /** Plugins may be fetched from a URL. */
  readonly pluginUrls: boolean
}

/** By the full name of the service. */
export function createManagementServices(deps: ManagementServicesDeps) {
  return {
    'sluice.v1.ActivityService': createActivityHandlers(deps),
    'sluice.v1.ProjectService': createProjectHandlers(deps),
    'sluice.v1.FeatureFlagService': createFeatureFlagHandlers({ ...deps, db: deps.sql }),
    'sluice.v1.EventService': createEventHandlers(deps),
    'sluice.v1.EventDefinitionService': createEventDefinitionHandlers(deps),
    'sluice.v1.InviteService': createInviteHandlers(deps),
    'sluice.v1.SignupService': createSignupHandlers(deps),
    'sluice.v1.OrganizationService': createOrganizationHandlers(deps),
    'sluice.v1.PersonalApiKeyService': createPersonalApiKeyHandlers(deps),
    'sluice.v1.UserService': createUserHandlers(deps),
    'sluice.v1.PluginConfigService': createPluginConfigHandlers(deps),
    'sluice.v1.PluginService': createPluginHandlers({
      ...deps,
      fetchModule: createModuleFetcher(deps.clock),
      compileFrontend: createFrontendCompiler(),
    }),
  }
}
