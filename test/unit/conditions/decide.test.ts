import fc from 'fast-check'
import t from 'tap'
import { compileTest, type Meter } from '../../../src/conditions/decide.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'

const NOW = Date.parse('2022-03-31T00:00:00Z')
const MISSING = undefined

function matches(operator: string | undefined, value: unknown, subject: unknown): boolean {
  const meter: Meter = { now: NOW, regexWork: 0, timeDependent: false }
  const filter = operator === undefined ? { value } : { operator, value }
  const test = compileTest(filter as JsonObject, zoneOf('UTC'))
  return subject === MISSING ? test.whenMissing : test.test(subject, meter)
}

t.test('dates without a zone are of the project, in the condition and in the value', async (t) => {
  const holds = (zone: string, operator: string, value: string, subject: string) => {
    const meter: Meter = { now: NOW, regexWork: 0, timeDependent: false }
    return compileTest({ operator, value }, zoneOf(zone)).test(subject, meter)
  }
  const rows = [
    ['America/New_York', 'is_date_before', '2026-06-01', '2026-06-01T02:00:00Z', true],
    ['UTC', 'is_date_before', '2026-06-01', '2026-06-01T02:00:00Z', false],
    ['Asia/Kolkata', 'is_date_exact', '2026-06-01', '2026-05-31T18:30:00Z', true],
    ['Asia/Kolkata', 'is_date_exact', '2026-06-01', '2026-06-01T18:30:00Z', false],
    // Clocks that are moved forward show no 02:30, and those that are moved back show 01:30 twice.
    ['America/New_York', 'is_date_exact', '2026-03-08T02:30', '2026-03-08T07:30:00Z', true],
    ['America/New_York', 'is_date_exact', '2026-11-01T01:30', '2026-11-01T05:30:00Z', true],
    // A day that begins at 01:00.
    ['America/Santiago', 'is_date_exact', '2025-09-07', '2025-09-07T03:59:59Z', false],
    ['America/Santiago', 'is_date_exact', '2025-09-07', '2025-09-07T04:00:00Z', true],
    ['America/Santiago', 'is_date_exact', '2025-09-07', '2025-09-08T03:00:00Z', false],
    ['America/New_York', 'is_date_after', '-1m', '2022-02-28T23:59:59Z', false],
    ['America/New_York', 'is_date_after', '-1m', '2022-03-01T01:00:01Z', true],
  ] as const
  for (const [zone, operator, value, subject, expected] of rows) {
    t.equal(
      holds(zone, operator, value, subject),
      expected,
      `${zone}: ${operator} ${value} on ${subject}`,
    )
  }
})

/** The beginning of a subject of a megabyte tells enough. */
const LABEL_MAX = 120

type Row = [operator: string | undefined, value: unknown, subject: unknown, expected: boolean]

function table(name: string, rows: readonly Row[]): void {
  t.test(name, async (t) => {
    for (const [operator, value, subject, expected] of rows) {
      const label = `${operator} ${JSON.stringify(value)} on ${JSON.stringify(subject)}`
      t.equal(matches(operator, value, subject), expected, label.slice(0, LABEL_MAX))
    }
  })
}

table('filters that cannot be evaluated match nothing, not even a missing property', [
  ['no_such_operator', 'x', 'x', false],
  ['no_such_operator', 'x', MISSING, false],
  ['constructor', 'x', 'x', false],
  ['__proto__', 'x', 'x', false],
  ['not_regex', '?*', 'x', false],
  ['not_regex', '?*', MISSING, false],
  ['regex', '(a)\\1', 'aa', false],
  ['not_between', [20, 10], 15, false],
  ['between', [20, 10], 15, false],
  ['not_between', 'x', 15, false],
  ['is_date_before', 20, '2020-01-01', false],
  ['semver_neq', 'one', '1.2.3', false],
  ['gt', 'abc', 5, false],
  ['in', 1, 1, false],
  ['flag_evaluates_to', true, true, false],
])

table('a missing filter value matches nothing except for set and not set', [
  ['exact', null, 'null', false],
  ['is_not', null, 'x', false],
  ['is_not', undefined, MISSING, false],
  ['is_set', null, 'x', true],
  ['is_not_set', undefined, MISSING, true],
])

table('a missing property matches the negative operators only', [
  [undefined, 'x', MISSING, false],
  ['exact', 'x', MISSING, false],
  ['is_not', 'x', MISSING, true],
  ['is_set', 'x', MISSING, false],
  ['is_not_set', 'x', MISSING, true],
  ['icontains', 'x', MISSING, false],
  ['not_icontains', 'x', MISSING, true],
  ['icontains_multi', ['x'], MISSING, false],
  ['not_icontains_multi', ['x'], MISSING, true],
  ['starts_with', 'x', MISSING, false],
  ['not_starts_with', 'x', MISSING, true],
  ['ends_with', 'x', MISSING, false],
  ['not_ends_with', 'x', MISSING, true],
  ['regex', 'x', MISSING, false],
  ['not_regex', 'x', MISSING, true],
  ['gt', 1, MISSING, false],
  ['lte', 1, MISSING, false],
  ['between', [1, 2], MISSING, false],
  ['not_between', [1, 2], MISSING, true],
  ['is_date_after', '-1d', MISSING, false],
  ['semver_eq', '1.0.0', MISSING, false],
  ['semver_neq', '1.0.0', MISSING, false],
])

table('values are compared by their texts, ignoring case', [
  ['exact', 'null', null, true],
  ['exact', '', '', true],
  ['exact', [], '', false],
  ['is_not', [], 'x', true],
  ['exact', '{"a":"B"}', { a: 'b' }, true],
  ['exact', ['x', 5], 5, true],
  ['exact', 'ÜBER', 'über', true],
  ['exact', ['true', 'false'], false, true],
  ['exact', [true], 'TRUE', true],
  ['exact', 'false', 'no', false],
  ['exact', 'x', 'x'.repeat(1_000_000), false],
  ['is_set', 'x', null, true],
  ['is_not_set', 'x', null, false],
])

table('substrings ignore case in all of Unicode', [
  ['icontains', 'ABC', 'xabcx', true],
  ['icontains', 'é', 'É', true],
  ['icontains', 'ΟΣ', 'οδος', true],
  ['ends_with', 'ΟΣ', 'οδος', true],
  ['icontains', 'Σ', 'οδος', true],
  ['starts_with', 'İ', 'i\u0307x', true],
  ['exact', 'ẞ', 'ß', true],
  ['exact', 'ss', 'ß', false],
  ['icontains', 'éA', 'éa', true],
  ['icontains', ['a'], 'x["A"]y', true],
  ['not_icontains', 'a', 'x'.repeat(100_000), false],
  ['icontains_multi', [], 'x', false],
  ['not_icontains_multi', [], 'x', true],
  ['starts_with', 'T', true, true],
  ['ends_with', 'LL', null, true],
])

table('regular expressions are unanchored, and bounded', [
  ['regex', '(?i)ADMIN', 'an admin', true],
  ['regex', 'b$', 'b\n', false],
  ['regex', '(?<=@)acme', 'jo@acme', true],
  ['regex', 'foo(?!bar)', 'foobar', false],
  ['regex', '^(?:(?!x).)+$', 'abc', true],
  ['regex', '(?!', 'x', false],
  ['regex', true, 'is true', true],
  ['regex', '(a+)+$', `${'a'.repeat(5_000)}b`, false],
  ['regex', 'a'.repeat(1_001), 'a', false],
  ['regex', 'a', 'a'.repeat(1_000_000), false],
  ['not_regex', 'b', 'a'.repeat(1_000_000), false],
])

table('numbers compare as doubles', [
  ['gt', 1, '1e1', true],
  ['gt', 1, ' 2', false],
  ['gt', 1, '0x10', false],
  ['gt', 1, '', false],
  ['lt', 1, true, false],
  ['lt', 1, [0], false],
  ['gte', '2', 2, true],
  ['between', ['1', 2.5], '2.5', true],
  ['not_between', [1, 2], 'x', false],
  ['not_between', [1, 2], 3, true],
])

table('dates are absolute, or lie before now', [
  ['is_date_before', '2022-02-30', '2000-01-01', false],
  ['is_date_after', '-1m', '2022-02-28T00:00:01', true],
  ['is_date_after', '-1m', '2022-02-28', false],
  ['is_date_after', '10000d', '2022-03-30', false],
  ['is_date_after', '7d', 1648500000.5, true],
  ['is_date_exact', '2022-01-01T01:00:00+01:00', '2022-01-01', true],
  ['is_date_exact', '2022-01-01 00:00:00.123456Z', '2022-01-01T00:00:00.123456', true],
  ['is_date_exact', '2022-01-01', '1640995200', true],
  ['is_date_before', '2022-01-01', 1e300, false],
  ['is_date_before', '2022-01-01', true, false],
  ['is_date_before', '2022-01-01', '2021-01-01T25:00', false],
  ['is_date_before', '2022-01-01', '0001-01-01', true],
  ['is_date_exact', '2022-01-01', '2022-01-01T23:59:59.999Z', true],
  ['is_date_exact', '2022-01-01', '2022-01-02', false],
  ['is_date_exact', '2022-01-01T00:00:00Z', '2022-01-01T00:00:01Z', false],
  ['is_date_exact', '2025-02-20', 1740009600000, true],
  ['is_date_exact', '2025-02-20', '1740009600000000', true],
  ['is_date_before', '1970-01-02', 99_999_999_999, false],
])

table('versions follow semver, padded and lenient about zeros', [
  ['semver_eq', '1', ' v1.0.0 ', true],
  ['semver_eq', '1.2.3', '1.2.3+build', true],
  ['semver_lt', '1.0.0', '1.0.0-rc.1', true],
  ['semver_gt', '1.0.0-2', '1.0.0-10', true],
  ['semver_gt', '1.0.0-10', '1.0.0-a', true],
  ['semver_gt', '1.0.0-a', '1.0.0-a.1', true],
  ['semver_neq', '1.0.0', 'x', false],
  ['semver_tilde', '1.2.3', '1.2.9-rc', false],
  ['semver_caret', '0.0.3', '0.0.4', false],
  ['semver_caret', '0.2.3', '0.2.9', true],
  ['semver_caret', '1.2.3', '1.2.3-rc', false],
  ['semver_wildcard', '*', '9.9.9', true],
  ['semver_wildcard', '1.*', '1.0.0-rc', false],
  ['semver_wildcard', '1.*.3', '1.2.3', false],
  ['semver_wildcard', '1.2.3.*', '1.2.3', false],
  ['semver_eq', '1.2.3.4', '1.2.3', false],
])

t.test('no filter and no value make a test throw', async (t) => {
  const operator = fc.constantFrom(
    ...['exact', 'is_not', 'icontains', 'not_icontains_multi', 'regex', 'not_regex', 'gt'],
    ...['between', 'not_between', 'is_date_before', 'is_date_exact', 'semver_caret'],
    ...['semver_wildcard', 'ends_with', 'nonsense'],
  )
  fc.assert(
    fc.property(operator, fc.jsonValue(), fc.jsonValue(), (name, value, subject) => {
      matches(name, value, subject)
    }),
  )
  t.pass()
})

t.test('look-around agrees with the engine of JavaScript', async (t) => {
  const patterns = [
    ...['a(?=b)', 'a(?!b)', '^(?!ab).*c$', '(?:(?!bc)[abc])+$', '(?=.*a)(?=.*b)c'],
    ...['(?<=a)b(?=c|$)', '(?<!a)b(?=c)', '\\b(?=a)\\w{2,3}\\b', '(?=a(?!b))ac?', '(?=)a*b??c{2}'],
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...patterns),
      fc.stringMatching(/^[abc ]{0,12}$/),
      (source, text) => {
        t.equal(matches('regex', source, text), new RegExp(source, 'u').test(text), source)
      },
    ),
    { numRuns: 500 },
  )
})
