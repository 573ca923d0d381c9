/** A gRPC server of the micro-batch stream. */
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
} from '@grpc/grpc-js'
import type { Test } from 'tap'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import type { WorkerLink } from '../../../gateway/workers/worker-link.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'
import { createMicroBatches } from '../../../src/rpc/hot/micro-batch-handler.ts'
import { createMemberAuth } from '../../../src/rpc/server/member-auth.ts'
import {
  exchangeService,
  served,
  streamedOf,
  streamedReadsOf,
} from '../../../src/rpc/server/served.ts'
import { createRpcServer, type RpcServer } from '../../../src/rpc/server/server.ts'
import type { Handler } from '../../../src/wire/call.ts'
import { fileDescriptors } from '../../../src/wire/proto/file-descriptors.ts'
import { STREAMED_METHODS, STREAMED_READS } from '../../../src/wire/proto/micro-batch-frames.ts'

const KEYS = '/sluice.v1.DirectoryService/ResolveKeys'

/** A server with the stream of micro-batches, whose every call goes to one handler. */
export async function startMicroBatchWorker(
  t: Test,
  handler: Handler<object, object>,
  options: { token?: () => string; hasStream?: boolean; hasReads?: boolean } = {},
): Promise<{ server: RpcServer; port: number; link: () => WorkerLink; streams: () => number }> {
  const { token = () => 'right', hasStream = true, hasReads = true } = options
  const paths = [...STREAMED_METHODS.keys(), ...STREAMED_READS]
  const handlers = new Map(paths.map((path) => [path, handler] as const))
  const deps = { clock: systemClock, log: silentLog }
  const memberAuth = createMemberAuth((given) => given === token())
  const microBatches = createMicroBatches({
    ...deps,
    memberAuth,
    methods: streamedOf(handlers),
    reads: hasReads ? streamedReadsOf(handlers) : new Map(),
  })
  let streams = 0
  const serve = (call: Parameters<typeof microBatches.serve>[0]) => {
    streams += 1
    microBatches.serve(call)
  }
  const unary = [
    served('sluice.v1.DirectoryService', ['ResolveKeys'], handlers, {}, deps),
    served('sluice.v1.ProjectService', ['GetProject'], handlers, {}, deps),
  ]
  const server = createRpcServer({
    ...deps,
    services: hasStream ? [...unary, exchangeService(serve)] : unary,
    files: fileDescriptors,
    reflects: true,
    onClosing: microBatches.goAway,
    callGuard: { isMember: (given) => given === token(), guards: new Map() },
  })
  const { port } = await server.listen('127.0.0.1', 0)
  t.teardown(() => server.close(0))
  return {
    server,
    port,
    streams: () => streams,
    link() {
      const memberToken = () => 'right'
      const link = createGrpcWorkerLink(`127.0.0.1:${port}`, systemClock, { memberToken })
      t.teardown(() => link.close())
      return link
    },
  }
}

/** Reads a project with the given key. */
export function readProject(link: WorkerLink, id: string, key: string): Promise<object> {
  const metadata = { authorization: `Bearer ${key}` }
  return link.call('/sluice.v1.ProjectService/GetProject', { id }, { metadata, timeoutMs: 20_000 })
}

/** A call with one token in its question. */
export function ask(
  link: WorkerLink,
  token: string,
  more: { timeoutMs?: number; key?: string } = {},
): Promise<object> {
  const { timeoutMs = 20_000, key = 'right' } = more
  const metadata = { authorization: `Bearer ${key}` }
  const questions = [{ token, project_id: 0 }]
  return link.microBatch(KEYS, { questions }, { metadata, timeoutMs })
}

/** Serves one raw stream, for frames that no worker sends. */
export async function startRawStream(
  t: Test,
  serve: (call: Parameters<Parameters<typeof exchangeService>[0]>[0]) => void,
): Promise<{ server: Server; link: WorkerLink }> {
  const server = new Server()
  t.teardown(() => server.forceShutdown())
  const { definition, implementation } = exchangeService(serve)
  server.addService(definition, implementation)
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound)
      else reject(error)
    })
  })
  const link = createGrpcWorkerLink(`127.0.0.1:${port}`, systemClock)
  t.teardown(() => link.close())
  return { server, link }
}

/** The stream itself, for frames that no gateway sends. */
export function startExchange(
  t: Test,
  port: number,
  key: string,
): ClientDuplexStream<Buffer, Buffer> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  t.teardown(() => client.close())
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${key}`)
  const same = (bytes: Buffer) => bytes
  return client.makeBidiStreamRequest('/sluice.v1.MicroBatchService/Exchange', same, same, metadata)
}
