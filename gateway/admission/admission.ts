/**
 * Decides which captures a gateway takes. A capture that cannot be stored soon would be answered
 * after its client has given up, and would hold up everything behind it. So a gateway holds a
 * bounded number of captures, which follows the rate at which they are answered, and refuses
 * further ones at once. While nothing is answered at all, the rate says nothing: a store that
 * stands still has bounds of its own, and so has the server.
 *
 * A sender that holds less than half of its equal share is taken beyond the bound. What is taken so
 * has the same bound again, whatever others hold: after a stall they may hold many times as much.
 */

import type { Clock } from '../../src/core/clock.ts'
import type { HttpReply } from '../http/http-server.ts'
import type { Refusals } from '../http/refusals.ts'
import { BURST_MIN, CaptureLimit } from './capture-limit.ts'
import { Slices } from './slices.ts'

/** How many answers went out in the last second, and how long what they answer had waited. */

const WINDOW_MS = 100
const WINDOWS = 10

/** Without an answer for so long the workers stand still, in milliseconds. */
const STALL_MS = 750
/** Share of the bound below which the sender is not looked up. */
const UNNAMED_SHARE = 0.25
/** Range of `Retry-After` in seconds: drawn at random, so that clients do not return together. */
const RETRY_AFTER_MIN_S = 1
const RETRY_AFTER_MAX_S = 5

/** A capture that was taken. */
type Ticket = {
  readonly sender: string
  readonly atMs: number
  /** Taken beyond the bound. */
  readonly isBeyond: boolean
  isHeld: boolean
}

export type AdmissionFigures = {
  readonly inFlight: number
  /** The bound of `inFlight`; infinite while the workers stand still. */
  readonly limit: number
  readonly isLate: boolean
  /** Since the start. */
  readonly refused: number
}

export class Admission {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #random: () => number
  readonly #rate: AnswerRate
  readonly #slices: Slices
  readonly #refusals: Pick<Refusals, 'hold'>
  /** Captures in flight of each sender that has any. */
  readonly #held = new Map<string, number>()
  #inFlight = 0
  /** Captures in flight that were taken beyond the bound. */
  #beyond = 0
  readonly #bound = new CaptureLimit()
  #lastLimit = BURST_MIN
  #refused = 0
  #answeredAt = 0
  /** Captures taken before this waited for a stall, so their wait says nothing about the rate. */
  #stalledUntil = Number.NEGATIVE_INFINITY

  /** @param random 0 to 1. */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    refusals: Pick<Refusals, 'hold'>,
    random: () => number,
  ) {
    this.#clock = clock
    this.#random = random
    this.#rate = new AnswerRate(clock.monotonic())
    this.#slices = new Slices(clock)
    this.#refusals = refusals
  }

  /**
   * Runs a capture until it is answered, or refuses it with `undefined`.
   * @param senderOf says whose it is: asked only when much is in flight.
   * @param capture calls `leave` when it waits for something that has bounds of its own.
   */
  take(
    senderOf: () => string,
    capture: (leave: () => void) => HttpReply | Promise<HttpReply>,
  ): HttpReply | Promise<HttpReply> | undefined {
    const ticket = this.#enter(senderOf)
    if (ticket === undefined) return undefined
    const release = () => this.#release(ticket)
    let answer: HttpReply | Promise<HttpReply> | undefined
    try {
      answer = this.#slices.run(() => capture(release))
      return answer instanceof Promise ? this.#answered(ticket, answer) : answer
    } finally {
      if (!(answer instanceof Promise)) release()
    }
  }

  async #answered(ticket: Ticket, answer: Promise<HttpReply>): Promise<HttpReply> {
    try {
      const reply = await answer
      // A refusal for bad content is answered at once and says nothing about the workers.
      if (reply.status === 200) this.#count(ticket)
      return reply
    } finally {
      this.#release(ticket)
    }
  }

  /**
   * Resolves when a refused client may be told.
   * @returns in how many seconds it may try again.
   */
  async refused(): Promise<number> {
    await new Promise<void>((answer) => this.#refusals.hold(answer))
    const choices = RETRY_AFTER_MAX_S - RETRY_AFTER_MIN_S + 1
    return RETRY_AFTER_MIN_S + Math.floor(this.#random() * choices)
  }

  figures(): AdmissionFigures {
    const now = this.#clock.monotonic()
    const limit = this.#isStalled(now) ? Number.POSITIVE_INFINITY : this.#limit(now)
    return { inFlight: this.#inFlight, limit, isLate: this.#bound.isLate, refused: this.#refused }
  }

  #enter(senderOf: () => string): Ticket | undefined {
    const now = this.#clock.monotonic()
    const limit = this.#limit(now)
    const sender = this.#inFlight < limit * UNNAMED_SHARE ? '' : senderOf()
    const held = this.#held.get(sender) ?? 0
    const isBeyond = this.#inFlight >= limit && !this.#isStalled(now)
    if (isBeyond && !this.#isOwed(sender, held, limit)) {
      this.#refused += 1
      this.#bound.refused(now)
      return undefined
    }
    if (this.#inFlight === 0) this.#answeredAt = now
    this.#inFlight += 1
    if (isBeyond) this.#beyond += 1
    this.#held.set(sender, held + 1)
    return { sender, atMs: now, isBeyond, isHeld: true }
  }

  #count(ticket: Ticket): void {
    if (!ticket.isHeld) return
    const now = this.#clock.monotonic()
    if (now - this.#answeredAt > STALL_MS) this.#stalledUntil = now
    this.#answeredAt = now
    this.#rate.add(now, ticket.atMs > this.#stalledUntil ? now - ticket.atMs : undefined)
  }

  #release(ticket: Ticket): void {
    if (!ticket.isHeld) return
    ticket.isHeld = false
    this.#inFlight -= 1
    if (ticket.isBeyond) this.#beyond -= 1
    const held = (this.#held.get(ticket.sender) ?? 0) - 1
    if (held > 0) this.#held.set(ticket.sender, held)
    else this.#held.delete(ticket.sender)
  }

  #isStalled(now: number): boolean {
    return this.#inFlight > 0 && now - this.#answeredAt > STALL_MS
  }

  /** During a stall the last one: the rate says nothing then. */
  #limit(now: number): number {
    if (this.#isStalled(now)) return this.#lastLimit
    const perSecond = this.#rate.perSecond(now)
    const meanWaitMs = this.#rate.meanWaitMs(now)
    this.#lastLimit = this.#bound.value(now, { perSecond, meanWaitMs })
    return this.#lastLimit
  }

  /** Others have filled the bound, not this sender. */
  #isOwed(sender: string, held: number, limit: number): boolean {
    const senders = this.#held.size + (this.#held.has(sender) ? 0 : 1)
    return senders > 1 && held < limit / (2 * senders) && this.#beyond < limit
  }
}

/** Ten windows of 100 ms, of which the oldest is used again. */
class AnswerRate {
  readonly #counts = new Array<number>(WINDOWS).fill(0)
  #total = 0
  /** Number of the window that is open. */
  #window: number
  #waitMs = 0
  #waits = 0
  /** Mean wait of the last window with an answer. */
  #meanWaitMs = 0

  /** @param now monotonic milliseconds, here and below. */
  constructor(now: number) {
    this.#window = Math.floor(now / WINDOW_MS)
  }

  /** @param waitMs undefined where it says nothing of the rate. */
  add(now: number, waitMs: number | undefined): void {
    this.#turn(now)
    this.#counts[this.#window % WINDOWS] = (this.#counts[this.#window % WINDOWS] ?? 0) + 1
    this.#total += 1
    if (waitMs === undefined) return
    this.#waitMs += waitMs
    this.#waits += 1
  }

  perSecond(now: number): number {
    this.#turn(now)
    return this.#total
  }

  /** Over the last whole window with an answer; 0 when the last second had none. */
  meanWaitMs(now: number): number {
    this.#turn(now)
    return this.#total === 0 ? 0 : this.#meanWaitMs
  }

  /** Opens the window of `now`, and empties those that were skipped. */
  #turn(now: number): void {
    const window = Math.floor(now / WINDOW_MS)
    if (window === this.#window) return
    if (this.#waits > 0) this.#meanWaitMs = this.#waitMs / this.#waits
    this.#waitMs = 0
    this.#waits = 0
    for (let next = this.#window + 1; next <= window && next <= this.#window + WINDOWS; next += 1) {
      this.#total -= this.#counts[next % WINDOWS] ?? 0
      this.#counts[next % WINDOWS] = 0
    }
    this.#window = window
  }
}
