import type { Clock } from '../../src/core/clock.ts'

/** The pauses of one loop, which others may cut short. */
export type Pauses = {
  /** Resolves after `ms`, when woken, or at once when closed or woken since the last pause. */
  pause(ms: number): Promise<void>
  wake(): void
  /** Wakes, and lets no pause last any more. */
  close(): void
}

export function createPauses(clock: Clock): Pauses {
  let current: AbortController | undefined
  let woken = false
  let closed = false

  const wake = () => {
    woken = true
    current?.abort()
  }
  return {
    async pause(ms) {
      if (!closed && !woken) {
        current = new AbortController()
        await clock.sleep(Math.max(0, ms), current.signal).catch(() => {
          // Woken.
        })
        current = undefined
      }
      woken = false
    },
    wake,
    close() {
      closed = true
      wake()
    },
  }
}
