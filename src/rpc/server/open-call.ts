/** State of one open call's request, from the frames of its messages. */
import type { ServerHttp2Stream } from 'node:http2'
import type { Code } from '../../core/code.ts'
import { STRANGER_FIRST_BYTE_MS } from '../../core/limits/limits.ts'
import { elementsMax, messageBytesMax, takesMessages } from './call-bounds.ts'
import type { RefusedFor } from './refused.ts'

/**
 * Counts the fields of a message itself while its bytes come in, so that one with too many is
 * refused by its beginning. Unreadable bytes are left to the decoder.
 */
const VARINT = 0
const FIXED64 = 1
const LENGTH_DELIMITED = 2
const FIXED32 = 5
/** Bits of a tag and of a length. */
const VARINT_BITS_MAX = 35

class ElementCount {
  readonly #elementsMax: number
  #elements = 0
  #state: 'tag' | 'length' | 'value' | 'unreadable' = 'tag'
  #varint = 0
  #shift = 0
  /** Bytes of the field that have not arrived. */
  #missing = 0

  constructor(elementsMax: number) {
    this.#elementsMax = elementsMax
  }

  /** @returns false once there are too many. */
  take(chunk: Uint8Array, from: number, to: number): boolean {
    for (let at = from; at < to && this.#state !== 'unreadable'; ) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, to - at)
        this.#missing -= taken
        at += taken
        continue
      }
      this.#read(chunk[at] ?? 0)
      at++
      if (this.#elements > this.#elementsMax) return false
    }
    return true
  }

  #read(byte: number): void {
    this.#varint += (byte & 0x7f) * 2 ** this.#shift
    this.#shift += 7
    if (byte >= 0x80) {
      if (this.#state !== 'value' && this.#shift >= VARINT_BITS_MAX) this.#state = 'unreadable'
      return
    }
    const value = this.#varint
    this.#varint = 0
    this.#shift = 0
    if (this.#state === 'tag') this.#begin(value)
    else {
      if (this.#state === 'length') this.#missing = value
      this.#state = 'tag'
    }
  }

  #begin(tag: number): void {
    this.#elements++
    const type = tag & 7
    if (tag < 8) this.#state = 'unreadable'
    else if (type === LENGTH_DELIMITED) this.#state = 'length'
    else if (type === VARINT) this.#state = 'value'
    else if (type === FIXED64) this.#missing = 8
    else if (type === FIXED32) this.#missing = 4
    else this.#state = 'unreadable'
  }
}

/** Time from a stranger's call to the end of its request. */
export const STRANGER_MESSAGE_MS = 10_000
/** Time from the first byte of a member's message to its end. */
export const MEMBER_MESSAGE_MS = 30_000

export type OpenCallOptions = {
  readonly stream: ServerHttp2Stream
  readonly path: string
  readonly isMember: boolean
  /** Monotonic. */
  readonly startedAt: number
}

/** Reason to refuse a call. */
export type Wrong = { readonly code: Code; readonly text: string; readonly reason: RefusedFor }

const CROWDED: Wrong = {
  code: 'invalid_argument',
  text: 'The message holds too many elements.',
  reason: 'elements',
}

/** A flag for compression, and four bytes of length. */
const HEADER_BYTES = 5

export class OpenCall {
  readonly stream: ServerHttp2Stream
  readonly path: string
  /** Bytes of messages that are not read to their end, or that the call still has. */
  heldBytes = 0
  /** True once the caller has closed its side. */
  isComplete = false
  readonly #isMember: boolean
  readonly #takesMessages: boolean
  readonly #bytesMax: number
  readonly #elements: ElementCount | undefined
  /** Monotonic: when the call began or, where there are several messages, the last one ended. */
  #since: number
  #messages = 0
  #headerBytes = 0
  #length = 0
  /** Bytes of the message that have not arrived. */
  #missing = 0

  constructor({ stream, path, isMember, startedAt }: OpenCallOptions) {
    this.stream = stream
    this.path = path
    this.#isMember = isMember
    this.#takesMessages = takesMessages(path)
    this.#bytesMax = messageBytesMax(path, isMember)
    const most = elementsMax(path, isMember)
    this.#elements = most === undefined ? undefined : new ElementCount(most)
    this.#since = startedAt
  }

  /** @returns why the call is to be refused. */
  receive(chunk: Buffer, now: number): Wrong | undefined {
    if (this.isComplete) return undefined
    this.heldBytes += chunk.length
    let at = 0
    while (at < chunk.length) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, chunk.length - at)
        const isCrowded = this.#elements?.take(chunk, at, at + taken) === false
        this.#missing -= taken
        at += taken
        // A complete message is left to the decoder.
        if (isCrowded && this.#missing > 0) return CROWDED
        if (this.#missing === 0) this.#endMessage(chunk.length - at, now)
      } else {
        const wrong = this.#readHeader(chunk[at] ?? 0, now)
        at++
        if (wrong !== undefined) return wrong
        if (this.#headerBytes === 0 && this.#missing === 0) this.#endMessage(chunk.length - at, now)
      }
    }
    return undefined
  }

  /** The caller has nothing more to send. */
  end(): void {
    this.isComplete = true
  }

  /** Whether its request is late. Time in which the server does not read does not count. */
  isLate(now: number): boolean {
    if (this.isComplete || this.stream.isPaused()) return false
    const isBetween = this.#headerBytes === 0 && this.#missing === 0
    if (this.#isMember) {
      return !(this.#takesMessages && isBetween) && now - this.#since > MEMBER_MESSAGE_MS
    }
    const isSilent = this.#messages === 0 && isBetween
    return now - this.#since > (isSilent ? STRANGER_FIRST_BYTE_MS : STRANGER_MESSAGE_MS)
  }

  #readHeader(byte: number, now: number): Wrong | undefined {
    if (this.#headerBytes === 0) {
      if (this.#takesMessages) this.#since = now
      else if (this.#messages > 0)
        return { code: 'unimplemented', text: 'One message is expected.', reason: 'form' }
      this.#length = 0
    } else this.#length = this.#length * 256 + byte
    this.#headerBytes++
    if (this.#headerBytes < HEADER_BYTES) return undefined
    this.#headerBytes = 0
    this.#missing = this.#length
    if (this.#length <= this.#bytesMax) return undefined
    const text = `A message of ${this.#length} bytes is larger than ${this.#bytesMax}.`
    return { code: 'resource_exhausted', text, reason: 'size' }
  }

  /** @param rest bytes of the chunk behind the message. */
  #endMessage(rest: number, now: number): void {
    this.#messages++
    if (!this.#takesMessages) return
    this.#since = now
    this.heldBytes = rest
  }
}
