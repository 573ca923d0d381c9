/** The copy of the events over a database and a ClickHouse of a test's own. */

import type { ColumnEvent } from '../../../src/clickhouse/column-event.ts'
import { decodeEvent, EVENT_EXPRESSIONS } from '../../../src/clickhouse/column-event.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { type Log, silentLog } from '../../../src/core/log.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import type { Lease } from '../../../src/replication/lease.ts'
import { openReplica } from '../../../src/replication/open-replica.ts'
import { readSummary } from '../../../src/replication/replica-summary.ts'
import { runReplicator } from '../../../src/replication/replicator.ts'
import { REPLICA_OUTBOX_BYTES_MAX } from '../../../src/worker/worker-replica.ts'
import { until } from '../until.ts'

type Owner = { teardown(end: () => unknown): unknown }

export type ReplicatorOptions = {
  readonly holder?: string
  readonly outboxBytesMax?: number
  readonly log?: Log
  /** Replaces the store that `openReplica` opens. */
  readonly wrap?: (store: ColumnStore) => ColumnStore
}

/** Ships until the test ends or `stop` is called; `stop` resolves when nothing is under way. */
export function startReplicator(t: Owner, sql: Sql, url: string, options: ReplicatorOptions = {}) {
  const { holder = 'test', outboxBytesMax = REPLICA_OUTBOX_BYTES_MAX, log = silentLog } = options
  const { wrap = (store) => store } = options
  const abort = new AbortController()
  const shipped: number[] = []
  const open = async (lease: Lease) => wrap(await openReplica(sql, url, lease))
  const running = runReplicator(
    {
      sql,
      scans: sql,
      open,
      clock,
      log,
      random: Math.random,
      holder,
      outboxBytesMax,
      onShipped: (rows) => shipped.push(rows),
    },
    abort.signal,
  )
  const stop = async () => {
    abort.abort()
    await running
  }
  t.teardown(stop)
  return { shipped, stop }
}

/** Waits until no event is on its way to ClickHouse. */
export async function untilShipped(sql: Sql): Promise<void> {
  let seen: unknown
  await until(
    'everything is shipped',
    async () => {
      const [row] = await sql<{ waiting: number; gaps: number }[]>`
        select (select count(*)::int from event_gaps where asked) as gaps,
          (select count(*)::int from event_outbox where block is null)
          + (select count(*)::int from event_blocks where done_at is null)
          + (select count(*)::int from distinct_id_changes) as waiting`
      seen = { row, summary: await readSummary(sql) }
      return row?.waiting === 0 && row.gaps === 0
    },
    { seen: () => seen, withinMs: 120_000 },
  )
}

/** All events of Postgres, in order of project, day and uuid. */
export async function eventsOfPostgres(sql: Sql): Promise<readonly ColumnEvent[]> {
  const instant = (column: string) =>
    sql.unsafe(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
  return await sql<ColumnEvent[]>`
    select project_id as "projectId", uuid::text, event, distinct_id as "distinctId",
      ${instant('timestamp')} as timestamp, properties::text,
      elements_chain as "elementsChain", ${instant('created_at')} as "createdAt"
    from events order by project_id, day, events.uuid`
}

/** All events of ClickHouse, in the same order, with duplicates. */
export async function eventsOfColumns(store: ColumnStore): Promise<readonly ColumnEvent[]> {
  const rows = await store.rows(
    `select ${EVENT_EXPRESSIONS.join(', ')} from ${store.database}.events
    order by project_id, day, toString(uuid)`,
  )
  return rows.map(decodeEvent)
}
