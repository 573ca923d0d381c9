/** The calls that a worker answers, over a socket and within the process. */
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import type { GetStatusResponse } from '../proto/gen/sluice/v1/GetStatusResponse.ts'
import { keyDigest } from './admin/keys.ts'
import { createPolicy } from './admin/policy.ts'
import { createAuthenticator } from './admin/principal.ts'
import { createThrottle, NO_THROTTLE } from './admin/throttle.ts'
import type { Clock } from './core/clock.ts'
import type { Log } from './core/log.ts'
import { contract, methods, serviceDefinition } from './core/proto.ts'
import { createUuidV7 } from './ingest/uuid.ts'
import { createDecideService } from './project/decide.ts'
import { createAccessHandlers } from './rpc/access-handlers.ts'
import { toUnary } from './rpc/adapter.ts'
import { createAdminHandlers } from './rpc/admin-handlers.ts'
import type { Handler } from './rpc/call.ts'
import { createDecideBatch } from './rpc/decide-handlers.ts'
import { createDirectoryHandlers } from './rpc/directory-handlers.ts'
import { createIngestBatch } from './rpc/ingest-handlers.ts'
import { createManagement } from './rpc/management.ts'
import { createManagementServices, type ManagementSettings } from './rpc/management-services.ts'
import { createMemberAuth } from './rpc/member-auth.ts'
import { createRpcServer, type RpcServer, type ServedService } from './rpc/server.ts'
import { createServiceEvents } from './rpc/service-events.ts'
import { toLoggedAppError } from './rpc/status.ts'
import { createWatchProjects } from './rpc/watch-handler.ts'
import { insertContinuity, loadGroups, loadPersons } from './store/decide-store.ts'
import { findKey, resolveKeys, touchKey } from './store/key-store.ts'
import type { Worker } from './worker.ts'

export type WorkerServices = {
  readonly server: RpcServer
  /** Unary handlers by full path, for a gateway in this process. */
  readonly handlers: ReadonlyMap<string, Handler<object, object>>
  /** Resolves once nothing is being written beside the calls. */
  settled(): Promise<void>
}

export type WorkerServicesOptions = {
  /** Authenticates gateways and the operator. */
  readonly token: string
  readonly status: () => Promise<GetStatusResponse>
  readonly settings: ManagementSettings
  readonly rateLimits: boolean
}

/** A unary handler whose types its service's definition holds together. */
type AnyHandler = Handler<never, object>
type HandlerTable = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>

export function createWorkerServices(
  deps: { worker: Worker; clock: Clock; log: Log },
  options: WorkerServicesOptions,
): WorkerServices {
  const { worker, clock, log } = deps
  const { sql, lookups, hub, projects } = worker
  const memberAuth = createMemberAuth(options.token)
  const authenticator = createAuthenticator({
    findKey: (digest) => findKey(sql, digest),
    touchKey: (keyId) => touchKey(sql, keyId),
    clock,
    log,
  })
  hub.subscribe((news) => {
    if (news.kind === 'keys') authenticator.forget()
  })
  const management = createManagement({
    db: sql,
    authenticator,
    policy: createPolicy(methods()),
    throttle: options.rateLimits ? createThrottle({ clock }) : NO_THROTTLE,
  })
  const decide = createDecideService({
    store: {
      persons: (wanted) => loadPersons(lookups, wanted),
      groups: (wanted) => loadGroups(lookups, wanted),
      keepContinuity: (project, rows) => insertContinuity(lookups, project, rows),
    },
    clock,
    log,
  })
  const { peek, activate, mutate: mutateProject, remove: removeProject } = projects
  const service = createServiceEvents({
    projectOfKey: async (key) => {
      const digest = keyDigest(key).toString('hex')
      const [resolved] = await resolveKeys(sql, [{ token: key, digest, projectId: 0 }])
      return resolved?.kind === 'project' ? resolved.project.id : undefined
    },
    activate,
    decide,
    newUuid: createUuidV7(clock.now),
    clock,
  })
  const { Capture, CaptureBatch, Decide } = service
  const table: HandlerTable = {
    'sluice.v1.IngestService': {
      Capture,
      CaptureBatch,
      IngestBatch: createIngestBatch({ memberAuth, peek, activate, log }),
    },
    'sluice.v1.DecideService': {
      Decide,
      DecideBatch: createDecideBatch({ memberAuth, peek, activate, service: decide, log }),
    },
    'sluice.v1.DirectoryService': createDirectoryHandlers({ memberAuth, db: lookups }),
    'sluice.v1.AccessService': createAccessHandlers({ authenticator, db: sql }),
    'sluice.v1.AdminService': createAdminHandlers({
      operatorAuth: memberAuth,
      sql,
      news: hub,
      status: options.status,
    }),
    ...createManagementServices({
      management,
      sql,
      mutateProject,
      removeProject,
      activate,
      decide,
      onEventAsked: (project, event) => worker.askedEvents.add(project, event),
      news: hub,
      clock,
      settings: options.settings,
    }),
  }
  const streams: Readonly<Record<string, UntypedServiceImplementation>> = {
    'sluice.v1.DirectoryService': {
      WatchProjects: createWatchProjects({ memberAuth, hub, clock, log }),
    },
  }
  return {
    server: createRpcServer({
      services: Object.entries(table).map(([name, handlers]) =>
        served(name, handlers, streams[name] ?? {}, { clock, log }),
      ),
      definitions: contract().packageDefinition,
      clock,
      log,
    }),
    handlers: byPath(table, log),
    settled: () => authenticator.settled(),
  }
}

function served(
  name: string,
  handlers: Readonly<Record<string, AnyHandler>>,
  streams: UntypedServiceImplementation,
  deps: { clock: Clock; log: Log },
): ServedService {
  const implementation: UntypedServiceImplementation = { ...streams }
  for (const [method, handler] of Object.entries(handlers)) {
    // grpc-js hands over what the definition deserialized, which is what the handler takes.
    implementation[method] = toUnary(handler as Handler<object, object>, deps)
  }
  return { name, definition: serviceDefinition(name), implementation }
}

/** Failures leave as they would leave a socket: with a code, the unexpected ones logged. */
function byPath(table: HandlerTable, log: Log): ReadonlyMap<string, Handler<object, object>> {
  const handlers = new Map<string, Handler<object, object>>()
  for (const [name, methods] of Object.entries(table)) {
    for (const [method, handler] of Object.entries(methods)) {
      const path = `/${name}/${method}`
      // The caller sends what the path's definition says, as a socket's deserializer would.
      const typed = handler as Handler<object, object>
      handlers.set(path, async (request, context) => {
        try {
          return await typed(request, context)
        } catch (error) {
          throw toLoggedAppError(error, log, path)
        }
      })
    }
  }
  return handlers
}
