/** How Postgres writes each operation of expressions. */

import {
  EXPRESSION_NUMBER_CHARS_MAX,
  EXPRESSION_TEXT_CHARS_MAX,
} from '../../../core/limits/limits-query.ts'
import type { Applied } from '../../../events/trees/expression.ts'
import { isNumeric } from '../../../events/trees/value-type.ts'
import { commas, type Fragment, fragment } from '../../../postgres/fragment.ts'
import { startOfPattern, startOfText } from './text-bounds.ts'
import { firstType, type Postgres, TIMES_SQL, timeText } from './times-sql.ts'

/**
 * SQL that reads texts as numbers and times. A failed cast would end the whole query, so a cast
 * gets only what a pattern has admitted, and everything else is null. The patterns list their
 * blanks: depending on the collation, a class such as `[[:space:]]` may have blanks that the cast
 * does not know.
 */

/**
 * A decimal with an exponent of at most two digits, as numeric. `text` occurs once in the
 * statement.
 */
function numberOf(text: Fragment): Fragment {
  // A pattern with counted repeats in place of `left` would be twenty times as slow.
  return fragment`substring(left(${text}, ${String(EXPRESSION_NUMBER_CHARS_MAX)}::integer) from
    '^[ \t\n\r\f\v]*[-+]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]{1,2})?[ \t\n\r\f\v]*$'
    )::numeric`
}

/** ISO 8601 as timestamptz, in UTC unless it names a zone. `text` occurs once in the statement. */
function isoTimeOf(text: Fragment): Fragment {
  return fragment`substring(left(${text}, 64) from ${ISO_TIME})::timestamptz`
}

/** Unix seconds of the years 1 to 9999 as timestamptz. `seconds` occurs once in the statement. */
function unixTimeOf(seconds: Fragment): Fragment {
  return fragment`to_timestamp(jsonb_path_query_first(to_jsonb(round(${seconds}, 6)),
    '$ ? (@ >= -62135596800 && @ < 253402300800)')::float8)`
}

/**
 * ISO 8601 or unix seconds. `text` occurs twice: nested, that would double the statement each time.
 */
function timeOf(text: Fragment): Fragment {
  return fragment`coalesce(${isoTimeOf(text)}, ${unixTimeOf(numberOf(text))})`
}

/**
 * Admits only days that exist, leap years included: the cast of February 30 would end the query.
 */
const ISO_TIME = fragment`(
  '^(?:(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-'
  || '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])'
  || '|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
  || '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29)'
  || '(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?'
  || '(?:[Zz]|[-+](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)?)?$'
)`

const CASTS_SQL = {
  read_number: ([text]) => numberOf(text),
  read_iso_time: ([text]) => isoTimeOf(text),
  read_time: ([text]) => timeOf(text),
  read_condition: ([text]) =>
    fragment`case ${text} when 'true' then true when 'false' then false end`,
  time_of_seconds: ([seconds]) => unixTimeOf(seconds),
  seconds_of_time: ([time]) => fragment`extract(epoch from ${time})::numeric`,
  number_of_condition: ([condition]) => fragment`(${condition})::integer::numeric`,
} satisfies Partial<Postgres>

/** Operations on texts. */
const TEXTS_SQL = {
  text: ([value], node) => {
    const type = firstType(node)
    if (type === 'DateTime') return timeText(value)
    const isNumber = type !== undefined && isNumeric(type)
    return isNumber ? fragment`trim_scale(${value})::text` : fragment`(${value})::text`
  },
  length: ([text]) => fragment`char_length(${text})::numeric`,
  lower: ([text]) => fragment`lower(${startOfText(text)})`,
  upper: ([text]) => fragment`upper(${startOfText(text)})`,
  trim: ([text]) => fragment`btrim(${text})`,
  is_empty: ([text]) => fragment`(${text} = '')`,
  is_not_empty: ([text]) => fragment`(${text} <> '')`,
  concat: concatenated,
  substring: ([text, from, length]) =>
    length === undefined
      ? fragment`substring(${text} from ${position(from)})`
      : fragment`substring(${text} from ${position(from)} for ${position(length)})`,
  starts_with: ([text, start]) => fragment`starts_with(${text}, ${start})`,
  ends_with: ([text, end]) => fragment`starts_with(reverse(${text}), reverse(${end}))`,
  replace: replaceAll,
  replace_first: replaceFirst,

  like: ([text, pattern]) => fragment`(${text} like ${wellFormed(pattern)})`,
  ilike: ([text, pattern]) => fragment`(${text} ilike ${wellFormed(pattern)})`,
  not_like: ([text, pattern]) => fragment`(${text} not like ${wellFormed(pattern)})`,
  not_ilike: ([text, pattern]) => fragment`(${text} not ilike ${wellFormed(pattern)})`,
} satisfies Partial<Postgres>

/**
 * A backslash escapes the character after it. Postgres refuses a pattern that ends in one, so it is
 * doubled.
 */
function wellFormed(pattern: Fragment): Fragment {
  return fragment`regexp_replace(${startOfPattern(pattern)}, '^((?:[^\\\\]|\\\\.)*)\\\\$', '\\1\\\\\\\\')`
}

/** Number of texts that are joined before the result is cut, so that few cuts are nested. */
const JOINED_MAX = 8

/** Joins the arguments, cut to the bound of expressions: also on the way there. */
function concatenated(texts: readonly Fragment[]): Fragment {
  const [first, ...others] = texts.map(startOfText)
  const whole = others.reduce((all, each, index) => {
    const joined = fragment`${all} || ${each}`
    return (index + 1) % JOINED_MAX === 0 ? startOfText(joined) : joined
  }, first ?? fragment`''`)
  return startOfText(whole)
}

/** A count or a place of characters; null where it is negative or too large. */
function position(number: Fragment): Fragment {
  return fragment`jsonb_path_query_first(to_jsonb(trunc(${number})),
    '$ ? (@ >= 0 && @ <= 1000000000)')::integer`
}

type Three = readonly [text: Fragment, sought: Fragment, put: Fragment]

/**
 * Replaces each occurrence. Where the result would be longer than a text may be, only so much of
 * the text is read as surely stays within it. The arguments are columns of a select of its own, so
 * that each is worth one evaluation though it is named several times.
 */
function replaceAll([text, sought, put]: Three): Fragment {
  const max = fragment`${String(EXPRESSION_TEXT_CHARS_MAX)}::integer`
  const found = fragment`(char_length(a.x) - char_length(replace(a.x, a.y, '')))
    / nullif(char_length(a.y), 0)`
  const length = fragment`char_length(a.x)::bigint
    + coalesce(${found}, 0)::bigint * (char_length(a.z) - char_length(a.y))`
  const part = fragment`left(a.x, (${max}::bigint * char_length(a.y) / char_length(a.z))::integer)`
  return fragment`(
    select replace(
      case when char_length(a.z) <= char_length(a.y) or ${length} <= ${max}
        then a.x else ${part} end,
      a.y, a.z)
    from (select ${startOfText(text)} as x, ${startOfPattern(sought)} as y,
      ${startOfPattern(put)} as z offset 0) a)`
}

/**
 * Replaces the first occurrence. `***=` makes the sought text a literal pattern, and `$.`, in place
 * of an empty one, cannot occur in a text.
 */
function replaceFirst([text, sought, put]: Three): Fragment {
  const pattern = fragment`regexp_replace('***=' || ${startOfPattern(sought)}, '^[*]{3}=$', '$.')`
  const replacement = fragment`replace(${startOfPattern(put)}, '\\', '\\\\')`
  return startOfText(fragment`regexp_replace(${startOfText(text)}, ${pattern}, ${replacement})`)
}

/** Operations on numbers, all of which are numeric. */
const NUMBERS_SQL = {
  add: ([left, right]) => fragment`(${left} + ${right})`,
  subtract: ([left, right]) => fragment`(${left} - ${right})`,
  multiply: ([left, right]) => fragment`(${left} * ${right})`,
  divide: ([left, right]) => fragment`(${left} / nullif(${right}, 0))`,
  modulo: ([left, right]) => fragment`(${left} % nullif(${right}, 0))`,
  negate: ([number]) => fragment`(- ${number})`,
  abs: ([number]) => fragment`abs(${number})`,
  floor: ([number]) => fragment`floor(${number})`,
  ceil: ([number]) => fragment`ceil(${number})`,
  round: ([number], { digits }) => fragment`round(${number}, ${String(digits)}::integer)`,
  greatest: ([left, right]) => fragment`greatest(${left}, ${right})`,
  least: ([left, right]) => fragment`least(${left}, ${right})`,
  number: ([number]) => number,
  whole: ([number]) => fragment`jsonb_path_query_first(to_jsonb(trunc(${number})),
    '$ ? (@ >= -9223372036854775808 && @ <= 9223372036854775807)')::numeric`,
} satisfies Partial<Postgres>

/** Conditions, comparisons and choices. */
const CHOICES_SQL = {
  and: ([first, ...others]) =>
    fragment`(${others.reduce((all, each) => fragment`${all} and ${each}`, first)})`,
  or: ([first, ...others]) =>
    fragment`(${others.reduce((all, each) => fragment`${all} or ${each}`, first)})`,
  not: ([condition]) => fragment`(not (${condition}))`,

  equal: (args, node) => compared(fragment`=`, args, node),
  unequal: (args, node) => compared(fragment`<>`, args, node),
  less: (args, node) => compared(fragment`<`, args, node),
  less_or_equal: (args, node) => compared(fragment`<=`, args, node),
  greater: (args, node) => compared(fragment`>`, args, node),
  greater_or_equal: (args, node) => compared(fragment`>=`, args, node),
  between,
  not_between: (args, node) => fragment`(not ${between(args, node)})`,
  in: isIn,
  not_in: (args) => fragment`(not ${isIn(args)})`,
  is_null: ([value]) => fragment`((${value}) is null)`,
  is_not_null: ([value]) => fragment`((${value}) is not null)`,

  coalesce: ([first, ...others]) =>
    others.reduce((all, value) => fragment`coalesce(${all}, ${value})`, first),
  choose: ([otherwise, ...pairs]) => {
    const cases = pairs.reduce(
      (all, part, place) =>
        place % 2 === 0 ? fragment`${all} when ${part}` : fragment`${all} then ${part}`,
      fragment``,
    )
    return fragment`case ${cases} else ${otherwise} end`
  },
} satisfies Partial<Postgres>

/** Texts are ordered by bytes, so that the locale of a server does not matter. */
function ordered(value: Fragment, node: Applied): Fragment {
  return firstType(node) === 'String' ? fragment`((${value}) collate "C")` : value
}

type Two = readonly [Fragment, Fragment]

function compared(sign: Fragment, [left, right]: Two, node: Applied): Fragment {
  return fragment`(${ordered(left, node)} ${sign} ${ordered(right, node)})`
}

function between([value, low, high]: readonly [...Two, Fragment], node: Applied): Fragment {
  const from = ordered(low, node)
  const to = ordered(high, node)
  return fragment`(${ordered(value, node)} between ${from} and ${to})`
}

function isIn([value, ...items]: readonly [Fragment, ...Fragment[]]): Fragment {
  return fragment`(${value} in (${commas(items)}))`
}

/** Aggregates of groups of events. */
const AGGREGATES_SQL = {
  count: ([when]) => fragment`(count(*) ${filter(when)})::numeric`,
  count_distinct: ([value, when], node) => {
    const cut = firstType(node) === 'String' ? startOfText(value) : value
    return fragment`(count(distinct ${cut}) ${filter(when)})::numeric`
  },
  sum: ([value, when]) => fragment`coalesce(sum(${value}) ${filter(when)}, 0)`,
  avg: ([value, when]) => fragment`(avg(${value}) ${filter(when)})`,
  min: (args, node) => extreme(EXTREMES.min, args, node),
  max: (args, node) => extreme(EXTREMES.max, args, node),
} satisfies Partial<Postgres>

function filter(when: Fragment | undefined): Fragment {
  return when === undefined ? fragment`` : fragment`filter (where ${when})`
}

/** The functions for conditions and for all else. */
const EXTREMES = {
  min: { every: fragment`bool_and`, other: fragment`min` },
  max: { every: fragment`bool_or`, other: fragment`max` },
}

/** Texts are compared by bytes, and false is less than true. */
function extreme(
  { every, other }: (typeof EXTREMES)['min' | 'max'],
  [value, when]: readonly [value: Fragment, when?: Fragment],
  node: Applied,
): Fragment {
  switch (firstType(node)) {
    case 'String':
      return fragment`(${other}(${startOfText(value)} collate "C") ${filter(when)})`
    case 'Bool':
      return fragment`(${every}(${value}) ${filter(when)})`
    case 'UUID':
      return fragment`(${other}((${value})::text collate "C") ${filter(when)})::uuid`
    default:
      return fragment`(${other}(${value}) ${filter(when)})`
  }
}

/**
 * Each makes SQL of arguments in SQL, each in brackets where it needs them. An argument occurs once
 * in the result unless it is a leaf: one that occurs twice doubles the statement at every level.
 */
export const OPERATIONS_SQL: Postgres = {
  ...CHOICES_SQL,
  ...NUMBERS_SQL,
  ...CASTS_SQL,
  ...TEXTS_SQL,
  ...TIMES_SQL,
  ...AGGREGATES_SQL,
}
