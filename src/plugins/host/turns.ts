import { ArgumentRefused } from './arguments.ts'

/** Runs so many pieces of work at a time; the next ones wait, first come, first served. */
export type Turns = {
  /**
   * @returns what `work` resolves with.
   * @throws {ArgumentRefused} when too much waits already.
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createTurns(bounds: { runningMax: number; waitingMax: number }): Turns {
  const waiting: (() => void)[] = []
  let running = 0

  return {
    async run(work) {
      if (running < bounds.runningMax) {
        running++
      } else {
        if (waiting.length >= bounds.waitingMax) {
          throw new ArgumentRefused('too many calls to the server are under way')
        }
        // Whoever ends hands its turn on.
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) running--
        else next()
      }
    },
  }
}
