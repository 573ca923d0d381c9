import { JSON_CONTAINERS_MAX, JSON_DEPTH_MAX } from '../../src/core/limits/limits.ts'
import { ok, type Result } from '../../src/core/result.ts'
import { type DecodeError, INVALID_PAYLOAD, NO_DATA } from './decode-error.ts'

const QUOTE = 34
const BACKSLASH = 92
/** Names that Python writes and JSON does not have, outside strings. */
const NOT_A_NUMBER = /-?\bInfinity\b|\bNaN\b/g

/** True when JSON text can only be an array or an object. Base64 starts with neither bracket. */
export function startsContainer(text: string): boolean {
  let at = 0
  while (isSpace(text.charCodeAt(at))) at++
  const unit = text.charCodeAt(at)
  return unit === 123 || unit === 91
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9
}

/**
 * Parses an object or an array, once. NaN and infinities count as null. Nothing but scalars and
 * empty containers is "no data". Text too deep or of too many containers is invalid.
 */
export function parseContainer(text: string): Result<unknown, DecodeError> {
  if (exceedsStructure(text)) return INVALID_PAYLOAD
  const value = parseJson(text)
  if (value === undefined) return INVALID_PAYLOAD
  return isEmpty(value) ? NO_DATA : ok(value)
}

/** The value of JSON text, or undefined, which JSON cannot spell. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON as it stands; Python's additions to it are tried next.
  }
  if (!text.includes('NaN') && !text.includes('Infinity')) return undefined
  try {
    return JSON.parse(withoutNaN(text))
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

/**
 * True when the text nests deeper than `JSON_DEPTH_MAX` or opens more than `JSON_CONTAINERS_MAX`
 * containers. Few brackets settle it; else strings are skipped and brackets counted.
 */
export function exceedsStructure(text: string): boolean {
  if (!hasManyBrackets(text)) return false
  let depth = 0
  let containers = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      at = stringEnd(text, at)
    } else if (unit === 123 || unit === 91) {
      depth += 1
      containers += 1
      if (depth > JSON_DEPTH_MAX || containers > JSON_CONTAINERS_MAX) return true
    } else if (unit === 125 || unit === 93) {
      depth -= 1
    }
  }
  return false
}

function hasManyBrackets(text: string): boolean {
  let count = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    count += 1
    if (count > JSON_DEPTH_MAX) return true
  }
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) {
    count += 1
    if (count > JSON_DEPTH_MAX) return true
  }
  return false
}

/** Index of the closing quote of the string that opens at `start`, or of the end of the text. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === BACKSLASH) at++
    else if (unit === QUOTE) return at
  }
  return text.length
}

/** Replaces the names outside strings only; what is left of nonsense is refused by the parser. */
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
