import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { PackageDefinition } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { HealthImplementation } from 'grpc-health-check'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { GRPC_MESSAGE_BYTES_MAX } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import { holdSessions } from '../server-sessions.ts'

/** A service with its handlers as grpc-js takes them. */
export type ServedService = {
  readonly name: string
  readonly definition: ServiceDefinition
  readonly implementation: UntypedServiceImplementation
}

export type RpcServer = {
  /**
   * Binds and serves; port 0 takes a free one. Health says SERVING from here on.
   * @throws {AppError} `failed_precondition` when the address cannot be had.
   */
  listen(host: string, port: number): Promise<{ port: number }>
  /** Health says NOT_SERVING: callers that ask go elsewhere; calls are still answered. */
  leave(): void
  /** Takes no new calls, lets running ones end, then cuts what is left after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>
}

/**
 * One definition for each set of files: reflection reads the files of every definition that it is
 * given, and all messages of a contract name the same ones (a fifth of a second of a start).
 */
function filesOf(definitions: PackageDefinition): PackageDefinition {
  const bySet = new Map<unknown, [string, PackageDefinition[string]]>()
  for (const [name, definition] of Object.entries(definitions)) {
    const files = 'fileDescriptorProtos' in definition ? definition.fileDescriptorProtos : undefined
    if (files !== undefined && !bySet.has(files)) bySet.set(files, [name, definition])
  }
  return Object.fromEntries(bySet.values())
}

export function createRpcServer(deps: {
  services: readonly ServedService[]
  definitions: PackageDefinition
  /** Called when the server begins to close: streams that callers hold open are to end. */
  onClosing: () => void
  clock: Clock
  log: Log
}): RpcServer {
  const { services, onClosing, clock, log } = deps
  const server = new Server({
    'grpc.max_receive_message_length': GRPC_MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': GRPC_MESSAGE_BYTES_MAX,
    'grpc.enable_channelz': 0,
  })
  const sessions = holdSessions(server)
  if (sessions === undefined) {
    log.warn('gRPC connections cannot be reached: large batches are slower, calls cannot be cut')
  }
  for (const { definition, implementation } of services) {
    server.addService(definition, implementation)
  }
  const health = new HealthImplementation({ '': 'NOT_SERVING' })
  health.addToServer(server)
  new ReflectionService(filesOf(deps.definitions)).addToServer(server)

  const setHealth = (status: 'SERVING' | 'NOT_SERVING') => {
    for (const name of ['', ...services.map((service) => service.name)]) {
      health.setStatus(name, status)
    }
  }

  return {
    async listen(host, port) {
      const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
      const bound = await new Promise<number>((resolve, reject) => {
        server.bindAsync(address, ServerCredentials.createInsecure(), (error, actual) => {
          if (error === null) resolve(actual)
          else {
            reject(
              new AppError('failed_precondition', `cannot serve gRPC at ${address}`, {
                cause: error,
              }),
            )
          }
        })
      })
      setHealth('SERVING')
      return { port: bound }
    },
    leave: () => setHealth('NOT_SERVING'),
    async close(deadlineMs) {
      setHealth('NOT_SERVING')
      onClosing()
      // Can wait for ever on a stuck session (grpc-node issue 1458), so it races with a timer.
      await new Promise<void>((resolve) => {
        const cancel = clock.after(deadlineMs, () => {
          log.warn('calls cut at shutdown', { deadlineMs })
          server.forceShutdown()
          sessions?.cut()
          resolve()
        })
        server.tryShutdown((error) => {
          cancel()
          if (error !== undefined) server.forceShutdown()
          resolve()
        })
      })
    },
  }
}
