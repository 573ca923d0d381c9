/**
 * The driver's socket, with the loss of its connection made harmless. postgres.js 3.4.9 does not
 * expect a server to die in the middle: the rollback of a transaction then throws where nobody can
 * catch it, which ends the process; the last error of the dead session is given to the first
 * statement of the next one; and a statement written while the connection closes leaves a slot of
 * the pool that never connects again (porsager/postgres issues 1133, 1215, 1216, 1223). So the loss
 * is told to the driver in words it understands:
 *
 *   startup -> live -> lost -> closed
 *
 *   startup   until the first ReadyForQuery; a loss is a failed connection, which the driver knows
 *   live      bytes pass; we follow which statements wait for an answer, and the transaction status
 *   lost      we answer for the server: an error for each statement that waits; in a transaction
 *             also for those to come, until its ROLLBACK, which succeeds, as the server has done it
 *   closed    told to the driver only when no transaction is open
 *
 * A COMMIT that waits is answered with an error, its outcome being unknown; nothing is ever sent
 * twice. `sql.reserve()` is not covered outside of a transaction, and not used here.
 */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import {
  commandComplete,
  createFrameReader,
  errorOf,
  errorResponse,
  type Frame,
  framesOf,
  isFatal,
  readyForQuery,
  statusOf,
  type TransactionStatus,
  textAt,
  withoutStalePrefix,
} from './wire-frames.ts'
import { finisherIn, isTypesQuestion } from './wire-statements.ts'

type Phase = 'startup' | 'live' | 'lost' | 'closed'

/** Connects, with TLS where asked for. Rejects within its own time. */
export type Dial = () => Promise<Socket>

/** SQLSTATE of a connection that ended without a word. */
const CONNECTION_FAILURE = '08006'

/** More than can wait: statements are bounded by the calls under way. */
const WAITING_BYTES_MAX = Number.MAX_SAFE_INTEGER

export class GuardedSocket extends Duplex {
  readonly #reader = createFrameReader()
  readonly #finishers = new Map<string, string>()
  #phase: Phase = 'startup'
  #upstream: Socket | undefined
  #unsent: { bytes: Buffer; done: () => void } | undefined
  #started = false
  #status: TransactionStatus = 'I'
  #readyCount = 0
  #asksTypes = false
  /** Statements the server owes a ReadyForQuery. */
  #owed = 0
  /** Messages since the last of them, which end in a Flush or have more to come. */
  #unsynced = false
  /** In `lost`: this statement has had its error, and only its Sync is to come. */
  #told = false
  #finisher: string | undefined
  #fatal: Buffer | undefined
  #loss: Error | undefined

  constructor(dial: Dial) {
    // The driver takes a full buffer for a reason to leave out what begins a transaction: see ADR 17.
    super({ allowHalfOpen: true, writableHighWaterMark: WAITING_BYTES_MAX })
    // Later than the microtask in which the driver puts its listeners on us.
    queueMicrotask(() => {
      dial().then(
        (socket) => this.#connected(socket),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    })
  }

  /** The driver takes leave of a connection only when it is open. */
  get readyState(): string {
    return this.destroyed ? 'closed' : 'open'
  }

  /**
   * The driver counts a failed connection, and waits longer for the next one, when `close` says so
   * as a socket's does. Once it has let go of us it listens to no error either.
   */
  override emit(name: string | symbol, ...args: unknown[]): boolean {
    if (name === 'close') return super.emit(name, this.errored !== null)
    if (name === 'error' && this.listenerCount('error') === 0) return false
    return super.emit(name, ...args)
  }

  /** As if the server had ended it. Comes before a pool is destroyed: the driver fails badly then. */
  abandon(reason: string): void {
    this.#loss ??= connectionError(reason)
    this.#upstream?.destroy()
    this.#lost()
  }

  override _read(): void {
    this.#upstream?.resume()
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    if (this.#phase === 'lost') {
      // Not within the driver's own write, which drops what it is told to send meanwhile.
      queueMicrotask(() => {
        this.#answer(bytes)
        done()
      })
      return
    }
    const passed = this.#started ? bytes : withoutStalePrefix(bytes)
    this.#started = true
    if (this.#phase === 'live') for (const frame of framesOf(passed)) this.#follow(frame)
    if (this.#upstream === undefined) this.#unsent = { bytes: passed, done }
    else this.#send(this.#upstream, passed, done)
  }

  override _final(done: () => void): void {
    this.#upstream?.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#phase = 'closed'
    this.#upstream?.destroy()
    this.#unsent?.done()
    this.#unsent = undefined
    done(error)
  }

  #connected(upstream: Socket): void {
    upstream.on('error', (error) => {
      this.#loss ??= error
    })
    if (this.destroyed) {
      upstream.destroy()
      return
    }
    this.#upstream = upstream
    upstream.on('data', (chunk: Buffer) => this.#received(chunk))
    upstream.on('end', () => upstream.destroy())
    upstream.on('close', () => this.#lost())
    const unsent = this.#unsent
    this.#unsent = undefined
    if (unsent !== undefined) this.#send(upstream, unsent.bytes, unsent.done)
  }

  #send(upstream: Socket, bytes: Buffer, done: () => void): void {
    if (upstream.destroyed || upstream.write(bytes)) {
      done()
      return
    }
    const settle = () => {
      upstream.off('drain', settle).off('close', settle)
      done()
    }
    upstream.on('drain', settle).on('close', settle)
  }

  /** From the driver: what the server now owes. */
  #follow({ type, bytes }: Frame): void {
    if (type === 'P') this.#remember(bytes)
    if (type === 'B') {
      const portalEnd = bytes.indexOf(0, 5)
      this.#finisher = this.#finishers.get(textAt(bytes, portalEnd + 1))
    }
    if (type === 'Q') this.#finisher = finisherIn(textAt(bytes, 5))
    if (type === 'S' || type === 'Q') {
      this.#owed += 1
      this.#unsynced = false
    } else if (type !== 'd' && type !== 'c' && type !== 'f' && type !== 'X') this.#unsynced = true
  }

  /** A COMMIT or ROLLBACK is prepared once and then run by the name of its statement. */
  #remember(parse: Buffer): void {
    const name = textAt(parse, 5)
    const statement = textAt(parse, parse.indexOf(0, 5) + 1)
    const finisher = finisherIn(statement)
    if (this.#readyCount === 1) this.#asksTypes = isTypesQuestion(statement)
    if (finisher !== undefined) this.#finishers.set(name, finisher)
    else if (name === '') this.#finishers.delete(name)
  }

  /** From the server: whole messages pass, but for the last words of a session. */
  #received(chunk: Buffer): void {
    const run = this.#reader.read(chunk)
    if (run === undefined) return
    let passed = 0
    let seen = 0
    for (const { type, bytes } of framesOf(run)) {
      seen += bytes.length
      if (type === 'Z') this.#ready(bytes)
      if (type !== 'E') continue
      // The driver might keep it for the first statement of the next session.
      if (this.#phase === 'startup') this.destroy(errorOf(bytes))
      if (this.#phase !== 'live') continue
      const isFirst = this.#readyCount === 1 && this.#asksTypes
      if (!isFirst && !isFatal(bytes)) continue
      this.#fatal = isFirst ? undefined : Buffer.from(bytes)
      this.#pass(run.subarray(passed, seen - bytes.length))
      passed = seen
      if (!isFirst) continue
      this.abandon('the server refused the first question')
      return
    }
    this.#pass(run.subarray(passed, seen))
  }

  #pass(bytes: Buffer): void {
    if (bytes.length > 0 && !this.push(bytes)) this.#upstream?.pause()
  }

  #ready(bytes: Buffer): void {
    this.#phase = 'live'
    this.#status = statusOf(bytes)
    this.#readyCount += 1
    if (this.#readyCount > 1) this.#owed -= 1
  }

  #lost(): void {
    if (this.#phase === 'startup') {
      this.destroy(this.#loss ?? connectionError('the server closed a new connection'))
      return
    }
    if (this.#phase !== 'live') return
    if (this.writableEnded) {
      // The driver has ended its side and waits for nothing but the close.
      this.destroy()
      return
    }
    this.#phase = 'lost'
    const newest = this.#finisher
    this.#finisher = undefined
    for (; this.#owed > 0; this.#owed -= 1) {
      if (this.#owed === 1) this.#finisher = newest
      this.#fail()
    }
    if (this.#unsynced) this.#tell()
    this.#closeWhenIdle()
  }

  /** Answers the driver's messages for the server that is gone. */
  #answer(bytes: Buffer): void {
    for (const frame of framesOf(bytes)) {
      const { type } = frame
      this.#follow(frame)
      if (type === 'H') this.#tell()
      if (type !== 'S' && type !== 'Q') continue
      this.#owed -= 1
      this.#fail()
    }
    this.#closeWhenIdle()
  }

  /** One statement's end. The server has rolled back, so a ROLLBACK may be said to have worked. */
  #fail(): void {
    const finisher = this.#finisher
    this.#finisher = undefined
    if (this.#readyCount === 1 && this.#asksTypes) {
      // The driver would not catch its failure. The next connection asks again.
      this.#readyCount += 1
      this.push(commandComplete('SELECT 0'))
    } else if (finisher === 'rollback') this.push(commandComplete('ROLLBACK'))
    else this.#tell()
    this.#told = false
    this.#status = this.#status === 'I' || finisher !== undefined ? 'I' : 'E'
    this.push(readyForQuery(this.#status))
  }

  #tell(): void {
    if (this.#told) return
    this.#told = true
    const reason = this.#loss?.message ?? 'the server closed the connection'
    this.push(this.#fatal ?? errorResponse(CONNECTION_FAILURE, `connection lost: ${reason}`))
  }

  /** The driver waits for nothing, nor is it in the middle of a transaction or a statement. */
  get #isIdle(): boolean {
    return this.#status === 'I' && !this.#unsynced
  }

  #closeWhenIdle(): void {
    if (!this.#isIdle) return
    const readyCount = this.#readyCount
    const close = () => {
      if (this.#isIdle && this.#readyCount === readyCount) this.destroy()
    }
    // After the driver has read what was pushed; one let in just now asks for types a turn later.
    setImmediate(readyCount === 1 ? () => setImmediate(close) : close)
  }
}

function connectionError(message: string): Error {
  return Object.assign(new Error(message), { code: 'CONNECTION_CLOSED' })
}
