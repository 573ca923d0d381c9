/** Bounds concurrent look-ups of names. */
import type { LookupFunction } from 'node:net'

/**
 * A look-up that runs a bounded number of times at once. The system resolves names in the threads
 * that also read files and inflate, and names without an answer must not occupy all of them.
 * @returns the look-up of one request. When it is aborted while it waits, no name is resolved.
 */
export function createLimitedLookup(
  lookup: LookupFunction,
  runningMax: number,
): (signal: AbortSignal) => LookupFunction {
  const waiting = new Set<() => void>()
  let running = 0

  const startNext = () => {
    for (const start of waiting) {
      if (running >= runningMax) return
      waiting.delete(start)
      start()
    }
  }

  return (signal) => (host, options, callback) => {
    const forget = () => waiting.delete(start)
    const start = () => {
      signal.removeEventListener('abort', forget)
      running++
      lookup(host, options, (error, address, family) => {
        running--
        callback(error, address, family)
        startNext()
      })
    }
    waiting.add(start)
    signal.addEventListener('abort', forget, { once: true })
    startNext()
  }
}
