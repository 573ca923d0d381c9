import type { Clock } from '../../src/core/clock.ts'
import type { ShardId } from '../../src/core/ids.ts'

/** Changes that run, counted for each shard: a hand-off waits until there are none. */
export type ShardTurns = {
  enter(shard: ShardId): void
  leave(shard: ShardId): void
  running(shard: ShardId): number
  /** Resolves with true once no change of the shard runs, with false after `ms`. */
  idle(shard: ShardId, ms: number): Promise<boolean>
}

export function createShardTurns(clock: Clock): ShardTurns {
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
