/** Values, operators and zones for which implementations of conditions may differ. */
import fc from 'fast-check'
import type { Condition } from '../../../src/conditions/condition.ts'
import { asOf } from '../../../src/conditions/condition.ts'
import { readCondition } from '../../../src/conditions/read-condition.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'

export const ZONES = ['UTC', 'America/New_York', 'America/Santiago', 'Asia/Kolkata', 'Pacific/Apia']

export const VALUES: readonly unknown[] = [
  ...[
    '',
    'a',
    'A',
    'Abc',
    'abc@x.ORG',
    'İΣΑΣ',
    'Straße',
    'ä',
    'a\nb',
    'x.y',
    '%_\\',
    'true',
    'null',
  ],
  ...['7', '7.0', '+7.', '.5', '-0', '1e3', '1e-400', '1e99999', '0e99999', '-1e400', ' 7', '7e'],
  ...[0, -0, 7, 7.5, 1e21, 1.5e16, 1e-7, 1e-6, 123456789.125, -5, 0.1, 1e300, 1e15, 5e-324],
  ...[true, false, null],
  ...[
    [],
    ['a', 'b'],
    ['a', 1, null, [true]],
    {},
    { b: 1, a: 'x', 10: [], 2: 'y' },
    { 'a"\n\u0001é': 1e21 },
  ],
  ...['2026-11-20', '2026-11-20T10:00:00.123Z', '2026-02-30', '2024-02-29 23:59', '0000-03-01'],
  ...['2026-11-19T10:00:00.123+05:30', '2026-11-20T24:00:00Z', '1969-12-31T23:59:59.9', 1763632800],
  ...[
    '1.2.3',
    'v1.2',
    'V1',
    ' 1.10.0\u00a0',
    '1.2.3-beta.2',
    '1.2.3-beta.11',
    '1.2.3-0x',
    '1.2.3+b',
  ],
  ...['1.2.3.4', '01.2.3', '999999999999999.1', '1.2.3-', '1.2.3-a..b', 1.2, '1.2.3-a-b.007'],
  ...['ς', 'ΟΔΟΣ', 'οδοσ', '\u212a', 'ẞ', 'ﬁ', 'i\u0307', 'E\u0301', 'é', 'ǅ', '𐐀', 'Ⅷ'],
  ...['2026-03-08T02:30', '2026-11-01T01:30', '2026-11-01 05:30:00Z', '2025-09-07', '2011-12-30'],
  ...['1850-07-01T12:00', '9999-12-31T23:59:59', '0001-01-01', '2026-03-29T01:30:00.5'],
  ...[
    1763632800000,
    '1763632800000',
    '1763632800000000',
    99999999999,
    1e14,
    -1e11,
    '-100000000000',
  ],
  ...['1763632800.25', '-5', '2000-01-01T00:00:00 -0330', '9999-12-31', '2026-11-20T10:00:00+24'],
]
const PATTERNS = [
  ...['a', '^a$', '(?i)ärger', '\\w+', '^\\w$', '\\d{2,}', '^\\s*$', '.', '^.{3}$', 'line.break'],
  ...[
    '[^a]',
    '[\\w.]+$',
    '[[:alpha:]]+',
    '^[]a]',
    '\\.',
    'a|1',
    '(?P<x>1)\\.',
    '\\bF',
    '^$',
    '\\\\N$',
  ],
]

export const WANTED: readonly unknown[] = [
  ...VALUES,
  ...PATTERNS,
  ...['-7d', '1h', '-1m', '2y', [1, 8], ['0', '1e3'], [8, 1], ['A', '7'], ['abc', true]],
  ...['1.*', '1.2.*', '*', '1.*.3', '0.0.3', '0.2', '~1', 'ΟΣ', 'İ', 'i̇', 'K', 'SS'],
  ...['^a', 'b$', 'a.b', '\\d', '[^\\s]', '\\W', '(?i)ABC', '\\bx\\b', 'a|7', '[a-z.]+@', '('],
]
export const OPERATORS = [
  ...['exact', 'is_not', 'icontains', 'not_icontains', 'starts_with', 'not_starts_with'],
  ...['ends_with', 'not_ends_with', 'icontains_multi', 'not_icontains_multi', 'regex', 'not_regex'],
  ...['gt', 'gte', 'lt', 'lte', 'between', 'not_between', 'is_set', 'is_not_set'],
  ...['is_date_before', 'is_date_after', 'is_date_exact', 'is_relative_date_before'],
  ...['semver_eq', 'semver_neq', 'semver_gt', 'semver_gte', 'semver_lt', 'semver_lte'],
  ...['semver_tilde', 'semver_caret', 'semver_wildcard'],
  ...['is_relative_date_after', 'unknown', undefined],
]

/** Conditions that a store can evaluate at a moment. */
export function conditions(nowMs: number): fc.Arbitrary<Condition> {
  return fc
    .tuple(fc.constantFrom(...OPERATORS), fc.constantFrom(...WANTED), fc.constantFrom(...ZONES))
    .map(([operator, value, zone]) => readCondition(operator, value, zoneOf(zone)))
    .filter((read) => read.ok)
    .map((read) => asOf(read.value, nowMs))
}

/** The condition of an operator and its value in UTC. @throws {Error} where it can never hold. */
export function conditionOf(operator: string, value?: unknown): Condition {
  const read = readCondition(operator, value, zoneOf('UTC'))
  if (!read.ok) throw new Error(read.error)
  return read.value
}
