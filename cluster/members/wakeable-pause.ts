/** The pauses of one loop, which others may cut short. */
import type { Clock } from '../../src/core/clock.ts'

export type WakeablePause = {
  /** Resolves after `ms`, when woken, or at once when closed or woken since the last pause. */
  pause(ms: number): Promise<void>
  /** Ends the pause; without one under way, the next pause ends at once. */
  wake(): void
  /** Wakes, and lets every later pause end at once. */
  close(): void
}

export function createWakeablePause(clock: Clock): WakeablePause {
  let current: AbortController | undefined
  let isWoken = false
  let isClosed = false

  const wake = () => {
    isWoken = true
    current?.abort()
  }
  return {
    async pause(ms) {
      if (!isClosed && !isWoken) {
        current = new AbortController()
        await clock.sleep(Math.max(0, ms), current.signal).catch(() => {
          // Woken.
        })
        current = undefined
      }
      isWoken = false
    },
    wake,
    close() {
      isClosed = true
      wake()
    },
  }
}
