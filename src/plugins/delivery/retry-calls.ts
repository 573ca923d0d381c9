/** Repeats calls of plugins that ask for it by a `RetryError`. */
import { type Backoff, backoffMs } from '../../core/backoff.ts'
import type { Log } from '../../core/log.ts'
import type { CallAnswer } from '../ports.ts'

/** The most calls in all, and the first pause, which doubles. */
export type RetryRule = Backoff & { readonly callsMax: number }

/** At most a tenth, so that calls that failed together are not repeated together. */
const JITTER = 0.1

/**
 * Milliseconds until the next call, after `calls` of them.
 * @returns undefined when there is none: the call succeeded, threw no `RetryError`, or was the
 * last.
 */
export function retryAfterMs(
  answer: CallAnswer,
  calls: number,
  rule: RetryRule,
  random: () => number,
): number | undefined {
  if (answer.ok || !answer.error.isRetry || calls >= rule.callsMax) return undefined
  return backoffMs(rule, calls) * (1 + random() * JITTER)
}

/** The answer of a call. A call must not reject; when it does, the answer is a failure. */
export async function answerOf(log: Log, call: () => Promise<CallAnswer>): Promise<CallAnswer> {
  try {
    return await call()
  } catch (error) {
    log.error('a plugin call failed', { error })
    const message = 'The plugin could not be called'
    return {
      ok: false,
      error: { name: 'Error', message, stack: '', isRetry: false, isTimeout: false },
    }
  }
}
