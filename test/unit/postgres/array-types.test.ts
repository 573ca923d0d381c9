import fc from 'fast-check'
import t from 'tap'
import { ARRAY_TYPES, arrayText, parseArray } from '../../../src/postgres/array-types.ts'
import { codePoint } from '../../support/code-points.ts'

const text = (value: string) => value

t.test('written values are read again', async () => {
  const element = fc.option(fc.string({ unit: codePoint }))
  fc.assert(
    fc.property(fc.array(element), (values) => {
      const read = parseArray(arrayText(values, String), text)
      return JSON.stringify(read) === JSON.stringify(values)
    }),
  )
})

t.test('the server’s own form is read', async (t) => {
  t.strictSame(parseArray('{}', text), [])
  t.strictSame(parseArray('{a,NULL,"NULL","","b c","d,e","{}"}', text), [
    'a',
    null,
    'NULL',
    '',
    'b c',
    'd,e',
    '{}',
  ])
  t.strictSame(parseArray('{"a\\"b","\\\\"}', text), ['a"b', '\\'])
  t.strictSame(ARRAY_TYPES['integerArray']?.parse('{1,-2,NULL}'), [1, -2, null])
  t.strictSame(ARRAY_TYPES['bigintArray']?.parse('{9223372036854775807}'), [9223372036854775807n])
  t.strictSame(ARRAY_TYPES['booleanArray']?.parse('{t,f}'), [true, false])
})

t.test('an array is written as the server reads it', async (t) => {
  const written = (name: string, value: unknown) => ARRAY_TYPES[name]?.serialize(value)
  t.equal(written('booleanArray', [true, false, null]), '{"t","f",NULL}')
  t.equal(written('bigintArray', [1n]), '{"1"}')
  t.equal(
    written('timestamptzArray', [new Date(0), '2026-01-01T00:00:00Z']),
    '{"1970-01-01T00:00:00.000Z","2026-01-01T00:00:00.000Z"}',
  )
  t.equal(written('integerArray', '{1,2}'), '{1,2}', 'a text is in that form already')
})
