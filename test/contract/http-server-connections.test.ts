/** The HTTP port over raw sockets: what connections go through, from listen to close. */
import t from 'tap'
import { createHttpServer } from '../../gateway/http/create-http-server.ts'
import type { HttpReply } from '../../gateway/http/http-server.ts'
import { systemClock } from '../../src/core/clock.ts'
import { HTTP_TURN_REQUESTS_MAX } from '../../src/core/limits/limits.ts'
import { silentLog } from '../../src/core/log.ts'
import { HTTP_KINDS, startServer, until } from '../support/http/http-under-test.ts'
import { ask, get, post, RawClient } from '../support/http/raw-http.ts'

const never = () => new Promise<never>(() => {})

for (const kind of HTTP_KINDS) {
  t.test(kind, async (t) => {
    t.test('a request stays readable after an await', async (t) => {
      const { port } = await startServer(t, kind, {
        handler: async (request, body) => {
          await new Promise((resolve) => setImmediate(resolve))
          const { method, path, query, remoteAddress, aborted, signal } = request
          const headers = [request.header('x-a'), request.header('x-b') ?? null]
          const seen = { method, path, query, remoteAddress, headers, text: String(body) }
          return { status: 200, body: JSON.stringify({ ...seen, left: aborted || signal.aborted }) }
        },
      })
      const request = `PATCH /a%20b/?q=1&r=%20? HTTP/1.1\r\nHost: x\r\nX-A: aé1\r\nx-a: 2\r\nContent-Length: 4\r\n\r\nbody`
      const client = await RawClient.connect(port)
      client.send(Buffer.from(request))
      t.same(JSON.parse(String((await client.next())?.body)), {
        method: 'PATCH',
        path: '/a%20b/',
        query: 'q=1&r=%20?',
        remoteAddress: '127.0.0.1',
        headers: ['aé1', null],
        text: 'body',
        left: false,
      })
      client.socket.destroy()
    })

    t.test('a client that asks before it sends is told to go on, or not to', async (t) => {
      const { port, calls } = await startServer(t, kind, { bounds: { bodyBytesMax: 10 } })
      const client = await RawClient.connect(port)
      client.send(post('0123456789', 'Expect: 100-continue\r\n').slice(0, -10))
      t.equal((await client.next())?.status, 100)
      client.send('0123456789')
      t.equal((await client.next())?.status, 200)
      client.send(post('01234567890', 'Expect: 100-continue\r\n').slice(0, -11))
      const answer = await client.next()
      // uWebSockets.js says yes by itself, and then the body is read to be refused.
      if (answer?.status === 100) client.send('01234567890')
      t.equal(answer?.status === 100 ? (await client.next())?.status : answer?.status, 413)
      t.equal(calls.length, 1)
      client.socket.destroy()
    })

    const gone: HttpReply = { status: 404, body: 'x' }
    const answers = {
      'answered at once': () => gone,
      'answered by a kept promise': () => Promise.resolve(gone),
      'failed by a broken promise': () => Promise.reject(new Error('for the test')),
    }
    t.test('a segment of thousands of requests ends its connection, others go on', async (t) => {
      for (const [name, handler] of Object.entries(answers)) {
        const { port, calls } = await startServer(t, kind, { handler })
        const [flood, other] = await Promise.all([RawClient.connect(port), RawClient.connect(port)])
        const closed = new Promise((resolve) => flood.socket.once('close', resolve))
        flood.send(get.repeat(5_000))
        await closed
        t.ok(calls.length < 1_000, `${name}: ${calls.length} were handled`)
        other.send(get)
        t.match((await other.next())?.status, /404|500/)
        other.socket.destroy()
      }
    })

    t.test('requests that are refused one after the other keep their connection', async (t) => {
      const { port } = await startServer(t, kind, { bounds: { inflightRequestsMax: 0 } })
      const client = await RawClient.connect(port)
      for (let asked = 0; asked < 2 * HTTP_TURN_REQUESTS_MAX; asked++) {
        client.send(get)
        t.equal((await client.next())?.status, 503)
      }
      client.socket.destroy()
    })

    t.test('requests sent at once are answered in turn when answered at once', async (t) => {
      const { port } = await startServer(t, kind, {
        handler: (request, body) => ({ status: 200, body: request.path + String(body) }),
      })
      const client = await RawClient.connect(port)
      client.send(get + post('1') + get + post('2'))
      for (const expected of ['/a', '/p1', '/a', '/p2']) {
        t.equal((await client.next())?.body.toString(), expected)
      }
      client.socket.destroy()
    })

    t.test('requests sent at once never get the answers of others', async (t) => {
      const { port, calls, server } = await startServer(t, kind, {
        handler: async (request) => {
          await new Promise((resolve) => setImmediate(resolve))
          return { status: 200, body: request.path }
        },
      })
      const client = await RawClient.connect(port)
      client.send(`GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n`)
      const first = await client.next()
      if (kind === 'uws') {
        t.equal(first, undefined, 'the connection ends')
        t.equal(calls.length, 1)
        t.ok(calls[0]?.aborted)
      } else {
        t.equal(first?.body.toString(), '/1')
        t.equal((await client.next())?.body.toString(), '/2')
      }
      client.socket.destroy()
      await until(() => server.inflight().requests === 0)
    })

    t.test('a closing server takes nothing new and finishes what it has', async (t) => {
      let answer = () => {}
      const { port, server, calls } = await startServer(t, kind, {
        handler: async (request) => {
          if (request.path === '/p') await new Promise<void>((resolve) => (answer = resolve))
          return { status: 200, body: 'done' }
        },
      })
      const busy = await RawClient.connect(port)
      const idle = await RawClient.connect(port)
      idle.send(get)
      t.equal((await idle.next())?.headers.get('connection')?.toLowerCase() === 'close', false)
      busy.send(post('body'))
      await until(() => calls.length === 2)
      let closed = false
      const closing = server.close(30_000).then(() => (closed = true))
      await t.rejects(RawClient.connect(port), { code: 'ECONNREFUSED' })
      idle.send(get)
      const late = await idle.next()
      t.equal(late?.status, 200, 'a request that was on its way is served')
      t.equal(late?.headers.get('connection')?.toLowerCase(), 'close')
      t.notOk(closed)
      answer()
      const last = await busy.next()
      t.equal(last?.body.toString(), 'done')
      t.equal(last?.headers.get('connection')?.toLowerCase(), 'close')
      await closing
      t.equal(server.close(0), server.close(0), 'closing again is the same closing')
      busy.socket.destroy()
      idle.socket.destroy()
    })

    t.test('a deadline ends the wait, and the clients left are aborted', async (t) => {
      const { port, server, calls } = await startServer(t, kind, { handler: never })
      const client = await RawClient.connect(port)
      client.send(get)
      await until(() => calls.length === 1)
      await server.close(10)
      t.equal(await client.rest(), '')
      await until(() => calls[0]?.aborted === true)
    })

    t.test('a taken port is said to be taken', async (t) => {
      const first = await startServer(t, kind)
      const second = await startServer(t, kind)
      t.not(first.port, second.port)
      t.equal((await ask(first.port, get))?.status, 200)
      t.equal((await ask(second.port, get))?.status, 200)
      for (const other of HTTP_KINDS) {
        const reply = () => ({ status: 200, body: '' })
        const deps = { clock: systemClock, log: silentLog }
        const options = { handler: reply, refuse: reply, exclusivePort: true }
        const late = createHttpServer(deps, options, other)
        await t.rejects(late.listen('127.0.0.1', first.port), {
          code: 'failed_precondition',
          message: /cannot listen on 127\.0\.0\.1:\d+: EADDRINUSE/,
        })
        await late.close(0)
      }
    })
  })
}
