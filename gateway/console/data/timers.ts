/** The console's clock: the only place that reads time or sets timers. */

/** Milliseconds since the epoch. */
export function now(): number {
  return Date.now()
}

/** Runs `work` once. @returns what takes it back. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/** Resolves after a time, and at once when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(ms, resolve)
    const leave = () => {
      cancel()
      resolve()
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}
