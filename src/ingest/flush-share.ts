/** How much of the last seconds went by in flushes: what captures ask of the database. */
import type { Clock } from '../core/clock.ts'

export type FlushShare = {
  /** A flush has ended that took so many milliseconds. */
  add(ms: number): void
  /** From 0; more than 1 where flushes run beside one another. */
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
