/**
 * Reads of the events in ClickHouse, once it has what Postgres has committed, so that a client that
 * has stored an event finds it. If it is not so far in time or does not answer, the call fails.
 */

import { ColumnError } from '../../../clickhouse/column-error.ts'
import type { ColumnStore } from '../../../clickhouse/connect.ts'
import type { Clock } from '../../../core/clock.ts'
import { AppError, hasCode } from '../../../core/code.ts'
import type { Log } from '../../../core/log.ts'
import type { ReadCall } from '../../../events/ports.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import type { ColumnarInsights } from '../../columnar-insights.ts'
import type { OpenInsightEvents } from '../../insight-events.ts'
import { createHomeLook } from '../../months/home.ts'
import { PERSONS } from '../../outbox/gaps.ts'
import { clickhouseInsights } from '../insights/clickhouse-insights.ts'
import { away, notHere } from '../no-answer.ts'
import {
  hurryReplicator,
  readEventsWatermark,
  readProgress,
  readWatermark,
  type Watermark,
} from './watermark.ts'

/** Interval at which a waiting query looks how far the replica is. */
const REPLICA_READ_POLL_MS = 15

/** Longest wait where ClickHouse alone answers; then the caller may try again. */
const REPLICA_ONLY_WAIT_MS = 10_000
/** Interval of looking for a worker that ships to the replica. */
const REPLICA_ONLY_LOOK_MS = 200

/** `behind`: it was not so far in time. */
export type ReadOutcome = 'clickhouse' | 'behind' | 'failed' | 'not_here'

export type ReplicaReadsDeps = {
  readonly clock: Clock
  readonly log: Log
  /** Opens the replica to read it: `openOwnReplica`. */
  readonly open: () => Promise<ColumnStore>
  readonly onRead: (outcome: ReadOutcome) => void
  /** Called with the properties whose texts are read. */
  readonly onKeys: (keys: readonly string[]) => void
}

/** Events in ClickHouse up to a block. */
export type ReplicaEvents = {
  /** @returns whether the events are in ClickHouse. They move once, so `true` holds for good. */
  isHome(sql: Sql): Promise<boolean>
  /**
   * Reads from ClickHouse once it has everything that Postgres had committed when this was called.
   * @throws {AppError} `unavailable` when it is not so far in time, or does not answer; `cancelled`
   * when the signal aborts.
   */
  read<T>(
    sql: Sql,
    call: ReadCall,
    work: (columns: ColumnStore, replicated: Replicated) => Promise<T>,
  ): Promise<T>
}

export type ReplicaReads = ColumnarInsights & ReplicaEvents & { close(): Promise<void> }

/** Opens the store when it is first needed, and again after a failure. */
export function createReplicaReads(deps: ReplicaReadsDeps): ReplicaReads {
  const { onRead } = deps
  const shared = createSharedStore(deps)
  /** @throws {AppError} in place of what ClickHouse says. */
  const refuse = (error: unknown): never => {
    if (isNotHere(error)) {
      onRead('not_here')
      throw notHere(error)
    }
    if (!(error instanceof ColumnError)) throw error
    shared.leave(error)
    throw away(error.message, error)
  }
  return {
    isHome: createHomeLook(),
    open: (sql, leftMs, signal) => openInsights({ ...deps, shared, refuse }, sql, leftMs, signal),
    refuse,
    read: async (sql, { signal, time }, work) => {
      const waitMs = Math.min(REPLICA_ONLY_WAIT_MS, time.left() / 4)
      const mark = await untilReadable(deps, () => readEventsWatermark(sql), waitMs, signal)
      const waiting = { sql, clock: deps.clock, waitMs }
      const replicated = await untilReplicated(waiting, { flush: mark.flush }, signal)
      if (replicated === undefined) {
        onRead('behind')
        throw away('it is behind')
      }
      try {
        const answer = await work(await shared.get(), replicated)
        onRead('clickhouse')
        return answer
      } catch (error) {
        return refuse(error)
      }
    },
    close: shared.drop,
  }
}

/** Readers of lists say it by its code. */
function isNotHere(error: unknown): error is Error {
  if (error instanceof ColumnError) return error.kind === 'not_here'
  return hasCode(error, 'unimplemented')
}

type Opening = ReplicaReadsDeps & {
  readonly shared: SharedStore
  readonly refuse: (error: unknown) => never
}

async function openInsights(
  { clock, onRead, onKeys, shared, refuse }: Opening,
  sql: Sql,
  leftMs: number,
  signal: AbortSignal,
): Promise<OpenInsightEvents> {
  const waitMs = Math.min(REPLICA_ONLY_WAIT_MS, leftMs / 4)
  const mark = await untilReadable({ clock }, () => readWatermark(sql), waitMs, signal)
  const replicated = await untilReplicated({ sql, clock, waitMs }, mark, signal)
  if (replicated === undefined) {
    onRead('behind')
    throw away('it is behind')
  }
  const { snapshotBlock, gaps, refusing } = replicated
  // An event that ClickHouse refuses is a dead letter and is not missed.
  const lacks = gaps.filter((month) => !refusing.includes(month))
  try {
    const store = await shared.get()
    onRead('clickhouse')
    return clickhouseInsights({ store, snapshotBlock, lacks, keys: mark.keys, onKeys })
  } catch (error) {
    return refuse(error)
  }
}

/** Waits until the replica is readable: a worker that takes over its lease needs some seconds. */
async function untilReadable<Mark extends { readonly isReadable: boolean }>(
  { clock }: Pick<ReplicaReadsDeps, 'clock'>,
  look: () => Promise<Mark | undefined>,
  waitMs: number,
  signal: AbortSignal,
): Promise<Mark> {
  const endAt = clock.monotonic() + waitMs
  for (;;) {
    const mark = await look()
    if (mark?.isReadable === true) return mark
    if (clock.monotonic() >= endAt) throw away('nobody keeps it, or it lacks distinct ids')
    await pause(clock, REPLICA_ONLY_LOOK_MS, signal)
  }
}

type SharedStore = {
  get(): Promise<ColumnStore>
  /** Call after a failure of the server; one of a statement says nothing about others. */
  leave(error: ColumnError): void
  drop(): Promise<void>
}

function createSharedStore({ open, onRead }: ReplicaReadsDeps): SharedStore {
  let store: Promise<ColumnStore> | undefined
  const drop = async () => {
    const before = store
    store = undefined
    await (await before?.catch(() => undefined))?.close().catch(() => {
      // It failed already.
    })
  }
  return {
    get() {
      store ??= open()
      return store
    },
    leave(error) {
      onRead('failed')
      if (error.kind !== 'failed') void drop()
    },
    drop,
  }
}

/** Waits until the replica has what Postgres had at a moment. */
export type Replicated = {
  /** Newest block that is stored with all blocks before it. */
  readonly snapshotBlock: number
  /** Months of which the replica lacks events nevertheless. */
  readonly gaps: readonly string[]
  /** Gaps that do not prevent an answer: refused events and accepted losses. */
  readonly refusing: readonly string[]
}

type Waiting = { readonly sql: Db; readonly clock: Clock; readonly waitMs: number }
/** Position to wait for; without `change`, distinct ids are not waited for. */
type Mark = Pick<Watermark, 'flush'> & Partial<Watermark>

/**
 * @returns undefined when the replica was not so far within `waitMs`, or lacks distinct ids that
 * are wanted.
 * @throws {AppError} `cancelled` when `signal` aborts.
 */
async function untilReplicated(
  { sql, clock, waitMs }: Waiting,
  { flush, change }: Mark,
  signal: AbortSignal,
): Promise<Replicated | undefined> {
  const endAt = clock.monotonic() + waitMs
  const mark = { flush, change: change ?? '0' }
  let wanted: { readonly last: number; readonly splits: number } | undefined
  for (;;) {
    const progress = await readProgress(sql, mark)
    const { isRecorded, isSent, gaps, refusing, open, last, splits } = progress
    if (change !== undefined && gaps.includes(PERSONS)) return undefined
    // A split moves recorded events into later blocks, so the last block is read again after one.
    if (isRecorded && wanted?.splits !== splits) wanted = { last, splits }
    if (wanted !== undefined && isSent && (open === null || open > wanted.last)) {
      return { snapshotBlock: open === null ? last : open - 1, gaps, refusing }
    }
    if (clock.monotonic() >= endAt) return undefined
    await hurryReplicator(sql)
    await pause(clock, REPLICA_READ_POLL_MS, signal)
  }
}

/** @throws {AppError} `cancelled` when `signal` aborts. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal).catch(() => {
    throw new AppError('cancelled', 'the caller has gone')
  })
}
