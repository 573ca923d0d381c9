/** The connections of a worker: for calls, for decides, and for queries. */

import { EVENT_QUERY_TIMEOUT_MS, EVENT_SCANS_CONNECTIONS } from '../core/limits/limits-query.ts'
import type { Releasers } from '../core/releasers.ts'
import { createFlushShare } from '../ingest/flush-share.ts'
import { createSql } from '../postgres/connect.ts'
import type { WorkerDeps, WorkerOptions } from './types.ts'

/** Share of the time in flushes above which a query runs in one process of the database. */
const PARALLEL_FLUSH_SHARE_MAX = 0.2

const POOL_CONNECTIONS = 8
const LOOKUP_CONNECTIONS = 4

/**
 * Opens the connection pools. Queries get the rest of the processors, and run without parallel
 * workers while events arrive: report each flush to `flushes`.
 */
export function openPools(
  { clock, log }: Pick<WorkerDeps, 'clock' | 'log'>,
  { database }: Pick<WorkerOptions, 'database'>,
  releasers: Releasers,
) {
  const flushes = createFlushShare(clock)
  const sql = createSql(database, {
    applicationName: 'sluice worker',
    connectionsMax: POOL_CONNECTIONS,
    log,
  })
  const lookups = createSql(database, {
    applicationName: 'sluice decide',
    connectionsMax: LOOKUP_CONNECTIONS,
    lookupsOnly: true,
    log,
  })
  const scans = createSql(database, {
    applicationName: 'sluice queries',
    connectionsMax: EVENT_SCANS_CONNECTIONS,
    statementTimeoutMs: EVENT_QUERY_TIMEOUT_MS,
    endsWithCallers: true,
    yieldsProcessors: true,
    mayBeParallel: () => flushes.now() < PARALLEL_FLUSH_SHARE_MAX,
    log,
  })
  releasers.push('connections', () => sql.end({ timeout: 2 }))
  releasers.push('decide connections', () => lookups.end({ timeout: 2 }))
  releasers.push('query connections', () => scans.end({ timeout: 2 }))
  return { sql, lookups, scans, flushes }
}
