/** Operations on texts. */

import {
  EXPRESSION_PATTERN_CHARS_MAX,
  EXPRESSION_TEXT_CHARS_MAX,
} from '../../../core/limits/limits-query.ts'
import { commas, type Fragment, fragment } from '../../../postgres/fragment.ts'
import { textOfNumber } from './numbers.ts'
import { timeText } from './times.ts'
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

export const TEXTS = {
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
