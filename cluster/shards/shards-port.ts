/** Ports around the ownership of shards: its interface, and its calls to other workers. */
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import type { Member } from '../members/view.ts'

/** The shards of this worker, and its knowledge of those of others (`shards.ts`). */
export type Shards = {
  /**
   * The epoch under which this worker holds the shard now, at once; `undefined` when it does not.
   */
  epochOf(shard: ShardId): Epoch | undefined
  /**
   * Epoch of the shard, like `epochOf`, but waits for a claim or a hand-off to this worker that is
   * under way, until `signal` aborts or for at most OWNERSHIP_WAIT_MS.
   * @throws {NotOwnerError} when another member owns the shard, or none yet.
   */
  hold(shard: ShardId, signal?: AbortSignal): Promise<Epoch>
  /**
   * Runs a change of state under the shard's epoch. A hand-off waits until the change has ended.
   * @throws {NotOwnerError} as `hold`, and when the database refuses the change as `fenced`: it has
   * written nothing then, and the shard is dropped until its row has been read again. Otherwise
   * errors of `change`.
   */
  run<T>(shard: ShardId, change: (epoch: Epoch) => Promise<T>): Promise<T>
  /** The member that probably owns the shard: a hint for callers, never a proof. */
  ownerOf(shard: ShardId): Member | undefined
  /** The shards held now. */
  held(): ReadonlyMap<ShardId, Epoch>
  /** Calls `listener` at once after each change of `held`. @returns the unsubscriber. */
  subscribe(listener: () => void): () => void
  /**
   * Gives shards to another member that asks for them: stops their changes, waits for running ones,
   * and marks the rows as given back.
   * @param to id of the member that asks.
   * @returns the shards that this worker no longer holds, those it never held included.
   */
  release(shards: readonly ShardId[], to: string): Promise<readonly ShardId[]>
  /**
   * Resolves when the rows have been read and no shard is left that could be claimed at once. Live
   * members may still be handing shards over to this worker. Never rejects.
   */
  ready(): Promise<void>
  /** Gives every shard back for others to claim and claims no more. Resolves when none is held. */
  drain(): Promise<void>
  /** Drains for good, and for at most SHARDS_CLOSE_MS. Never rejects. */
  close(): Promise<void>
}

/** Calls of an owner of shards to other workers: gRPC (`peers.ts`) or a simulated network. */
export type Peers = {
  /**
   * Asks `member` to give up shards for this worker.
   * @returns the shards that it no longer holds.
   * @throws {AppError} `unavailable`, `deadline_exceeded`: the outcome is unknown.
   */
  release(member: Member, shards: readonly ShardId[]): Promise<readonly ShardId[]>
}
