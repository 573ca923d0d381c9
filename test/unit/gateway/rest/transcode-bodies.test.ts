import t from 'tap'
import { AppError } from '../../../../src/core/code.ts'
import { BODY_BYTES_MAX } from '../../../../src/core/limits/limits.ts'
import { bodyErrorOf, LIST, ONE, requestOf, setUp } from '../../../support/http/rest.ts'
import { countTurns } from '../../../support/turns.ts'

type BodyRow = readonly [body: string, contentType: string | undefined, error: object]

const PARSE = { stage: 'parse', type: 'invalid_request', code: 'parse_error', attr: null }
const MULTIPART = 'multipart/form-data; boundary=b'
const BAD_BODIES: readonly BodyRow[] = [
  ['{', undefined, PARSE],
  [' ', undefined, PARSE],
  ['{"a":NaN}', undefined, PARSE],
  ['[', undefined, PARSE],
  [`${'['.repeat(65)}${']'.repeat(65)}`, undefined, PARSE],
  [`${'{"a":'.repeat(20_000)}`, undefined, PARSE],
  ['x', MULTIPART, PARSE],
  ['--b\r\nno end', MULTIPART, PARSE],
  ['--b\r\n\r\nnameless\r\n--b--', MULTIPART, PARSE],
  ['x', 'multipart/form-data', PARSE],
  ['&'.repeat(2_000), 'application/x-www-form-urlencoded', PARSE],
  ['x', 'text/plain', { stage: 'parse', code: 'unsupported_media_type', httpStatus: 415 }],
  ['x', 'text/plain', { detail: 'Unsupported media type "text/plain" in request.' }],
  [
    '[1]',
    undefined,
    { stage: 'fields', detail: 'Invalid data. Expected a dictionary, but got list.' },
  ],
  ['"x"', undefined, { stage: 'fields', code: 'invalid_input', attr: null }],
  ['{"name":""}', undefined, { stage: 'fields', code: 'blank', attr: 'name' }],
  ['{"name":"abc","kind":"é😀"}', undefined, { detail: '"é😀" is not a valid choice.' }],
]

t.test('a wrong body goes along for the worker to raise in its turn', async (t) => {
  const { ask, calls } = setUp(() => {
    throw new AppError('permission_denied', 'not allowed')
  })
  for (const [body, contentType, error] of BAD_BODIES) {
    const headers: Record<string, string> = {}
    if (contentType !== undefined) headers['content-type'] = contentType
    const reply = await ask('POST', LIST, { headers, body })
    const call = calls.pop()
    t.equal(reply.status, 403, 'permissions come first')
    t.strictSame(call?.request, { project_id: '7' }, 'nothing but the path goes along')
    t.match(bodyErrorOf(call), error, body.slice(0, 30))
    t.match(call?.options.metadata['x-sluice-body-error'], /^[\x20-\x7e]{1,2000}$/)
  }
})

t.test('a caller who may not call is refused before the body comes', async (t) => {
  const refused = setUp(() => {
    throw new AppError('unauthenticated', 'no such key')
  })
  const judge = (target: string, headers: Record<string, string>, anonymous = true) =>
    refused.transcoder.judge(requestOf('POST', target, { headers, anonymous }))
  t.match(await judge(LIST, { authorization: 'Bearer phx_nobody' }), { status: 401 })
  t.match(await judge(`${LIST}?personal_api_key=phx_nobody`, {}), { status: 401 })
  t.same(
    refused.calls.map(({ method, request }) => [method, request]),
    Array.from({ length: 2 }, () => ['CheckAccess', { project_id: '7', organization_id: '' }]),
  )
  t.match(await judge(LIST, { authorization: 'Bearer a b' }), { status: 401 }, 'no key at all')
  const tooLarge = { 'content-length': String(BODY_BYTES_MAX + 1) }
  t.match(await judge(LIST, tooLarge), { status: 413 })
  t.equal(refused.calls.length, 2)
  t.equal(await judge(LIST, {}), undefined, 'the body may hold the key')
  const accepted = setUp()
  t.equal(await accepted.transcoder.judge(requestOf('POST', LIST, {})), undefined)
})

t.test('a body that is not UTF-8 is no JSON', async (t) => {
  const { ask, calls } = setUp()
  const headers = { 'content-type': 'application/json' }
  await ask('POST', LIST, { headers, body: Buffer.from([0x22, 0xff, 0x22]) })
  t.match(bodyErrorOf(calls[0]), PARSE)
})

t.test('a wrong query parameter goes along too', async (t) => {
  const { ask, calls } = setUp()
  await ask('GET', `${LIST}?event_type=odd&limit=5`)
  t.strictSame(calls[0]?.request, { project_id: '7' })
  t.match(bodyErrorOf(calls[0]), { stage: 'fields', code: 'invalid_choice', attr: 'event_type' })
})

t.test('nothing of the body reaches metadata that a caller sends itself', async (t) => {
  const { ask, calls } = setUp()
  await ask('GET', ONE, { headers: { 'x-sluice-body-error': '{"stage":"parse"}' } })
  t.strictSame(Object.keys(calls[0]?.options.metadata ?? {}), ['authorization'])
})

t.test('a body over the limit is 413; a large one waits for its sender to be known', async (t) => {
  const refuse = setUp(() => {
    throw new AppError('unauthenticated', 'bad key')
  })
  t.equal((await refuse.ask('POST', LIST, { body: 'x'.repeat(20_971_521) })).status, 413)
  t.strictSame(refuse.calls, [])
  t.equal((await refuse.ask('POST', LIST, { body: `{"a":"${'x'.repeat(300_000)}` })).status, 401)
  t.strictSame(
    refuse.calls.map((call) => call.method),
    ['CheckAccess'],
  )
})

t.test('members that nobody reads cost nothing, however many they are', async (t) => {
  const { ask, calls } = setUp()
  const junk = Array.from({ length: 30_000 }, () => 0)
  const body = JSON.stringify({ name: 'abc', junk, personal_api_key: 'phx_other' })
  t.equal((await ask('POST', LIST, { body })).status, 201)
  t.match(calls.pop()?.request, { name: 'abc' })
  await ask('POST', LIST, { body: JSON.stringify({ name: 'abc', any: junk }) })
  t.match(bodyErrorOf(calls.pop()), { ...PARSE, detail: /more than 20000 values/ })
  const bulk = JSON.stringify(junk)
  await ask('POST', '/api/organizations/o-1/things/bulk/', { body: bulk })
  t.match(bodyErrorOf(calls.pop()), PARSE)
})

t.test('large texts are read by the reader for them, forms of files are not', async (t) => {
  const read: unknown[] = []
  const { ask, calls } = setUp(() => ({}), {
    async readLarge(body, { contentType, wanted }) {
      read.push([body.length, contentType, wanted?.includes('name')])
      return { ok: true, value: { kind: 'json', body: { name: 'large' } } }
    },
  })
  const large = 'x'.repeat(200_000)
  await ask('POST', LIST, { body: JSON.stringify({ name: large }) })
  t.match(calls.pop()?.request, { name: 'large' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await ask('POST', LIST, { headers, body: `name=${large}` })
  t.strictSame(read, [
    [200_011, 'application/json', true],
    [200_005, 'application/x-www-form-urlencoded', true],
  ])
  const part = '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nabc\r\n'
  const file = `--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n${large}\r\n--b--`
  await ask('POST', LIST, { headers: { 'content-type': MULTIPART }, body: part + file })
  t.match(calls.pop()?.request, { name: 'abc' })
  await ask('POST', LIST, { body: '{"name":"abc"}' })
  t.equal(read.length, 2, 'nor are small ones')
})

t.test('large bodies that are read at a time are bound in a turn each', async (t) => {
  const turns = countTurns()
  t.teardown(turns.end)
  const called: number[] = []
  const { ask } = setUp(
    ({ method }) => {
      if (method !== 'CheckAccess') called.push(turns.count())
      return {}
    },
    { readLarge: async () => ({ ok: true, value: { kind: 'json', body: { name: 'large' } } }) },
  )
  const body = JSON.stringify({ name: 'x'.repeat(200_000) })
  await Promise.all(Array.from({ length: 4 }, () => ask('POST', LIST, { body })))
  t.equal(called.length, 4)
  t.equal(new Set(called).size, 4, 'no two of them in one turn')
})

t.test('a large body that cannot be read right now is 503', async (t) => {
  const { ask } = setUp(() => ({}), {
    readLarge: () => Promise.reject(new AppError('unavailable', 'full')),
  })
  const reply = await ask('POST', LIST, { body: `{"name":"${'x'.repeat(200_000)}"}` })
  t.equal(reply.status, 503)
})
