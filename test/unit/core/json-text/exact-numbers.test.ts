import fc from 'fast-check'
import t from 'tap'
import {
  exactDigits,
  exactJson,
  parseExact,
  withMarks,
} from '../../../../src/core/json-text/exact-numbers.ts'

const written = (text: string) => exactJson(parseExact(text))
const LONG = '9007199254740993'
const HUGE = '7'.repeat(400)

t.test('a number is written as it was read', async (t) => {
  for (const [sent, kept = sent] of [
    [LONG],
    [`-${LONG}`],
    ['9007199254740992'],
    ['1.0000000000000000055'],
    ['-0.1234567890123456789'],
    [HUGE],
    [`0.${HUGE}`],
    [`0.${'0'.repeat(400)}12`],
    ['1000000000000000000000'],
    ['12345678901234567890e3', '12345678901234567890000'],
    ['1.2345678901234567E-7', '0.00000012345678901234567'],
    [`${LONG}.00`, LONG],
    // The double is the same number, or no double has the exponent.
    ['1.10000000000000000000', '1.1'],
    ['0.30000000000000004'],
    ['1.0', '1'],
    ['1e2', '100'],
    ['-0', '0'],
    ['-0.0000000000000000', '0'],
    ['1e400', 'null'],
    ['1e99999', 'null'],
    ['1234567890123456789e99999', 'null'],
    ['1234567890123456789e-99999', '0'],
    ['1'.repeat(10_001), 'null'],
    [`0.${'1'.repeat(10_000)}`, '0.1111111111111111'],
    [`1.${'1'.repeat(9_990)}e-300`, '1.1111111111111111e-300'],
  ] as const) {
    for (const place of [`[${sent}]`, `{"a":${sent},"b":[${sent} , "${sent}"]}`]) {
      const texts = place.replaceAll(' ', '').split(`"${sent}"`)
      const expected = texts.map((part) => part.replaceAll(sent, kept)).join(`"${sent}"`)
      t.equal(written(place), expected, sent.slice(0, 40))
    }
    t.equal(written(sent), kept, `alone: ${sent.slice(0, 40)}`)
  }
})

t.test('texts and names are no numbers, whatever they hold', async (t) => {
  for (const text of [
    `{"a":"is ${LONG}, or [${LONG}]","b":" ${LONG} "}`,
    `{"${LONG}":"\\" ${LONG}","\\u0000${LONG}":[" ,${LONG},"]}`,
    `["\\"\\u0000${LONG}","\\\\","\\u0000${LONG}x","\\u00001","\\u000001234567890123456789"]`,
  ]) {
    t.equal(written(text), text)
    t.same(parseExact(text), JSON.parse(text))
  }
})

t.test('a text that is no JSON stays none', async (t) => {
  for (const text of [
    ...[`{${LONG}:1}`, `{"a":1,${LONG}:2}`, `[0${LONG}]`, `[${LONG}x]`, `[${LONG}e]`, `[x${LONG}]`],
    ...[`["a"${LONG}]`, `[${LONG}"a"]`, `[1.2.${LONG}]`, `[.${LONG}]`, `[+${LONG}]`, `[- ${LONG}]`],
    ...[`[1 ${LONG}]`, `{${LONG}}`, `"${LONG}`, `[${LONG}.]`, `[${LONG}/1]`],
  ]) {
    t.throws(() => parseExact(text), SyntaxError, text)
  }
})

t.test('text without such a number is parsed as it is', async (t) => {
  for (const text of ['{"a":1.5,"t":1795000000123}', `{"ga":"GA1.1.1234567890.1795000000"}`, '']) {
    t.equal(withMarks(text), text)
  }
})

t.test('an exact number is known by its digits', async (t) => {
  t.same(parseExact(`[${LONG}]`), [`\0${LONG}`])
  t.equal(exactDigits(`\0${LONG}`), LONG)
  for (const text of ['', LONG, '\0', '\x001', '\0x', `\0${LONG}.0`, `\0${LONG}x`, `\0+${LONG}`]) {
    t.equal(exactDigits(text), undefined, JSON.stringify(text))
  }
})

t.test('a text of many numbers, or of none that counts, takes one pass', async (t) => {
  for (const text of [
    `["${'1.'.repeat(300_000)}"]`,
    `[${`"${LONG}",`.repeat(30_000)}1]`,
    `[${`${LONG},`.repeat(30_000)}1]`,
    `[" ${`${LONG},`.repeat(30_000)}"]`,
    `[${`0.${'0'.repeat(9_000)}1,`.repeat(60)}1]`,
  ]) {
    t.ok(written(text) === text, text.slice(0, 40))
  }
})

/** Digits and the power of ten of the last one, so that equal numbers have equal texts. */
function quantityOf(number: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = BigInt(whole + fraction)
  if (digits === 0n) return '0'
  const text = String(digits)
  const bare = text.replace(/0+$/, '')
  return `${sign}${bare}e${Number(power) - fraction.length + text.length - bare.length}`
}

const valuesIn = (json: string) =>
  json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) =>
    part.startsWith('"') ? part : quantityOf(part),
  )

const digits = (max: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max })
    .map((all) => all.join(''))
const number = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits(40).map((all) => all.replace(/^0+(?=\d)/, '')),
    fraction: fc.option(digits(40), { nil: undefined }),
    power: fc.option(fc.integer({ min: -200, max: 200 }), { nil: undefined }),
    sign2: fc.constantFrom('e', 'E'),
  })
  .map(({ sign, whole, fraction, power, sign2 }) => {
    const exponent = power === undefined ? '' : `${sign2}${power}`
    return `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent}`
  })
const text = fc
  .oneof(
    fc.string(),
    fc.constantFrom(` ${LONG},`, `"${LONG}`, `[${LONG}]`, '\\', '\\"', `:${LONG}`),
  )
  .map((each) => JSON.stringify(each))
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    number,
    text,
    fc.constantFrom('true', 'null'),
    fc.array(tie('json')).map((items) => `[${items.join()}]`),
    fc
      .dictionary(
        fc.string().map((name) => `k${name}`),
        tie('json'),
      )
      .map(
        (all) =>
          `{${Object.entries(all)
            .map(([k, v]) => `${JSON.stringify(k)}:${v}`)
            .join()}}`,
      ),
  ),
}))

t.test('whatever JSON is read and written again has equal numbers', async (t) => {
  fc.assert(
    fc.property(json, (sent) => {
      const before = valuesIn(sent)
      const after = valuesIn(written(sent))
      if (before !== after) t.comment(sent, after)
      return before === after
    }),
    { numRuns: 2_000 },
  )
})
