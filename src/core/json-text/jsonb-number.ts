/** Numbers as Postgres prints them in `jsonb`: every digit is kept, exponents are resolved. */

/** Digits of a number in Postgres, before the point and after it. */
const WHOLE_DIGITS_MAX = 131_072
const SCALE_MAX = 16_383
/** Exponents beyond it are refused also of zero. */
const EXPONENT_MAX = 1_073_741_823

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const PLAIN_DIGITS_MAX = 1_000

/**
 * The number in the form that `select '…'::jsonb` gives back: `1.50` stays, `1.5e3` is `1500`, `-0.0`
 * is `0.0`.
 * @param text a number as JSON allows it.
 * @returns `undefined` for one that Postgres refuses as out of range.
 */
export function jsonbNumber(text: string): string | undefined {
  // Most numbers: their text stays as it is.
  const isPlain = text.length < PLAIN_DIGITS_MAX && !/[eE]|^-0/.test(text)
  if (isPlain) return text
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = PARTS.exec(text) ?? []
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > EXPONENT_MAX) return undefined
  const scale = Math.max(fraction.length - exponent, 0)
  if (scale > SCALE_MAX) return undefined
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return scale === 0 ? '0' : `0.${'0'.repeat(scale)}`
  const wholeLength = digits.length - fraction.length + exponent
  if (wholeLength > WHOLE_DIGITS_MAX) return undefined
  return sign + withPoint(digits, wholeLength, scale)
}

/** Puts the point behind `wholeLength` digits, with zeros where there are none. */
function withPoint(digits: string, wholeLength: number, scale: number): string {
  const filled = digits.padEnd(wholeLength, '0')
  const padded = filled.padStart(filled.length - Math.min(wholeLength, 0), '0')
  const at = Math.max(wholeLength, 0)
  const before = padded.slice(0, at)
  return `${before === '' ? '0' : before}${scale === 0 ? '' : `.${padded.slice(at)}`}`
}
