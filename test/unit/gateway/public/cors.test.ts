import fc from 'fast-check'
import t from 'tap'
import { corsHeaders } from '../../../../gateway/public/cors.ts'
import { codePoint } from '../../../support/code-points.ts'

const header = (name: string, origin: string, requested = '') =>
  corsHeaders(origin, requested).find(([key]) => key === name)?.[1]

t.test('an origin that is none gets no headers', async (t) => {
  const hostile = [
    '',
    '*',
    'example.com',
    'https:example.com',
    'https://a b',
    'https://a\r\nSet-Cookie: x=1',
    'https://a, https://b',
    'https://é.example',
    'https://"quoted"',
    'https://user@host',
    'NULL',
    `https://${'a'.repeat(300)}`,
  ]
  for (const origin of hostile) t.same(corsHeaders(origin, 'x-a'), [], origin)
})

t.test('an origin is echoed', async (t) => {
  const origins = [
    'https://example.com',
    'http://localhost:8000',
    'http://[::1]:3000',
    'capacitor://localhost',
    'chrome-extension://abcdef',
    'file://',
    'null',
  ]
  for (const origin of origins) t.equal(header('Access-Control-Allow-Origin', origin), origin)
  t.equal(header('Access-Control-Allow-Origin', 'https://example.com/path'), 'https://example.com')
  t.equal(header('Access-Control-Allow-Credentials', 'null'), 'true')
  t.equal(header('Access-Control-Allow-Methods', 'null'), 'GET, POST, OPTIONS')
  t.equal(header('Vary', 'null'), 'Origin')
})

t.test('requested headers are mirrored when they are header names', async (t) => {
  const allowed = (requested: string) => header('Access-Control-Allow-Headers', 'null', requested)
  t.equal(allowed(''), 'X-Requested-With,Content-Type')
  t.equal(allowed('content-type, X-Trace'), 'content-type,X-Trace')
  t.equal(allowed('a\r\nb, (x), , ok'), 'ok')
  t.equal(allowed('bad name'), 'X-Requested-With,Content-Type')
  t.equal(allowed('x'.repeat(5_000)), 'X-Requested-With,Content-Type')
})

t.test('no text of a client can break out of a header', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (a, b) => {
      const headers = [...corsHeaders(a, b), ...corsHeaders(`https://${a}`, `x,${b}`)]
      return headers.every(([, value]) => /^[\x21-\x7e ]*$/.test(value))
    }),
    { numRuns: 1_000 },
  )
  t.pass()
})
