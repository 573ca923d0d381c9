/** Probes a store that is away until it answers again. */

import type { Clock } from '../core/clock.ts'
import type { Breaker } from './breaker.ts'

export type ProbeDeps = {
  readonly clock: Clock
  /** 0 to 1, for jitter. */
  random(): number
}

export type ProbeOptions = {
  /** Pause before each ping, plus up to a quarter of jitter. */
  readonly intervalMs: number
  /** Must settle by itself. */
  ping(): Promise<unknown>
}

/** Probes until the breaker has closed or the signal aborts. Pings never overlap. Never rejects. */
export async function probe(
  { clock, random }: ProbeDeps,
  breaker: Breaker,
  { intervalMs, ping }: ProbeOptions,
  signal: AbortSignal,
): Promise<void> {
  while (breaker.isOpen) {
    try {
      await clock.sleep(intervalMs * (1 + random() / 4), signal)
    } catch {
      return // Its owner is closing.
    }
    try {
      await ping()
      breaker.succeeded(clock.monotonic())
    } catch (error) {
      breaker.failed(error)
    }
  }
}
