/** A backup has the events that only ClickHouse holds, and restores without it. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { verifyBackup } from '../../../src/backup/backup-reader.ts'
import { restoreBackup } from '../../../src/backup/restore.ts'
import { ColumnError } from '../../../src/clickhouse/column-error.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { moveHome } from '../../../src/event-store/months/home.ts'
import { deleteFound } from '../../../src/privacy/deletion-chunks.ts'
import { leavePostgres } from '../../../src/replication/move/leave-postgres.ts'
import { columnServer } from '../../support/columns/column-store.ts'
import { replicatedSite } from '../../support/columns/replicated-site.ts'
import {
  eventsOfColumns,
  eventsOfPostgres,
  untilShipped,
} from '../../support/columns/replication.ts'
import { makeEvent } from '../../support/ingest/ingest-store.ts'
import { backupOf, sourceOf } from '../../support/servers/backup.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

t.setTimeout(300_000)

const dir = join(packageRoot, 'migrations')
const server = await columnServer(t)
const PROPERTIES = String.raw`{"n":1.50,"n":"last","big":12345678901234567890123,"ü":"\u0001\"\\","e":1e40,"z":null}`

/** March has left Postgres, April is there, May begins in the ledger. */
async function kept(t: Test) {
  const { sql, project, columns, flush, ship } = await replicatedSite(t, server, {
    connectionsMax: 4,
  })
  const replicator = ship()
  const at = (timestamp: string, count: number) =>
    Array.from({ length: count }, () => makeEvent({ timestamp, properties: PROPERTIES }))
  await flush([
    ...at('2026-03-04T05:06:07.123456Z', 6_000),
    ...at('2026-04-04T00:00:00.000001Z', 20),
  ])
  await flush([...at('1850-06-01T00:00:00.000001Z', 5), ...at('2300-06-01T00:00:00.999999Z', 5)])
  await untilShipped(sql)
  await moveHome(sql)
  for (const month of ['y2026m03', 'old', 'far']) {
    await leavePostgres({ sql, store: columns, clock }, month)
  }
  await flush(at('2026-05-04T05:06:07.123456Z', 30))
  const open = async (): Promise<ColumnStore> => ({ ...columns, close: async () => {} })
  return { sql, project, columns, flush, replicator, at, open }
}

async function restored(t: Test, text: string) {
  const { sql } = await testDatabase(t, { migrated: false })
  const source = sourceOf(text)
  await restoreBackup(sql, source, await verifyBackup(source), { dir, log })
  const [row] = await sql<{ counted: number; keeps: string; reads: string; keys: number }[]>`
    select (select sum(count)::int from event_counts) as counted, keeps, reads,
      (select count(*)::int from event_ledger) as keys from event_keeper`
  return { events: [...(await eventsOfPostgres(sql))], ...row }
}

t.test('a backup of months here and there, with rows still in the outbox', async (t) => {
  const { sql, columns, flush, replicator, at, open } = await kept(t)
  await sql`update event_keeper set reads = 'clickhouse'`
  await untilShipped(sql)
  const whole = [...(await eventsOfColumns(columns))]
  t.equal(whole.length, 6_060)
  const first = await restored(t, await backupOf(sql, undefined, open))
  t.strictSame(first.events, whole)
  t.match(first, { counted: whole.length, keeps: 'both', reads: 'postgres', keys: 0 })
  await replicator.stop()
  await flush([...at('2026-05-04T05:06:07.123456Z', 40), ...at('2026-04-04T05:06:07.123456Z', 3)])
  const second = await restored(t, await backupOf(sql, undefined, open))
  t.match(second, { counted: whole.length + 43 })
  t.equal(second.events.length, whole.length + 43)
  t.equal(new Set(second.events.map(({ uuid }) => uuid)).size, second.events.length)
})

t.test('a row deleted and sent again, and not in ClickHouse yet, is the new one', async (t) => {
  const { sql, project, flush, replicator, at, open } = await kept(t)
  const [again] = at('2026-05-05T05:06:07.123456Z', 1)
  if (again === undefined) return
  await flush([again])
  await untilShipped(sql)
  await replicator.stop()
  for (const properties of ['{"plan":"new"}', '{"plan":"newest"}']) {
    const key = { day: '2026-05-05', uuid: again.uuid, event: again.event }
    t.equal(await sql.begin((tx) => deleteFound(tx, project, [key])), 1)
    await flush([{ ...again, properties }])
  }
  const { events } = await restored(t, await backupOf(sql, undefined, open))
  t.equal(events.length, 6_061)
  t.match(
    events.filter(({ uuid }) => uuid === again.uuid),
    [{ properties: '{"plan": "newest"}' }],
  )
})

t.test('a backup is of one moment, while events are added and deleted', async (t) => {
  const { sql, flush, at, open } = await kept(t)
  let isOver = false
  let sent = 0
  const capturing = (async () => {
    while (!isOver) {
      await flush([...at('2026-03-04T05:06:07.123456Z', 5), ...at('2026-04-04T00:00:00.00001Z', 2)])
      sent += 1
    }
  })()
  await until('some are stored', async () => sent > 3)
  for (let nth = 0; nth < 3; nth++) {
    const { events, counted } = await restored(t, await backupOf(sql, undefined, open))
    t.equal(events.length, counted, 'as many as were counted at that moment')
  }
  isOver = true
  await capturing
})

t.test('nothing is written where events cannot be had', async (t) => {
  const { sql, columns, open } = await kept(t)
  await untilShipped(sql)
  await t.rejects(backupOf(sql), { code: 'failed_precondition', message: /needs EVENTS_URL/ })
  const away = () => Promise.reject(new ColumnError('unreachable', 'it is away'))
  await t.rejects(backupOf(sql, undefined, away), { name: 'ColumnError' })
  const [lost] = await eventsOfColumns(columns)
  await columns.command(
    `alter table ${columns.database}.events delete where uuid = '${lost?.uuid}'`,
    { mutations_sync: 1 },
  )
  await t.rejects(backupOf(sql, undefined, open), {
    ...{ code: 'failed_precondition', message: /1 events of old are neither in ClickHouse nor/ },
  })
})
