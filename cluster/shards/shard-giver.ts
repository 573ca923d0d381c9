/** Gives shards back: stops their changes, waits for those that run, marks the rows. */

import type { Clock } from '../../src/core/clock.ts'
import type { Failpoints } from '../../src/core/failpoint.ts'
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import { HANDOFF_CHANGES_MS } from '../../src/core/limits/limits.ts'
import type { ShardLedger } from './shard-ledger.ts'
import type { ShardStore } from './shard-store.ts'
import type { ShardStoreRetry } from './shard-store-retry.ts'

export type ShardGiver = {
  /**
   * Gives shards back. A shard whose changes do not end within HANDOFF_CHANGES_MS, or whose row
   * cannot be marked, stays held. Never rejects.
   * @param to id of the requesting member; empty when there is none.
   * @returns those of `shards` that this worker no longer holds, those it never held included.
   */
  give(shards: readonly ShardId[], to: string): Promise<readonly ShardId[]>
}

export function createShardGiver(deps: {
  readonly self: string
  readonly store: Pick<ShardStore, 'release'>
  readonly ledger: ShardLedger
  readonly changes: Pick<RunningChanges, 'running' | 'idle'>
  readonly retry: Pick<ShardStoreRetry, 'failed'>
  readonly failpoints: Failpoints
}): ShardGiver {
  const { self, store, ledger, changes, retry, failpoints } = deps
  /** Shards that are being given back. A second caller waits for the work of the first. */
  const leaving = new Map<ShardId, Promise<void>>()

  const keep = (held: ReadonlyMap<ShardId, Epoch>) => {
    ledger.apply([...held].map(([shard, epoch]) => [shard, { kind: 'release_refused', epoch }]))
  }

  const markReleased = async (held: ReadonlyMap<ShardId, Epoch>): Promise<void> => {
    try {
      await failpoints.reach('mid-handoff')
      await store.release(self, held)
    } catch (error) {
      // The rows may be marked all the same. The next read shows it, and epochs guard the writes.
      retry.failed(error)
      keep(held)
      return
    }
    ledger.apply([...held].map(([shard, epoch]) => [shard, { kind: 'release_done', epoch }]))
  }

  const markReleasedWhenIdle = async (shard: ShardId, epoch: Epoch): Promise<void> => {
    const held = new Map([[shard, epoch]])
    if (await changes.idle(shard, HANDOFF_CHANGES_MS)) await markReleased(held)
    else keep(held)
  }

  const track = async (shards: readonly ShardId[], work: Promise<void>): Promise<void> => {
    for (const shard of shards) leaving.set(shard, work)
    await work
    for (const shard of shards) leaving.delete(shard)
  }

  return {
    async give(shards, to) {
      const asked = [...new Set(shards)]
      const works = new Set(asked.flatMap((shard) => leaving.get(shard) ?? []))
      const held = asked.flatMap((shard) => {
        const epoch = ledger.held().get(shard)
        return epoch === undefined ? [] : [{ shard, epoch }]
      })
      ledger.apply(held.map(({ shard }) => [shard, { kind: 'release_begun', to }]))
      // Shards without a running change need not wait for the others.
      const idle = held.filter(({ shard }) => changes.running(shard) === 0)
      if (idle.length > 0) {
        const epochs = new Map(idle.map(({ shard, epoch }) => [shard, epoch]))
        works.add(track([...epochs.keys()], markReleased(epochs)))
      }
      for (const { shard, epoch } of held.filter((each) => !idle.includes(each))) {
        works.add(track([shard], markReleasedWhenIdle(shard, epoch)))
      }
      await Promise.all(works)
      return asked.filter((shard) => isGone(ledger, shard))
    },
  }
}

/** A shard that may be ours by a claim with an unknown outcome does not count as gone. */
function isGone(ledger: ShardLedger, shard: ShardId): boolean {
  const { kind } = ledger.stateOf(shard)
  return kind === 'away' || kind === 'asking' || kind === 'released'
}

/** Counts the running changes of each shard. A hand-off waits until there are none. */
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
