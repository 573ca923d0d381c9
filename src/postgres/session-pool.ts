/**
 * Chooses the connection of a pool for a statement or a transaction: an idle one; else a new one,
 * while there are fewer than allowed; else the one on which the fewest statements wait. A
 * transaction has its connection to itself. Work without a connection waits in a queue, up to a
 * bound.
 *
 * A lost connection leaves the pool. Another one is opened when work is waiting.
 */
import { backoffMs, halfJitter } from '../core/backoff.ts'
import type { Clock } from '../core/clock.ts'
import type { Answer, Session, Work } from './session.ts'

/** Statements and transactions that wait for a connection of a pool; others are refused. */
export const POOL_WAITING_MAX = 10_000

export type PooledSession = Pick<
  Session,
  | 'isReserved'
  | 'isSpent'
  | 'expiresAt'
  | 'lost'
  | 'hasAnswered'
  | 'waiting'
  | 'send'
  | 'end'
  | 'destroy'
>

export type SessionPoolOptions<S extends PooledSession> = {
  readonly sessionsMax: number
  readonly clock: Clock
  readonly random: () => number
  /** Opens a connection. `onSettled` is to be called as `Session` does. */
  open(onSettled: (session: S) => void): Promise<S>
}

type Claim<S> = {
  /** True for a transaction. */
  readonly isExclusive: boolean
  start(session: S): void
  fail(reason: unknown): void
}

/** Statements sent on one connection, at most: each waits for those before it. */
const WAITING_MAX = 16
/** The pause before the next attempt to connect. */
const RECONNECT_BACKOFF = { firstMs: 100, maxMs: 1_000 }
/** A connection is replaced after so long: its process on the server grows. */
const LIFETIME_MIN_MS = 30 * 60_000

export class SessionPool<S extends PooledSession> {
  readonly #options: SessionPoolOptions<S>
  readonly #sessions = new Set<S>()
  readonly #claims: Claim<S>[] = []
  /** Sessions that are closing. */
  readonly #leaving = new Set<S>()
  #opening = 0
  /** Connections in a row that failed or were lost before an answer. */
  #failures = 0
  #nextOpenAt = 0
  #end: Error | undefined
  /** Callbacks for the end. */
  readonly #onDone: (() => void)[] = []

  constructor(options: SessionPoolOptions<S>) {
    this.#options = options
  }

  /**
   * Runs one statement.
   * @throws {Error} of the statement, of the attempt to connect, `CONNECTION_ENDED` or `POOL_FULL`.
   */
  run<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const answer: Answer<T> = { resolve, reject }
      const session = this.#mayServe ? this.#choose() : undefined
      if (session !== undefined) {
        session.send(work, answer)
        return
      }
      this.#take({
        isExclusive: false,
        start: (session) => session.send(work, answer),
        fail: reject,
      })
    })
  }

  /** Runs `work` on a connection that nobody else uses meanwhile. */
  async reserve<T>(work: (session: S) => Promise<T>): Promise<T> {
    const session = await new Promise<S>((resolve, reject) => {
      this.#take({ isExclusive: true, start: resolve, fail: reject })
    })
    try {
      return await work(session)
    } finally {
      session.isReserved = false
      this.#settled(session)
    }
  }

  /** Ends once all statements are answered, or after `timeoutMs`: the others reject then. */
  async end(timeoutMs?: number): Promise<void> {
    this.#end ??= poolError('CONNECTION_ENDED', 'the pool has ended')
    if (timeoutMs === 0) this.#destroy()
    const cancel =
      timeoutMs === undefined
        ? () => {}
        : this.#options.clock.after(timeoutMs, () => this.#destroy())
    while (!this.#isDone) {
      await new Promise<void>((resolve) => {
        this.#onDone.push(resolve)
      })
    }
    await Promise.all([...this.#sessions, ...this.#leaving].map((session) => session.end()))
    cancel()
  }

  get #isDone(): boolean {
    const sessions = [...this.#sessions]
    return this.#claims.length === 0 && sessions.every((each) => isIdle(each))
  }

  #destroy(): void {
    const reason = poolError('CONNECTION_DESTROYED', 'the pool is destroyed')
    for (const { fail } of this.#claims.splice(0)) fail(reason)
    for (const session of [...this.#sessions, ...this.#leaving]) session.destroy(reason.message)
    this.#notifyDone()
  }

  #take(claim: Claim<S>): void {
    if (this.#end !== undefined) {
      claim.fail(this.#end)
      return
    }
    if (this.#claims.length >= POOL_WAITING_MAX) {
      claim.fail(poolError('POOL_FULL', 'too many statements wait for the database'))
      return
    }
    this.#claims.push(claim)
    this.#serve()
  }

  #serve(): void {
    for (let claim = this.#claims[0]; claim !== undefined; claim = this.#claims[0]) {
      const session = this.#choose()
      if (session === undefined) break
      this.#claims.shift()
      session.isReserved = claim.isExclusive
      claim.start(session)
    }
    while (this.#mayGrow && this.#opening < this.#claims.length) this.#open()
  }

  /** True when no earlier work is waiting. */
  get #mayServe(): boolean {
    return this.#claims.length === 0 && this.#end === undefined
  }

  get #isEnded(): boolean {
    return this.#end !== undefined && this.#claims.length === 0
  }

  get #mayGrow(): boolean {
    return this.#sessions.size + this.#opening < this.#options.sessionsMax
  }

  #choose(): S | undefined {
    let best: S | undefined
    for (const session of this.#sessions) {
      if (session.isReserved || session.isSpent) continue
      if (best === undefined || session.waiting < best.waiting) best = session
    }
    if (best === undefined || best.waiting === 0) return best
    return this.#mayGrow || best.waiting >= WAITING_MAX ? undefined : best
  }

  #open(): void {
    this.#opening += 1
    this.#addSession().then(
      () => {
        this.#opening -= 1
        this.#serve()
      },
      (error: unknown) => {
        this.#opening -= 1
        this.#failed()
        // It was opened for the oldest waiting work; if no connection is left, all of it fails.
        const isLast = this.#sessions.size + this.#opening === 0
        for (const { fail } of this.#claims.splice(0, isLast ? this.#claims.length : 1)) fail(error)
        this.#serve()
        this.#notifyDone()
      },
    )
  }

  async #addSession(): Promise<void> {
    const pauseMs = this.#nextOpenAt - this.#options.clock.monotonic()
    if (pauseMs > 0) await this.#options.clock.sleep(pauseMs)
    if (this.#isEnded) return
    const session = await this.#options.open((each) => this.#settled(each))
    if (session.lost !== undefined) throw session.lost
    if (this.#isEnded) {
      session.destroy('the pool has ended')
      return
    }
    session.expiresAt =
      this.#options.clock.monotonic() + LIFETIME_MIN_MS * (1 + this.#options.random())
    this.#sessions.add(session)
  }

  #failed(): void {
    this.#failures += 1
    const { clock, random } = this.#options
    const pauseMs = halfJitter(backoffMs(RECONNECT_BACKOFF, this.#failures), random)
    this.#nextOpenAt = clock.monotonic() + pauseMs
  }

  /** A statement of this connection was answered, or its transaction has ended, or it was lost. */
  #settled(session: S): void {
    if (session.lost !== undefined) {
      if (this.#sessions.delete(session) && !session.hasAnswered) this.#failed()
    } else {
      if (session.hasAnswered) this.#failures = 0
      session.isSpent ||= this.#options.clock.monotonic() > session.expiresAt
      if (session.isSpent && isIdle(session)) this.#retire(session)
    }
    if (this.#claims.length > 0) this.#serve()
    if (this.#end !== undefined) this.#notifyDone()
  }

  #retire(session: S): void {
    this.#sessions.delete(session)
    this.#leaving.add(session)
    void session.end().finally(() => this.#leaving.delete(session))
  }

  #notifyDone(): void {
    if (!this.#isDone) return
    for (const notify of this.#onDone.splice(0)) notify()
  }
}

function isIdle({ waiting, isReserved }: PooledSession): boolean {
  return waiting === 0 && !isReserved
}

function poolError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
