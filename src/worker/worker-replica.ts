/** Keeps the copy of the events in ClickHouse, where there is one, with its figures. */

import type { ColumnStore } from '../clickhouse/connect.ts'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import {
  COMPARE_AGAIN_MS,
  COMPARISONS_MAX,
  REPLICA_COLUMNS_MS,
  REPLICA_SCAN_MS,
} from '../core/limits/limits-replica.ts'
import { runLoop } from '../core/loop.ts'
import type { Metrics } from '../core/metrics/metrics.ts'
import type { Releasers } from '../core/releasers.ts'
import type { ReadOutcome, ReplicaEvents } from '../event-store/clickhouse/replica/replica-reads.ts'
import { withoutReplica } from '../event-store/clickhouse/replica/without-replica.ts'
import type { ColumnarInsights } from '../event-store/columnar-insights.ts'
import { isInClickHouse, listMonths, moveHome } from '../event-store/months/home.ts'
import { PERSONS } from '../event-store/outbox/gaps.ts'
import { createSql, type Sql } from '../postgres/connect.ts'
import { AskedKeys } from '../replication/asked-columns.ts'
import { requestBackfill } from '../replication/backfill.ts'
import { compareMonth } from '../replication/compare-days.ts'
import { beginReplication } from '../replication/lease.ts'
import { acceptLoss } from '../replication/move/accept-loss.ts'
import { moveIfEmpty } from '../replication/move/move-empty.ts'
import { type ReplicaSummary, readSummary } from '../replication/replica-summary.ts'
import { comparePersons } from '../replication/replicate-ids.ts'
import type { ReplicaOperations } from '../rpc/operator/replica-handlers.ts'
import type { WorkerDeps, WorkerOptions } from './types.ts'

/**
 * Compressed bytes of events that wait for ClickHouse. Above it the outbox is emptied and the
 * replica is behind. In ClickHouse-only mode a full outbox rejects flushes instead, until it has
 * drained to this share.
 */
export const REPLICA_OUTBOX_BYTES_MAX = 2_000_000_000
/** Interval of measuring the outbox for the figures of a worker. */
const REPLICA_FIGURES_MS = 10_000

const NO_EVENTS_URL =
  'The events of this database are in ClickHouse: EVENTS_URL has to be set as for the other workers.'
/** One to fill, others to add up months. */
const CONNECTIONS = 2
export type PreparedReplica = {
  readonly copy: ReplicaOperations | undefined
  readonly columnarInsights: ColumnarInsights
  readonly replicaEvents: ReplicaEvents
  /** Starts the replicator of the copy, if there is one. */
  readonly start: () => void
}

/**
 * Records that there is a copy, before the first flush. Does not call ClickHouse: a worker starts
 * without it.
 */
export async function prepareReplica(
  { clock, log, metrics }: WorkerDeps,
  { database, eventsUrl, memberId }: WorkerOptions,
  db: Sql,
  releasers: Releasers,
): Promise<PreparedReplica> {
  if (eventsUrl === undefined) {
    if (await isInClickHouse(db)) throw new AppError('failed_precondition', NO_EVENTS_URL)
    const reads = withoutReplica()
    return { copy: undefined, columnarInsights: reads, replicaEvents: reads, start: () => {} }
  }
  await beginReplication(db)
  await moveIfEmpty(db)
  // Imported only here: without a copy the client of ClickHouse is not loaded.
  const { runReplicator, openReplica, openOwnReplica, createReplicaReads } = await import(
    '../replication/replication.ts'
  )
  const scans = createSql(database, {
    applicationName: 'sluice copy',
    connectionsMax: CONNECTIONS,
    statementTimeoutMs: REPLICA_SCAN_MS,
    idleInTransactionTimeoutMs: REPLICA_SCAN_MS,
    log,
  })
  releasers.push('connections of the copy', () => scans.end({ timeout: 2 }))
  const look = () => openOwnReplica(db, eventsUrl)
  const read = readMetrics(metrics)
  const asked = new AskedKeys()
  const reads = createReplicaReads({
    clock,
    log,
    open: look,
    onRead: read,
    onKeys: (keys) => asked.add(keys),
  })
  releasers.push('reads of the copy', reads.close)
  const start = () => {
    const abort = new AbortController()
    const deps = { sql: db, scans, clock, log, random: Math.random, holder: memberId }
    const running = [
      runReplicator(
        {
          ...deps,
          open: (lease) => openReplica(db, eventsUrl, lease),
          outboxBytesMax: REPLICA_OUTBOX_BYTES_MAX,
          onShipped: shippedMetrics(metrics),
        },
        abort.signal,
      ),
      watchReplica({ clock, log, metrics }, db, abort.signal),
      runLoop(
        { clock, log, random: Math.random },
        {
          name: 'count asked properties',
          intervalMs: REPLICA_COLUMNS_MS,
          jitterMs: REPLICA_COLUMNS_MS / 10,
        },
        abort.signal,
        () => asked.flush(db),
      ),
    ]
    releasers.push('copy of events', async () => {
      abort.abort()
      await Promise.all(running)
    })
  }
  const copy = operationsOf({ db, scans, clock, look })
  return { copy, columnarInsights: reads, replicaEvents: reads, start }
}

type Looking = {
  readonly db: Sql
  readonly scans: Sql
  readonly clock: Clock
  readonly look: () => Promise<ColumnStore>
}

function operationsOf({ db, scans, clock, look }: Looking): ReplicaOperations {
  return {
    summary: () => readSummary(db),
    months: () => listMonths(db),
    fill: (months) => requestBackfill(db, months),
    acceptLoss: (months) => acceptLoss(db, months),
    moveHome: () => moveHome(db),
    async moveMonth(month) {
      const store = await look().catch(explain)
      const { leavePostgres } = await import('../replication/move/leave-postgres.ts')
      try {
        return await leavePostgres({ sql: scans, store, clock }, month)
      } catch (error) {
        return explain(error)
      } finally {
        await store.close()
      }
    },
    async compare(month) {
      const store = await look().catch(explain)
      const compared = month === PERSONS ? comparePersons : compareMonth
      try {
        for (let looks = 1; ; looks++) {
          const found = await compared(scans, store, month)
          if (found.differences.length === 0 || looks === COMPARISONS_MAX) return found
          await clock.sleep(COMPARE_AGAIN_MS)
        }
      } catch (error) {
        return explain(error)
      } finally {
        await store.close()
      }
    },
  }
}

/** Passes errors of ClickHouse on to the operator. */
function explain(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'ColumnError') throw error
  const words = { type: 'server_error', code: 'copy', detail: error.message, attr: null }
  throw new AppError('unavailable', error.message, { cause: error, detail: words })
}

function shippedMetrics(metrics: Metrics): (rows: number) => void {
  const blocks = metrics.counter('sluice_copy_blocks_total', 'Blocks of events in ClickHouse.')
  const events = metrics.counter('sluice_copy_events_total', 'Events brought to ClickHouse.')
  return (rows) => {
    blocks.inc()
    events.inc(rows)
  }
}

function readMetrics(metrics: Metrics): (outcome: ReadOutcome) => void {
  const reads = metrics.counters(
    'sluice_copy_reads_total',
    'Reads of ClickHouse: answered, or refused as it was behind, failed or does not know how.',
    ['outcome'],
  )
  return (outcome) => reads.labels(outcome).inc()
}

/** Every worker has the figures of the whole copy. */
function watchReplica(
  { clock, log, metrics }: Pick<WorkerDeps, 'clock' | 'log' | 'metrics'>,
  sql: Sql,
  signal: AbortSignal,
): Promise<void> {
  let last: ReplicaSummary | undefined
  const gauge = (name: string, help: string, read: (summary: ReplicaSummary) => number) =>
    metrics.gauge(name, help, () => (last === undefined ? 0 : read(last)))
  gauge('sluice_copy_waiting_events', 'Events that ClickHouse does not have yet.', (each) => {
    return each.size.events
  })
  gauge('sluice_copy_outbox_rows', 'Flushes that wait for ClickHouse.', (each) => each.size.rows)
  gauge('sluice_copy_outbox_bytes', 'Bytes of the flushes that wait.', (each) => each.size.bytes)
  gauge('sluice_copy_lag_seconds', 'Age of the oldest flush that waits.', (each) => {
    return each.size.lagMs / 1_000
  })
  gauge('sluice_copy_full', '1 while the outbox takes no more, and so Postgres.', ({ isFull }) => {
    return isFull ? 1 : 0
  })
  gauge('sluice_copy_gaps', 'Months of which ClickHouse lacks events.', (each) => each.gaps.length)
  gauge('sluice_copy_parts', 'Parts of the events in ClickHouse.', (each) => each.parts)
  gauge('sluice_copy_parts_most', 'Parts of the month that has the most.', (each) => {
    return each.partsMost
  })
  gauge('sluice_copy_up', '0 while ClickHouse does not take the copy.', ({ state }) => {
    return state === 'shipping' ? 1 : 0
  })
  gauge('sluice_copy_broken', '1 while a block is there in part: see the runbook.', ({ state }) => {
    return state === 'broken_block' ? 1 : 0
  })
  return runLoop(
    { clock, log, random: Math.random },
    { name: 'look at the copy', intervalMs: REPLICA_FIGURES_MS, jitterMs: REPLICA_FIGURES_MS / 10 },
    signal,
    async () => {
      last = await readSummary(sql)
    },
  )
}
