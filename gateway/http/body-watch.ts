import type { Clock } from '../../src/core/clock.ts'
import type { HttpBounds } from './http-server.ts'

/**
 * Cuts slow bodies: each time window must bring `bodyWindowBytesMin` or the end of the body.
 * uWebSockets.js has the same rule; this copy serves both servers and runs on a test's clock. A
 * body that arrives in one piece starts no watch.
 */
export class BodyWatch {
  readonly #clock: Clock
  readonly #bounds: HttpBounds
  readonly #cut: () => void
  #cancel: (() => void) | undefined
  #received = 0

  constructor(clock: Clock, bounds: HttpBounds, cut: () => void) {
    this.#clock = clock
    this.#bounds = bounds
    this.#cut = cut
  }

  /** Opens the first window, unless one is open. */
  start(): void {
    this.#cancel ??= this.#clock.after(this.#bounds.bodyWindowMs, this.#cut)
  }

  add(bytes: number): void {
    this.#received += bytes
    if (this.#received < this.#bounds.bodyWindowBytesMin) return
    this.#received = 0
    this.stop()
    this.start()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
