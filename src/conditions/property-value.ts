/** Values of properties as texts and numbers, which is how filters compare them. */
import { objectOf, own } from '../core/json.ts'
import { doubleOf, exactDigits, withNumbers } from '../core/json-text/exact-numbers.ts'
import { jsonbNumber } from '../core/json-text/jsonb-number.ts'
import { FLAG_SUBJECT_LENGTH_MAX } from '../core/limits/limits.ts'

/**
 * Text of a JSON value: strings as they are, others as compact JSON. A number of more than 15
 * digits has all of them, be it exact or not, and never an exponent. `undefined` for a list or object
 * whose text would exceed `FLAG_SUBJECT_LENGTH_MAX`: writing it out would hold the loop.
 */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string': {
      const digits = exactDigits(value)
      return digits === undefined ? value : numberText(digits)
    }
    case 'number': {
      const text = String(value)
      return text.length > DOUBLE_DIGITS && text.includes('e') ? numberText(text) : text
    }
    case 'object': {
      if (value === null) return 'null'
      if (remainder(value, FLAG_SUBJECT_LENGTH_MAX) < 0) return undefined
      return withNumbers(JSON.stringify(value), numberText)
    }
    default:
      return String(value)
  }
}

/** Decimal digits that a double keeps of any number. */
const DOUBLE_DIGITS = 15

/** The function `flag_json` of the migrations has the same rule. */
function numberText(number: string): string {
  const plain = jsonbNumber(number) ?? number
  return hasMoreDigits(plain) ? plain : String(Number(number))
}

/** Zeros at the ends do not count. */
function hasMoreDigits(plain: string): boolean {
  const digits = plain.replace(/[-.]/g, '')
  let [start, end] = [0, digits.length]
  while (digits[start] === '0') start += 1
  while (digits[end - 1] === '0') end -= 1
  return end - start > DOUBLE_DIGITS
}

/** The rest of `budget` characters after writing `value`; negative as soon as it is spent. */
function remainder(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length
  if (typeof value !== 'object' || value === null) return budget - 1
  let left = budget - 2
  if (Array.isArray(value)) {
    for (const item of value) {
      left = remainder(item, left - 1)
      if (left < 0) break
    }
    return left
  }
  const object = objectOf(value)
  for (const key in object) {
    left = remainder(own(object, key), left - key.length - 4)
    if (left < 0) break
  }
  return left
}

const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const NUMERIC_LENGTH_MAX = 400

/** A number, or a text that is wholly one; else `undefined`. */
export function numberOf(value: unknown): number | undefined {
  const double = doubleOf(value)
  if (double !== undefined) return Number.isFinite(double) ? double : undefined
  if (typeof value !== 'string' || value.length > NUMERIC_LENGTH_MAX) return undefined
  if (!NUMERIC.test(value)) return undefined
  return Number(value)
}
