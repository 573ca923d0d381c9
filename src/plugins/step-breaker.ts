import {
  PLUGIN_FAILURES_MAX,
  PLUGIN_TIMEOUTS_MAX,
  PLUGIN_TIMEOUTS_MS,
} from '../core/limits-plugins.ts'

export type BreakReason = 'failures' | 'timeouts'

/** Calls of one step, in order. Once broken it stays so. */
export type StepBreaker = {
  succeeded(): void
  /**
   * @param now monotonic milliseconds.
   * @returns why the step is to be disabled, with the failure that breaks it; undefined otherwise.
   */
  failed(now: number, isTimeout: boolean): BreakReason | undefined
  isBroken(): boolean
}

export function createStepBreaker(): StepBreaker {
  let inARow = 0
  let timeouts: readonly number[] = []
  let broken = false

  const reason = (): BreakReason | undefined => {
    if (timeouts.length >= PLUGIN_TIMEOUTS_MAX) return 'timeouts'
    return inARow >= PLUGIN_FAILURES_MAX ? 'failures' : undefined
  }

  return {
    succeeded() {
      inARow = 0
    },
    failed(now, isTimeout) {
      if (broken) return undefined
      inARow += 1
      if (isTimeout) {
        timeouts = [...timeouts.filter((at) => now - at < PLUGIN_TIMEOUTS_MS), now]
      }
      const why = reason()
      broken = why !== undefined
      return why
    },
    isBroken: () => broken,
  }
}
