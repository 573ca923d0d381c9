/** Judges the structure of JSON text before it is parsed, in one pass over its characters. */

import { isBeforeColon, stringEnd } from '../../src/core/json-text/json-characters.ts'
import { JSON_DEPTH_MAX } from '../../src/core/limits/limits.ts'

/**
 * Arrays and objects in one body. Parsed they take some 60 bytes each however short their text. The
 * shortest event with a property has two in 52 bytes: a full body of them has 806,000.
 */
const JSON_CONTAINERS_MAX = 1_000_000
/**
 * Values in one body, those of members included. A page view of a browser has some 65 in 2,400
 * bytes, so that a full body holds 9,000 page views of 600,000 values; of the shortest events with
 * a property, five values in 52 bytes, it holds 2,020,000.
 */
const JSON_VALUES_MAX = 2_500_000
/**
 * Different names of members in one body. A new name costs the parser up to 7 µs and some hundred
 * bytes, a known one a tenth of it. All libraries together know some hundred; flags and properties
 * of a project add some thousand.
 */
export const JSON_NAMES_MAX = 100_000
/**
 * Members of one object. The largest event has 1 MB, and its shortest members five bytes each; the
 * whole body of another client is one event or a list of them.
 */
export const JSON_MEMBERS_MAX = 250_000

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92

/** The shortest text of a value is `1,`, that of a name and its value `"":1,`. */
const CROWDED_LENGTH_MIN = Math.min(2 * JSON_VALUES_MAX, 5 * JSON_NAMES_MAX)

/**
 * True when the text nests deeper than `JSON_DEPTH_MAX`, or holds more than `JSON_CONTAINERS_MAX`
 * containers, `JSON_VALUES_MAX` values, `JSON_NAMES_MAX` different names or `JSON_MEMBERS_MAX` members
 * of one object. A short text can only be too deep.
 */
export function exceedsStructure(text: string): boolean {
  return text.length < CROWDED_LENGTH_MIN ? isTooDeep(text) : isTooCrowded(text)
}

/** Text with few brackets is not too deep; else strings are skipped and brackets counted. */
function isTooDeep(text: string): boolean {
  if (!hasManyBrackets(text)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      at = stringEnd(text, at)
    } else if (unit === 123 || unit === 91) {
      depth += 1
      if (depth > JSON_DEPTH_MAX) return true
    } else if (unit === 125 || unit === 93) {
      depth -= 1
    }
  }
  return false
}

/** Skips strings that are values; counts brackets, commas and names. */
function isTooCrowded(text: string): boolean {
  const names = new NameCounter()
  // Members of the open objects, by depth.
  const members = new Uint32Array(JSON_DEPTH_MAX + 1)
  let depth = 0
  let containers = 0
  let commas = 0
  let isValue = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = isValue ? stringEnd(text, at) : names.pass(text, at)
        if (names.count > JSON_NAMES_MAX) return true
        break
      case COLON:
        isValue = true
        members[depth] = (members[depth] ?? 0) + 1
        if ((members[depth] ?? 0) > JSON_MEMBERS_MAX) return true
        break
      case COMMA:
        isValue = false
        commas += 1
        break
      case 123:
      case 91:
        isValue = false
        depth += 1
        containers += 1
        if (depth > JSON_DEPTH_MAX || containers > JSON_CONTAINERS_MAX) return true
        members[depth] = 0
        break
      case 125:
      case 93:
        depth -= 1
        break
      default:
        continue
    }
    // A comma parts two values, and each container holds one that has no comma.
    if (commas + containers > JSON_VALUES_MAX) return true
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

/** Different names may share a bit of the table: up to a twentieth of the bound is not counted. */
const TABLE_BITS = 20
/** Seed and factor of this process: nobody outside can choose names that share a bit. */
const SEED = Math.floor(Math.random() * 2 ** 32)
/**
 * The lower half is fixed: one like 0x0001 spreads names so badly that most of them share a bit,
 * and one random odd number in some thousand has such a half.
 */
const FACTOR = (Math.floor(Math.random() * 2 ** 16) << 16) | 0x79b1

/** Counts different names of members: each costs the parser more than a value does. */
class NameCounter {
  count = 0
  readonly #seen = new Uint32Array(2 ** (TABLE_BITS - 5))

  /** As `stringEnd`; counts the string when it is a name that was not seen before. */
  pass(text: string, start: number): number {
    let hash = SEED
    let at = start + 1
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit === QUOTE) break
      hash = Math.imul(hash ^ unit, FACTOR)
      if (unit === BACKSLASH) hash = Math.imul(hash ^ text.charCodeAt(++at), FACTOR)
    }
    if (isBeforeColon(text, at + 1)) this.#note(hash)
    return at
  }

  #note(hash: number): void {
    const bit = Math.imul(hash ^ (hash >>> 15), FACTOR) >>> (32 - TABLE_BITS)
    const word = bit >>> 5
    const mask = 1 << (bit & 31)
    const seen = this.#seen[word] ?? 0
    if ((seen & mask) !== 0) return
    this.#seen[word] = seen | mask
    this.count += 1
  }
}
