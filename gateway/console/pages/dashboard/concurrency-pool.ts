/** Bounds the questions that a page asks at a time. */

export type ConcurrencyPool = <Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>

/** @param atOnce how many run at a time; others follow in the order in which they came. */
export function createConcurrencyPool(atOnce: number): ConcurrencyPool {
  let running = 0
  const waiting: (() => void)[] = []
  const done = () => {
    const next = waiting.shift()
    // The next one takes its place.
    if (next === undefined) running -= 1
    else next()
  }
  return async (signal, work) => {
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      done()
    }
  }
}
