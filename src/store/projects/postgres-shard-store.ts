/** Owners of shards, in Postgres. */
import type { ShardRow, ShardStore } from '../../../cluster/shards/shard-store.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError, assert } from '../../core/code.ts'
import { type Epoch, epoch, type ProjectId, type ShardId } from '../../core/ids.ts'
import { isTransient } from '../../ingest/store-port.ts'
import type { Sql, SqlOptions } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  createReconnectingConnection,
  type ReconnectingConnection,
} from '../../postgres/reconnecting-connection.ts'
import type { RemovalWork, StateChange } from '../../project/ports.ts'
import type { StoredProject } from '../../project/project-state.ts'
import { unavailableDetail } from '../../wire/details.ts'
import { changeProject } from './project-state-store.ts'
import { deleteProject } from './removed-projects-store.ts'

/** Longest wait of a claim for changes under the old epochs. */
const SHARD_LOCK_WAIT_MS = 3_000
/** One statement on the rows of shards; then the server ends it. */
const SHARD_STATEMENT_MS = 4_000
/** One attempt at such a statement; then its connection is destroyed and the outcome is unknown. */
export const SHARD_ATTEMPT_MS = 5_000
assert(SHARD_LOCK_WAIT_MS < SHARD_STATEMENT_MS, 'a wait for a lock is told as what it is')
assert(SHARD_STATEMENT_MS < SHARD_ATTEMPT_MS, 'the server ends a statement before we give it up')

/** How the connections of a shard store are opened: no wait of theirs is without a bound. */
export const SHARD_SQL_OPTIONS: Omit<SqlOptions, 'log'> = {
  applicationName: 'sluice shards',
  connectionsMax: 1,
  lockTimeoutMs: SHARD_LOCK_WAIT_MS,
  statementTimeoutMs: SHARD_STATEMENT_MS,
  idleInTransactionTimeoutMs: SHARD_STATEMENT_MS,
}

export type PostgresShardStore = ShardStore & { close(): Promise<void> }

/**
 * The rows of `shard_epochs`, over two connections of its own: claims that wait for changes of
 * others have one, so that everything else passes them. A connection that does not answer is
 * thrown away.
 * @param deps.open makes a pool of one connection, with `SHARD_SQL_OPTIONS`.
 */
export function createShardStore(deps: { open(): Sql; clock: Clock }): PostgresShardStore {
  const quick = createReconnectingConnection(deps)
  const patient = createReconnectingConnection(deps)

  return {
    list: () => attempt(quick, list),
    async claim(owner, wanted) {
      if (wanted.length === 0) return new Map()
      const free = await attempt(quick, (sql) => claim(sql, owner, wanted, 'leave'))
      const rest = wanted.filter(({ shard }) => !free.has(shard))
      if (rest.length === 0) return free
      const waited = await attempt(patient, (sql) => claim(sql, owner, rest, 'wait'))
      return new Map([...free, ...waited])
    },
    async release(owner, held) {
      if (held.size > 0) await attempt(quick, (sql) => release(sql, owner, held))
    },
    async close() {
      await Promise.all([quick.close(), patient.close()])
    },
  }
}

/** @throws {AppError} `unavailable`: nobody knows whether it has happened. */
async function attempt<T>(
  connection: ReconnectingConnection,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  try {
    return await connection.run(SHARD_ATTEMPT_MS, work)
  } catch (error) {
    if (!isTransient(error)) throw error
    throw new AppError('unavailable', `shards: ${error.message}`, {
      cause: error,
      detail: unavailableDetail,
    })
  }
}

async function list(sql: Sql): Promise<readonly ShardRow[]> {
  const rows = await sql<{ shard: ShardId; epoch: bigint; owner: string; released: boolean }[]>`
    select shard, epoch, owner, released from shard_epochs order by shard`
  return rows.map((row) => ({ ...row, epoch: epoch(row.epoch) }))
}

type Wanted = Parameters<ShardStore['claim']>[1]

/**
 * Raises the epochs that are still those seen. Locked in the order of their numbers, as by
 * everybody: two that claim the same shards would otherwise wait for each other.
 * @param busy whether rows that a change holds are waited for, or left out, so that one stuck
 * change does not hold up the others.
 */
async function claim(
  sql: Sql,
  owner: string,
  wanted: Wanted,
  busy: 'wait' | 'leave',
): Promise<ReadonlyMap<ShardId, Epoch>> {
  const shards = wanted.map(({ shard }) => String(shard))
  const epochs = wanted.map((each) => String(each.epoch))
  const rows = await sql<{ shard: ShardId; epoch: bigint }[]>`
    with mine as materialized (
      select s.shard from shard_epochs s
      join unnest(${shards}::smallint[], ${epochs}::bigint[]) as w (shard, epoch)
        on s.shard = w.shard and s.epoch = w.epoch
      order by s.shard for update of s ${busy === 'leave' ? sql`skip locked` : sql``}
    )
    update shard_epochs s
    set epoch = s.epoch + 1, owner = ${owner}, released = false, claimed_at = now()
    from mine where s.shard = mine.shard
    returning s.shard, s.epoch`
  return new Map(rows.map((row) => [row.shard, epoch(row.epoch)]))
}

/** Gives shards back, if they are still held under these epochs. */
async function release(sql: Sql, owner: string, held: ReadonlyMap<ShardId, Epoch>): Promise<void> {
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
 * revision and reads the result, so that no step can fail after the commit. A takeover waits for
 * the lock, or the lock finds its newer epoch: an old owner can commit nothing after a new one has
 * begun.
 * @throws {AppError} `fenced` when the epoch is not the newest, `not_found` when the project is
 * gone; errors of `change`. Nothing is written then.
 */
export async function changeFenced<T>(
  sql: Sql,
  place: FencedPlace,
  change: StateChange<T>,
): Promise<{ result: T; left: StoredProject }> {
  return await sql.begin(async (tx) => {
    await holdEpoch(tx, place)
    return await changeProject(tx, place.project, change)
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
  before: RemovalWork,
): Promise<void> {
  await sql.begin(async (tx) => {
    await holdEpoch(tx, place)
    await before(tx)
    if (!(await deleteProject(tx, place.project))) {
      throw new AppError('not_found', `no project ${place.project}`)
    }
  })
}

/** @throws {AppError} `fenced` when the epoch is not the newest. */
async function holdEpoch(tx: Db, { shard, epoch }: FencedPlace): Promise<void> {
  const held = await tx`
    select 1 from shard_epochs where shard = ${shard} and epoch = ${epoch} for share`
  if (held.length === 0) throw new AppError('fenced', `shard ${shard} has a newer owner`)
}
