/** The conditions of cohorts on one property as SQL over its value `v.v`, a jsonb that is there. */
import { FLAG_SUBJECT_LENGTH_MAX } from '../../core/limits/limits.ts'
import { before, parseAbsolute, parseRelative } from '../../flags/dates.ts'
import { compilePattern } from '../../flags/patterns/regex.ts'
import { numberOf, textOf } from '../../flags/property-value.ts'
import { type Fragment, fragment, join } from '../pool/fragment.ts'
import { toPostgresPattern } from '../pool/patterns.ts'

/** What `compileTest` makes of a filter, in SQL. Null counts as no match. */
export type LeafTest = {
  readonly whenMissing: boolean
  readonly where: Fragment
  readonly patterns: readonly string[]
}

type Compiler = (value: unknown, nowMs: number) => LeafTest | undefined

const TEXT = fragment`flag_text(v.v)`
const LOWER = fragment`lower(flag_text(v.v) collate "C")`
const NUMBER = fragment`flag_number(v.v)`
const INSTANT = fragment`flag_instant(v.v)`

function testOf(where: Fragment, whenMissing = false, patterns: readonly string[] = []): LeafTest {
  return { where, whenMissing, patterns }
}

/** Matches nothing, a missing property included. */
const NEVER = testOf(fragment`false`)

/** Conditions that only flags can evaluate: SQL would not mean the same. */
const OF_FLAGS_ONLY = /^semver_/

/**
 * As `compileTest` of the flags reads a filter; undefined for a condition that only they understand:
 * versions, and patterns that Postgres cannot read.
 */
export function leafTest(operator: unknown, value: unknown, nowMs: number): LeafTest | undefined {
  if (operator === 'is_set') return testOf(fragment`true`)
  if (operator === 'is_not_set') return testOf(fragment`false`, true)
  if (value === undefined || value === null || typeof operator !== 'string') return NEVER
  if (OF_FLAGS_ONLY.test(operator)) return undefined
  const compile = Object.hasOwn(COMPILERS, operator) ? COMPILERS[operator] : undefined
  return compile === undefined ? NEVER : compile(value, nowMs)
}

const COMPILERS: Readonly<Record<string, Compiler>> = {
  exact: (value) => testOf(isOneOf(value)),
  is_not: (value) => testOf(fragment`not coalesce(${isOneOf(value)}, false)`, true),
  icontains: textCompiler('includes', false),
  not_icontains: textCompiler('includes', true),
  starts_with: textCompiler('startsWith', false),
  not_starts_with: textCompiler('startsWith', true),
  ends_with: textCompiler('endsWith', false),
  not_ends_with: textCompiler('endsWith', true),
  icontains_multi: (value) => textTest(containsAny(value), false),
  not_icontains_multi: (value) => textTest(containsAny(value), true),
  regex: (value) => regexTest(value, false),
  not_regex: (value) => regexTest(value, true),
  gt: numberCompiler(fragment`>`),
  gte: numberCompiler(fragment`>=`),
  lt: numberCompiler(fragment`<`),
  lte: numberCompiler(fragment`<=`),
  between: (value) => betweenTest(value, false),
  not_between: (value) => betweenTest(value, true),
  is_date_before: dateCompiler(fragment`<`),
  is_date_after: dateCompiler(fragment`>`),
  is_date_exact: dateCompiler(fragment`=`),
  is_relative_date_before: dateCompiler(fragment`<`),
  is_relative_date_after: dateCompiler(fragment`>`),
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map(textOf).filter((text) => text !== undefined)
}

/** ICU lowers a text as JavaScript does, whatever the language of the database. */
function isOneOf(value: unknown): Fragment {
  const texts = JSON.stringify(textsOf(value).map((text) => text.toLowerCase()))
  return fragment`lower(${TEXT} collate "und-x-icu") collate "C" = any(
    array(select jsonb_array_elements_text(${texts}::jsonb)))`
}

function textTest(matches: Fragment, negated: boolean, lengthMax = FLAG_SUBJECT_LENGTH_MAX) {
  const wanted = negated ? fragment`not (${matches})` : matches
  return testOf(fragment`(length(${TEXT}) <= ${String(lengthMax)}::integer and ${wanted})`, negated)
}

function textCompiler(how: 'includes' | 'startsWith' | 'endsWith', negated: boolean): Compiler {
  return (value) => {
    const wanted = textOf(value)
    if (wanted === undefined) return NEVER
    const part = fragment`lower(${wanted} collate "C")`
    if (how === 'includes') return textTest(fragment`strpos(${LOWER}, ${part}) > 0`, negated)
    if (how === 'startsWith') return textTest(fragment`starts_with(${LOWER}, ${part})`, negated)
    return textTest(fragment`right(${LOWER}, length(${part})) = ${part}`, negated)
  }
}

function containsAny(value: unknown): Fragment {
  const parts = textsOf(value).map(
    (part) => fragment`strpos(${LOWER}, lower(${part} collate "C")) > 0`,
  )
  return join(parts, 'or')
}

function regexTest(value: unknown, negated: boolean): LeafTest | undefined {
  const source = textOf(value)
  const compiled = source === undefined ? undefined : compilePattern(source)
  if (source === undefined || compiled === undefined || !compiled.ok) return NEVER
  const pattern = toPostgresPattern(source, 'of_re2')
  if (pattern === undefined) return undefined
  const test = textTest(fragment`${TEXT} ~ ${pattern}`, negated, compiled.value.subjectLengthMax)
  return { ...test, patterns: [pattern] }
}

function numberCompiler(sign: Fragment): Compiler {
  return (value) => {
    const bound = numberOf(value)
    if (bound === undefined) return NEVER
    return testOf(fragment`${NUMBER} ${sign} ${String(bound)}::float8`)
  }
}

function betweenTest(value: unknown, negated: boolean): LeafTest {
  if (!Array.isArray(value) || value.length !== 2) return NEVER
  const [low, high] = [numberOf(value[0]), numberOf(value[1])]
  if (low === undefined || high === undefined || low > high) return NEVER
  const bounds = fragment`${String(low)}::float8 and ${String(high)}::float8`
  return negated
    ? testOf(fragment`${NUMBER} not between ${bounds}`, true)
    : testOf(fragment`${NUMBER} between ${bounds}`)
}

function dateCompiler(sign: Fragment): Compiler {
  return (value, nowMs) => {
    if (typeof value !== 'string') return NEVER
    const relative = parseRelative(value)
    const bound = relative === undefined ? parseAbsolute(value) : before(nowMs, relative)
    if (bound === undefined) return NEVER
    return testOf(fragment`${INSTANT} ${sign} ${String(bound)}::float8`)
  }
}
