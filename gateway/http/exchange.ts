/**
 * One request and its reply, on either server:
 *
 *     body -> handler -> reply -> done        `refusing` stands in for `handler` when the server
 *       `----> refusing ---^                  itself has the answer
 *
 * `aborted()` may come in any state. A request leaves `Inflight` when its handler has settled and
 * its reply has left or has nobody to go to: only then is its memory free, and may a drain go on.
 */
import { HTTP_REPLY_PIECE_BYTES } from '../../src/core/limits/limits.ts'
import { BodyReader, EMPTY_BODY } from './body-reader.ts'
import { BodyWatch } from './body-watch.ts'
import type { ExchangeContext } from './http-context.ts'
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

const NO_HEADERS: ReplyHead['headers'] = []
const HEADER_NAME = /^[A-Za-z0-9-]+$/
const HEADER_VALUE = /^[\x20-\x7e]*$/

export class Exchange {
  readonly request: IncomingRequest
  readonly framing: Framing
  readonly #context: ExchangeContext
  readonly #transport: ReplyTransport
  readonly #startedAt: number
  readonly #admitted: boolean
  #reader: BodyReader | undefined
  #watch: BodyWatch | undefined
  #state: State = 'body'
  #status = 0

  constructor(context: ExchangeContext, request: IncomingRequest, transport: ReplyTransport) {
    this.#context = context
    this.#transport = transport
    this.request = request
    this.#startedAt = context.clock.monotonic()
    this.#admitted = context.inflight.enter()
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
    const { bounds, inflight } = this.#context
    this.#reader = new BodyReader(framing, bounds, inflight, this.#admitted)
    return true
  }

  /** A body that would be thrown away, so that a client which asks first need not send it. */
  get refusesBody(): boolean {
    return this.#reader?.refusal !== undefined
  }

  /** The body has not come with the headers. */
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
    const within = reader.add(bytes)
    if (last) {
      this.endBody()
    } else if (within) {
      this.watch()
      this.#watch?.add(bytes.byteLength)
    } else {
      this.cutBody()
    }
  }

  /** The body's end has come. */
  endBody(): void {
    const reader = this.#reader
    if (reader === undefined || this.#state !== 'body') return
    this.#watch?.stop()
    if (reader.refusal === undefined) this.#run(reader.take())
    else this.#refuseSoon(reader.refusal, reader.refusal === 'body_too_large')
  }

  /** Answers a refused body before its end; what follows on the connection has no meaning then. */
  cutBody(): void {
    this.#watch?.stop()
    this.#refuseSoon(this.#reader?.refusal ?? 'bad_request', true)
  }

  /** The client has left; also after `destroy`. */
  aborted(): void {
    if (this.#state === 'done' || this.request.aborted) return
    this.request.abort()
    this.#watch?.stop()
    // A handler or a stream that still runs ends the exchange when it settles.
    if (this.#state === 'body' || this.#state === 'refusing') this.#finish()
  }

  /** Refuses one tick later. `close`: the connection is not to be used again. */
  #refuseSoon(refusal: Refusal, close: boolean): void {
    this.#state = 'refusing'
    // An answer given now would let the parser go on to what follows in the same segment, and run
    // a handler on it. While this request is unanswered the parser takes no other.
    setImmediate(() => {
      if (this.request.aborted) return
      // A reply to HEAD carries no body, and uWebSockets.js closes only behind one.
      if (close && this.request.method === 'HEAD') this.#transport.destroy()
      else this.#answer(this.#refusalReply(refusal), close)
    })
  }

  #run(body: Buffer): void {
    this.#state = 'handler'
    let reply: HttpReply | Promise<HttpReply>
    try {
      reply = this.#context.options.handler(this.request, body)
    } catch (error) {
      this.#fail(error)
      return
    }
    // No promise where there is none to wait for: an answer in the same tick is the hot path.
    if ('then' in reply) void this.#await(reply)
    else this.#settle(reply)
  }

  async #await(pending: Promise<HttpReply>): Promise<void> {
    let reply: HttpReply
    try {
      reply = await pending
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#settle(reply)
  }

  #fail(error: unknown): void {
    // What fails after the client has left mostly fails because of it.
    if (this.request.aborted) {
      this.#context.log.debug('handler ended after its client left', { error })
      this.#finish()
      return
    }
    this.#context.log.error('handler failed', { method: this.request.method, error })
    this.#answer(this.#refusalReply('internal'), false)
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

  /** Never throws: the last resort is a bare 500. */
  #refusalReply(refusal: Refusal): HttpReply {
    try {
      const reply = this.#context.options.refuse(refusal, this.request)
      if (isLegal(reply)) return reply
      this.#context.log.error('refusal has an impossible status or header', { refusal })
    } catch (error) {
      this.#context.log.error('refusal failed', { refusal, error })
    }
    return { status: 500, body: '' }
  }

  #answer(reply: HttpReply, mustClose: boolean): void {
    this.#state = 'reply'
    this.#status = reply.status
    const { body } = reply
    const head = {
      status: reply.status,
      headers: reply.headers ?? NO_HEADERS,
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
    inflight.leave(this.#reader?.reserved ?? 0)
    if (options.onFinished === undefined) return
    const status = this.request.aborted ? 0 : this.#status
    try {
      options.onFinished(this.request, status, clock.monotonic() - this.#startedAt)
    } catch (error) {
      log.error('onFinished failed', { error })
    }
  }
}

function isStream(body: HttpReply['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/** Both servers write headers as they are, so a line end in one would begin another. */
function isLegal({ status, headers }: HttpReply): boolean {
  if (!Number.isInteger(status) || status < 200 || status > 599) return false
  if (headers === undefined) return true
  for (const [name, value] of headers) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) return false
  }
  return true
}
