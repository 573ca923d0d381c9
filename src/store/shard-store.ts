import { AppError } from '../core/code.ts'
import { type Epoch, epoch, type ProjectId, type ShardId } from '../core/ids.ts'
import type { ChangeTransaction, ProjectState, StateChange } from '../project/ports.ts'
import type { Sql } from './connect.ts'
import { loadProjectState } from './project-state-store.ts'

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

/** Gives shards back, if they are still held under these epochs. */
export async function releaseShards(
  sql: Sql,
  owner: string,
  held: ReadonlyMap<ShardId, Epoch>,
): Promise<void> {
  const shards = [...held.keys()].map(String)
  const epochs = [...held.values()].map(String)
  await sql`
    update shard_epochs s set released = true
    from unnest(${shards}::smallint[], ${epochs}::bigint[]) as h (shard, epoch)
    where s.shard = h.shard and s.epoch = h.epoch and s.owner = ${owner}`
}

/**
 * Runs `change` in a transaction that share-locks the shard's epoch first, raises the project's
 * revision and reads the state that the change leaves, so that nothing can fail after the commit. A
 * takeover waits for the lock, or the lock finds its newer epoch: so nothing an
 * old owner still does can commit after a new one has begun.
 * @throws {AppError} `fenced` when the epoch is not the newest, `not_found` when the project is
 * gone; what `change` throws. Nothing is written then.
 */
export async function changeFenced<T>(
  sql: Sql,
  place: { shard: ShardId; epoch: Epoch; project: ProjectId },
  change: StateChange<T>,
): Promise<{ result: T; state: ProjectState }> {
  // postgres.js maps the promises of an array result; an object is passed through as it is.
  return await sql.begin(async (tx: ChangeTransaction) => {
    const held = await tx`
      select 1 from shard_epochs
      where shard = ${place.shard} and epoch = ${place.epoch} for share`
    if (held.length === 0) throw new AppError('fenced', `shard ${place.shard} has a newer owner`)
    const result = await change(tx)
    await tx`update projects set revision = revision + 1 where id = ${place.project}`
    return { result, state: await loadProjectState(tx, place.project) }
  })
}
