/**
 * JSON text as Postgres prints it once it is `jsonb`: of equal keys the last one counts, keys are
 * in order of their length, numbers keep their digits. Two stores that hold this text hold the
 * same.
 */
import { byCodePoint } from '../order/by-code-point.ts'
import { err, ok, type Result } from '../result.ts'
import { isSpace } from './json-characters.ts'
import { jsonbNumber } from './jsonb-number.ts'

/**
 * Why Postgres would refuse a text: it is not JSON; it holds NUL or half of a surrogate pair; a
 * number is out of range; it is nested too deeply.
 */
export type JsonbFault = 'not_json' | 'unstorable_text' | 'number_range' | 'too_deep'

/** Bodies are refused at 64; a thread's stack holds more than this. */
const DEPTH_MAX = 512

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** With the `u` flag a surrogate class matches lone ones only. */
const LONE_SURROGATE = /[\ud800-\udfff]/u
const QUOTE = 0x22
const BACKSLASH = 0x5c
const [FIRST_NOT_ASCII, FIRST_SURROGATE] = [0x80, 0xd800]

/** The text that `select $1::jsonb::text` would give. Never throws. */
export function jsonbText(json: string): Result<string, JsonbFault> {
  try {
    const writer = new JsonbWriter(json)
    const text = writer.value(0)
    writer.end()
    return ok(text)
  } catch (error) {
    if (error instanceof Refused) return err(error.fault)
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

/** A string as it reads, and as Postgres prints it. `isAscii` is false where nobody has looked. */
type Text = { readonly text: string; readonly quoted: string; readonly isAscii: boolean }

/** A member of an object: its key, the bytes of that as UTF-8, and both parts as they are printed. */
type Member = { readonly key: string; readonly bytes: number; readonly written: string }

class JsonbWriter {
  readonly #json: string
  #at = 0

  constructor(json: string) {
    this.#json = json
  }

  value(depth: number): string {
    if (depth > DEPTH_MAX) throw new Refused('too_deep')
    const first = this.#next()
    if (first === '{') return this.#object(depth)
    if (first === '[') return this.#list(depth)
    if (first === '"') return this.#text().quoted
    return first === 't' || first === 'f' || first === 'n' ? this.#word() : this.#number()
  }

  end(): void {
    if (this.#next() !== '') throw new Refused('not_json')
  }

  #object(depth: number): string {
    this.#at += 1
    const members = new Map<string, Member>()
    if (this.#takes('}')) return '{}'
    do {
      if (this.#next() !== '"') throw new Refused('not_json')
      const { text, quoted, isAscii } = this.#text()
      if (!this.#takes(':')) throw new Refused('not_json')
      const bytes = isAscii ? text.length : Buffer.byteLength(text)
      members.set(text, { key: text, bytes, written: `${quoted}: ${this.value(depth + 1)}` })
    } while (this.#goesOn('}'))
    const sorted = [...members.values()].sort(compareKeys)
    return `{${sorted.map(({ written }) => written).join(', ')}}`
  }

  #list(depth: number): string {
    this.#at += 1
    const items: string[] = []
    if (this.#takes(']')) return '[]'
    do items.push(this.value(depth + 1))
    while (this.#goesOn(']'))
    return `[${items.join(', ')}]`
  }

  #word(): string {
    for (const word of ['true', 'false', 'null']) {
      if (!this.#json.startsWith(word, this.#at)) continue
      this.#at += word.length
      return word
    }
    throw new Refused('not_json')
  }

  #number(): string {
    NUMBER.lastIndex = this.#at
    const [found] = NUMBER.exec(this.#json) ?? []
    if (found === undefined) throw new Refused('not_json')
    this.#at += found.length
    const text = jsonbNumber(found)
    if (text === undefined) throw new Refused('number_range')
    return text
  }

  /** Reads a string and resolves its escapes. */
  #text(): Text {
    const start = this.#at
    let isPlain = true
    let highest = 0
    let at = start + 1
    for (; this.#json.charCodeAt(at) !== QUOTE; at++) {
      const unit = this.#json.charCodeAt(at)
      // Also past the end, where it is not a number.
      if (!(unit >= 0x20)) throw new Refused('not_json')
      if (unit === BACKSLASH) {
        isPlain = false
        at += 1
      } else if (unit > highest) highest = unit
    }
    this.#at = at + 1
    const quoted = this.#json.slice(start, at + 1)
    if (isPlain && highest < FIRST_SURROGATE) {
      return { text: quoted.slice(1, -1), quoted, isAscii: highest < FIRST_NOT_ASCII }
    }
    const text = resolveEscapes(quoted)
    if (text.includes('\0') || LONE_SURROGATE.test(text)) throw new Refused('unstorable_text')
    return { text, quoted: JSON.stringify(text), isAscii: false }
  }

  /** The next character after blanks; empty at the end. */
  #next(): string {
    while (isSpace(this.#json.charCodeAt(this.#at))) this.#at += 1
    return this.#json.charAt(this.#at)
  }

  #takes(mark: string): boolean {
    if (this.#next() !== mark) return false
    this.#at += 1
    return true
  }

  #goesOn(end: ']' | '}'): boolean {
    if (this.#takes(',')) return true
    if (this.#takes(end)) return false
    throw new Refused('not_json')
  }
}

function resolveEscapes(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    throw new Refused('not_json') // An escape that JSON does not have.
  }
}

/** By bytes of UTF-8: shorter ones first. */
function compareKeys(a: Member, b: Member): number {
  return a.bytes - b.bytes || byCodePoint(a.key, b.key)
}
