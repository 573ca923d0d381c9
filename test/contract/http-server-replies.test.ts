/** The HTTP port over raw sockets: large replies, streams, replies without a body. */
import t from 'tap'
import { HTTP_KINDS, handClock, startServer, turn, until } from '../support/http/http-under-test.ts'
import { get, post, RawClient } from '../support/http/raw-http.ts'

for (const kind of HTTP_KINDS) {
  t.test(kind, async (t) => {
    t.test('a client that takes nothing of a large reply is cut', async (t) => {
      const clock = handClock()
      const { port, finished } = await startServer(t, kind, {
        clock,
        bounds: { replyStallMs: 8_888 },
        handler: () => ({ status: 200, body: Buffer.alloc(32_000_000) }),
      })
      const client = await RawClient.connect(port)
      client.socket.pause()
      client.send(get)
      await until(() => [...clock.pending].some(({ ms }) => ms === 8_888))
      clock.fire()
      await until(() => finished.length === 1)
      t.same(finished, [0])
      client.socket.resume()
      t.ok((await client.rest()).length < 32_000_000)
    })

    t.test('a stream is pulled only as fast as its client reads', async (t) => {
      const total = 64_000_000
      let produced = 0
      const { port, finished } = await startServer(t, kind, {
        handler: () => ({ status: 200, body: counted(total, (bytes) => (produced += bytes)) }),
      })
      const client = await RawClient.connect(port)
      client.socket.pause()
      client.send(get)
      await settled(() => produced)
      t.ok(produced > 0 && produced < total / 2, `${produced} bytes were produced for nobody`)
      client.socket.resume()
      const response = await client.next()
      t.equal(response?.body.length, total)
      t.equal(response?.headers.get('transfer-encoding'), 'chunked')
      t.same(finished, [200])
      client.send(get)
      t.equal((await client.next())?.status, 200, 'the connection goes on')
      client.socket.destroy()
    })

    t.test('a stream ends when its client leaves', async (t) => {
      let closed = false
      const body = async function* () {
        try {
          for (;;) yield Buffer.alloc(100_000)
        } finally {
          closed = true
        }
      }
      const { port, finished, server } = await startServer(t, kind, {
        handler: () => ({ status: 200, body: body() }),
      })
      const client = await RawClient.connect(port)
      client.send(get)
      await new Promise((resolve) => client.socket.once('data', resolve))
      client.socket.destroy()
      await until(() => closed)
      await until(() => server.inflight().requests === 0)
      t.same(finished, [0])
    })

    t.test('a stream that fails in its middle does not look whole', async (t) => {
      const { port, errors } = await startServer(t, kind, {
        handler: () => ({ status: 200, body: failing(3) }),
      })
      const client = await RawClient.connect(port)
      client.send(get)
      const text = await client.rest()
      // Data still in the server when the connection was cut is lost with it.
      t.match(text, /^$|^HTTP\/1\.1 200 /)
      t.notOk(text.endsWith('0\r\n\r\n'))
      t.same(errors, ['reply stream failed'])
    })

    t.test('a large reply arrives whole, with its length', async (t) => {
      const body = Buffer.alloc(9_000_001, 'sluice')
      const { port } = await startServer(t, kind, {
        handler: (request) => ({
          status: 200,
          body: request.path === '/a' ? body : 'é'.repeat(100_000),
        }),
      })
      const client = await RawClient.connect(port)
      client.socket.pause()
      client.send(get)
      setImmediate(() => client.socket.resume())
      const response = await client.next()
      t.equal(response?.headers.get('content-length'), String(body.length))
      t.ok(response?.body.equals(body))
      client.send(post(''))
      t.equal((await client.next())?.body.toString(), 'é'.repeat(100_000))
      client.socket.destroy()
    })

    t.test('HEAD, 204 and 304 have no body, and the connection continues', async (t) => {
      const { port } = await startServer(t, kind, {
        handler: (request) => ({
          status: Number(request.query) || 200,
          headers: [['ETag', '"1"']],
          body: 'twelve bytes',
        }),
      })
      const client = await RawClient.connect(port)
      client.send('HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n')
      const head = await client.next({ head: true })
      t.equal(head?.headers.get('content-length'), '12')
      for (const status of [204, 304]) {
        client.send(`GET /a?${status} HTTP/1.1\r\nHost: x\r\n\r\n`)
        const response = await client.next()
        t.equal(response?.status, status)
        t.equal(response?.headers.get('etag'), '"1"')
        t.notOk(response?.headers.has('content-length'))
      }
      client.send(get)
      t.equal((await client.next())?.body.toString(), 'twelve bytes')
      client.socket.destroy()
    })
  })
}

async function* counted(total: number, produced: (bytes: number) => void) {
  for (let at = 0; at < total; at += 200_000) {
    const chunk = Buffer.alloc(Math.min(200_000, total - at), 97)
    produced(chunk.length)
    yield chunk
  }
}

async function* failing(after: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < after; at++) yield Buffer.from('some bytes')
  throw new Error('boom')
}

/** Waits until `read` has not changed for many turns of the event loop. */
async function settled(read: () => number): Promise<void> {
  let last = read()
  for (let still = 0; still < 100; still++) {
    await turn()
    if (read() !== last) still = 0
    last = read()
  }
}
