import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { BODY_BYTES_MAX } from '../../../src/core/limits/limits.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { type Product, request, startStandalone } from '../../support/servers/product.ts'

/** The browser library is optional: without it its routes answer 404. */
const DIST = join(packageRoot, 'node_modules', 'posthog-js', 'dist')
const isInstalled = existsSync(join(DIST, 'array.js'))

const ORIGIN = 'https://app.example.com'
const CORS = { origin: ORIGIN }
const FEATURES: readonly (readonly [path: string, answer: object])[] = [
  ['/api/surveys', { surveys: [] }],
  ['/api/early_access_features', { earlyAccessFeatures: [] }],
  ['/api/web_experiments', { experiments: [] }],
  ['/api/product_tours', { product_tours: [] }],
]

/** As a browser gets it, byte for byte: `fetch` undoes the encoding. */
function raw(url: string, headers: Record<string, string>) {
  return new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const encoding = response.headers['content-encoding']
        resolve({ encoding, body: Buffer.concat(chunks) })
      })
    }).on('error', reject)
  })
}

async function configScript(product: Product): Promise<unknown> {
  const response = await fetch(`${product.url}/array/${product.projectKey}/config.js`)
  const window = {}
  runInNewContext(await response.text(), { window })
  return JSON.parse(JSON.stringify(window))
}

for (const httpServer of ['uws', 'node']) {
  t.test(`routes that pages ask for, over ${httpServer}`, async (t) => {
    const product = await startStandalone(t, { HTTP_SERVER: httpServer })
    const { url, projectKey, personalKey } = product
    const array = `${url}/array/${projectKey}`

    t.test('a path that leads nowhere is 404, and its origin is told', async (t) => {
      const unknown = [
        'phc_unknown',
        personalKey,
        'p'.repeat(2_000),
        '%00',
        '%20',
        '..%2f..',
        '%ff',
      ]
      const paths = unknown.flatMap((token) =>
        ['config', 'config.js', 'array.js'].map((name) => `/array/${token}/${name}`),
      )
      const others = [`/array/${projectKey}/other`, `/array/${projectKey}`, '/array/a/b/c/config']
      const files = ['/static/none.js', '/static/package.json', '/static/..%2Fpackage.json']
      for (const path of [...paths, ...others, ...files, '/static/%ff', '/static/array.js.map']) {
        const answer = await request(url + path, { headers: CORS })
        t.equal(answer.status, 404, path)
        t.match(answer.body, { type: 'invalid_request', code: 'not_found' }, path)
        t.equal(answer.headers.get('access-control-allow-origin'), ORIGIN, path)
        t.equal(answer.headers.get('cache-control'), 'no-store', path)
      }
    })

    t.test('only GET is allowed, and a preflight asks for no key', async (t) => {
      const paths = [
        `/array/${projectKey}/config`,
        `/array/${projectKey}/config.js`,
        `/array/${projectKey}/array.js`,
        '/array/phc_unknown/config',
        '/static/array.js',
        '/static/1.449.2/recorder.js',
        ...FEATURES.map(([path]) => path),
      ]
      for (const path of paths.flatMap((each) => [each, `${each}/`])) {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const refused = await request(url + path, { method, headers: CORS })
          t.equal(refused.status, 405, `${method} ${path}`)
          t.match(refused.body, { type: 'invalid_request', code: 'method_not_allowed' })
          t.equal(refused.headers.get('allow'), 'GET, OPTIONS')
          t.equal(refused.headers.get('access-control-allow-origin'), ORIGIN)
        }
        const asked = { ...CORS, 'access-control-request-headers': 'x-a' }
        const preflight = await request(url + path, { method: 'OPTIONS', headers: asked })
        t.equal(preflight.status, 200, path)
        t.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN)
        t.equal(preflight.headers.get('access-control-allow-headers'), 'x-a')
      }
    })

    t.test(
      'a request that never reaches a handler is refused in the form of its route',
      async (t) => {
        const body = Buffer.alloc(BODY_BYTES_MAX + 1)
        const send = (path: string) => fetch(url + path, { method: 'POST', headers: CORS, body })
        for (const path of ['/api/surveys/', '/static/array.js', '/array/a/config']) {
          const response = await send(path)
          t.equal(response.status, 413, path)
          t.match(await response.json(), { type: 'client_error', code: 'request_too_large' })
          t.equal(response.headers.get('access-control-allow-origin'), ORIGIN, path)
        }
        const managing = await send('/api/projects/')
        t.equal(managing.status, 413)
        t.equal(managing.headers.get('access-control-allow-origin'), null)
      },
    )

    t.test('remote config, as JSON and as a script', async (t) => {
      const answers = await Promise.all(
        ['/config', '/config/', '/config?v=1.449.2&_=1'].map((path) =>
          request(array + path, { headers: CORS }),
        ),
      )
      const [first] = answers
      for (const { status, headers, body } of answers) {
        t.equal(status, 200)
        t.equal(headers.get('content-type'), 'application/json')
        t.equal(headers.get('access-control-allow-origin'), ORIGIN)
        t.equal(headers.get('access-control-allow-credentials'), 'true')
        t.match(headers.get('vary'), /\bOrigin\b/)
        t.match(headers.get('cache-control'), /^public, max-age=\d+$/)
        t.equal(headers.get('x-content-type-options'), 'nosniff')
        t.strictSame(body, first?.body)
      }
      t.match(first?.body, {
        token: projectKey,
        hasFeatureFlags: true,
        supportedCompression: ['gzip', 'gzip-js', 'lz64'],
        sessionRecording: false,
        surveys: false,
      })
      for (const path of ['/config.js', '/config.js/']) {
        const { status, headers } = await fetch(array + path)
        t.equal(status, 200)
        t.equal(headers.get('content-type'), 'application/javascript; charset=utf-8')
        t.equal(headers.get('access-control-allow-origin'), null, 'only with an Origin')
      }
      t.strictSame(await configScript(product), {
        _POSTHOG_REMOTE_CONFIG: { [projectKey]: { config: first?.body, siteApps: [] } },
      })
    })

    t.test('the config of a page is confirmed by 304, until the project changes', async (t) => {
      for (const name of ['config', 'config.js']) {
        const before = await fetch(`${array}/${name}`)
        const tag = before.headers.get('etag') ?? ''
        t.match(tag, /^"[\w-]+"$/)
        const ask = () => fetch(`${array}/${name}`, { headers: { ...CORS, 'if-none-match': tag } })
        const same = await ask()
        t.equal(same.status, 304)
        t.equal(await same.text(), '')
        t.equal(same.headers.get('etag'), tag)
        t.equal(same.headers.get('access-control-allow-origin'), ORIGIN)
        const change = async (capture_performance_opt_in: boolean) => {
          const body = { capture_performance_opt_in }
          const project = `${url}/api/projects/1/`
          const changed = await request(project, { method: 'PATCH', key: personalKey, body })
          t.equal(changed.status, 200)
        }
        await change(true)
        t.equal((await ask()).status, 200)
        t.match((await request(`${array}/config`)).body, { capturePerformance: true })
        await change(false)
        t.equal((await ask()).status, 304)
      }
    })

    t.test('a project that opted in tells pages of its domains to record', async (t) => {
      const change = async (body: object) => {
        const project = `${url}/api/projects/1/`
        const changed = await request(project, { method: 'PATCH', key: personalKey, body })
        t.match(changed, { status: 200, body })
      }
      const decided = async (origin: string) => {
        const body = { api_key: projectKey, distinct_id: 'a' }
        const told = await Promise.all([
          request(`${array}/config`, { headers: { origin } }),
          request(`${url}/decide/?v=3`, { headers: { origin }, body }),
        ])
        const [first, second] = told.map((each) =>
          JSON.stringify(Object(each.body)['sessionRecording']),
        )
        t.equal(first, second)
        return first
      }
      const field = (consoleLogRecordingEnabled: boolean) =>
        JSON.stringify({ endpoint: '/s/', consoleLogRecordingEnabled, recorderVersion: 'v2' })
      await change({ session_recording_opt_in: true, capture_console_log_opt_in: true })
      t.equal(await decided(ORIGIN), field(true))
      const domains = ['https://*.example.com', null]
      await change({ recording_domains: domains, capture_console_log_opt_in: null })
      t.equal(await decided(ORIGIN), field(false))
      t.equal(await decided('https://example.org'), 'false')
      await change({ session_recording_opt_in: false, recording_domains: null })
      t.equal(await decided(ORIGIN), 'false')
    })

    t.test('surveys and the like: none, for a key that a project has', async (t) => {
      for (const [path, empty] of FEATURES.flatMap(([each, answer]) => [
        [each, answer] as const,
        [`${each}/`, answer] as const,
      ])) {
        const query = `token=${projectKey}&stage=beta&sent_at=1700000000000&ver=1.449.2`
        const answer = await request(`${url}${path}?${query}`, { headers: CORS })
        t.equal(answer.status, 200, path)
        t.strictSame(answer.body, empty)
        t.equal(answer.headers.get('access-control-allow-origin'), ORIGIN)
        for (const token of ['', '?token=phc_unknown', '?token=phx_unknown']) {
          const refused = await request(`${url}${path}${token}`, { headers: CORS })
          t.equal(refused.status, 401, path + token)
          const code = token.includes('phx_') ? 'invalid_personal_api_key' : 'invalid_api_key'
          t.match(refused.body, { type: 'authentication_error', code })
          t.equal(refused.headers.get('access-control-allow-origin'), ORIGIN)
        }
      }
    })

    t.test(`scripts of the library, ${isInstalled ? '' : 'not '}installed`, async (t) => {
      const paths = ['/static/array.js', '/static/array.js/?v=1.2.3', '/static/1.2.3/array.js']
      for (const path of paths) {
        const response = await fetch(url + path, { headers: CORS })
        t.equal(response.headers.get('access-control-allow-origin'), ORIGIN)
        t.equal(response.status, isInstalled ? 200 : 404, path)
        if (!isInstalled) continue
        t.equal(await response.text(), readFileSync(join(DIST, 'array.js'), 'utf8'))
        t.equal(response.headers.get('content-type'), 'application/javascript; charset=utf-8')
        const tag = response.headers.get('etag') ?? ''
        const again = await fetch(url + path, { headers: { 'if-none-match': tag } })
        t.equal(again.status, 304)
      }
      const together = await fetch(`${array}/array.js`)
      t.equal(together.status, isInstalled ? 200 : 404)
      if (!isInstalled) return
      const config = await (await fetch(`${array}/config.js`)).text()
      t.equal(await together.text(), `${config}\n${readFileSync(join(DIST, 'array.js'), 'utf8')}`)
      for (const path of [`/array/${projectKey}/array.js`, '/static/array.js']) {
        const plain = await raw(url + path, {})
        const zipped = await raw(url + path, { 'accept-encoding': 'gzip, deflate, br' })
        t.equal(plain.encoding, undefined)
        t.equal(zipped.encoding, 'gzip')
        t.ok(zipped.body.length < plain.body.length / 2)
        t.ok(gunzipSync(zipped.body).equals(plain.body), path)
      }
    })

    t.test('a session recording is refused, and stored nowhere', async (t) => {
      const snapshot = (index: number, bytes: number) => ({
        uuid: `0190b7a4-7c1e-7000-8000-${String(index).padStart(12, '0')}`,
        event: '$snapshot',
        offset: 1_200,
        properties: {
          token: projectKey,
          distinct_id: 'recorded',
          $session_id: '0190b7a4-7c1e-7000-8000-000000000000',
          $window_id: '0190b7a4-7c1e-7000-8000-000000000001',
          $lib: 'web',
          $snapshot_source: 'web',
          $snapshot_bytes: bytes,
          $snapshot_data: [
            { type: 4, timestamp: 1_700_000_000_000, data: { href: 'https://app.example.com/' } },
            { type: 2, cv: '2024-10', data: randomBytes(bytes / 2).toString('hex') },
          ],
        },
      })
      const array = [1, 2, 3].map((index) => snapshot(index, 600_000))
      const envelope = { api_key: projectKey, batch: array, sent_at: '2026-01-01T00:00:00Z' }
      const send = (path: string, body: string | Buffer, type = 'text/plain') =>
        fetch(url + path, { method: 'POST', body, headers: { ...CORS, 'content-type': type } })
      const query = '?ip=0&_=1700000000000&ver=1.200.0&compression=gzip-js'
      const sent = [
        send(`/s/${query}`, gzipSync(JSON.stringify(array))),
        send(`/s${query}`, gzipSync(JSON.stringify([snapshot(4, 100)]))),
        send('/s/?ver=1.449.2', gzipSync(JSON.stringify(envelope))),
        send('/s/', JSON.stringify(array), 'application/json'),
        send(
          '/s/?compression=base64',
          `data=${encodeURIComponent(base64(snapshot(5, 100)))}`,
          FORM,
        ),
      ]
      for (const response of await Promise.all(sent)) {
        t.equal(response.status, 400, response.url)
        const refused = { type: 'validation_error', code: 'recordings_not_supported' }
        t.match(await response.json(), refused)
        t.equal(response.headers.get('access-control-allow-origin'), ORIGIN)
      }
      const dropped = await send('/e/', gzipSync(JSON.stringify(array)))
      t.strictSame(await dropped.json(), { status: 1 }, 'elsewhere it is an event that is dropped')
      const refused = await send('/s/', gzipSync(JSON.stringify([{ event: '$snapshot' }])))
      t.equal(refused.status, 401, 'without a key')
      for (const list of ['events', 'event_definitions']) {
        const answer = await request(`${url}/api/projects/1/${list}/`, { key: personalKey })
        t.match(answer.body, { count: 0, results: [] }, list)
      }
      const metrics = await fetch(`http://127.0.0.1:${product.process.ports.admin}/metrics`)
      const text = await metrics.text()
      t.match(text, /^sluice_events_dropped_total\{reason="not_analytics",project="1"\} 14$/m)
      t.match(text, /^sluice_http_requests_total\{route="array",status="304"\} [1-9]/m)
      t.match(text, /^sluice_http_requests_total\{route="static",status="404"\} [1-9]/m)
    })
  })
}

const FORM = 'application/x-www-form-urlencoded'

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}
