/**
 * The port through which HTTP comes in. `uws-server.ts` and `node-server.ts` implement it; one
 * contract suite, `test/contract/http-server*.test.ts`, runs on both.
 */
import type { Clock } from '../../src/core/clock.ts'
import type { Log } from '../../src/core/log.ts'
import type { Refusals } from './refusals.ts'

/** One request, complete before the handler runs. Everything on it stays readable after awaits. */
export type HttpRequest = {
  /** As sent; only `A` to `Z`. */
  readonly method: string
  /** Starts with `/`; percent-encoded as sent, without the query. */
  readonly path: string
  /** Without the `?`, as sent; empty when there is none. */
  readonly query: string
  /** Value of the first header of that name, which is given in lower case. */
  header(name: string): string | undefined
  /** Values of all headers of that name in the order sent, as one list with commas; else empty. */
  headerList(name: string): string
  /** Arrival of its head by our clock: milliseconds since the epoch. A body may come much later. */
  readonly headAtMs: number
  /** Address of the peer as text, IPv4 also where it came mapped into IPv6. Empty if unknown. */
  readonly remoteAddress: string
  /** The client has left: nobody will read a reply. */
  readonly aborted: boolean
  /** Aborts when the client leaves. Made on first use; `aborted` is the cheaper question. */
  readonly signal: AbortSignal
}

/**
 * Reply of a handler. The server sets `Content-Length`, `Transfer-Encoding`, `Connection`, `Date`.
 * A header that is not visible ASCII counts as a failed handler, because it could hold a line end.
 * A reply to HEAD, 204 and 304 is sent without its body. A streamed body is pulled only as fast as
 * the client reads, and its iterator is closed when the client leaves; when it throws after its
 * first bytes the connection is cut, so that the client cannot take the rest for the whole.
 */
export type HttpReply = {
  readonly status: number
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** Why a request never reached its handler, or `internal`: the handler failed. */
export type Refusal = 'bad_request' | 'body_too_large' | 'overloaded' | 'internal'

/** `body` is the handler's own copy. A throw or rejection is answered by `refuse('internal')`. */
export type HttpHandler = (request: HttpRequest, body: Buffer) => HttpReply | Promise<HttpReply>

export type HeadJudge = (
  request: HttpRequest,
) => HttpReply | undefined | Promise<HttpReply | undefined>

export type HttpServerDeps = {
  readonly clock: Clock
  readonly log: Log
  /** Shared with handlers that refuse by themselves; own ones by default. */
  readonly refusals?: Refusals
}

export type HttpServerOptions = {
  readonly handler: HttpHandler
  /** Answer to a refused request: its status, CORS headers and error body. */
  readonly refuse: (refusal: Refusal, request: HttpRequest) => HttpReply
  /**
   * Asked for requests with a body of more than `HTTP_SMALL_BODY_BYTES_MAX`, before it is read: the
   * answer that their headers alone deserve, or undefined. Then nothing of the body is kept. Never
   * throws or rejects.
   */
  readonly judgeHead?: HeadJudge
  /** Peer of a request, for its share of bytes in flight; its remote address by default. */
  readonly peerOf?: (request: HttpRequest) => string
  /**
   * False lets processes share a port other than 0; node:http can from Node 22.12 on. Unrelated
   * processes would share it too, so a single process asks for an exclusive port.
   */
  readonly exclusivePort: boolean
  /** Called once for each request with complete headers; `status` 0: the client left. */
  readonly onFinished?: (request: HttpRequest, status: number, elapsedMs: number) => void
  /** Bounds, each with its default in `limits.ts`. */
  readonly bounds?: Partial<HttpBounds>
}

export type HttpBounds = {
  /** One byte more is `body_too_large`. */
  readonly bodyBytesMax: number
  /** Bytes of bodies from admission until their handler has settled; over it `overloaded`. */
  readonly inflightBytesMax: number
  readonly inflightRequestsMax: number
  /** A refused body is read and dropped up to here: closing earlier can destroy the answer. */
  readonly discardBytesMax: number
  /** A body that brings fewer than `bodyWindowBytesMin` and not its end in this time is cut. */
  readonly bodyWindowMs: number
  readonly bodyWindowBytesMin: number
  /** A client that reads nothing of a large reply for this long is cut. */
  readonly replyStallMs: number
  /** Draining closes idle connections after this time without a request. */
  readonly drainQuietMs: number
}

export type HttpServer = {
  readonly kind: 'uws' | 'node'
  /**
   * Port 0 takes a free one. Called once.
   * @throws {AppError} `failed_precondition` when the address is taken or not allowed.
   */
  listen(host: string, port: number): Promise<{ port: number }>
  /** Accepts no new connections and closes each open one with its next answer. */
  drain(): void
  /**
   * Drains, waits until no request is in flight or arriving, then closes the connections. Requests
   * that run after `deadlineMs` are aborted. May be called twice; never rejects.
   */
  close(deadlineMs: number): Promise<void>
  inflight(): { readonly requests: number; readonly bytes: number }
}
