import fc from 'fast-check'
import t from 'tap'
import { normalDecimal } from '../../../../src/event-store/clickhouse/renderer/decimals.ts'
import { inClickHouse } from '../../../../src/event-store/clickhouse/renderer/patterns.ts'
import { toStatement } from '../../../../src/event-store/clickhouse/renderer/statement.ts'
import { fragment } from '../../../../src/postgres/fragment.ts'

t.test('a number has one text, whatever zeros and exponents it came with', async (t) => {
  const texts = {
    '0': ['0', '-0', '0.00', '+0', '.0', '0e5', '-0e-5'],
    '1.5': ['1.5', '01.50', '+1.5', '15e-1', '0.15E1', '1.5e+0'],
    '-0.0015': ['-.0015', '-1.5e-3', '-0.00150'],
    '150': ['150', '1.5e2', '150.', '0.15e3'],
    '12345678901234567890123': ['12345678901234567890123', '1.2345678901234567890123e22'],
  }
  for (const [normal, spelled] of Object.entries(texts)) {
    for (const text of spelled) t.equal(normalDecimal(text), normal, text)
  }
  for (const text of ['', '.', 'e5', 'x', '1_0', '1 ']) t.throws(() => normalDecimal(text), text)
})

t.test('a pattern takes letters and blanks of all languages, and keeps all else', async (t) => {
  const word = '\\p{L}\\p{M}\\p{Nl}0-9_'
  const space = '\\t-\\r \\x{85}\\p{Z}'
  const rewritten = [
    ['\\w+\\d', `[${word}]+\\d`],
    ['[\\w.]', `[${word}.]`],
    ['\\W[\\W]', `[^${word}][\\W]`],
    ['\\s\\S', `[${space}][^${space}]`],
    ['[]\\w]\\w', `[]${word}][${word}]`],
    ['[^]\\w]', `[^]${word}]`],
    ['[[:word:]x]', `[${word}x]`],
    ['[[:xdigit:]]', '[[:xdigit:]]'],
    ['[[]\\w', `[[][${word}]`],
    ['\\\\w\\[\\w', `\\\\w\\[[${word}]`],
    ['\\Q\\w', '\\Q\\w'],
  ]
  for (const [pattern = '', wanted] of rewritten) t.equal(inClickHouse(pattern), wanted, pattern)
})

t.test('no value of a request is in a statement, and equal values are one parameter', async () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), fc.string(), (a, b) => {
      const { sql, parameters } = toStatement(fragment`x = ${a} or y = ${b} or z = ${a}`)
      const [one, other] = ['{v0: String}', a === b ? '{v0: String}' : '{v1: String}']
      return (
        sql === `x = ${one} or y = ${other} or z = ${one}` &&
        parameters['v0'] === a &&
        Object.keys(parameters).length === (a === b ? 1 : 2)
      )
    }),
  )
})
