/** Time as a dependency. No other file reads a clock or sets a timer. */
export type Clock = {
  /** Wall clock, milliseconds since the epoch. Shown and stored; never decides a lease. */
  now(): number
  /** Monotonic milliseconds from an arbitrary start. */
  monotonic(): number
  /** Resolves after `ms`, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `run` once after `ms`; returns a function that cancels it. Does not keep the process
   * alive.
   */
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

/** Runs the callback after the I/O events of this event loop tick. */
export function afterIo(run: () => void): void {
  setImmediate(run)
}

/** Yields to all waiting work of the event loop: for long loops. */
export async function yieldToEventLoop(): Promise<void> {
  await new Promise<void>(afterIo)
}
