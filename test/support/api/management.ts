/** The management handlers over a real database, without a server. */
import type { Test } from 'tap'
import type { Value__Output } from '../../../proto/gen/google/protobuf/Value.ts'
import { bootstrap } from '../../../src/access/bootstrap.ts'
import { type CreatedUser, createUser } from '../../../src/access/create-user.ts'
import { keyDigest, makePersonalKey, maskKey, randomText } from '../../../src/access/keys.ts'
import { createPolicy } from '../../../src/access/policy.ts'
import { type Authenticator, createAuthenticator } from '../../../src/access/principal.ts'
import { NO_THROTTLE } from '../../../src/access/throttle.ts'
import {
  type ChangeFeed,
  createChangeFeed,
  type ProjectChange,
} from '../../../src/core/change-feed.ts'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import type { ProjectId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createKeyRing } from '../../../src/core/secrets/key-ring.ts'
import { withoutReplica } from '../../../src/event-store/clickhouse/replica/without-replica.ts'
import { createLiveHub } from '../../../src/events/live/live-hub.ts'
import type { ClusterOperations } from '../../../src/manage/cluster/operation-handlers.ts'
import { createManagement } from '../../../src/manage/management.ts'
import { createManagementServices } from '../../../src/manage/management-services.ts'
import { auditDrained, createOperatorActivity } from '../../../src/manage/operator-audit.ts'
import { createOperatorInstance } from '../../../src/manage/people/operator-instance.ts'
import { createOperatorOwner } from '../../../src/manage/people/operator-owner.ts'
import { createOperatorPeople } from '../../../src/manage/people/operator-people.ts'
import { auditCreatedUser } from '../../../src/manage/people/user-changes.ts'
import { createOperatorPlugins } from '../../../src/manage/plugins/operator-plugins.ts'
import type { DryRunner } from '../../../src/manage/plugins/plugin-dry-run.ts'
import { createOperatorLogins } from '../../../src/manage/sessions/operator-logins.ts'
import type { ManagementSettings } from '../../../src/manage/settings.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { createDecideService, type DecideService } from '../../../src/project/decide.ts'
import type { MutateProject, RemoveProject } from '../../../src/project/ports.ts'
import { compileProject } from '../../../src/project/project-state.ts'
import { createAccessHandlers } from '../../../src/rpc/hot/access-handlers.ts'
import { createDirectoryHandlers } from '../../../src/rpc/hot/directory-handlers.ts'
import { createAdminHandlers } from '../../../src/rpc/operator/admin-handlers.ts'
import { createReplicaHandlers } from '../../../src/rpc/operator/replica-handlers.ts'
import { createMemberAuth, sameToken } from '../../../src/rpc/server/member-auth.ts'
import { findKey, insertKey, touchKey } from '../../../src/store/people/key-store.ts'
import {
  insertContinuity,
  loadGroups,
  loadPersons,
} from '../../../src/store/projects/decide-store.ts'
import { changeProject, loadProject } from '../../../src/store/projects/project-state-store.ts'
import { deleteProject } from '../../../src/store/projects/removed-projects-store.ts'
import type { CallContext } from '../../../src/wire/call.ts'
import { methods } from '../../../src/wire/proto/proto.ts'
import { toValue } from '../../../src/wire/proto/value.ts'
import { testDatabase } from '../servers/database.ts'
import { testHealth } from '../workers/test-health.ts'

export const MEMBER_TOKEN = 'member-token-of-the-tests'
export const OPERATOR_TOKEN = 'operator-token-of-the-tests'

export const TEST_KEYS = createKeyRing([Buffer.alloc(32, 1)])

const SETTINGS: ManagementSettings = {
  version: '0.0.0',
  mail: undefined,
  pluginUrls: false,
  invitesPerDay: 200,
  queryShare: 2,
  backupDays: undefined,
  retentionWaitHours: 24,
}

const UNTOLD = {
  columnarInsights: withoutReplica(),
  replicaEvents: withoutReplica(),
  propagation: { gateways: () => 0, settled: async () => undefined },
  onPersonDeleted: async () => undefined,
  onPersonsChanged: async () => undefined,
}

/** Peers of a worker that alone stores events. */
const NO_PEERS = () => ({ ready: Promise.resolve(), close() {} })

export type ManagementUnderTest = Awaited<ReturnType<typeof startManagement>>

const NO_DEAD_LETTERS = {
  ListDeadLetters: noCluster,
  GetDeadLetter: noCluster,
  ReplayDeadLetters: noCluster,
  DiscardDeadLetters: noCluster,
}

const NO_OPERATIONS: ClusterOperations = {
  status: noCluster,
  drain: noCluster,
  copy: noCluster,
  deadLettersOf: () => NO_DEAD_LETTERS,
}

/** Every management handler over a database of its own, with the first user made. */
export async function startManagement(
  t: Test,
  clock: Clock = systemClock,
  settings: Partial<ManagementSettings> = {},
  plugins: DryRunner = NO_PLUGINS,
  operationsOver: (sql: Sql) => ClusterOperations = () => NO_OPERATIONS,
) {
  const { sql } = await testDatabase(t, { connectionsMax: 8 })
  const published: ProjectChange[] = []
  const askedEvents: [ProjectId, string][] = []
  const feed = createChangeFeed(log)
  feed.subscribe((each) => published.push(each))
  const owner = await bootstrap(sql, {
    email: 'owner@example.com',
    projectApiKey: undefined,
    personalApiKey: undefined,
  })
  if (owner === undefined) throw new Error('a fresh database has no user')
  const refused: string[] = []
  const authenticator = authenticatorOver(sql, clock, feed, (value) => refused.push(value))
  t.teardown(() => authenticator.settled())
  const management = createManagement({
    db: sql,
    clock,
    authenticator,
    policy: createPolicy(methods()),
    throttle: NO_THROTTLE,
  })
  const services = createManagementServices({
    management,
    sql,
    scanSql: sql,
    mutateProject: mutatingIn(sql, feed),
    removeProject: removingIn(sql, feed),
    activate: (project) => activating(sql, project),
    decide: decidingOver(sql, clock),
    onEventAsked: (...asked) => askedEvents.push(asked),
    lookAtVolumes: async () => undefined,
    ...UNTOLD,
    feed,
    clock,
    log,
    live: { hub: createLiveHub(clock.now), peers: NO_PEERS },
    operations: operationsOver(sql),
    plugins,
    settings: { ...SETTINGS, ...settings },
    secrets: TEST_KEYS,
    logins: { isMember: () => false, onKeyRefused: (value) => refused.push(value) },
  })
  return {
    sql,
    published,
    refused,
    owner: { ...owner.user, personalApiKey: owner.personalApiKey },
    /** Questions that lists of events reported. */
    askedEvents,
    authenticator,
    /** Every management service, by its full name. */
    services,
    projects: services['sluice.v1.ProjectService'],
    flags: services['sluice.v1.FeatureFlagService'],
    events: services['sluice.v1.EventService'],
    users: services['sluice.v1.UserService'],
    organizations: services['sluice.v1.OrganizationService'],
    keys: services['sluice.v1.PersonalApiKeyService'],
    activity: services['sluice.v1.ActivityService'],
    access: createAccessHandlers({ authenticator, db: sql, clock }),
    directory: createDirectoryHandlers({
      memberAuth: createMemberAuth(sameToken(MEMBER_TOKEN)),
      db: sql,
      self: 'this',
      confirm: () => {},
      health: testHealth(clock, async () => await sql`select 1`),
    }),
    admin: adminOver(sql, feed, clock),
  }
}

async function activating(sql: Sql, project: ProjectId) {
  const state = await compileProject(await loadProject(sql, project))
  return { state: () => state }
}

/** The operator's service of a worker that is alone. */
function adminOver(sql: Sql, feed: ChangeFeed, clock: Clock) {
  return createAdminHandlers({
    operatorAuth: createMemberAuth(sameToken(OPERATOR_TOKEN)),
    sql,
    feed,
    status: async () => ({ version: '0.0.0' }),
    drain: async (node) => ({ member_id: 'a', address: `${node}:1`, released: 3 }),
    spill: noCluster,
    deadLetters: NO_DEAD_LETTERS,
    copy: createReplicaHandlers(undefined),
    plugins: createOperatorPlugins({ sql, feed, secrets: TEST_KEYS }),
    instance: createOperatorInstance(sql),
    people: {
      ...createOperatorPeople({ sql, feed, clock }),
      ...createOperatorOwner({ sql, feed }),
      ...createOperatorLogins({ sql, siteUrl: () => undefined }),
    },
    activity: createOperatorActivity(sql),
    onCreated: auditCreatedUser,
    onDrained: (drained) => auditDrained(sql, drained),
  })
}

const NO_PLUGINS: DryRunner = {
  dryRun: async () => {
    throw new Error('no test of the other management calls runs a plugin')
  },
}

async function noCluster(): Promise<never> {
  throw new Error('no test of the management calls reaches the cluster')
}

function authenticatorOver(
  sql: Sql,
  clock: Clock,
  feed: ChangeFeed,
  onRefused: (value: string) => void,
): Authenticator {
  const authenticator = createAuthenticator({
    findSession: async () => undefined,
    touchSession: async () => {},
    findKey: (digest) => findKey(sql, digest),
    touchKey: (id) => touchKey(sql, id),
    clock,
    log,
    onRefused,
  })
  feed.subscribe((each) => {
    if (each.kind === 'keys') authenticator.forget()
  })
  return authenticator
}

function decidingOver(sql: Sql, clock: Clock): DecideService {
  return createDecideService({
    store: {
      persons: (wanted) => loadPersons(sql, wanted, () => true),
      groups: (wanted) => loadGroups(sql, wanted, () => true),
      keepContinuity: (project, rows) => insertContinuity(sql, project, rows),
    },
    health: testHealth(clock, async () => await sql`select 1`),
    clock,
  })
}

/** Mutates as the project's actor does, without its mailbox and fence. */
function mutatingIn(sql: Sql, feed: ChangeFeed): MutateProject {
  return async (project, change) => {
    const { result, left } = await sql.begin((tx) => changeProject(tx, project, change))
    feed.publish({ kind: 'revision', projectId: project, revision: left.revision })
    return result
  }
}

function removingIn(sql: Sql, feed: ChangeFeed): RemoveProject {
  return async (project, before) => {
    await sql.begin(async (tx) => {
      await before(tx)
      await deleteProject(tx, project)
    })
    feed.publish({ kind: 'keys' })
  }
}

/** The context of a call with this bearer and further metadata. */
export function as(key: string | undefined, more: Record<string, string> = {}): CallContext {
  const values: Record<string, string> = { ...more }
  if (key !== undefined) values['authorization'] = `Bearer ${key}`
  return {
    metadata: new Map(Object.entries(values)),
    signal: new AbortController().signal,
    timeoutMs: 15_000,
  }
}

/** A user of level `level` in an organization, or the owner of a new one. */
export async function makeUser(
  sql: Sql,
  email: string,
  place: { organizationId?: string; level?: number } = {},
): Promise<CreatedUser> {
  return await sql.begin((tx) =>
    createUser(tx, {
      email,
      firstName: '',
      organizationId: place.organizationId ?? '',
      organizationName: '',
      level: place.level ?? 0,
      personalApiKey: '',
      projectApiKey: '',
      isStaff: false,
      isEmailConfirmed: true,
    }),
  )
}

/** A further key of a user, with scopes and restrictions. */
export async function makeKey(
  sql: Sql,
  user: CreatedUser,
  limits: { scopes?: string[]; projects?: number[]; organizations?: string[] },
): Promise<string> {
  const value = makePersonalKey()
  const id = randomText()
  const digest = keyDigest(value)
  await insertKey(sql, { id, user: user.userId, label: 'test', digest, mask: maskKey(value) })
  await sql`
    update personal_api_keys set scopes = ${limits.scopes ?? ['*']}::text[],
      scoped_projects = ${limits.projects ?? []}::integer[],
      scoped_organizations = ${limits.organizations ?? []}::uuid[]
    where id = ${id}`
  return value
}

/** Resolves with the public body of a call's failure: `status code`, and the detail. */
export async function refusal(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, detail } = error
    return { is: code, code: detail?.code, attr: detail?.attr, detail: detail?.detail }
  }
  throw new Error('the call was not refused')
}

export function projectFields() {
  return {
    app_urls: null,
    test_account_filters: null,
    path_cleaning_filters: null,
    data_attributes: null,
    person_display_name_properties: null,
    correlation_config: null,
    live_events_columns: null,
    web_goals: null,
    recording_domains: null,
    null_fields: [] as string[],
  }
}

export function flagFields() {
  return {
    filters: null,
    rollback_conditions: null,
    tags: null,
    evaluation_contexts: null,
    null_fields: [] as string[],
  }
}

export function meFields() {
  return { events_column_config: null, notification_settings: null, null_fields: [] as string[] }
}

export function keyFields() {
  return {
    scopes: null,
    scoped_teams: null,
    scoped_organizations: null,
    null_fields: [] as string[],
  }
}

/** JSON in a field of a request. */
export function jsonField(json: Json): Value__Output {
  return toValue(json) as Value__Output
}
