/**
 * Decimal numbers of any length as text. ClickHouse has no type that holds them: a double has 15
 * digits, and its widest decimal 76.
 */
import { assert } from '../../../core/code.ts'
import { EXPRESSION_NUMBER_CHARS_MAX } from '../../../core/limits/limits-query.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { bind } from './written.ts'

const BLANKS = '[ \\t\\n\\r\\f\\v]*'
/** Sign, digits before and behind the point, or only behind it, exponent. */
const NUMBER = '([-+]?)(?:([0-9]+)(?:[.]([0-9]*))?|[.]([0-9]+))'
const SPELLED = `^${BLANKS}${NUMBER}(?:[eE]([-+]?[0-9]{1,2}))?${BLANKS}$`
const PRINTED = `^${NUMBER}(?:[eE]([-+]?[0-9]{1,3}))?$`
/** Numbers in their final form, as most are. */
const NORMAL = '^(?:0|-?[1-9][0-9]*)(?:[.][0-9]*[1-9])?$'

/**
 * The number that a text spells, as `[-]digits[.digits]` without redundant zeros; null when it
 * spells none. Every store reads the same part of a longer text. `text` occurs once.
 */
export function decimalOf(text: Fragment): Fragment {
  return normal(fragment`leftUTF8(${text}, ${CHARS_MAX})`, SPELLED)
}

/** As `decimalOf`, for a printed double. */
export function decimalOfDouble(text: Fragment): Fragment {
  return normal(text, PRINTED)
}

const CHARS_MAX = fragment`toUInt32(${String(EXPRESSION_NUMBER_CHARS_MAX)})`

/** Groups of the pattern become digits and the place of the point among them: `d` and `p`. */
function normal(text: Fragment, pattern: string): Fragment {
  const length = fragment`toInt64(length(d))`
  const whole = fragment`multiIf(p <= 0, '0',
    p >= ${length}, concat(d, repeat('0', greatest(p - ${length}, 0))), substring(d, 1, p))`
  const rest = fragment`multiIf(p <= 0, concat(repeat('0', greatest(-p, 0)), d),
    p >= ${length}, '', substring(d, p + 1))`
  const unsigned = bind(
    fragment`w, f`,
    [
      fragment`replaceRegexpOne(${whole}, '^0+([0-9])', ${'\\1'})`,
      fragment`replaceRegexpOne(${rest}, '0+$', '')`,
    ],
    fragment`if(f = '', w, concat(w, '.', f))`,
  )
  const exponent = fragment`toInt64(toInt32OrZero(replaceOne(g[5], '+', '')))`
  const read = bind(
    fragment`d, p`,
    [fragment`concat(g[2], g[3], g[4])`, fragment`toInt64(length(g[2])) + ${exponent}`],
    unsigned,
  )
  const signed = bind(fragment`a`, [read], fragment`if(g[1] = '-' and a != '0', concat('-', a), a)`)
  const slow = bind(
    fragment`g`,
    [fragment`extractGroups(ifNull(t, ''), ${pattern})`],
    fragment`if(empty(g), null, ${signed})`,
  )
  return bind(fragment`t`, [text], fragment`if(match(t, ${NORMAL}), t, ${slow})`)
}

/**
 * Sortable text of a number: the sign, the number of digits of the whole part, and the digits. The
 * digits of a negative number are inverted.
 * @param decimal as `decimalOf` gives it; null gives null.
 */
export function keyOfDecimal(decimal: Fragment): Fragment {
  const digits = fragment`replaceOne(c, '-', '')`
  const places = fragment`length(substringIndex(${digits}, '.', 1))`
  const above = fragment`concat('2', leftPad(toString(${places}), 6, '0'), c)`
  const below = fragment`concat('1', leftPad(toString(999999 - ${places}), 6, '0'),
    translate(${digits}, '0123456789', '9876543210'), '~')`
  return bind(fragment`c`, [decimal], fragment`if(startsWith(c, '-'), ${below}, ${above})`)
}

const CONSTANT = /^([-+]?)(\d+)?(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/

/** Normal form of a constant in a tree, as `decimalOf` gives it. */
export function normalDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = CONSTANT.exec(text) ?? []
  const digits = whole + fraction
  assert(digits !== '', 'a constant is no number')
  const point = whole.length + Number(exponent)
  const filled = digits.padEnd(point, '0').padStart(digits.length - Math.min(point, 0), '0')
  const at = Math.max(point, 0)
  const before = filled.slice(0, at).replace(/^0+(?=\d)/, '') || '0'
  const after = filled.slice(at).replace(/0+$/, '')
  const unsigned = after === '' ? before : `${before}.${after}`
  return sign === '-' && unsigned !== '0' ? `-${unsigned}` : unsigned
}
