import fc from 'fast-check'
import t from 'tap'
import { parseExact } from '../../../src/core/json-text/exact-numbers.ts'
import { DISTINCT_ID_LENGTH_MAX } from '../../../src/core/limits/limits.ts'
import { cutText, idText } from '../../../src/events/clean-event-text.ts'
import { codePoint } from '../../support/code-points.ts'

t.test('text is cut by code points', async (t) => {
  t.equal(cutText('🎉🎉🎉', 2), '🎉🎉')
  t.equal(cutText('ab', 2), 'ab')
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.nat(20), (text, max) => {
      return cutText(text, max) === [...text].slice(0, max).join('')
    }),
  )
})

t.test('the text of an id', async (t) => {
  const rows: [unknown, string][] = [
    [undefined, ''],
    [null, ''],
    ['', ''],
    [' \t\n\u00a0', ''],
    [Number.NaN, ''],
    [Number.POSITIVE_INFINITY, ''],
    [2, '2'],
    [0, '0'],
    [-1.5, '-1.5'],
    [false, 'false'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
    [[], '[]'],
    [' a ', ' a '],
    ['a\0\ud800', 'a\ufffd\ufffd'],
    ['x'.repeat(201), 'x'.repeat(200)],
    ['🎉'.repeat(201), '🎉'.repeat(200)],
    [' '.repeat(200).concat('a'), ''],
  ]
  for (const [value, text] of rows) t.equal(idText(value, DISTINCT_ID_LENGTH_MAX), text)
})

t.test('every integer is an id of its own', async () => {
  fc.assert(
    fc.property(fc.bigInt(), (id) => {
      const text = id.toString()
      return idText(parseExact(text), text.length) === text
    }),
  )
})
