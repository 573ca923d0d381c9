/** Reads the conditions of cohorts on one property, as `compileTest` of the flags reads them. */
import { FLAG_SUBJECT_LENGTH_MAX } from '../../core/limits/limits.ts'
import type { Work } from '../../core/work/turns.ts'
import type { LeafTest, Relation, ValueTest } from '../../events/trees/members.ts'
import { isPattern } from '../../events/trees/patterns.ts'
import { before, parseAbsolute, parseRelative } from '../../flags/dates.ts'
import { learnPatterns } from '../../flags/patterns/learn-patterns.ts'
import { inspectPattern } from '../../flags/patterns/regex.ts'
import { numberOf, textOf } from '../../flags/property-value.ts'

type Compiler = (value: unknown, nowMs: number) => LeafTest | undefined

function testOf(value: ValueTest, whenMissing = false): LeafTest {
  return { value, whenMissing }
}

/** Matches nothing, a missing property included. */
const NEVER = testOf({ kind: 'never' })

/** Conditions that only flags can evaluate: SQL would not mean the same. */
const OF_FLAGS_ONLY = /^semver_/

/**
 * As `compileTest` of the flags reads a filter, where null counts as no match; undefined for a
 * condition that only they understand: versions, and patterns that RE2 cannot read.
 */
export function leafTest(operator: unknown, value: unknown, nowMs: number): LeafTest | undefined {
  if (operator === 'is_set') return testOf({ kind: 'always' })
  if (operator === 'is_not_set') return testOf({ kind: 'never' }, true)
  if (value === undefined || value === null || typeof operator !== 'string') return NEVER
  if (OF_FLAGS_ONLY.test(operator)) return undefined
  const compile = Object.hasOwn(COMPILERS, operator) ? COMPILERS[operator] : undefined
  return compile === undefined ? NEVER : compile(value, nowMs)
}

const COMPILERS: Readonly<Record<string, Compiler>> = {
  exact: (value) => testOf(isOneOf(value, false)),
  is_not: (value) => testOf(isOneOf(value, true), true),
  icontains: textCompiler('includes', false),
  not_icontains: textCompiler('includes', true),
  starts_with: textCompiler('starts_with', false),
  not_starts_with: textCompiler('starts_with', true),
  ends_with: textCompiler('ends_with', false),
  not_ends_with: textCompiler('ends_with', true),
  icontains_multi: (value) => textTest('includes', textsOf(value), false),
  not_icontains_multi: (value) => textTest('includes', textsOf(value), true),
  regex: (value) => regexTest(value, false),
  not_regex: (value) => regexTest(value, true),
  gt: numberCompiler('gt'),
  gte: numberCompiler('gte'),
  lt: numberCompiler('lt'),
  lte: numberCompiler('lte'),
  between: (value) => betweenTest(value, false),
  not_between: (value) => betweenTest(value, true),
  is_date_before: dateCompiler('lt'),
  is_date_after: dateCompiler('gt'),
  is_date_exact: dateCompiler('eq'),
  is_relative_date_before: dateCompiler('lt'),
  is_relative_date_after: dateCompiler('gt'),
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map(textOf).filter((text) => text !== undefined)
}

function isOneOf(value: unknown, negated: boolean): ValueTest {
  return { kind: 'one_of', texts: textsOf(value).map((text) => text.toLowerCase()), negated }
}

type How = Extract<ValueTest, { kind: 'text' }>['how']

function textTest(how: How, parts: readonly string[], negated: boolean): LeafTest {
  const lengthMax = FLAG_SUBJECT_LENGTH_MAX
  return testOf({ kind: 'text', how, parts, negated, lengthMax }, negated)
}

function textCompiler(how: How, negated: boolean): Compiler {
  return (value) => {
    const wanted = textOf(value)
    return wanted === undefined ? NEVER : textTest(how, [wanted], negated)
  }
}

function regexTest(value: unknown, negated: boolean): LeafTest | undefined {
  const pattern = textOf(value)
  const compiled = pattern === undefined ? undefined : inspectPattern(pattern)
  if (pattern === undefined || compiled === undefined || !compiled.ok) return NEVER
  if (!isPattern(pattern)) return undefined
  const lengthMax = compiled.value.subjectLengthMax
  return testOf({ kind: 'regex', pattern, negated, lengthMax }, negated)
}

function numberCompiler(relation: Relation): Compiler {
  return (value) => {
    const number = numberOf(value)
    return number === undefined ? NEVER : testOf({ kind: 'number', relation, number })
  }
}

function betweenTest(value: unknown, negated: boolean): LeafTest {
  if (!Array.isArray(value) || value.length !== 2) return NEVER
  const [low, high] = [numberOf(value[0]), numberOf(value[1])]
  if (low === undefined || high === undefined || low > high) return NEVER
  return testOf({ kind: 'between', low, high, negated }, negated)
}

function dateCompiler(relation: 'lt' | 'gt' | 'eq'): Compiler {
  return (value, nowMs) => {
    if (typeof value !== 'string') return NEVER
    const relative = parseRelative(value)
    const ms = relative === undefined ? parseAbsolute(value) : before(nowMs, relative)
    return ms === undefined ? NEVER : testOf({ kind: 'time', relation, ms })
  }
}

/** Compiles the patterns of definitions in steps: `leafTest` remembers them then. */
export function learnConditions(definitions: unknown): Work<void> {
  return learnPatterns(definitions, (pattern) => {
    inspectPattern(pattern)
    isPattern(pattern)
  })
}
