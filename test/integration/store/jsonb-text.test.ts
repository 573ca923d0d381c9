/** `jsonbText` against Postgres itself. */
import fc from 'fast-check'
import t from 'tap'
import { jsonbText } from '../../support/columns/jsonb-text.ts'
import { testDatabase } from '../../support/servers/database.ts'

const { sql } = await testDatabase(t, { migrated: false })

await sql`
  create function jsonb_or_null(given text) returns text language plpgsql as $$
  begin
    return given::jsonb::text;
  exception when data_exception then
    return null;
  end $$`

/** Output of Postgres for each text; `undefined` where it refuses it. */
async function ofPostgres(texts: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await sql<{ text: string | null }[]>`
    select jsonb_or_null(i.json) as text
    from unnest(${[...texts]}::text[]) with ordinality as i (json, position)
    order by position`
  return rows.map(({ text }) => text ?? undefined)
}

function ofOurs(text: string): string | undefined {
  const result = jsonbText(text)
  return result.ok ? result.value : undefined
}

const CASES = [
  ...['{}', '[]', ' {\n"a"\t:\r1 } ', '"a"', 'null', 'true', '[false,null]', '', ' ', '{', '[1,]'],
  ...['{"a":1,}', '{a:1}', "{'a':1}", '[1 2]', 'tru', 'nul', '01', '1.', '.5', '+1', '1e', '--1'],
  ...[
    '{"a":1,"a":2}',
    '{"b":1,"a":{"c":1,"c":null},"b":[]}',
    '{"":1,"":2}',
    '{"a.b":1,"a":{"b":2}}',
  ],
  ...['{"bb":1,"a":2,"ccc":3,"é":4,"zz":5,"🎉":6,"ab":7,"\\uffee":8,"\\ue000x":9}'],
  ...['-0', '-0.0', '0e5', '-0e-3', '0.0e5', '1.0', '1.50', '1e5', '1E+5', '1.5e1', '1.50e1'],
  ...['1e-2', '1.0e-2', '12345678901234567890123', '1.2345678901234568e+22', '0.1e-7', '100e-2'],
  ...['1e131071', '1e131072', '12e131071', '1e-16383', '1e-16384', '0e-16384', '0e999999'],
  ...['1e1073741822', '0e1073741822', '0e1073741824', '0e99999999999'],
  ...[
    `0.${'1'.repeat(16_383)}`,
    `0.${'1'.repeat(16_384)}`,
    '9'.repeat(131_072),
    '9'.repeat(131_073),
  ],
  ...[
    '"\\u0000"',
    '{"\\u0000":1}',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ud83c\\udf89"',
    '"a\u0001"',
  ],
  ...['"\\u0001\\u001f\\u007f\\u2028\\b\\f\\n\\r\\t\\/\\\\\\""', '"\\x"', '"\\u12"', '"', '"\\"'],
  ...[`${'['.repeat(100)}${']'.repeat(100)}`, '{"__proto__":1,"constructor":2}', '"\u2028\ufeff"'],
]

t.test('it is what Postgres prints, and refuses what Postgres refuses', async (t) => {
  const theirs = await ofPostgres(CASES)
  const all = CASES.map((text, index) => [text, theirs[index]])
  t.strictSame(
    CASES.map((text) => [text, ofOurs(text)]),
    all,
  )
  t.ok(theirs.filter((text) => text === undefined).length > 20)
})

/** Digits with any exponent, also of the odd forms that JSON allows. */
const numbers = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,25}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,25}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''))
/** Few keys, so that some are equal, written in several ways. */
const keys = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"aa"', '"é"', '"\\u00e9"', '"🎉"', '"\\ufb01"', '""'),
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => JSON.stringify(text)),
)
const texts = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text))
const { value: jsons } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numbers,
    texts,
    fc.constantFrom('true', 'false', 'null', '"\\ud800"', '"\\u0000"'),
    tie('object'),
    tie('list'),
  ),
  object: fc
    .array(fc.tuple(keys, tie('value')), { maxLength: 6 })
    .map((all) => `{${all.map((pair) => pair.join(' : ')).join(',')}}`),
  list: fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join(' ,')}]`),
}))

t.test('so it is for any text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(jsons, { minLength: 100, maxLength: 100 }), async (all) => {
      const theirs = await ofPostgres(all)
      for (const [index, text] of all.entries()) {
        const ours = ofOurs(text)
        if (ours !== theirs[index]) {
          throw new Error(`${text}: ${ours} here, ${theirs[index]} there`)
        }
      }
    }),
    { numRuns: 40, endOnFailure: true },
  )
})
