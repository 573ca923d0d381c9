/** Texts of untrusted JSON as ids and names. */
import { cleanText } from '../core/clean-text.ts'
import { exactDigits, exactJson } from '../core/json-text/exact-numbers.ts'

/** The first `lengthMax` code points. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  let at = 0
  for (let count = 0; count < lengthMax && at < text.length; count++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, at)
}

/**
 * Text of an id or a name in untrusted JSON: old clients send numbers, booleans and containers. Cut
 * to `lengthMax` code points and clean. Empty when the value is null, not finite, empty or blank.
 */
export function idText(value: unknown, lengthMax: number): string {
  const text = cleanText(cutText(plainText(value), lengthMax))
  return text.trim() === '' ? '' : text
}

/** Text of any JSON value; empty for null and for values that JSON cannot hold. */
export function plainText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return exactDigits(value) ?? value
    case 'number':
      return Number.isFinite(value) ? String(value) : ''
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? '' : exactJson(value)
    default:
      return ''
  }
}
