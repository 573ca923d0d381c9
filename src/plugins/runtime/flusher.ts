/** Delays and joins writes. */
import type { Clock } from '../../core/clock.ts'

/** Calls `write` some time after `touch`, and never twice at once. */
export type Flusher = {
  /** Asks for a write within the delay. A write that is due already covers it. */
  touch(): void
  /** Writes now, after the write under way. Rejects as `write` does. */
  flush(): Promise<void>
  /** Cancels the timer. A write under way continues. */
  stop(): void
}

/**
 * @param write must not reject. It is true when more is to be written, or a write is to be
 * repeated.
 */
export function createFlusher(
  clock: Clock,
  everyMs: number,
  write: () => Promise<boolean>,
): Flusher {
  let cancel: (() => void) | undefined
  let running: Promise<void> | undefined
  let queued: Promise<void> | undefined
  let isStopped = false

  const touch = () => {
    if (isStopped) return
    cancel ??= clock.after(everyMs, () => {
      cancel = undefined
      void flush()
    })
  }
  const run = (): Promise<void> => {
    cancel?.()
    cancel = undefined
    const work = async () => {
      const hasMore = await write()
      running = undefined
      if (hasMore) touch()
    }
    running = work()
    return running
  }
  const flush = (): Promise<void> => {
    if (running === undefined) return run()
    queued ??= running.then(() => {
      queued = undefined
      return run()
    })
    return queued
  }
  return {
    touch,
    flush,
    stop() {
      isStopped = true
      cancel?.()
      cancel = undefined
    },
  }
}
