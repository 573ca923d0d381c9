import type { Framing } from './http-framing.ts'
import type { HttpBounds } from './http-server.ts'
import type { Inflight } from './inflight.ts'

export const EMPTY_BODY: Buffer = Buffer.alloc(0)
const GROWTH_BYTES_MIN = 4_096

/**
 * Collects one body within the server's bounds. A body over them is still read, to be counted and
 * thrown away: an answer sent while the client writes is lost with the reset that follows.
 */
export class BodyReader {
  /** Why the body is being thrown away. */
  refusal: 'body_too_large' | 'overloaded' | undefined
  /** Bytes set aside in `Inflight`, which whoever ends the request gives back. */
  reserved = 0
  readonly #bounds: HttpBounds
  readonly #inflight: Inflight
  readonly #declared: number | undefined
  /**
   * One buffer that grows, not a list of chunks: a client may send each byte as a chunk of its own,
   * and a list would then cost a hundred times what the bounds count.
   */
  #kept = EMPTY_BODY
  #received = 0

  constructor(framing: Framing, bounds: HttpBounds, inflight: Inflight, admitted: boolean) {
    this.#bounds = bounds
    this.#inflight = inflight
    this.#declared = framing.kind === 'length' ? framing.bytes : undefined
    if (!admitted) this.#refuse('overloaded')
    else if (this.#declared !== undefined) this.#admit(this.#declared, this.#declared)
  }

  /** Takes a copy of `chunk`. False: more has been thrown away than is allowed, close now. */
  add(chunk: Uint8Array): boolean {
    const at = this.#received
    this.#received += chunk.byteLength
    if (this.refusal === undefined && this.#declared === undefined) {
      this.#admit(chunk.byteLength, this.#received)
    }
    if (this.refusal !== undefined) return this.#received <= this.#bounds.discardBytesMax
    if (this.#received > this.#kept.byteLength) this.#grow(at)
    this.#kept.set(chunk, at)
    return true
  }

  /** Whole body, when its end has come. */
  take(): Buffer {
    const body = this.#kept.subarray(0, this.#received)
    this.#kept = EMPTY_BODY
    return body
  }

  #admit(bytes: number, bodyBytes: number): void {
    if (bodyBytes > this.#bounds.bodyBytesMax) this.#refuse('body_too_large')
    else if (this.#inflight.reserve(bytes, bodyBytes)) this.reserved += bytes
    else this.#refuse('overloaded')
  }

  #refuse(refusal: 'body_too_large' | 'overloaded'): void {
    this.refusal = refusal
    this.#kept = EMPTY_BODY
    this.#inflight.release(this.reserved)
    this.reserved = 0
  }

  #grow(used: number): void {
    const doubled = Math.max(GROWTH_BYTES_MIN, 2 * this.#kept.byteLength, this.#received)
    const grown = Buffer.allocUnsafe(this.#declared ?? Math.min(doubled, this.#bounds.bodyBytesMax))
    grown.set(this.#kept.subarray(0, used))
    this.#kept = grown
  }
}
