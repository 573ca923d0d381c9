import fc from 'fast-check'
import t from 'tap'
import { textArray, toColumns } from '../../../src/postgres/columns.ts'

t.test('no rows make empty texts', async (t) => {
  t.same(toColumns([[], []]).texts, ['', ''])
})

t.test('a list of texts keeps their number, also that of one empty text', async (t) => {
  t.equal(textArray([]).text.join('$'), "'{}'::text[]")
  t.equal(textArray(['']).text.join('$'), '\'{""}\'::text[]')
  t.match(textArray(['', 'a']).values, [/^.a$/])
})

t.test('columns split again to the values they were made of', async (t) => {
  const value = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\u001e', '\u001f', '\u001d', '\u001c'),
  })
  const columns = fc.integer({ min: 1, max: 8 }).chain((rows) =>
    fc.array(fc.array(value, { minLength: rows, maxLength: rows }), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  fc.assert(
    fc.property(columns, (input) => {
      const { texts, separator } = toColumns(input)
      t.same(
        texts.map((text) => text.split(separator)),
        input,
      )
    }),
    { numRuns: 500 },
  )
})
