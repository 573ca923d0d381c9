/** A connection of the load generator. */
import { connect, type Socket } from 'node:net'
import type { Clock } from '../../src/core/clock.ts'
import { assert } from '../../src/core/code.ts'
import { ResponseParser } from './response-parser.ts'
import type { LossKind, Tally } from './tally.ts'

/**
 * One keep-alive HTTP/1.1 connection of the load generator, one request at a time.
 *
 *   connecting --open--> idle --send--> busy --answer--> idle
 *   any --error, close, timeout--> waiting --pause--> connecting        any --destroy--> dead
 *
 * No promise and no allocation per request: answers come back through `ConnectionHandler`.
 */
export type ConnectionState = 'connecting' | 'idle' | 'busy' | 'waiting' | 'dead'

export type ConnectionHandler = {
  /** The connection can take a request. */
  onIdle(connection: Connection): void
  /** Bytes are valid during the call only. The connection turns idle after it. */
  onAnswer(connection: Connection, status: number, bytes: Buffer, start: number, end: number): void
  onLoss(connection: Connection, kind: LossKind): void
  /** A connection attempt failed; it is repeated after a pause. */
  onConnectFailure(connection: Connection, error: Error | undefined): void
}

export type ConnectionTarget = { readonly host: string; readonly port: number }

/** Pause before a new attempt; doubles with each failure in a row. */
const RECONNECT_MS_MIN = 5
const RECONNECT_MS_MAX = 500

/** All connections share it: libuv fills it and the parser empties it within one tick. */
const receiveBuffer = Buffer.allocUnsafeSlow(65_536)

export class Connection {
  readonly index: number
  /** The request is built here, so that its bytes stay unchanged while the kernel takes them. */
  readonly requestBuffer: Buffer
  state: ConnectionState = 'waiting'
  /** Monotonic ms of the running request: when it was meant to be sent, and when it was. */
  intendedAt = 0
  sentAt = 0
  /** The phase that the running request belongs to. */
  tally: Tally | undefined
  /** The kind of the running request, where the source mixes some. */
  kind = 0
  readonly #clock: Clock
  readonly #target: ConnectionTarget
  readonly #handler: ConnectionHandler
  readonly #parser: ResponseParser
  #socket: Socket | undefined
  #view: Buffer
  #keepAlive = true
  /** One request got a second answer. */
  #doubled = false
  #failuresInARow = 0
  #cancelPause: (() => void) | undefined

  constructor(
    deps: { clock: Clock; handler: ConnectionHandler },
    options: { index: number; target: ConnectionTarget; requestBytesMax: number },
  ) {
    this.#clock = deps.clock
    this.#handler = deps.handler
    this.#target = options.target
    this.index = options.index
    this.requestBuffer = Buffer.alloc(options.requestBytesMax)
    this.#view = this.requestBuffer
    this.#parser = new ResponseParser({
      onAnswer: (status, keepAlive, bytes, start, end) =>
        this.#answered(status, keepAlive, bytes, start, end),
    })
  }

  /** Whether the answer that is being handed over has `Retry-After`. */
  get retryAfter(): boolean {
    return this.#parser.retryAfter
  }

  open(): void {
    assert(this.state === 'waiting', 'only a waiting connection is opened')
    this.state = 'connecting'
    this.#parser.reset()
    this.#keepAlive = true
    this.#doubled = false
    const socket = connect({
      ...this.#target,
      noDelay: true,
      onread: {
        buffer: receiveBuffer,
        callback: (length) => {
          if (socket === this.#socket) this.#received(length)
          return true
        },
      },
    })
    let failure: Error | undefined
    socket.on('connect', () => {
      this.#failuresInARow = 0
      this.#becomeIdle()
    })
    socket.on('error', (error) => {
      failure = error // `close` follows and deals with it.
    })
    socket.on('close', () => {
      if (socket === this.#socket) this.#closed(failure)
    })
    this.#socket = socket
  }

  /** Sends the first `length` bytes of `requestBuffer`. */
  send(length: number, intendedAt: number, now: number, tally: Tally): void {
    assert(this.state === 'idle' && this.#socket !== undefined, 'only an idle connection sends')
    this.state = 'busy'
    this.intendedAt = intendedAt
    this.sentAt = now
    this.tally = tally
    if (this.#view.length !== length) this.#view = this.requestBuffer.subarray(0, length)
    this.#socket.write(this.#view)
  }

  /** Gives up on the running request and connects anew. */
  abandon(kind: LossKind): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.destroy()
    const lost = this.state === 'busy'
    this.#pauseAndReopen()
    if (lost) this.#handler.onLoss(this, kind)
  }

  /** Ends the connection for good; the handler is not called again. */
  destroy(): void {
    this.state = 'dead'
    this.#cancelPause?.()
    this.#socket?.destroy()
    this.#socket = undefined
  }

  /**
   * The next request is sent only after all bytes are read, so that none of them can be its answer.
   */
  #received(length: number): void {
    const asked = this.state === 'busy'
    const problem = asked ? this.#parser.push(receiveBuffer, length) : 'bytes nobody asked for'
    const stray = this.state === 'idle' && !this.#parser.idle
    if (problem !== undefined || this.#doubled || stray) {
      this.abandon('protocol')
    } else if (this.state === 'idle') {
      if (this.#keepAlive) this.#handler.onIdle(this)
      else this.#reopen()
    }
  }

  #answered(status: number, keepAlive: boolean, bytes: Buffer, start: number, end: number): void {
    if (this.state !== 'busy') {
      this.#doubled = true
      return
    }
    this.state = 'idle'
    this.#keepAlive = keepAlive
    this.#handler.onAnswer(this, status, bytes, start, end)
  }

  /** The server announced that it closes after this answer. */
  #reopen(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.destroy()
    this.state = 'waiting'
    this.open()
  }

  #becomeIdle(): void {
    if (this.state !== 'connecting') return
    this.state = 'idle'
    this.#handler.onIdle(this)
  }

  #closed(failure: Error | undefined): void {
    if (this.state === 'dead') return
    const before = this.state
    this.#socket = undefined
    this.#pauseAndReopen()
    if (before === 'busy') this.#handler.onLoss(this, 'reset')
    else if (before === 'connecting') this.#handler.onConnectFailure(this, failure)
  }

  #pauseAndReopen(): void {
    this.state = 'waiting'
    const pauseMs = Math.min(RECONNECT_MS_MAX, RECONNECT_MS_MIN * 2 ** this.#failuresInARow)
    this.#failuresInARow = Math.min(this.#failuresInARow + 1, 10)
    this.#cancelPause = this.#clock.after(pauseMs, () => {
      if (this.state === 'waiting') this.open()
    })
  }
}
