/** Reports batches that have waited for the store for too long. */

import { afterIo, type Clock } from '../core/clock.ts'
import { WRITER_WAIT_MAX_MS } from '../core/limits/limits.ts'

/** Shortest interval at which the writer looks again while events wait for too long. */
export const WRITER_WATCH_MS = 100
/** Delay of a timer that shows that its own process was held up: the store gets more time. */
export const WRITER_STALL_MS = 250

export type Watched = {
  /** Arrival time of the oldest waiting batch, in monotonic milliseconds. */
  oldestAt(): number | undefined
  /** The oldest has waited for `WRITER_WAIT_MAX_MS`, or longer. */
  onOverdue(): void
}

/**
 * Finds overdue batches with one timer, however many wait: it is armed while any waits, and fires
 * when the oldest may be overdue.
 */
export class Watchdog {
  readonly #clock: Clock
  readonly #watched: Watched
  #isArmed = false

  constructor(clock: Clock, watched: Watched) {
    this.#clock = clock
    this.#watched = watched
  }

  /** Something waits. Cheap: called for each batch. */
  arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    this.#lookIn(WRITER_WAIT_MAX_MS, false)
  }

  #lookIn(ms: number, isExcused: boolean): void {
    const dueAt = this.#clock.monotonic() + ms
    this.#clock.after(ms, () => {
      const lateMs = this.#clock.monotonic() - dueAt
      // The timer is late because this process was paused: answers of the store may wait unread.
      // Excused once only: under steady load late timers must not hide a store that is away.
      if (lateMs > WRITER_STALL_MS && !isExcused) {
        this.#lookIn(Math.min(lateMs, WRITER_WAIT_MAX_MS), true)
      } else {
        // Answers that have arrived are read first.
        afterIo(() => this.#look())
      }
    })
  }

  #look(): void {
    const oldestAt = this.#watched.oldestAt()
    if (oldestAt !== undefined && this.#leftMs(oldestAt) <= 0) this.#watched.onOverdue()
    const nextAt = this.#watched.oldestAt()
    this.#isArmed = nextAt !== undefined
    if (nextAt !== undefined) this.#lookIn(Math.max(this.#leftMs(nextAt), WRITER_WATCH_MS), false)
  }

  #leftMs(oldestAt: number): number {
    return oldestAt + WRITER_WAIT_MAX_MS - this.#clock.monotonic()
  }
}
