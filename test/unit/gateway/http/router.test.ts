import fc from 'fast-check'
import t from 'tap'
import { createRouter } from '../../../../gateway/http/router.ts'

const router = createRouter([
  { method: 'POST', path: '/batch', handler: 'batch', preflight: true },
  { method: 'GET', path: '/', handler: 'root' },
  { method: 'GET', path: '/decide/', handler: 'decide config' },
  { method: 'POST', path: '/decide/', handler: 'decide', preflight: true },
  { method: 'GET', path: '/array/:token/config', handler: 'config' },
  { method: 'GET', path: '/array/:token/config.js', handler: 'config script' },
  { method: 'GET', path: '/api/users/@me/', handler: 'me' },
  { method: 'PATCH', path: '/api/users/:uuid/', handler: 'user' },
  { method: 'DELETE', path: '/api/users/:id/', handler: 'remove user' },
  { method: 'GET', path: '/console/*file', handler: 'console' },
  { method: 'OPTIONS', path: '/own', handler: 'own options' },
  { method: 'POST', path: '/own', handler: 'own', preflight: true },
])

const found = (handler: string, params: Record<string, string> = {}) => ({
  kind: 'found',
  handler,
  params,
})

t.test('a parameter that is not percent-encoded UTF-8 is a bad path', async (t) => {
  for (const bad of ['%', '%2', '%zz', '%ff', '%c3%28', '%ed%a0%80']) {
    t.match(router.match('GET', `/array/${bad}/config`), { kind: 'bad_path' }, bad)
  }
})

t.test('an unknown path is not found, whatever its shape', async (t) => {
  const paths = ['/nope', '//', '//batch', '/batch//', '/array//config', '/array/a/b/config', '']
  for (const path of [...paths, '/console', '/console/', '/array/x', '/BATCH', '/__proto__']) {
    t.match(router.match('GET', path), { kind: 'not_found' }, path)
  }
})

t.test(
  'a fixed path is one look-up, with and without a slash, and no path beside it',
  async (t) => {
    for (const [method, path] of [
      ['POST', '/batch'],
      ['POST', '/decide'],
      ['GET', '/api/users/@me'],
    ] as const) {
      const match = router.match(method, path)
      t.equal(match.kind, 'found', path)
      // A walk of the tree would make another answer each time.
      t.equal(router.match(method, path), match, `${path} is looked up`)
      const slashed = router.match(method, `${path}/`)
      t.same(slashed, match)
      t.equal(router.match(method, `${path}/`), slashed, `${path}/ is looked up`)
      const [shorter, longer] = [path.slice(0, -1), `${path}x`]
      for (const beside of [shorter, `${shorter}/`, longer, `${path}//`]) {
        t.not(router.match(method, beside), match, beside)
        t.notMatch(router.match(method, beside), { kind: 'found', params: {} }, beside)
      }
    }
    t.equal(router.match('GET', '/'), router.match('GET', '/'))
  },
)

t.test('a known path with another method says which ones it allows', async (t) => {
  t.same(router.match('PUT', '/batch/'), { kind: 'method_not_allowed', allow: 'OPTIONS, POST' })
  t.same(router.match('HEAD', '/array/x/config'), { kind: 'method_not_allowed', allow: 'GET' })
  t.same(router.match('constructor', '/batch'), {
    kind: 'method_not_allowed',
    allow: 'OPTIONS, POST',
  })
})

t.test('methods of every pattern that fits the path are allowed together', async (t) => {
  t.same(router.match('POST', '/api/users/@me'), {
    kind: 'method_not_allowed',
    allow: 'DELETE, GET, PATCH',
  })
})

t.test('a trailing slash makes no difference', async (t) => {
  for (const path of ['/batch', '/batch/']) t.same(router.match('POST', path), found('batch'))
  for (const path of ['/decide', '/decide/']) t.same(router.match('POST', path), found('decide'))
  for (const path of ['/array/k/config', '/array/k/config/']) {
    t.same(router.match('GET', path), found('config', { token: 'k' }))
  }
  t.same(router.match('GET', '/'), found('root'))
})

t.test('a fixed segment outranks a parameter, but not for a method it lacks', async (t) => {
  t.same(router.match('GET', '/api/users/@me'), found('me'))
  t.same(router.match('PATCH', '/api/users/@me'), found('user', { uuid: '@me' }))
  t.same(router.match('DELETE', '/api/users/7'), found('remove user', { id: '7' }))
})

t.test('preflight goes to the route that asks for it, unless OPTIONS has its own', async (t) => {
  t.same(router.match('OPTIONS', '/batch'), found('batch'))
  t.same(router.match('OPTIONS', '/own'), found('own options'))
  t.match(router.match('OPTIONS', '/array/k/config'), { kind: 'method_not_allowed' })
})

t.test('the rest of a path is one parameter, with its slashes', async (t) => {
  t.same(router.match('GET', '/console/a/b%20c.js'), found('console', { file: 'a/b c.js' }))
})

t.test('any text survives as a parameter', async (t) => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 })
  fc.assert(
    fc.property(text, (token) => {
      const match = router.match('GET', `/array/${encodeURIComponent(token)}/config`)
      t.same(match, found('config', { token }))
    }),
  )
})

t.test('no path makes the router throw', async () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (method, path) => {
      router.match(method, `/${path}`)
    }),
  )
})

t.test('a table that contradicts itself is refused', async (t) => {
  const handler = 'h'
  const twice = [
    { method: 'GET', path: '/a/:x', handler },
    { method: 'GET', path: '/a/:y/', handler },
  ] as const
  t.throws(() => createRouter(twice), /two routes/)
  t.throws(() => createRouter([{ method: 'GET', path: 'a', handler }]), /slash/)
  t.throws(() => createRouter([{ method: 'GET', path: '/*a/b', handler }]), /last/)
  t.throws(() => createRouter([{ method: 'GET', path: '/:a/:a', handler }]), /names/)
})
