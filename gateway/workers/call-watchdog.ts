import type { Clock } from '../../src/core/clock.ts'
import { RESCUE_TICK_MS } from '../../src/core/limits/limits.ts'

/** Time after which a call to a suspect worker is sent to another one as well. */
const HEDGE_AFTER_MS = 500

/** Watches the calls of one worker while it is busy, with one timer for all of them. */
export type Watchdog = {
  /** Called when the worker gets a call. Costs nothing while it is watched already. */
  wake(): void
}

/**
 * A tick that is later than this shows that this process was frozen, not that the worker is silent.
 */
const TICK_LATE_MS = 3 * RESCUE_TICK_MS

/**
 * Calls `rescue` at each tick while the worker is busy and silent, with a time (monotonic ms):
 * calls that were sent before it go to another worker as well. A late tick is skipped, because this
 * process was frozen and has not yet read the answers that arrived meanwhile.
 */
export function createWatchdog(deps: {
  clock: Clock
  busy: () => boolean
  silent: () => boolean
  rescue: (sentBefore: number) => void
}): Watchdog {
  const { clock } = deps
  let awake = false

  const arm = () => {
    const armedAt = clock.monotonic()
    clock.after(RESCUE_TICK_MS, () => {
      const now = clock.monotonic()
      if (now - armedAt <= TICK_LATE_MS && deps.silent()) deps.rescue(now - HEDGE_AFTER_MS)
      if (deps.busy()) arm()
      else awake = false
    })
  }
  return {
    wake() {
      if (awake) return
      awake = true
      arm()
    },
  }
}
