import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import { createHostFetch, type HostFetchDeps } from '../../../../src/plugins/host/fetch.ts'
import type { HostRequest } from '../../../../src/plugins/ports.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const never = new AbortController().signal

/** A server at `host`, and its base URL. */
async function serve(t: Test, listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** Answers with what it has seen, and keeps it. */
async function echo(t: Test, host?: string): Promise<{ base: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const base = await serve(
    t,
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      response.end('seen')
    },
    host,
  )
  return { base, seen }
}

function asked(url: string, more: Partial<HostRequest> = {}): HostRequest {
  return { url, method: 'GET', headers: [], body: undefined, ...more }
}

/** Only the first loopback address counts as public. */
function createFetch(more: Partial<HostFetchDeps> = {}) {
  const allows = (address: string) => address === '127.0.0.1'
  const hostFetch = createHostFetch({ clock: systemClock, allows, enabled: true, ...more })
  return (url: string, request: Partial<HostRequest> = {}, signal: AbortSignal = never) =>
    hostFetch(1, asked(url, request), signal)
}

t.test('without the setting nothing is fetched', async (t) => {
  const { base, seen } = await echo(t)
  await t.rejects(createFetch({ enabled: false })(base), {
    message: 'fetch is not allowed on this instance (PLUGIN_FETCH)',
  })
  t.same(seen, [])
})

t.test('an answer comes with its status, headers and bytes', async (t) => {
  const base = await serve(t, (_request, response) => {
    response.writeHead(418, 'Teapot', [
      ['X-Kind', 'tea'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ])
    response.end(Buffer.from([0, 255]))
  })
  const answer = await createFetch()(`${base}/pot?x=1#part`)
  t.match(answer, { status: 418, statusText: 'Teapot', redirected: false, url: `${base}/pot?x=1` })
  t.same([...answer.body], [0, 255])
  t.same(answer.headers.slice(0, 3), [
    ['x-kind', 'tea'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ])
})

t.test('a request travels with its method, headers and body', async (t) => {
  const { base, seen } = await echo(t)
  const fetch = createFetch()
  const headers = [
    ['Authorization', 'Bearer x'],
    ['X-Twice', 'a'],
    ['x-twice', 'b'],
    ['User-Agent', 'mine'],
  ] as const
  await fetch(`${base}/a`, { method: 'post', headers, body: 'text \u20ac' })
  await fetch(`${base}/b`, { method: 'DELETE', body: new Uint8Array([104, 105]) })
  await fetch(`${base}/c`, { method: 'PUT' })
  t.match(seen, [
    { method: 'POST', url: '/a', body: 'text \u20ac' },
    { method: 'DELETE', body: 'hi', headers: { 'content-length': '2' } },
    { method: 'PUT', body: '', headers: { 'content-length': '0' } },
  ])
  t.match(seen[0]?.headers, {
    authorization: 'Bearer x',
    'x-twice': 'a, b',
    'user-agent': 'mine',
    'content-type': 'text/plain;charset=UTF-8',
  })
  t.equal(seen[1]?.headers['content-type'], undefined)
})

t.test('how a request travels is not for the plugin to say', async (t) => {
  const { base, seen } = await echo(t)
  const headers = [
    ['Host', 'internal.example'],
    ['Content-Length', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'keep-alive, upgrade'],
    ['Upgrade', 'h2c'],
    ['TE', 'trailers'],
    ['Expect', '100-continue'],
    ['Proxy-Authorization', 'x'],
    ['Accept-Encoding', 'zstd'],
  ] as const
  await createFetch()(base, { method: 'POST', headers, body: 'abc' })
  t.equal(seen[0]?.body, 'abc')
  const { date: _, ...sent } = seen[0]?.headers ?? {}
  t.same(sent, {
    accept: '*/*',
    'user-agent': 'sluice',
    'accept-encoding': 'gzip, deflate, br',
    'content-type': 'text/plain;charset=UTF-8',
    'content-length': '3',
    host: base.slice('http://'.length),
    connection: 'close',
  })
})

t.test('URLs, methods, headers and bodies out of bounds are refused unsent', async (t) => {
  const { base, seen } = await echo(t)
  const fetch = createFetch()
  const port = base.split(':')[2]
  for (const [url, message] of [
    ['file:///etc/passwd', /only http and https/],
    ['data:text/plain,x', /only http and https/],
    ['ftp://127.0.0.1/', /only http and https/],
    ['nowhere', /no URL/],
    [`http://user:secret@127.0.0.1:${port}/`, /credentials/],
    [`${base}/${'x'.repeat(8_192)}`, /longer than/],
  ] as const) {
    await t.rejects(fetch(url), { message }, url.slice(0, 40))
  }
  const many = Array.from({ length: 65 }, (_, index) => [`x-${index}`, '1'] as const)
  const large = [['x', 'y'.repeat(16_384)]] as const
  for (const [request, message] of [
    [{ method: 'CONNECT' }, /method/],
    [{ method: 'TRACE' }, /method/],
    [{ method: 'GE T' }, /method/],
    [{ body: 'x' }, /has no body/],
    [{ headers: many }, /more than 64 headers/],
    [{ headers: large }, /more than 16384 bytes/],
    [{ headers: [['x', 'a\r\nEvil: 1']] }, /cannot be sent/],
    [{ headers: [['x\n', 'a']] }, /cannot be sent/],
    [{ headers: [['', 'a']] }, /cannot be sent/],
    [{ method: 'POST', body: 'x'.repeat(1_048_577) }, /larger than 1048576 bytes/],
  ] as const) {
    await t.rejects(fetch(base, request), { message }, `${message}`)
  }
  t.same(seen, [])
})

t.test('the own network is not connected to, by name or in any notation', async (t) => {
  const { base, seen } = await echo(t)
  const port = base.split(':')[2]
  const fetch = createFetch({ allows: () => false })
  const publicOnly = createHostFetch({ clock: systemClock, enabled: true })
  for (const host of [
    'localhost',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '127.0.0.1.',
  ]) {
    const refused = { message: 'fetch failed: no public address answers at this URL' }
    await t.rejects(fetch(`http://${host}:${port}/`), refused, host)
    await t.rejects(publicOnly(1, asked(`http://${host}:${port}/`), never), refused, host)
  }
  t.same(seen, [])
})

t.test('a name is looked up once, by the connection itself', async (t) => {
  const { base, seen } = await echo(t)
  let lookups = 0
  const fetch = createFetch({
    lookup: (_host, options, callback) => {
      lookups++
      const address = lookups === 1 ? '127.0.0.1' : '127.0.0.2'
      if (options.all === true) callback(null, [{ address, family: 4 }])
      else callback(null, address, 4)
    },
  })
  await fetch(`http://rebound.example:${base.split(':')[2]}/`)
  t.equal(lookups, 1)
  t.equal(seen.length, 1)
})

t.test('each redirect is checked anew', async (t) => {
  const inner = await echo(t)
  const targets: Record<string, string> = {
    '/digits': inner.base,
    '/name': inner.base.replace('127.0.0.1', 'localhost'),
    '/scheme': 'file:///etc/passwd',
    '/credentials': 'http://user:secret@127.0.0.2/',
    '/nowhere': 'http://[',
  }
  const listener: RequestListener = (request, response) => {
    response.writeHead(302, { location: targets[request.url ?? ''] ?? '/' }).end()
  }
  const base = await serve(t, listener, '127.0.0.2')
  const fetch = createFetch({ allows: (address) => address === '127.0.0.2' })
  const refusals = {
    '/digits': /no public address/,
    '/name': /no public address/,
    '/scheme': /only http and https/,
    '/credentials': /credentials/,
    '/nowhere': /no URL/,
  }
  for (const [path, message] of Object.entries(refusals)) {
    await t.rejects(fetch(`${base}${path}`), { message }, path)
  }
  t.same(inner.seen, [])
})

t.test('three redirects are followed, a fourth is not', async (t) => {
  const base = await serve(t, (request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('there')
    else response.writeHead(307, { location: `/${left - 1}` }).end('on')
  })
  const fetch = createFetch()
  const answer = await fetch(`${base}/3`)
  t.match(answer, { status: 200, redirected: true, url: `${base}/0` })
  t.equal(Buffer.from(answer.body).toString(), 'there')
  await t.rejects(fetch(`${base}/4`), { message: 'fetch failed: more than 3 redirects' })
})

t.test('a redirect without a place is an answer', async (t) => {
  const base = await serve(t, (_request, response) => response.writeHead(302).end('lost'))
  t.match(await createFetch()(base), { status: 302, redirected: false })
})

t.test('redirects change method and body as browsers do', async (t) => {
  const { base, seen } = await echo(t)
  const from = await serve(t, (request, response) => {
    request.resume()
    response.writeHead(Number(request.url?.slice(1)), { location: `${base}/to` }).end()
  })
  const fetch = createFetch()
  const body = 'abc'
  const headers = [
    ['content-type', 'text/x'],
    ['x-kept', '1'],
  ] as const
  const cases = [
    ['POST', 301, 'GET'],
    ['POST', 302, 'GET'],
    ['POST', 303, 'GET'],
    ['PUT', 303, 'GET'],
    ['PUT', 302, 'PUT'],
    ['POST', 307, 'POST'],
    ['POST', 308, 'POST'],
  ] as const
  for (const [method, status, becomes] of cases) {
    await fetch(`${from}/${status}`, { method, headers, body })
    const { method: sent, body: sentBody, headers: sentHeaders } = seen.pop() ?? {}
    t.equal(sent, becomes, `${method} ${status}`)
    t.equal(sentBody, becomes === 'GET' ? '' : body)
    t.equal(sentHeaders?.['content-type'], becomes === 'GET' ? undefined : 'text/x')
    t.equal(sentHeaders?.['x-kept'], '1')
  }
  await fetch(`${from}/303`, { method: 'HEAD' })
  t.equal(seen.pop()?.method, 'HEAD')
})

t.test('credentials stay with their origin', async (t) => {
  const other = await echo(t)
  const seen: (string | undefined)[] = []
  const base = await serve(t, (request, response) => {
    seen.push(request.headers.authorization)
    const location = request.url === '/same' ? '/away' : `${other.base}/`
    response.writeHead(302, { location }).end()
  })
  const headers = [
    ['Authorization', 'Bearer x'],
    ['Cookie', 'a=1'],
    ['X-Kept', '1'],
  ] as const
  await createFetch()(`${base}/same`, { headers })
  t.same(seen, ['Bearer x', 'Bearer x'])
  t.match(other.seen[0]?.headers, { 'x-kept': '1', authorization: undefined, cookie: undefined })
})

t.test('an answer is decoded, and bounded while it is', async (t) => {
  const text = 'tea '.repeat(1_000)
  const bomb = Buffer.alloc(8_000_000)
  const bodies: Record<string, [string, Buffer]> = {
    '/gzip': ['gzip', gzipSync(text)],
    '/deflate': ['deflate', deflateSync(text)],
    '/bare': ['deflate', deflateRawSync(text)],
    '/br': ['br', brotliCompressSync(text)],
    '/identity': ['identity', Buffer.from(text)],
    '/empty': ['gzip', Buffer.alloc(0)],
    '/gzip-bomb': ['gzip', gzipSync(bomb)],
    '/deflate-bomb': ['deflate', deflateSync(bomb)],
    '/br-bomb': ['br', brotliCompressSync(bomb)],
    '/layers': ['gzip, gzip', gzipSync(gzipSync(bomb))],
    '/unknown': ['zstd', Buffer.from(text)],
    '/broken': ['gzip', Buffer.from('no gzip')],
    '/exact': ['identity', Buffer.alloc(1_048_576)],
    '/large': ['identity', Buffer.alloc(1_048_577)],
  }
  const base = await serve(t, (request, response) => {
    const [coding, body] = bodies[request.url ?? ''] ?? ['', Buffer.alloc(0)]
    response.writeHead(200, { 'content-encoding': coding }).end(body)
  })
  const fetch = createFetch()
  for (const path of ['/gzip', '/deflate', '/bare', '/br', '/identity']) {
    t.equal(Buffer.from((await fetch(base + path)).body).toString(), text, path)
  }
  t.equal((await fetch(`${base}/empty`)).body.length, 0)
  t.equal((await fetch(`${base}/exact`)).body.length, 1_048_576)
  for (const path of ['/gzip-bomb', '/deflate-bomb', '/br-bomb', '/large']) {
    const message = 'fetch failed: the answer is larger than 1048576 bytes'
    await t.rejects(fetch(base + path), { message }, path)
  }
  await t.rejects(fetch(`${base}/layers`), { message: /encoding that is not supported/ })
  await t.rejects(fetch(`${base}/unknown`), { message: /encoding that is not supported/ })
  await t.rejects(fetch(`${base}/broken`), { message: /cannot be decoded/ })
})

t.test('an endless answer and endless headers are cut off', async (t) => {
  const base = await serve(t, (request, response) => {
    if (request.url === '/headers') {
      response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end()
      return
    }
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  const fetch = createFetch()
  await t.rejects(fetch(`${base}/body`), { message: /larger than/ })
  await t.rejects(fetch(`${base}/headers`), { message: 'fetch failed: HPE_HEADER_OVERFLOW' })
})

t.test('ten seconds are for all of it: connection, redirects and body', async (t) => {
  for (const path of ['/silent', '/half', '/redirect']) {
    const clock = createFakeClock()
    let arrived: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const base = await serve(t, (request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { location: '/silent' }).end()
      else {
        if (request.url === '/half') response.write('half')
        arrived()
      }
    })
    const fetched = createFetch({ clock })(base + path)
    const failed = t.rejects(
      fetched,
      { message: 'fetch failed: no answer within 10 seconds' },
      path,
    )
    await waiting
    await clock.advance(10_000)
    await failed
    t.equal(clock.timers(), 0)
  }
})

t.test(
  'a plugin that is stopped ends its request, and one that has been asks nobody',
  async (t) => {
    const stopped = new AbortController()
    const base = await serve(t, () => stopped.abort())
    const fetch = createFetch()
    await t.rejects(fetch(base, {}, stopped.signal), { message: 'fetch was aborted' })
    const { base: other, seen } = await echo(t)
    await t.rejects(fetch(other, {}, stopped.signal), { message: 'fetch was aborted' })
    t.same(seen, [])
  },
)

t.test('a connection that fails is told by its code', async (t) => {
  const base = await serve(t, (_request, response) => response.destroy())
  await t.rejects(createFetch()(base), { message: 'fetch failed: ECONNRESET' })
  const upgrading = await serve(t, (_request, response) => response.writeHead(101).end())
  await t.rejects(createFetch()(upgrading), { message: /changes the protocol/ })
})

t.test('16 requests of a config are under way at a time, others are not held up', async (t) => {
  const open: (() => void)[] = []
  const arrivals: string[] = []
  let onArrival = () => {}
  const base = await serve(t, (request, response) => {
    arrivals.push(request.url ?? '')
    open.push(() => response.end())
    onArrival()
  })
  const arrived = (count: number) =>
    new Promise<void>((resolve) => {
      onArrival = () => {
        if (arrivals.length >= count) resolve()
      }
      onArrival()
    })
  const allows = () => true
  const hostFetch = createHostFetch({ clock: systemClock, allows, enabled: true })
  const all = Array.from({ length: 17 }, () => hostFetch(1, asked(`${base}/one`), never))
  await arrived(16)
  all.push(hostFetch(2, asked(`${base}/two`), never))
  await arrived(17)
  t.equal(arrivals.at(-1), '/two')
  open.shift()?.()
  await arrived(18)
  t.equal(arrivals.at(-1), '/one')
  for (const answer of open) answer()
  t.equal((await Promise.all(all)).length, 18)
})
