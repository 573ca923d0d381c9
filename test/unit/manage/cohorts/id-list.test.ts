import fc from 'fast-check'
import t from 'tap'
import { readIdList } from '../../../../src/manage/cohorts/id-list.ts'

const distinct = (...ids: string[]) => ({ ok: true, value: { column: 'distinct_id', ids } })
const persons = (...ids: string[]) => ({ ok: true, value: { column: 'person_id', ids } })

t.test('ids are read as people have them', async (t) => {
  const rows: [string, ReturnType<typeof distinct | typeof persons>][] = [
    ['', distinct()],
    [' \n\t\r\n', distinct()],
    ['ann\nben', distinct('ann', 'ben')],
    ['ann\rben\r\n\r\n', distinct('ann', 'ben')],
    ['\ufeffdistinct_id\nann\n', distinct('ann')],
    ['Distinct ID\nann\n', distinct('ann')],
    ['"distinct-id"\n"ann"\n', distinct('ann')],
    ['\n\nDISTINCT_ID\nann', distinct('ann')],
    ['  ann \n\t"ben "\t\n', distinct('ann', 'ben ')],
    ['"a ""b"" c"\n"d, e"\n"f', distinct('a "b" c', 'd, e', '"f')],
    ['ann\ndoe, john\nx;y', distinct('ann', 'doe, john', 'x;y')],
    ['distinct_id\ndoe, john', distinct('doe, john')],
    ['no one', distinct('no one')],
    ['person_id\np1\np2', persons('p1', 'p2')],
    ['mail,distinct_id\na@x,ann\nb@x,ben\n', distinct('ann', 'ben')],
    ['distinct_id,mail\nann\nben,b@x,more\n', distinct('ann', 'ben')],
    ['distinct_id;mail\r\nann;a@x\r\n;b@x\r\nben;\r\n', distinct('ann', 'ben')],
    ['mail\tdistinct_id\na@x\tann\n\tben\n', distinct('ann', 'ben')],
    ['"mail"; "Distinct_ID" ; "name"\n"a;@x" ; "a ""b""; c" ; x\n', distinct('a "b"; c')],
    ['name,distinct_id\n"two\r\nlines, too",ann\nx,"on\ntwo"\n', distinct('ann', 'on\ntwo')],
    ['distinct_id,inches\nann,5"\nben,"\ncleo,x\n', distinct('ann', 'ben', 'cleo')],
    ['person_id,mail\np1,a@x\n', persons('p1')],
    ['person_id,distinct_id\np1,ann\n', distinct('ann')],
    ['mail,distinct_id\n', distinct()],
    ['distinct_id,mail\ndistinct_id,x\n', distinct('distinct_id')],
    ['a;b,distinct_id\nx;y,ann', distinct('ann')],
  ]
  for (const [csv, expected] of rows) t.strictSame(readIdList(csv), expected, JSON.stringify(csv))
})

t.test('several columns of which none holds ids are refused by their names', async (t) => {
  const rows: [string, RegExp][] = [
    ['mail,name\na@x,Ann', /: "mail", "name"\./],
    ['"E, mail";"Name"\n', /: "E, mail", "Name"\./],
    ['id\temail\n1\tx', /: "id", "email"\./],
    ['ann,ben,cleo', /: "ann", "ben", "cleo"\./],
    [`${'x'.repeat(100)},y`, /: "x{40}", "y"\./],
    [Array.from({ length: 30 }, (_, at) => `c${at}`).join(), /"c19", …\./],
  ]
  for (const [csv, words] of rows) t.match(readIdList(csv), { ok: false, error: words }, csv)
})

t.test('a list written as CSV with quotes is read again', async (t) => {
  const id = fc.string({ unit: fc.constantFrom(...'ab",;\t \n\r'), minLength: 1 })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(fc.array(id), fc.constantFrom(',', ';', '\t'), (ids, separator) => {
      const rows = ids.map((each) => ['x', each].map(quoted).join(separator))
      const read = readIdList([`x${separator}distinct_id`, ...rows].join('\r\n'))
      t.strictSame(read, distinct(...ids))
    }),
    { numRuns: 300 },
  )
})

t.test('a text of quotes is read in its length', async (t) => {
  const half = `"x${','.repeat(3)}`
  for (const text of ['"'.repeat(500_001), half.repeat(200_000), `"${',""x'.repeat(200_000)}`]) {
    t.type(readIdList(`distinct_id,x\n${text}`), 'object')
  }
})
