/** Lets work wait for its turn, so that a page of many questions asks a few at a time. */

export type Turns = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>

/** @param atOnce how many run at a time; others follow in the order in which they came. */
export function createTurns(atOnce: number): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  const done = () => {
    const next = waiting.shift()
    // Its turn goes to the next one.
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
