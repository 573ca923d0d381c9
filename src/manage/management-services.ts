/** The services of the management interface: one line each. */

import type { ActivityServiceDefinition } from '../../proto/gen/sluice/v1/ActivityService.ts'
import { rowId } from '../access/access.ts'
import type { ChangeFeed } from '../core/change-feed.ts'
import type { Clock } from '../core/clock.ts'
import { isUuid, type ProjectId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { KeyRing } from '../core/secrets/key-ring.ts'
import type { ReplicaEvents } from '../event-store/clickhouse/replica/replica-reads.ts'
import type { ColumnarInsights } from '../event-store/columnar-insights.ts'
import { createPostgresEvents } from '../event-store/postgres/reads/event-reader.ts'
import { createRoutedEvents } from '../event-store/routed-events.ts'
import type { EventReader } from '../events/ports.ts'
import { createModuleFetcher } from '../plugins/settings/fetch-module.ts'
import { createFrontendCompiler } from '../plugins/settings/frontend.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import type { DecideService } from '../project/decide.ts'
import type { MutateProject, RemoveProject } from '../project/ports.ts'
import { createQueryLimiter } from '../query/query-limiter.ts'
import type { AuditSelection } from '../store/audit/audit-read-store.ts'
import { hasSeveralOrganizations } from '../store/people/organization-store.ts'
import type { Page } from '../wire/page.ts'
import type { ServiceHandlers } from '../wire/service-handlers.ts'
import { type ActivityPage, pageOfActivity } from './activity-page.ts'
import { type ClusterOperations, createOperationHandlers } from './cluster/operation-handlers.ts'
import { createCohortHandlers } from './cohorts/cohorts-handlers.ts'
import { createEventDefinitionHandlers } from './events/event-definitions-handlers.ts'
import { createEventHandlers } from './events/events-handlers.ts'
import { createIngestionWarningHandlers } from './events/ingestion-warnings-handlers.ts'
import { createFeatureFlagHandlers } from './flags/feature-flags-handlers.ts'
import type { FlagEvaluationDeps } from './flags/flag-evaluation.ts'
import type { PropagationReads } from './flags/flag-propagation.ts'
import { createInsightServices } from './insights/insight-services.ts'
import { createLiveHandlers, type LiveEvents } from './live/live-handlers.ts'
import type { LookAtVolumes } from './looked-volumes.ts'
import type { Management } from './management.ts'
import { createInviteHandlers } from './people/invites-handlers.ts'
import { createMemberHandlers } from './people/members-handlers.ts'
import { createOrganizationHandlers } from './people/organizations-handlers.ts'
import { createPersonalApiKeyHandlers } from './people/personal-api-keys-handlers.ts'
import { createSignupHandlers } from './people/signup-handlers.ts'
import { createUserHandlers } from './people/users-handlers.ts'
import { createPersonHandlers, type PersonHandlersDeps } from './persons/persons-handlers.ts'
import { createPluginConfigHandlers } from './plugins/plugin-configs-handlers.ts'
import type { DryRunner } from './plugins/plugin-dry-run.ts'
import { createPluginHandlers } from './plugins/plugins-handlers.ts'
import { createDeletionHandlers } from './privacy/deletions-handlers.ts'
import { createProjectHandlers } from './projects/projects-handlers.ts'
import { createLoginHandlers, type LoginHandlersDeps } from './sessions/login-handlers.ts'
import type { ManagementSettings } from './settings.ts'
import { createSharingHandlers } from './sharing/sharing-handlers.ts'

const SERVICE = '/sluice.v1.ActivityService'

export type ManagementServicesDeps = {
  readonly management: Management
  readonly sql: Sql
  /** Connections for queries alone. */
  readonly scanSql: Sql
  /** Answers questions where it can, before `scanSql` does. */
  readonly columnarInsights: ColumnarInsights
  readonly replicaEvents: ReplicaEvents
  readonly mutateProject: MutateProject
  readonly activate: FlagEvaluationDeps['activate']
  readonly decide: DecideService
  readonly propagation: PropagationReads
  readonly removeProject: RemoveProject
  /** Called for each list of events that filters by one event name. */
  readonly onEventAsked: (project: ProjectId, event: string) => void
  readonly lookAtVolumes: LookAtVolumes
  readonly onPersonDeleted: PersonHandlersDeps['onPersonDeleted']
  readonly onPersonsChanged: PersonHandlersDeps['onPersonsChanged']
  readonly feed: ChangeFeed
  readonly live: LiveEvents
  readonly operations: ClusterOperations
  readonly clock: Clock
  readonly log: Log
  /** The plugins of this worker. */
  readonly plugins: DryRunner
  readonly settings: ManagementSettings
  readonly secrets: KeyRing
  /** Hooks of the login handlers: test of a member's token, report of a refused key. */
  readonly logins: Pick<LoginHandlersDeps, 'isMember' | 'onKeyRefused'>
}

/** Handlers by the full name of the service; each gets only the dependencies that it names. */
export function createManagementServices(deps: ManagementServicesDeps) {
  const { management, sql, scanSql, mutateProject, activate, decide, removeProject } = deps
  const { onEventAsked, lookAtVolumes, feed, clock, plugins, settings, secrets } = deps
  const { onPersonDeleted, onPersonsChanged, live, operations } = deps
  const hasOthers = () => hasSeveralOrganizations(sql)
  const queryLimiter = createQueryLimiter(clock, { share: settings.queryShare, hasOthers })
  const events = eventsOf(deps)
  const { backupDays } = settings
  const reading = { management, sql, scanSql, events, queryLimiter, clock, backupDays }
  return {
    'sluice.v1.ActivityService': createActivityHandlers({ management, sql }),
    'sluice.v1.OperationService': createOperationHandlers({ management, sql, operations }),
    'sluice.v1.ProjectService': createProjectHandlers({
      management,
      sql,
      mutateProject,
      removeProject,
      feed,
      clock,
      settings,
    }),
    'sluice.v1.FeatureFlagService': createFeatureFlagHandlers({
      ...reading,
      db: sql,
      mutateProject,
      activate,
      decide,
      secrets,
      propagation: deps.propagation,
    }),
    'sluice.v1.EventService': createEventHandlers({ ...reading, onEventAsked }),
    'sluice.v1.EventDefinitionService': createEventDefinitionHandlers({
      ...reading,
      lookAtVolumes,
    }),
    'sluice.v1.DeletionService': createDeletionHandlers(reading),
    'sluice.v1.PersonService': createPersonHandlers({
      ...reading,
      onPersonDeleted,
      onPersonsChanged,
    }),
    'sluice.v1.CohortService': createCohortHandlers({ ...reading, mutateProject }),
    ...createInsightServices({ ...reading, log: deps.log, columnar: deps.columnarInsights }),
    'sluice.v1.SharingService': createSharingHandlers({
      ...reading,
      log: deps.log,
      columnar: deps.columnarInsights,
      isMember: deps.logins.isMember,
    }),
    'sluice.v1.LiveService': createLiveHandlers({ ...reading, feed, live }),
    'sluice.v1.IngestionWarningService': createIngestionWarningHandlers({ management, db: sql }),
    ...createPeopleServices({ management, sql, feed, settings, clock }),
    'sluice.v1.LoginService': createLoginHandlers({ management, sql, feed, clock, ...deps.logins }),
    'sluice.v1.UserService': createUserHandlers({
      management,
      sql,
      events,
      queryLimiter,
      lookAtVolumes,
      feed,
      settings,
      clock,
    }),
    'sluice.v1.PluginConfigService': createPluginConfigHandlers({
      management,
      sql,
      mutateProject,
      secrets,
      clock,
      plugins,
    }),
    'sluice.v1.PluginService': createPluginHandlers({
      management,
      sql,
      feed,
      settings,
      fetchModule: createModuleFetcher(clock),
      compileFrontend: createFrontendCompiler(),
    }),
  }
}

type PeopleDeps = Pick<ManagementServicesDeps, 'management' | 'sql' | 'feed' | 'settings' | 'clock'>

/** Services of users, organizations and access. */
function createPeopleServices({ management, sql, feed, settings, clock }: PeopleDeps) {
  return {
    'sluice.v1.InviteService': createInviteHandlers({ management, sql, settings }),
    'sluice.v1.SignupService': createSignupHandlers({ management, sql, feed, settings }),
    'sluice.v1.OrganizationService': createOrganizationHandlers({ management, sql, feed }),
    'sluice.v1.OrganizationMemberService': createMemberHandlers({ management, sql, feed }),
    'sluice.v1.PersonalApiKeyService': createPersonalApiKeyHandlers({
      management,
      sql,
      feed,
      clock,
    }),
  }
}

/** Reader of all events, in Postgres and in ClickHouse. */
function eventsOf({ scanSql: sql, replicaEvents: columns }: ManagementServicesDeps): EventReader {
  return createRoutedEvents({ sql, postgres: createPostgresEvents(sql), columns })
}

/** Handlers of `ActivityService`: the activity of a project or organization. */
type ActivityHandlersDeps = { readonly management: Management; readonly sql: Db }

function createActivityHandlers({
  management,
  sql,
}: ActivityHandlersDeps): ServiceHandlers<ActivityServiceDefinition> {
  return {
    ListProjectActivity: management.underProject(`${SERVICE}/ListProjectActivity`, {
      run: ({ request, access: { projectId } }) => listActivity(sql, { projectId }, request),
    }),

    ListOrganizationActivity: management.underOrganization(`${SERVICE}/ListOrganizationActivity`, {
      run: ({ request, access: { organizationId, level } }) =>
        listActivity(sql, { organizationId, level }, request),
    }),
  }
}

type ActivityRequest = Page & {
  readonly scope?: string
  readonly item_id?: string
  readonly user?: string
}

/** An empty filter selects everything. */
async function listActivity(
  db: Db,
  place: AuditSelection['place'],
  request: ActivityRequest,
): Promise<ActivityPage> {
  const user = request.user ? userOf(request.user) : undefined
  if (user === 'nobody') return { count: 0, results: [] }
  const { scope, item_id: itemId } = request
  const selection = { place, scope: scope || undefined, itemId: itemId || undefined, user }
  return await pageOfActivity(db, selection, request)
}

/** A text that cannot name a user selects nothing: such a user has done nothing. */
function userOf(text: string): AuditSelection['user'] | 'nobody' {
  if (isUuid(text)) return { uuid: text }
  const id = rowId(text)
  return id === undefined ? 'nobody' : { id }
}
