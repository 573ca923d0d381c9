/** Claims shards directly in the database. */
import { type Epoch, epoch, type ShardId } from '../../../src/core/ids.ts'
import type { Sql } from '../../../src/postgres/connect.ts'

/**
 * Takes shards for `owner`, whoever had them: raises each epoch, so that every change an earlier
 * owner has in flight is refused from now on. Waits for changes that already hold their share lock.
 */
export async function claimShards(
  sql: Sql,
  owner: string,
  shards: readonly ShardId[],
): Promise<ReadonlyMap<ShardId, Epoch>> {
  const rows = await sql<{ shard: ShardId; epoch: bigint }[]>`
    update shard_epochs
    set epoch = epoch + 1, owner = ${owner}, released = false, claimed_at = now()
    where shard = any(${shards.map(String)}::smallint[])
    returning shard, epoch`
  return new Map(rows.map((row) => [row.shard, epoch(row.epoch)]))
}
