import t from 'tap'
import { AppError } from '../../../../src/core/code.ts'
import { isObject } from '../../../../src/core/json.ts'
import { fromValue } from '../../../../src/wire/proto/value.ts'
import { bodyErrorOf, bodyOf, headerOf, LIST, ONE, setUp } from '../../../support/http/rest.ts'

t.test('unknown routes are 404 without authentication', async (t) => {
  const { ask, calls } = setUp()
  const unknown = ['/api/', '/api/nothing/', '/api/projects//things/', '/', '', `${ONE}more/`, '//']
  for (const path of [...unknown, `/api${'/x'.repeat(500)}`, '/api/projects/7/THINGS/']) {
    const reply = await ask('GET', path, { anonymous: true })
    t.equal(reply.status, 404, path)
    t.strictSame(bodyOf(reply), {
      type: 'invalid_request',
      code: 'not_found',
      detail: 'Endpoint not found.',
      attr: null,
    })
  }
  t.strictSame(calls, [])
})

t.test('format is settled before authentication, Accept too', async (t) => {
  const { ask, calls } = setUp()
  const anonymous = true
  t.equal((await ask('GET', `${LIST}?format=xml`, { anonymous })).status, 404)
  t.equal((await ask('GET', `${LIST}?format=csv`, { anonymous })).status, 404, 'no CSV here')
  t.equal((await ask('GET', `${LIST}?format=json`, { anonymous })).status, 401)
  t.equal((await ask('GET', `${LIST}values/?format=csv`, { anonymous })).status, 401)
  const refused = await ask('GET', LIST, { anonymous, headers: { accept: 'text/html' } })
  t.equal(refused.status, 406)
  t.match(bodyOf(refused), { code: 'not_acceptable', attr: null })
  t.strictSame(calls, [])
})

t.test('Accept is matched by range, whatever the order', async (t) => {
  const { ask } = setUp()
  const rows: readonly (readonly [string, number])[] = [
    ['*/*', 200],
    ['application/*', 200],
    ['application/json; charset=utf-8', 200],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 200],
    ['', 200],
    ['APPLICATION/JSON', 200],
    ['application/json;q=0', 406],
    ['application/json;q=0, */*', 406],
    ['text/csv', 406],
    ['application/', 406],
    [`${'a/b,'.repeat(5_000)}*/*`, 406],
  ]
  for (const [accept, status] of rows) {
    const reply = await ask('GET', ONE, { headers: { accept } })
    t.equal(reply.status, status, accept.slice(0, 60))
  }
})

t.test('without a key there is a 401 that names the scheme, and no call', async (t) => {
  const { ask, calls } = setUp()
  for (const authorization of ['', 'Bearer', 'Bearer  ', 'Basic abc', 'Token x']) {
    const reply = await ask('POST', LIST, { headers: { authorization }, body: '{' })
    t.equal(reply.status, 401, authorization)
    t.equal(headerOf(reply, 'www-authenticate'), 'Bearer')
    t.match(bodyOf(reply), { code: 'not_authenticated', attr: null })
  }
  t.strictSame(calls, [])
})

t.test('a text that cannot be a key never reaches a worker', async (t) => {
  const { ask, calls } = setUp()
  for (const key of ['a b', 'clé', 'x'.repeat(201), 'a\u0001b']) {
    const reply = await ask('GET', ONE, { headers: { authorization: `Bearer ${key}` } })
    t.equal(reply.status, 401)
    t.strictSame(bodyOf(reply), {
      type: 'authentication_error',
      code: 'invalid_personal_api_key',
      detail: 'Invalid Personal API key.',
    })
  }
  t.strictSame(calls, [])
})

t.test('the first place that holds a key counts', async (t) => {
  const { ask, calls } = setUp()
  const anonymous = true
  const named = (key: string) => JSON.stringify({ name: 'abc', personal_api_key: key })
  const query = '?personal_api_key=q'
  await ask('POST', `${LIST}${query}`, {
    headers: { authorization: 'bearer  h ' },
    body: named('b'),
  })
  await ask('POST', `${LIST}${query}`, { anonymous, body: named('b') })
  await ask('POST', `${LIST}${query}`, { anonymous, body: named('') })
  await ask('POST', `${LIST}${query}`, { anonymous, body: 'not json' })
  await ask('DELETE', ONE, { anonymous, body: named('d') })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await ask('POST', LIST, { anonymous, headers: form, body: 'name=abc&personal_api_key=f' })
  const keys = calls.map((call) => call.options.metadata['authorization'])
  t.strictSame(
    keys,
    ['h', 'b', 'q', 'q', 'd', 'f'].map((key) => `Bearer ${key}`),
  )
})

t.test('path, query and body go where the annotations say', async (t) => {
  const { ask, calls } = setUp()
  await ask('GET', `${LIST}?search=a%20b&orderBy=x&type_filter=1&type_filter=2&project_id=9`)
  t.strictSame(calls.pop()?.request, {
    search: 'a b',
    order_by: 'x',
    type_filter: ['1', '2'],
    limit: 100,
    offset: 0,
    project_id: '7',
  })
  await ask('POST', `${LIST}?name=query`, { body: '{"name":"abc","project_id":"9","order":"3"}' })
  t.strictSame(calls.pop()?.request, { name: 'abc', order: 3, project_id: '7' })
  await ask('GET', '/api/projects/@current/things/a%2Fb')
  t.strictSame(calls.at(-1)?.request, { project_id: '@current', id: 'a/b' })
  t.equal(calls.pop()?.options.projectId, undefined)
  await ask('GET', '/api/things/5/')
  t.strictSame(calls.pop()?.request, { id: '5' }, 'the second binding')
  await ask('GET', ONE)
  t.equal(calls.pop()?.options.projectId, 7)
})

t.test('a path is served with and without its final slash', async (t) => {
  const { ask } = setUp()
  t.equal((await ask('GET', '/api/projects/7/things')).status, 200)
  t.equal((await ask('GET', '/api/projects/7/things/12')).status, 200)
  t.equal((await ask('GET', '/api/projects/7/things/12//')).status, 404)
})

t.test('broken escapes of a path name nothing, and break nothing', async (t) => {
  const { ask, calls } = setUp()
  for (const id of ['%zz', '%', '%ff', '%E0%A4%A']) {
    t.equal((await ask('GET', `/api/projects/7/things/${id}/`)).status, 200)
    t.match(calls.pop()?.request, { id })
  }
})

t.test('a literal segment wins over a parameter under every method', async (t) => {
  const { ask, calls } = setUp()
  t.equal((await ask('PATCH', `${LIST}rearrange/`, { body: '{"1":2}' })).status, 200)
  const call = calls.pop()
  t.equal(call?.method, 'RearrangeThings')
  t.same(fromValue(isObject(call?.request) ? call.request['orders'] : null), { 1: 2 })
  const reply = await ask('GET', `${LIST}rearrange/`)
  t.equal(reply.status, 405)
  t.equal(headerOf(reply, 'allow'), 'PATCH, OPTIONS')
})

t.test('bodies are read in three media types', async (t) => {
  const { ask, calls } = setUp()
  const form = 'application/x-www-form-urlencoded; charset=UTF-8'
  await ask('POST', LIST, { headers: { 'content-type': form }, body: 'name=a+c&enabled=on' })
  t.strictSame(calls.pop()?.request, { name: 'a c', enabled: true, project_id: '7' })
  const lines = [
    'preamble --b7',
    '--b7',
    'Content-Disposition: form-data; name="name"',
    '',
    'abc',
    '--b7',
    'Content-Disposition: form-data; name="add_attachment[geo]"; filename="g.bin"',
    'Content-Type: application/zip',
    '',
    'P\r\nK',
    '--b7--',
    '',
  ]
  const headers = { 'content-type': 'multipart/form-data; boundary=b7' }
  await ask('POST', LIST, { headers, body: lines.join('\r\n') })
  const contents = Buffer.from('P\r\nK')
  const upload = { key: 'geo', file_name: 'g.bin', content_type: 'application/zip', contents }
  t.same(calls.pop()?.request, { name: 'abc', uploads: [upload], project_id: '7' })
  await ask('POST', LIST, { body: '\ufeff{"name":"abc","name":"abd"}' })
  t.match(calls.pop()?.request, { name: 'abd' }, 'of doubled keys the last counts')
})

t.test('an empty body is an empty object, whatever its media type', async (t) => {
  const { ask, calls } = setUp()
  await ask('POST', LIST, { headers: { 'content-type': 'text/plain' }, body: Buffer.alloc(0) })
  t.match(bodyErrorOf(calls[0]), { stage: 'fields', code: 'required', attr: 'name' })
})

t.test('another method asks for access with the parents of the path, then is 405', async (t) => {
  const { ask, calls } = setUp()
  const reply = await ask('PUT', ONE, { body: '{' })
  t.equal(reply.status, 405)
  t.equal(headerOf(reply, 'allow'), 'GET, DELETE, HEAD, OPTIONS')
  t.strictSame(bodyOf(reply), {
    type: 'invalid_request',
    code: 'method_not_allowed',
    detail: 'Method "PUT" not allowed.',
    attr: null,
  })
  t.match(calls[0], { method: 'CheckAccess', request: { project_id: '7', organization_id: '' } })
  await ask('GET', '/api/organizations/o-1/things/bulk/')
  t.strictSame(calls[1]?.request, { project_id: '', organization_id: 'o-1' })
  t.equal(calls.length, 2)
})

t.test('an outsider gets 403 and an anonymous caller 401, not 405', async (t) => {
  const { ask } = setUp(() => {
    throw new AppError('permission_denied', 'outsider')
  })
  t.equal((await ask('PUT', ONE)).status, 403)
  t.equal((await ask('PUT', ONE, { anonymous: true })).status, 401)
  t.equal((await ask('OPTIONS', ONE, { anonymous: true })).status, 401)
  t.equal((await ask('OPTIONS', ONE)).status, 403)
})

t.test('OPTIONS is 200 for a known caller and HEAD is as GET', async (t) => {
  const { ask, calls } = setUp()
  const options = await ask('OPTIONS', LIST)
  t.equal(options.status, 200)
  t.equal(headerOf(options, 'allow'), 'GET, POST, HEAD, OPTIONS')
  t.equal(calls.pop()?.method, 'CheckAccess')
  const head = await ask('HEAD', ONE)
  t.equal(head.status, 200)
  t.equal(calls.pop()?.method, 'GetThing')
})
