/** Calls that wait for a shard which may be coming to this worker. */
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import { unavailableDetail } from '../../src/wire/details.ts'
import { NotOwnerError } from './not-owner.ts'
import type { ShardAvailability } from './shard-availability.ts'

/** Calls that wait for shards of one worker, over all of them; one more gets 503. */
export const HOLD_WAITERS_MAX = 4_096

export type ShardWaiters = {
  /**
   * The epoch under which the shard is held; at once when it is held already.
   * @param until monotonic time of the clock.
   * @throws {NotOwnerError} as soon as another member owns it, and at `until`.
   * @throws {AppError} `resource_exhausted` when HOLD_WAITERS_MAX calls wait already.
   * @throws the signal's reason when it aborts.
   */
  wait(shard: ShardId, until: number, signal?: AbortSignal): Promise<Epoch>
  /** Something has changed: every waiting call looks at its shard again. */
  settle(): void
}

export function createShardWaiters({
  clock,
  availability,
}: {
  readonly clock: Clock
  readonly availability: (shard: ShardId) => ShardAvailability
}): ShardWaiters {
  /** One function for each waiting call: it looks at its shard again. */
  const waiting = new Set<() => void>()

  const wait = (shard: ShardId, until: number, signal: AbortSignal | undefined): Promise<Epoch> =>
    new Promise((resolve, reject) => {
      let cancel: () => void = () => {}
      const end = (finish: () => void) => {
        cancel()
        signal?.removeEventListener('abort', onAbort)
        waiting.delete(look)
        finish()
      }
      const look = () => {
        const now = availability(shard)
        if (now.kind === 'held') end(() => resolve(now.epoch))
        if (now.kind === 'elsewhere') {
          end(() => reject(new NotOwnerError(shard, now.owner)))
        }
      }
      const onAbort = () => end(() => reject(signal?.reason))
      if (signal?.aborted) {
        onAbort()
        return
      }
      waiting.add(look)
      look()
      if (!waiting.has(look)) return
      if (waiting.size > HOLD_WAITERS_MAX) {
        end(() => reject(tooMany(shard)))
        return
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      // The claim or hand-off has taken too long: no owner is known.
      cancel = clock.after(Math.max(0, until - clock.monotonic()), () => {
        end(() => reject(new NotOwnerError(shard, undefined)))
      })
    })

  return {
    wait: (shard, until, signal) => wait(shard, until, signal),
    settle() {
      for (const look of [...waiting]) look()
    },
  }
}

function tooMany(shard: ShardId): AppError {
  return new AppError('resource_exhausted', `too many calls wait for shards, one for ${shard}`, {
    detail: { ...unavailableDetail, httpStatus: 503 },
  })
}
