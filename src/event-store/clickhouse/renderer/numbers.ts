/** Operations on numbers. Arithmetic is that of doubles; what needs none stays exact. */
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { comparable } from './choices.ts'
import { decimalOfDouble } from './decimals.ts'
import { bind, type ClickHouse, double, integer, type Written, written } from './written.ts'

export const NUMBERS = {
  add: ([left, right]) => written(fragment`(${double(left)} + ${double(right)})`),
  subtract: ([left, right]) => written(fragment`(${double(left)} - ${double(right)})`),
  multiply: ([left, right]) => written(fragment`(${double(left)} * ${double(right)})`),
  divide: ([left, right]) => written(fragment`(${double(left)} / nullIf(${double(right)}, 0))`),
  modulo: ([left, right]) => written(fragment`(${double(left)} % nullIf(${double(right)}, 0))`),
  negate: ([number]) => written(fragment`negate(${double(number)})`),
  abs: ([number]) => written(fragment`abs(${double(number)})`),
  floor: ([number]) => written(fragment`floor(${double(number)})`),
  ceil: ([number]) => written(fragment`ceil(${double(number)})`),
  round: ([number], { digits }) => rounded(number, digits),
  greatest: (args) => extreme(args, fragment`>=`),
  least: (args) => extreme(args, fragment`<=`),
  number: ([number]) => number,
  whole: ([number]) => integer(whole(number)),
} satisfies Partial<ClickHouse>

/** Digits of a decimal behind the point; 38 remain before it. */
const SCALE = fragment`38`

/**
 * Rounds a number in decimals, because a double may be slightly beside the half. A number with more
 * digits than a decimal holds stays as it is.
 */
function rounded(number: Written, digits: number): Written {
  const places = fragment`toInt16(${String(digits)})`
  const round = fragment`toString(round(toDecimal256OrNull(t, ${SCALE}), ${places}))`
  if (number.exact !== undefined) {
    return exactNumber(bind(fragment`t`, [number.exact], fragment`ifNull(${round}, t)`))
  }
  return written(
    bind(
      fragment`t, n`,
      [fragment`toString(${number.sql})`, double(number)],
      fragment`ifNull(toFloat64OrNull(${round}), n)`,
    ),
  )
}

/** A null counts as no number. */
function extreme(args: readonly [Written, Written], sign: Fragment): Written {
  const [left = fragment`null`, right = fragment`null`] = comparable(args)
  const pick = (a: Fragment, b: Fragment) =>
    bind(
      fragment`k, l, a, b`,
      [left, right, a, b],
      fragment`multiIf(isNull(k), b, isNull(l), a, k ${sign} l, a, b)`,
    )
  const [one, other] = args
  const value = pick(double(one), double(other))
  if (one.exact === undefined || other.exact === undefined) return written(value)
  return written(value, pick(one.exact, other.exact))
}

/** Doubles from here on exceed 64 bits. */
const BEYOND = fragment`9223372036854775808.0`

function whole({ sql, exact }: Written): Fragment {
  if (exact !== undefined) return fragment`toInt64OrNull(substringIndex(${exact}, '.', 1))`
  const number = fragment`trunc(n)`
  return bind(
    fragment`n`,
    [fragment`toFloat64(${sql})`],
    fragment`if(${number} >= -${BEYOND} and ${number} < ${BEYOND}, toInt64(${number}), null)`,
  )
}

/** @param decimal as `decimalOf` gives it. */
export function exactNumber(decimal: Fragment): Written {
  return written(fragment`toFloat64OrNull(${decimal})`, decimal)
}

/** The text of a number: its digits, without an exponent. */
export function textOfNumber({ sql, exact }: Written): Fragment {
  return exact ?? decimalOfDouble(fragment`toString(${sql})`)
}
