import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'

/** A call that had no effect because its shard is moving is tried again for this long. */
export const HOLD_MS = 3_000
/** Half to all of this before the first retry; doubles, up to the second. */
export const HOLD_PAUSE_MS = 50
const HOLD_PAUSE_MAX_MS = 400
/** Calls held by one gateway; over it they get their 503 at once. */
export const HELD_CALLS_MAX = 1_000

/** Holds calls whose shard is moving to another worker. */
export type Hold = {
  /**
   * Runs `attempt` again, with pauses, while it fails without having had an effect: for HOLD_MS
   * from the beginning, and for at most HELD_CALLS_MAX calls at a time.
   * @throws what the last attempt failed with; {AppError} `cancelled` when `signal` aborts.
   */
  run<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>
  /** Calls held now. */
  held(): number
}

export function createHold({ clock, random }: { clock: Clock; random: () => number }): Hold {
  let held = 0

  const retry = async <T>(
    attempt: () => Promise<T>,
    until: number,
    signal: AbortSignal | undefined,
    first: unknown,
  ): Promise<T> => {
    let error = first
    for (let pauseMs = HOLD_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, HOLD_PAUSE_MAX_MS)) {
      const ms = (pauseMs * (1 + random())) / 2
      if (clock.monotonic() + ms >= until) throw error
      await pause(clock, ms, signal)
      try {
        return await attempt()
      } catch (failure) {
        if (!hadNoEffect(failure)) throw failure
        error = failure
      }
    }
  }

  return {
    async run(attempt, signal) {
      const until = clock.monotonic() + HOLD_MS
      try {
        return await attempt()
      } catch (error) {
        if (!hadNoEffect(error) || held >= HELD_CALLS_MAX) throw error
        held++
        try {
          return await retry(attempt, until, signal, error)
        } finally {
          held--
        }
      }
    },
    held: () => held,
  }
}

async function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await clock.sleep(ms, signal)
  } catch (cause) {
    throw new AppError('cancelled', 'the caller left while its call was held', { cause })
  }
}

/** The worker answered that nothing was done, or the call never reached it. */
function hadNoEffect(error: unknown): boolean {
  if (error instanceof NoAnswerError) return !error.sent
  return error instanceof AppError && error.code === 'not_owner'
}
