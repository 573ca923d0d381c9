import type { Clock } from './clock.ts'
import { AppError } from './code.ts'
import { withDeadline } from './deadline.ts'
import { AWAY_PROBE_ATTEMPT_MS, AWAY_PROBE_MS } from './limits/limits-snapshots.ts'
import type { Log } from './log.ts'

/**
 * Questions to a store that may be away, for callers that have another answer then.
 *
 *   here -> (a question failed or was late) -> away -> (a question was answered) -> here
 *
 * `here`: each question is asked. `away`: each is refused at once, so that nobody waits; now and
 * then one is asked all the same, beside its caller, never two at a time.
 */
export type AwayGuard = {
  /** @throws what `ask` throws; `unavailable` when it is late or not asked at all. */
  ask<T>(ask: () => Promise<T>): Promise<T>
}

export function createAwayGuard(
  { clock, log }: { clock: Clock; log: Log },
  { ms, what }: { readonly ms: number; readonly what: string },
): AwayGuard {
  let isAway = false
  let isProbed = false
  let probeAt = 0

  const leave = (error: unknown) => {
    if (!isAway) log.warn('store is away', { what, error })
    isAway = true
    probeAt = clock.monotonic() + AWAY_PROBE_MS
  }

  const probe = async (ask: () => Promise<unknown>): Promise<void> => {
    isProbed = true
    try {
      await withDeadline(clock, { ms: AWAY_PROBE_ATTEMPT_MS, what }, ask())
      isAway = false
      log.info('store is back', { what })
    } catch (error) {
      leave(error)
    } finally {
      isProbed = false
    }
  }

  return {
    async ask(ask) {
      if (isAway) {
        if (!isProbed && clock.monotonic() >= probeAt) void probe(ask) // It never rejects.
        throw new AppError('unavailable', `${what}: the store is away`)
      }
      try {
        return await withDeadline(clock, { ms, what }, ask())
      } catch (error) {
        leave(error)
        throw error
      }
    },
  }
}
