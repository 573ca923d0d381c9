/** The HTTP port over raw sockets: bodies and their bounds. */
import t from 'tap'
import { BODY_BYTES_MAX } from '../../src/core/limits/limits.ts'
import { HTTP_KINDS, handClock, startServer, until } from '../support/http/http-under-test.ts'
import { ask, chunked, get, post, RawClient } from '../support/http/raw-http.ts'

const never = () => new Promise<never>(() => {})

for (const kind of HTTP_KINDS) {
  t.test(kind, async (t) => {
    t.test('a chunked body one byte over the limit is a 413 that can be read', async (t) => {
      const { port, calls, server } = await startServer(t, kind)
      const body = Buffer.alloc(BODY_BYTES_MAX + 1, 97)
      const client = await RawClient.connect(port)
      client.send('POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      client.send(chunked(body, 65_536))
      const response = await client.next()
      t.equal(response?.status, 413)
      t.equal(response?.body.toString(), '{"code":"body_too_large"}')
      t.equal(response?.headers.get('connection')?.toLowerCase(), 'close')
      t.equal(await client.rest(), '', 'the connection ends')
      t.same(calls, [])
      t.same(server.inflight(), { requests: 0, bytes: 0 })
    })

    t.test('a length over the limit is refused before the body is sent', async (t) => {
      const { port, calls, server } = await startServer(t, kind)
      const body = Buffer.alloc(BODY_BYTES_MAX + 1, 97)
      const client = await RawClient.connect(port)
      for (let turn = 0; turn < 2; turn++) {
        client.send(`POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
        const response = await client.next()
        t.equal(response?.status, 413)
        t.equal(response?.body.toString(), '{"code":"body_too_large"}')
        t.same(server.inflight(), { requests: 0, bytes: 0 })
        client.send(body)
      }
      client.send(post('small'))
      t.match(await client.next(), { status: 200 }, 'the connection goes on behind the bodies')
      t.equal(calls.length, 1)
      client.socket.destroy()
    })

    t.test('a length that is not even thrown away ends the connection', async (t) => {
      const { port, calls } = await startServer(t, kind, {
        bounds: { bodyBytesMax: 10, discardBytesMax: 20 },
      })
      const client = await RawClient.connect(port)
      client.send('POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 21\r\n\r\n')
      t.match(await client.next(), { status: 413 })
      t.equal(await client.rest(), '')
      t.same(calls, [])
    })

    t.test('a body of exactly the limit is taken', async (t) => {
      const sums: number[] = []
      const { port, server } = await startServer(t, kind, {
        handler: (_request, body) => {
          sums.push(body.length, body[0] ?? 0, body[BODY_BYTES_MAX - 1] ?? 0)
          return { status: 200, body: '' }
        },
      })
      const body = Buffer.alloc(BODY_BYTES_MAX, 97)
      body[BODY_BYTES_MAX - 1] = 98
      const client = await RawClient.connect(port)
      client.send(`POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
      client.send(body)
      t.equal((await client.next())?.status, 200)
      client.send('POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      client.send(chunked(body, 100_000))
      t.equal((await client.next())?.status, 200)
      client.socket.destroy()
      t.same(sums, [BODY_BYTES_MAX, 97, 98, BODY_BYTES_MAX, 97, 98])
      t.same(server.inflight(), { requests: 0, bytes: 0 })
    })

    t.test('a refused body is not read for ever', async (t) => {
      const { port, calls } = await startServer(t, kind, {
        bounds: { bodyBytesMax: 10, discardBytesMax: 100_000 },
      })
      for (const framing of ['Content-Length: 900000000\r\n', 'Transfer-Encoding: chunked\r\n']) {
        const client = await RawClient.connect(port)
        client.send(`POST /p HTTP/1.1\r\nHost: x\r\n${framing}\r\n`)
        client.send(`fffffff\r\n${'a'.repeat(200_000)}`)
        await client.rest()
      }
      t.same(calls, [])
    })

    t.test('chunks of one byte add up to their body', async (t) => {
      const { port } = await startServer(t, kind, {
        handler: (_request, body) => ({ status: 200, body: String(body) }),
      })
      const body = Buffer.from(Array.from({ length: 20_000 }, (_, at) => 97 + (at % 26)))
      const client = await RawClient.connect(port)
      client.send('POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      client.send(chunked(body, 1))
      t.ok((await client.next())?.body.equals(body))
      client.socket.destroy()
    })

    t.test('bodies over the bytes in flight are refused and the others are not', async (t) => {
      const release: (() => void)[] = []
      const { port, server } = await startServer(t, kind, {
        bounds: { inflightBytesMax: 1_000 },
        handler: async (_request, body) => {
          await new Promise<void>((resolve) => release.push(resolve))
          return { status: 200, body: String(body.length) }
        },
      })
      const holder = await RawClient.connect(port)
      holder.send(post('a'.repeat(600)))
      await until(() => release.length === 1)
      t.same(server.inflight(), { requests: 1, bytes: 600 })
      const client = await RawClient.connect(port)
      client.send(post('a'.repeat(401)))
      t.equal((await client.next())?.body.toString(), '{"code":"overloaded"}')
      client.send('POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      client.send(chunked(Buffer.alloc(401), 100))
      t.equal((await client.next())?.status, 503, 'a chunked body too, on the same connection')
      t.same(server.inflight(), { requests: 1, bytes: 600 })
      client.send(post('a'.repeat(400)))
      await until(() => release.length === 2)
      t.same(server.inflight(), { requests: 2, bytes: 1_000 })
      for (const resolve of release) resolve()
      t.equal((await holder.next())?.body.toString(), '600')
      t.equal((await client.next())?.body.toString(), '400')
      t.same(server.inflight(), { requests: 0, bytes: 0 })
      holder.socket.destroy()
      client.socket.destroy()
    })

    t.test('a peer with a large body under way leaves bytes to the other peers', async (t) => {
      const { port, server } = await startServer(t, kind, {
        bounds: { inflightBytesMax: 800_000 },
        peerOf: (request) => request.header('from') ?? '',
        handler: (_request, body) => ({ status: 200, body: String(body.length) }),
      })
      const send = async (from: string, bytes: number) => {
        const client = await RawClient.connect(port)
        const head = `POST /p HTTP/1.1\r\nHost: x\r\nFrom: ${from}\r\n`
        client.send(`${head}Content-Length: ${bytes}\r\n\r\n`)
        return { client, finish: () => client.send(Buffer.alloc(bytes, 'a')) }
      }
      const held = [await send('greedy', 150_000), await send('greedy', 150_000)]
      await until(() => server.inflight().bytes === 300_000)
      const third = await send('greedy', 150_000)
      third.finish()
      t.match(await third.client.next(), { status: 503 })
      const other = await send('other', 150_000)
      other.finish()
      t.match(await other.client.next(), { status: 200 })
      for (const { client, finish } of held) {
        finish()
        t.match(await client.next(), { status: 200 })
      }
      t.equal(server.inflight().bytes, 0)
      const again = await send('greedy', 450_000)
      again.finish()
      t.match(await again.client.next(), { status: 200 }, 'alone it may have all of them')
      for (const { client } of [...held, third, other, again]) client.socket.destroy()
    })

    t.test('large bodies leave a quarter of the bytes in flight to small ones', async (t) => {
      const { port } = await startServer(t, kind, { bounds: { inflightBytesMax: 100_000 } })
      t.equal((await ask(port, post('a'.repeat(75_001))))?.status, 503)
      t.equal((await ask(port, post('a'.repeat(75_000))))?.status, 200)
    })

    t.test('requests over the bound are refused without their handler', async (t) => {
      const { port, calls } = await startServer(t, kind, {
        bounds: { inflightRequestsMax: 1 },
        handler: never,
      })
      const holder = await RawClient.connect(port)
      holder.send(get)
      await until(() => calls.length === 1)
      t.equal((await ask(port, get))?.status, 503)
      t.equal((await ask(port, post('body')))?.status, 503)
      t.equal(calls.length, 1)
      holder.socket.destroy()
    })

    t.test('a request knows when its head came, however late its body is', async (t) => {
      let nowMs = 1_000
      const clock = { ...handClock(), now: () => nowMs }
      const { port, calls } = await startServer(t, kind, { clock })
      const client = await RawClient.connect(port)
      client.send('POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n')
      await until(() => clock.pending.size === 1)
      nowMs = 61_000
      client.send('12345')
      t.equal((await client.next())?.status, 200)
      client.send(get)
      t.equal((await client.next())?.status, 200)
      t.same(
        calls.map(({ headAtMs }) => headAtMs),
        [1_000, 61_000],
      )
      client.socket.destroy()
    })

    t.test('a body that drips is cut without an answer', async (t) => {
      const clock = handClock()
      const { port, calls, server } = await startServer(t, kind, {
        clock,
        bounds: { bodyWindowMs: 7_777, bodyWindowBytesMin: 10 },
      })
      const heads = ['Content-Length: 100\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n']
      for (const head of heads) {
        const client = await RawClient.connect(port)
        client.send(`POST /p HTTP/1.1\r\nHost: x\r\n${head}`)
        await until(() => clock.pending.size === 1)
        t.same([...clock.pending][0]?.ms, 7_777)
        clock.fire()
        t.equal(await client.rest(), '')
        t.same(server.inflight(), { requests: 0, bytes: 0 })
      }
      t.same(calls, [])
    })

    t.test('a body that brings enough in each window is read to its end', async (t) => {
      const clock = handClock()
      const { port } = await startServer(t, kind, { clock, bounds: { bodyWindowBytesMin: 10 } })
      const client = await RawClient.connect(port)
      client.send('POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\n')
      await until(() => clock.pending.size === 1)
      for (let window = 0; window < 2; window++) {
        const [open] = clock.pending
        client.send('0123456789')
        await until(() => open !== undefined && !clock.pending.has(open))
        t.equal(clock.pending.size, 1, 'the next window is open')
      }
      client.send('0123456789')
      t.equal((await client.next())?.status, 200)
      t.equal(clock.pending.size, 0, 'no window stays open')
      client.socket.destroy()
    })
  })
}
