/** A site whose events of March have left Postgres, with deletions and a view of the rest. */
import type { Test } from 'tap'
import { ColumnError } from '../../../src/clickhouse/column-error.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createReplicaReads } from '../../../src/event-store/clickhouse/replica/replica-reads.ts'
import { moveHome } from '../../../src/event-store/months/home.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { findKeys } from '../../../src/privacy/find-in-clickhouse.ts'
import type { RunDeletionsDeps } from '../../../src/privacy/run-chunk.ts'
import { CHUNK_BOUNDS, DELETION_SHARE_MAX } from '../../../src/privacy/run-deletions.ts'
import { askedOfDeletion } from '../../../src/query/list/deletion-selection.ts'
import { leavePostgres } from '../../../src/replication/move/leave-postgres.ts'
import { openOwnReplica } from '../../../src/replication/replication.ts'
import { makeEvent } from '../ingest/ingest-store.ts'
import { hurried, never, work } from '../store/deletions.ts'
import { replicatedSite } from './replicated-site.ts'
import { eventsOfColumns, untilShipped } from './replication.ts'

export const MARCH = '2026-03-04T05:06:07.123456Z'

type FindKeys = RunDeletionsDeps['findKeys']
type Deleting = Partial<RunDeletionsDeps> & {
  readonly signal?: AbortSignal
  readonly onChunk?: () => void | Promise<void>
}

/** March leaves Postgres, and what comes later is in neither table's events but the ledger; April stays. */
export async function keptSite(t: Test, server: string) {
  const site = await replicatedSite(t, server, { connectionsMax: 6 })
  const { sql, url, columns } = site
  let away = false
  const reads = createReplicaReads({
    clock,
    log,
    onRead: () => {},
    onKeys: () => {},
    open: async () => {
      if (away) throw new ColumnError('unreachable', 'ClickHouse is away')
      return await openOwnReplica(sql, url)
    },
  })
  t.teardown(reads.close)
  const find: FindKeys = (deletion, walk) =>
    findKeys({ sql, columns: reads, askedOf: askedOfDeletion }, deletion, walk)
  const deleting = ({ signal = never, onChunk, ...more }: Deleting = {}) =>
    work(sql, signal, hurried(onChunk), { findKeys: find, ...more })
  const setAway = async (is: boolean) => {
    away = is
    await reads.close()
  }
  const replicator = site.ship()
  /** Moves all months with events so far, except April, out of Postgres. */
  const leave = async () => {
    await untilShipped(sql)
    await moveHome(sql)
    await leavePostgres({ sql, store: columns, clock }, 'y2026m03')
  }
  return { ...site, replicator, find, deleting, setAway, leave }
}

/** Chunks of 20 events, eight of them a turn: none is done so soon that the next one is larger. */
export const small = (id: string) => ({
  shares: new Map([[id, DELETION_SHARE_MAX]]),
  bounds: { ...CHUNK_BOUNDS, targetMs: 1e-3 },
})

export const of = (
  distinctId: string,
  count: number,
  timestamp = MARCH,
  changes: Partial<IngestEvent> = {},
) =>
  Array.from({ length: count }, () =>
    makeEvent({ distinctId, timestamp, properties: '{"plan":"free"}', ...changes }),
  )

/** Events by distinct id in ClickHouse, after all were shipped, and the counters. */
export async function left({
  sql,
  columns,
}: Pick<Awaited<ReturnType<typeof keptSite>>, 'sql' | 'columns'>) {
  await untilShipped(sql)
  const counts: Record<string, number> = {}
  const events = await eventsOfColumns(columns)
  for (const { distinctId } of events) counts[distinctId] = (counts[distinctId] ?? 0) + 1
  const [row] = await sql<{ counted: number; keys: number; whole: number }[]>`
    select (select coalesce(sum(count), 0)::int from event_counts) as counted,
      (select count(*)::int from event_ledger) as keys, (select count(*)::int from events) as whole`
  return { counts, all: events.length, ...row }
}

export async function deletionOf(sql: Sql, id: string) {
  const [row] = await sql<{ state: string; deleted: number; error: string | null }[]>`
    select state, deleted::int, error from deletions where id = ${id}`
  return row
}
