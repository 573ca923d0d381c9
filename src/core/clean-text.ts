/**
 * Text that every store and wire can hold. Postgres stores neither NUL nor lone surrogates, in text
 * or in jsonb, and UTF-8 has no lone surrogates: each becomes U+FFFD, in keys as in values.
 */
import { isObject, type Json, type JsonDraft, type JsonObject, setOwn } from './json.ts'

/** With the `u` flag a surrogate class matches lone ones only. */
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

/** True when JSON text of `JSON.stringify` may hold characters that Postgres refuses. */
export function mayHoldUnstorable(json: string): boolean {
  return json.includes('\\u') && UNSTORABLE_ESCAPE.test(json)
}

/**
 * A copy with clean keys and texts. Bound the depth first: this recurses.
 * @param clean of texts that are values: `cleanExact` keeps exact numbers.
 */
export function cleanJson(json: Json, clean: (text: string) => string = cleanText): Json {
  if (typeof json === 'string') return clean(json)
  if (Array.isArray(json)) return json.map((item) => cleanJson(item, clean))
  return isObject(json) ? cleanObject(json, clean) : json
}

/** `cleanJson` for an object. */
export function cleanObject(object: JsonDraft, clean = cleanText): JsonObject {
  const copy: Record<string, Json> = {}
  for (const key of Object.keys(object)) {
    const value = object[key]
    if (value !== undefined) setOwn(copy, cleanText(key), cleanJson(value, clean))
  }
  return copy
}
