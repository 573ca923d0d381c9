/** Events as rows of ClickHouse's `RowBinary`, which needs no escaping and no parsing. */
import { ByteSink } from '../core/bytes/byte-sink.ts'
import { assert } from '../core/code.ts'
import { writeJsonb } from '../core/json-text/jsonb-bytes.ts'
import { DAY_MS } from '../events/time/instant.ts'
import { unfitEvent } from './column-error.ts'
import type { ColumnEvent } from './column-event.ts'

/** An event to be stored; its properties are JSON in any form, as text or UTF-8. */
export type NewColumnEvent = Omit<ColumnEvent, 'properties'> & {
  readonly properties: string | Uint8Array
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Places of a uuid's digits in the byte order of ClickHouse: both halves little-endian. */
const UUID_DIGITS = [16, 14, 11, 9, 6, 4, 2, 0, 34, 32, 30, 28, 26, 24, 21, 19]
const US_IN_MS = 1_000
const WORD = 2 ** 32
/**
 * A length is written in groups of 7 bits, each in a byte whose highest bit means that more follow.
 */
const SEVEN_BITS = 0x7f
const MORE = 0x80
/** Up to 2^28, more than a block has. */
const LENGTH_BYTES = 4
const FIRST_NOT_ASCII = 0x80
/** Numbers, the uuid and lengths of a row, and more. */
const FIXED_BYTES = 128

/** Rows of one block. */
export class RowWriter {
  readonly #block: Buffer
  readonly #month: Buffer
  /** Events of a flush have one time of storing. */
  readonly #created = { text: '', micros: Buffer.alloc(8) }

  constructor(month: string, block: number) {
    this.#block = Buffer.alloc(8)
    this.#block.writeBigUInt64LE(BigInt(block))
    const sink = new ByteSink()
    text(sink, month)
    this.#month = sink.written()
  }

  /**
   * Appends one row, in the order of `COLUMN_NAMES`.
   * @throws {ColumnError} of an unfit event, when Postgres would not take its properties or uuid.
   */
  write(sink: ByteSink, event: NewColumnEvent): void {
    if (!UUID.test(event.uuid)) throw unfitEvent('an event has no uuid')
    const ms = millisOf(event.timestamp)
    sink.reserve(FIXED_BYTES + this.#month.length)
    int32(sink, event.projectId)
    bytes(sink, this.#month)
    int32(sink, Math.floor(ms / DAY_MS))
    micros(sink.bytes, sink.length, ms, event.timestamp)
    sink.length += 8
    uuid(sink, event.uuid)
    text(sink, event.event)
    text(sink, event.distinctId)
    jsonb(sink, event.properties)
    text(sink, event.elementsChain)
    sink.reserve(FIXED_BYTES)
    bytes(sink, this.#createdAt(event.createdAt))
    bytes(sink, this.#block)
  }

  #createdAt(timestamp: string): Buffer {
    const created = this.#created
    if (created.text !== timestamp) {
      micros(created.micros, 0, millisOf(timestamp), timestamp)
      created.text = timestamp
    }
    return created.micros
  }
}

/** The length is known last: it has the same bytes, however small. */
function jsonb(sink: ByteSink, json: string | Uint8Array): void {
  sink.reserve(FIXED_BYTES)
  const start = sink.length
  sink.length += LENGTH_BYTES
  const fault = writeJsonb(typeof json === 'string' ? Buffer.from(json) : json, sink)
  if (fault !== undefined) throw unfitEvent(`properties are not as Postgres takes them: ${fault}`)
  let left = sink.length - start - LENGTH_BYTES
  for (let place = 0; place < LENGTH_BYTES; place++) {
    const more = place < LENGTH_BYTES - 1 ? MORE : 0
    sink.bytes[start + place] = (left & SEVEN_BITS) | more
    left >>>= 7
  }
  if (left > 0) throw unfitEvent('properties are longer than ClickHouse is sent')
}

/** Room is reserved before, but for texts. */
function bytes(sink: ByteSink, given: Buffer): void {
  for (const byte of given) sink.bytes[sink.length++] = byte
}

function int32(sink: ByteSink, value: number): void {
  sink.length = sink.bytes.writeInt32LE(value, sink.length)
}

function text(sink: ByteSink, value: string): void {
  sink.reserve(value.length + FIXED_BYTES)
  const start = sink.length
  length(sink, value.length)
  for (let place = 0; place < value.length; place++) {
    const unit = value.charCodeAt(place)
    if (unit >= FIRST_NOT_ASCII) {
      sink.length = start
      length(sink, Buffer.byteLength(value))
      sink.utf8(value)
      return
    }
    sink.bytes[sink.length++] = unit
  }
}

function length(sink: ByteSink, count: number): void {
  let left = count
  while (left > SEVEN_BITS) {
    sink.bytes[sink.length++] = (left & SEVEN_BITS) | MORE
    left >>>= 7
  }
  sink.bytes[sink.length++] = left
}

function uuid(sink: ByteSink, value: string): void {
  for (const place of UUID_DIGITS) {
    const high = digit(value.charCodeAt(place))
    const low = digit(value.charCodeAt(place + 1))
    sink.bytes[sink.length++] = high * 16 + low
  }
}

/** Value of a hex digit, `0` to `9` or `a` to `f`. */
function digit(unit: number): number {
  return unit < 0x40 ? unit - 0x30 : unit - 0x57
}

/** Microseconds since 1970: before the year 1685 they do not fit a number, so in two words. */
function micros(target: Buffer, place: number, ms: number, timestamp: string): void {
  const us = Number(timestamp.slice(23, 26))
  const high = Math.floor(ms / WORD)
  // Both products are exact: the low word has 32 bits, and 1,000 ten.
  const low = (ms - high * WORD) * US_IN_MS + us
  const carried = Math.floor(low / WORD)
  target.writeUInt32LE(low - carried * WORD, place)
  target.writeInt32LE(high * US_IN_MS + carried, place + 4)
}

function millisOf(timestamp: string): number {
  const ms = Date.parse(`${timestamp.slice(0, 23)}Z`)
  assert(!Number.isNaN(ms), 'an event has no time')
  return ms
}
