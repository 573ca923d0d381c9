/** Port to the epochs of shards in the database. */
import type { Epoch, ShardId } from '../../src/core/ids.ts'

/** Owner of a shard by the database, which alone decides who may write. */
export type ShardRow = {
  readonly shard: ShardId
  readonly epoch: Epoch
  /** Id of the member that claimed it last; empty when no member ever did. */
  readonly owner: string
  /** True when that member has given it back. */
  readonly released: boolean
}

/**
 * Implementations: Postgres (`src/store/projects/postgres-shard-store.ts`) and memory in tests; one contract
 * suite runs on both. Every call settles within a bounded time.
 */
export type ShardStore = {
  /** Every shard. @throws {AppError} `unavailable`. */
  list(): Promise<readonly ShardRow[]>
  /**
   * Raises the epoch of each shard that still has the given epoch. Waits for changes that hold the
   * old epoch, so that none of them can commit after it resolves.
   * @returns the new epochs of the claimed shards.
   * @throws {AppError} `unavailable` when the outcome is unknown.
   */
  claim(
    owner: string,
    wanted: readonly { readonly shard: ShardId; readonly epoch: Epoch }[],
  ): Promise<ReadonlyMap<ShardId, Epoch>>
  /** Marks shards as given back, if `owner` still holds them under these epochs. */
  release(owner: string, held: ReadonlyMap<ShardId, Epoch>): Promise<void>
}
