/** Sessions: signing in and out by the cookie, and what refuses one. */
import t, { type Test } from 'tap'
import { isObject } from '../../../src/core/json.ts'
import { type Product, startStandalone } from '../../support/servers/product.ts'

t.test('a new password ends all sessions but the one that sets it', async (t) => {
  const product = await startStandalone(t)
  const password = async (body: object, headers: Record<string, string>) =>
    await call(product, 'PATCH', '/api/users/@me/', { body, headers })
  const signIn = async (body: object) => {
    const begun = await call(product, 'POST', '/api/login/', { body })
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return { cookie, 'x-csrf-token': String(begun.body['csrf_token']), status: begun.status }
  }
  const isSignedIn = async ({ cookie }: { readonly cookie: string }) =>
    (await call(product, 'GET', '/api/session/', { headers: { cookie } })).body['user'] !== null
  const byKey = { authorization: `Bearer ${product.personalKey}` }

  const first = await password({ password: 'correct horse' }, byKey)
  t.match(first, { status: 200, body: { has_password: true } }, 'there was none to say')
  const { email } = first.body
  const old = { email, password: 'correct horse' }
  const [here, there] = [await signIn(old), await signIn(old)]
  t.equal(here.status, 200)
  const { status: _status, ...headers } = here
  const sessions = await fetch(`${product.url}/api/users/@me/sessions/`, { headers })
  const listed: unknown = await sessions.json()
  t.match(listed, [{ is_current: false }, { is_current: true, key_id: null }])

  // Before the first wrong try, which counts for a minute: ten at once take a busy machine long.
  await comeTogether(t, product, old)
  const next = 'battery staple'
  const wants = (current: object) => password({ password: next, ...current }, headers)
  const refused = (code: string) => ({ status: 400, body: { code, attr: 'current_password' } })
  t.match(await wants({}), refused('required'))
  t.match(await wants({ current_password: 'wrong' }), refused('invalid_input'))
  t.ok(await isSignedIn(there), 'nothing has changed')
  t.equal((await wants({ current_password: 'correct horse' })).status, 200)
  t.strictSame([await isSignedIn(here), await isSignedIn(there)], [true, false])
  t.equal((await signIn(old)).status, 401)
  t.equal((await signIn({ email, password: next })).status, 200)

  // One of five tries is gone; the right one took none.
  for (let tries = 1; tries < 5; tries++) {
    t.match(await wants({ current_password: 'wrong' }), refused('invalid_input'))
  }
  t.equal((await wants({ current_password: next })).status, 429)
})

t.test(
  'failed tries of another network keep nobody out, nor those beside a known browser',
  async (t) => {
    const product = await startStandalone(t, { TRUSTED_PROXIES: '127.0.0.1' })
    const authorization = `Bearer ${product.personalKey}`
    const password = 'correct horse'
    const me = { body: { password }, headers: { authorization } }
    const { email } = (await call(product, 'PATCH', '/api/users/@me/', me)).body
    const signIn = (from: string, given: string, cookie = '') =>
      call(product, 'POST', '/api/login/', {
        body: { email, password: given },
        headers: { 'x-forwarded-for': from, cookie },
      })
    const known = await signIn('10.0.0.1', password)
    const written = known.headers.getSetCookie()[1] ?? ''
    t.match(written, /^sluice_browser=[\w.-]{87}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=S/)
    const cookie = written.split(';')[0] ?? ''

    for (let tries = 0; tries < 5; tries++) {
      t.equal((await signIn('10.0.0.9', 'wrong')).status, 401)
    }
    t.equal((await signIn('10.0.0.9', password)).status, 429)
    t.equal((await signIn('10.0.0.1', password)).status, 200, 'another network')
    t.equal((await signIn('10.0.0.9', password, cookie)).status, 200, 'a known browser')
    const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    t.equal((await signIn('10.0.0.9', password, forged)).status, 429, 'not proven')

    for (let tries = 0; tries < 5; tries++) {
      t.equal((await signIn('10.0.0.9', 'wrong', cookie)).status, 401)
    }
    t.equal((await signIn('10.0.0.9', password, cookie)).status, 429, 'its own tries are bounded')
  },
)

t.test('a session over uWebSockets.js', (t) => signsIn(t, 'uws'))
t.test('a session over node:http', (t) => signsIn(t, 'node'))

type Sent = { body?: object; headers?: Record<string, string>; raw?: string; type?: string }
type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

async function call({ url }: Product, verb: string, path: string, sent: Sent = {}) {
  const { body, raw, type = 'application/json', headers = {} } = sent
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const reply = await fetch(`${url}${path}`, {
    method: verb,
    headers: { ...(text === undefined ? {} : { 'content-type': type }), ...headers },
    ...(text === undefined ? {} : { body: text }),
  })
  const answer = await reply.text()
  const json: unknown = answer === '' ? {} : JSON.parse(answer)
  return { status: reply.status, body: isObject(json) ? json : {}, headers: reply.headers }
}

async function signsIn(t: Test, server: string): Promise<void> {
  const product = await startStandalone(t, { HTTP_SERVER: server, API_CORS_ORIGINS: '*' })
  t.same((await call(product, 'GET', '/api/session/')).body, { user: null })
  const login = { personal_api_key: product.personalKey }
  const begun = await call(product, 'POST', '/api/login/', { body: login })
  t.equal(begun.status, 200)
  t.notOk('session_token' in begun.body, 'the secret is in the cookie alone')
  const written = begun.headers.get('set-cookie') ?? ''
  t.match(
    written,
    /^sluice_session=[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=S/,
  )
  const cookie = written.split(';')[0] ?? ''
  const csrf = String(begun.body['csrf_token'])
  await reads(t, product, cookie)
  await refuses(t, product, cookie, csrf)
  await ends(t, product, cookie, csrf)
}

async function reads(t: Test, product: Product, cookie: string): Promise<void> {
  const headers = { cookie }
  const shown = await call(product, 'GET', '/api/session/', { headers })
  t.match(shown.body, { user: { is_staff: true }, project_id: Number, scopes: ['*'] })
  const flags = await call(product, 'GET', '/api/projects/@current/feature_flags/', { headers })
  t.equal(flags.status, 200)
  t.notOk(flags.headers.get('access-control-allow-origin'), 'no page of another origin reads it')
  const both = { cookie, authorization: 'Bearer phx_nobody_has_this_one' }
  t.equal((await call(product, 'GET', '/api/users/@me/', { headers: both })).status, 401)
  const decide = await call(product, 'POST', '/decide/?v=2', {
    body: { distinct_id: 'me' },
    headers,
  })
  t.equal(decide.status, 401, 'public routes never read it')
}

async function refuses(t: Test, product: Product, cookie: string, csrf: string): Promise<void> {
  const at = '/api/projects/@current/feature_flags/'
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]
  for (const headers of foreign) {
    const sent = { cookie, 'x-csrf-token': csrf, ...headers }
    const shown = await call(product, 'GET', at, { headers: sent })
    t.match(shown, { status: 401, body: { code: 'not_authenticated' } }, JSON.stringify(headers))
    const login = { body: { personal_api_key: product.personalKey }, headers }
    const begun: Answer = await call(product, 'POST', '/api/login/', login)
    t.match(begun, { status: 403, body: { code: 'permission_denied' } }, 'nor is anybody signed in')
    t.notOk(begun.headers.get('access-control-allow-origin'))
    const left = await call(product, 'POST', '/api/logout/', { headers: sent })
    t.equal(left.status, 401)
  }
  const own = { origin: product.url, cookie }
  const body = { key: 'by-session' }
  for (const token of [{}, { 'x-csrf-token': 'wrong' }]) {
    const headers = { ...own, ...token }
    const refused = { status: 403, body: { code: 'permission_denied' } }
    t.match(await call(product, 'POST', at, { body, headers }), refused)
    t.match(await call(product, 'POST', '/api/logout/', { headers }), refused)
  }
  const headers = { ...own, 'x-csrf-token': csrf }
  t.equal((await call(product, 'POST', at, { body, headers })).status, 201)
  const form = { raw: `personal_api_key=${product.personalKey}`, type: FORM }
  t.equal((await call(product, 'POST', '/api/login/', form)).status, 415)
}

const FORM = 'application/x-www-form-urlencoded'

/** A right password is let in, however many sign in at the same moment. */
async function comeTogether(t: Test, product: Product, login: object): Promise<void> {
  const all = Array.from({ length: 10 }, () =>
    call(product, 'POST', '/api/login/', { body: login }),
  )
  for (const { status } of await Promise.all(all)) t.equal(status, 200)
}

async function ends(t: Test, product: Product, cookie: string, csrf: string): Promise<void> {
  const headers = { cookie, 'x-csrf-token': csrf }
  const left = await call(product, 'POST', '/api/logout/', { headers })
  t.equal(left.status, 204)
  t.match(left.headers.get('set-cookie'), /^sluice_session=; Path=\/; Max-Age=0/)
  t.equal((await call(product, 'GET', '/api/users/@me/', { headers })).status, 401)
  t.same((await call(product, 'GET', '/api/session/', { headers })).body, { user: null })
  const login = { email: 'nobody@example.com', password: 'wrong password' }
  for (let tries = 0; tries < 5; tries++) {
    const refused = await call(product, 'POST', '/api/login/', { body: login })
    t.match(refused, { status: 401, body: { code: 'invalid_credentials' } })
  }
  const sixth = await call(product, 'POST', '/api/login/', { body: login })
  t.equal(sixth.status, 429)
  t.ok(Number(sixth.headers.get('retry-after')) > 0)
}
