/** Parses the JSON of a body, within bounds, with the additions of Python. */

import { withMarks } from '../../src/core/json-text/exact-numbers.ts'
import { isSpace, stringEnd } from '../../src/core/json-text/json-characters.ts'
import { parseJson } from '../../src/core/json-text/parse-json.ts'
import { ok, type Result } from '../../src/core/result.ts'
import { type DecodeError, INVALID_PAYLOAD, NO_DATA } from './decode-error.ts'
import { exceedsStructure } from './json-structure.ts'

/** Names that Python writes and JSON does not have, outside strings. */
const NOT_A_NUMBER = /-?\bInfinity\b|\bNaN\b/g

/** True when JSON text can only be an array or an object. Base64 starts with neither bracket. */
export function startsContainer(text: string): boolean {
  let at = 0
  while (isSpace(text.charCodeAt(at))) at++
  const unit = text.charCodeAt(at)
  return unit === 123 || unit === 91
}

/**
 * Parses an object or an array. NaN and infinities count as null. Nothing but scalars and
 * empty containers is "no data". Text too deep or of too many parts is invalid. Numbers whose digits a
 * double loses are exact numbers.
 */
export function parseContainer(text: string): Result<unknown, DecodeError> {
  if (exceedsStructure(text)) return INVALID_PAYLOAD
  const value = parseBodyJson(withMarks(text))
  if (value === undefined) return INVALID_PAYLOAD
  return isEmpty(value) ? NO_DATA : ok(value)
}

/** The value of JSON text; `undefined` when it is not JSON. */
export function parseBodyJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    // Not strict JSON; Python's additions to it are tried next.
  }
  if (!text.includes('NaN') && !text.includes('Infinity')) return undefined
  try {
    return parseJson(withoutNaN(text))
  } catch {
    // The caller answers 400.
    return undefined
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.length === 0
  for (const _key in value) return false
  return true
}

/** Replaces the names outside strings only; the parser refuses other nonsense. */
function withoutNaN(text: string): string {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start)
    const end = quote === -1 ? text.length : quote
    parts.push(text.slice(start, end).replace(NOT_A_NUMBER, 'null'))
    if (quote === -1) break
    start = stringEnd(text, quote) + 1
    parts.push(text.slice(quote, start))
  }
  return parts.join('')
}
