/**
 * JSON as Postgres prints it once it is `jsonb`: of equal keys the last one counts, keys are in
 * order of their length, numbers keep their digits. Two stores that hold this text hold the same.
 *
 * Text is UTF-8, by whose bytes `jsonb` orders keys. It is written while it is read: strings are made
 * only of what has escapes or an exponent.
 */
import type { ByteSink } from '../bytes/byte-sink.ts'
import { isSpace } from './json-characters.ts'
import { jsonbNumber } from './jsonb-number.ts'
import { createKeyOrder, type KeyOrder, type Member } from './key-order.ts'

/**
 * Why Postgres would refuse a text: it is not JSON; it holds NUL or half of a surrogate pair; a
 * number is out of range; it is nested too deeply.
 */
export type JsonbFault = 'not_json' | 'unstorable_text' | 'number_range' | 'too_deep'

/** Bodies are refused at 64; a thread's stack holds more than this. */
const DEPTH_MAX = 512

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const SPACE = 0x20
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word))
const PLAIN_DIGITS_MAX = 1_000
/** With the `u` flag a surrogate class matches lone ones only. */
const UNSTORABLE = /[\0\ud800-\udfff]/u

const keyOrder = createKeyOrder()

/**
 * Appends the result of `select $1::jsonb::text`.
 * @param source valid UTF-8; half a surrogate pair can only occur as an escape.
 * @returns the reason for which Postgres would refuse it; nothing is appended then.
 */
export function writeJsonb(source: Uint8Array, sink: ByteSink): JsonbFault | undefined {
  const before = sink.length
  try {
    new JsonbWriter(source, sink, keyOrder).all()
    return undefined
  } catch (error) {
    sink.length = before
    if (error instanceof Refused) return error.fault
    throw error
  }
}

class Refused extends Error {
  readonly fault: JsonbFault

  constructor(fault: JsonbFault) {
    super(fault)
    this.fault = fault
  }
}

class JsonbWriter {
  readonly #source: Uint8Array
  readonly #sink: ByteSink
  readonly #keyOrder: KeyOrder
  #at = 0

  constructor(source: Uint8Array, sink: ByteSink, order: KeyOrder) {
    this.#source = source
    this.#sink = sink
    this.#keyOrder = order
  }

  all(): void {
    this.#reserve()
    this.#value(0)
    if (this.#next() !== 0 || this.#at < this.#source.length) throw new Refused('not_json')
  }

  #value(depth: number): void {
    if (depth > DEPTH_MAX) throw new Refused('too_deep')
    const first = this.#next()
    if (first === QUOTE) this.#text()
    else if (first === OPEN_OBJECT) this.#object(depth)
    else if (first === OPEN_LIST) this.#list(depth)
    else if (first === MINUS || isDigit(first)) this.#number()
    else this.#word()
  }

  #object(depth: number): void {
    const sink = this.#sink
    this.#take(OPEN_OBJECT)
    const start = sink.length
    const members: Member[] = []
    if (this.#next() === CLOSE_OBJECT) {
      this.#take(CLOSE_OBJECT)
      return
    }
    do {
      if (members.length > 0) this.#put(COMMA, SPACE)
      if (this.#next() !== QUOTE) throw new Refused('not_json')
      const from = sink.length
      const decoded = this.#text()
      const keyTo = sink.length - 1
      if (this.#next() !== COLON) throw new Refused('not_json')
      this.#at += 1
      this.#put(COLON, SPACE)
      this.#value(depth + 1)
      members.push({ from, keyTo, to: sink.length, decoded })
    } while (this.#goesOn(CLOSE_OBJECT))
    this.#keyOrder.apply(sink, start, members)
    this.#take(CLOSE_OBJECT)
  }

  #list(depth: number): void {
    this.#take(OPEN_LIST)
    if (this.#next() === CLOSE_LIST) {
      this.#take(CLOSE_LIST)
      return
    }
    let isFirst = true
    do {
      if (!isFirst) this.#put(COMMA, SPACE)
      isFirst = false
      this.#value(depth + 1)
    } while (this.#goesOn(CLOSE_LIST))
    this.#take(CLOSE_LIST)
  }

  #word(): void {
    for (const word of WORDS) {
      if (!word.every((byte, place) => this.#source[this.#at + place] === byte)) continue
      for (const byte of word) this.#take(byte)
      return
    }
    throw new Refused('not_json')
  }

  #number(): void {
    const start = this.#at
    const isNegative = this.#byte() === MINUS
    if (isNegative) this.#at += 1
    const isZeroFirst = this.#byte() === ZERO
    if (isZeroFirst) this.#at += 1
    else this.#digits()
    if (this.#byte() === POINT) {
      this.#at += 1
      this.#digits()
    }
    const hasExponent = (this.#byte() | SPACE) === 0x65
    if (hasExponent) {
      this.#at += 1
      if (this.#byte() === PLUS || this.#byte() === MINUS) this.#at += 1
      this.#digits()
    }
    const digits = this.#source.subarray(start, this.#at)
    // Most numbers: their text stays as it is.
    if (!hasExponent && !(isNegative && isZeroFirst) && digits.length < PLAIN_DIGITS_MAX) {
      for (const digit of digits) this.#put(digit)
      return
    }
    const text = jsonbNumber(Buffer.from(digits).toString('latin1'))
    if (text === undefined) throw new Refused('number_range')
    this.#sink.utf8(text)
    this.#reserve()
  }

  #digits(): void {
    if (!isDigit(this.#byte())) throw new Refused('not_json')
    while (isDigit(this.#byte())) this.#at += 1
  }

  /**
   * Writes a string with its quotes.
   * @returns the decoded text, when it differs from the text between the quotes.
   */
  #text(): Uint8Array | undefined {
    const source = this.#source
    const { bytes } = this.#sink
    let at = this.#at
    let place = this.#sink.length
    bytes[place++] = QUOTE
    for (;;) {
      at += 1
      const byte = source[at] ?? 0
      if (byte === BACKSLASH) return this.#escapedText()
      // This includes the end of the text.
      if (byte < SPACE) throw new Refused('not_json')
      bytes[place++] = byte
      if (byte === QUOTE) break
    }
    this.#at = at + 1
    this.#sink.length = place
    return undefined
  }

  #escapedText(): Uint8Array {
    const start = this.#at
    let at = start + 1
    for (let byte = this.#source[at]; byte !== QUOTE; byte = this.#source[at]) {
      if (byte === undefined) throw new Refused('not_json')
      at += byte === BACKSLASH ? 2 : 1
    }
    const text = resolveEscapes(Buffer.from(this.#source.subarray(start, at + 1)).toString())
    if (UNSTORABLE.test(text)) throw new Refused('unstorable_text')
    this.#at = at + 1
    this.#sink.utf8(JSON.stringify(text))
    this.#reserve()
    return Buffer.from(text)
  }

  /** The next byte after blanks; 0 at the end. */
  #next(): number {
    while (isSpace(this.#byte())) this.#at += 1
    return this.#byte()
  }

  #byte(): number {
    return this.#source[this.#at] ?? 0
  }

  #goesOn(end: number): boolean {
    const next = this.#next()
    if (next === COMMA) {
      this.#at += 1
      return true
    }
    if (next === end) return false
    throw new Refused('not_json')
  }

  /** Takes a byte over that was looked at. */
  #take(byte: number): void {
    this.#at += 1
    this.#put(byte)
  }

  #put(byte: number, after?: number): void {
    const sink = this.#sink
    sink.bytes[sink.length++] = byte
    if (after !== undefined) sink.bytes[sink.length++] = after
  }

  /** Room for all that is left: a comma or colon becomes two bytes, all else no more than it is. */
  #reserve(): void {
    this.#sink.reserve(2 * (this.#source.length - this.#at) + 2)
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

function resolveEscapes(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    throw new Refused('not_json') // An escape that JSON does not have.
  }
}
