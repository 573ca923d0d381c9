import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import protobuf from 'protobufjs'
import t from 'tap'
import { STRANGER_BATCH_BYTES_MAX } from '../../../../src/core/limits/limits.ts'
import {
  BATCH_EVENTS_MAX,
  CALL_FIELDS_MAX,
  STRANGER_MESSAGE_BYTES_MAX,
} from '../../../../src/rpc/server/call-bounds.ts'
import { messageType } from '../../../../src/wire/proto/proto.ts'
import { toStruct } from '../../../../src/wire/proto/value.ts'
import {
  CAPTURE,
  CAPTURE_BATCH,
  INGEST_BATCH,
  MEMBER,
  SERVICE,
  startDoorServer,
} from '../../../support/grpc/guarded-server.ts'
import { framed, openCall, rawConnection, send } from '../../../support/grpc/raw-calls.ts'
import { createGate } from '../../../support/workers/gate.ts'

function encode(type: string, message: object): Uint8Array {
  const made = messageType(type)
  return made.encode(made.fromObject(message)).finish()
}

/** Empty elements of field 1: two bytes each. */
function emptyElements(count: number): Buffer {
  const bytes = Buffer.alloc(2 * count)
  for (let at = 0; at < bytes.length; at += 2) bytes[at] = 0x0a
  return bytes
}

/** A message of one unknown field of so many bytes. */
function padding(bytes: number): Uint8Array {
  return protobuf.Writer.create()
    .uint32((900 << 3) | 2)
    .bytes(Buffer.alloc(bytes))
    .finish()
}

t.test('a stranger is refused before its request is read', async (t) => {
  const { port, handled, refused: counted } = await startDoorServer(t)
  const session = rawConnection(t, port)
  // None of them sends a request: the answer does not wait for one.
  for (const path of [CAPTURE, CAPTURE_BATCH, INGEST_BATCH]) {
    const refused = await openCall(session, path).answer
    t.equal(refused.status, status.UNAUTHENTICATED, path)
  }
  const service = await openCall(session, INGEST_BATCH, SERVICE).answer
  t.equal(service.status, status.UNAUTHENTICATED)
  t.equal(handled.length, 0)
  t.same(counted, ['caller', 'caller', 'caller', 'caller'])
})

t.test('a compressed request is refused, and nothing is inflated', async (t) => {
  const { port, handled } = await startDoorServer(t)
  const session = rawConnection(t, port)
  const bomb = gzipSync(emptyElements(16_000_000))
  t.ok(bomb.length < 40_000)
  const cases = [
    [CAPTURE_BATCH, {}, status.UNAUTHENTICATED],
    [CAPTURE_BATCH, SERVICE, status.UNIMPLEMENTED],
    [INGEST_BATCH, MEMBER, status.UNIMPLEMENTED],
  ] as const
  for (const [path, headers, expected] of cases) {
    const call = openCall(session, path, { 'grpc-encoding': 'gzip', ...headers })
    send(call, framed(bomb, 1))
    t.equal((await call.answer).status, expected)
  }
  const unnamed = openCall(session, CAPTURE_BATCH, SERVICE)
  send(unnamed, framed(bomb, 1))
  t.equal((await unnamed.answer).status, status.INVALID_ARGUMENT, 'it is read as it came')
  const identity = openCall(session, CAPTURE_BATCH, { 'grpc-encoding': 'identity', ...SERVICE })
  send(identity, framed(new Uint8Array()))
  t.equal((await identity.answer).status, status.OK)
  t.equal(handled.length, 1)
})

t.test('a request waits unread while it is asked who speaks', async (t) => {
  const known = createGate()
  const asked = createGate()
  const { port, handled } = await startDoorServer(t, {
    async guard() {
      asked.open()
      await known.opened
    },
  })
  const session = rawConnection(t, port)
  const call = openCall(session, CAPTURE, SERVICE)
  send(call, framed(encode('sluice.v1.CaptureRequest', { event: 'x' })))
  await asked.opened
  // Data sent later on the same connection, and not asked about, overtakes it.
  const later = openCall(session, INGEST_BATCH, MEMBER)
  send(later, framed(new Uint8Array()))
  t.equal((await later.answer).status, status.OK)
  t.equal(handled.length, 1)
  t.notMatch(handled, [{ event: 'x' }])
  known.open()
  t.equal((await call.answer).status, status.OK)
  t.match(handled, [{}, { event: 'x' }])
})

t.test('a stranger may send 1 MiB, a batch 4 MiB, a member 32 MiB', async (t) => {
  const { port, handled } = await startDoorServer(t)
  const session = rawConnection(t, port)
  const cases = [
    [CAPTURE, SERVICE, STRANGER_MESSAGE_BYTES_MAX - 10, status.OK],
    [CAPTURE, SERVICE, STRANGER_MESSAGE_BYTES_MAX + 1, status.RESOURCE_EXHAUSTED],
    [CAPTURE_BATCH, SERVICE, STRANGER_BATCH_BYTES_MAX - 10, status.OK],
    [CAPTURE_BATCH, SERVICE, STRANGER_BATCH_BYTES_MAX + 1, status.RESOURCE_EXHAUSTED],
    [INGEST_BATCH, MEMBER, STRANGER_BATCH_BYTES_MAX + 1, status.OK],
    [CAPTURE, { ...SERVICE, 'x-sluice-member': 'token-of-members' }, 5_000_000, status.OK],
    [CAPTURE, { ...SERVICE, 'x-sluice-member': 'made up' }, 5_000_000, status.RESOURCE_EXHAUSTED],
  ] as const
  for (const [path, headers, bytes, expected] of cases) {
    const call = openCall(session, path, headers)
    send(call, framed(padding(bytes)))
    t.equal((await call.answer).status, expected, `${path} of ${bytes} bytes`)
  }
  t.equal(handled.length, 4)
})

t.test('a request that says it is too large is refused by its length alone', async (t) => {
  const { port, refused } = await startDoorServer(t)
  const call = openCall(rawConnection(t, port), CAPTURE, SERVICE)
  call.stream.write(framed(new Uint8Array(), 0, STRANGER_MESSAGE_BYTES_MAX + 1))
  t.equal((await call.answer).status, status.RESOURCE_EXHAUSTED)
  t.same(refused, ['size'])
})

t.test('a batch with too many elements is refused by its beginning', async (t) => {
  const { port, refused } = await startDoorServer(t)
  const batch = (elements: number, element: readonly number[]) => {
    const call = openCall(rawConnection(t, port), CAPTURE_BATCH, SERVICE)
    const begun = Buffer.alloc(elements * element.length, Buffer.from(element))
    call.stream.write(framed(begun, 0, STRANGER_BATCH_BYTES_MAX))
    return call
  }
  const kept = batch(BATCH_EVENTS_MAX, [0x0a, 0x00])
  for (const element of [
    [0x0a, 0x00],
    [0x0a, 0x02, 0x12, 0x00],
    [0x10, 0x80, 0x01],
  ]) {
    const { answer } = batch(BATCH_EVENTS_MAX + 1, element)
    t.equal((await answer).status, status.INVALID_ARGUMENT)
  }
  t.same(refused, ['elements', 'elements', 'elements'])
  t.notOk(kept.stream.closed, 'as many as may be')
  kept.stream.destroy()
})

t.test('elements are counted before they are decoded', async (t) => {
  const { port, handled, refused } = await startDoorServer(t)
  const session = rawConnection(t, port)
  const list = { l: { listValue: { values: Array.from({ length: CALL_FIELDS_MAX }, () => ({})) } } }
  const properties = { fields: list }
  const wrong: [string, Uint8Array][] = [
    [CAPTURE_BATCH, emptyElements(BATCH_EVENTS_MAX + 1)],
    [CAPTURE, encode('sluice.v1.CaptureRequest', { properties })],
    [CAPTURE, Uint8Array.of(0x0a, 9)],
  ]
  for (const [path, message] of wrong) {
    const call = openCall(session, path, SERVICE)
    send(call, framed(message))
    t.equal((await call.answer).status, status.INVALID_ARGUMENT)
  }
  t.equal(handled.length, 0)
  t.same(refused, ['elements', 'elements', 'form'])
  const events = Array.from({ length: BATCH_EVENTS_MAX }, () => ({
    event: 'x',
    properties: toStruct({ a: 1, b: [1, 'two'] }),
  }))
  const batch = openCall(session, CAPTURE_BATCH, SERVICE)
  send(batch, framed(encode('sluice.v1.CaptureBatchRequest', { batch: events })))
  t.equal((await batch.answer).status, status.OK)
})

t.test('a call takes one message', async (t) => {
  const { port, handled } = await startDoorServer(t)
  const call = openCall(rawConnection(t, port), CAPTURE, SERVICE)
  const message = framed(encode('sluice.v1.CaptureRequest', { event: 'x' }))
  send(call, Buffer.concat([message, message]))
  t.equal((await call.answer).status, status.UNIMPLEMENTED)
  t.equal(handled.length, 0)
})

t.test('further bytes of a call that has been answered are not waited for', async (t) => {
  const { port } = await startDoorServer(t)
  const session = rawConnection(t, port)
  const { stream, answer } = openCall(session, '/sluice.v1.Nobody/Knows', SERVICE)
  stream.write(Buffer.alloc(1_000))
  t.equal((await answer).status, status.UNIMPLEMENTED)
  const web = session.request({ ':path': '/', ':method': 'POST' }, { endStream: false })
  web.on('error', () => {})
  web.resume()
  await once(web, 'close')
  t.equal(session.closed, false)
})

t.test('reflection is not there where it is switched off', async (t) => {
  const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
  for (const reflects of [true, false]) {
    const { port } = await startDoorServer(t, { reflects })
    const call = openCall(rawConnection(t, port), path)
    // A request for the list of services.
    send(
      call,
      framed(
        protobuf.Writer.create()
          .uint32((7 << 3) | 2)
          .string('*')
          .finish(),
      ),
    )
    const { status: answered } = await call.answer
    t.equal(answered, reflects ? status.OK : status.UNIMPLEMENTED)
  }
})
