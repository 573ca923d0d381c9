import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import { HOLD_WAITERS_MAX } from '../../src/core/limits/limits.ts'
import { unavailableDetail } from '../../src/wire/details.ts'
import { NotOwnerError } from './not-owner.ts'
import type { Outlook } from './shard-availability.ts'

/** Calls that wait for a shard which may be coming to this worker. */
export type ShardWaiters = {
  /**
   * The epoch, at once when the shard is held.
   * @param until monotonic time of the clock.
   * @throws {NotOwnerError} as soon as it is another's, and at `until`.
   * @throws {AppError} `resource_exhausted` when too many wait. The signal's reason when it aborts.
   */
  wait(shard: ShardId, until: number, signal?: AbortSignal): Promise<Epoch>
  /** Looks at every waiting call again: something has changed. */
  settle(): void
}

export function createShardWaiters(deps: {
  readonly clock: Clock
  outlook(shard: ShardId): Outlook
}): ShardWaiters {
  const { clock } = deps
  /** Each looks at its shard again. */
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
        const outlook = deps.outlook(shard)
        if (outlook.kind === 'held') end(() => resolve(outlook.epoch))
        if (outlook.kind === 'elsewhere') {
          end(() => reject(new NotOwnerError(shard, outlook.owner)))
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
      // What was to bring the shard here has taken too long: nobody is known who has it.
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
