import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { status } from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import {
  GRPC_SWEEP_MS,
  GRPC_WINDOW_BYTES,
  STRANGER_BATCH_BYTES_MAX,
  STRANGER_FIRST_BYTE_MS,
  STRANGER_HELD_BYTES_MAX,
} from '../../../../src/core/limits/limits.ts'
import { MEMBER_MESSAGE_MS, STRANGER_MESSAGE_MS } from '../../../../src/rpc/server/open-call.ts'
import { OPEN_STREAMS_MAX, STRANGER_STREAMS_MAX } from '../../../../src/rpc/server/open-calls.ts'
import {
  ADDRESS_CONNECTIONS_MAX,
  CONNECTION_FIRST_FRAME_MS,
  CONNECTION_IDLE_MS,
  MEMBER_CONNECTION_STREAMS_MAX,
  STRANGER_CONNECTION_STREAMS_MAX,
  STRANGER_WINDOW_BYTES,
} from '../../../../src/rpc/server/server-sessions.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import {
  CAPTURE,
  CAPTURE_BATCH,
  HEALTH_WATCH,
  INGEST_BATCH,
  MEMBER,
  SERVICE,
  startDoorServer,
} from '../../../support/grpc/guarded-server.ts'
import {
  type Answer,
  framed,
  openCall,
  type RawCall,
  rawConnection,
  send,
} from '../../../support/grpc/raw-calls.ts'
import { until } from '../../../support/until.ts'

/** Resolves with an answer once a call of the same connection was answered after it was sent. */
async function answered(calls: readonly RawCall[]): Promise<(Answer | undefined)[]> {
  return Promise.all(calls.map(({ answer }) => Promise.race([answer, later()])))
}

async function later(): Promise<undefined> {
  await new Promise((resolve) => setImmediate(resolve))
  return undefined
}

/** Opens unfinished calls on as many connections as they need. */
function openMany(t: Test, port: number, path: string, count: number): RawCall[] {
  const calls: RawCall[] = []
  while (calls.length < count) {
    const session = rawConnection(t, port)
    for (let one = 0; one < STRANGER_CONNECTION_STREAMS_MAX && calls.length < count; one++) {
      calls.push(openCall(session, path, SERVICE))
    }
  }
  return calls
}

/** A whole small call, answered. */
async function ask(t: Test, port: number): Promise<number | undefined> {
  const call = openCall(rawConnection(t, port), CAPTURE, SERVICE)
  send(call, framed(new Uint8Array()))
  return (await call.answer).status
}

async function connectSilently(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  return socket
}

t.test('a request that does not begin, or does not end, is ended', async (t) => {
  const clock = createFakeClock()
  const { port, refused } = await startDoorServer(t, { clock })
  const session = rawConnection(t, port)
  const silent = openCall(session, CAPTURE, SERVICE)
  const slow = openCall(session, CAPTURE, SERVICE)
  slow.stream.write(framed(Buffer.alloc(10)).subarray(0, 8))
  const open = openCall(session, CAPTURE, SERVICE)
  open.stream.write(framed(new Uint8Array()))
  const member = openCall(rawConnection(t, port), INGEST_BATCH, MEMBER)
  member.stream.write(framed(Buffer.alloc(10)).subarray(0, 8))
  t.equal(await ask(t, port), status.OK)
  await clock.advance(STRANGER_FIRST_BYTE_MS + GRPC_SWEEP_MS)
  t.equal((await silent.answer).status, status.DEADLINE_EXCEEDED)
  t.same(await answered([slow, open, member]), [undefined, undefined, undefined])
  await clock.advance(STRANGER_MESSAGE_MS)
  t.equal((await slow.answer).status, status.DEADLINE_EXCEEDED)
  t.equal((await open.answer).status, status.DEADLINE_EXCEEDED, 'all came but the end')
  t.same(await answered([member]), [undefined])
  await clock.advance(MEMBER_MESSAGE_MS)
  t.equal((await member.answer).status, status.DEADLINE_EXCEEDED)
  t.same(refused, ['time', 'time', 'time', 'time'])
})

t.test('unfinished requests hold no more than their bound, and others get through', async (t) => {
  const { port } = await startDoorServer(t)
  const part = framed(Buffer.alloc(STRANGER_BATCH_BYTES_MAX - 10)).subarray(0, -1)
  const fits = Math.floor(STRANGER_HELD_BYTES_MAX / part.length)
  const calls = openMany(t, port, CAPTURE_BATCH, fits + 4)
  let ended = 0
  for (const { stream, answer } of calls) {
    stream.write(part)
    void answer.then(({ status: code }) => {
      if (code === status.RESOURCE_EXHAUSTED) ended++
    })
  }
  await until('those that hold too much are ended', () => ended >= 4)
  t.equal(await ask(t, port), status.OK)
  t.equal(ended, 4)
})

t.test('the oldest of too many unfinished requests is ended, the newest served', async (t) => {
  const { port } = await startDoorServer(t)
  const calls = openMany(t, port, CAPTURE, STRANGER_STREAMS_MAX)
  await until('all are open', async () => (await ask(t, port)) === status.OK)
  const [first] = calls
  t.equal((await first?.answer)?.status, status.RESOURCE_EXHAUSTED)
  const last = calls.at(-1)
  if (last === undefined) throw new Error('no call was opened')
  send(last, framed(new Uint8Array()))
  t.equal((await last.answer).status, status.OK)
})

t.test('streams of health are bounded by themselves', async (t) => {
  const { port } = await startDoorServer(t)
  const calls = openMany(t, port, HEALTH_WATCH, OPEN_STREAMS_MAX + 1)
  for (const call of calls) send(call, framed(new Uint8Array()))
  const [first] = calls
  await first?.answer
  t.equal(await ask(t, port), status.OK)
  t.same(await answered(calls.slice(-1)), [undefined])
})

t.test('a connection of a stranger is narrow, that of a member is wide', async (t) => {
  const { port } = await startDoorServer(t)
  const session = rawConnection(t, port)
  await once(session, 'remoteSettings')
  t.match(session.remoteSettings, {
    initialWindowSize: STRANGER_WINDOW_BYTES,
    maxConcurrentStreams: STRANGER_CONNECTION_STREAMS_MAX,
  })
  const widened = once(session, 'remoteSettings')
  const call = openCall(session, INGEST_BATCH, MEMBER)
  send(call, framed(new Uint8Array()))
  t.equal((await call.answer).status, status.OK)
  await widened
  t.match(session.remoteSettings, {
    initialWindowSize: GRPC_WINDOW_BYTES,
    maxConcurrentStreams: MEMBER_CONNECTION_STREAMS_MAX,
  })
})

t.test('connections that say nothing, or are idle for long, are closed', async (t) => {
  const clock = createFakeClock()
  const { port } = await startDoorServer(t, { clock })
  const silent = await connectSilently(t, port)
  const idle = rawConnection(t, port)
  const member = rawConnection(t, port)
  for (const [session, headers, path] of [
    [idle, SERVICE, CAPTURE],
    [member, MEMBER, INGEST_BATCH],
  ] as const) {
    const call = openCall(session, path, headers)
    send(call, framed(new Uint8Array()))
    t.equal((await call.answer).status, status.OK)
  }
  const gone = once(silent, 'close')
  await clock.advance(CONNECTION_FIRST_FRAME_MS + GRPC_SWEEP_MS)
  await gone
  t.equal(idle.closed, false)
  const closed = once(idle, 'close')
  await clock.advance(CONNECTION_IDLE_MS)
  await closed
  t.equal(member.closed, false)
})

t.test('the oldest of too many connections from one address makes room', async (t) => {
  // Its time does not pass: that of silent connections would close the first as well.
  const { port } = await startDoorServer(t, { clock: createFakeClock() })
  const member = rawConnection(t, port)
  const call = openCall(member, INGEST_BATCH, MEMBER)
  send(call, framed(new Uint8Array()))
  await call.answer
  const first = await connectSilently(t, port)
  const gone = once(first, 'close')
  for (let count = 1; count < ADDRESS_CONNECTIONS_MAX; count++) await connectSilently(t, port)
  t.equal(first.closed, false)
  t.equal(await ask(t, port), status.OK)
  await gone
  t.equal(member.closed, false, 'a member is not counted')
})
