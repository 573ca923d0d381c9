/**
 * One request and its reply, on either server:
 *
 *     body -> handler -> reply -> done        `refusing` replaces `handler` when the server itself
 *       `----> refusing ---^                  has the answer
 *
 * `aborted()` may be called in any state. A request leaves `Inflight` after its handler has settled
 * and its reply was sent or the client has left: its memory is free then, and a drain may proceed.
 */

import { HTTP_REPLY_PIECE_BYTES, HTTP_TURN_REQUESTS_MAX } from '../../src/core/limits/limits.ts'
import { BodyReader, EMPTY_BODY } from './body-reader.ts'
import { BodyWatch } from './body-watch.ts'
import { asksToClose, isWorthJudging, WaitingReply } from './head-refusal.ts'
import {
  byteLength,
  type ExchangeContext,
  isLegal,
  isStream,
  refusalReply,
  safeHeaders,
} from './http-context.ts'
import { type Framing, readFraming } from './http-framing.ts'
import type { HttpReply, Refusal } from './http-server.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { discard, pump, type ReplySink, type ReplySource } from './reply-pump.ts'

export type ReplyHead = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  /** The connection ends with this reply. */
  readonly close: boolean
}

/** How a server sends. Never called once the client has left. */
export type ReplyTransport = {
  /** Whole reply. `undefined`: none is allowed; a number: what GET would have sent, for HEAD. */
  send(head: ReplyHead, body: string | Uint8Array | number | undefined): void
  /** Reply in pieces; nothing is sent before the first of them. */
  open(head: ReplyHead, totalBytes: number | undefined): ReplySink
  /** Ends the connection without an answer. */
  destroy(): void
}

type State = 'body' | 'handler' | 'refusing' | 'reply' | 'done'

export class Exchange {
  readonly request: IncomingRequest
  readonly framing: Framing
  readonly #context: ExchangeContext
  readonly #transport: ReplyTransport
  readonly #startedAt: number
  readonly #admitted: boolean
  #reader: BodyReader | undefined
  /** Waits behind a body that is thrown away. */
  #waiting: WaitingReply | undefined
  #watch: BodyWatch | undefined
  #state: State = 'body'
  #status = 0

  constructor(context: ExchangeContext, request: IncomingRequest, transport: ReplyTransport) {
    this.#context = context
    this.#transport = transport
    this.request = request
    this.#startedAt = context.clock.monotonic()
    this.#admitted = context.inflight.enter(context.refusals.count)
    this.framing = readFraming(request.method, request.path, request.headers)
  }

  /** True when a body follows, to be given to `chunk` up to its last one. */
  begin(): boolean {
    const { framing } = this
    if (framing.kind === 'refused') {
      this.#refuseSoon('bad_request', true)
      return false
    }
    if (framing.kind === 'none') {
      if (this.#admitted) this.#run(EMPTY_BODY)
      else this.#refuseSoon('overloaded', false)
      return false
    }
    this.#reader = new BodyReader(framing, this.#context, this.request, this.#admitted)
    if (this.#reader.refusal === 'body_too_large') return !this.#refuseLength(framing)
    return !this.#judgeHead(framing)
  }

  /** True when the body would be dropped: a client that sends `Expect` need not send it. */
  get refusesBody(): boolean {
    return this.#reader?.refusal !== undefined
  }

  /** Refuses a body for its declared length. True when it was answered. */
  #refuseLength(framing: Framing): boolean {
    const isShort =
      framing.kind === 'length' && framing.bytes <= this.#context.bounds.discardBytesMax
    if (isShort)
      return this.#refuseByHead(refusalReply(this.#context, 'body_too_large', this.request))
    this.#refuseSoon('body_too_large', true)
    return true
  }

  /** Asks whether the headers alone refuse the request. True when it was answered. */
  #judgeHead(framing: Framing): boolean {
    const { judgeHead } = this.#context.options
    if (judgeHead === undefined || !isWorthJudging(framing)) return false
    const judged = judgeHead(this.request)
    if (judged === undefined) return false
    if (!('then' in judged)) return this.#refuseByHead(judged)
    void judged.then((reply) => reply !== undefined && this.#refuseByHead(reply))
    return false
  }

  /**
   * Answers at once, and the server throws the body away: the client can read the answer, and the
   * connection stays open.
   */
  #refuseByHead(reply: HttpReply): boolean {
    // Meanwhile the body may have arrived, and its handler judges; or the client has left.
    if (this.#state !== 'body' || this.request.aborted) return false
    if (asksToClose(this.request)) {
      this.#waiting ??= new WaitingReply(reply, this.#context.clock, () => this.endBody())
      return false
    }
    this.#watch?.stop()
    // A client that waits for `100 Continue` sends no body: the next bytes are another request.
    this.#answer(reply, this.request.header('expect') !== undefined)
    return true
  }

  /** Called when the body did not arrive with the headers. */
  watch(): void {
    if (this.#state !== 'body') return
    const { clock, bounds } = this.#context
    this.#watch ??= new BodyWatch(clock, bounds, () => this.#transport.destroy())
    this.#watch.start()
  }

  /** Bytes of the body; they are copied. */
  chunk(bytes: Uint8Array, last: boolean): void {
    const reader = this.#reader
    if (reader === undefined || this.#state !== 'body') return
    this.#waiting?.postpone()
    const within = this.#waiting === undefined ? reader.add(bytes) : reader.drop(bytes)
    if (last || (this.#waiting !== undefined && !within)) this.endBody()
    else if (within) {
      this.watch()
      this.#watch?.add(bytes.byteLength)
    } else this.cutBody()
  }

  /** Called at the end of the body, or when an answer need not wait for it. */
  endBody(): void {
    const reader = this.#reader
    if (reader === undefined || this.#state !== 'body') return
    this.#watch?.stop()
    this.#waiting?.stop()
    if (this.#waiting !== undefined) this.#answer(this.#waiting.reply, true)
    else if (reader.refusal === undefined) this.#run(reader.take())
    else this.#refuseSoon(reader.refusal, reader.refusal === 'body_too_large')
  }

  /** Answers a refused body before its end. The rest of the connection is ignored. */
  cutBody(): void {
    this.#watch?.stop()
    this.#refuseSoon(this.#reader?.refusal ?? 'bad_request', true)
  }

  /** The client has left; also after `destroy`. */
  aborted(): void {
    if (this.#state === 'done' || this.request.aborted) return
    this.request.abort()
    this.#watch?.stop()
    this.#waiting?.stop()
    // A handler or a stream that still runs ends the exchange when it settles.
    if (this.#state === 'body' || this.#state === 'refusing') this.#finish()
  }

  /** Refuses one tick later at the soonest. @param close ends the connection with the answer. */
  #refuseSoon(refusal: Refusal, close: boolean): void {
    this.#state = 'refusing'
    const refuse = () => {
      if (this.request.aborted) return
      // A reply to HEAD carries no body, and uWebSockets.js closes only behind one.
      if (close && this.request.method === 'HEAD') this.#transport.destroy()
      else this.#answer(refusalReply(this.#context, refusal, this.request), close)
    }
    if (refusal === 'overloaded') this.#context.refusals.hold(refuse)
    // An answer in this tick would let the parser run a handler on a second request in the same
    // segment. The parser takes no other request while this one is unanswered.
    else setImmediate(refuse)
  }

  #run(body: Buffer): void {
    this.#state = 'handler'
    const isLate = this.#context.turn.enter() > HTTP_TURN_REQUESTS_MAX
    let reply: HttpReply | Promise<HttpReply>
    try {
      reply = this.#context.options.handler(this.request, body)
    } catch (error) {
      this.#fail(error)
      return
    }
    // The hot path answers in the same tick, without a promise.
    if ('then' in reply) void this.#await(reply, isLate)
    else if (isLate) setImmediate(() => this.#settle(reply))
    else this.#settle(reply)
  }

  async #await(pending: Promise<HttpReply>, isLate: boolean): Promise<void> {
    const end = await pending.then(
      (reply) => () => this.#settle(reply),
      (error: unknown) => () => this.#fail(error),
    )
    // A promise may resolve before the turn is over, and then the parser would continue.
    if (isLate) setImmediate(end)
    else end()
  }

  #fail(error: unknown): void {
    // A handler that fails after its client left mostly fails for that reason.
    if (this.request.aborted) {
      this.#context.log.debug('handler ended after its client left', { error })
      this.#finish()
      return
    }
    this.#context.log.error('handler failed', { method: this.request.method, error })
    this.#answer(refusalReply(this.#context, 'internal', this.request), false)
  }

  #settle(reply: HttpReply): void {
    if (this.request.aborted) {
      if (isStream(reply.body)) void this.#abandon(reply.body)
      else this.#finish()
      return
    }
    if (isLegal(reply)) this.#answer(reply, false)
    else this.#fail(new Error('a reply with an impossible status or header'))
  }

  #answer(reply: HttpReply, mustClose: boolean): void {
    this.#state = 'reply'
    this.#status = reply.status
    const { body } = reply
    const head = {
      status: reply.status,
      headers: safeHeaders(reply.headers),
      close: mustClose || this.#context.draining,
    }
    const bodyless = reply.status === 204 || reply.status === 304
    if (bodyless || this.request.method === 'HEAD') {
      const length = bodyless || isStream(body) ? undefined : byteLength(body)
      this.#transport.send(head, length)
      if (isStream(body)) void this.#abandon(body)
      else this.#finish()
      return
    }
    if (isStream(body)) {
      void this.#pump(body, this.#transport.open(head, undefined))
      return
    }
    if (body.length <= HTTP_REPLY_PIECE_BYTES) {
      this.#transport.send(head, body)
      this.#finish()
      return
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    void this.#pump([bytes], this.#transport.open(head, bytes.byteLength))
  }

  async #pump(source: ReplySource, sink: ReplySink): Promise<void> {
    const { clock, bounds, log } = this.#context
    try {
      await pump(source, sink, clock, bounds.replyStallMs)
    } catch (error) {
      if (!sink.started && !sink.closed) return this.#fail(error)
      if (!sink.closed) log.error('reply stream failed', { error })
      sink.destroy()
    }
    this.#finish()
  }

  async #abandon(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      await discard(source)
    } catch (error) {
      this.#context.log.warn('reply stream failed to close', { error })
    }
    this.#finish()
  }

  #finish(): void {
    if (this.#state === 'done') return
    this.#state = 'done'
    const { inflight, clock, options, log } = this.#context
    inflight.leave(this.#reader?.reserved ?? 0, this.#reader?.own)
    if (options.onFinished === undefined) return
    const status = this.request.aborted ? 0 : this.#status
    try {
      options.onFinished(this.request, status, clock.monotonic() - this.#startedAt)
    } catch (error) {
      log.error('onFinished failed', { error })
    }
  }
}
