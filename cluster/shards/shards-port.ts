import type { Epoch, ShardId } from '../../src/core/ids.ts'
import type { Member } from '../members/view.ts'

/**
 * The shards of this worker and what it knows of those of others. `ownership.ts` is the pure state
 * machine, `handoff.ts` drives it.
 */
export type Shards = {
  /** The epoch under which this worker holds the shard now, at once; `undefined` when it does not. */
  epochOf(shard: ShardId): Epoch | undefined
  /**
   * The same, waiting for a claim or a hand-off to this worker that is under way, until `signal`
   * aborts or for at most OWNERSHIP_WAIT_MS.
   * @throws {NotOwnerError} when another member owns the shard, or nobody yet.
   */
  hold(shard: ShardId, signal?: AbortSignal): Promise<Epoch>
  /**
   * Runs a change of state under the shard's epoch: a hand-off waits for it.
   * @throws {NotOwnerError} as `hold`, and instead of `fenced`: such a change has written nothing,
   * the shard is dropped and its rows are read again. Else what `change` throws.
   */
  run<T>(shard: ShardId, change: (epoch: Epoch) => Promise<T>): Promise<T>
  /** Whom this worker believes to own the shard. */
  ownerOf(shard: ShardId): Member | undefined
  /** Shards held now. */
  held(): ReadonlyMap<ShardId, Epoch>
  /** Called after each change of `held`, at once. The answer unsubscribes. */
  subscribe(listener: () => void): () => void
  /**
   * Gives shards to another member that asks for them: stops their changes, waits for those that
   * run, lets go, and answers which it has let go of (those it never had included).
   */
  release(shards: readonly ShardId[], to: string): Promise<readonly ShardId[]>
  /**
   * Resolves when the rows have been read and nothing is left that could be claimed at once; shards
   * of live members may still be on their way here. Never rejects.
   */
  ready(): Promise<void>
  /** Gives every shard back for others to claim and claims no more. Resolves when none is held. */
  drain(): Promise<void>
  /** As `drain`, for good, and for at most SHARDS_CLOSE_MS. Never rejects. */
  close(): Promise<void>
}

/** What `handoff.ts` asks of other workers; gRPC (`src/rpc/peers.ts`) or a simulated network. */
export type Peers = {
  /**
   * Asks `member` to give up shards for this worker.
   * @returns the shards it has let go of.
   * @throws {AppError} `unavailable`, `deadline_exceeded`: the outcome is unknown.
   */
  release(member: Member, shards: readonly ShardId[]): Promise<readonly ShardId[]>
}
