import fc from 'fast-check'
import t from 'tap'
import { cellModeOf, csvBatches } from '../../../../gateway/rest/csv.ts'
import { cellsOfEvent } from '../../../../gateway/rest/events-csv.ts'
import { flattenJson } from '../../../../src/core/json-text/flat-json.ts'
import { csvLines } from '../../../../src/wire/csv.ts'
import { parseCsv } from '../../../support/api/csv.ts'
import { codePoint } from '../../../support/code-points.ts'
import { countTurns } from '../../../support/turns.ts'

const cell = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom('', ' ', '"', '""', ',', '\r', '\n', '\r\n', '=1+1', '-1', '\ufeff', ';'),
)

t.test('written fields are read back', async () => {
  const table = fc
    .integer({ min: 1, max: 6 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
  fc.assert(
    fc.property(
      table,
      (rows) => JSON.stringify(parseCsv(csvLines(rows, 'raw'))) === JSON.stringify(rows),
    ),
  )
})

t.test('a cell that a spreadsheet takes for a formula is a text, but a number', async (t) => {
  const formulas = [
    '=1+1',
    '+49 30',
    '-1+1',
    '-',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '-2-3',
    '-1e',
  ]
  const others = [
    '-5',
    '-0.25',
    '-1e-7',
    '-12345678901234567890',
    '5',
    'a=b',
    "'=1",
    ' =1',
    '',
    'x',
  ]
  const wide = ['\uff1d1', '\uff0b1', '\uff0d1', '\uff20A1']
  const cells = [...formulas, ...wide, ...others]
  const expected = [...[...formulas, ...wide].map((each) => `'${each}`), ...others]
  t.same(parseCsv(csvLines([cells], 'guarded')), [expected])
  t.same(parseCsv(csvLines([cells], 'raw')), [cells])
})

t.test('raw=1 asks for cells as they are', async (t) => {
  const modeOf = (query: string) => cellModeOf(new URLSearchParams(query))
  for (const query of ['', 'raw=', 'raw=0', 'raw=false', 'raw=1&raw=0']) {
    t.equal(modeOf(query), 'guarded', query)
  }
  for (const query of ['raw=1', 'raw=true', 'raw=0&raw=1']) t.equal(modeOf(query), 'raw', query)
})

t.test('batches put together are the whole, however many columns there are', async (t) => {
  const rows = Array.from({ length: 10 }, (_, index) => `row ${index}`)
  for (const columns of [1, 7, 3_000, 9_000]) {
    const cellsOf = (row: string) => [row, ...Array.from({ length: columns - 1 }, () => 'x,y')]
    const batches: string[] = []
    for await (const batch of csvBatches(rows, columns, cellsOf, 'guarded')) {
      batches.push(String(batch))
    }
    t.equal(batches.join(''), csvLines(rows.map(cellsOf), 'guarded'))
    if (columns === 9_000) t.equal(batches.length, rows.length, 'a line at a time')
  }
})

t.test('a reader that takes every line at once lets others have their turn', async (t) => {
  const others = countTurns()
  const rows = Array.from({ length: 10 }, (_, index) => `row ${index}`)
  const turns: number[] = []
  const cellsOf = (row: string) => Array.from({ length: 9_000 }, () => row)
  for await (const _line of csvBatches(rows, 9_000, cellsOf, 'raw')) turns.push(others.count())
  others.end()
  t.equal(new Set(turns).size, rows.length, 'each line in another turn')
})

t.test('an event comes back from its line, key by key', async () => {
  const key = fc.string({ minLength: 1 }).filter((each) => !each.includes('.'))
  const leaf = fc.oneof(fc.string({ unit: codePoint }), fc.integer().map(String))
  const properties = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))
  fc.assert(
    fc.property(fc.array(properties, { minLength: 1, maxLength: 5 }), (events) => {
      const rows = events.map((each) => JSON.stringify({ id: 'e', properties: each }))
      const names = new Set<string>()
      for (const row of rows) flattenJson(row, (path) => names.add(path))
      const columns = [...names].sort()
      const text = csvLines([columns, ...rows.map(cellsOfEvent(columns))], 'raw')
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
