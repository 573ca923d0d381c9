/** Counts the running changes of each shard. A hand-off waits until there are none. */
import type { Clock } from '../../src/core/clock.ts'
import type { ShardId } from '../../src/core/ids.ts'

export type RunningChanges = {
  /** A change of the shard begins. */
  enter(shard: ShardId): void
  /** A change of the shard has ended. */
  leave(shard: ShardId): void
  running(shard: ShardId): number
  /** Resolves with true once no change of the shard runs, with false after `ms`. */
  idle(shard: ShardId, ms: number): Promise<boolean>
}

export function createRunningChanges(clock: Clock): RunningChanges {
  const counts = new Map<ShardId, number>()
  const waiting = new Map<ShardId, Set<() => void>>()
  const running = (shard: ShardId) => counts.get(shard) ?? 0

  return {
    running,
    enter(shard) {
      counts.set(shard, running(shard) + 1)
    },
    leave(shard) {
      const left = running(shard) - 1
      if (left > 0) {
        counts.set(shard, left)
        return
      }
      counts.delete(shard)
      for (const resolve of waiting.get(shard) ?? []) resolve()
    },
    idle(shard, ms) {
      if (running(shard) === 0) return Promise.resolve(true)
      return new Promise((resolve) => {
        const others = waiting.get(shard) ?? new Set()
        waiting.set(shard, others)
        const end = (isIdle: boolean) => {
          cancel()
          others.delete(whenIdle)
          if (others.size === 0) waiting.delete(shard)
          resolve(isIdle)
        }
        const whenIdle = () => end(true)
        const cancel = clock.after(ms, () => end(false))
        others.add(whenIdle)
      })
    },
  }
}
