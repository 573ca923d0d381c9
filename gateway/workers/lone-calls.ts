/** Counts calls that travel alone, and tells their callers when the calls hang. */
export type LoneCalls = {
  /** @param onSilent called at most once, when the call is rescued. */
  track<T>(answer: Promise<T>, onSilent: (() => void) | undefined): Promise<T>
  /** Tells the callers of calls that were sent at `sentBefore` (monotonic ms) or earlier. */
  rescue(sentBefore: number): void
  inFlight(): number
  drained(): Promise<void>
}

type Call = { readonly sentAt: number; readonly onSilent: () => void }

/** @param now monotonic milliseconds. */
export function createLoneCalls(now: () => number): LoneCalls {
  const watched = new Set<Call>()
  const idleWaiters: (() => void)[] = []
  let inFlight = 0

  return {
    async track(answer, onSilent) {
      const call = onSilent === undefined ? undefined : { sentAt: now(), onSilent }
      if (call !== undefined) watched.add(call)
      inFlight++
      try {
        return await answer
      } finally {
        inFlight--
        if (call !== undefined) watched.delete(call)
        if (inFlight === 0) for (const wake of idleWaiters.splice(0)) wake()
      }
    },
    rescue(sentBefore) {
      for (const call of [...watched]) {
        if (call.sentAt > sentBefore) continue
        watched.delete(call)
        call.onSilent()
      }
    },
    inFlight: () => inFlight,
    drained() {
      if (inFlight === 0) return Promise.resolve()
      return new Promise((resolve) => {
        idleWaiters.push(resolve)
      })
    },
  }
}
