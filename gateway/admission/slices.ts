/**
 * Runs captures in slices of a few milliseconds, in their order, so that decides and management
 * calls, which come in the same event loop, go between them.
 */

import { afterIo, type Clock } from '../../src/core/clock.ts'
import { HTTP_TURN_REQUESTS_MAX } from '../../src/core/limits/limits.ts'

/** Captures take a tenth of a millisecond each. */
const SLICE_MS = 5

export class Slices {
  readonly #clock: Pick<Clock, 'monotonic'>
  #waiting: (() => void)[] = []
  /** Captures run in this turn of the event loop. */
  #ran = 0
  #isDue = false

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Runs `work` now, or in a later turn when this one has brought many. */
  run<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (this.#waiting.length === 0 && this.#ran < HTTP_TURN_REQUESTS_MAX) {
      this.#ran += 1
      this.#nextTurn()
      return work()
    }
    return new Promise<T>((resolve) => {
      // A function that fails rejects, as it would without waiting.
      this.#waiting.push(() => resolve(new Promise((settle) => settle(work()))))
      this.#nextTurn()
    })
  }

  #nextTurn(): void {
    if (this.#isDue) return
    this.#isDue = true
    afterIo(() => this.#slice())
  }

  #slice(): void {
    this.#isDue = false
    this.#ran = 0
    const until = this.#clock.monotonic() + SLICE_MS
    let at = 0
    while (at < this.#waiting.length) {
      this.#waiting[at]?.()
      at += 1
      if (this.#clock.monotonic() >= until) break
    }
    this.#waiting = at === this.#waiting.length ? [] : this.#waiting.slice(at)
    if (this.#waiting.length > 0) this.#nextTurn()
  }
}
