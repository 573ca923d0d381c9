/** Lets so much work run at a time. The rest waits in the order of the calls, up to a bound. */

export type Gate = {
  /** @throws errors of `refuse` or `cancelled` before the work has begun; then errors of `work`. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Nothing runs, and so nothing waits. */
  isIdle(): boolean
}

export type GateOptions = {
  readonly runningMax: number
  readonly waitingMax: number
  /** The error of a call for which there is no room to wait. */
  readonly refuse: () => Error
  /** The error of a call whose signal aborts while it waits; the signal's reason by default. */
  readonly cancelled?: (reason: unknown) => Error
}

export function createGate(options: GateOptions): Gate {
  const { runningMax, waitingMax, refuse, cancelled = (reason: unknown) => reason } = options
  const waiting = new Set<() => void>()
  let running = 0

  const wait = (signal: AbortSignal | undefined) => {
    if (waiting.size >= waitingMax) throw refuse()
    return placeOf(waiting, signal, cancelled)
  }

  const leave = () => {
    const [next] = waiting
    if (next === undefined) {
      running--
      return
    }
    // The place is handed on, not given back: no later call overtakes those that wait.
    waiting.delete(next)
    next()
  }

  return {
    async run(work, signal) {
      if (running < runningMax) running++
      else await wait(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    isIdle: () => running === 0,
  }
}

/** Resolves when a place is handed over. */
function placeOf(
  waiting: Set<() => void>,
  signal: AbortSignal | undefined,
  cancelled: (reason: unknown) => unknown,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      waiting.delete(start)
      reject(cancelled(signal?.reason))
    }
    const start = () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    if (signal?.aborted) {
      onAbort()
      return
    }
    waiting.add(start)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
