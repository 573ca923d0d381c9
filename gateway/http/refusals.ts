/**
 * Holds back refusals of what is too much. Clients that ask again at once would have the gateway
 * refuse all the time, and store nothing: so each refusal waits for `HOLD_MS`, and
 * `TICK_REFUSALS_MAX` are answered each `TICK_MS`, but for those that have waited for `HOLD_MAX_MS`.
 */

import type { Clock } from '../../src/core/clock.ts'

const HOLD_MS = 100
const HOLD_MAX_MS = 3_000
const TICK_MS = 20
/** 5,000 a second, which take a fifth of a core. */
const TICK_REFUSALS_MAX = 100
/** Some kilobytes each. */
const HELD_MAX = 20_000

type Held = { readonly atMs: number; readonly answer: () => void }

export class Refusals {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>
  #held: Held[] = []
  #isTicking = false

  constructor(clock: Pick<Clock, 'monotonic' | 'after'>) {
    this.#clock = clock
  }

  /** How many wait. */
  get count(): number {
    return this.#held.length
  }

  /** Calls back when the refusal may be answered. In the order in which they came. */
  hold(answer: () => void): void {
    this.#held.push({ atMs: this.#clock.monotonic(), answer })
    if (this.#held.length > HELD_MAX) this.#held.shift()?.answer()
    this.#tickLater()
  }

  #tickLater(): void {
    if (this.#isTicking) return
    this.#isTicking = true
    this.#clock.after(TICK_MS, () => this.#tick())
  }

  #tick(): void {
    this.#isTicking = false
    const now = this.#clock.monotonic()
    const isDue = ({ atMs }: Held, at: number) =>
      now - atMs >= (at < TICK_REFUSALS_MAX ? HOLD_MS : HOLD_MAX_MS)
    const kept = this.#held.findIndex((held, at) => !isDue(held, at))
    for (const { answer } of this.#held.splice(0, kept === -1 ? this.#held.length : kept)) answer()
    if (this.#held.length > 0) this.#tickLater()
  }
}
