import t from 'tap'
import { JsonText, stringifyJson } from '../../../../src/wire/proto/json-text.ts'
import { bodyErrorOf, bodyOf, headerOf, KEY, PEER, setUp } from '../../../support/http/rest.ts'

const LIST = '/api/projects/7/shapes/'
const ONE = '/api/projects/7/shapes/3/'
const SIGNUP = '/api/signup/abc/'

t.test('JSON text goes into other JSON as it is', (t) => {
  const text = '{"b": 1, "a": "$& $1 \\"json-text\\""}'
  t.equal(stringifyJson({ x: [new JsonText(text), null] }), `{"x":[${text},null]}`)
  t.equal(JSON.stringify(new JsonText('[1, 2]')), '[1,2]', 'and is right elsewhere too')
  t.equal(stringifyJson({ x: 'json-text-0' }), '{"x":"json-text-0"}')
  t.throws(() => stringifyJson({ x: 1n }), TypeError)
  t.equal(stringifyJson([new JsonText('3')]), '[3]', 'after one that failed')
  t.end()
})

t.test('the alternative that is set is the whole body, with the links of the page', async (t) => {
  const raw = { results: '[{"b":1,"a":2}]', count: 500 }
  const { ask } = setUp(() => ({ count: 0, results: [], pinned_before: 'x', raw }))
  const { body } = await ask('GET', `${LIST}?limit=10`)
  t.equal(
    body,
    '{"results":[{"b":1,"a":2}],"count":500,' +
      '"next":"http://sluice.test:8000/api/projects/7/shapes/?before=x&limit=10&offset=10",' +
      '"previous":null}',
  )
})

t.test('without one the answer is as usual, and does not tell of alternatives', async (t) => {
  const { ask } = setUp(() => ({ count: 1, results: [{ id: 3 }], pinned_before: '', raw: null }))
  const body = bodyOf(await ask('GET', LIST))
  t.match(body, { count: 1, next: null, previous: null, results: [{ id: 3 }] })
  t.same(Object.keys(Object(body)), ['count', 'next', 'previous', 'results'])
})

t.test('an alternative of one object keeps its optional fields out', async (t) => {
  const answers = [
    { thing: { id: 1 }, raw: '', secret_thing: null },
    { thing: null, raw: '{"id": 2}', secret_thing: null },
    { thing: null, raw: '', secret_thing: { id: 3, secret: 's' } },
  ]
  const { ask } = setUp(() => answers.shift() ?? {})
  const usual = bodyOf(await ask('GET', ONE))
  t.match(usual, { id: 1, note: null })
  t.notOk('secret' in Object(usual))
  t.equal((await ask('GET', ONE)).body, '{"id": 2}')
  t.match(bodyOf(await ask('GET', ONE)), { id: 3, secret: 's' })
})

t.test('a conditional answer has a tag, and the same content is 304', async (t) => {
  let name = 'one'
  const { ask } = setUp(() => ({ thing: { id: 1, name } }))
  const first = await ask('GET', ONE)
  const tag = headerOf(first, 'etag') ?? ''
  t.match(tag, /^W\/"[\w-]{43}"$/)
  t.equal(headerOf(first, 'cache-control'), 'private, must-revalidate')
  const strong = tag.replace('W/', '')
  for (const known of [tag, strong, `"other", ${tag}`, '*']) {
    const again = await ask('GET', ONE, { headers: { 'if-none-match': known } })
    t.equal(again.status, 304, known)
    t.equal(again.body, '')
    t.equal(headerOf(again, 'etag'), tag)
  }
  name = 'two'
  const changed = await ask('GET', ONE, { headers: { 'if-none-match': tag } })
  t.equal(changed.status, 200)
  t.not(headerOf(changed, 'etag'), tag)
})

t.test('a public method needs no key, and is told the one of the header', async (t) => {
  const { ask, calls } = setUp(() => ({ id: 5 }))
  t.equal((await ask('GET', SIGNUP, { anonymous: true })).status, 200)
  const anonymous = calls.pop()
  t.same(anonymous?.request, { code: 'abc' })
  t.same(anonymous?.options.metadata, { 'x-sluice-client': PEER })
  t.equal((await ask('GET', SIGNUP)).status, 200)
  const known = { authorization: `Bearer ${KEY}`, 'x-sluice-client': PEER }
  t.same(calls.pop()?.options.metadata, known)
  const odd = await ask('GET', SIGNUP, { headers: { authorization: 'Bearer ä' } })
  t.equal(odd.status, 401)
  t.equal(calls.length, 0, 'what can be no key is not passed on')
  const made = await ask('POST', SIGNUP, { anonymous: true, body: '{"name":"x"}' })
  t.equal(made.status, 201)
  t.same(calls.pop()?.request, { name: 'x', code: 'abc' })
})

t.test('wrong bodies and methods of a public path need no key either', async (t) => {
  const { ask, calls } = setUp()
  await ask('POST', SIGNUP, { anonymous: true, body: '{' })
  t.match(bodyErrorOf(calls.pop()), { stage: 'parse' })
  const put = await ask('PUT', SIGNUP, { anonymous: true })
  t.equal(put.status, 405)
  t.equal(headerOf(put, 'allow'), 'GET, POST, HEAD, OPTIONS')
  t.equal((await ask('OPTIONS', SIGNUP, { anonymous: true })).status, 200)
  t.equal(calls.length, 0, 'nobody is asked about access')
})
