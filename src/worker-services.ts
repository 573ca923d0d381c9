/** The calls that a worker answers, over a socket and within the process. */
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import type { DrainResponse } from '../proto/gen/sluice/v1/DrainResponse.ts'
import type { GetStatusResponse } from '../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { Member } from '../proto/gen/sluice/v1/Member.ts'
import type { SpillStatus } from '../proto/gen/sluice/v1/SpillStatus.ts'
import { createPolicy } from './access/policy.ts'
import { createAuthenticator } from './access/principal.ts'
import { createThrottle, NO_THROTTLE } from './access/throttle.ts'
import type { Clock } from './core/clock.ts'
import type { Log } from './core/log.ts'
import { createUuidV7 } from './events/uuid.ts'
import { createManagement } from './manage/management.ts'
import { createDecideService } from './project/decide.ts'
import { createAdminHandlers } from './rpc/admin-handlers.ts'
import { createClusterHandlers } from './rpc/cluster/cluster-handlers.ts'
import { type ForwardDeps, withForwarding } from './rpc/cluster/forward.ts'
import { createWatchProjects } from './rpc/cluster/watch-handler.ts'
import { createAccessHandlers } from './rpc/hot/access-handlers.ts'
import { createDecideBatch } from './rpc/hot/decide-handlers.ts'
import { createDirectoryHandlers } from './rpc/hot/directory-handlers.ts'
import { createIngestBatch } from './rpc/hot/ingest-handlers.ts'
import { createMicroBatches } from './rpc/hot/micro-batch-handler.ts'
import { createServiceEvents } from './rpc/hot/service-events.ts'
import { createServiceKeys } from './rpc/hot/service-keys.ts'
import { createManagementServices, type ManagementSettings } from './rpc/management-services.ts'
import { createDeadLetterHandlers } from './rpc/operator/dead-letter-handlers.ts'
import { createMemberAuth } from './rpc/server/member-auth.ts'
import { exchangeService, type Handlers, served, streamedOf } from './rpc/server/served.ts'
import { createRpcServer, type RpcServer } from './rpc/server/server.ts'
import { toLoggedAppError } from './rpc/server/status.ts'
import { findKey, resolveKeys, touchKey } from './store/people/key-store.ts'
import { insertContinuity, loadGroups, loadPersons } from './store/projects/decide-store.ts'
import type { Handler } from './wire/call.ts'
import { contract, methods } from './wire/proto/proto.ts'
import type { CallMetrics } from './worker/worker-call-metrics.ts'
import type { Worker } from './worker.ts'

export type WorkerServices = {
  readonly server: RpcServer
  /** Unary handlers by full path, for a gateway in this process. */
  readonly handlers: ReadonlyMap<string, Handler<object, object>>
  /** Resolves once nothing is being written beside the calls. */
  settled(): Promise<void>
}

export type WorkerServicesOptions = {
  /** Whether a caller that presents this token is a member of the cluster, or the operator. */
  readonly isMember: (token: string) => boolean
  readonly isOperator: (token: string) => boolean
  /** host:port under which other members dial this worker. */
  readonly address: () => string
  readonly operations: WorkerOperations
  readonly settings: ManagementSettings
  readonly rateLimits: boolean
}

/** What operators and other workers ask of a worker as a member. */
export type WorkerOperations = {
  status(): Promise<GetStatusResponse>
  /** Its own line of that. */
  describe(): Promise<Member>
  /** By id or address of a member. */
  drain(node: string): Promise<DrainResponse>
  /** @returns how many shards were given back. */
  drainSelf(): Promise<number>
  spill(): Promise<SpillStatus>
}

/** A unary handler whose types its service's definition holds together. */
type AnyHandler = Handler<never, object>
type HandlerTable = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>

export function createWorkerServices(
  deps: { worker: Worker; calls: CallMetrics; clock: Clock; log: Log },
  options: WorkerServicesOptions,
): WorkerServices {
  const { worker, calls, clock, log } = deps
  const { sql, lookups, hub, projects, route, snapshots, shards, cacheGeneration } = worker
  const { operations } = options
  const memberAuth = createMemberAuth(options.isMember)
  const authenticator = createAuthenticator({
    findKey: (digest) => findKey(sql, digest),
    touchKey: (keyId) => touchKey(sql, keyId),
    clock,
    log,
  })
  const serviceKeys = createServiceKeys({
    resolve: async (key, digest) => {
      const [resolved] = await resolveKeys(lookups, [{ token: key, digest, projectId: 0 }])
      return resolved?.kind === 'project' ? resolved.project : undefined
    },
    clock,
    log,
  })
  hub.subscribe((news) => {
    if (news.kind !== 'keys') return
    authenticator.forget()
    serviceKeys.forget()
  })
  const management = createManagement({
    db: sql,
    authenticator,
    policy: createPolicy(methods()),
    throttle: options.rateLimits ? createThrottle({ clock }) : NO_THROTTLE,
  })
  const decide = calls.counted(
    createDecideService({
      store: {
        persons: (wanted) => loadPersons(lookups, wanted),
        groups: (wanted) => loadGroups(lookups, wanted),
        keepContinuity: (project, rows) => insertContinuity(lookups, project, rows),
      },
      clock,
      log,
    }),
  )
  const { mutate: mutateProject, remove: removeProject } = projects
  const service = createServiceEvents({
    findProject: serviceKeys.find,
    route,
    snapshots,
    decide,
    newUuid: createUuidV7(clock.now),
    clock,
  })
  const { Capture, CaptureBatch, Decide } = service
  const table: HandlerTable = {
    'sluice.v1.IngestService': {
      Capture,
      CaptureBatch,
      IngestBatch: createIngestBatch({
        memberAuth,
        route,
        log,
        cacheGeneration: cacheGeneration.current,
      }),
    },
    'sluice.v1.DecideService': {
      Decide,
      DecideBatch: createDecideBatch({ memberAuth, snapshots, service: decide, log }),
    },
    'sluice.v1.DirectoryService': createDirectoryHandlers({ memberAuth, db: lookups, clock, log }),
    'sluice.v1.AccessService': createAccessHandlers({ authenticator, db: sql }),
    'sluice.v1.AdminService': createAdminHandlers({
      operatorAuth: createMemberAuth(options.isOperator),
      sql,
      news: hub,
      ...operations,
      // Past the spill: what the database refuses again must stay where it is.
      deadLetters: createDeadLetterHandlers({ sql, sink: worker.ingest.writer, clock }),
    }),
    'sluice.v1.ClusterService': createClusterHandlers({
      memberAuth,
      self: {
        id: worker.memberId,
        get address() {
          return options.address()
        },
      },
      shards,
      drain: operations.drainSelf,
      describe: operations.describe,
    }),
    ...createManagementServices({
      management,
      sql,
      mutateProject,
      removeProject,
      activate: async (project) => {
        const state = await snapshots.of(project)
        return { state: () => state }
      },
      decide,
      onEventAsked: (project, event) => worker.askedEvents.add(project, event),
      news: hub,
      clock,
      plugins: worker.plugins,
      settings: options.settings,
    }),
  }
  const streams: Readonly<Record<string, UntypedServiceImplementation>> = {
    'sluice.v1.DirectoryService': {
      WatchProjects: createWatchProjects({
        memberAuth,
        self: worker.memberId,
        hub,
        shards,
        cacheGeneration,
        clock,
        log,
      }),
    },
  }
  const forwarding = { self: worker.memberId, callerOf: worker.peers.callerOf, clock }
  const handlers = byPath(table, forwarding, calls)
  const microBatches = createMicroBatches({
    memberAuth,
    methods: streamedOf(handlers),
    clock,
    log,
  })
  return {
    server: createRpcServer({
      services: [
        ...Object.entries(table).map(([name, methods]) =>
          served(name, Object.keys(methods), handlers, streams[name] ?? {}, { clock, log }),
        ),
        exchangeService(microBatches.serve),
      ],
      definitions: contract().packageDefinition,
      onClosing: microBatches.takeLeave,
      clock,
      log,
    }),
    handlers: withoutSocket(handlers, log),
    settled: () => authenticator.settled(),
  }
}

/** Every unary handler, by full path: what is another worker's is passed on to that. */
function byPath(table: HandlerTable, forwarding: ForwardDeps, calls: CallMetrics): Handlers {
  const handlers = new Map<string, Handler<object, object>>()
  for (const [name, methods] of Object.entries(table)) {
    for (const [method, handler] of Object.entries(methods)) {
      const path = `/${name}/${method}`
      // Whoever calls it hands over what the path's definition says.
      const typed = handler as Handler<object, object>
      handlers.set(path, calls.timed(path, withForwarding(path, typed, forwarding)))
    }
  }
  return handlers
}

/** Failures leave as they would leave a socket: with a code, the unexpected ones logged. */
function withoutSocket(handlers: Handlers, log: Log): Handlers {
  const calls = [...handlers].map(([path, handler]): [string, Handler<object, object>] => [
    path,
    async (request, context) => {
      try {
        return await handler(request, context)
      } catch (error) {
        throw toLoggedAppError(error, log, path)
      }
    },
  ])
  return new Map(calls)
}
