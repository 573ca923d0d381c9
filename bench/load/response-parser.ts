/** Finds where each HTTP/1.1 answer ends in the bytes of a connection. */
import { framingOf, statusOf } from './response-head.ts'

/**
 * Reads HTTP/1.1 answers from a byte stream that is cut anywhere. A load generator parses tens of
 * thousands of answers a second: nothing is allocated while an answer arrives in one piece, and all
 * headers are skipped except `Retry-After` and those that frame a body.
 */

/** Bytes of a status line with its headers; more is a protocol error. */
export const HEAD_BYTES_MAX = 16_384
/** Bytes of one answer's body; more is a protocol error. */
export const ANSWER_BYTES_MAX = 33_554_432

export type AnswerSink = {
  /** The body is `bytes[start, end)` and is overwritten after the call returns. */
  onAnswer(status: number, keepAlive: boolean, bytes: Buffer, start: number, end: number): void
}

const HEAD = 0
const SIZED = 1
const CHUNK_SIZE = 2
const CHUNK_DATA = 3
const CHUNK_END = 4
const TRAILERS = 5

const CR = 13
const LF = 10
const NO_BYTES = Buffer.alloc(0)

export class ResponseParser {
  readonly #sink: AnswerSink
  #state = HEAD
  /** Bytes of CR LF CR LF seen in a row. */
  #terminator = 0
  #head: Buffer = Buffer.alloc(1024)
  #headLength = 0
  #body: Buffer = NO_BYTES
  #bodyLength = 0
  #status = 0
  #keepAlive = true
  #chunked = false
  /** Bytes that the sized body or the chunk still lacks. */
  #missing = 0
  #chunkDigits = 0
  #inChunkExtension = false
  #retryAfter = false

  constructor(sink: AnswerSink) {
    this.#sink = sink
  }

  /** True between two answers, when the close of the connection loses nothing. */
  get idle(): boolean {
    return this.#state === HEAD && this.#headLength === 0 && this.#terminator === 0
  }

  /** Whether the answer that is being handed over has `Retry-After`. */
  get retryAfter(): boolean {
    return this.#retryAfter
  }

  /** Forgets a half-read answer. The next bytes come from a new connection. */
  reset(): void {
    this.#state = HEAD
    this.#terminator = 0
    this.#headLength = 0
    this.#bodyLength = 0
  }

  /** Takes `bytes[0, length)`. Answers what is wrong with them; only `reset` helps then. */
  push(bytes: Buffer, length: number): string | undefined {
    let at = 0
    while (at < length) {
      const next = this.#step(bytes, at, length)
      if (typeof next === 'string') return next
      at = next
    }
    return undefined
  }

  /** Reads the bytes of one state from `at` on. Answers where the next state starts. */
  #step(bytes: Buffer, at: number, length: number): number | string {
    if (this.#state === HEAD) return this.#readHead(bytes, at, length)
    if (this.#state === SIZED || this.#state === CHUNK_DATA)
      return this.#readBody(bytes, at, length)
    if (this.#state === CHUNK_SIZE) return this.#readChunkSize(bytes, at, length)
    if (this.#state === CHUNK_END) return this.#readChunkEnd(bytes, at, length)
    return this.#readTrailers(bytes, at, length)
  }

  #readHead(bytes: Buffer, from: number, length: number): number | string {
    let seen = this.#terminator
    let at = from
    while (at < length && seen < 4) {
      const byte = bytes[at]
      if (byte === ((seen & 1) === 0 ? CR : LF)) seen++
      else seen = byte === CR ? 1 : 0
      at++
    }
    this.#terminator = seen
    if (this.#headLength + at - from > HEAD_BYTES_MAX) return 'head too large'
    if (seen < 4) {
      this.#keepHead(bytes, from, at)
      return at
    }
    if (this.#headLength === 0) return this.#beginBody(bytes, from, at, at)
    this.#keepHead(bytes, from, at)
    return this.#beginBody(this.#head, 0, this.#headLength, at)
  }

  #keepHead(bytes: Buffer, from: number, to: number): void {
    this.#head = withRoom(this.#head, this.#headLength, to - from)
    bytes.copy(this.#head, this.#headLength, from, to)
    this.#headLength += to - from
  }

  /** Reads the framing from `head[start, end)`; `next` is where the body starts in the stream. */
  #beginBody(head: Buffer, start: number, end: number, next: number): number | string {
    const status = statusOf(head, start, end)
    if (status === 0) return 'not an HTTP/1 answer'
    const framing = framingOf(head, start, end)
    if (typeof framing === 'string') return framing
    this.#status = status
    this.#keepAlive = framing.keepAlive
    this.#retryAfter = framing.retryAfter
    this.#terminator = 0
    this.#headLength = 0
    this.#bodyLength = 0
    this.#chunked = framing.chunked
    if (status < 200) return next // An interim answer: the real one follows.
    if (status === 204 || status === 304) return this.#finish(NO_BYTES, 0, 0, next)
    if (framing.chunked) {
      this.#expectChunkSize()
      return next
    }
    if (framing.length < 0) return 'body without a length'
    if (framing.length > ANSWER_BYTES_MAX) return 'body too large'
    if (framing.length === 0) return this.#finish(NO_BYTES, 0, 0, next)
    this.#missing = framing.length
    this.#state = SIZED
    return next
  }

  #readBody(bytes: Buffer, from: number, length: number): number | string {
    const to = Math.min(length, from + this.#missing)
    const whole = this.#bodyLength === 0 && to - from === this.#missing
    if (whole && !this.#chunked) return this.#finish(bytes, from, to, to)
    if (this.#bodyLength + to - from > ANSWER_BYTES_MAX) return 'body too large'
    this.#body = withRoom(this.#body, this.#bodyLength, to - from)
    bytes.copy(this.#body, this.#bodyLength, from, to)
    this.#bodyLength += to - from
    this.#missing -= to - from
    if (this.#missing > 0) return to
    if (!this.#chunked) return this.#finish(this.#body, 0, this.#bodyLength, to)
    this.#state = CHUNK_END
    this.#terminator = 0
    return to
  }

  #expectChunkSize(): void {
    this.#state = CHUNK_SIZE
    this.#missing = 0
    this.#chunkDigits = 0
    this.#inChunkExtension = false
  }

  #readChunkSize(bytes: Buffer, from: number, length: number): number | string {
    for (let at = from; at < length; at++) {
      const byte = bytes[at] ?? 0
      if (byte === LF) {
        if (this.#chunkDigits === 0) return 'chunk without a size'
        this.#state = this.#missing === 0 ? TRAILERS : CHUNK_DATA
        this.#terminator = this.#missing === 0 ? 2 : 0
        return at + 1
      }
      const digit = this.#inChunkExtension ? -1 : hexDigit(byte)
      if (digit >= 0) {
        this.#missing = this.#missing * 16 + digit
        this.#chunkDigits++
        if (this.#missing > ANSWER_BYTES_MAX) return 'body too large'
      } else if (byte !== CR) {
        if (this.#chunkDigits === 0) return 'chunk without a size'
        this.#inChunkExtension = true
      }
    }
    return length
  }

  #readChunkEnd(bytes: Buffer, from: number, length: number): number | string {
    for (let at = from; at < length; at++) {
      if (bytes[at] !== (this.#terminator === 0 ? CR : LF)) return 'chunk longer than its size'
      this.#terminator++
      if (this.#terminator === 2) {
        this.#expectChunkSize()
        return at + 1
      }
    }
    return length
  }

  /** The line end of the last chunk counts as the first half of the terminator. */
  #readTrailers(bytes: Buffer, from: number, length: number): number | string {
    for (let at = from; at < length; at++) {
      const byte = bytes[at]
      const wanted = (this.#terminator & 1) === 0 ? CR : LF
      this.#terminator = byte === wanted ? this.#terminator + 1 : byte === CR ? 1 : 0
      if (this.#terminator === 4) return this.#finish(this.#body, 0, this.#bodyLength, at + 1)
    }
    return length
  }

  #finish(bytes: Buffer, start: number, end: number, next: number): number {
    this.#state = HEAD
    this.#terminator = 0
    this.#headLength = 0
    this.#bodyLength = 0
    this.#sink.onAnswer(this.#status, this.#keepAlive, bytes, start, end)
    return next
  }
}

function withRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (used + more <= buffer.length) return buffer
  const grown = Buffer.allocUnsafe(Math.max(1024, buffer.length * 2, used + more))
  buffer.copy(grown, 0, 0, used)
  return grown
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
