/** The HTTP port over raw sockets: clients that leave, handlers that fail. */
import t from 'tap'
import { HTTP_KINDS, startServer, until } from '../support/http/http-under-test.ts'
import { ask, chunked, get, post, RawClient } from '../support/http/raw-http.ts'

const never = () => new Promise<never>(() => {})

for (const kind of HTTP_KINDS) {
  t.test(kind, async (t) => {
    t.test('a client may leave at any byte of its request', async (t) => {
      const body = '{"event":"x"}'
      const requests = [
        get,
        post(body, 'User-Agent: x\r\n'),
        `POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(Buffer.from(body), 5)}`,
      ]
      const bodies: string[] = []
      const { port, calls, finished, server } = await startServer(t, kind, {
        handler: async (request, bytes) => {
          bodies.push(String(bytes))
          await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
          return { status: 200, body: 'nobody reads this' }
        },
      })
      for (const request of requests) {
        for (let offset = 0; offset <= request.length; offset++) {
          for (const leave of ['destroy', 'resetAndDestroy'] as const) {
            const before = calls.length
            const client = await RawClient.connect(port)
            client.send(request.slice(0, offset))
            if (offset === request.length) await until(() => calls.length > before)
            client.socket[leave]()
            if (offset === request.length) await until(() => calls.at(-1)?.aborted === true)
          }
        }
      }
      await until(() => server.inflight().requests === 0)
      // uWebSockets.js does not wait for the line feed that ends the last, empty chunk.
      const whole = calls.length - 2 * requests.length
      t.ok(whole === 0 || (kind === 'uws' && whole === 2), `${calls.length} requests were whole`)
      t.ok(bodies.every((text, at) => text === (calls[at]?.method === 'GET' ? '' : body)))
      t.ok(calls.every((call) => call.aborted && call.signal.aborted))
      t.ok(finished.every((status) => status === 0))
      t.equal(server.inflight().bytes, 0)
    })

    t.test('a handler that never settles holds nobody up', async (t) => {
      const { port, calls, server } = await startServer(t, kind, {
        handler: (request) => (request.path === '/p' ? never() : { status: 200, body: 'ok' }),
      })
      const client = await RawClient.connect(port)
      client.send(post('body'))
      await until(() => calls.length === 1)
      client.socket.destroy()
      await until(() => calls[0]?.aborted === true)
      t.equal((await ask(port, get))?.status, 200)
      t.same(server.inflight(), { requests: 1, bytes: 4 }, 'its memory is still held')
      await server.close(10)
    })

    t.test('a failing handler is a 500 and the next request is served', async (t) => {
      const endings: Record<string, () => unknown> = {
        '/throw': () => {
          throw new Error('boom')
        },
        '/reject': () => Promise.reject(new Error('boom')),
        '/split': () => ({ status: 200, headers: [['X-A', 'a\r\nX-B: b']], body: '' }),
        '/name': () => ({ status: 200, headers: [['X A', 'a']], body: '' }),
        '/status': () => ({ status: 99, body: '' }),
        '/stream': () => ({ status: 200, body: failing(0) }),
      }
      const { port, errors } = await startServer(t, kind, {
        handler: async (request) => endings[request.path]?.() as never,
      })
      const client = await RawClient.connect(port)
      for (const path of Object.keys(endings)) {
        client.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
        const response = await client.next()
        t.equal(response?.status, 500, path)
        t.equal(response?.body.toString(), '{"code":"internal"}')
        t.notOk(response?.headers.has('x-b'))
      }
      t.equal(errors.length, Object.keys(endings).length, 'each failure is logged once')
      client.socket.destroy()
    })

    t.test('a refusal that fails is a bare 500', async (t) => {
      const { port } = await startServer(t, kind, {
        handler: never,
        bounds: { inflightRequestsMax: 0 },
        refuse: () => {
          throw new Error('boom')
        },
      })
      t.equal((await ask(port, get))?.status, 500)
    })
  })
}

async function* failing(after: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < after; at++) yield Buffer.from('some bytes')
  throw new Error('boom')
}
