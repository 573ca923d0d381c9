import t from 'tap'
import { createRenderers } from '../../../../gateway/rest/renderers.ts'
import { NO_SESSIONS } from '../../../../gateway/rest/session/session-cookie.ts'
import { createTranscoder } from '../../../../gateway/rest/transcode.ts'
import { AppError, type Code, type ErrorDetail } from '../../../../src/core/code.ts'
import { isObject } from '../../../../src/core/json.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { throttledDetail, validationDetail } from '../../../../src/wire/details.ts'
import { toValue } from '../../../../src/wire/proto/value.ts'
import {
  bodyErrorOf,
  bodyOf,
  headerOf,
  KEY,
  LIST,
  ONE,
  PEER,
  requestOf,
  setUp,
} from '../../../support/http/rest.ts'
import { recordingWorker } from '../../../support/workers/recording-worker.ts'

t.test('an answer has every declared field, null where it is unset', async (t) => {
  const thing = { id: 3, name: 'x', data: toValue({ __x: [1, { b: null }] }), owner: { id: 9 } }
  const { ask } = setUp(() => thing)
  const reply = await ask('GET', ONE)
  t.equal(headerOf(reply, 'content-type'), 'application/json')
  t.equal(
    reply.body,
    '{"id":3,"name":"x","note":null,"enabled":false,"checked":null,"volume":0,"rank":null,' +
      '"data":{"__x":[1,{"b":null}]},"tags":[],"owner":{"id":9,"email":null},"lastSeen":""}',
  )
})

t.test('an optional field is there when it is set, and unset messages are null', async (t) => {
  const { ask } = setUp(() => ({ secret: 'once', volume: '12', rank: 0, owner: null }))
  const reply = await ask('POST', LIST, { body: '{"name":"abc"}' })
  t.equal(reply.status, 201)
  t.match(bodyOf(reply), { secret: 'once', volume: 12, rank: 0, owner: null, data: null })
})

t.test('hostile keys of a value are shown as data', async (t) => {
  const text = '{"__proto__":{"a":1},"toJSON":"x"}'
  const { ask } = setUp(() => ({ data: toValue(JSON.parse(text)) }))
  t.match((await ask('GET', ONE)).body, text)
})

t.test('an empty answer is 204 without a body', async (t) => {
  const { ask } = setUp()
  const reply = await ask('DELETE', ONE)
  t.equal(reply.status, 204)
  t.equal(reply.body, '')
})

t.test('bulk: an array gives an array, an object gives one object', async (t) => {
  const { ask, calls } = setUp(() => ({ results: [{ id: 1 }, { id: 2 }] }))
  const path = '/api/organizations/o-1/things/bulk/'
  const many = await ask('POST', path, { body: '[{"target_email":"a@x.org"}]' })
  t.equal(many.status, 201)
  t.match(bodyOf(many), [{ id: 1 }, { id: 2 }])
  t.same(calls.pop()?.request, { things: [{ target_email: 'a@x.org' }], organization_id: 'o-1' })
  const one = await ask('POST', path, { body: '{"target_email":"a@x.org"}' })
  t.match(bodyOf(one), { id: 1 })
  t.same(calls.pop()?.request, { things: [{ target_email: 'a@x.org' }], organization_id: 'o-1' })
  await ask('POST', path, { body: '[{"target_email":"a@x.org"},{"target_email":"x"}]' })
  t.match(bodyErrorOf(calls.pop()), { code: 'invalid_input', attr: '1__target_email' })
  await ask('POST', path, { body: '{}' })
  t.match(bodyErrorOf(calls.pop()), { code: 'required', attr: 'target_email' })
  await ask('POST', path, { body: '7' })
  t.match(bodyErrorOf(calls.pop()), { code: 'invalid_input', attr: null })
})

t.test('another media type is rendered by its renderer, streamed', async (t) => {
  const { ask, calls } = setUp(() => ({ results: [] }))
  for (const sent of [
    { target: `${LIST}values/?format=csv`, headers: {} },
    { target: `${LIST}values/`, headers: { accept: 'text/csv' } },
  ]) {
    const reply = await ask('GET', sent.target, { headers: sent.headers })
    t.match(headerOf(reply, 'content-type'), 'text/csv')
    t.not(typeof reply.body, 'string')
  }
  t.strictSame(bodyOf(await ask('GET', `${LIST}values/`)), [])
  t.equal(calls.length, 3)
  t.throws(() => setUp(undefined, { renderers: {} }), /nobody renders/)
})

type PageRow = readonly [query: string, count: number, next: string | null, previous: string | null]

const PAGES: readonly PageRow[] = [
  ['', 0, null, null],
  ['', 100, null, null],
  ['', 101, 'limit=100&offset=100', null],
  ['limit=10', 25, 'limit=10&offset=10', null],
  ['limit=10&offset=10', 25, 'limit=10&offset=20', 'limit=10'],
  ['limit=10&offset=20', 25, null, 'limit=10&offset=10'],
  ['limit=10&offset=5', 25, 'limit=10&offset=15', 'limit=10'],
  ['limit=10&offset=999', 25, null, 'limit=10&offset=989'],
  ['limit=0&offset=-3', 101, 'limit=100&offset=100', null],
  ['limit=x&offset=y', 101, 'limit=100&offset=100', null],
  ['limit=9999', 501, 'limit=500&offset=500', null],
  [
    'search=a b&orderBy=["-x"]&limit=1',
    2,
    'limit=1&offset=1&orderBy=%5B%22-x%22%5D&search=a+b',
    null,
  ],
  ['z=2&z=1&a=&limit=1&limit=2', 3, 'a=&limit=2&offset=2&z=2&z=1', null],
]

t.test('pages link to their neighbours', async (t) => {
  for (const [query, count, next, previous] of PAGES) {
    const { ask } = setUp(() => ({ count, results: [] }))
    const base = 'http://sluice.test:8000/api/projects/7/things/?'
    const full = (text: string | null) => (text === null ? null : base + text)
    const reply = await ask('GET', `${LIST}?${query}`)
    const expected = { count, next: full(next), previous: full(previous), results: [] }
    t.equal(reply.body, JSON.stringify(expected), query)
  }
})

t.test('a pinned bound is carried in the links and not shown', async (t) => {
  const { ask } = setUp(() => ({ count: 9, results: [], pinned_before: '2023-01-01T00:00:00Z' }))
  const body = bodyOf(await ask('GET', `${LIST}?limit=2&offset=2&before=now`))
  const before = 'before=2023-01-01T00%3A00%3A00Z'
  t.strictSame(body, {
    count: 9,
    next: `http://sluice.test:8000${LIST}?${before}&limit=2&offset=4`,
    previous: `http://sluice.test:8000${LIST}?${before}&limit=2`,
    results: [],
  })
})

t.test('forwarded headers are believed from trusted peers only', async (t) => {
  const headers = { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'a.org, b.org' }
  const nextOf = async (trusted: boolean, sent: Record<string, string>) => {
    const trustsForwarded = (peer: string) => trusted && peer === PEER
    const { ask } = setUp(() => ({ count: 200 }), { trustsForwarded })
    const body = bodyOf(await ask('GET', LIST, { headers: sent }))
    return isObject(body) ? String(body['next']).split('/api')[0] : ''
  }
  t.equal(await nextOf(false, headers), 'http://sluice.test:8000')
  t.equal(await nextOf(true, headers), 'https://a.org')
  t.equal(await nextOf(true, { 'x-forwarded-proto': 'gopher' }), 'http://sluice.test:8000')
  t.equal(await nextOf(true, { 'x-forwarded-host': 'a"b' }), 'http://sluice.test:8000')
  t.equal(await nextOf(false, { host: 'evil"><x' }), 'http://localhost')
  t.equal(await nextOf(false, { host: '[::1]:80' }), 'http://[::1]:80')
})

type ErrorRow = readonly [code: Code, detail: ErrorDetail | undefined, status: number, body: object]

const denied = {
  type: 'authentication_error',
  code: 'permission_denied',
  detail: 'You do not have permission to perform this action.',
  attr: null,
}
const ERRORS: readonly ErrorRow[] = [
  ['unauthenticated', undefined, 401, { code: 'not_authenticated', attr: null }],
  ['permission_denied', undefined, 403, denied],
  ['not_found', undefined, 404, { code: 'not_found', detail: 'Not found.', attr: null }],
  ['invalid_argument', validationDetail('unique', 'Taken.', 'key'), 400, { attr: 'key' }],
  ['invalid_argument', undefined, 400, { type: 'validation_error', code: 'invalid_input' }],
  ['failed_precondition', { ...denied, code: 'protected_error' }, 409, { code: 'protected_error' }],
  ['already_exists', undefined, 409, { type: 'invalid_request' }],
  ['resource_exhausted', throttledDetail(17), 429, { code: 'throttled' }],
  ['unavailable', undefined, 503, { type: 'server_error', attr: null }],
  ['deadline_exceeded', undefined, 503, { type: 'server_error' }],
  ['not_owner', undefined, 503, { type: 'server_error' }],
  ['fenced', undefined, 503, { type: 'server_error' }],
  ['aborted', undefined, 503, { type: 'server_error' }],
  ['cancelled', undefined, 503, { type: 'server_error' }],
  ['unimplemented', undefined, 503, { type: 'server_error' }],
  ['internal', undefined, 500, { type: 'server_error', code: 'error', attr: null }],
  ['invalid_argument', { ...denied, httpStatus: 415 }, 415, {}],
  ['invalid_argument', { ...denied, httpStatus: 200 }, 400, {}],
]

t.test("a worker's failure becomes the documented status and body", async (t) => {
  for (const [code, detail, status, body] of ERRORS) {
    const { ask } = setUp(() => {
      throw new AppError(code, 'select secret from users', { detail })
    })
    const reply = await ask('GET', ONE)
    t.equal(reply.status, status, code)
    t.match(bodyOf(reply), body, code)
    t.notMatch(reply.body, /select secret/)
    const retry = status === 429 ? '17' : status === 503 ? '1' : undefined
    t.equal(headerOf(reply, 'retry-after'), retry)
  }
})

t.test('attr is absent where the detail leaves it out', async (t) => {
  const detail = { type: 'authentication_error', code: 'invalid_personal_api_key', detail: 'x' }
  const { ask } = setUp(() => {
    throw new AppError('unauthenticated', 'bad key', { detail })
  })
  t.strictSame(bodyOf(await ask('GET', ONE)), detail)
})

t.test('anything thrown is a 500 that says nothing and is logged once', async (t) => {
  const logged: unknown[] = []
  const log = { ...silentLog, error: (...line: unknown[]) => logged.push(line) }
  for (const thrown of [new Error('row 17'), 'row 17', undefined]) {
    const { ask } = setUp(() => Promise.reject(thrown), { log })
    const reply = await ask('GET', `${ONE}?personal_api_key=${KEY}`)
    t.equal(reply.status, 500)
    t.strictSame(bodyOf(reply), {
      type: 'server_error',
      code: 'error',
      detail: 'A server error occurred.',
      attr: null,
    })
  }
  t.equal(logged.length, 3)
  t.notMatch(JSON.stringify(logged), KEY)
})

t.test('the contract of the product can be served, and its routes listed', async (t) => {
  const { worker, calls } = recordingWorker(() => ({ count: 0, results: [] }))
  const renderers = createRenderers(unused, NO_SESSIONS)
  const deps = { worker, log: silentLog, trustsForwarded: () => false, renderers }
  const transcoder = createTranscoder(deps)
  t.ok(transcoder.serves('/api/projects/@current/feature_flags/'))
  t.notOk(transcoder.serves('/api/nothing/'))
  t.ok(transcoder.routes().some((route) => route.template === '/api/projects/{id}/'))
  const request = requestOf('PATCH', '/api/projects/7/', { body: '{"name":"x"}' })
  await transcoder.handle(request, Buffer.from('{"name":"x"}'))
  t.match(calls[0], { request: { name: 'x', id: '7' }, options: { projectId: 7 } })
})

/** The renderer of streams, which these calls do not reach. */
async function unused(): Promise<never> {
  throw new Error('a stream was asked for')
}
