import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import { isForeignAddress, isPublicAddress } from '../../../../src/plugins/host/public-address.ts'
import {
  createModuleFetcher,
  parsePluginUrl,
} from '../../../../src/plugins/settings/fetch-module.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const never = new AbortController().signal

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

t.test('addresses within a network, of the machine and special ones are not public', (t) => {
  for (const address of [
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::7f00:1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fe80::1%lo',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '3fff::1',
    'localhost',
    '',
    '8.8.8',
  ]) {
    t.equal(isPublicAddress(address), false, address)
  }
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111']) {
    t.equal(isPublicAddress(address), true, address)
  }
  t.end()
})

t.test("the machine's own addresses are not reached, in no spelling", (t) => {
  const entry = { netmask: '', mac: '', internal: false, cidr: null }
  const interfaces = () => ({
    wan: [
      { ...entry, family: 'IPv4' as const, address: '8.8.4.4' },
      { ...entry, family: 'IPv6' as const, address: '2606:4700::abcd', scopeid: 0 },
      { ...entry, family: 'IPv6' as const, address: 'fe80::1%wan', scopeid: 2 },
    ],
    gone: undefined,
  })
  for (const address of ['8.8.4.4', '2606:4700::abcd', '2606:4700:0:0:0:0:0:ABCD', '127.0.0.1']) {
    t.equal(isForeignAddress(address, interfaces), false, address)
  }
  for (const address of ['8.8.8.8', '2606:4700::1111']) {
    t.equal(isForeignAddress(address, interfaces), true, address)
  }
  t.end()
})

t.test('a URL of a plugin is http or https, ASCII, without credentials', (t) => {
  for (const text of [
    'http://example.com/a.js',
    'HTTPS://example.com',
    'https://[2606::1]/x?y#z',
  ]) {
    t.ok(parsePluginUrl(text), text)
  }
  for (const text of [
    '',
    'example.com',
    'file:///etc/passwd',
    'ftp://example.com',
    'javascript:alert(1)',
    'http://',
    'http://user@example.com',
    'http://user:secret@example.com',
    'http://exa mple.com',
    'http://ex\u00e4mple.com',
    'http://example.com/\u0000',
    'http://example.com:99999/',
  ]) {
    t.equal(parsePluginUrl(text), undefined, text)
  }
  t.end()
})

t.test('nothing of the own network is connected to, by name or in digits', async (t) => {
  let asked = 0
  const base = await serve(t, (_request, response) => {
    asked++
    response.end('secret')
  })
  const fetchModule = createModuleFetcher(systemClock)
  const { port } = new URL(base)
  for (const host of [
    'localhost',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '[::ffff:7f00:1]',
  ]) {
    const url = parsePluginUrl(`http://${host}:${port}/index.js`)
    if (url === undefined) t.fail(host)
    else t.match(await fetchModule(url, never), { ok: false, error: /No public address/ }, host)
  }
  t.equal(asked, 0)
})

t.test('a module is read with the name that its path or its type asks for', async (t) => {
  const base = await serve(t, (request, response) => {
    if (request.url?.startsWith('/typed') === true) {
      response.setHeader('content-type', 'application/typescript')
    }
    response.end('export const a = 1 // \u20ac')
  })
  const fetchModule = createModuleFetcher(systemClock, () => true)
  const read = (path: string) => fetchModule(new URL(path, base), never)
  const source = 'export const a = 1 // \u20ac'
  t.same(await read('/a.js'), { ok: true, value: { file: 'index.js', source } })
  t.match(await read('/dir/a.ts?token=x'), { ok: true, value: { file: 'index.ts' } })
  t.match(await read('/typed'), { ok: true, value: { file: 'index.ts' } })
  t.match(await read('/other'), { ok: true, value: { file: 'index.js' } })
})

t.test('redirects, errors, pages, other encodings and large answers are refused', async (t) => {
  const base = await serve(t, (request, response) => {
    switch (request.url) {
      case '/redirect':
        response.writeHead(302, { location: '/ok' }).end()
        break
      case '/missing':
        response.writeHead(404).end()
        break
      case '/page':
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>')
        break
      case '/bytes':
        response.end(Buffer.from([0xff, 0xfe]))
        break
      case '/large':
        response.end(Buffer.alloc(1_048_577, 'x'))
        break
      case '/cut':
        response.writeHead(200, { 'content-length': '100' }).write('half')
        response.destroy()
        break
      default:
        response.end('')
    }
  })
  const fetchModule = createModuleFetcher(systemClock, () => true)
  for (const [path, problem] of [
    ['/redirect', /answers with 302/],
    ['/missing', /answers with 404/],
    ['/page', /a page/],
    ['/bytes', /not UTF-8/],
    ['/large', /larger than/],
    ['/cut', /No public address/],
  ] as const) {
    const read = await fetchModule(new URL(path, base), never)
    t.match(read, { ok: false, error: problem }, path)
  }
})

t.test('a URL that does not answer in time is given up', async (t) => {
  const clock = createFakeClock()
  let arrived: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const base = await serve(t, () => arrived())
  const read = createModuleFetcher(clock, () => true)(new URL(base), never)
  await asked
  await clock.advance(10_000)
  t.match(await read, { ok: false, error: /within 10 seconds/ })
})

t.test('a caller who has gone ends it', async (t) => {
  const caller = new AbortController()
  const base = await serve(t, () => caller.abort())
  const read = await createModuleFetcher(systemClock, () => true)(new URL(base), caller.signal)
  t.equal(read.ok, false)
})
