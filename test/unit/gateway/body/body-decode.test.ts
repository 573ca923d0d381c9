import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import lzString from 'lz-string'
import t from 'tap'
import { decodeBody, decodeInline, decodeQueryData } from '../../../../gateway/body/body-decode.ts'
import { BODY_BYTES_INLINE_MAX, BODY_BYTES_MAX } from '../../../../src/core/limits/limits.ts'
import { codePoint } from '../../../support/code-points.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const EVENT = {
  event: 'paid',
  properties: { distinct_id: 'u1', token: 'phc_1', name: 'Zoë 🎉 a+b' },
}
const EVENT_TEXT = JSON.stringify(EVENT)
const EVENT_BASE64 = Buffer.from(EVENT_TEXT).toString('base64')
const EVENT_GZIP = gzipSync(EVENT_TEXT)
const EVENT_LZ = lzString.compressToBase64(EVENT_TEXT)

type Meta = { type?: string; encoding?: string; query?: string }

function decode(body: string | Uint8Array, meta: Meta = {}, bytesMax = BODY_BYTES_MAX) {
  const { type = '', encoding = '', query = '' } = meta
  return decodeBody(
    Buffer.from(typeof body === 'string' ? Buffer.from(body) : body),
    { contentType: type, contentEncoding: encoding, query },
    bytesMax,
  )
}

/** The payload, or the status and code of the refusal. */
function outcome(body: string | Uint8Array, meta: Meta = {}): unknown {
  const result = decode(body, meta)
  return result.ok ? result.value.payload : `${result.error.status} ${result.error.code}`
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

function nested(depth: number): string {
  return `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
}

t.test('bodies that cannot be read are refused with the code of their fault', async (t) => {
  const gzipType = { type: 'text/plain', query: 'compression=gzip-js' }
  const rows: [string, string | Uint8Array, Meta, string][] = [
    ['an empty body', '', {}, '400 no_data'],
    ['white space', ' \n ', {}, '400 no_data'],
    ['an empty object', '{}', {}, '400 no_data'],
    ['an empty array', '[]', {}, '400 no_data'],
    ['null', 'null', {}, '400 no_data'],
    ['a number', ' 12.5', {}, '400 no_data'],
    ['a string', '"text"', {}, '400 no_data'],
    ['NaN alone', 'NaN', {}, '400 no_data'],
    ['base64 of a number', Buffer.from('[]').toString('base64'), {}, '400 no_data'],
    ['cut JSON', '{"a":', {}, '400 invalid_payload'],
    ['a lone bracket', '[', { type: JSON_TYPE }, '400 invalid_payload'],
    ['text that is neither', 'foo', {}, '400 invalid_payload'],
    ['the literal undefined', 'undefined', {}, '400 invalid_payload'],
    ['undefined with a gzip hint', 'undefined', gzipType, '400 invalid_payload'],
    ['JSON with a gzip hint', '{"a":1}', gzipType, '400 invalid_payload'],
    ['JSON sent as Content-Encoding gzip', '{"a":1}', { encoding: 'gzip' }, '400 invalid_payload'],
    ['gzip cut short', EVENT_GZIP.subarray(0, 30), {}, '400 invalid_payload'],
    ['gzip magic alone', Buffer.from([0x1f, 0x8b]), {}, '400 invalid_payload'],
    ['deflate without a hint', deflateSync(EVENT_TEXT), {}, '400 invalid_payload'],
    ['JSON sent as deflate', EVENT_TEXT, { encoding: 'deflate' }, '400 invalid_payload'],
    ['brotli', brotliCompressSync(EVENT_TEXT), { encoding: 'br' }, '400 invalid_payload'],
    ['gzip in gzip', gzipSync(EVENT_GZIP), { encoding: 'gzip' }, '400 invalid_payload'],
    [
      'foo as lz64',
      form({ data: 'foo', compression: 'lz64' }),
      { type: FORM_TYPE },
      '400 invalid_payload',
    ],
    ['lz64 of nothing', 'Q===', { query: 'compression=lz64' }, '400 invalid_payload'],
    ['lz64 with foreign characters', 'é!', { query: 'compression=lz64' }, '400 invalid_payload'],
    ['a form without data', form({ api_key: 'k' }), { type: FORM_TYPE }, '400 no_data'],
    ['a form with empty data', 'data=&api_key=k', { type: FORM_TYPE }, '400 no_data'],
    ['a form of ampersands', '&'.repeat(300), { type: FORM_TYPE }, '400 invalid_payload'],
    ['multipart without a boundary', 'x', { type: 'multipart/form-data' }, '400 invalid_payload'],
    ['multipart without parts', 'x', { type: 'multipart/form-data; boundary=b' }, '400 no_data'],
    [
      'multipart cut short',
      '--b\r\nx',
      { type: 'multipart/form-data; boundary=b' },
      '400 invalid_payload',
    ],
    ['65 levels', nested(65), {}, '400 invalid_payload'],
    ['200,000 levels', '['.repeat(200_000), {}, '400 invalid_payload'],
    ['NaN inside a word', '{"a":NaNs}', {}, '400 invalid_payload'],
  ]
  for (const [name, body, meta, expected] of rows) t.equal(outcome(body, meta), expected, name)
})

const multipart = [
  '--XX\r\nContent-Disposition: form-data; name="api_key"\r\n\r\nphc_2\r\n',
  '--XX\r\ncontent-disposition: form-data; filename="a"; name="data"\r\n\r\n',
  `${EVENT_TEXT}\r\n--XX--\r\n`,
].join('')
const binary = Buffer.concat([
  Buffer.from('--XX\r\nContent-Disposition: form-data; name=data\r\n\r\n'),
  EVENT_GZIP,
  Buffer.from('\r\n--XX--'),
])
const escapedGzip = [...EVENT_GZIP].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const multipartType = { type: 'multipart/form-data; boundary="XX"' }
const SAME_PAYLOAD: [string, string | Uint8Array, Meta][] = [
  ['JSON', EVENT_TEXT, { type: JSON_TYPE }],
  ['JSON with a charset', EVENT_TEXT, { type: 'Application/JSON; charset=utf-8' }],
  ['JSON without a type', EVENT_TEXT, {}],
  ['JSON as plain text', EVENT_TEXT, { type: 'text/plain' }],
  ['JSON of a foreign type', EVENT_TEXT, { type: 'application/octet-stream' }],
  ['JSON with a byte order mark', `\ufeff${EVENT_TEXT}`, {}],
  ['JSON with an unknown hint', EVENT_TEXT, { query: 'compression=zstd' }],
  ['JSON with a base64 hint', EVENT_TEXT, { query: 'compression=base64' }],
  ['deflate', deflateSync(EVENT_TEXT), { type: JSON_TYPE, encoding: 'deflate' }],
  ['bare deflate', deflateRawSync(EVENT_TEXT), { type: JSON_TYPE, encoding: 'Deflate' }],
  ['base64', EVENT_BASE64, {}],
  ['base64 unpadded', EVENT_BASE64.replace(/=+$/, ''), {}],
  ['base64 whose + became spaces', EVENT_BASE64.replaceAll('+', ' '), {}],
  ['base64 percent-encoded', encodeURIComponent(EVENT_BASE64), {}],
  ['base64 of a trailing line', `${EVENT_BASE64}\n`, {}],
  ['JSON percent-encoded', encodeURIComponent(EVENT_TEXT), {}],
  ['a form of base64', form({ data: EVENT_BASE64 }), { type: FORM_TYPE }],
  [
    'a form of base64, charset given',
    form({ data: EVENT_BASE64 }),
    { type: `${FORM_TYPE}; charset=UTF-8` },
  ],
  ['a form of base64, not url-encoded', `data=${EVENT_BASE64}`, { type: FORM_TYPE }],
  ['a form of JSON', form({ data: EVENT_TEXT }), { type: FORM_TYPE }],
  ['JSON that is called a form', `\r\n  ${EVENT_TEXT}`, { type: FORM_TYPE }],
  ['gzip of JSON, called a form', EVENT_GZIP, { type: FORM_TYPE, encoding: 'gzip' }],
  [
    'a form of base64, encoded twice',
    form({ data: encodeURIComponent(EVENT_BASE64) }),
    { type: FORM_TYPE },
  ],
  ['a form with a hint', form({ data: EVENT_BASE64, compression: 'b64' }), { type: FORM_TYPE }],
  [
    'a plain-text beacon with a form',
    form({ data: EVENT_BASE64 }),
    { type: 'text/plain;charset=UTF-8' },
  ],
  [
    'gzip with a query hint',
    EVENT_GZIP,
    { type: 'text/plain', query: 'ip=1&compression=gzip-js&_=1' },
  ],
  ['gzip with an upper-case hint', EVENT_GZIP, { query: 'compression=GZIP' }],
  ['gzip without a hint', EVENT_GZIP, { type: 'text/plain' }],
  ['gzip with Content-Encoding', EVENT_GZIP, { type: JSON_TYPE, encoding: 'gzip' }],
  [
    'gzip hinted twice',
    EVENT_GZIP,
    { type: JSON_TYPE, encoding: 'gzip', query: 'compression=gzip' },
  ],
  ['gzip of base64', gzipSync(EVENT_BASE64), { query: 'compression=base64' }],
  ['gzip of a form', gzipSync(form({ data: EVENT_BASE64 })), { type: FORM_TYPE, encoding: 'gzip' }],
  ['gzip escaped in a form', `data=${escapedGzip}&compression=gzip`, { type: FORM_TYPE }],
  [
    'gzip as base64 in a form',
    form({ data: EVENT_GZIP.toString('base64'), compression: 'gzip' }),
    { type: FORM_TYPE },
  ],
  ['lz64 in a form', form({ data: EVENT_LZ, compression: 'lz64' }), { type: FORM_TYPE }],
  ['lz64 in a form, not url-encoded', `data=${EVENT_LZ}&compression=lz64`, { type: FORM_TYPE }],
  ['lz64 raw', EVENT_LZ, { query: 'compression=lz-string' }],
  ['multipart', multipart, multipartType],
  ['multipart of gzip', binary, multipartType],
]

t.test('each encoding of real clients gives the same payload', async (t) => {
  for (const [name, body, meta] of SAME_PAYLOAD) t.same(outcome(body, meta), EVENT, name)
})

t.test('a form hands its other fields over', async (t) => {
  const body = form({
    data: EVENT_BASE64,
    api_key: 'k 1',
    token: 't',
    sent_at: '2020-01-01T00:00:00+02:00',
    compression: 'base64',
    project_id: '7',
  })
  const result = decode(`${body}&api_key=other&broken=%zz&flag`, { type: FORM_TYPE })
  t.ok(result.ok)
  t.same(result.ok && result.value.form, {
    apiKey: 'k 1',
    token: 't',
    sentAt: '2020-01-01T00:00:00+02:00',
    compression: 'base64',
    projectId: '7',
  })
})

t.test('Python numbers that JSON lacks become null, but not inside strings', async (t) => {
  const text = '{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \\" NaN, Infinity","NaN":1e5}'
  t.same(outcome(text), { a: null, b: [null, null], c: 'NaN " NaN, Infinity', NaN: 1e5 })
})

t.test('64 levels are read, brackets inside strings are not levels', async (t) => {
  t.not(outcome(nested(64)), '400 invalid_payload')
  const brackets = { a: '[{"\\'.repeat(200), b: [[1]] }
  t.same(outcome(JSON.stringify(brackets)), brackets)
})

t.test('more containers than memory is given for are refused before they are parsed', async (t) => {
  t.equal(outcome(`[${'{},'.repeat(2_000_000)}1]`), '400 invalid_payload')
})

t.test(
  'emoji as six bytes of CESU-8 are put together, lone surrogates stay for the clean-up',
  async (t) => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xed, 0xa0, 0xbc, 0xed, 0xbe, 0x89]),
      Buffer.from('한'),
      Buffer.from([0xed, 0xa0, 0xbc]),
      Buffer.from('"}'),
    ])
    const expected = { a: '🎉한\ud83c' }
    t.strictSame(outcome(bytes), expected)
    t.strictSame(outcome(bytes.toString('base64')), expected)
  },
)

t.test('a prototype in the payload is data', async (t) => {
  const payload = outcome('{"__proto__":{"polluted":1},"constructor":{"a":1}}')
  t.same(Object.keys(payload ?? {}), ['__proto__', 'constructor'])
  t.notOk('polluted' in {})
})

t.test('the size limit is exact before and after decompression', async (t) => {
  const exact = Buffer.from(`["${'a'.repeat(BODY_BYTES_MAX - 4)}"]`)
  const over = Buffer.from(`["${'a'.repeat(BODY_BYTES_MAX - 3)}"]`)
  t.equal(exact.length, BODY_BYTES_MAX)
  for (const body of [exact, gzipSync(exact)]) t.ok(decode(body).ok, 'the limit is accepted')
  for (const body of [over, gzipSync(over)]) {
    t.same(decode(body), { ok: false, error: { status: 413, code: 'request_too_large' } })
  }
  const deflate = { encoding: 'deflate' }
  t.ok(decode(deflateSync(exact), deflate).ok)
  t.match(decode(deflateSync(over), deflate), { error: { status: 413 } })
})

t.test('a body that grows a hundred times is judged by its start', async (t) => {
  // Inflated whole, it would be over the limit: 413.
  const members = `{"event":"a","properties":{${'"":0,'.repeat(6_000_000)}"x":0}}`
  t.equal(outcome(gzipSync(members)), '400 invalid_payload')
  t.equal(outcome(gzipSync(`[${'{},'.repeat(9_000_000)}1]`)), '413 request_too_large')
  const large = { event: 'paid', properties: { text: 'x'.repeat(10_000_000) } }
  t.strictSame(outcome(gzipSync(JSON.stringify(large))), large)
  const late = `{"text":"${'x'.repeat(6_000_000)}","all":{${'"":0,'.repeat(300_000)}"x":0}}`
  t.equal(outcome(gzipSync(late)), '400 invalid_payload')
})

t.test('lz64 stops at the limit as well, in units and in bytes', async (t) => {
  const bomb = lzString.compressToBase64(`["${'a'.repeat(400_000)}"]`)
  const meta = { query: 'compression=lz64' }
  t.ok(bomb.length < 2_400)
  t.ok(decode(bomb, meta, 600_000).ok)
  t.match(decode(bomb, meta, 399_999), { error: { status: 413 } })
  const wide = lzString.compressToBase64(`["${'€'.repeat(1_000)}"]`)
  t.match(decode(wide, meta, 2_000), { error: { status: 413 } })
})

t.test('a body too large for the event loop is left to a thread', async (t) => {
  const meta = { contentType: '', contentEncoding: '', query: '' }
  const large = Buffer.from(`["${'a'.repeat(BODY_BYTES_INLINE_MAX)}"]`)
  t.equal(decodeInline(large, meta), undefined)
  t.equal(decodeInline(gzipSync(large), meta), undefined)
  t.match(decodeInline(Buffer.from('{'), meta), { error: { status: 400 } })
  t.match(decodeInline(EVENT_GZIP, meta), { value: { payload: EVENT } })
})

t.test('a GET has its payload in data, or none at all', async (t) => {
  const query = (data: string) => decodeQueryData(`ip=0&verbose=0&data=${data}`)
  t.equal(decodeQueryData(''), undefined)
  t.equal(decodeQueryData('xdata=1&dat=2&datax=3'), undefined)
  t.match(decodeQueryData('data'), { error: { code: 'no_data' } })
  t.match(query('%zz'), { error: { code: 'invalid_payload' } })
  for (const data of [EVENT_BASE64, EVENT_TEXT, EVENT_GZIP.toString('base64')]) {
    const suffix = data === EVENT_GZIP.toString('base64') ? '&compression=gzip' : ''
    t.match(query(encodeURIComponent(data) + suffix), { value: { payload: EVENT } })
  }
  t.match(query(EVENT_BASE64), { value: { payload: EVENT } }, 'with + read as a space')
})

const anyMeta = fc.record({
  contentType: fc.constantFrom(
    '',
    JSON_TYPE,
    FORM_TYPE,
    'text/plain',
    'multipart/form-data; boundary=b',
  ),
  contentEncoding: fc.constantFrom('', 'gzip', 'br'),
  query: fc.constantFrom('', 'compression=gzip', 'compression=lz64', 'compression=base64'),
})

t.test('no bytes make the decoder throw', async (t) => {
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: codePoint, maxLength: 100 }).map((text) => Buffer.from(text)),
    fc.string({ maxLength: 100 }).map((text) => Buffer.from(`data=${text}`)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => gzipSync(bytes)),
    fc
      .uint8Array({ maxLength: 60 })
      .map((bytes) => Buffer.concat([EVENT_GZIP.subarray(0, 40), bytes])),
    fc.string({ maxLength: 60 }).map((text) => Buffer.from(`--b\r\n${text}\r\n\r\n\r\n--b--`)),
    fc.constantFrom(EVENT_TEXT, EVENT_BASE64, form({ data: EVENT_BASE64 })).map(Buffer.from),
    fc.constantFrom(EVENT_GZIP, gzipSync(EVENT_BASE64)),
  )
  let decoded = 0
  let refused = 0
  fc.assert(
    fc.property(anyBytes, anyMeta, (bytes, meta) => {
      const result = decodeBody(Buffer.from(bytes), meta, 10_000)
      if (result.ok) decoded += 1
      else refused += 1
      return result.ok ? typeof result.value.payload === 'object' : result.error.status >= 400
    }),
    { numRuns: 1_000 },
  )
  t.ok(decoded > 10 && refused > 10, `${decoded} are decoded, ${refused} refused`)
})

t.test('every text survives every encoding', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.jsonValue({ maxDepth: 4 }), (text, json) => {
      const payload = { text, json }
      const source = JSON.stringify(payload)
      const expected = JSON.stringify(JSON.parse(source))
      const base64 = Buffer.from(source).toString('base64')
      const bodies: [string | Uint8Array, Meta][] = [
        [source, { type: JSON_TYPE }],
        [gzipSync(source), {}],
        [base64, {}],
        [form({ data: base64 }), { type: FORM_TYPE }],
        [`data=${base64}`, { type: FORM_TYPE }],
        [
          form({ data: lzString.compressToBase64(source), compression: 'lz64' }),
          { type: FORM_TYPE },
        ],
      ]
      return bodies.every(([body, meta]) => JSON.stringify(outcome(body, meta)) === expected)
    }),
  )
  t.pass()
})
