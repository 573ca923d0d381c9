/** Time as a dependency: the only file that reads a clock or sets a timer. */
export type Clock = {
  /** Wall clock, milliseconds since the epoch. Shown and stored; never decides a lease. */
  now(): number
  /** Monotonic milliseconds from an arbitrary start. */
  monotonic(): number
  /** Resolves after `ms`, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `run` once after `ms`; the answer cancels it. Does not keep the process alive. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(ms, signal) {
    return new Promise<void>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  },
  after(ms, run) {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Runs the callback once the I/O events of this turn of the event loop have been handled. */
export function afterIo(run: () => void): void {
  setImmediate(run)
}
