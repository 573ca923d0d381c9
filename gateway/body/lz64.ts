/** Decompresses what lz-string has compressed, within a bound. */

import { ok, type Result } from '../../src/core/result.ts'
import { type DecodeError, INVALID_PAYLOAD, TOO_LARGE } from './decode-error.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='
const INVALID = 255
const SEXTETS = new Uint8Array(128).fill(INVALID)
for (let at = 0; at < ALPHABET.length; at++) SEXTETS[ALPHABET.charCodeAt(at)] = at & 63

/** Reserved codes; dictionary entries follow them. */
const CHAR_8 = 0
const CHAR_16 = 1
const END = 2
const UNITS_INITIAL = 4_096

/**
 * Undoes lz-string's `compressToBase64`, bounded: the library's own decoder has no limit, and 10 KB
 * can hold 20 MB. The result is UTF-16 text of at most `unitsMax` units. Empty text, text cut short
 * and foreign characters are invalid.
 *
 * Every dictionary entry is what was written for one code and the first unit of the next. That is a
 * stretch of the output itself, so entries are kept as a start and a length.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over codes, and its state is local for speed
export function decompressLz64(text: string, unitsMax: number): Result<string, DecodeError> {
  const reader = new BitReader(text)
  const output = new Output(unitsMax)
  const starts: number[] = [0, 0, 0]
  const lengths: number[] = [0, 0, 0]
  let codeBits = 2
  // Entries until codes grow by a bit. The first code has two bits, those after it three.
  let room = 1
  let previous = -1
  for (;;) {
    const code = reader.read(codeBits)
    if (reader.failed) return INVALID_PAYLOAD
    if (code === END) return output.length === 0 ? INVALID_PAYLOAD : ok(output.text())
    const start = output.length
    if (code === CHAR_8 || code === CHAR_16) {
      starts.push(start)
      lengths.push(1)
      if (!output.push(reader.read(code === CHAR_8 ? 8 : 16))) return TOO_LARGE
      room -= 1
    } else if (previous === -1) {
      return INVALID_PAYLOAD
    } else if (code < starts.length) {
      if (!output.repeat(starts[code] ?? 0, lengths[code] ?? 0)) return TOO_LARGE
    } else if (code === starts.length) {
      if (!output.repeat(previous, start - previous + 1)) return TOO_LARGE
    } else {
      return INVALID_PAYLOAD
    }
    if (reader.failed) return INVALID_PAYLOAD
    if (room === 0) {
      room = 2 ** codeBits
      codeBits += 1
    }
    if (previous !== -1) {
      starts.push(previous)
      lengths.push(start - previous + 1)
      room -= 1
      if (room === 0) {
        room = 2 ** codeBits
        codeBits += 1
      }
    }
    previous = start
  }
}

/** Bits of base64 text: each sextet from its highest bit, each number from its lowest. */
class BitReader {
  failed = false
  readonly #text: string
  #at = 0
  #sextet = 0
  #mask = 0

  constructor(text: string) {
    this.#text = text
  }

  read(bits: number): number {
    let value = 0
    for (let power = 1, left = bits; left > 0; left--, power *= 2) {
      if (this.#mask === 0) this.#next()
      if ((this.#sextet & this.#mask) !== 0) value += power
      this.#mask >>= 1
    }
    return value
  }

  #next(): void {
    const sextet = SEXTETS[this.#text.charCodeAt(this.#at)] ?? INVALID
    this.#at += 1
    this.#mask = 32
    this.#sextet = sextet === INVALID ? 0 : sextet
    if (sextet === INVALID) this.failed = true
  }
}

/** Growing UTF-16 text of bounded length. */
class Output {
  length = 0
  readonly #unitsMax: number
  #units: Uint16Array

  constructor(unitsMax: number) {
    this.#unitsMax = unitsMax
    this.#units = new Uint16Array(Math.min(UNITS_INITIAL, unitsMax))
  }

  push(unit: number): boolean {
    if (!this.#reserve(1)) return false
    this.#units[this.length] = unit
    this.length += 1
    return true
  }

  /** Appends what was written from `start` on; source and target may overlap by one unit. */
  repeat(start: number, count: number): boolean {
    if (!this.#reserve(count)) return false
    for (let at = start; at < start + count; at++) {
      this.#units[this.length] = this.#units[at] ?? 0
      this.length += 1
    }
    return true
  }

  text(): string {
    return Buffer.from(this.#units.buffer, 0, this.length * 2).toString('utf16le')
  }

  #reserve(count: number): boolean {
    const needed = this.length + count
    if (needed > this.#unitsMax) return false
    if (needed > this.#units.length) {
      const grown = new Uint16Array(Math.min(Math.max(needed, needed * 2), this.#unitsMax))
      grown.set(this.#units)
      this.#units = grown
    }
    return true
  }
}
