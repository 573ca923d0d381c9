/** Decides when a step is disabled for its failures. */

import { PLUGIN_FAILURES_MAX, PLUGIN_TIMEOUTS_MAX } from '../../core/limits/limits-plugins.ts'
import type { CallCategory } from '../ports.ts'

/** Time in which `PLUGIN_TIMEOUTS_MAX` time-outs disable a config. */
export const PLUGIN_TIMEOUTS_MS = 300_000

export type BreakReason = 'failures' | 'timeouts'

/** Counts the calls of one step. Calls of a category come in order. A broken step stays broken. */
export type StepBreaker = {
  succeeded(category: CallCategory): void
  /**
   * @param now monotonic milliseconds.
   * @returns why the step must be disabled, for the failure that decides it; undefined otherwise.
   */
  failed(category: CallCategory, now: number, isTimeout: boolean): BreakReason | undefined
  isBroken(): boolean
}

export function createStepBreaker(): StepBreaker {
  const inARow = new Map<CallCategory, number>()
  let timeouts: readonly number[] = []
  let broken = false

  const reason = (failures: number): BreakReason | undefined => {
    if (timeouts.length >= PLUGIN_TIMEOUTS_MAX) return 'timeouts'
    return failures >= PLUGIN_FAILURES_MAX ? 'failures' : undefined
  }

  return {
    succeeded(category) {
      inARow.delete(category)
    },
    failed(category, now, isTimeout) {
      if (broken) return undefined
      const failures = (inARow.get(category) ?? 0) + 1
      inARow.set(category, failures)
      if (isTimeout) {
        timeouts = [...timeouts.filter((at) => now - at < PLUGIN_TIMEOUTS_MS), now]
      }
      const why = reason(failures)
      broken = why !== undefined
      return why
    },
    isBroken: () => broken,
  }
}
