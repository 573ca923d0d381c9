/** Decides conditions in memory. */
import { type JsonObject, own } from '../core/json.ts'
import { type Zone, zoneOf } from '../core/time/zone.ts'
import { type Bound, type Condition, NEVER, type Relation, type ValueTest } from './condition.ts'
import { before, momentOf } from './dates.ts'
import { fold } from './fold.ts'
import { compilePattern } from './patterns/regex.ts'
import { numberOf, textOf } from './property-value.ts'
import { readCondition } from './read-condition.ts'
import { isRelease, versionKey } from './versions.ts'

/** The same over all matches of one evaluation: one project must not hold the event loop. */
const FLAG_REGEX_WORK_TOTAL_MAX = 1_000_000

/** State of one evaluation that a test reads and counts in. */
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

/** The test of a stored filter; one that can never hold is met by nobody. */
export function compileTest(filter: JsonObject, zone: Zone): PropertyTest {
  const read = readCondition(own(filter, 'operator'), own(filter, 'value'), zone)
  return compileCondition(read.ok ? read.value : NEVER)
}

function compileCondition({ whenMissing, value }: Condition): PropertyTest {
  return { whenMissing, test: compileValue(value) }
}

export function compileValue(value: ValueTest): Test {
  switch (value.kind) {
    case 'always':
      return () => true
    case 'never':
      return () => false
    case 'one_of':
      return isOneOf(value)
    case 'text':
      return textTest(value)
    case 'regex':
      return regexTest(value)
    case 'number':
      return numberTest(value)
    case 'between':
      return betweenTest(value)
    case 'time':
      return timeTest(value)
    case 'day':
      return dayTest(value)
    case 'version':
      return versionTest(value)
    case 'releases':
      return releasesTest(value)
    default:
      return value satisfies never
  }
}

type Of<Kind extends ValueTest['kind']> = Extract<ValueTest, { kind: Kind }>

function isOneOf({ texts, negated }: Of<'one_of'>): Test {
  const [only] = texts
  const wanted = new Set(texts)
  // Folding never shortens a text, so a longer one is unequal without being folded.
  const lengthMax = texts.reduce((longest, text) => Math.max(longest, text.length), 0)
  const isWanted =
    texts.length === 1 ? (text: string) => text === only : (text: string) => wanted.has(text)
  return (subject) => {
    const text = textOf(subject)
    if (text === undefined || text.length > lengthMax) return negated
    return isWanted(fold(text)) !== negated
  }
}

function textTest({ how, parts, negated, lengthMax }: Of<'text'>): Test {
  const method = METHODS[how]
  const [only, ...others] = parts
  const matches =
    only !== undefined && others.length === 0
      ? (text: string) => text[method](only)
      : (text: string) => parts.some((part) => text[method](part))
  return (subject) => {
    const text = textOf(subject)
    if (text === undefined || text.length > lengthMax) return false
    return matches(fold(text)) !== negated
  }
}

const METHODS = { includes: 'includes', starts_with: 'startsWith', ends_with: 'endsWith' } as const

function regexTest({ pattern: source, negated, lengthMax }: Of<'regex'>): Test {
  const compiled = compilePattern(source)
  if (!compiled.ok) return () => false
  const pattern = compiled.value
  return (subject, meter) => {
    const text = textOf(subject)
    if (text === undefined || text.length > lengthMax) return false
    meter.regexWork += pattern.cost * text.length
    if (meter.regexWork > FLAG_REGEX_WORK_TOTAL_MAX) return false
    return pattern.test(text) !== negated
  }
}

const COMPARISONS: Readonly<Record<Relation | 'eq' | 'neq', (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
}

function order<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function numberTest({ relation, number: bound }: Of<'number'>): Test {
  const compares = COMPARISONS[relation]
  return (subject) => {
    const number = numberOf(subject)
    return number !== undefined && compares(order(number, bound))
  }
}

function betweenTest({ low, high, negated }: Of<'between'>): Test {
  return (subject) => {
    const number = numberOf(subject)
    return number !== undefined && (number >= low && number <= high) !== negated
  }
}

function timeTest({ relation, bound, zone: name }: Of<'time'>): Test {
  const zone = zoneOf(name)
  const compares = COMPARISONS[relation]
  return (subject, meter) => {
    const moment = momentOf(subject, zone)
    return moment !== undefined && compares(order(moment, msOf(bound, zone, meter)))
  }
}

function msOf(bound: Bound, zone: Zone, meter: Meter): number {
  if ('ms' in bound) return bound.ms
  meter.timeDependent = true
  return before(meter.now, bound.ago, zone)
}

function dayTest({ from, before: end, zone: name }: Of<'day'>): Test {
  const zone = zoneOf(name)
  return (subject) => {
    const moment = momentOf(subject, zone)
    return moment !== undefined && moment >= from && moment < end
  }
}

function versionTest({ relation, key: wanted }: Of<'version'>): Test {
  const compares = COMPARISONS[relation]
  return (subject) => {
    const key = versionKey(subject)
    return key !== undefined && compares(order(key, wanted))
  }
}

function releasesTest({ from, below }: Of<'releases'>): Test {
  return (subject) => {
    const key = versionKey(subject)
    if (key === undefined || !isRelease(key) || key < from) return false
    return below === undefined || key < below
  }
}
