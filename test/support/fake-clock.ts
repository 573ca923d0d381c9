/** A clock that the test moves. */
import type { Clock } from '../../src/core/clock.ts'

type Timer = { at: number; run: () => void }

/** A clock that stops until `advance`. Timers run in the order of their times. */
export type FakeClock = Clock & {
  advance(ms: number): Promise<void>
  /** Time passes while this process is frozen: timers that are due run late, at its end. */
  stall(ms: number): Promise<void>
  /** Moves the wall clock only. */
  jump(ms: number): void
  timers(): number
}

export function createFakeClock(startMs = 1_700_000_000_000): FakeClock {
  let elapsed = 0
  let offset = startMs
  let timers: Timer[] = []

  const after = (ms: number, run: () => void) => {
    const timer = { at: elapsed + ms, run }
    timers.push(timer)
    return () => {
      timers = timers.filter((each) => each !== timer)
    }
  }
  /** Lets resolved promises of timers continue before the next timer runs. */
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }

  return {
    now: () => offset + elapsed,
    monotonic: () => elapsed,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason)
          return
        }
        const onAbort = () => {
          cancel()
          reject(signal?.reason)
        }
        const cancel = after(ms, () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        })
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    async advance(ms) {
      const until = elapsed + ms
      await settle()
      for (;;) {
        const next = first(timers)
        if (next === undefined || next.at > until) break
        elapsed = next.at
        timers = timers.filter((each) => each !== next)
        next.run()
        await settle()
      }
      elapsed = until
    },
    async stall(ms) {
      elapsed += ms
      const due = timers.filter(({ at }) => at <= elapsed).sort((a, b) => a.at - b.at)
      for (const timer of due) {
        timers = timers.filter((each) => each !== timer)
        timer.run()
        await settle()
      }
    },
    jump(ms) {
      offset += ms
    },
    timers: () => timers.length,
  }
}

/** The timer due first; of several due at one time, the one that was set first. */
function first(timers: readonly Timer[]): Timer | undefined {
  let found = timers[0]
  for (const timer of timers) if (found !== undefined && timer.at < found.at) found = timer
  return found
}
