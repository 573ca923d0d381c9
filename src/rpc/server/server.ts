import {
  type handleBidiStreamingCall,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { EnumTypeDefinition } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { HealthImplementation } from 'grpc-health-check'
import type { Clock } from '../../core/clock.ts'
import { AppError, assert } from '../../core/code.ts'
import type { TlsMaterial } from '../../core/config/tls-files.ts'
import { isObject } from '../../core/json.ts'
import { GRPC_MESSAGE_BYTES_MAX } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import { type CallGuard, createCallGuard, presentsMemberToken } from './call-guard.ts'
import type { OnRefused } from './refused.ts'
import { holdSessions } from './server-sessions.ts'

const METHOD = 'ServerReflectionInfo'
/** Format of enum definitions, the one kind that needs nothing but its files. */
const FORMAT = 'Protocol Buffer 3 EnumDescriptorProto'

/** A service with its handlers as grpc-js takes them. */
export type ServedService = {
  readonly name: string
  readonly definition: ServiceDefinition
  readonly implementation: UntypedServiceImplementation
}

export type RpcServer = {
  /**
   * Binds and serves; port 0 takes a free one. Health says SERVING from then on.
   * @throws {AppError} `failed_precondition` when the address cannot be used.
   */
  listen(host: string, port: number): Promise<{ port: number }>
  /**
   * Health reports NOT_SERVING, and callers that check it use other servers. Calls are still
   * answered.
   */
  leave(): void
  /** Refuses new calls, waits for running ones, and cuts what is left after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>
}

export function createRpcServer(deps: {
  services: readonly ServedService[]
  files: () => readonly Buffer[]
  /** Called when the server begins to close. Streams that callers hold open must end then. */
  onClosing: () => void
  callGuard: CallGuard
  /** Default: plain text. */
  tls?: TlsMaterial
  /** Whether the server describes its calls to anyone who asks. */
  reflects: boolean
  onRefused?: OnRefused
  clock: Clock
  log: Log
}): RpcServer {
  const { services, onClosing, callGuard, tls = {}, clock, log } = deps
  const watched = { clock, log, ...(deps.onRefused && { onRefused: deps.onRefused }) }
  const credentials = serverCredentials(tls)
  const certifies = tls.cert !== undefined && tls.ca !== undefined
  const server = new Server({
    'grpc.max_receive_message_length': GRPC_MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': GRPC_MESSAGE_BYTES_MAX,
    'grpc.enable_channelz': 0,
    interceptors: [createCallGuard(callGuard, { certifies, ...watched })],
  })
  const isMember = (authorization: unknown, memberToken: unknown) =>
    presentsMemberToken(callGuard, authorization, memberToken)
  const sessions = holdSessions(server, { isMember, certifies, ...watched })
  assert(sessions !== undefined, 'the connections of this release of grpc-js can be reached')
  for (const { definition, implementation } of services) {
    server.addService(definition, implementation)
  }
  const health = new HealthImplementation({ '': 'NOT_SERVING' })
  health.addToServer(server)
  if (deps.reflects) addReflection(server, deps.files)

  const setHealth = (status: 'SERVING' | 'NOT_SERVING') => {
    for (const name of ['', ...services.map((service) => service.name)]) {
      health.setStatus(name, status)
    }
  }

  return {
    async listen(host, port) {
      const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
      const bound = await bind(server, address, credentials)
      setHealth('SERVING')
      return { port: bound }
    },
    leave: () => setHealth('NOT_SERVING'),
    async close(deadlineMs) {
      setHealth('NOT_SERVING')
      onClosing()
      // `tryShutdown` may wait for ever on a stuck session (grpc-node issue 1458).
      await new Promise<void>((resolve) => {
        const cancel = clock.after(deadlineMs, () => {
          log.warn('calls cut at shutdown', { deadlineMs })
          server.forceShutdown()
          sessions.cut()
          resolve()
        })
        server.tryShutdown((error) => {
          cancel()
          if (error !== undefined) server.forceShutdown()
          resolve()
        })
      })
      sessions.close()
    },
  }
}

/** @throws {AppError} `failed_precondition`. */
function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port)
      else {
        const message = `cannot serve gRPC at ${address}`
        reject(new AppError('failed_precondition', message, { cause: error }))
      }
    })
  })
}

/**
 * @param tls without a certificate: plain text. With an authority, any client may show a
 * certificate; only members must.
 * @throws {AppError} `failed_precondition` when the certificate and the key are no pair.
 */
function serverCredentials({ cert, key, ca }: TlsMaterial): ServerCredentials {
  if (cert === undefined || key === undefined) return ServerCredentials.createInsecure()
  try {
    const pair = { cert_chain: cert, private_key: key }
    return ServerCredentials.createSsl(ca ?? null, [pair], ca !== undefined)
  } catch (cause) {
    throw new AppError('failed_precondition', 'the certificate of gRPC cannot be used', { cause })
  }
}

/** gRPC's reflection services. They are rarely used, so the first call builds their data. */
const PATHS = ['v1', 'v1alpha'].map(
  (version) => `/grpc.reflection.${version}.ServerReflection/${METHOD}`,
)

type Served = {
  readonly method: MethodDefinition<unknown, unknown>
  readonly handler: handleBidiStreamingCall<unknown, unknown>
}

/**
 * Adds both versions of the service; `files`, serialized FileDescriptorProtos, is called once, at
 * the first request.
 */
function addReflection(server: Pick<Server, 'addService'>, files: () => readonly Buffer[]): void {
  let made: ReadonlyMap<string, Served> | undefined
  for (const path of PATHS) {
    const served = () => {
      made ??= servedFrom(files())
      const found = made.get(path)
      assert(found !== undefined, `no reflection at ${path}`)
      return found
    }
    const method: MethodDefinition<unknown, unknown> = {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: (value) => served().method.requestSerialize(value),
      requestDeserialize: (bytes) => served().method.requestDeserialize(bytes),
      responseSerialize: (value) => served().method.responseSerialize(withoutRepeats(value)),
      responseDeserialize: (bytes) => served().method.responseDeserialize(bytes),
    }
    const handler: Served['handler'] = (stream) => served().handler(stream)
    server.addService({ [METHOD]: method }, { [METHOD]: handler })
  }
}

/**
 * An answer that names each file once. The library repeats the requested one where files refer to
 * each other.
 */
function withoutRepeats(answer: unknown): unknown {
  const found = isObject(answer) ? answer['fileDescriptorResponse'] : undefined
  const files: unknown = isObject(found) ? found['fileDescriptorProto'] : undefined
  if (!isObject(answer) || !Array.isArray(files)) return answer
  return { ...answer, fileDescriptorResponse: { fileDescriptorProto: [...new Set(files)] } }
}

/** Services by path. The library adds its services to any object with `addService`. */
function servedFrom(files: readonly Buffer[]): ReadonlyMap<string, Served> {
  const made = new Map<string, Served>()
  const addService = (definition: ServiceDefinition, implementation: object) => {
    const method = definition[METHOD]
    const handlers: Readonly<Record<string, UntypedHandleCall>> = { ...implementation }
    const handler = handlers[METHOD]
    assert(method !== undefined && handler !== undefined, `reflection has no ${METHOD}`)
    // Both versions of the service have this one method, a stream both ways.
    made.set(method.path, { method, handler: handler as Served['handler'] })
  }
  // It reads nothing else of a package.
  const contract: EnumTypeDefinition = {
    format: FORMAT,
    type: {},
    fileDescriptorProtos: [...files],
  }
  new ReflectionService({ contract }).addToServer({ addService })
  return made
}
