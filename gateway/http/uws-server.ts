/** The HTTP port over uWebSockets.js. */

import { STATUS_CODES } from 'node:http'
import { createServer } from 'node:net'
import { AppError, assert } from '../../src/core/code.ts'
import { Exchange, type ReplyHead, type ReplyTransport } from './exchange.ts'
import { createContext, type ExchangeContext, waitUntilQuiet } from './http-context.ts'
import type { HttpServer, HttpServerDeps, HttpServerOptions } from './http-server.ts'
import { IncomingRequest } from './incoming-request.ts'
import type { ReplySink } from './reply-pump.ts'
import type { Uws, UwsListenSocket, UwsRequest, UwsResponse } from './uws-types.ts'

const SHARED_PORT = 0

/**
 * Pipelined requests are answered in order while each is answered within its own tick, which
 * `HTTP_TURN_REQUESTS_MAX` of a turn are at most. A request that arrives while another of its
 * connection is unanswered ends the connection.
 */
export function createUwsServer(
  uws: Uws,
  deps: HttpServerDeps,
  options: HttpServerOptions,
): HttpServer {
  const context = createContext(deps, options)
  const app = uws.App().any('/*', (res, req) => accept(context, res, req))
  let listener: UwsListenSocket | undefined
  let closing: Promise<void> | undefined
  const drain = () => {
    context.draining = true
    if (listener !== undefined) uws.us_listen_socket_close(listener)
    listener = undefined
  }
  const close = async (deadlineMs: number) => {
    drain()
    await waitUntilQuiet(context, deadlineMs)
    app.close()
  }
  return {
    kind: 'uws',
    async listen(host, port) {
      assert(listener === undefined && !context.draining, 'listen is called once, before drain')
      // The library's exclusive mode does not set SO_REUSEADDR: a server restarted while clients
      // are connected could not take its port for a minute. So Node, which sets it, checks that
      // nobody else listens, and the port is then opened as a shared one.
      const free = options.exclusivePort ? await probePort(host, port) : port
      app.listen(host, free, SHARED_PORT, (socket) => {
        if (socket !== false) listener = socket
      })
      if (listener === undefined) {
        await probePort(host, free)
        throw cannotListen(host, free, 'the address was taken for a moment; try again')
      }
      return { port: uws.us_socket_local_port(listener) }
    },
    drain,
    close(deadlineMs) {
      closing ??= close(deadlineMs)
      return closing
    },
    inflight: () => ({ requests: context.inflight.requests, bytes: context.inflight.bytes }),
  }
}

/** Copies `req` while it is valid, and attaches all handlers before the first await. */
function accept(context: ExchangeContext, res: UwsResponse, req: UwsRequest): void {
  const headers: string[] = []
  req.forEach((name, value) => {
    headers.push(name, value)
  })
  const request = new IncomingRequest(
    req.getCaseSensitiveMethod(),
    req.getUrl(),
    req.getQuery() ?? '',
    headers,
    res.getRemoteAddress(),
    context.clock.now(),
  )
  const transport = new UwsTransport(res)
  const exchange = new Exchange(context, request, transport)
  res.onAborted(() => {
    transport.abort()
    exchange.aborted()
  })
  if (!exchange.begin()) return
  res.onData((chunk, last) => exchange.chunk(new Uint8Array(chunk), last))
  // The end of a chunked body may be in no segment yet, and then `onData` has not been called.
  if (exchange.framing.kind === 'chunked') exchange.watch()
}

class UwsTransport implements ReplyTransport {
  readonly #res: UwsResponse
  #closed = false
  #sink: UwsSink | undefined

  constructor(res: UwsResponse) {
    this.#res = res
  }

  send(head: ReplyHead, body: string | Uint8Array | number | undefined): void {
    const res = this.#res
    this.#closed = true
    res.cork(() => {
      writeHead(res, head)
      if (typeof body === 'string' || body instanceof Uint8Array) {
        res.end(body, head.close)
        return
      }
      if (body !== undefined) res.writeHeader('Content-Length', String(body))
      if (head.close) res.writeHeader('Connection', 'close')
      res.endWithoutBody()
    })
  }

  open(head: ReplyHead, totalBytes: number | undefined): ReplySink {
    this.#sink = new UwsSink(this.#res, head, totalBytes)
    return this.#sink
  }

  destroy(): void {
    if (!this.#closed) this.#res.close()
  }

  abort(): void {
    this.#closed = true
    this.#sink?.abort()
  }
}

class UwsSink implements ReplySink {
  closed = false
  started = false
  readonly #res: UwsResponse
  readonly #head: ReplyHead
  readonly #totalBytes: number | undefined
  /** Bytes of a reply of known size that the kernel has not taken yet. */
  #rest: Uint8Array | undefined
  #wake: (() => void) | undefined

  constructor(res: UwsResponse, head: ReplyHead, totalBytes: number | undefined) {
    this.#res = res
    this.#head = head
    this.#totalBytes = totalBytes
  }

  write(piece: Uint8Array): boolean {
    let taken = false
    this.#res.cork(() => {
      if (!this.started) this.#start()
      taken = this.#totalBytes === undefined ? this.#res.write(piece) : this.#try(piece)
    })
    return taken
  }

  writable(): Promise<void> {
    if (this.closed) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  end(): void {
    if (this.#totalBytes !== undefined) return // The last piece has ended it.
    this.closed = true
    this.#res.cork(() => {
      if (!this.started) this.#start()
      this.#res.end(undefined, this.#head.close)
    })
  }

  destroy(): void {
    if (!this.closed) this.#res.close()
  }

  abort(): void {
    this.closed = true
    this.#wake?.()
  }

  #start(): void {
    this.started = true
    writeHead(this.#res, this.#head)
    const sized = this.#totalBytes !== undefined
    if (sized && this.#head.close) this.#res.writeHeader('Connection', 'close')
    this.#res.onWritable(() => {
      let taken = true
      const rest = this.#rest
      if (rest !== undefined) {
        this.#res.cork(() => {
          taken = this.#try(rest)
        })
      }
      if (taken) this.#wake?.()
      return taken
    })
  }

  /** Sends what the kernel takes and keeps the rest. True when nothing is left. */
  #try(piece: Uint8Array): boolean {
    const before = this.#res.getWriteOffset()
    const [taken, complete] = this.#res.tryEnd(piece, this.#totalBytes ?? 0)
    if (complete) this.closed = true
    this.#rest = taken ? undefined : piece.subarray(this.#res.getWriteOffset() - before)
    return taken
  }
}

function writeHead(res: UwsResponse, { status, headers }: ReplyHead): void {
  if (status !== 200) res.writeStatus(STATUS_LINES.get(status) ?? `${status} Unknown`)
  for (const [name, value] of headers) res.writeHeader(name, value)
}

const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
)

/**
 * Finds the port to listen on, a free one for 0. uWebSockets.js does not report why a port fails.
 * @throws {AppError} `failed_precondition` with the system's reason.
 */
function probePort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      reject(cannotListen(host, port, error.code ?? 'unknown', error))
    })
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address()
      const taken = address !== null && typeof address === 'object' ? address.port : port
      probe.close(() => resolve(taken))
    })
  })
}

function cannotListen(host: string, port: number, reason: string, cause?: unknown): AppError {
  const message = `cannot listen on ${host}:${port}: ${reason}`
  return new AppError('failed_precondition', message, { cause })
}
