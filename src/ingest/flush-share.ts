/** Share of the last seconds that flushes took: the load of captures on the database. */
import type { Clock } from '../core/clock.ts'

export type FlushShare = {
  /** Adds a finished flush and its duration. */
  add(ms: number): void
  /** From 0; more than 1 when flushes run in parallel. */
  now(): number
}

/** Time constant of the average: a sample this old has about a third of its weight. */
const MEMORY_MS = 2_000

export function createFlushShare(clock: Pick<Clock, 'monotonic'>): FlushShare {
  let flushedMs = 0
  let lookedAt = clock.monotonic()
  const fade = () => {
    const nowMs = clock.monotonic()
    flushedMs *= Math.exp((lookedAt - nowMs) / MEMORY_MS)
    lookedAt = nowMs
  }
  return {
    add(ms) {
      fade()
      flushedMs += ms
    },
    now() {
      fade()
      return flushedMs / MEMORY_MS
    },
  }
}
