/** Keeps the copy of the events in ClickHouse, where there is one, with its figures. */
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import {
  COMPARE_AGAIN_MS,
  COMPARISONS_MAX,
  COPY_COLUMNS_MS,
  COPY_FIGURES_MS,
  COPY_OUTBOX_BYTES_MAX,
  COPY_SCAN_MS,
} from '../core/limits/limits-columns.ts'
import { runLoop } from '../core/loop.ts'
import type { Metrics } from '../core/metrics/metrics.ts'
import type { Releasers } from '../core/releasers.ts'
import type { CopyOperations } from '../rpc/operator/copy-handlers.ts'
import { AskedKeys } from '../store/event-copy/asked-columns.ts'
import { compareMonth } from '../store/event-copy/compare-days.ts'
import { type CopySummary, readSummary } from '../store/event-copy/copy-summary.ts'
import { askForFill } from '../store/event-copy/fill.ts'
import { PERSONS } from '../store/event-copy/id-marks.ts'
import { comparePersons } from '../store/event-copy/ids.ts'
import { beginCopy, listMonths } from '../store/event-copy/lease.ts'
import type { CopiedEvents, ReadOutcome } from '../store/event-copy/read/read-copy.ts'
import { withoutCopy } from '../store/event-copy/read/without-copy.ts'
import { acceptLoss } from '../store/event-home/accept-loss.ts'
import { isLedgerKept, moveHome } from '../store/event-home/ledger.ts'
import { moveIfEmpty } from '../store/event-home/move-empty.ts'
import type { ColumnStore } from '../store/events-clickhouse/connect.ts'
import type { ColumnarInsights } from '../store/insights/columnar-insights.ts'
import { createSql, type Sql } from '../store/pool/connect.ts'
import type { WorkerDeps, WorkerOptions } from './types.ts'

const NO_EVENTS_URL =
  'The events of this database are in ClickHouse: EVENTS_URL has to be set as for the other workers.'
/** One to fill, others to add up months. */
const CONNECTIONS = 2
export type PreparedCopy = {
  readonly copy: CopyOperations | undefined
  readonly columnarInsights: ColumnarInsights
  readonly copiedEvents: CopiedEvents
  /** Starts the shipper of the copy, if there is one. */
  readonly start: () => void
}

/**
 * Records that there is a copy, before the first flush. Does not call ClickHouse: a worker starts
 * without it.
 */
export async function prepareCopy(
  { clock, log, metrics }: WorkerDeps,
  { database, eventsUrl, memberId }: WorkerOptions,
  db: Sql,
  releasers: Releasers,
): Promise<PreparedCopy> {
  if (eventsUrl === undefined) {
    if (await isLedgerKept(db)) throw new AppError('failed_precondition', NO_EVENTS_URL)
    const reads = withoutCopy()
    return { copy: undefined, columnarInsights: reads, copiedEvents: reads, start: () => {} }
  }
  await beginCopy(db)
  await moveIfEmpty(db)
  // Imported only here: without a copy the client of ClickHouse is not loaded.
  const { runShipper, openCopy, openOwnCopy, createCopyReads } = await import(
    '../store/event-copy/copying.ts'
  )
  const scans = createSql(database, {
    applicationName: 'sluice copy',
    connectionsMax: CONNECTIONS,
    statementTimeoutMs: COPY_SCAN_MS,
    idleInTransactionTimeoutMs: COPY_SCAN_MS,
    log,
  })
  releasers.push('connections of the copy', () => scans.end({ timeout: 2 }))
  const look = () => openOwnCopy(db, eventsUrl)
  const read = readMetrics(metrics)
  const asked = new AskedKeys()
  const reads = createCopyReads({
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
      runShipper(
        {
          ...deps,
          open: (lease) => openCopy(db, eventsUrl, lease),
          outboxBytesMax: COPY_OUTBOX_BYTES_MAX,
          onShipped: shippedMetrics(metrics),
        },
        abort.signal,
      ),
      watchCopy({ clock, log, metrics }, db, abort.signal),
      runLoop(
        { clock, log, random: Math.random },
        {
          name: 'count asked properties',
          intervalMs: COPY_COLUMNS_MS,
          jitterMs: COPY_COLUMNS_MS / 10,
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
  return { copy, columnarInsights: reads, copiedEvents: reads, start }
}

type Looking = {
  readonly db: Sql
  readonly scans: Sql
  readonly clock: Clock
  readonly look: () => Promise<ColumnStore>
}

function operationsOf({ db, scans, clock, look }: Looking): CopyOperations {
  return {
    summary: () => readSummary(db),
    months: () => listMonths(db),
    fill: (months) => askForFill(db, months),
    acceptLoss: (months) => acceptLoss(db, months),
    moveHome: () => moveHome(db),
    async moveMonth(month) {
      const store = await look().catch(explain)
      const { leavePostgres } = await import('../store/event-home/leave-postgres.ts')
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
function watchCopy(
  { clock, log, metrics }: Pick<WorkerDeps, 'clock' | 'log' | 'metrics'>,
  sql: Sql,
  signal: AbortSignal,
): Promise<void> {
  let last: CopySummary | undefined
  const gauge = (name: string, help: string, read: (summary: CopySummary) => number) =>
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
    { name: 'look at the copy', intervalMs: COPY_FIGURES_MS, jitterMs: COPY_FIGURES_MS / 10 },
    signal,
    async () => {
      last = await readSummary(sql)
    },
  )
}
