import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { HttpReply } from '../../../../gateway/http/http-server.ts'
import { createRemoteConfig } from '../../../../gateway/public/remote-config.ts'
import { bodyOf, headerOf, requestOf } from '../../../support/http/rest.ts'
import { TOKEN, webKeys } from '../../../support/http/web-keys.ts'

type Setting = Parameters<typeof webKeys>[0]
const NO_BODY = Buffer.alloc(0)

function setUp(setting: Setting = {}) {
  const { keys, asked } = webKeys(setting)
  const handlers = createRemoteConfig(keys)
  const ask = async (
    as: 'json' | 'script',
    token: string,
    headers: Record<string, string> = {},
  ): Promise<HttpReply> => {
    const path = `/array/${encodeURIComponent(token)}/config`
    const request = requestOf('GET', path, { anonymous: true, headers })
    return await handlers[as](request, NO_BODY, { token })
  }
  return { ask, asked }
}

t.test('a token that is no project key is 404 and is not kept', async (t) => {
  const { ask, asked } = setUp()
  const odd = [
    '',
    ' ',
    'phc_other',
    'phx_personal',
    'p'.repeat(201),
    'é',
    'a\nb',
    '__proto__',
    '%00',
  ]
  for (const token of odd) {
    for (const as of ['json', 'script'] as const) {
      const reply = await ask(as, token, { origin: 'https://app.example.com' })
      t.equal(reply.status, 404, `${as} ${token}`)
      t.match(bodyOf(reply), { type: 'invalid_request', code: 'not_found', attr: undefined })
      t.equal(headerOf(reply, 'Cache-Control'), 'no-store')
      t.equal(headerOf(reply, 'Access-Control-Allow-Origin'), 'https://app.example.com')
    }
  }
  t.strictSame([...new Set(asked)], ['phc_other', '__proto__', '%00'], 'the others cannot be keys')
})

t.test('503 while nobody can tell whose token it is', async (t) => {
  const reply = await setUp({ down: true }).ask('json', TOKEN)
  t.equal(reply.status, 503)
  t.match(bodyOf(reply), { code: 'fetch_team_fail' })
  t.match(headerOf(reply, 'Retry-After'), /^\d+$/)
  t.equal(headerOf(reply, 'Cache-Control'), 'no-store')
})

t.test('the config names its token and the settings of its project', async (t) => {
  for (const capturePerformance of [true, false]) {
    const { ask } = setUp({ capturePerformance })
    const reply = await ask('json', TOKEN)
    t.equal(reply.status, 200)
    t.match(bodyOf(reply), { token: TOKEN, hasFeatureFlags: true, capturePerformance })
    t.equal(headerOf(reply, 'Content-Type'), 'application/json')
    t.equal(headerOf(reply, 'Cache-Control'), 'public, max-age=60')
    t.equal(headerOf(reply, 'X-Content-Type-Options'), 'nosniff')
  }
})

const FIELDS = { endpoint: '/s/', recorderVersion: 'v2' }

t.test(
  'sessions are recorded where the project opted in, with what pages log if it says so',
  async (t) => {
    for (const console_log of [true, false]) {
      const { ask } = setUp({ recording: { console_log, domains: [] } })
      const reply = await ask('json', TOKEN)
      const sessionRecording = { ...FIELDS, consoleLogRecordingEnabled: console_log }
      t.match(bodyOf(reply), { sessionRecording })
      t.equal(headerOf(reply, 'Cache-Control'), 'public, max-age=60')
    }
    t.match(bodyOf(await setUp().ask('json', TOKEN)), { sessionRecording: false })
  },
)

t.test(
  'sessions are recorded on pages of the domains only, known by origin or referer',
  async (t) => {
    const domains = [
      'https://app.example.com:8443/path',
      'https://*.shop.io',
      'bare.example.org',
      '',
    ]
    const { ask } = setUp({ recording: { console_log: false, domains } })
    const rows: [headers: Record<string, string>, recorded: boolean][] = [
      [{ origin: 'https://app.example.com' }, true],
      [{ origin: 'http://APP.example.com:99' }, true],
      [{ referer: 'https://app.example.com/cart?a=https://x.y' }, true],
      [{ origin: 'https://other.com', referer: 'https://eu.shop.io/' }, true],
      [{ origin: 'https://a.b.shop.io' }, true],
      [{}, false],
      [{ origin: 'null' }, false],
      [{ origin: 'https://example.com' }, false],
      [{ origin: 'https://app.example.com.evil.com' }, false],
      [{ origin: 'https://evil.com/app.example.com' }, false],
      [{ origin: 'https://app.example.com@evil.com' }, false],
      [{ origin: 'https://shop.io' }, false],
      [{ origin: 'https://eu.shop.io.evil.com' }, false],
      [{ origin: 'https://bare.example.org' }, false],
    ]
    for (const [headers, recorded] of rows) {
      const reply = await ask('json', TOKEN, headers)
      const expected = { ...FIELDS, consoleLogRecordingEnabled: false }
      const about = JSON.stringify(headers)
      t.match(bodyOf(reply), { sessionRecording: recorded ? expected : false }, about)
      t.equal(headerOf(reply, 'Cache-Control'), 'private, max-age=60', about)
      t.match(headerOf(reply, 'Vary'), /\bOrigin, Referer\b/)
    }
  },
)

t.test('the script gives a page the same config, under the token', async (t) => {
  const { ask } = setUp({ capturePerformance: true })
  const reply = await ask('script', TOKEN)
  t.equal(headerOf(reply, 'Content-Type'), 'application/javascript; charset=utf-8')
  const other = { config: {}, siteApps: [] }
  const window: Record<string, unknown> = { _POSTHOG_REMOTE_CONFIG: { other } }
  runInNewContext(String(reply.body), { window })
  const config = bodyOf(await ask('json', TOKEN))
  // Objects of another realm have other prototypes.
  t.strictSame(JSON.parse(JSON.stringify(window)), {
    _POSTHOG_REMOTE_CONFIG: { other, [TOKEN]: { config, siteApps: [] } },
  })
})

t.test('a client that has the config already is told so, until it changes', async (t) => {
  const { ask } = setUp()
  const tag = headerOf(await ask('json', TOKEN), 'ETag') ?? ''
  t.match(tag, /^"[\w-]{43}"$/)
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const reply = await ask('json', TOKEN, { 'if-none-match': sent, origin: 'https://a.example' })
    t.equal(reply.status, 304, sent)
    t.equal(reply.body, '')
    t.equal(headerOf(reply, 'ETag'), tag)
    t.equal(headerOf(reply, 'Access-Control-Allow-Origin'), 'https://a.example')
  }
  t.equal((await ask('json', TOKEN, { 'if-none-match': '"other"' })).status, 200)
  t.equal((await ask('script', TOKEN, { 'if-none-match': tag })).status, 200)
  const changed = setUp({ capturePerformance: true })
  t.equal((await changed.ask('json', TOKEN, { 'if-none-match': tag })).status, 200)
})

t.test('a cache is told that answers differ by origin, also where none was sent', async (t) => {
  const { ask } = setUp()
  const plain = await ask('script', TOKEN)
  const cors = await ask('script', TOKEN, { origin: 'https://a.example' })
  t.equal(headerOf(plain, 'Access-Control-Allow-Origin'), undefined)
  for (const reply of [plain, cors]) {
    const vary = reply.headers?.filter(([name]) => name === 'Vary')
    t.strictSame(vary, [['Vary', 'Origin, Accept-Encoding']])
  }
})
