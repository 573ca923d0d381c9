import { HTTP_SMALL_BODY_BYTES_MAX } from '../../src/core/limits/limits.ts'
import type { ExchangeContext } from './http-context.ts'
import type { Framing } from './http-framing.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { PeerBytes } from './inflight.ts'

export const EMPTY_BODY: Buffer = Buffer.alloc(0)
const GROWTH_BYTES_MIN = 4_096

/**
 * Collects one body within the server's bounds. A body over the bounds is read, counted and
 * dropped: an answer sent while the client still writes would be lost with the connection's reset.
 */
export class BodyReader {
  /** Why the body is dropped. */
  refusal: 'body_too_large' | 'overloaded' | undefined
  /** Bytes reserved in `Inflight`; released when the request ends. */
  reserved = 0
  /** Part of `reserved` that counts for the peer: that of a large body. */
  own: PeerBytes | undefined
  readonly #context: ExchangeContext
  readonly #request: IncomingRequest
  readonly #declared: number | undefined
  /**
   * One growing buffer instead of a list of chunks: a client may send every byte as its own chunk,
   * and a list would cost a hundred times the bytes that the bounds count.
   */
  #kept = EMPTY_BODY
  #received = 0

  constructor(
    framing: Framing,
    context: ExchangeContext,
    request: IncomingRequest,
    admitted: boolean,
  ) {
    this.#context = context
    this.#request = request
    this.#declared = framing.kind === 'length' ? framing.bytes : undefined
    if (!admitted) this.#refuse('overloaded')
    else if (this.#declared !== undefined) this.#admit(this.#declared, this.#declared)
  }

  /** Copies `chunk`. False: the bound of dropped bytes is reached, close the connection. */
  add(chunk: Uint8Array): boolean {
    const at = this.#received
    this.#received += chunk.byteLength
    if (this.refusal === undefined && this.#declared === undefined) {
      this.#admit(chunk.byteLength, this.#received)
    }
    if (this.refusal !== undefined) return this.#received <= this.#context.bounds.discardBytesMax
    if (this.#received > this.#kept.byteLength) this.#grow(at)
    this.#kept.set(chunk, at)
    return true
  }

  /** Counts bytes of a body that is thrown away. False: no more of it is read. */
  drop(chunk: Uint8Array): boolean {
    this.#received += chunk.byteLength
    return this.#received <= this.#context.bounds.discardBytesMax
  }

  /** The whole body, after its last chunk. */
  take(): Buffer {
    const body = this.#kept.subarray(0, this.#received)
    this.#kept = EMPTY_BODY
    return body
  }

  #admit(bytes: number, bodyBytes: number): void {
    if (bodyBytes > HTTP_SMALL_BODY_BYTES_MAX) this.own ??= { peer: this.#peer(), bytes: 0 }
    if (bodyBytes > this.#context.bounds.bodyBytesMax) this.#refuse('body_too_large')
    else if (this.#context.inflight.reserve(bytes, this.own)) this.reserved += bytes
    else this.#refuse('overloaded')
  }

  #peer(): string {
    const { peerOf } = this.#context.options
    return peerOf === undefined ? this.#request.remoteAddress : peerOf(this.#request)
  }

  #refuse(refusal: 'body_too_large' | 'overloaded'): void {
    this.refusal = refusal
    this.#kept = EMPTY_BODY
    this.#context.inflight.release(this.reserved, this.own)
    this.reserved = 0
  }

  #grow(used: number): void {
    const doubled = Math.max(GROWTH_BYTES_MIN, 2 * this.#kept.byteLength, this.#received)
    const grown = Buffer.allocUnsafe(
      this.#declared ?? Math.min(doubled, this.#context.bounds.bodyBytesMax),
    )
    grown.set(this.#kept.subarray(0, used))
    this.#kept = grown
  }
}
