/** Automatic retries: the one place that decides whether and when a failed request is sent again. */
import { failureOf } from './failure.ts'
import { afterInSight, tick } from './timers.ts'

const FLOOR_MS = 1_000
const CEILING_MS = 40_000
/** Longest `Retry-After` that is honoured. */
const ASKED_MS_MAX = 3_600_000

/**
 * The pause after the given number of failures in a row: it doubles from 1 s to 40 s, is never
 * shorter than `Retry-After`, and up to half longer at random, so that many tabs spread.
 */
export function pauseMs(failures: number, retryAfterS = 0, random = Math.random()): number {
  const grown = Math.min(CEILING_MS, FLOOR_MS * 2 ** (failures - 1))
  return Math.max(grown, Math.min(ASKED_MS_MAX, retryAfterS * 1_000)) * (1 + random / 2)
}

/** Failures in a row of one request, and the timer of its next try. */
export type Retry = {
  /**
   * Notes a failure and schedules `again`.
   * @param isTried by default where the failure may pass by itself.
   * @returns when it will run, on the clock of `tick`; undefined where it will not.
   */
  plan(error: unknown, again: () => void, isTried?: boolean): number | undefined
  /** Stops the timer; failures still count. */
  cancel(): void
  /** Stops the timer and forgets the failures. */
  reset(): void
}

export function createRetry(clock = { afterInSight, tick, random: Math.random }): Retry {
  let failures = 0
  let cancel = () => {}
  return {
    plan(error, again, isTried) {
      cancel()
      failures += 1
      const { isPassing, retryAfterS } = failureOf(error)
      if (!(isTried ?? isPassing)) return undefined
      const ms = pauseMs(failures, retryAfterS, clock.random())
      cancel = clock.afterInSight(ms, again)
      return clock.tick() + ms
    },
    cancel: () => cancel(),
    reset() {
      cancel()
      failures = 0
    },
  }
}
