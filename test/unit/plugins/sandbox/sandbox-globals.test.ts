import { createHash, createHmac } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { definition, recordedHost, response } from '../../../support/plugins/plugin-host.ts'
import {
  loadPlugin,
  plainLoader,
  propertiesOf,
  returning,
} from '../../../support/plugins/sandbox.ts'

const loader = plainLoader()
t.teardown(() => loader.close())

/** Value of the expression inside; the message when it throws. */
async function resultOf(expression: string, host = recordedHost()): Promise<unknown> {
  const instance = await loadPlugin(loader, definition(returning(expression)), host)
  const properties = await propertiesOf(instance)
  await instance.teardown()
  return typeof properties === 'string' ? properties : Reflect.get(Object(properties), 'value')
}

t.test('console joins its arguments and names the type', async (t) => {
  const host = recordedHost()
  await resultOf(
    `console.log('a', 1, { b: [2] }, null, undefined, true, 3n, Symbol('s'))
     ?? console.info() ?? console.warn('w') ?? console.debug([1]) ?? console.error(new TypeError('e'))`,
    host,
  )
  t.match(host.logs, [
    { type: 'LOG', message: 'a 1 {"b":[2]} null undefined true 3 Symbol(s)' },
    { type: 'INFO', message: '' },
    { type: 'WARN', message: 'w' },
    { type: 'DEBUG', message: '[1]' },
    { type: 'ERROR', message: /^TypeError: e\n/ },
  ])
})

t.test('an entry is cut to its bound, and what cannot be shown is named', async (t) => {
  const host = recordedHost()
  await resultOf(
    `(() => {
      const circle = {}; circle.circle = circle
      console.log('x'.repeat(60_000), 'y'.repeat(60_000))
      console.log(circle, { toJSON() { throw 1 } })
    })()`,
    host,
  )
  t.equal(host.logs[0]?.message.length, 50_000)
  t.equal(host.logs[1]?.message, '[object Object] [object Object]')
})

t.test('a flood of entries reaches the server thinned', async (t) => {
  const host = recordedHost()
  await resultOf(`(() => { for (let n = 0; n < 20_000; n++) console.log(n) })()`, host)
  t.ok(host.logs.length > 100, 'enough to know of it')
  t.ok(host.logs.length < 10_000, `${host.logs.length} entries`)
})

t.test('URL and URLSearchParams work as in Node', async (t) => {
  const expressions: readonly [string, unknown][] = [
    [
      `new URL('/a?b=1#c', 'https://u:p@Example.com:8443').href`,
      'https://u:p@example.com:8443/a?b=1#c',
    ],
    [`new URL('https://a.b/c?d=e').hostname`, 'a.b'],
    [`new URL('https://a.b:1/c').origin`, 'https://a.b:1'],
    [
      `String(Object.assign(new URL('https://a.b/c?d=e#f'), { search: '?x=y', hash: '' }))`,
      'https://a.b/c?x=y',
    ],
    [
      `(() => { const u = new URL('https://a.b/?q=1&utm=2'); u.searchParams.delete('utm'); u.searchParams.append('ä', 'ö &'); return u.toString() })()`,
      'https://a.b/?q=1&%C3%A4=%C3%B6+%26',
    ],
    [
      `(() => { const u = new URL('https://a.b/?q=1'); u.search = '?z=2'; return u.searchParams.get('z') })()`,
      '2',
    ],
    [`JSON.stringify({ u: new URL('https://a.b') })`, '{"u":"https://a.b/"}'],
    [
      `[URL.canParse('https://a'), URL.canParse('a'), URL.canParse('a', 'https://b')]`,
      [true, false, true],
    ],
    [`new URL('no url')`, 'failed: Invalid URL'],
    [`[...new URLSearchParams('?a=1&b=2&a=3+4%20')].flat()`, ['a', '1', 'b', '2', 'a', '3 4 ']],
    [`new URLSearchParams({ a: '1 2', b: "it's" }).toString()`, 'a=1+2&b=it%27s'],
    [`new URLSearchParams([['a', 1], ['a', 2]]).getAll('a')`, ['1', '2']],
    [
      `(() => { const p = new URLSearchParams('b=1&a=2&b=3'); p.set('b', 4); p.sort(); return [p.toString(), p.size, p.has('a'), p.get('c')] })()`,
      ['a=2&b=4', 2, true, null],
    ],
    [`require('url').URL === URL`, true],
    [`new URLSearchParams('a=%ZZ').get('a')`, '%ZZ'],
  ]
  for (const [expression, value] of expressions) {
    t.same(await resultOf(expression), value, expression)
  }
})

t.test('hashes are those of Node, of texts and of bytes', async (t) => {
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
    const expected = createHash(algorithm).update('grüße').update('!').digest('hex')
    const chain = `createHash('${algorithm}').update('grüße').update(Buffer.from('!')).digest('hex')`
    t.equal(await resultOf(`require('crypto').${chain}`), expected, algorithm)
  }
  t.equal(
    await resultOf(
      `require('node:crypto').createHmac('sha256', 'key').update('data').digest('base64')`,
    ),
    createHmac('sha256', 'key').update('data').digest('base64'),
  )
  t.equal(
    await resultOf(`require('crypto').createHash('sha256').update('').digest().toString('hex')`),
    createHash('sha256').update('').digest('hex'),
  )
  t.match(await resultOf(`require('crypto').createHash('sha3-256')`), /failed: only md5/)
  t.match(await resultOf(`require('crypto').createHash('md5').update({})`), /failed: a text, bytes/)
})

t.test('random identifiers and bytes differ', async (t) => {
  const uuids = await resultOf(`[1, 2].map(() => require('crypto').randomUUID())`)
  t.match(uuids, [/^[\da-f-]{36}$/, /^[\da-f-]{36}$/])
  t.not(Reflect.get(Object(uuids), 0), Reflect.get(Object(uuids), 1))
  t.match(await resultOf(`require('crypto').randomBytes(16).toString('hex')`), /^[\da-f]{32}$/)
})

t.test('compression is that of Node, both ways', async (t) => {
  const zipped = await resultOf(`require('zlib').gzipSync('grüße').toString('base64')`)
  t.equal(gunzipSync(Buffer.from(String(zipped), 'base64')).toString(), 'grüße')
  const base64 = gzipSync('text').toString('base64')
  const gunzip = `require('zlib').gunzipSync(Buffer.from('${base64}', 'base64')).toString()`
  t.equal(await resultOf(gunzip), 'text')
  const both = `require('zlib').inflateSync(require('zlib').deflateSync('abc')).toString()`
  t.equal(await resultOf(both), 'abc')
  t.match(await resultOf(`require('zlib').gunzipSync('no')`), /^failed: /)
})

t.test('bytes and texts become each other', async (t) => {
  const expressions: readonly [string, unknown][] = [
    [`[...new TextEncoder().encode('ü')]`, [195, 188]],
    [`new TextDecoder().decode(new Uint8Array([195, 188]))`, 'ü'],
    [`new TextDecoder().decode(new Uint8Array())`, ''],
    [`btoa('a\\xff')`, 'Yf8='],
    [`atob('Yf8=').charCodeAt(1)`, 255],
    [`btoa('\\u0100')`, 'failed: btoa: a character above 255'],
    [`Buffer.from('ü').toString('hex')`, 'c3bc'],
    [`Buffer.from('c3bc', 'hex').toString()`, 'ü'],
    [`Buffer.from([104, 105]).toString('base64url')`, 'aGk'],
    [`Buffer.concat([Buffer.from('a'), Buffer.alloc(1), Buffer.from('b')]).length`, 3],
    [
      `[Buffer.isBuffer(Buffer.from('')), Buffer.isBuffer(new Uint8Array()), Buffer.byteLength('ü')]`,
      [true, false, 2],
    ],
    [`Buffer.from(new Uint8Array([1, 2, 3]).subarray(1)).length`, 2],
    [`Buffer.from('a').toString('utf-16')`, 'failed: the encoding is not known'],
  ]
  for (const [expression, value] of expressions) {
    t.same(await resultOf(expression), value, expression)
  }
})

t.test('fetch sends what it is given and reads what comes', async (t) => {
  const host = recordedHost()
  host.onFetch = async () =>
    response(201, Buffer.from('{"ä":1}'), {
      statusText: 'Created',
      url: 'https://example.com/b',
      redirected: true,
      headers: [
        ['Content-Type', 'application/json'],
        ['x-a', '1'],
        ['X-A', '2'],
      ],
    })
  const value = await resultOf(
    `fetch('https://example.com/a', {
       method: 'post', headers: { 'Content-Type': 'text/x' }, body: 'grüße',
     }).then(async (r) => [r.status, r.ok, r.statusText, r.url, r.redirected,
       r.headers.get('content-type'), r.headers.get('X-a'), r.headers.get('none'),
       await r.json(), await r.text(), (await r.arrayBuffer()).byteLength])`,
    host,
  )
  const read = [201, true, 'Created', 'https://example.com/b', true, 'application/json', '1, 2']
  t.same(value, [...read, null, { ä: 1 }, '{"ä":1}', 8])
  t.match(host.requests, [
    {
      url: 'https://example.com/a',
      method: 'POST',
      headers: [['content-type', 'text/x']],
      body: 'grüße',
    },
  ])
})

t.test('fetch takes bytes, forms and URLs, and rejects with what the server says', async (t) => {
  const host = recordedHost()
  await resultOf(
    `fetch(new URL('https://example.com'), { method: 'PUT', body: new Uint8Array([0, 255]) })`,
    host,
  )
  await resultOf(`fetch('https://example.com', { body: new URLSearchParams({ a: 'b c' }) })`, host)
  await resultOf(`fetch('https://example.com', { headers: [['A', 1]] })`, host)
  t.match(host.requests[0], {
    url: 'https://example.com/',
    method: 'PUT',
    body: Buffer.from([0, 255]),
  })
  t.match(host.requests[1], { body: 'a=b+c', headers: [['content-type', /^application\/x-www/]] })
  t.match(host.requests[2], { method: 'GET', headers: [['a', '1']], body: undefined })
  host.onFetch = async () => {
    throw new Error('not allowed')
  }
  t.equal(await resultOf(`fetch('https://example.com')`, host), 'failed: not allowed')
})

t.test('capture goes to the server', async (t) => {
  const host = recordedHost()
  t.equal(await resultOf(`posthog.capture('seen', { a: [1] }).then(() => 'ok')`, host), 'ok')
  await resultOf(`posthog.capture('bare')`, host)
  t.same(host.captured, [
    { name: 'seen', properties: { a: [1] } },
    { name: 'bare', properties: {} },
  ])
  t.match(await resultOf(`posthog.capture(5)`, host), /argument 1 must be a text/)
})

t.test('imports are those of the list', async (t) => {
  const value = await resultOf(
    `['crypto', 'url', 'zlib', 'buffer', '@posthog/plugin-scaffold', '@posthog/plugin-contrib']
      .map((name) => Object.keys(require(name)).length > 0 && require(name).default === require(name))`,
  )
  t.same(
    value,
    Array.from({ length: 6 }, () => true),
  )
  for (const name of ['fs', 'node:fs', 'http', 'vm', '__proto__', 'constructor', './a', '']) {
    t.match(await resultOf(`require('${name}')`), /^failed: Cannot import/, name)
  }
})
