/** Reads an operator with its value, and refuses what can never hold. */

import { FLAG_SUBJECT_LENGTH_MAX } from '../core/limits/limits.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Zone } from '../core/time/zone.ts'
import type { Condition, Relation, ValueTest } from './condition.ts'
import { dayOf, parseAbsolute, parseRelative } from './dates.ts'
import { fold } from './fold.ts'
import { inspectPattern } from './patterns/regex.ts'
import { numberOf, textOf } from './property-value.ts'
import { releasesLike, type VersionRelation, versionKey } from './versions.ts'

type Read = Result<Condition, string>
/** The value is neither missing nor null. */
type Reader = (value: unknown, zone: Zone) => Read

/**
 * @param operator `exact` where there is none.
 * @param zone of the project, in which dates without a zone are read.
 * @returns an error that is a sentence, for what no property could meet. Never throws.
 */
export function readCondition(operator: unknown, value: unknown, zone: Zone): Read {
  const name = operator ?? 'exact'
  if (name === 'is_set') return ok({ whenMissing: false, value: { kind: 'always' } })
  if (name === 'is_not_set') return ok({ whenMissing: true, value: { kind: 'never' } })
  if (!hasReader(name)) return err(`The operator must be one of ${OPERATORS.join(', ')}.`)
  if (value === undefined || value === null) return err(`The operator ${name} needs a value.`)
  const read = READERS[name](value, zone)
  return read.ok ? read : err(`The operator ${name} needs ${read.error}.`)
}

const READERS = {
  exact: (value) => oneOf(value, false),
  is_not: (value) => oneOf(value, true),
  icontains: textReader('includes', false),
  not_icontains: textReader('includes', true),
  icontains_multi: textsReader(false),
  not_icontains_multi: textsReader(true),
  starts_with: textReader('starts_with', false),
  not_starts_with: textReader('starts_with', true),
  ends_with: textReader('ends_with', false),
  not_ends_with: textReader('ends_with', true),
  regex: patternReader(false),
  not_regex: patternReader(true),
  gt: numberReader('gt'),
  gte: numberReader('gte'),
  lt: numberReader('lt'),
  lte: numberReader('lte'),
  between: betweenReader(false),
  not_between: betweenReader(true),
  is_date_exact: exactDate,
  is_date_before: dateReader('lt'),
  is_date_after: dateReader('gt'),
  is_relative_date_before: dateReader('lt'),
  is_relative_date_after: dateReader('gt'),
  semver_eq: versionReader('eq'),
  semver_neq: versionReader('neq'),
  semver_gt: versionReader('gt'),
  semver_gte: versionReader('gte'),
  semver_lt: versionReader('lt'),
  semver_lte: versionReader('lte'),
  semver_tilde: releasesReader('tilde'),
  semver_caret: releasesReader('caret'),
  semver_wildcard: releasesReader('wildcard'),
} satisfies Readonly<Record<string, Reader>>

type ReaderName = keyof typeof READERS

/** Operators of all conditions on properties. */
const OPERATORS: readonly string[] = [...Object.keys(READERS), 'is_set', 'is_not_set']

export function isOperator(name: string): boolean {
  return OPERATORS.includes(name)
}

function hasReader(name: unknown): name is ReaderName {
  return typeof name === 'string' && Object.hasOwn(READERS, name)
}

function holds(value: ValueTest, whenMissing = false): Read {
  return ok({ value, whenMissing })
}

/** Booleans need no case of their own: `true` and `"True"` have the same folded text. */
function oneOf(value: unknown, negated: boolean): Read {
  const texts = foldedOf(value)
  if (texts === undefined) return err(TOO_LONG)
  return holds({ kind: 'one_of', texts, negated }, negated)
}

const TOO_LONG = `texts of at most ${FLAG_SUBJECT_LENGTH_MAX} characters`

/** Folded texts of an item or a list of them. Undefined when one is too long. */
function foldedOf(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts: string[] = []
  for (const item of list) {
    const text = textOf(item)
    if (text === undefined) return undefined
    texts.push(fold(text))
  }
  return texts
}

type How = Extract<ValueTest, { kind: 'text' }>['how']

function textTest(how: How, parts: readonly string[], negated: boolean): Read {
  const lengthMax = FLAG_SUBJECT_LENGTH_MAX
  return holds({ kind: 'text', how, parts, negated, lengthMax }, negated)
}

/** A list is compared as its JSON text. */
function textReader(how: How, negated: boolean): Reader {
  return (value) => {
    const text = textOf(value)
    return text === undefined ? err(TOO_LONG) : textTest(how, [fold(text)], negated)
  }
}

function textsReader(negated: boolean): Reader {
  return (value) => {
    const parts = foldedOf(value)
    return parts === undefined ? err(TOO_LONG) : textTest('includes', parts, negated)
  }
}

function patternReader(negated: boolean): Reader {
  return (value) => {
    const pattern = textOf(value)
    if (pattern === undefined) return err(TOO_LONG)
    const found = inspectPattern(pattern)
    if (!found.ok) return err(`a regular expression, and this one is ${found.error}`)
    const { subjectLengthMax: lengthMax } = found.value
    return holds({ kind: 'regex', pattern, negated, lengthMax }, negated)
  }
}

function numberReader(relation: Relation): Reader {
  return (value) => {
    const number = numberOf(value)
    return number === undefined ? err('a number') : holds({ kind: 'number', relation, number })
  }
}

function betweenReader(negated: boolean): Reader {
  return (value) => {
    const [low, high] = Array.isArray(value) && value.length === 2 ? value.map(numberOf) : []
    if (low === undefined || high === undefined || low > high) {
      return err('a list of two numbers, the lower one first')
    }
    return holds({ kind: 'between', low, high, negated }, negated)
  }
}

const NO_DATE = 'a date such as 2026-11-28, a time such as 2026-11-28T09:30:00Z, or -7d'

function dateReader(relation: 'lt' | 'gt' | 'eq'): Reader {
  return (value, zone) => {
    if (typeof value !== 'string') return err(NO_DATE)
    const ago = parseRelative(value)
    if (ago !== undefined) {
      return holds({ kind: 'time', relation, bound: { ago }, zone: zone.name })
    }
    const ms = parseAbsolute(value, zone)
    if (ms === undefined) return err(NO_DATE)
    return holds({ kind: 'time', relation, bound: { ms }, zone: zone.name })
  }
}

/** A date without a time means all of its day. */
function exactDate(value: unknown, zone: Zone): Read {
  const day = typeof value === 'string' ? dayOf(value, zone) : undefined
  if (day === undefined) return dateReader('eq')(value, zone)
  return holds({ kind: 'day', ...day, zone: zone.name })
}

const NO_VERSION = 'a version of one to three parts, such as 1.2.3'

function versionReader(relation: VersionRelation): Reader {
  return (value) => {
    const key = versionKey(value)
    return key === undefined ? err(NO_VERSION) : holds({ kind: 'version', relation, key })
  }
}

function releasesReader(how: 'tilde' | 'caret' | 'wildcard'): Reader {
  return (value) => {
    const range = releasesLike(how, value)
    if (range !== undefined) return holds({ kind: 'releases', ...range })
    return err(how === 'wildcard' ? 'a version such as 1.2.*' : NO_VERSION)
  }
}
