import fc from 'fast-check'
import t from 'tap'
import { readFraming } from '../../../../gateway/http/http-framing.ts'

const read = (method: string, ...headers: string[]) =>
  readFraming(method, '/', ['host', 'x', ...headers])

t.test('a body with two ends, or none that is sure, is refused', async (t) => {
  const refused: [string, ...string[]][] = [
    ['POST', 'content-length', '1', 'content-length', '1'],
    ['POST', 'content-length', '1', 'transfer-encoding', 'chunked'],
    ['POST', 'transfer-encoding', 'chunked', 'transfer-encoding', 'chunked'],
    ['POST', 'transfer-encoding', 'Chunked'],
    ['POST', 'content-length', '1e3'],
    ['POST', 'content-length', '9007199254740993'],
    ['HEAD', 'content-length', '1'],
    ['GET', 'transfer-encoding', 'chunked'],
    ['DELETE', 'transfer-encoding', 'chunked'],
    ['PO ST'],
    ['POST', 'host', 'x'],
    ['POST', ...Array.from({ length: 200 }, () => 'a')],
  ]
  for (const request of refused) t.same(read(...request), { kind: 'refused' }, request.join())
  t.same(readFraming('GET', '/', []), { kind: 'refused' }, 'no host')
  for (const path of ['', '*', 'http://x/', '/a b', '/a\0', '/a\x7f', '/a\r']) {
    t.same(readFraming('GET', path, ['host', 'x']), { kind: 'refused' }, JSON.stringify(path))
  }
})

t.test('a length is read, and a length of zero is no body for any method', async (t) => {
  t.same(read('POST', 'content-length', '007'), { kind: 'length', bytes: 7 })
  t.same(read('GET', 'content-length', '2'), { kind: 'length', bytes: 2 })
  t.same(read('POST', 'transfer-encoding', 'chunked'), { kind: 'chunked' })
  for (const method of ['POST', 'GET', 'HEAD', 'DELETE', 'PUT']) {
    t.same(read(method, 'content-length', '0'), { kind: 'none' })
    t.same(read(method), { kind: 'none' })
  }
})

t.test('whatever is taken for a length is that very number in decimal', async (t) => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), (text) => {
      const framing = read('POST', 'content-length', text)
      if (framing.kind === 'refused') return
      const bytes = framing.kind === 'length' ? framing.bytes : 0
      t.equal(text.replace(/^0+(?=.)/, ''), String(bytes))
    }),
  )
})
