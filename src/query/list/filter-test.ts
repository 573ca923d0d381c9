/** The test that one filter makes of a property. */
import { err, ok, type Result } from '../../core/result.ts'
import { DAY_MS } from '../../events/time/instant.ts'
import { parseIsoTime } from '../../events/time/iso-time.ts'
import type { Test } from '../../events/trees/filter.ts'
import type { Relation } from '../../events/trees/members.ts'
import { isPattern } from '../../events/trees/patterns.ts'
import { microsOf } from '../bounds.ts'

export const OPERATORS = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'lt',
  'gte',
  'lte',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
] as const
export type Operator = (typeof OPERATORS)[number]

export function isOperator(value: unknown): value is Operator {
  return OPERATORS.some((operator) => operator === value)
}

const NEVER: Test = { kind: 'never' }
const NUMBER = /^\s*[-+]?(?:\d{1,100}(?:\.\d{0,100})?|\.\d{1,100})(?:e[-+]?\d{1,3})?\s*$/i
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/
const DAY_SECONDS_END_MS = DAY_MS - 1_000

/** @param isList whether the value came as a list. Some operators take one item only. */
export function parseTest(
  operator: Operator,
  values: readonly string[],
  isList: boolean,
): Result<Test, string> {
  switch (operator) {
    case 'is_set':
      return ok({ kind: 'present', negated: false })
    case 'is_not_set':
      return ok({ kind: 'present', negated: true })
    case 'exact':
    case 'is_not':
      if (values.length === 0 && !isList) return err(`The operator ${operator} needs a value.`)
      return ok({ kind: 'one_of', values, negated: operator === 'is_not' })
    case 'icontains':
    case 'not_icontains':
      if (values.length === 0) return err(`The operator ${operator} needs a value.`)
      return ok({ kind: 'contains', values, negated: operator === 'not_icontains' })
    default: {
      const [value, ...others] = values
      if (value === undefined || others.length > 0) {
        return err(`The operator ${operator} needs one value.`)
      }
      return parseSingle(operator, value)
    }
  }
}

type SingleOperator = 'regex' | 'not_regex' | Relation | DateOperator
type DateOperator = 'is_date_exact' | 'is_date_before' | 'is_date_after'

function parseSingle(operator: SingleOperator, value: string): Result<Test, string> {
  switch (operator) {
    case 'regex':
    case 'not_regex':
      if (!isPattern(value)) return ok(NEVER)
      return ok({ kind: 'regex', pattern: value, negated: operator === 'not_regex' })
    case 'gt':
    case 'lt':
    case 'gte':
    case 'lte':
      if (!NUMBER.test(value)) return ok(NEVER)
      return ok({ kind: 'compare', relation: operator, number: value.trim() })
    case 'is_date_exact':
    case 'is_date_before':
    case 'is_date_after':
      return parseDateTest(operator, value.trim())
    default:
      return operator satisfies never
  }
}

/** A date without a time means the whole day in UTC. */
function parseDateTest(operator: DateOperator, value: string): Result<Test, string> {
  const at = parseIsoTime(value)
  if (at === undefined) return err(`The operator ${operator} needs a date of ISO 8601.`)
  const isDay = DATE_ONLY.test(value)
  const none = { from: undefined, after: undefined, before: undefined }
  switch (operator) {
    case 'is_date_before':
      return ok({ kind: 'time', ...none, before: microsOf(at) })
    case 'is_date_after': {
      const after = isDay ? { ms: at.ms + DAY_SECONDS_END_MS, us: 0 } : at
      return ok({ kind: 'time', ...none, after: microsOf(after) })
    }
    case 'is_date_exact': {
      const from = microsOf(at)
      const before = isDay ? microsOf({ ms: at.ms + DAY_MS, us: 0 }) : String(BigInt(from) + 1n)
      return ok({ kind: 'time', ...none, from, before })
    }
    default:
      return operator satisfies never
  }
}
