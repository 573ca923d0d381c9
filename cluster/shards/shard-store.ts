import type { Epoch, ShardId } from '../../src/core/ids.ts'

/** Who holds a shard, as the database has it: the only truth about who may write. */
export type ShardRow = {
  readonly shard: ShardId
  readonly epoch: Epoch
  /** Id of the member that claimed it last; empty when nobody ever did. */
  readonly owner: string
  /** True when that member has given it back. */
  readonly released: boolean
}

/**
 * Port to the epochs of shards; Postgres (`src/store/shard-store.ts`) or memory in tests, and one
 * contract suite runs on both. Every call settles within a bounded time.
 */
export type ShardStore = {
  /** Every shard. @throws {AppError} `unavailable`. */
  list(): Promise<readonly ShardRow[]>
  /**
   * Raises the epoch of each shard that still has the epoch given. Waits for changes that hold the
   * old epoch, so that none of them can commit after it resolves.
   * @returns the new epochs of those that were claimed.
   * @throws {AppError} `unavailable` when the outcome is unknown.
   */
  claim(
    owner: string,
    wanted: readonly { readonly shard: ShardId; readonly epoch: Epoch }[],
  ): Promise<ReadonlyMap<ShardId, Epoch>>
  /** Marks shards as given back, if `owner` still holds them under these epochs. */
  release(owner: string, held: ReadonlyMap<ShardId, Epoch>): Promise<void>
}
