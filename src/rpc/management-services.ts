/** The services of the management interface: one line each. */
import type { Clock } from '../core/clock.ts'
import type { ProjectId } from '../core/ids.ts'
import type { NewsHub } from '../core/project-news.ts'
import { createModuleFetcher } from '../plugins/fetch-module.ts'
import { createFrontendCompiler } from '../plugins/frontend.ts'
import type { DecideService } from '../project/decide.ts'
import type { MutateProject, RemoveProject } from '../project/ports.ts'
import type { Sql } from '../store/connect.ts'
import { createActivityHandlers } from './activity-handlers.ts'
import { createEventDefinitionHandlers } from './event-definitions-handlers.ts'
import { createEventHandlers } from './events-handlers.ts'
import { createFeatureFlagHandlers } from './feature-flags-handlers.ts'
import type { FlagEvaluationDeps } from './flag-evaluation.ts'
import { createInviteHandlers } from './invites-handlers.ts'
import type { Management } from './management.ts'
import { createOrganizationHandlers } from './organizations-handlers.ts'
import { createPersonalApiKeyHandlers } from './personal-api-keys-handlers.ts'
import { createPluginConfigHandlers } from './plugin-configs-handlers.ts'
import type { DryRunner } from './plugin-dry-run.ts'
import { createPluginHandlers } from './plugins-handlers.ts'
import { createProjectHandlers } from './projects-handlers.ts'
import { createSignupHandlers } from './signup-handlers.ts'
import { createUserHandlers } from './users-handlers.ts'

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
