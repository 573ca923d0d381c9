/**
 * Judges whether the store is away:
 *
 *   here -> (it reports so, or a probe fails after something was late or lost) -> away
 *   away -> (several probes in a row are answered) -> here
 */

import type { Clock } from '../core/clock.ts'
import { assert } from '../core/code.ts'
import { WRITER_WAIT_MAX_MS } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import { Outages, type OutageWords } from '../core/logging/outages.ts'
import { Breaker, type BreakerStatus } from './breaker.ts'
import { probe } from './probe.ts'
import type { IngestStore, StoreError } from './store-port.ts'

/** A store that has answered within this time is behind, not away. */
export const STORE_QUIET_MS = 500
/** The store is away until it has answered this many pings in a row. */
export const STORE_GOOD_PINGS_MIN = 3
/** Interval of probes while the store is down, plus up to a quarter of jitter. */
export const STORE_PROBE_MS = 1_000
assert(STORE_QUIET_MS < WRITER_WAIT_MAX_MS, 'a store that answers nothing is away')

export type StoreWatchDeps = {
  readonly clock: Clock
  readonly log: Log
  random(): number
  readonly store: Pick<IngestStore, 'ping'>
}

export type StoreWatchOptions = {
  /** Ends the probes. */
  readonly signal: AbortSignal
  /** A probe has failed too. */
  onAway(cause: StoreError): void
  /** The store is back. */
  onBack(): void
}

const WORDS: OutageWords = {
  level: 'warn',
  away: 'store unreachable, refusing events',
  back: 'store answers again',
}

export class StoreWatch {
  readonly #deps: StoreWatchDeps
  readonly #options: StoreWatchOptions
  readonly #breaker: Breaker
  readonly #outages: Outages
  #probing: Promise<void> = Promise.resolve()
  #isSuspected = false
  /** Time of the store's last answer; monotonic. */
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(deps: StoreWatchDeps, options: StoreWatchOptions) {
    this.#deps = deps
    this.#options = options
    this.#outages = new Outages(deps, WORDS)
    this.#breaker = new Breaker(STORE_GOOD_PINGS_MIN, deps.clock.monotonic())
  }

  get isAway(): boolean {
    return this.#breaker.isOpen
  }

  /** Reason why it is away: the newest failure. */
  get cause(): unknown {
    return this.#breaker.cause
  }

  /** True when it has answered nothing for a while. */
  get isQuiet(): boolean {
    return this.#deps.clock.monotonic() - this.#answeredAt >= STORE_QUIET_MS
  }

  status(nowMs: number): BreakerStatus {
    return this.#breaker.status(nowMs)
  }

  answered(): void {
    this.#answeredAt = this.#deps.clock.monotonic()
  }

  /** The store may be away. It is when it does not answer a probe either, which no row holds up. */
  suspect(cause: StoreError): void {
    if (this.#isSuspected || this.isAway) return
    this.#isSuspected = true
    this.#deps.store.ping().then(
      () => {
        this.#isSuspected = false
        this.answered()
      },
      () => {
        this.#isSuspected = false
        if (!this.#options.signal.aborted) this.#options.onAway(cause)
      },
    )
  }

  /** It is away: probes begin, unless they are under way. */
  open(cause: StoreError): void {
    const { clock, random, store } = this.#deps
    if (!this.#breaker.open(cause, clock.monotonic())) return
    this.#outages.away({ error: cause })
    const { signal, onBack } = this.#options
    const options = { intervalMs: STORE_PROBE_MS, ping: () => store.ping() }
    this.#probing = probe({ clock, random }, this.#breaker, options, signal).then(() => {
      if (this.isAway) return
      onBack()
      this.#outages.back()
    })
  }

  /** Resolves once no probe is under way. */
  async ended(): Promise<void> {
    await this.#probing
  }
}
