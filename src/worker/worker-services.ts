/** The calls that a worker answers, over a socket and within the process. */
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import type { DrainResponse } from '../../proto/gen/sluice/v1/DrainResponse.ts'
import type { GetStatusResponse } from '../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { Member } from '../../proto/gen/sluice/v1/Member.ts'
import type { SpillStatus } from '../../proto/gen/sluice/v1/SpillStatus.ts'
import { createPolicy, type Policy } from '../access/policy.ts'
import type { Authenticator } from '../access/principal.ts'
import { createThrottle, NO_THROTTLE } from '../access/throttle.ts'
import type { Clock } from '../core/clock.ts'
import type { TlsMaterial } from '../core/config/tls-files.ts'
import type { Log } from '../core/log.ts'
import type { ProjectLimits } from '../core/project-limits.ts'
import { createLookedVolumes } from '../manage/looked-volumes.ts'
import { createManagement } from '../manage/management.ts'
import { createManagementServices } from '../manage/management-services.ts'
import { auditDrained, createOperatorActivity } from '../manage/operator-audit.ts'
import { createOperatorInstance } from '../manage/people/operator-instance.ts'
import { createOperatorOwner } from '../manage/people/operator-owner.ts'
import { createOperatorPeople } from '../manage/people/operator-people.ts'
import { auditCreatedUser } from '../manage/people/user-changes.ts'
import { createOperatorPlugins } from '../manage/plugins/operator-plugins.ts'
import { createOperatorLogins } from '../manage/sessions/operator-logins.ts'
import type { ManagementSettings } from '../manage/settings.ts'
import { createDecideService, type DecideService } from '../project/decide.ts'
import { createClusterHandlers } from '../rpc/cluster/cluster-handlers.ts'
import { createWatchStored } from '../rpc/cluster/stored-handler.ts'
import { createWatchProjects } from '../rpc/cluster/watch-handler.ts'
import { createAccessHandlers } from '../rpc/hot/access-handlers.ts'
import { createDecideBatch } from '../rpc/hot/decide-handlers.ts'
import { createDirectoryHandlers } from '../rpc/hot/directory-handlers.ts'
import { createIngestBatch } from '../rpc/hot/ingest-handlers.ts'
import { createMicroBatches } from '../rpc/hot/micro-batch-handler.ts'
import type { ServiceEvents } from '../rpc/hot/service-events.ts'
import { createWarningHandlers } from '../rpc/hot/warning-handlers.ts'
import { createAdminHandlers } from '../rpc/operator/admin-handlers.ts'
import { createReplicaHandlers, readCopy } from '../rpc/operator/replica-handlers.ts'
import { createMemberAuth, type MemberAuth } from '../rpc/server/member-auth.ts'
import { exchangeService, served, streamedOf, streamedReadsOf } from '../rpc/server/served.ts'
import { createRpcServer, type RpcServer } from '../rpc/server/server.ts'
import {
  createLargeReads,
  insertContinuity,
  loadGroups,
  loadPersons,
} from '../store/projects/decide-store.ts'
import type { Handler } from '../wire/call.ts'
import { fileDescriptors } from '../wire/proto/file-descriptors.ts'
import { methods } from '../wire/proto/proto.ts'
import { byPath, type HandlerTable, withoutSocket } from './handler-table.ts'
import type { Worker } from './types.ts'
import { createWorkerCallGuard } from './worker-call-guard.ts'
import type { CallMetrics } from './worker-call-metrics.ts'
import { createCallers, createServices, noteRefused, refusals } from './worker-callers.ts'
import { deadLettersOf } from './worker-dead-letters.ts'

export type WorkerServices = {
  readonly server: RpcServer
  /** Unary handlers by full path, for a gateway in this process. */
  readonly handlers: ReadonlyMap<string, Handler<object, object>>
  /** Resolves when no write beside the calls is under way. */
  settled(): Promise<void>
}

export type WorkerServicesOptions = {
  /** Whether the caller that presents this token is a member of the cluster or the operator. */
  readonly isMember: (token: string) => boolean
  readonly isOperator: (token: string) => boolean
  /** host:port under which other members dial this worker. */
  readonly address: () => string
  /** Public URL of the console; undefined when this process serves none and none is set. */
  readonly siteUrl: () => string | undefined
  readonly operations: WorkerOperations
  readonly settings: ManagementSettings
  readonly rateLimits: boolean
  readonly grpc: { readonly tls: TlsMaterial; readonly reflects: boolean }
}

/** Operations of a worker for operators and other members. */
export type WorkerOperations = {
  status(): Promise<GetStatusResponse>
  /** This worker's own line of the status. */
  describe(): Promise<Member>
  /** By id or address of a member. */
  drain(node: string): Promise<DrainResponse>
  /** @returns how many shards were given back. */
  drainSelf(): Promise<number>
  spill(): Promise<SpillStatus>
}

export type WorkerServicesDeps = {
  readonly worker: Worker
  readonly calls: CallMetrics
  /** Limits of projects; undefined when nothing is limited. */
  readonly limits: ProjectLimits | undefined
  readonly clock: Clock
  readonly log: Log
}

export function createWorkerServices(
  deps: WorkerServicesDeps,
  options: WorkerServicesOptions,
): WorkerServices {
  const { worker, calls, clock, log } = deps
  const memberAuth = createMemberAuth(options.isMember)
  const callers = createCallers(deps)
  const decide = createDecide(deps)
  const services = createServices(deps, callers.serviceKeys, decide)
  const { authenticator } = callers
  const policy = createPolicy(methods())
  const operatorAuth = createMemberAuth(options.isOperator, () => calls.keyRefused('operator'))
  const table: HandlerTable = {
    ...hotHandlers(deps, { memberAuth, services: services.handlers, decide }),
    ...memberHandlers(deps, options, { memberAuth, operatorAuth, authenticator }),
    ...managementHandlers(deps, options, { authenticator, policy, decide }),
  }
  const forwarding = { self: worker.memberId, callerOf: worker.peers.callerOf, clock }
  const handlers = byPath(table, forwarding, calls)
  const microBatches = createMicroBatches({
    memberAuth,
    methods: streamedOf(handlers),
    reads: streamedReadsOf(handlers),
    clock,
    log,
  })
  const streams = streamHandlers(deps, memberAuth)
  const { isMember } = options
  const paths = [...handlers.keys(), ...STREAM_PATHS]
  const watched = { clock, log, onRefused: refusals(worker.warnings, calls) }
  return {
    server: createRpcServer({
      services: [
        ...Object.entries(table).map(([name, methods]) =>
          served(name, Object.keys(methods), handlers, streams[name] ?? {}, watched),
        ),
        exchangeService(microBatches.serve),
      ],
      files: fileDescriptors,
      onClosing: () => {
        microBatches.goAway()
        worker.live.leave()
      },
      callGuard: createWorkerCallGuard(
        { isMember, memberAuth, operatorAuth, serviceGuard: services.guard, authenticator, policy },
        paths,
      ),
      ...options.grpc,
      ...watched,
    }),
    handlers: withoutSocket(handlers, log),
    settled: () => authenticator.settled(),
  }
}

/** Events, flags and keys: the calls of gateways and of internal services. */
function hotHandlers(
  { worker, calls, log }: WorkerServicesDeps,
  parts: {
    readonly memberAuth: MemberAuth
    readonly services: ServiceEvents['handlers']
    readonly decide: DecideService
  },
): HandlerTable {
  const { sql, lookups, health, route, snapshots, cacheGeneration } = worker
  const { memberAuth, services, decide } = parts
  const { Capture, CaptureBatch, Decide } = services
  const IngestBatch = createIngestBatch({
    memberAuth,
    route,
    log,
    cacheGeneration: cacheGeneration.current,
  })
  const reports = createWarningHandlers({ memberAuth, sql })
  const DecideBatch = createDecideBatch({ memberAuth, snapshots, service: decide, log })
  return {
    'sluice.v1.IngestService': { Capture, CaptureBatch, IngestBatch, ...reports },
    'sluice.v1.DecideService': { Decide, DecideBatch },
    'sluice.v1.DirectoryService': createDirectoryHandlers({
      memberAuth,
      db: lookups,
      health,
      self: worker.memberId,
      confirm: (...confirmed) => worker.propagation.confirm(...confirmed),
      onRefused: calls.keyRefused,
    }),
  }
}

/** The calls of operators and of other members. */
function memberHandlers(
  { worker, clock }: WorkerServicesDeps,
  { operations, address, siteUrl }: WorkerServicesOptions,
  parts: {
    readonly memberAuth: MemberAuth
    readonly operatorAuth: MemberAuth
    readonly authenticator: Authenticator
  },
): HandlerTable {
  const { sql, hub, shards, live } = worker
  const { memberAuth, operatorAuth, authenticator } = parts
  return {
    'sluice.v1.AccessService': createAccessHandlers({ authenticator, db: sql, clock }),
    'sluice.v1.AdminService': createAdminHandlers({
      operatorAuth,
      sql,
      feed: hub,
      status: operations.status,
      drain: operations.drain,
      spill: operations.spill,
      deadLetters: deadLettersOf(worker, clock, null),
      copy: createReplicaHandlers(worker.copy),
      plugins: createOperatorPlugins({ sql, feed: hub, secrets: worker.secrets }),
      instance: createOperatorInstance(sql),
      people: {
        ...createOperatorPeople({ sql, feed: hub, clock }),
        ...createOperatorOwner({ sql, feed: hub }),
        ...createOperatorLogins({ sql, siteUrl }),
      },
      activity: createOperatorActivity(sql),
      onCreated: auditCreatedUser,
      onDrained: (drained) => auditDrained(sql, drained),
    }),
    'sluice.v1.ClusterService': {
      WatchStored: createWatchStored({ memberAuth, hub: live, clock }),
      ...createClusterHandlers({
        memberAuth,
        self: {
          id: worker.memberId,
          get address() {
            return address()
          },
        },
        shards,
        drain: operations.drainSelf,
        describe: operations.describe,
      }),
    },
  }
}

/** The management interface. */
function managementHandlers(
  { worker, calls, clock, log }: WorkerServicesDeps,
  { rateLimits, settings, isMember, operations }: WorkerServicesOptions,
  parts: {
    readonly authenticator: Authenticator
    readonly policy: Policy
    readonly decide: DecideService
  },
): HandlerTable {
  const { authenticator, policy, decide } = parts
  const { sql, scans, hub, projects, snapshots } = worker
  return createManagementServices({
    management: createManagement({
      db: sql,
      clock,
      authenticator,
      policy,
      throttle: rateLimits ? createThrottle({ clock }) : NO_THROTTLE,
    }),
    sql,
    scanSql: scans,
    columnarInsights: worker.columnarInsights,
    replicaEvents: worker.replicaEvents,
    mutateProject: projects.mutate,
    removeProject: projects.remove,
    activate: async (project) => {
      const state = await snapshots.of(project)
      return { state: () => state }
    },
    decide,
    propagation: worker.propagation,
    onEventAsked: (project, event) => worker.askedEvents.add(project, event),
    lookAtVolumes: createLookedVolumes({
      sql,
      clock,
      flushAsked: worker.askedEvents.flush,
    }),
    onPersonDeleted: (...told) => worker.onPersonDeleted(...told),
    onPersonsChanged: (...told) => worker.onPersonsChanged(...told),
    feed: hub,
    live: { hub: worker.live, peers: worker.peerEvents },
    operations: {
      status: operations.status,
      drain: operations.drain,
      copy: () => readCopy(worker.copy),
      deadLettersOf: (principal) => deadLettersOf(worker, clock, principal),
    },
    clock,
    log,
    plugins: worker.plugins,
    settings,
    secrets: worker.secrets,
    logins: { isMember, onKeyRefused: (value) => noteRefused(worker, calls, value) },
  })
}

/** Paths of the calls that are no unary handlers. */
const STREAM_PATHS = [
  '/sluice.v1.DirectoryService/WatchProjects',
  '/sluice.v1.MicroBatchService/Exchange',
]

/** Streaming calls, by service. */
function streamHandlers(
  { worker, clock, log }: WorkerServicesDeps,
  memberAuth: MemberAuth,
): Readonly<Record<string, UntypedServiceImplementation>> {
  const { hub, shards, cacheGeneration } = worker
  const WatchProjects = createWatchProjects({
    memberAuth,
    hub,
    shards,
    cacheGeneration,
    clock,
    log,
    self: worker.memberId,
  })
  return { 'sluice.v1.DirectoryService': { WatchProjects } }
}

type DecideDeps = {
  readonly worker: Pick<Worker, 'lookups' | 'health'>
  readonly calls: Pick<CallMetrics, 'counted'>
  readonly clock: Clock
}

function createDecide({ worker, calls, clock }: DecideDeps): DecideService {
  const { lookups, health } = worker
  const takeLarge = createLargeReads(clock)
  return calls.counted(
    createDecideService({
      store: {
        persons: (wanted) => loadPersons(lookups, wanted, takeLarge),
        groups: (wanted) => loadGroups(lookups, wanted, takeLarge),
        keepContinuity: (project, rows) => insertContinuity(lookups, project, rows),
      },
      health,
      clock,
    }),
  )
}
