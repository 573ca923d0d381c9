import type { Failpoints } from '../../src/core/failpoint.ts'
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import { HANDOFF_CHANGES_MS } from '../../src/core/limits/limits.ts'
import type { ShardTurns } from './running-changes.ts'
import type { ShardLedger } from './shard-ledger.ts'
import type { ShardStore } from './shard-store.ts'

export type ShardGiver = {
  /**
   * Stops changes of the shards, waits for those that run, marks the rows as given back. A shard
   * whose changes do not end in time, or whose row cannot be marked, stays held.
   * @param to id of the member that asks; empty when nobody does.
   * @returns those of `shards` that this worker does not hold any more, or never did. Never rejects.
   */
  give(shards: readonly ShardId[], to: string): Promise<readonly ShardId[]>
}

export function createShardGiver(deps: {
  readonly self: string
  readonly store: ShardStore
  readonly ledger: ShardLedger
  readonly turns: ShardTurns
  readonly failpoints: Failpoints
  onStoreFailure(error: unknown): void
}): ShardGiver {
  const { self, store, ledger, turns, failpoints } = deps
  /** Of shards that are on their way out; a second one that asks waits for the first. */
  const leaving = new Map<ShardId, Promise<void>>()

  const refuse = (held: ReadonlyMap<ShardId, Epoch>) => {
    ledger.apply([...held].map(([shard, epoch]) => [shard, { kind: 'release_refused', epoch }]))
  }

  const letGo = async (held: ReadonlyMap<ShardId, Epoch>): Promise<void> => {
    try {
      await failpoints.reach('mid-handoff')
      await store.release(self, held)
    } catch (error) {
      // It may be marked all the same: the next read of the rows tells, and the fence guards.
      deps.onStoreFailure(error)
      refuse(held)
      return
    }
    ledger.apply([...held].map(([shard, epoch]) => [shard, { kind: 'release_done', epoch }]))
  }

  const letGoWhenIdle = async (shard: ShardId, epoch: Epoch): Promise<void> => {
    const held = new Map([[shard, epoch]])
    if (await turns.idle(shard, HANDOFF_CHANGES_MS)) await letGo(held)
    else refuse(held)
  }

  const leave = async (shards: readonly ShardId[], work: Promise<void>): Promise<void> => {
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
      // Those without a change under way need not wait for the others.
      const quiet = held.filter(({ shard }) => turns.running(shard) === 0)
      if (quiet.length > 0) {
        const epochs = new Map(quiet.map(({ shard, epoch }) => [shard, epoch]))
        works.add(leave([...epochs.keys()], letGo(epochs)))
      }
      for (const { shard, epoch } of held.filter((each) => !quiet.includes(each))) {
        works.add(leave([shard], letGoWhenIdle(shard, epoch)))
      }
      await Promise.all(works)
      return asked.filter((shard) => isGone(ledger, shard))
    },
  }
}

/** What may be ours by a claim whose outcome is unknown is not said to be gone. */
function isGone(ledger: ShardLedger, shard: ShardId): boolean {
  const { kind } = ledger.stateOf(shard)
  return kind === 'away' || kind === 'asking' || kind === 'released'
}
