import { isObject, type JsonObject, setOwn } from '../ingest/json.ts'

/**
 * Postgres stores neither NUL nor lone surrogates, in text or in jsonb: each becomes U+FFFD, in
 * keys as in values. With the `u` flag a surrogate class matches lone ones only.
 */
const UNSTORABLE = /[\0\ud800-\udfff]/gu
/** How `JSON.stringify` writes the same characters. An escaped backslash may look like one. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/

export function cleanText(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0 || (unit & 0xf800) === 0xd800) return text.replace(UNSTORABLE, '\ufffd')
  }
  return text
}

/** The first `lengthMax` code points. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  let at = 0
  for (let count = 0; count < lengthMax && at < text.length; count++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, at)
}

/** True when JSON text made by `JSON.stringify` may hold what Postgres refuses. */
export function mayHoldUnstorable(json: string): boolean {
  return json.includes('\\u') && UNSTORABLE_ESCAPE.test(json)
}

/** A copy with clean keys and values. Recursion is bounded by `JSON_DEPTH_MAX` of the body. */
export function cleanObject(value: JsonObject): JsonObject {
  const copy: JsonObject = {}
  for (const key of Object.keys(value)) setOwn(copy, cleanText(key), cleanValue(value[key]))
  return copy
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  return isObject(value) ? cleanObject(value) : value
}

/**
 * Text of an id or a name in untrusted JSON: old clients send numbers, booleans and containers. Cut
 * to `lengthMax` code points and clean. Empty when the value is null, not finite, empty or blank.
 */
export function idText(value: unknown, lengthMax: number): string {
  const text = cleanText(cutText(plainText(value), lengthMax))
  return text.trim() === '' ? '' : text
}

/** Text of any JSON value; empty for null and for what JSON cannot hold. */
export function plainText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return Number.isFinite(value) ? String(value) : ''
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? '' : JSON.stringify(value)
    default:
      return ''
  }
}
