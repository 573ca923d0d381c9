import type { Clock } from '../../core/clock.ts'

/** Calls `write` some time after it was asked for, never twice at once. */
export type Flusher = {
  /** There is something to write: within the time, unless that is under way. */
  touch(): void
  /** Writes now, after the one that is under way. Rejects as `write` does. */
  flush(): Promise<void>
  /** No timer runs any more; what is under way goes on. */
  stop(): void
}

/** @param write must not reject; true when there is more to write, or to try again. */
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
