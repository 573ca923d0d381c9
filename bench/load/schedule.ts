/** The arrival times of an open model, and the outcome of each arrival. */
import { assert } from '../../src/core/code.ts'
import { NumberRing } from './ring.ts'
import { exponential, type Prng } from './workload/prng.ts'

export type ArrivalKind = 'poisson' | 'uniform'

/** The moments at which requests should be sent. Pure: it has no clock. */
export type Schedule = {
  /** Monotonic ms of the next arrival. */
  peek(): number
  /** Moves on to the arrival after it. */
  advance(): void
}

/**
 * @param ratePerS arrivals per second in the long run.
 * @param startMs monotonic ms before the first gap.
 */
export function createSchedule(
  prng: Prng,
  { kind, ratePerS, startMs }: { kind: ArrivalKind; ratePerS: number; startMs: number },
): Schedule {
  assert(ratePerS > 0 && Number.isFinite(ratePerS), 'an arrival rate is above zero')
  const gapMs = 1000 / ratePerS
  // Uniform arrivals are computed from a count: a sum would gather rounding errors over a long run.
  let count = 1
  let next = startMs + (kind === 'poisson' ? exponential(prng) * gapMs : gapMs)
  return {
    peek: () => next,
    advance: () => {
      count++
      next = kind === 'poisson' ? next + exponential(prng) * gapMs : startMs + count * gapMs
    },
  }
}

/** An arrival that is noticed this late was delayed by the generator and not by the server. */
export const TICK_LATE_MS = 5

export type OpenModelCounts = {
  arrivals: number
  /** Arrivals noticed more than `TICK_LATE_MS` late: the generator itself was too slow. */
  missedTicks: number
  /** Arrivals that waited for a free connection: the server is slower than the schedule. */
  delayed: number
  /** Arrivals that were never sent, because the queue for a connection was full. */
  dropped: number
  backlogPeak: number
}

/**
 * Open model: requests arrive by the schedule, whether or not earlier ones were answered. An
 * arrival without a free connection waits, and its latency begins at its intended moment.
 */
export class OpenModel {
  readonly counts: OpenModelCounts = {
    arrivals: 0,
    missedTicks: 0,
    delayed: 0,
    dropped: 0,
    backlogPeak: 0,
  }
  readonly #schedule: Schedule
  readonly #trySend: (intendedAt: number, now: number) => boolean
  readonly #onDrop: (intendedAt: number) => void
  readonly #backlog: NumberRing

  /** @param trySend false when no connection is free. */
  constructor(
    deps: {
      schedule: Schedule
      trySend: (intendedAt: number, now: number) => boolean
      onDrop: (intendedAt: number) => void
    },
    options: { backlogMax: number },
  ) {
    this.#schedule = deps.schedule
    this.#trySend = deps.trySend
    this.#onDrop = deps.onDrop
    this.#backlog = new NumberRing(options.backlogMax)
  }

  get backlog(): number {
    return this.#backlog.size
  }

  /** Handles every arrival that is due at `now`, the oldest first. */
  tick(now: number): void {
    this.drain(now)
    for (let due = this.#schedule.peek(); due <= now; due = this.#schedule.peek()) {
      this.#schedule.advance()
      this.counts.arrivals++
      if (now - due > TICK_LATE_MS) this.counts.missedTicks++
      if (this.#backlog.size === 0 && this.#trySend(due, now)) continue
      this.counts.delayed++
      if (this.#backlog.full) {
        this.counts.dropped++
        this.#onDrop(due)
      } else {
        this.#backlog.push(due)
        this.counts.backlogPeak = Math.max(this.counts.backlogPeak, this.#backlog.size)
      }
    }
  }

  /** Sends waiting arrivals for as long as connections are free. */
  drain(now: number): void {
    while (this.#backlog.size > 0) {
      const intendedAt = this.#backlog.peek()
      if (intendedAt === undefined || !this.#trySend(intendedAt, now)) return
      this.#backlog.shift()
    }
  }

  /** Drops the arrivals that still wait. */
  finish(): void {
    for (let due = this.#backlog.shift(); due !== undefined; due = this.#backlog.shift()) {
      this.counts.dropped++
      this.#onDrop(due)
    }
  }
}
