import type { Clock } from '../../src/core/clock.ts'
import { HEDGE_AFTER_MS, RESCUE_TICK_MS } from '../../src/core/limits/limits.ts'

/** Looks after the calls of one worker while it is busy: one timer, however many calls. */
export type Watchdog = {
  /** The worker has got something to do. Costs nothing while it is watched already. */
  wake(): void
}

/** Ticks that are later than this tell of a stall of this process, not of the worker. */
const TICK_LATE_MS = 3 * RESCUE_TICK_MS

/**
 * `rescue` is called at each tick while the worker is busy and silent, with the time (monotonic ms)
 * before which a call must have been sent to be put elsewhere. A tick that comes late is passed
 * over: then this process stood still, and what the workers said meanwhile has not been read yet.
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
