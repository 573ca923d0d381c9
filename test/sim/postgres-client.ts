/** The connection of one worker to the database, with the bounds of the product's own stores. */
import type { ShardStore } from '../../cluster/shards/shard-store.ts'
import { AppError } from '../../src/core/code.ts'
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import { FLUSH_ATTEMPT_MS } from '../../src/core/limits/limits.ts'
import { STORE_PROBE_ATTEMPT_MS } from '../../src/event-store/postgres/flush/ingest-store.ts'
import { type IngestStore, StoreError } from '../../src/ingest/store-port.ts'
import { SHARD_ATTEMPT_MS } from '../../src/store/projects/postgres-shard-store.ts'
import type { Network } from './network.ts'
import type { Session, SimPostgres } from './postgres.ts'
import type { SimProcess } from './simulation.ts'
import { StoreLine } from './store-line.ts'

/** A statement of a change. The driver gives up a dead connection later than any other of these. */
const CHANGE_ATTEMPT_MS = 15_000

export type PostgresClient = {
  readonly shards: ShardStore
  readonly ingest: IngestStore
  /**
   * A fenced change of a project, which takes `ms`.
   * @returns the version that it made.
   * @throws {AppError} `fenced`; `unavailable`: it may have been committed.
   */
  change(
    place: { shard: ShardId; epoch: Epoch; project: number },
    op: string,
    ms: number,
  ): Promise<number>
}

const STORE_FAILURES = {
  broken: () => new StoreError('unreachable', 'ECONNRESET', 'connection reset'),
  late: () => new StoreError('unreachable', 'TIMEOUT', 'no answer'),
}
const APP_FAILURES = {
  broken: () => new AppError('unavailable', 'connection reset'),
  late: () => new AppError('unavailable', 'no answer'),
}

export function createPostgresClient(
  process: SimProcess,
  member: string,
  store: SimPostgres,
  network: Network,
): PostgresClient {
  const line = new StoreLine(process, store, network)
  const soon = (run: () => void) => store.work(store.sim.random.between(0.1, 1), run)

  const shardAsk = async <T>(work: Parameters<typeof line.ask<T>>[2]): Promise<T> => {
    try {
      return await line.ask<T>(SHARD_ATTEMPT_MS, APP_FAILURES, work)
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError('unavailable', 'shards', { cause: error })
    }
  }

  const shards: ShardStore = {
    list: () => shardAsk((reply) => soon(() => reply.ok([...store.rows]))),
    async claim(owner, wanted) {
      const free = await shardAsk<Map<ShardId, Epoch>>((reply) =>
        soon(() => reply.ok(store.claimFree(owner, wanted))),
      )
      const rest = wanted.filter(({ shard }) => !free.has(shard))
      if (rest.length === 0) return free
      const waited = await shardAsk<Map<ShardId, Epoch>>((reply) =>
        soon(() => store.claimWaiting(store.begin(process, owner), rest, reply)),
      )
      return new Map([...free, ...waited])
    },
    release: (owner, held) =>
      shardAsk((reply) =>
        soon(() => {
          store.release(owner, held)
          reply.ok(undefined)
        }),
      ),
  }

  const ingest: IngestStore = {
    flush: (_slot, rows) =>
      line.ask(FLUSH_ATTEMPT_MS, STORE_FAILURES, (reply) => store.flush(process, rows, reply)),
    deadLetter: (_slot, row) =>
      line.ask(FLUSH_ATTEMPT_MS, STORE_FAILURES, (reply) => store.deadLetter(row, reply)),
    ping: () =>
      line.ask(STORE_PROBE_ATTEMPT_MS, STORE_FAILURES, (reply) => soon(() => reply.ok(undefined))),
  }

  const changeAsk = <T>(work: Parameters<typeof line.ask<T>>[2]): Promise<T> =>
    line.ask<T>(CHANGE_ATTEMPT_MS, APP_FAILURES, work)

  return {
    shards,
    ingest,
    async change({ shard, epoch, project }, op, ms) {
      const begun: { session?: Session } = {}
      try {
        const fence = await changeAsk<'held' | 'fenced'>((reply) =>
          soon(() => {
            begun.session = store.begin(process, member)
            store.fence(begun.session, shard, epoch, reply)
          }),
        )
        if (fence === 'fenced') throw new AppError('fenced', `shard ${shard}`)
        const { session } = begun
        if (session === undefined) throw new AppError('unavailable', 'no session')
        await changeAsk<true>((reply) => soon(() => store.raise(session, project, reply)))
        if (ms > 0) await process.clock.sleep(ms)
        return await changeAsk<number>((reply) =>
          soon(() => store.commit(session, project, op, reply)),
        )
      } catch (error) {
        // Closes its connection, if the server hears of that.
        line.tell(() => begun.session !== undefined && store.end(begun.session))
        if (error instanceof AppError) throw error
        throw new AppError('unavailable', 'change failed', { cause: error })
      }
    },
  }
}
