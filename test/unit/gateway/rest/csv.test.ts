import fc from 'fast-check'
import t from 'tap'
import { csvBatches, csvLines } from '../../../../gateway/rest/csv.ts'
import { cellsOfEvent } from '../../../../gateway/rest/events-csv.ts'
import { flattenJson } from '../../../../src/core/flat-json.ts'
import { parseCsv } from '../../../support/api/csv.ts'

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '"', '""', ',', '\r', '\n', '\r\n', '=1+1', '-1', '\ufeff', ';'),
)

t.test('what is written is what is read', async () => {
  const table = fc
    .integer({ min: 1, max: 6 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
  fc.assert(
    fc.property(table, (rows) => JSON.stringify(parseCsv(csvLines(rows))) === JSON.stringify(rows)),
  )
})

t.test('batches put together are the whole, however many columns there are', async (t) => {
  const rows = Array.from({ length: 10 }, (_, index) => `row ${index}`)
  for (const columns of [1, 7, 3_000, 9_000]) {
    const cellsOf = (row: string) => [row, ...Array.from({ length: columns - 1 }, () => 'x,y')]
    const batches = [...csvBatches(rows, columns, cellsOf)].map(String)
    t.equal(batches.join(''), csvLines(rows.map(cellsOf)))
    if (columns === 9_000) t.equal(batches.length, rows.length, 'a line at a time')
  }
})

t.test('an event comes back from its line, key by key', async () => {
  const key = fc.string({ minLength: 1 }).filter((each) => !each.includes('.'))
  const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String))
  const properties = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))
  fc.assert(
    fc.property(fc.array(properties, { minLength: 1, maxLength: 5 }), (events) => {
      const rows = events.map((each) => JSON.stringify({ id: 'e', properties: each }))
      const names = new Set<string>()
      for (const row of rows) flattenJson(row, (path) => names.add(path))
      const columns = [...names].sort()
      const text = csvLines([columns, ...rows.map(cellsOfEvent(columns))])
      const [header, ...lines] = parseCsv(text)
      return lines.every((line, index) => {
        const left = new Map(line.map((each, place) => [header?.[place], each]))
        flattenJson(rows[index] ?? '', (path, each) => {
          if (left.get(path) === each) left.delete(path)
        })
        return [...left.values()].every((each) => each === '')
      })
    }),
  )
})

t.test(
  'keys that are no columns have no cells, and of two with one path the later counts',
  async (t) => {
    const cellsOf = cellsOfEvent(['a', 'a.b', 'z'])
    t.same(cellsOf('{"a.b": 1, "a": {"b": 2, "c": 3}, "y": 4}'), ['', '2', ''])
  },
)
