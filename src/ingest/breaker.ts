/**
 * State machine for a store that may be away:
 *
 *   closed -> (found away) -> open -> (good probes in a row) -> closed
 *
 * While it is open no caller waits for the store; only probes reach it. Pure: time is a parameter.
 */
export type BreakerStatus = {
  readonly kind: 'closed' | 'open'
  /** Since when it is so, in ms. */
  readonly forMs: number
  /** Number of times that it has opened. */
  readonly opened: number
}

export class Breaker {
  readonly #goodMin: number
  #state: { readonly cause: unknown; good: number } | undefined
  #changedAt: number
  #opened = 0

  /** @param nowMs monotonic, as everywhere here. */
  constructor(goodMin: number, nowMs: number) {
    this.#goodMin = goodMin
    this.#changedAt = nowMs
  }

  get isOpen(): boolean {
    return this.#state !== undefined
  }

  /** Reason why it is open: the newest failure. */
  get cause(): unknown {
    return this.#state?.cause
  }

  /** @returns true when it was closed until now. */
  open(cause: unknown, nowMs: number): boolean {
    const wasClosed = this.#state === undefined
    this.#state = { cause, good: 0 }
    if (wasClosed) {
      this.#changedAt = nowMs
      this.#opened += 1
    }
    return wasClosed
  }

  /** A probe was answered. @returns true when that closes it. */
  succeeded(nowMs: number): boolean {
    if (this.#state === undefined) return false
    this.#state.good += 1
    if (this.#state.good < this.#goodMin) return false
    this.#state = undefined
    this.#changedAt = nowMs
    return true
  }

  /** A probe was not answered: those before it do not count. */
  failed(cause: unknown): void {
    if (this.#state !== undefined) this.#state = { cause, good: 0 }
  }

  status(nowMs: number): BreakerStatus {
    const forMs = nowMs - this.#changedAt
    return { kind: this.isOpen ? 'open' : 'closed', forMs, opened: this.#opened }
  }
}
