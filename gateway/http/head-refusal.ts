/** Refusals without reading the body: which requests may get one, and how long it may wait. */

import type { Clock } from '../../src/core/clock.ts'
import { HTTP_SMALL_BODY_BYTES_MAX } from '../../src/core/limits/limits.ts'
import type { Framing } from './http-framing.ts'
import type { HttpReply } from './http-server.ts'
import type { IncomingRequest } from './incoming-request.ts'

/** An answer before the end of a body that closes the connection waits for such a pause in it. */
export const HTTP_REFUSAL_PAUSE_MS = 250

/** Whether the headers are worth judging: a small body costs less than looking up a key. */
export function isWorthJudging(framing: Framing): boolean {
  if (framing.kind === 'length') return framing.bytes > HTTP_SMALL_BODY_BYTES_MAX
  return framing.kind === 'chunked'
}

/** Whether the client ends the connection behind its answer. */
export function asksToClose(request: IncomingRequest): boolean {
  return /\bclose\b/i.test(request.header('connection') ?? '')
}

/**
 * An answer that ends its connection, which waits until the client does not send any more: a
 * connection that is closed on unread bytes is reset, and the client may not see the answer.
 */
export class WaitingReply {
  readonly reply: HttpReply
  readonly #clock: Clock
  readonly #send: () => void
  #cancel: () => void

  constructor(reply: HttpReply, clock: Clock, send: () => void) {
    this.reply = reply
    this.#clock = clock
    this.#send = send
    this.#cancel = clock.after(HTTP_REFUSAL_PAUSE_MS, send)
  }

  /** The client is still sending. */
  postpone(): void {
    this.#cancel()
    this.#cancel = this.#clock.after(HTTP_REFUSAL_PAUSE_MS, this.#send)
  }

  stop(): void {
    this.#cancel()
  }
}
