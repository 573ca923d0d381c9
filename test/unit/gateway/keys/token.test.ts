import fc from 'fast-check'
import t from 'tap'
import { NO_FIELDS } from '../../../../gateway/body/form.ts'
import { findToken, type TokenSource } from '../../../../gateway/keys/token.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

function find(payload: unknown, source: Partial<TokenSource> = {}) {
  return findToken({
    method: 'POST',
    query: '',
    form: NO_FIELDS,
    authorization: '',
    thirdParty: 'never',
    ...source,
    payload,
  })
}

t.test('a key of the wrong shape is refused without a lookup', async (t) => {
  const rows: [string, unknown, string][] = [
    ['no key', { event: 'e' }, 'missing'],
    ['null', { token: null, api_key: null }, 'missing'],
    ['empty', { api_key: '' }, 'missing'],
    ['blank', { api_key: '  ' }, 'missing'],
    ['a number', { api_key: 5 }, 'not_string'],
    ['an object', { api_key: {} }, 'not_string'],
    ['201 characters', { api_key: 'k'.repeat(201) }, 'too_long'],
    ['not ASCII', { api_key: 'phc_é' }, 'not_ascii'],
    ['with a NUL', { api_key: 'phc_\0' }, 'not_ascii'],
    ['with a space inside', { api_key: 'phc _' }, 'not_ascii'],
    ['an empty array', [], 'missing'],
    ['an array of scalars', [1, 'phc_1'], 'missing'],
    ['no key in the first item', [{}, { token: 'phc_1' }], 'missing'],
    ['two keys in an array', [{ token: 'a' }, {}, { properties: { token: 'b' } }], 'conflicting'],
    ['a scalar payload', 'phc_1', 'missing'],
  ]
  for (const [name, payload, reason] of rows) {
    t.same(find(payload), { kind: 'refused', reason, isPersonal: false }, name)
  }
  for (const rest of ['k'.repeat(197), 'é', ' _']) {
    t.match(find({ api_key: `phx_${rest}` }), { kind: 'refused', isPersonal: true }, rest)
  }
})

t.test('the first place that holds a key wins', async (t) => {
  const form = { ...NO_FIELDS, apiKey: 'form-key', token: 'form-token' }
  const all = {
    $token: 'dollar',
    token: 'token',
    api_key: 'api-key',
    properties: { token: 'inner' },
  }
  const last = { thirdParty: 'last' } as const
  const user = { authorization: basic('user:') }
  const rows: [string, unknown, Partial<TokenSource>, string][] = [
    ['form api_key', all, { form }, 'form-key'],
    ['form token', all, { form: { ...form, apiKey: '' } }, 'form-token'],
    ['$token', all, {}, 'dollar'],
    ['token', { ...all, $token: null }, {}, 'token'],
    ['api_key', { ...all, $token: '', token: null }, {}, 'api-key'],
    ['properties.token', { properties: { token: 'inner' } }, {}, 'inner'],
    ['first item', [{ properties: { token: 'inner' } }, { token: 'inner' }], {}, 'inner'],
    ['envelope', { api_key: 'envelope', batch: [{ token: 'item' }] }, {}, 'envelope'],
    ['item of an envelope', { batch: [{ properties: { token: 'item' } }] }, {}, 'item'],
    ['trimmed', { api_key: ' phc_1\n' }, {}, 'phc_1'],
    ['200 characters', { api_key: 'k'.repeat(200) }, {}, 'k'.repeat(200)],
    ['query of a GET', all, { method: 'GET', query: 'token=q&api_key=r', form }, 'q'],
    ['second query of a GET', all, { method: 'GET', query: 'xtoken=q&api_key=r' }, 'r'],
    ['query of a POST is not read', all, { query: 'token=q' }, 'dollar'],
    ['Basic', all, { thirdParty: 'first', authorization: basic('user:pass') }, 'user'],
    [
      'Basic without a password',
      all,
      { thirdParty: 'first', authorization: basic('user') },
      'user',
    ],
    [
      'writeKey',
      { ...all, writeKey: 'w' },
      { thirdParty: 'first', authorization: 'Bearer x' },
      'w',
    ],
    [
      'writeKey of a query comes before the body',
      { ...all, writeKey: 'w' },
      { thirdParty: 'first', query: 'writeKey=q' },
      'q',
    ],
    ['writeKey elsewhere', { ...all, writeKey: 'w' }, { authorization: basic('user:') }, 'dollar'],
    ['an own key before theirs', { ...all, writeKey: 'w' }, { ...last, ...user }, 'dollar'],
    [
      'without one theirs',
      { batch: [{ event: 'e' }], writeKey: 'w' },
      { ...last, ...user },
      'user',
    ],
    ['without Basic the writeKey', { event: 'e', writeKey: 'w' }, last, 'w'],
    [
      'Basic of nothing',
      { writeKey: 'w' },
      { thirdParty: 'first', authorization: basic(':') },
      'w',
    ],
  ]
  for (const [name, payload, source, token] of rows) t.match(find(payload, source), { token }, name)
})

t.test('project_id is told apart for a key that turns out to be personal', async (t) => {
  const rows: [unknown, string, unknown][] = [
    [undefined, '', { kind: 'absent' }],
    [null, '', { kind: 'absent' }],
    ['', '', { kind: 'absent' }],
    [7, '', { kind: 'id', id: 7 }],
    ['7', '', { kind: 'id', id: 7 }],
    [7, 'project_id=8', { kind: 'id', id: 7 }],
    [undefined, 'project_id=8', { kind: 'id', id: 8 }],
    [2_147_483_647, '', { kind: 'id', id: 2_147_483_647 }],
    [2_147_483_648, '', { kind: 'unknown' }],
    ['99999999999999999999999', '', { kind: 'unknown' }],
    [0, '', { kind: 'unknown' }],
    ['-5', '', { kind: 'unknown' }],
    ['abc', '', { kind: 'invalid' }],
    [1.5, '', { kind: 'invalid' }],
    ['1e3', '', { kind: 'invalid' }],
    [true, '', { kind: 'invalid' }],
    [[7], '', { kind: 'invalid' }],
    [undefined, 'project_id=x', { kind: 'invalid' }],
  ]
  for (const [project_id, query, project] of rows) {
    t.match(find({ api_key: 'phx_1', project_id }, { query }), { isPersonal: true, project })
  }
  const form = { ...NO_FIELDS, projectId: '9' }
  t.match(find({ api_key: 'k' }, { form, query: 'project_id=1' }), {
    isPersonal: false,
    project: { kind: 'id', id: 9 },
  })
})

t.test('whatever a request holds, what is found has the shape of a key', async (t) => {
  const key = fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength: 195, maxLength: 205 }) },
    { weight: 4, arbitrary: fc.string({ maxLength: 20, unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  const fields = fc.record(
    {
      $token: key,
      token: key,
      api_key: key,
      writeKey: key,
      properties: fc.oneof(fc.record({ token: key }), fc.jsonValue()),
      batch: fc.array(fc.oneof(fc.record({ api_key: key }), fc.jsonValue()), { maxLength: 2 }),
      project_id: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const payload = fc.oneof(fields, fc.array(fields, { maxLength: 3 }), fc.jsonValue())
  const text = fc.oneof(fc.string(), fc.string().map(basic), fc.constant(''))
  const thirdParty = fc.constantFrom<TokenSource['thirdParty'][]>('first', 'last', 'never')
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(payload, text, thirdParty, fc.constantFrom('GET', 'POST'), (...asked) => {
      const [payload, authorization, thirdParty, method] = asked
      const query = `token=${encodeURIComponent(authorization)}`
      const answer = find(payload, { authorization, thirdParty, method, query })
      const kind = answer.kind === 'refused' ? answer.reason : answer.kind
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      return answer.kind === 'refused' || /^[!-~]{1,200}$/.test(answer.token)
    }),
    { numRuns: 5_000 },
  )
  for (const kind of ['candidate', 'missing', 'not_string', 'too_long', 'not_ascii']) {
    t.ok((seen.get(kind) ?? 0) > 10, `${kind} is among ${JSON.stringify([...seen])}`)
  }
})
