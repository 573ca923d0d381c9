/** Measures how long work blocks the event loop. */
import type { Test } from 'tap'

const TICK_MS = 20

/**
 * Milliseconds that pass for timers of this process: counted ticks, not clock time. It stops with
 * the process or the machine, so an upper bound on it is broken by a wait that is too long, and
 * not by a busy machine.
 */
export function startLoopTime(t: Test): () => number {
  let ticks = 0
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(() => {
      ticks += 1
      wait()
    }, TICK_MS).unref()
  }
  wait()
  t.teardown(() => clearTimeout(timer))
  return () => ticks * TICK_MS
}
