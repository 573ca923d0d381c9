/** Property operators: a filter compiled once to a test of one value. */

import { type JsonObject, own } from '../core/json.ts'
import { FLAG_REGEX_WORK_TOTAL_MAX, FLAG_SUBJECT_LENGTH_MAX } from '../core/limits/limits.ts'
import { before, instantOf, parseAbsolute, parseRelative } from './dates.ts'
import { compilePattern, inspectPattern } from './patterns/regex.ts'
import { numberOf, textOf } from './property-value.ts'
import { compileVersionTest, type SemverOperator } from './semver.ts'

/** What a test may read and must count, for the time of one evaluation. */
export type Meter = {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Instructions times characters of the regular expressions so far. */
  regexWork: number
  /** Whether an outcome depended on `now`. */
  timeDependent: boolean
}

type Test = (value: unknown, meter: Meter) => boolean

export type PropertyTest = {
  /** Outcome for a property that is not there. */
  readonly whenMissing: boolean
  readonly test: Test
}

const NEVER: PropertyTest = { whenMissing: false, test: () => false }

/**
 * The test of a property filter. One that cannot be evaluated (unknown operator, broken pattern,
 * value of a wrong type) matches nothing, a missing property included: a typing error must not
 * switch a flag on.
 */
export function compileTest(filter: JsonObject): PropertyTest {
  const operator = own(filter, 'operator') ?? 'exact'
  if (operator === 'is_set') return { whenMissing: false, test: () => true }
  if (operator === 'is_not_set') return { whenMissing: true, test: () => false }
  const value = own(filter, 'value')
  if (value === undefined || value === null || typeof operator !== 'string') return NEVER
  return (Object.hasOwn(COMPILERS, operator) ? COMPILERS[operator]?.(value) : undefined) ?? NEVER
}

/** Whether a filter's operator is known, and its value one for it. */
export function canHold(filter: JsonObject): boolean {
  const operator = own(filter, 'operator')
  if (operator === 'regex' || operator === 'not_regex') {
    const pattern = textOf(own(filter, 'value'))
    return pattern !== undefined && inspectPattern(pattern).ok
  }
  return compileTest(filter) !== NEVER
}

type Compiler = (value: unknown) => PropertyTest | undefined

const COMPILERS: Readonly<Record<string, Compiler>> = {
  exact: (value) => positive(exactTest(value)),
  is_not: (value) => {
    const equals = exactTest(value)
    return negative((subject, meter) => !equals(subject, meter))
  },
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
  gt: numberCompiler((subject, bound) => subject > bound),
  gte: numberCompiler((subject, bound) => subject >= bound),
  lt: numberCompiler((subject, bound) => subject < bound),
  lte: numberCompiler((subject, bound) => subject <= bound),
  between: (value) => betweenTest(value, false),
  not_between: (value) => betweenTest(value, true),
  is_date_before: dateCompiler((subject, bound) => subject < bound),
  is_date_after: dateCompiler((subject, bound) => subject > bound),
  is_date_exact: dateCompiler((subject, bound) => subject === bound),
  is_relative_date_before: dateCompiler((subject, bound) => subject < bound),
  is_relative_date_after: dateCompiler((subject, bound) => subject > bound),
  semver_eq: versionCompiler('semver_eq'),
  semver_neq: versionCompiler('semver_neq'),
  semver_gt: versionCompiler('semver_gt'),
  semver_gte: versionCompiler('semver_gte'),
  semver_lt: versionCompiler('semver_lt'),
  semver_lte: versionCompiler('semver_lte'),
  semver_tilde: versionCompiler('semver_tilde'),
  semver_caret: versionCompiler('semver_caret'),
  semver_wildcard: versionCompiler('semver_wildcard'),
}

function positive(test: Test): PropertyTest {
  return { whenMissing: false, test }
}

function negative(test: Test): PropertyTest {
  return { whenMissing: true, test }
}

/**
 * Equality of texts, ignoring case in all of Unicode; a list means any of. Booleans need no case of
 * their own under property matching version 2: `true` and `"True"` have the same text.
 */
function exactTest(value: unknown): Test {
  const texts = (Array.isArray(value) ? value : [value])
    .map(textOf)
    .filter((text) => text !== undefined)
    .map((text) => text.toLowerCase())
  const [only] = texts
  const wanted = new Set(texts)
  // Lower-casing never shortens a text, so a longer one is unequal without being lower-cased.
  const lengthMax = texts.reduce((longest, text) => Math.max(longest, text.length), 0)
  return (subject) => {
    const text = textOf(subject)
    if (text === undefined || text.length > lengthMax) return false
    return texts.length === 1 ? text.toLowerCase() === only : wanted.has(text.toLowerCase())
  }
}

/** A test on the text of a property; one out of bounds matches neither it nor its opposite. */
function textTest(matches: (text: string) => boolean, negated: boolean): PropertyTest {
  const test: Test = (subject) => {
    const text = textOf(subject)
    if (text === undefined || text.length > FLAG_SUBJECT_LENGTH_MAX) return false
    return matches(text) !== negated
  }
  return { whenMissing: negated, test }
}

function textCompiler(how: 'includes' | 'startsWith' | 'endsWith', negated: boolean): Compiler {
  return (value) => {
    const wanted = textOf(value)
    if (wanted === undefined) return undefined
    const part = asciiLowerCase(wanted)
    return textTest((text) => asciiLowerCase(text)[how](part), negated)
  }
}

function containsAny(value: unknown): (text: string) => boolean {
  const parts = (Array.isArray(value) ? value : [value])
    .map(textOf)
    .filter((part) => part !== undefined)
    .map(asciiLowerCase)
  return (text) => {
    const lower = asciiLowerCase(text)
    return parts.some((part) => lower.includes(part))
  }
}

const NOT_ASCII = /[^\0-\x7f]/

function asciiLowerCase(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function regexTest(value: unknown, negated: boolean): PropertyTest | undefined {
  const source = textOf(value)
  const compiled = source === undefined ? undefined : compilePattern(source)
  if (compiled === undefined || !compiled.ok) return undefined
  const pattern = compiled.value
  const test: Test = (subject, meter) => {
    const text = textOf(subject)
    if (text === undefined || text.length > pattern.subjectLengthMax) return false
    meter.regexWork += pattern.cost * text.length
    if (meter.regexWork > FLAG_REGEX_WORK_TOTAL_MAX) return false
    return pattern.test(text) !== negated
  }
  return { whenMissing: negated, test }
}

function numberCompiler(holds: (subject: number, bound: number) => boolean): Compiler {
  return (value) => {
    const bound = numberOf(value)
    if (bound === undefined) return undefined
    return positive((subject) => {
      const number = numberOf(subject)
      return number !== undefined && holds(number, bound)
    })
  }
}

function betweenTest(value: unknown, negated: boolean): PropertyTest | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const low = numberOf(value[0])
  const high = numberOf(value[1])
  if (low === undefined || high === undefined || low > high) return undefined
  const test: Test = (subject) => {
    const number = numberOf(subject)
    return number !== undefined && (number >= low && number <= high) !== negated
  }
  return { whenMissing: negated, test }
}

function dateCompiler(holds: (subject: number, bound: number) => boolean): Compiler {
  return (value) => {
    if (typeof value !== 'string') return undefined
    const relative = parseRelative(value)
    if (relative !== undefined) {
      return positive((subject, meter) => {
        const instant = instantOf(subject)
        if (instant === undefined) return false
        meter.timeDependent = true
        return holds(instant, before(meter.now, relative))
      })
    }
    const bound = parseAbsolute(value)
    if (bound === undefined) return undefined
    return positive((subject) => {
      const instant = instantOf(subject)
      return instant !== undefined && holds(instant, bound)
    })
  }
}

/** Whether a date operator accepts this filter value: absolute, or relative to now. */
export function isDateValue(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return parseRelative(value) !== undefined || parseAbsolute(value) !== undefined
}

function versionCompiler(operator: SemverOperator): Compiler {
  return (value) => {
    const test = compileVersionTest(operator, value)
    return test === undefined ? undefined : positive(test)
  }
}
