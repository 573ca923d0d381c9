/** How ClickHouse writes each operation of expressions. */

import {
  EXPRESSION_PATTERN_CHARS_MAX,
  EXPRESSION_TEXT_CHARS_MAX,
} from '../../../core/limits/limits-query.ts'
import type { Applied } from '../../../events/trees/expression.ts'
import { commas, type Fragment, fragment } from '../../../postgres/fragment.ts'
import { CHOICES } from './choices.ts'
import { decimalOf, keyOfDecimal } from './decimals.ts'
import { exactNumber, NUMBERS, textOfNumber } from './numbers.ts'
import { firstDayOf, monthAndDay, TIMES, timeText } from './times.ts'
import {
  bind,
  type ClickHouse,
  double,
  firstType,
  integer,
  isNumber,
  type Written,
  written,
} from './written.ts'

/** Operations on texts. */
const TEXTS = {
  text: ([value], node) => {
    const type = firstType(node)
    if (isNumber(node)) return written(textOfNumber(value))
    if (type === 'DateTime') return written(timeText(value.sql))
    return type === 'Bool' ? written(textOfCondition(value.sql)) : value
  },
  length: ([text]) => integer(fragment`lengthUTF8(${text.sql})`),
  lower: ([text]) => written(lower(startOfText(text.sql))),
  upper: ([text]) => written(upper(startOfText(text.sql))),
  trim: ([text]) => written(fragment`trim(both ' ' from ${text.sql})`),
  is_empty: ([text]) => written(fragment`(${text.sql} = '')`),
  is_not_empty: ([text]) => written(fragment`(${text.sql} != '')`),
  concat: (texts) =>
    written(
      startOfText(
        fragment`concat(${commas([...texts.map(({ sql }) => startOfText(sql)), EMPTY])})`,
      ),
    ),
  substring: ([text, from, length]) => written(substring(text.sql, from, length)),
  starts_with: ([text, start]) => written(fragment`startsWith(${text.sql}, ${start.sql})`),
  ends_with: ([text, end]) => written(fragment`endsWith(${text.sql}, ${end.sql})`),
  replace: ([text, sought, put]) => written(replaceEach(text.sql, sought.sql, put.sql)),
  replace_first: ([text, sought, put]) => {
    const parts = [
      startOfText(text.sql),
      startOfPattern(sought.sql),
      startOfPattern(put.sql),
    ] as const
    const replaced = fragment`if(y = '', x, replaceOne(x, y, z))`
    return written(startOfText(bind(fragment`x, y, z`, parts, nullIfAny(replaced))))
  },

  like: (args) => written(like(args)),
  ilike: (args) => written(like(args.map(lowered))),
  not_like: (args) => written(fragment`(not ${like(args)})`),
  not_ilike: (args) => written(fragment`(not ${like(args.map(lowered))})`),
} satisfies Partial<ClickHouse>

const EMPTY = fragment`''`

export function startOfText(text: Fragment): Fragment {
  return fragment`leftUTF8(${text}, toUInt32(${String(EXPRESSION_TEXT_CHARS_MAX)}))`
}

function startOfPattern(text: Fragment): Fragment {
  return fragment`leftUTF8(${text}, toUInt32(${String(EXPRESSION_PATTERN_CHARS_MAX)}))`
}

function nullIfAny(value: Fragment): Fragment {
  return fragment`if(isNull(x) or isNull(y) or isNull(z), null, ${value})`
}

/**
 * Each character by itself, as Postgres does: two of them have a form that depends on their
 * neighbours or becomes two characters in ClickHouse.
 */
export function lower(text: Fragment): Fragment {
  return fragment`lowerUTF8(replaceAll(replaceAll(${text}, 'İ', 'i'), 'Σ', 'σ'))`
}

/** Upper-cases each character; those whose upper case is several characters stay. */
function upper(text: Fragment): Fragment {
  const each = fragment`arrayMap(c -> if(lengthUTF8(upperUTF8(c)) = 1, upperUTF8(c), c),
    extractAll(ifNull(x, ''), '(?s).'))`
  const slow = fragment`if(isNull(x), null, arrayStringConcat(${each}))`
  return bind(fragment`x`, [text], fragment`if(match(x, '^[ -~]*$'), upper(x), ${slow})`)
}

export function textOfCondition(condition: Fragment): Fragment {
  return bind(fragment`c`, [condition], fragment`multiIf(isNull(c), null, c, 'true', 'false')`)
}

function lowered({ sql }: Written): Written {
  return written(lower(sql))
}

/**
 * Escaped characters of a pattern: those that ClickHouse escapes too, all others, and a backslash
 * at the end.
 */
const ESCAPES = String.raw`(\\[%_\\])|\\([^%_\\])|(\\)$`
const RESOLVED = String.raw`\1\2\3\3`

function like([text, pattern]: readonly Written[]): Fragment {
  const value = text?.sql ?? EMPTY
  const sought = pattern?.sql ?? EMPTY
  return fragment`(${value} like replaceRegexpAll(${startOfPattern(sought)}, ${ESCAPES}, ${RESOLVED}))`
}

/** A count or a place of characters; null where it is negative or too large. */
function position(number: Written): Fragment {
  const places = fragment`if(trunc(n) >= 0 and trunc(n) <= 1000000000, toInt64(trunc(n)), null)`
  return bind(fragment`n`, [double(number)], places)
}

/** Places are counted from 1. From 0 on means from before the text on. */
function substring(text: Fragment, from: Written, length: Written | undefined): Fragment {
  if (length === undefined) {
    return bind(
      fragment`x, f`,
      [text, position(from)],
      fragment`if(isNull(f), null, substringUTF8(x, greatest(ifNull(f, 1), 1)))`,
    )
  }
  const count = fragment`greatest(ifNull(l, 0) - if(f = 0, 1, 0), 0)`
  const part = fragment`substringUTF8(x, greatest(ifNull(f, 1), 1), ${count})`
  return bind(
    fragment`x, f, l`,
    [text, position(from), position(length)],
    fragment`if(isNull(f) or isNull(l), null, ${part})`,
  )
}

/** Reads only so much that the result surely stays within the bound. */
function replaceEach(text: Fragment, sought: Fragment, put: Fragment): Fragment {
  const max = fragment`toInt64(${String(EXPRESSION_TEXT_CHARS_MAX)})`
  const more = fragment`toInt64(countSubstrings(x, y)) * (lengthUTF8(z) - lengthUTF8(y))`
  const fits = fragment`y = '' or lengthUTF8(z) <= lengthUTF8(y) or lengthUTF8(x) + ${more} <= ${max}`
  const part = fragment`leftUTF8(x, intDiv(${max} * toInt64(lengthUTF8(y)), greatest(lengthUTF8(z), 1)))`
  const replaced = fragment`if(y = '', x, replaceAll(if(${fits}, x, ${part}), y, z))`
  const parts = [startOfText(text), startOfPattern(sought), startOfPattern(put)] as const
  return bind(fragment`x, y, z`, parts, nullIfAny(replaced))
}

/** Reads texts as numbers and times, in the forms of `../../postgres/renderer/operations-sql.ts`. */
const READINGS = {
  read_number: ([text]) => numberOf(text.sql),
  read_iso_time: ([text]) => written(isoTimeOf(text.sql)),
  read_time: ([text]) => written(timeOf(text.sql)),
  read_condition: ([text]) =>
    written(
      bind(fragment`t`, [text.sql], fragment`multiIf(t = 'true', true, t = 'false', false, null)`),
    ),
  time_of_seconds: ([seconds]) => written(unixTimeOf(exactOf(seconds))),
  seconds_of_time: ([time]) => exactNumber(secondsOf(time.sql)),
  number_of_condition: ([condition]) => integer(fragment`toInt64(${condition.sql})`),
} satisfies Partial<ClickHouse>

function numberOf(text: Fragment): Written {
  return exactNumber(decimalOf(text))
}

function exactOf({ sql, exact }: Written): Fragment {
  return exact ?? fragment`toString(${sql})`
}

/** ISO 8601 or unix seconds. `text` occurs once. */
function timeOf(text: Fragment): Fragment {
  const both = fragment`coalesce(${isoTimeOf(fragment`s`)}, ${unixTimeOf(decimalOf(fragment`s`))})`
  return bind(fragment`s`, [text], both)
}

const DATE = '([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const CLOCK = '([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:[.]([0-9]{1,9}))?)?'
const ZONE = '[Zz]|([-+])(0[0-9]|1[0-4])(?::?([0-5][0-9]))?'
const ISO = `^${DATE}(?:[T ]${CLOCK}(?:${ZONE})?)?$`

function isoTimeOf(text: Fragment): Fragment {
  const number = (place: number) => fragment`toInt64(toUInt32OrZero(g[toUInt8(${String(place)})]))`
  const month = fragment`${number(1)} * 12 + ${number(2)} - 1`
  const day = fragment`d + ${number(3)} - 1`
  // A day that does not exist is one of the next month.
  const exists = fragment`${number(1)} > 0 and arrayElement(${monthAndDay(day)}, 2) = ${number(3)}`
  const minutes = fragment`((${day}) * 24 + ${number(4)}) * 60 + ${number(5)}`
  const offset = fragment`if(g[8] = '-', -1, 1) * (${number(9)} * 60 + ${number(10)})`
  const fraction = fragment`toInt64(round(toFloat64OrZero(concat('0.', g[7], '0')) * 1000000))`
  const micros = fragment`((${minutes} - ${offset}) * 60 + ${number(6)}) * 1000000 + ${fraction}`
  const ofDay = bind(fragment`d`, [firstDayOf(month)], fragment`if(${exists}, ${micros}, null)`)
  const groups = fragment`extractGroups(ifNull(leftUTF8(${text}, 64), ''), ${ISO})`
  return bind(fragment`g`, [groups], fragment`if(empty(g), null, ${ofDay})`)
}

const EARLIEST = fragment`toDecimal256(-62135596800, 30)`
const BEYOND = fragment`toDecimal256(253402300800, 30)`
/** Postgres makes a time of the double next to the seconds since 2000. */
const SECONDS_2000 = fragment`946684800`

/** Unix seconds of the years 1 to 9999. */
function unixTimeOf(decimal: Fragment): Fragment {
  const seconds = fragment`toFloat64(toString(s))`
  const micros = fragment`toInt64(round((${seconds} - ${SECONDS_2000}) * 1000000))
    + ${SECONDS_2000} * 1000000`
  return bind(
    fragment`s`,
    [fragment`round(toDecimal256OrNull(${decimal}, 30), 6)`],
    fragment`if(s >= ${EARLIEST} and s < ${BEYOND}, ${micros}, null)`,
  )
}

function secondsOf(micros: Fragment): Fragment {
  return fragment`toString(toDecimal128(${micros}, 6) / 1000000)`
}

/** Aggregates of groups of events. */
const AGGREGATES = {
  count: ([when]) =>
    integer(when === undefined ? fragment`count()` : fragment`countIf(${truth(when)})`),
  count_distinct: ([value, when], node) =>
    integer(over(fragment`uniqExact`, [value.exact ?? bounded(value, node)], when)),
  sum: ([value, when]) => written(sumOf(value, when)),
  avg: ([value, when]) => {
    const counted = over(fragment`count`, [value.sql], when)
    return written(fragment`(${sumOf(value, when)} / nullIf(${counted}, 0))`)
  },
  min: (args, node) => extreme(fragment`min`, fragment`argMin`, args, node),
  max: (args, node) => extreme(fragment`max`, fragment`argMax`, args, node),
} satisfies Partial<ClickHouse>

function truth(when: Written): Fragment {
  return fragment`ifNull(${when.sql}, false)`
}

function over(name: Fragment, args: readonly Fragment[], when: Written | undefined): Fragment {
  const all = args.reduce((left, right) => fragment`${left}, ${right}`)
  return when === undefined
    ? fragment`${name}(${all})`
    : fragment`${name}If(${all}, ${truth(when)})`
}

function bounded({ sql }: Written, node: Applied): Fragment {
  if (isNumber(node)) return fragment`(${sql} + 0)` // There is a double that is 0 below zero.
  return firstType(node) === 'String' ? startOfText(sql) : sql
}

/**
 * Sums exact numbers as decimals, whose sum does not depend on the order, as long as all of them
 * fit one: 46 digits before the point and 30 after it.
 */
function sumOf(value: Written, when: Written | undefined): Fragment {
  const doubles = fragment`ifNull(${over(fragment`sum`, [fragment`toFloat64(${value.sql})`], when)}, 0)`
  if (value.exact === undefined) return doubles
  const decimal = fragment`toDecimal256OrNull(${value.exact}, 30)`
  const all = over(fragment`count`, [value.exact], when)
  const fitting = over(fragment`count`, [decimal], when)
  const sum = fragment`ifNull(${over(fragment`sum`, [decimal], when)}, toDecimal256(0, 30))`
  return fragment`if(${all} = ${fitting}, toFloat64(toString(${sum})), ${doubles})`
}

function extreme(
  name: Fragment,
  byKey: Fragment,
  [value, when]: readonly [value: Written, when?: Written],
  node: Applied,
): Written {
  if (value.exact === undefined) {
    return written(over(name, [nullable(bounded(value, node))], when))
  }
  const key = keyOfDecimal(value.exact)
  return written(
    over(byKey, [nullable(value.sql), key], when),
    over(byKey, [nullable(value.exact), key], when),
  )
}

/** Makes an aggregate over no rows null, where ClickHouse would return the default of the type. */
function nullable(value: Fragment): Fragment {
  return fragment`toNullable(${value})`
}

/** Each makes SQL of arguments in SQL. An argument that is needed twice is bound to a name first. */
export const OPERATIONS: ClickHouse = {
  ...CHOICES,
  ...NUMBERS,
  ...READINGS,
  ...TEXTS,
  ...TIMES,
  ...AGGREGATES,
}
