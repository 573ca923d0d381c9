/** The states of all shards on this worker: the one place where they change. */
import type { Clock } from '../../src/core/clock.ts'
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import type { Log } from '../../src/core/log.ts'
import { type ShardEvent, type ShardState, transition, UNREAD } from './ownership.ts'

export type ShardLedger = {
  stateOf(shard: ShardId): ShardState
  /** The shards held now. Each change makes a new map. */
  held(): ReadonlyMap<ShardId, Epoch>
  /**
   * Applies events of many shards as one step. `onChange` is called once when any state has
   * changed; subscribers are called when the set of held shards or an epoch has changed.
   */
  apply(events: Iterable<readonly [ShardId, ShardEvent]>): void
  subscribe(listener: () => void): () => void
}

export function createShardLedger(deps: {
  readonly self: string
  readonly clock: Clock
  readonly log: Log
  /** Called after each step that has changed a state, before the subscribers. */
  readonly onChange: () => void
}): ShardLedger {
  const { self, clock, log } = deps
  const states = new Map<ShardId, ShardState>()
  const listeners = new Set<() => void>()
  let held: ReadonlyMap<ShardId, Epoch> = new Map()
  const stateOf = (shard: ShardId) => states.get(shard) ?? UNREAD

  const notify = () => {
    for (const listener of [...listeners]) {
      try {
        listener()
      } catch (error) {
        // The step is taken, and the other listeners must still be called.
        log.error('listener of shards failed', { error })
      }
    }
  }

  return {
    stateOf,
    held: () => held,
    apply(events) {
      const by = { self, now: clock.monotonic() }
      const next = new Map(held)
      let isChanged = false
      let isHeldChanged = false
      for (const [shard, event] of events) {
        const before = stateOf(shard)
        const after = transition(before, event, by)
        if (after === before) continue
        isChanged = true
        states.set(shard, after)
        if (after.kind === 'held' ? next.get(shard) === after.epoch : !next.has(shard)) continue
        isHeldChanged = true
        if (after.kind === 'held') next.set(shard, after.epoch)
        else next.delete(shard)
      }
      if (isHeldChanged) held = next
      if (isChanged) deps.onChange()
      if (isHeldChanged) notify()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
