/** Requests whose headers alone refuse them: the answer, and what becomes of their bodies. */
import t, { type Test } from 'tap'
import { HTTP_REFUSAL_PAUSE_MS } from '../../gateway/http/head-refusal.ts'
import { HTTP_BODY_WINDOW_BYTES_MIN, HTTP_BODY_WINDOW_MS } from '../../gateway/http/http-context.ts'
import type { HeadJudge, HttpReply, HttpRequest } from '../../gateway/http/http-server.ts'
import { systemClock } from '../../src/core/clock.ts'
import { HTTP_SMALL_BODY_BYTES_MAX } from '../../src/core/limits/limits.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { HTTP_KINDS, handClock, startServer, until } from '../support/http/http-under-test.ts'
import { chunked, RawClient } from '../support/http/raw-http.ts'

const BODY = Buffer.alloc(300_000, 'a')
const UNKNOWN: HttpReply = { status: 401, body: '{"code":"invalid_api_key"}' }

const judged = (request: HttpRequest) =>
  request.header('authorization') === 'good' ? undefined : UNKNOWN

const JUDGES: Readonly<Record<string, HeadJudge>> = {
  'at once': judged,
  later: async (request) => {
    await new Promise(setImmediate)
    return judged(request)
  },
}

function head(length: number, more = ''): string {
  return `POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${more}\r\n`
}

for (const kind of HTTP_KINDS) {
  for (const [when, judgeHead] of Object.entries(JUDGES)) {
    t.test(`${kind}, judged ${when}`, async (t) => {
      t.test(
        'a refused request is answered before its body comes, and keeps nothing',
        async (t) => {
          const { port, calls, server } = await startServer(t, kind, { judgeHead })
          const client = await RawClient.connect(port)
          client.send(head(BODY.length))
          t.match(await client.next(), { status: 401 })
          t.same(server.inflight(), { requests: 0, bytes: 0 })
          client.send(BODY)
          client.send(head(BODY.length, 'Authorization: good\r\n'))
          client.send(BODY)
          t.match(await client.next(), { status: 200 }, 'the connection goes on behind the body')
          t.equal(calls.length, 1)
          client.socket.destroy()
        },
      )

      // uWebSockets.js cuts it by a clock of its own.
      const cut = async (t: Test) => {
        const timers = createFakeClock()
        const clock = { ...systemClock, after: timers.after }
        const { port } = await startServer(t, kind, { judgeHead, clock })
        const client = await RawClient.connect(port)
        client.send(head(BODY.length))
        t.match(await client.next(), { status: 401 })
        client.send('a')
        await until(() => timers.timers() > 0)
        await timers.advance(HTTP_BODY_WINDOW_MS)
        t.equal(await client.rest(), '')
      }
      if (kind === 'node') t.test('a body that comes too slowly behind its refusal is cut', cut)

      const readOn = async (t: Test) => {
        const clock = handClock()
        const { port } = await startServer(t, kind, { judgeHead, clock })
        const client = await RawClient.connect(port)
        const windows = () => [...clock.pending].filter(({ ms }) => ms === HTTP_BODY_WINDOW_MS)
        client.send(head(BODY.length))
        t.match(await client.next(), { status: 401 })
        await until(() => windows().length === 1)
        const [first] = windows()
        client.send(BODY.subarray(0, HTTP_BODY_WINDOW_BYTES_MIN))
        await until(() => first !== undefined && !clock.pending.has(first))
        t.equal(windows().length, 1, 'the next window has begun')
        client.send(BODY.subarray(HTTP_BODY_WINDOW_BYTES_MIN))
        await until(() => windows().length === 0)
        client.socket.destroy()
      }
      if (kind === 'node') t.test('a body that comes fast enough behind it is read on', readOn)

      t.test('a client that asks to close reads its refusal behind the body', async (t) => {
        const { port, calls, server } = await startServer(t, kind, { judgeHead })
        const client = await RawClient.connect(port)
        client.send(head(BODY.length, 'Connection: close\r\n'))
        client.send(BODY.subarray(1))
        await until(() => server.inflight().requests === 1)
        client.send(BODY.subarray(0, 1))
        t.match(await client.next(), { status: 401 })
        t.equal(await client.rest(), '')
        t.equal(calls.length, 0)
      })

      t.test('a client that asks to close and waits is answered without its body', async (t) => {
        const clock = handClock()
        const { port, server } = await startServer(t, kind, { judgeHead, clock })
        const client = await RawClient.connect(port)
        client.send(head(BODY.length, 'Connection: close\r\n'))
        const isPause = ({ ms }: { ms: number }) => ms === HTTP_REFUSAL_PAUSE_MS
        await until(() => [...clock.pending].some(isPause))
        client.send(BODY.subarray(0, 10))
        const [pause] = [...clock.pending].filter(isPause)
        await until(() => pause !== undefined && !clock.pending.has(pause))
        t.equal(server.inflight().requests, 1, 'who goes on sending is not answered yet')
        for (const timer of [...clock.pending].filter(isPause)) timer.run()
        t.match(await client.next(), { status: 401 })
        t.equal(await client.rest(), '')
      })

      t.test('a chunked request is refused before its body comes', async (t) => {
        const { port, calls, server } = await startServer(t, kind, { judgeHead })
        const client = await RawClient.connect(port)
        const coding = 'Transfer-Encoding: chunked\r\n'
        for (const bytes of [BODY, Buffer.from('short')]) {
          client.send(`POST /p HTTP/1.1\r\nHost: x\r\n${coding}\r\n`)
          t.match(await client.next(), { status: 401 })
          t.same(server.inflight(), { requests: 0, bytes: 0 })
          client.send(chunked(bytes, 65_536))
        }
        client.send(`POST /p HTTP/1.1\r\nHost: x\r\nAuthorization: good\r\n${coding}\r\n`)
        client.send(chunked(BODY, 65_536))
        t.match(await client.next(), { status: 200 }, 'the connection goes on behind the bodies')
        t.equal(calls.length, 1)
        client.socket.destroy()
      })

      t.test('a refused request that comes whole is answered and never handled', async (t) => {
        const { port, calls, finished } = await startServer(t, kind, { judgeHead })
        for (const bytes of [BODY, Buffer.alloc(5_000_000, 'a')]) {
          const client = await RawClient.connect(port)
          client.send(Buffer.concat([Buffer.from(head(bytes.length)), bytes]))
          t.match(await client.next(), { status: 401 })
          client.socket.destroy()
        }
        await until(() => finished.length === 2)
        t.same(finished, [401, 401])
        t.equal(calls.length, 0)
      })

      t.test(
        'a body that the headers do not refuse is read, and small bodies are not judged',
        async (t) => {
          const sizes: number[] = []
          const { port } = await startServer(t, kind, {
            judgeHead,
            handler: (_request, body) => {
              sizes.push(body.length)
              return { status: 200, body: 'ok' }
            },
          })
          const small = Buffer.alloc(HTTP_SMALL_BODY_BYTES_MAX, 'a')
          const client = await RawClient.connect(port)
          client.send(head(BODY.length, 'Authorization: good\r\n'))
          client.send(BODY)
          t.match(await client.next(), { status: 200 })
          client.send(head(small.length))
          client.send(small)
          t.match(await client.next(), { status: 200 })
          t.same(sizes, [BODY.length, small.length])
          client.socket.destroy()
        },
      )
    })
  }
}
