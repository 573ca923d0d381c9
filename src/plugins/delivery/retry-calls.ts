import type { Log } from '../../core/log.ts'
import type { CallAnswer } from '../ports.ts'

/** Calls in all of what throws a `RetryError`, and the first wait, which doubles. */
export type RetryRule = { readonly callsMax: number; readonly firstMs: number }

/** A tenth at most, so that what failed together does not come back together. */
const JITTER = 0.1

/**
 * Milliseconds until the next call, after `calls` of them.
 * @returns undefined when the answer is final: it is well, no `RetryError`, or the last one.
 */
export function retryAfterMs(
  answer: CallAnswer,
  calls: number,
  rule: RetryRule,
  random: () => number,
): number | undefined {
  if (answer.ok || !answer.error.isRetry || calls >= rule.callsMax) return undefined
  return rule.firstMs * 2 ** (calls - 1) * (1 + random() * JITTER)
}

/** The answer of a call that never rejects, and that of a fault when it does so after all. */
export async function answerOf(log: Log, call: () => Promise<CallAnswer>): Promise<CallAnswer> {
  try {
    return await call()
  } catch (error) {
    log.error('a plugin call rejected', { error })
    const message = 'The plugin could not be called'
    return {
      ok: false,
      error: { name: 'Error', message, stack: '', isRetry: false, isTimeout: false },
    }
  }
}
