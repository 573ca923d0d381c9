/** The loop of the load generator: it sends requests, takes answers, and finds time-outs. */
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { Connection, type ConnectionHandler, type ConnectionTarget } from './connection.ts'
import { type Second, TimeSeries } from './report/time-series.ts'
import { NumberRing } from './ring.ts'
import { type ArrivalKind, createSchedule, OpenModel, type OpenModelCounts } from './schedule.ts'
import {
  type AnswerKind,
  countInPhase,
  countOutcome,
  countSent,
  createTally,
  type LossKind,
  recordLatency,
  recordMs,
  type Tally,
} from './tally.ts'
import type { Prng } from './workload/prng.ts'
import type { RequestSource } from './workload/request-source.ts'

/** Closed: a connection sends its next request after an answer. Open: requests arrive at a rate. */
export type LoadModel =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly ratePerS: number; readonly arrivals: ArrivalKind }

export type LoadOptions = {
  readonly target: ConnectionTarget
  readonly connections: number
  readonly model: LoadModel
  readonly timeoutMs: number
  /** How many arrivals may wait for a free connection. */
  readonly backlogMax: number
}

/**
 * The end of a phase: a time, a number of requests, or whichever comes first. The number is exact
 * in both models.
 */
export type PhaseLimit = { readonly durationMs: number; readonly requestsMax?: number }

export type PhaseResult = {
  readonly tally: Tally
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  readonly open: OpenModelCounts | undefined
  readonly seconds: readonly Second[]
}

/** Longest wait for the first connections. */
const CONNECT_MS_MAX = 10_000
/** The interval between checks for time-outs. A request is given up at most this much too late. */
const SWEEP_MS = 50
/** The interval between checks of an open schedule, which is checked after every answer too. */
const TICK_MS = 1

/**
 * The connections of one run and its load model. Phases run one after the other. A request belongs
 * to the phase that sent it, and a phase ends when all its requests have ended.
 */
export class LoadRun {
  readonly #clock: Clock
  readonly #prng: Prng
  readonly #source: RequestSource
  readonly #options: LoadOptions
  readonly #connections: Connection[] = []
  /**
   * Indexes of idle connections, the longest idle first, so that the server closes none for
   * idleness.
   */
  readonly #idle: NumberRing
  /** 1 for an index in `#idle`. A connection that broke there must not be queued twice. */
  readonly #queued: Uint8Array
  #tally: Tally = createTally()
  #open: OpenModel | undefined
  /** Set while a phase measures. */
  #series: TimeSeries | undefined
  /** Requests that may still be sent in this phase; 0 between phases. */
  #allowance = 0
  /** The number of requests of the phase has been sent; what arrives then is not. */
  #isSpent = false
  #lastConnectError: Error | undefined

  constructor(deps: { clock: Clock; prng: Prng; source: RequestSource }, options: LoadOptions) {
    this.#clock = deps.clock
    this.#prng = deps.prng
    this.#source = deps.source
    this.#options = options
    this.#idle = new NumberRing(options.connections)
    this.#queued = new Uint8Array(options.connections)
  }

  /** @throws {AppError} `unavailable` when the server does not take every connection in 10 s. */
  async connect(): Promise<void> {
    const handler = this.#handler()
    const { target, connections } = this.#options
    for (let index = 0; index < connections; index++) {
      const connection = new Connection(
        { clock: this.#clock, handler },
        { index, target, requestBytesMax: this.#source.bytesMax },
      )
      this.#connections.push(connection)
      connection.open()
    }
    const deadline = this.#clock.monotonic() + CONNECT_MS_MAX
    while (this.#idle.size < connections) {
      if (this.#clock.monotonic() > deadline) {
        const cause = this.#lastConnectError
        this.close()
        throw new AppError('unavailable', `cannot connect: ${cause?.message ?? 'no answer'}`)
      }
      await this.#clock.sleep(5)
    }
  }

  /** Sends until the limit, then waits for the answers, at most until the time-out. */
  async phase(limit: PhaseLimit): Promise<PhaseResult> {
    const tally = createTally(this.#source.mix?.kinds.length)
    const startedAt = this.#clock.monotonic()
    const wallStartedAt = this.#clock.now()
    const series = new TimeSeries({ startedAt, durationMs: limit.durationMs })
    this.#tally = tally
    this.#series = series
    this.#allowance = limit.requestsMax ?? Number.POSITIVE_INFINITY
    this.#isSpent = this.#allowance <= 0
    this.#open = this.#createOpenModel(startedAt)
    if (this.#open === undefined) this.#startClosed(startedAt)
    await this.#pumpUntil(startedAt + limit.durationMs)
    const endedAt = this.#clock.monotonic()
    const seconds = series.finish(endedAt)
    // Arrivals beyond the number are not sent after the phase either.
    if (this.#isSpent) this.#open?.finish()
    this.#allowance = 0
    this.#series = undefined
    await this.#settle()
    const open = this.#open
    this.#open = undefined
    open?.finish()
    const durationMs = endedAt - startedAt
    return { tally, startedAt: wallStartedAt, durationMs, open: open?.counts, seconds }
  }

  close(): void {
    for (const connection of this.#connections) connection.destroy()
    this.#connections.length = 0
  }

  #handler(): ConnectionHandler {
    return {
      onIdle: (connection) => this.#onIdle(connection),
      onAnswer: (connection, status, bytes, start, end) => {
        const good = status >= 200 && status < 300
        const accepted = good && this.#source.accepts(bytes, start, end, connection.kind)
        this.#onAnswer(connection, status, kindOf(status, accepted))
      },
      onLoss: (connection, kind) => this.#onLoss(connection, kind),
      onConnectFailure: (_connection, error) => {
        this.#tally.connectFailures++
        this.#lastConnectError = error
      },
    }
  }

  #onIdle(connection: Connection): void {
    if (this.#open === undefined && this.#allowance > 0) {
      const now = this.#clock.monotonic()
      this.#send(connection, now, now)
      return
    }
    if (this.#queued[connection.index] === 0) {
      this.#queued[connection.index] = 1
      this.#idle.push(connection.index)
    }
    // Timers have a resolution of a millisecond. At high rates answers come more often.
    if (this.#open !== undefined) this.#tickOpen(this.#open)
  }

  /** Between the end of a phase and the end of its requests only waiting arrivals are sent. */
  #tickOpen(open: OpenModel): void {
    const now = this.#clock.monotonic()
    if (this.#series !== undefined) open.tick(now)
    else open.drain(now)
  }

  #onAnswer(connection: Connection, status: number, outcome: AnswerKind): void {
    const tally = connection.tally ?? this.#tally
    const now = this.#clock.monotonic()
    countOutcome(tally, connection.kind, outcome)
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
    if (outcome === 'shed') {
      recordMs(tally.shed, now - connection.sentAt)
      if (!connection.retryAfter) tally.shedWithoutRetryAfter++
    }
    this.#series?.outcome(now, outcome)
    if (outcome !== 'accepted') return
    if (this.#series !== undefined) countInPhase(tally, connection.kind)
    const responseMs = now - connection.intendedAt
    this.#series?.latency(now, responseMs)
    recordLatency(tally, connection.kind, now - connection.sentAt, responseMs)
  }

  #onLoss(connection: Connection, loss: LossKind): void {
    const tally = connection.tally ?? this.#tally
    const now = this.#clock.monotonic()
    countOutcome(tally, connection.kind, loss)
    this.#series?.outcome(now, loss)
    if (loss !== 'timeout') return
    const { timeoutMs } = this.#options
    const responseMs = timeoutMs + connection.sentAt - connection.intendedAt
    this.#series?.latency(now, responseMs)
    recordLatency(tally, connection.kind, timeoutMs, responseMs)
  }

  #createOpenModel(startMs: number): OpenModel | undefined {
    const { model, backlogMax, timeoutMs } = this.#options
    if (model.kind === 'closed') return undefined
    const schedule = createSchedule(this.#prng, {
      kind: model.arrivals,
      ratePerS: model.ratePerS,
      startMs,
    })
    const tally = this.#tally
    return new OpenModel(
      {
        schedule,
        trySend: (intendedAt, now) => this.#trySend(intendedAt, now),
        // A client that was never served waited as long as one whose request timed out.
        onDrop: () => recordMs(tally.response, timeoutMs),
      },
      { backlogMax },
    )
  }

  #trySend(intendedAt: number, now: number): boolean {
    if (this.#isSpent) return false
    for (let index = this.#idle.shift(); index !== undefined; index = this.#idle.shift()) {
      const connection = this.#connections[index]
      this.#queued[index] = 0
      // A connection that broke while idle returns through `onIdle` when it is open again.
      if (connection?.state !== 'idle') continue
      this.#send(connection, intendedAt, now)
      return true
    }
    return false
  }

  #send(connection: Connection, intendedAt: number, now: number): void {
    this.#allowance--
    this.#isSpent = this.#allowance <= 0
    const length = this.#source.fill(connection.requestBuffer)
    connection.kind = this.#source.mix?.last() ?? 0
    countSent(this.#tally, connection.kind)
    this.#series?.sent(now)
    connection.send(length, intendedAt, now, this.#tally)
  }

  #startClosed(now: number): void {
    for (let free = this.#idle.size; free > 0 && this.#allowance > 0; free--) {
      if (!this.#trySend(now, now)) return
    }
  }

  /** Checks the schedule each millisecond and time-outs now and then, until `endAt`. */
  async #pumpUntil(endAt: number): Promise<void> {
    let sweepAt = this.#clock.monotonic() + SWEEP_MS
    for (let now = this.#clock.monotonic(); now < endAt; now = this.#clock.monotonic()) {
      if (this.#allowance > 0) this.#open?.tick(now)
      if (now >= sweepAt) {
        this.#sweep(now)
        sweepAt = now + SWEEP_MS
      }
      if (this.#allowance <= 0 && this.#busy() === 0) return
      await this.#clock.sleep(this.#open === undefined ? SWEEP_MS / 5 : TICK_MS)
    }
  }

  /** Sends the arrivals that wait for a connection until their time-out. */
  async #settle(): Promise<void> {
    const dropAt = this.#clock.monotonic() + this.#options.timeoutMs
    for (;;) {
      const now = this.#clock.monotonic()
      if (now >= dropAt) this.#open?.finish()
      this.#sweep(now)
      if (this.#busy() === 0 && (this.#open?.backlog ?? 0) === 0) return
      await this.#clock.sleep(SWEEP_MS / 10)
    }
  }

  #sweep(now: number): void {
    for (const connection of this.#connections) {
      const late = now - connection.sentAt >= this.#options.timeoutMs
      if (connection.state === 'busy' && late) connection.abandon('timeout')
    }
  }

  #busy(): number {
    let busy = 0
    for (const connection of this.#connections) if (connection.state === 'busy') busy++
    return busy
  }
}

function kindOf(status: number, accepted: boolean): AnswerKind {
  if (accepted) return 'accepted'
  if (status === 503) return 'shed'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'invalid'
}
