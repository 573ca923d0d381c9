/**
 * The HTTP port over node:http: used where uWebSockets.js does not load, and as reference in tests.
 */
import { createServer, IncomingMessage, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { AppError, assert } from '../../src/core/code.ts'
import {
  HTTP_HEADER_BYTES_MAX,
  HTTP_HEADERS_MAX,
  HTTP_TURN_REQUESTS_MAX,
} from '../../src/core/limits/limits.ts'
import { BodyWatch } from './body-watch.ts'
import { Exchange, type ReplyHead, type ReplyTransport } from './exchange.ts'
import { createContext, type ExchangeContext, waitUntilQuiet } from './http-context.ts'
import type { HttpServer, HttpServerDeps, HttpServerOptions } from './http-server.ts'
import { IncomingRequest } from './incoming-request.ts'
import type { ReplySink } from './reply-pump.ts'

/** Time until a connection without a request is cut. */
const HTTP_IDLE_MS = 10_000

const CHECK_INTERVAL_MS = 1_000

/**
 * Pipelined requests run concurrently and are answered in order. More than `HTTP_TURN_REQUESTS_MAX`
 * at a time end their connection.
 */
export function createNodeServer(deps: HttpServerDeps, options: HttpServerOptions): HttpServer {
  const context = createContext(deps, options)
  const server = createServer({
    IncomingMessage: NodeRequest,
    maxHeaderSize: HTTP_HEADER_BYTES_MAX,
    headersTimeout: HTTP_IDLE_MS,
    keepAliveTimeout: HTTP_IDLE_MS,
    // `BodyWatch` bounds the rate of a body, so a whole body may take long.
    requestTimeout: 0,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    insecureHTTPParser: false,
    // This server refuses it: Node's own refusal lets the segment's next request through.
    requireHostHeader: false,
    noDelay: true,
  })
  // One more than allowed: Node drops surplus headers silently, and the count reveals them.
  server.maxHeadersCount = HTTP_HEADERS_MAX + 1
  const sockets: Sockets = { doomed: new WeakSet(), asked: new WeakMap() }
  server.on('request', (req, res) => accept(context, sockets, req, res))
  server.on('checkContinue', (req, res) => accept(context, sockets, req, res))
  const reusePort = !options.exclusivePort && canSharePort()
  if (!options.exclusivePort && !reusePort) {
    deps.log.warn('node:http of this Node cannot share its port among processes')
  }
  let closing: Promise<void> | undefined
  const drain = () => {
    context.draining = true
    // The HTTP server's own close would end idle connections that a request is travelling to.
    if (server.listening) NetServer.prototype.close.call(server)
  }
  const close = async (deadlineMs: number) => {
    drain()
    await waitUntilQuiet(context, deadlineMs)
    server.closeAllConnections()
    server.close(() => {
      // `drain` has closed the listener, which is reported here as an error; this ends the timer.
    })
  }
  return {
    kind: 'node',
    listen(host, port) {
      assert(!server.listening && !context.draining, 'listen is called once, before drain')
      return new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException) => {
          const message = `cannot listen on ${host}:${port}: ${error.code ?? error.message}`
          reject(new AppError('failed_precondition', message, { cause: error }))
        }
        server.once('error', fail)
        server.listen({ host, port, exclusive: true, reusePort }, () => {
          server.off('error', fail)
          server.on('error', (error) => deps.log.error('http server failed', { error }))
          resolve({ port: portOf(server) })
        })
      })
    },
    drain,
    close(deadlineMs) {
      closing ??= close(deadlineMs)
      return closing
    },
    inflight: () => ({ requests: context.inflight.requests, bytes: context.inflight.bytes }),
  }
}

/** Node has SO_REUSEPORT since 22.12 and 23.1, on Linux. */
function canSharePort(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12)
  return isNew && process.platform === 'linux'
}

function portOf(server: NetServer): number {
  const address = server.address()
  assert(typeof address === 'object' && address !== null, 'a listening server has an address')
  return address.port
}

type Sockets = {
  /** Their further requests are not read. */
  readonly doomed: WeakSet<Socket>
  /** Requests of a connection in a turn of the event loop. */
  readonly asked: WeakMap<Socket, { readonly turn: number; readonly requests: number }>
}

function asksTooMuch({ turn }: ExchangeContext, { asked }: Sockets, socket: Socket): boolean {
  const now = turn.current()
  const known = asked.get(socket)
  const requests = known?.turn === now ? known.requests + 1 : 1
  asked.set(socket, { turn: now, requests })
  return requests > HTTP_TURN_REQUESTS_MAX
}

function accept(
  context: ExchangeContext,
  sockets: Sockets,
  req: NodeRequest,
  res: ServerResponse,
): void {
  const { socket } = req
  if (asksTooMuch(context, sockets, socket)) {
    sockets.doomed.add(socket)
    socket.destroy()
  }
  // The parser would continue after a refused request, into arbitrary bytes.
  if (sockets.doomed.has(socket)) {
    res.destroy()
    return
  }
  const exchange = createExchange(context, req, res)
  if (exchange.framing.kind === 'refused') sockets.doomed.add(socket)
  if (!exchange.begin()) return
  if (exchange.request.header('expect') !== undefined) {
    if (exchange.refusesBody) {
      exchange.cutBody()
      return
    }
    res.writeContinue()
  }
  req.target = exchange
  exchange.watch()
}

function createExchange(context: ExchangeContext, req: NodeRequest, res: ServerResponse): Exchange {
  const target = req.url ?? ''
  const mark = target.indexOf('?')
  const { rawHeaders } = req
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.push((rawHeaders[at] ?? '').toLowerCase(), utf8(rawHeaders[at + 1] ?? ''))
  }
  const request = new IncomingRequest(
    // HTTP/1.0 has other rules for a body's end; the empty method is refused.
    req.httpVersion === '1.1' ? (req.method ?? '') : '',
    mark < 0 ? target : target.slice(0, mark),
    mark < 0 ? '' : target.slice(mark + 1),
    headers,
    req.socket.remoteAddress ?? '',
    context.clock.now(),
  )
  const transport = new NodeTransport(context, req, res)
  const exchange = new Exchange(context, request, transport)
  transport.exchange = exchange
  res.on('close', () => transport.gone())
  res.on('error', ignoreLeft)
  return exchange
}

/** The write met a client that had left; `close` reports it. */
function ignoreLeft(): void {}

/** Node reads header bytes as Latin-1, uWebSockets.js as UTF-8. */
function utf8(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text
}

class NodeTransport implements ReplyTransport {
  exchange: Exchange | undefined
  readonly #context: ExchangeContext
  readonly #req: NodeRequest
  readonly #res: ServerResponse
  #sink: NodeSink | undefined

  constructor(context: ExchangeContext, req: NodeRequest, res: ServerResponse) {
    this.#context = context
    this.#req = req
    this.#res = res
  }

  send(head: ReplyHead, body: string | Uint8Array | number | undefined): void {
    if (typeof body === 'string' || body instanceof Uint8Array) {
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
      writeHead(this.#res, head, length)
      this.#res.end(body)
      cutIfStalled(this.#res)
    } else {
      writeHead(this.#res, head, body)
      this.#res.end()
    }
    this.#dropRest(head)
  }

  /** Discards the rest of a body after a reply that keeps its connection open. */
  #dropRest(head: ReplyHead): void {
    const isBodyless = this.exchange?.framing.kind === 'none'
    if (!this.#req.complete && !isBodyless && !head.close) dropBody(this.#context, this.#req)
  }

  open(head: ReplyHead, totalBytes: number | undefined): ReplySink {
    this.#sink = new NodeSink(this.#res, head, totalBytes, () => this.gone())
    this.#dropRest(head)
    return this.#sink
  }

  destroy(): void {
    this.#res.destroy()
    this.gone() // At once, as in uWebSockets.js: `close` comes later, and a chunk may come before.
  }

  /** The client has left, or the reply is sent. */
  gone(): void {
    this.#sink?.abort()
    this.exchange?.aborted()
  }
}

class NodeSink implements ReplySink {
  closed = false
  started = false
  readonly #res: ServerResponse
  readonly #head: ReplyHead
  readonly #totalBytes: number | undefined
  readonly #gone: () => void
  #wake: (() => void) | undefined

  constructor(
    res: ServerResponse,
    head: ReplyHead,
    totalBytes: number | undefined,
    gone: () => void,
  ) {
    this.#res = res
    this.#head = head
    this.#totalBytes = totalBytes
    this.#gone = gone
    res.on('drain', () => this.#wake?.())
  }

  write(piece: Uint8Array): boolean {
    if (!this.started) this.#start()
    return this.#res.write(piece)
  }

  writable(): Promise<void> {
    if (this.closed) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  end(): void {
    if (!this.started) this.#start()
    this.closed = true
    this.#res.end()
    cutIfStalled(this.#res)
  }

  destroy(): void {
    if (this.closed) return
    this.#res.destroy()
    this.#gone()
  }

  abort(): void {
    this.closed = true
    this.#wake?.()
  }

  #start(): void {
    this.started = true
    writeHead(this.#res, this.#head, this.#totalBytes)
  }
}

/** Cuts a socket that takes none of the last bytes of a reply, which wait in this process. */
function cutIfStalled(res: ServerResponse): void {
  if (res.writableLength > 0) res.socket?.setTimeout(HTTP_IDLE_MS)
}

function writeHead(res: ServerResponse, head: ReplyHead, length: number | undefined): void {
  const flat: string[] = []
  for (const [name, value] of head.headers) flat.push(name, value)
  if (length !== undefined) flat.push('Content-Length', String(length))
  if (head.close) flat.push('Connection', 'close')
  res.writeHead(head.status, flat)
}

/** Receiver of a body as it arrives. */
type BodyTarget = { chunk(bytes: Uint8Array, last: boolean): void; endBody(): void }

/**
 * Hands its body on as the parser reads it. Nothing of it waits, so the stream that node:http makes
 * of a request is passed by, with its events and turns.
 */
class NodeRequest extends IncomingMessage {
  target: BodyTarget | undefined

  /** Called by the parser; `null` at the end. True: the socket is read on. */
  override push(chunk: Uint8Array | null): boolean {
    if (chunk === null) this.target?.endBody()
    else this.target?.chunk(chunk, false)
    return true
  }

  /** node:http calls it after an answer, to discard the unread body: nothing is buffered here. */
  _dump(): void {}
}

/** Reads the body of a refused request, so that its client reads the answer; slow ones are cut. */
function dropBody({ clock, bounds }: ExchangeContext, req: NodeRequest): void {
  const watch = new BodyWatch(clock, bounds, () => req.destroy())
  req.target = { chunk: (bytes) => watch.add(bytes.byteLength), endBody: () => watch.stop() }
  req.once('close', () => watch.stop())
  watch.start()
}
