import { createServer } from 'node:net'
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { createGrpcWorkerLink } from '../../../../gateway/workers/grpc-worker-link.ts'
import type { WorkerLink } from '../../../../gateway/workers/worker-link.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { AppError } from '../../../../src/core/code.ts'
import { PAGE_CHARS_INLINE_MAX } from '../../../../src/core/limits/limits.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { served } from '../../../../src/rpc/server/served.ts'
import { NoAnswerError } from '../../../../src/wire/no-answer.ts'
import {
  ERROR_DETAILS_METADATA,
  encodeErrorDetails,
} from '../../../../src/wire/proto/error-details.ts'
import { PIECES_METADATA } from '../../../../src/wire/proto/page-pieces.ts'
import { serviceDefinition } from '../../../../src/wire/proto/proto.ts'
import { freePort } from '../../../support/servers/free-port.ts'

const SERVICE = 'sluice.v1.AccessService'
const DECIDE = '/sluice.v1.DecideService/DecideBatch'
const METHOD = `/${SERVICE}/CheckAccess`

function linkTo(t: Test, port: number): WorkerLink {
  const link = createGrpcWorkerLink(`127.0.0.1:${port}`, systemClock)
  t.teardown(() => link.close())
  return link
}

/** How a call to `port` fails. */
async function failureOf(
  t: Test,
  port: number,
  options: { timeoutMs?: number; signal?: AbortSignal; link?: WorkerLink } = {},
): Promise<AppError> {
  const { link = linkTo(t, port), ...more } = options
  try {
    await link.call(METHOD, {}, { metadata: {}, timeoutMs: 20_000, ...more })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the call was answered')
}

/** A worker that does with CheckAccess what the test says. */
async function startWorker(
  t: Test,
  answer: (server: Server, reply: sendUnaryData<object>) => void,
): Promise<number> {
  const server = new Server()
  t.teardown(() => server.forceShutdown())
  const handlers: UntypedServiceImplementation = {
    CheckAccess: (_call: object, reply: sendUnaryData<object>) => answer(server, reply),
  }
  server.addService(serviceDefinition(SERVICE), handlers)
  return await bound(server)
}

t.test('a call to a port that refuses was never sent', async (t) => {
  const error = await failureOf(t, await freePort())
  t.ok(error instanceof NoAnswerError)
  t.match(error, { code: 'unavailable', sent: false })
})

t.test('nor was one whose connection ended before it was ready', async (t) => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const error = await failureOf(t, port)
  t.ok(error instanceof NoAnswerError)
  t.match(error, { code: 'unavailable', sent: false })
})

t.test('a worker that dies in mid-call may have done what it was told', async (t) => {
  const port = await startWorker(t, (server) => server.forceShutdown())
  const error = await failureOf(t, port)
  t.ok(error instanceof NoAnswerError)
  t.match(error, { code: 'unavailable', sent: true })
})

t.test('so may one that is too slow, or that nobody waits for', async (t) => {
  const left = new AbortController()
  const replies: ((reply: sendUnaryData<object>) => void)[] = [
    (reply) => reply(null, {}),
    () => {}, // Never.
    () => left.abort(),
  ]
  const port = await startWorker(t, (_server, reply) => replies.shift()?.(reply))
  const link = linkTo(t, port)
  // It is connected then, which a busy machine may need all of the short time for.
  await link.call(METHOD, {}, { metadata: {}, timeoutMs: 20_000 })
  const slow = await failureOf(t, port, { link, timeoutMs: 200 })
  t.match(slow, { code: 'deadline_exceeded', sent: true })
  const { signal } = left
  t.match(await failureOf(t, port, { link, signal }), { code: 'cancelled', sent: true })
})

t.test("a worker's own error is an answer, however it is worded", async (t) => {
  const detail = { type: 'server_error', code: 'server_error', detail: 'x', attr: null }
  const port = await startWorker(t, (_server, reply) => {
    const metadata = new Metadata()
    const bytes = encodeErrorDetails({ code: 'unavailable', detail }, status.UNAVAILABLE)
    metadata.set(ERROR_DETAILS_METADATA, bytes)
    const details = 'No connection established. Last error: of the worker'
    reply({ code: status.UNAVAILABLE, details, metadata })
  })
  const error = await failureOf(t, port)
  t.notOk(error instanceof NoAnswerError)
  t.match(error, { code: 'unavailable', detail })
})

t.test('a worker that does not say more may have done it', async (t) => {
  const port = await startWorker(t, (_server, reply) => {
    reply({ code: status.UNAVAILABLE, details: 'no details' })
  })
  t.match(await failureOf(t, port), { code: 'unavailable', sent: true })
})

t.test('frequent calls do not share a connection with the others', async (t) => {
  const peers = { frequent: new Set<string>(), others: new Set<string>() }
  const server = new Server()
  t.teardown(() => server.forceShutdown())
  server.addService(serviceDefinition(SERVICE), {
    CheckAccess: (call: ServerUnaryCall<object, object>, reply: sendUnaryData<object>) => {
      peers.others.add(call.getPeer())
      reply(null, {})
    },
  })
  server.addService(serviceDefinition('sluice.v1.MicroBatchService'), {
    Exchange: (call: ServerDuplexStream<Buffer, Buffer>) => {
      peers.frequent.add(call.getPeer())
      call.emit('error', { code: status.UNAVAILABLE, details: 'no answers here' })
    },
  })
  const port = await bound(server)
  const link = createGrpcWorkerLink(`127.0.0.1:${port}`, systemClock)
  t.teardown(() => link.close())
  const options = { metadata: {}, timeoutMs: 20_000 }
  for (let call = 0; call < 2; call++) {
    await link.call(METHOD, {}, options)
    await t.rejects(link.microBatch(DECIDE, {}, options), { code: 'unavailable' })
  }
  t.equal(peers.others.size, 1)
  t.equal(peers.frequent.size, 1)
  t.not([...peers.others][0], [...peers.frequent][0])
})

const LISTING = 'sluice.v1.EventService'
const LIST = `/${LISTING}/ListEvents`

t.test('a page of many MB comes in pieces to a gateway, whole to others', async (t) => {
  const properties = JSON.stringify({ text: 'x'.repeat(PAGE_CHARS_INLINE_MAX) })
  const page = { count: 8, results: Array.from({ length: 8 }, (_, id) => ({ id, properties })) }
  const handlers = new Map([[LIST, async () => page]])
  const deps = { clock: systemClock, log: silentLog }
  const { definition, implementation } = served(LISTING, ['ListEvents'], handlers, {}, deps)
  const server = new Server()
  t.teardown(() => server.forceShutdown())
  server.addService(definition, implementation)
  const address = `127.0.0.1:${await bound(server)}`
  const link = createGrpcWorkerLink(address, systemClock)
  t.teardown(() => link.close())
  const client = new Client(address, credentials.createInsecure())
  t.teardown(() => client.close())

  const options = { metadata: {}, timeoutMs: 20_000 }
  const { count, results } = Object(await link.call(LIST, {}, options))
  t.equal(count, 8)
  t.strictSame(
    Object(results).map((row: { id: string; properties: string }) => [row.id, row.properties]),
    page.results.map(({ id }) => [String(id), properties]),
  )
  t.equal(await messagesOf(client, { [PIECES_METADATA]: 'joined' }), 8)
  t.equal(await messagesOf(client, {}), 1)
})

/** How many messages answer a list. */
async function messagesOf(client: Client, values: Record<string, string>): Promise<number> {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(values)) metadata.set(name, value)
  const asBytes = (bytes: Buffer) => bytes
  let messages = 0
  const call = client.makeServerStreamRequest(LIST, asBytes, asBytes, Buffer.alloc(0), metadata)
  for await (const _ of call) messages += 1
  return messages
}

t.test('a list that fails does so whatever had come of it', async (t) => {
  const server = new Server()
  t.teardown(() => server.forceShutdown())
  const { ListEvents } = serviceDefinition(LISTING)
  if (ListEvents === undefined) throw new Error('no lists of events')
  server.addService(
    { ListEvents: { ...ListEvents, responseStream: true } },
    {
      ListEvents: (call: ServerWritableStream<object, object>) => {
        call.write({ count: 1, results: [{}] })
        call.emit('error', { code: status.UNAVAILABLE, details: 'half a page' })
      },
    },
  )
  const link = createGrpcWorkerLink(`127.0.0.1:${await bound(server)}`, systemClock)
  t.teardown(() => link.close())
  await t.rejects(link.call(LIST, {}, { metadata: {}, timeoutMs: 20_000 }), { code: 'unavailable' })
})

function bound(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port)
      else reject(error)
    })
  })
}
