/**
 * Bytes of google.protobuf.Value, written in one pass from their end, so that each length is known
 * where it is written. protobufjs keeps an operation for each tag, length and text until all of
 * them are known: some fifteen a value, and a question may have 15,000 values.
 */
import protobuf from 'protobufjs'
import { isRecord } from './rules.ts'

/** Tags of `Value`, by its kinds. */
const [NULL, NUMBER, STRING, BOOL, STRUCT, LIST] = [0x08, 0x11, 0x1a, 0x20, 0x2a, 0x32] as const
/** A member of a struct, and an item of a list. */
const ITEM = 0x0a
/** Tags of a member. */
const [KEY, VALUE] = [0x0a, 0x12] as const

const BYTES_AT_FIRST = 1_024
const DOUBLE_BYTES = 8
const SHORT_TEXT_MAX = 40
const ASCII_MAX = 0x7f
/** Bytes of a length below 2^32, with its tag. */
const LENGTH_BYTES_MAX = 6

/** Writes structs and lists in values at once, in every message that holds them. */
export function writeValuesAtOnce(root: protobuf.Root): void {
  const type = root.lookupType('google.protobuf.Value').setup()
  const { encode } = type
  // Values are plain objects with the fields of a Value, and are encoded as they are.
  type.fromObject = (value) => value as protobuf.Message
  type.encode = (value, writer = protobuf.Writer.create()) => {
    const { structValue, listValue, nullValue } = value as Record<string, unknown>
    const bytes = new BytesFromEnd()
    if (isRecord(structValue)) return writer.uint32(STRUCT).bytes(bytes.ofStruct(structValue))
    if (isRecord(listValue)) return writer.uint32(LIST).bytes(bytes.ofList(listValue))
    // A name in JSON, a number on the wire.
    return encode.call(type, typeof nullValue === 'string' ? { nullValue: 0 } : value, writer)
  }
}

class BytesFromEnd {
  #buffer = Buffer.allocUnsafe(BYTES_AT_FIRST)
  /** Position of the byte that was written last. */
  #at = BYTES_AT_FIRST

  ofStruct(struct: Readonly<Record<string, unknown>>): Buffer {
    this.#members(struct)
    return this.#buffer.subarray(this.#at)
  }

  ofList(list: Readonly<Record<string, unknown>>): Buffer {
    this.#items(list)
    return this.#buffer.subarray(this.#at)
  }

  #members({ fields }: Readonly<Record<string, unknown>>): void {
    if (!isRecord(fields)) return
    for (const key of Object.keys(fields).reverse()) {
      const before = this.#written()
      this.#value(fields[key])
      this.#length(VALUE, before)
      this.#text(KEY, key)
      this.#length(ITEM, before)
    }
  }

  #items({ values }: Readonly<Record<string, unknown>>): void {
    if (!Array.isArray(values)) return
    for (let place = values.length - 1; place >= 0; place--) {
      const before = this.#written()
      this.#value(values[place])
      this.#length(ITEM, before)
    }
  }

  #value(value: unknown): void {
    if (!isRecord(value)) return
    const { stringValue, numberValue, boolValue, structValue, listValue, nullValue } = value
    const before = this.#written()
    if (isRecord(structValue)) {
      this.#members(structValue)
      this.#length(STRUCT, before)
    } else if (isRecord(listValue)) {
      this.#items(listValue)
      this.#length(LIST, before)
    } else if (typeof stringValue === 'string') {
      this.#text(STRING, stringValue)
    } else if (typeof numberValue === 'number') {
      this.#makeRoom(DOUBLE_BYTES + 1)
      this.#at -= DOUBLE_BYTES
      this.#buffer.writeDoubleLE(numberValue, this.#at)
      this.#byte(NUMBER)
    } else if (typeof boolValue === 'boolean') {
      this.#makeRoom(2)
      this.#byte(Number(boolValue))
      this.#byte(BOOL)
    } else if (nullValue !== undefined) {
      this.#makeRoom(2)
      this.#byte(0)
      this.#byte(NULL)
    }
  }

  #text(tag: number, text: string): void {
    const before = this.#written()
    if (text.length > SHORT_TEXT_MAX || !this.#tookAscii(text)) {
      const size = Buffer.byteLength(text)
      this.#makeRoom(size)
      this.#at -= size
      this.#buffer.write(text, this.#at, size)
    }
    this.#length(tag, before)
  }

  /** Cheaper than a call of the runtime for short texts. @returns false when it is not ASCII. */
  #tookAscii(text: string): boolean {
    this.#makeRoom(text.length)
    const at = this.#at - text.length
    for (let place = 0; place < text.length; place++) {
      const unit = text.charCodeAt(place)
      if (unit > ASCII_MAX) return false
      this.#buffer[at + place] = unit
    }
    this.#at = at
    return true
  }

  /** A tag, and how many bytes were written since `before`. */
  #length(tag: number, before: number): void {
    const length = this.#written() - before
    this.#makeRoom(LENGTH_BYTES_MAX)
    let groups = 1
    for (let left = length >>> 7; left > 0; left >>>= 7) groups += 1
    this.#at -= groups
    for (let group = 0; group < groups; group++) {
      const bits = (length >>> (7 * group)) & 0x7f
      this.#buffer[this.#at + group] = group === groups - 1 ? bits : bits | 0x80
    }
    this.#byte(tag)
  }

  #byte(byte: number): void {
    this.#at -= 1
    this.#buffer[this.#at] = byte
  }

  #written(): number {
    return this.#buffer.length - this.#at
  }

  #makeRoom(bytes: number): void {
    if (this.#at >= bytes) return
    const written = this.#written()
    const larger = Buffer.allocUnsafe(2 * this.#buffer.length + bytes)
    const at = larger.length - written
    this.#buffer.copy(larger, at, this.#at)
    this.#buffer = larger
    this.#at = at
  }
}
