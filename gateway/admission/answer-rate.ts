/** How many answers went out in the last second, and how long what they answer had waited. */

const WINDOW_MS = 100
const WINDOWS = 10

/** Ten windows of 100 ms, of which the oldest is used again. */
export class AnswerRate {
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
