import { AppError } from '../core/code.ts'
import { type Epoch, epoch, type ProjectId, type ShardId } from '../core/ids.ts'
import type { ChangeTransaction, ProjectState, StateChange } from '../project/ports.ts'
import type { Sql } from './connect.ts'
import { loadProjectState } from './project-state-store.ts'
import { deleteProject } from './removed-projects-store.ts'

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

/** A project with the shard that it is in, and the epoch under which that is held. */
export type FencedPlace = {
  readonly shard: ShardId
  readonly epoch: Epoch
  readonly project: ProjectId
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
  place: FencedPlace,
  change: StateChange<T>,
): Promise<{ result: T; state: ProjectState }> {
  // postgres.js maps the promises of an array result; an object is passed through as it is.
  return await sql.begin(async (tx: ChangeTransaction) => {
    await holdEpoch(tx, place)
    // First of all, since it also keeps the project from being removed under the change.
    const raised = await tx`
      update projects set revision = revision + 1 where id = ${place.project}`
    if (raised.count === 0) throw gone(place)
    const result = await change(tx)
    return { result, state: await loadProjectState(tx, place.project) }
  })
}

/**
 * Removes a project under the same fence. `before` sees it for the last time, and keeps it when it
 * throws.
 * @throws {AppError} as `changeFenced`.
 */
export async function removeFenced(
  sql: Sql,
  place: FencedPlace,
  before: StateChange<void>,
): Promise<void> {
  await sql.begin(async (tx: ChangeTransaction) => {
    await holdEpoch(tx, place)
    await before(tx)
    if (!(await deleteProject(tx, place.project))) throw gone(place)
  })
}

/** @throws {AppError} `fenced` when the epoch is not the newest. */
async function holdEpoch(tx: ChangeTransaction, { shard, epoch }: FencedPlace): Promise<void> {
  const held = await tx`
    select 1 from shard_epochs where shard = ${shard} and epoch = ${epoch} for share`
  if (held.length === 0) throw new AppError('fenced', `shard ${shard} has a newer owner`)
}

function gone({ project }: FencedPlace): AppError {
  return new AppError('not_found', `no project ${project}`)
}
