import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { HttpReply } from '../../../../gateway/http/http-server.ts'
import { createScripts } from '../../../../gateway/public/scripts.ts'
import { bodyOf, headerOf, requestOf } from '../../../support/http/rest.ts'
import { TOKEN, webKeys } from '../../../support/http/web-keys.ts'

const LIBRARY = `window.loaded = Object.keys(window._POSTHOG_REMOTE_CONFIG ?? {}) // ${'é'.repeat(99)}`
const NO_BODY = Buffer.alloc(0)

type Headers = Record<string, string>

function setUp(t: Test, setting: Parameters<typeof webKeys>[0] = {}) {
  const folder = t.testdir({
    'array.js': LIBRARY,
    'recorder.js': 'recorder()',
    'array.js.map': '{}',
    'module.d.ts': 'export {}',
    'package.json': '{}',
    '.env': 'secret',
  })
  const scripts = createScripts(webKeys(setting).keys, folder)
  const request = (headers: Headers) => requestOf('GET', '/', { anonymous: true, headers })
  return {
    folder,
    named: (path: string, headers: Headers = {}) =>
      scripts.named(request(headers), NO_BODY, { path }),
    array: (token: string, headers: Headers = {}) =>
      scripts.array(request(headers), NO_BODY, { token }),
  }
}

function textOf({ body }: HttpReply): string {
  if (typeof body === 'string') return body
  if (!(body instanceof Uint8Array)) throw new Error('a stream')
  return Buffer.from(body).toString('utf8')
}

function unzipped({ body }: HttpReply): string {
  if (!(body instanceof Uint8Array)) throw new Error('not bytes')
  return gunzipSync(body).toString('utf8')
}

t.test('nothing but the scripts of the folder is served, whatever a path holds', async (t) => {
  const { named, folder } = setUp(t)
  writeFileSync(join(folder, '..', 'outside.js'), 'outside()')
  t.teardown(() => rmSync(join(folder, '..', 'outside.js')))
  mkdirSync(join(folder, '1.2.3'))
  writeFileSync(join(folder, 'late.js'), 'late()')
  const strange = [
    '',
    '.',
    '..',
    '/',
    'toolbar.js',
    'array.js.map',
    'module.d.ts',
    'package.json',
    '.env',
    '../outside.js',
    '..\\outside.js',
    './array.js',
    '/array.js',
    'array.js\0',
    'ARRAY.js',
    'late.js',
    '__proto__',
    'constructor',
    '1.2.3',
    '1.2.3/',
    '1.2.3/../outside.js',
    '1.2.3/1.2.3/array.js',
    '../array.js',
    'src/array.js',
    join(folder, 'array.js'),
  ]
  for (const path of strange) {
    const reply = await named(path, { origin: 'https://a.example' })
    t.equal(reply.status, 404, path)
    t.match(bodyOf(reply), { code: 'not_found' })
    t.equal(headerOf(reply, 'Cache-Control'), 'no-store')
    t.equal(headerOf(reply, 'Access-Control-Allow-Origin'), 'https://a.example')
  }
})

t.test('without the package there is no script, and that is all', async (t) => {
  const scripts = createScripts(webKeys().keys, join(t.testdir({}), 'missing'))
  const request = requestOf('GET', '/', { anonymous: true })
  t.equal((await scripts.named(request, NO_BODY, { path: 'array.js' })).status, 404)
  t.equal((await scripts.array(request, NO_BODY, { token: TOKEN })).status, 404)
  t.equal((await scripts.named(request, NO_BODY, { path: 'sluice.js' })).status, 404)
})

t.test('sluice.js is the library, started by its tag', async (t) => {
  const { named } = setUp(t)
  const plain = await named('sluice.js')
  t.ok(textOf(plain).startsWith(`${LIBRARY}\n`))
  t.equal(unzipped(await named('sluice.js', { 'accept-encoding': 'gzip' })), textOf(plain))
  t.not(headerOf(plain, 'ETag'), headerOf(await named('array.js'), 'ETag'))
  const started: unknown[] = []
  const posthog = { init: (...given: unknown[]) => started.push(given) }
  const dataset = { key: TOKEN, options: '{"autocapture":false}' }
  const src = 'https://example.com/a/static/sluice.js'
  runInNewContext(textOf(plain), {
    window: { posthog },
    document: { currentScript: { src, dataset } },
  })
  const options = { api_host: 'https://example.com/a', autocapture: false }
  t.strictSame(JSON.parse(JSON.stringify(started)), [[TOKEN, options]])
})

t.test('a script is served by its name, and the same under any version', async (t) => {
  const { named } = setUp(t)
  for (const path of ['array.js', '1.449.2/array.js', '1/array.js', '2.0.0-beta.1/array.js']) {
    const reply = await named(path)
    t.equal(reply.status, 200, path)
    t.equal(textOf(reply), LIBRARY)
    t.equal(headerOf(reply, 'Content-Type'), 'application/javascript; charset=utf-8')
    t.equal(headerOf(reply, 'Cache-Control'), 'public, max-age=300')
    t.equal(headerOf(reply, 'X-Content-Type-Options'), 'nosniff')
    t.equal(headerOf(reply, 'Vary'), 'Origin, Accept-Encoding')
  }
  t.equal(textOf(await named('recorder.js')), 'recorder()')
})

t.test('gzip goes to those who take it, under a tag of its own', async (t) => {
  const { named, array } = setUp(t)
  const both = [
    { ask: named, what: 'array.js' },
    { ask: array, what: TOKEN },
  ]
  for (const { ask, what } of both) {
    const plain = await ask(what)
    for (const accepted of ['gzip', 'deflate, gzip;q=0.5', 'br, GZIP ; q=1.0']) {
      const reply = await ask(what, { 'accept-encoding': accepted })
      t.equal(headerOf(reply, 'Content-Encoding'), 'gzip', accepted)
      t.equal(unzipped(reply), textOf(plain))
      t.not(headerOf(reply, 'ETag'), headerOf(plain, 'ETag'))
    }
    for (const accepted of ['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.000', 'x-gzipped']) {
      const reply = await ask(what, { 'accept-encoding': accepted })
      t.equal(headerOf(reply, 'Content-Encoding'), undefined, accepted)
      t.equal(textOf(reply), textOf(plain))
    }
  }
})

t.test('a browser that has a script already is told so', async (t) => {
  const { named } = setUp(t)
  const gzip = { 'accept-encoding': 'gzip' }
  const plainTag = headerOf(await named('array.js'), 'ETag') ?? ''
  const gzipTag = headerOf(await named('array.js', gzip), 'ETag') ?? ''
  t.equal((await named('array.js', { 'if-none-match': plainTag })).status, 304)
  t.equal((await named('array.js', { ...gzip, 'if-none-match': `W/${gzipTag}` })).status, 304)
  t.equal((await named('array.js', { ...gzip, 'if-none-match': plainTag })).status, 200)
  t.equal((await named('recorder.js', { 'if-none-match': plainTag })).status, 200)
})

t.test('a script is read once, and asked for again after a failure', async (t) => {
  const { named, folder } = setUp(t)
  const file = join(folder, 'recorder.js')
  rmSync(file)
  await t.rejects(named('recorder.js'), { code: 'ENOENT' })
  writeFileSync(file, 'back()')
  t.equal(textOf(await named('recorder.js')), 'back()')
  writeFileSync(file, 'changed()')
  t.equal(textOf(await named('recorder.js')), 'back()')
})

t.test('the library of a token finds its config before it', async (t) => {
  const { array } = setUp(t)
  const reply = await array(TOKEN)
  t.equal(reply.status, 200)
  t.equal(headerOf(reply, 'Cache-Control'), 'public, max-age=60')
  const window: Record<string, unknown> = {}
  runInNewContext(textOf(reply), { window })
  t.strictSame(JSON.parse(JSON.stringify(window['loaded'])), [TOKEN])
  const tag = headerOf(reply, 'ETag') ?? ''
  t.equal((await array(TOKEN, { 'if-none-match': tag })).status, 304)
  const changed = setUp(t, { capturePerformance: true })
  t.equal((await changed.array(TOKEN, { 'if-none-match': tag })).status, 200)
  t.equal((await array('phc_other')).status, 404)
  t.equal((await array('phx_personal')).status, 404)
  t.equal((await setUp(t, { down: true }).array(TOKEN)).status, 503)
})
