/** Conditions on properties as SQL of Postgres. */
import type { Bound, Condition, Relation, ValueTest } from '../../../conditions/condition.ts'
import { integerOf, type Plainly, plainly } from '../../../conditions/plain-text.ts'
import { assert } from '../../../core/code.ts'
import { commas, type Fragment, fragment } from '../../../postgres/fragment.ts'
import { inPostgres } from '../../../postgres/patterns.ts'

const TEXT = fragment`flag_text(v.v)`
const FOLDED = fragment`flag_folded(flag_text(v.v))`
const NUMBER = fragment`flag_number(v.v)`
const VERSION = fragment`flag_version(v.v) collate "C"`

const SIGNS: Readonly<Record<Relation | 'eq' | 'neq', Fragment>> = {
  gt: fragment`>`,
  gte: fragment`>=`,
  lt: fragment`<`,
  lte: fragment`<=`,
  eq: fragment`=`,
  neq: fragment`<>`,
}

/**
 * A condition that is true or false, of a property.
 * @param names of the property: the first that is there is read.
 */
export function conditionSql(
  condition: Condition,
  properties: Fragment,
  names: readonly string[],
): Fragment {
  const [name, ...others] = names
  const quick =
    name === undefined || others.length > 0 ? undefined : quickSql(condition, properties, name)
  return (
    quick ?? readSql(condition, commas(names.map((each) => fragment`${properties} -> ${each}`)))
  )
}

/** Tests the value, which is computed once, as `v`. */
function readSql({ whenMissing, value: test }: Condition, values: Fragment): Fragment {
  const value = fragment`coalesce(${values})`
  if (test.kind === 'always' && !whenMissing) return fragment`(${value} is not null)`
  if (test.kind === 'never') return whenMissing ? fragment`(${value} is null)` : fragment`false`
  const otherwise = whenMissing ? fragment`true` : fragment`false`
  return fragment`(select case when v.v is null then ${otherwise}
    else coalesce(${valueSql(test)}, false) end from (select ${value} as v offset 0) v)`
}

/** The same in a fifth of the time, for most conditions and most values. */
function quickSql(condition: Condition, properties: Fragment, name: string): Fragment | undefined {
  const { value: test } = condition
  const text = fragment`(${properties} ->> ${name})`
  const value = fragment`(${properties} -> ${name})`
  const read = () => readSql(condition, fragment`${properties} -> ${name}`)
  switch (test.kind) {
    case 'one_of': {
      const integer = integerOf(test)
      if (integer !== undefined && !test.negated) {
        return fragment`coalesce(${text} = ${integer} or (starts_with(${text}, ${`${integer}.`}) and ${read()}), false)`
      }
      return plainSql(test, text, (folded) => isAnyOf(folded, test.texts))
    }
    case 'text':
      return plainSql(test, text, (folded) => hasPart(test, folded))
    case 'regex': {
      const matches = fragment`${text} ~ ${inPostgres(test.pattern, 'of_re2')}`
      const wanted = test.negated ? fragment`not (${matches})` : matches
      return fragment`(case jsonb_typeof(${value}) when 'string'
        then length(${text}) <= ${String(test.lengthMax)}::integer and ${wanted} else ${read()} end)`
    }
    case 'number': {
      // A cast beyond doubles would end the whole query.
      const isPlain = fragment`jsonb_typeof(${value}) = 'number' and ${value} between '1e-300' and '1e300'`
      const bound = fragment`${String(test.number)}::float8`
      return fragment`(case when ${isPlain} then ${value}::float8 ${SIGNS[test.relation]} ${bound}
        else ${read()} end)`
    }
    default:
      return undefined
  }
}

/** Null for no text: that is no match of what is wanted, and one of what is not. */
function plainSql(
  test: Extract<ValueTest, { kind: 'one_of' | 'text' }>,
  text: Fragment,
  matchesOf: (folded: Fragment) => Fragment,
): Fragment | undefined {
  const how = plainly(test)
  if (how === undefined) return undefined
  const matches = fragment`coalesce(${foldedPlainly(how, text, matchesOf)}, false)`
  const isWanted = test.negated ? fragment`not ${matches}` : matches
  if (test.kind === 'one_of') return fragment`(${isWanted})`
  // Postgres would measure every text first: it takes that to be cheaper.
  return fragment`(case when ${isWanted}
    then coalesce(length(${text}) <= ${String(test.lengthMax)}::integer, true) else false end)`
}

function foldedPlainly(
  how: Plainly,
  text: Fragment,
  matchesOf: (folded: Fragment) => Fragment,
): Fragment {
  switch (how) {
    case 'ascii':
      return matchesOf(fragment`lower(${text} collate "C")`)
    case 'kelvin':
      return matchesOf(fragment`lower(replace(${text}, ${KELVIN}, 'k') collate "C")`)
    case 'unicode':
      return fragment`(octet_length(${text}) <> length(${text}) and ${matchesOf(fragment`flag_folded(${text})`)})`
    default:
      return how satisfies never
  }
}

const KELVIN = '\u212a'

/** Null counts as no match. */
function valueSql(test: ValueTest): Fragment {
  switch (test.kind) {
    case 'always':
      return fragment`true`
    case 'never':
      return fragment`false`
    case 'one_of': {
      const isIn = isAnyOf(FOLDED, test.texts)
      return test.negated ? fragment`not coalesce(${isIn}, false)` : isIn
    }
    case 'text': {
      return upTo(test, hasPart(test, FOLDED))
    }
    case 'regex':
      return upTo(test, fragment`${TEXT} ~ ${inPostgres(test.pattern, 'of_re2')}`)
    case 'number':
      return fragment`${NUMBER} ${SIGNS[test.relation]} ${String(test.number)}::float8`
    case 'between': {
      const bounds = fragment`${String(test.low)}::float8 and ${String(test.high)}::float8`
      return test.negated
        ? fragment`${NUMBER} not between ${bounds}`
        : fragment`${NUMBER} between ${bounds}`
    }
    case 'time':
      return fragment`${momentIn(test.zone)} ${SIGNS[test.relation]} ${msOf(test.bound)}`
    case 'day':
      return isWithin(momentIn(test.zone), test)
    case 'version':
      return fragment`${VERSION} ${SIGNS[test.relation]} ${test.key}`
    case 'releases':
      return isRelease(test)
    default:
      return test satisfies never
  }
}

function isAnyOf(folded: Fragment, texts: readonly string[]): Fragment {
  const [only, ...others] = texts
  if (only !== undefined && others.length === 0) return fragment`${folded} collate "C" = ${only}`
  return fragment`${folded} collate "C" = any(
    array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb)))`
}

function momentIn(zone: string): Fragment {
  return fragment`flag_moment(v.v, ${zone})`
}

function msOf(bound: Bound): Fragment {
  assert('ms' in bound, 'the condition is one of a moment')
  return fragment`${String(bound.ms)}::float8`
}

function isWithin(moment: Fragment, { from, before }: { from: number; before: number }): Fragment {
  const day = fragment`${String(from)}::float8 and m < ${String(before)}::float8`
  return fragment`(select m >= ${day} from (select ${moment} as m offset 0) m)`
}

/** By key order, a release lies between its own pre-releases and those of the next release. */
function isRelease({ from, below }: Extract<ValueTest, { kind: 'releases' }>): Fragment {
  const isBelow = below === undefined ? fragment`true` : fragment`k < ${below}`
  return fragment`(select k like '%~' and k >= ${from} and ${isBelow}
    from (select ${VERSION} as k offset 0) k)`
}

type TextTest = Extract<ValueTest, { kind: 'text' | 'regex' }>

function upTo({ negated, lengthMax }: TextTest, matches: Fragment): Fragment {
  const wanted = negated ? fragment`not (${matches})` : matches
  return fragment`(length(${TEXT}) <= ${String(lengthMax)}::integer and ${wanted})`
}

/** Many parts are one value: a statement has room for so many. */
function hasPart({ how, parts }: Extract<ValueTest, { kind: 'text' }>, folded: Fragment): Fragment {
  const [only, ...others] = parts
  if (only === undefined) return fragment`false`
  if (others.length === 0) return textMatches(how, folded, fragment`${only}`)
  return fragment`exists (
    select from jsonb_array_elements_text(${JSON.stringify(parts)}::jsonb) w(part)
    where ${textMatches(how, folded, fragment`w.part`)})`
}

function textMatches(
  how: Extract<ValueTest, { kind: 'text' }>['how'],
  folded: Fragment,
  wanted: Fragment,
): Fragment {
  switch (how) {
    case 'includes':
      return fragment`strpos(${folded}, ${wanted}) > 0`
    case 'starts_with':
      return fragment`starts_with(${folded}, ${wanted})`
    case 'ends_with':
      return fragment`right(${folded}, length(${wanted})) = ${wanted}`
    default:
      return how satisfies never
  }
}
