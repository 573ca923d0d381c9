/** Tries a statement of a flush again, within the time that its batches have. */

import { type Backoff, backoffMs } from '../core/backoff.ts'
import type { Clock } from '../core/clock.ts'
import { isTransient } from './store-port.ts'

/** Attempts at a flush. */
export const FLUSH_ATTEMPTS_MAX = 5
/** Full jitter before attempt n: up to the first, doubled each time, never above the second. */
const FLUSH_RETRY_MS = 25
const FLUSH_RETRY_MAX_MS = 500

export type RetryDeps = { readonly clock: Clock; random(): number }

export type RetryUntil = {
  /** No attempt starts after it. Monotonic milliseconds. */
  readonly deadline: number
  /** False once no caller waits for the outcome. */
  isWanted(): boolean
}

const BACKOFF: Backoff = { firstMs: 2 * FLUSH_RETRY_MS, maxMs: FLUSH_RETRY_MAX_MS }

/**
 * Tries until the store answers, the attempts are used up, or no other may start. Full jitter
 * between attempts.
 * @throws the error of the last attempt; at once an error that a retry cannot help.
 */
export async function retryStore<T>(
  { clock, random }: RetryDeps,
  { deadline, isWanted }: RetryUntil,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      const delayMs = random() * backoffMs(BACKOFF, tried)
      const isInTime = clock.monotonic() + delayMs < deadline
      if (!isTransient(error) || !isInTime || !isWanted() || tried === FLUSH_ATTEMPTS_MAX)
        throw error
      await clock.sleep(delayMs)
      if (!isWanted()) throw error
    }
  }
}
