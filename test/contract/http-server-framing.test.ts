/** The HTTP port over raw sockets: requests that may hide another one. */
import t from 'tap'
import { HTTP_KINDS, startServer, until } from '../support/http/http-under-test.ts'
import { ask, get, RawClient } from '../support/http/raw-http.ts'

/** Each begins with a request that a proxy may end at another byte than we do. */
const TRICKS: Record<string, string> = {
  'equal lengths':
    'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc',
  'two lengths':
    'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 40\r\n\r\nabc',
  'listed lengths': 'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\nabc',
  'signed length': 'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc',
  'negative length': 'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: -3\r\n\r\nabc',
  'hexadecimal length': 'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 0x3\r\n\r\nabc',
  'empty length': 'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n',
  'huge length': `POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\n`,
  'length and coding':
    'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'coding and length':
    'POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
  'length of a HEAD': 'HEAD /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc',
  'chunked GET': 'GET /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'space before the colon': 'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc',
  'two hosts': 'GET /p HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n',
  'no host': 'GET /p HTTP/1.1\r\n\r\n',
  'absolute target': 'GET http://x/p HTTP/1.1\r\nHost: x\r\n\r\n',
  'authority target': 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  'asterisk target': 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'old version': 'GET /p HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n',
  'bare line feeds': 'GET /p HTTP/1.1\nHost: x\n\n',
  'lower-case method': 'get /p HTTP/1.1\r\nHost: x\r\n\r\n',
  'bad chunk size':
    'POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n',
  'overflowing chunk size':
    'POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabc',
  ...Object.fromEntries(
    [
      'chunked, identity',
      'identity, chunked',
      'chunked, chunked',
      'xchunked',
      'identity',
      'gzip',
      '"chunked"',
      'chunked;q=1',
      'chunked,',
      '\x0bchunked',
      '',
      'chunked\r\nTransfer-Encoding: chunked',
      'chunked\r\nTransfer-Encoding: identity',
      '\r\n chunked',
    ].map((coding) => [
      `coding ${JSON.stringify(coding)}`,
      `POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
    ]),
  ),
}

for (const kind of HTTP_KINDS) {
  t.test(kind, async (t) => {
    const second = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'

    t.test('no request behind a doubtful one reaches the handler', async (t) => {
      const { port, calls, server } = await startServer(t, kind)
      for (const [name, trick] of Object.entries(TRICKS)) {
        for (const split of [false, true]) {
          const client = await RawClient.connect(port)
          client.send(split ? trick : trick + second)
          if (split) setImmediate(() => client.send(second))
          t.match(await client.rest(), /^$|^HTTP\/1\.1 (400|431|505) /, `${name}, split: ${split}`)
          t.same(
            calls.splice(0).map((call) => call.path),
            [],
            name,
          )
        }
      }
      await until(() => server.inflight().requests === 0)
    })

    t.test('a doubtful request alone is refused in the words of the application', async (t) => {
      const { port } = await startServer(t, kind)
      const response = await ask(port, TRICKS['chunked GET'] ?? '')
      t.equal(response?.status, 400)
      t.equal(response?.body.toString(), '{"code":"bad_request"}')
    })

    t.test(
      'a body of exact length belongs to its GET or DELETE, and never is a request',
      async (t) => {
        const { port, calls, server } = await startServer(t, kind)
        for (const method of ['GET', 'DELETE']) {
          for (const split of [false, true]) {
            const head = `${method} /p HTTP/1.1\r\nHost: x\r\nContent-Length: ${second.length}\r\n\r\n`
            const after = 'GET /after HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
            const client = await RawClient.connect(port)
            client.send(split ? head : head + second + after)
            if (split) setImmediate(() => client.send(second + after))
            t.match(await client.rest(), /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 /, method)
            t.same(
              calls
                .splice(0)
                .map((call) => call.path)
                .sort(),
              ['/after', '/p'],
            )
          }
        }
        await until(() => server.inflight().requests === 0)
      },
    )

    t.test('spaces around an exact coding change nothing', async (t) => {
      const { port } = await startServer(t, kind, {
        handler: (_request, body) => ({ status: 200, body: String(body) }),
      })
      const request =
        'POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:   chunked \r\n\r\n3\r\nabc\r\n0\r\n\r\n'
      t.equal((await ask(port, request))?.body.toString(), 'abc')
    })

    t.test('several lines of a header are one list, in the order sent', async (t) => {
      const { port } = await startServer(t, kind, {
        handler: (request) => ({ status: 200, body: request.headerList('x-forwarded-for') }),
      })
      const request =
        'GET /p HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.1.1.1, 2.2.2.2\r\nA: b\r\n' +
        'x-forwarded-for: [::3]:4\r\n\r\n'
      t.equal((await ask(port, request))?.body.toString(), '1.1.1.1, 2.2.2.2,[::3]:4')
      t.equal((await ask(port, get))?.body.toString(), '')
    })

    t.test('headers over their bounds are refused', async (t) => {
      const { port, calls } = await startServer(t, kind)
      const long = `GET /p HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`
      const many = `GET /p HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(120)}\r\n`
      const target = `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
      for (const request of [long, many, target]) {
        const client = await RawClient.connect(port)
        client.send(request)
        t.match(await client.rest(), /^$|^HTTP\/1\.1 4(00|31) /)
      }
      t.same(calls, [])
      const fits = `GET /p?${'q'.repeat(7_000)} HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(7_000)}\r\n\r\n`
      t.equal((await ask(port, fits))?.status, 200)
    })
  })
}
