/** A gRPC server whose calls are of two kinds: of services, with a key, and of members. */
import type { Test } from 'tap'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import type { TlsMaterial } from '../../../src/core/config/tls-files.ts'
import { silentLog } from '../../../src/core/log.ts'
import type { Guard } from '../../../src/rpc/server/call-guard.ts'
import type { RefusedFor } from '../../../src/rpc/server/refused.ts'
import { served } from '../../../src/rpc/server/served.ts'
import { createRpcServer } from '../../../src/rpc/server/server.ts'
import type { Handler } from '../../../src/wire/call.ts'
import { fileDescriptors } from '../../../src/wire/proto/file-descriptors.ts'

export const CAPTURE = '/sluice.v1.IngestService/Capture'
export const CAPTURE_BATCH = '/sluice.v1.IngestService/CaptureBatch'
export const INGEST_BATCH = '/sluice.v1.IngestService/IngestBatch'
export const HEALTH_WATCH = '/grpc.health.v1.Health/Watch'
export const MEMBER = { authorization: 'Bearer token-of-members' }
export const SERVICE = { authorization: 'Bearer phc_service' }

export type DoorServer = {
  readonly port: number
  /** Requests that reached handlers. */
  readonly handled: object[]
  /** Reasons of the refused requests. */
  readonly refused: RefusedFor[]
}

export type DoorServerOptions = {
  readonly clock?: Clock
  /** Guard of service calls, in place of one that accepts `SERVICE`. */
  readonly guard?: Guard
  readonly tls?: TlsMaterial
  readonly reflects?: boolean
}

export async function startDoorServer(t: Test, more: DoorServerOptions = {}): Promise<DoorServer> {
  const { clock = systemClock, guard = serviceGuard, tls = {}, reflects = true } = more
  const handled: object[] = []
  const handler: Handler<object, object> = async (request) => {
    handled.push(request)
    return {}
  }
  const refused: RefusedFor[] = []
  const onRefused = (reason: RefusedFor) => void refused.push(reason)
  const deps = { clock, log: silentLog, onRefused }
  const methods = ['Capture', 'CaptureBatch', 'IngestBatch']
  const name = 'sluice.v1.IngestService'
  const handlers = new Map(methods.map((method) => [`/${name}/${method}`, handler] as const))
  const server = createRpcServer({
    ...deps,
    services: [served(name, methods, handlers, {}, deps)],
    files: fileDescriptors,
    reflects,
    tls,
    onClosing() {},
    callGuard: {
      isMember: (token) => MEMBER.authorization === `Bearer ${token}`,
      guards: new Map([
        [CAPTURE, guard],
        [CAPTURE_BATCH, guard],
        [INGEST_BATCH, memberGuard],
      ]),
    },
  })
  const { port } = await server.listen('127.0.0.1', 0)
  t.teardown(() => server.close(0))
  return { port, handled, refused }
}

const serviceGuard: Guard = (metadata) => {
  if (metadata.get('authorization') !== SERVICE.authorization) throw refusal()
}

const memberGuard: Guard = (metadata) => {
  if (metadata.get('authorization') !== MEMBER.authorization) throw refusal()
}

function refusal(): AppError {
  return new AppError('unauthenticated', 'not let in')
}
