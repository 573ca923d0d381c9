/** Faults around the copy, one at a time, with real processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { hurryReplicator } from '../../src/event-store/clickhouse/replica/watermark.ts'
import { listMonths } from '../../src/event-store/months/home.ts'
import type { Sql } from '../../src/postgres/connect.ts'
import { requestBackfill } from '../../src/replication/backfill.ts'
import { compareMonth } from '../../src/replication/compare-days.ts'
import { beginReplication } from '../../src/replication/lease.ts'
import { readSummary } from '../../src/replication/replica-summary.ts'
import { freshDatabase, openColumns } from '../support/columns/column-store.ts'
import { startEngine } from '../support/columns/engine.ts'
import {
  eventsOfColumns,
  eventsOfPostgres,
  startReplicator,
  untilShipped,
} from '../support/columns/replication.ts'
import { putPerson } from '../support/ingest/events.ts'
import { createProject, makeEvent, openStore, rowOf } from '../support/ingest/ingest-store.ts'
import { moduleArgs } from '../support/module-url.ts'
import { testDatabase } from '../support/servers/database.ts'
import { diskFolder } from '../support/servers/folders.ts'
import { until } from '../support/until.ts'

t.setTimeout(300_000)

async function copied(t: Test) {
  const folder = await mkdtemp(join(diskFolder(), 'sluice-copy-faults-'))
  const db = await testDatabase(t)
  await beginReplication(db.sql)
  const data = join(folder, 'data')
  const engine = await startEngine(t, { folder: data })
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const url = await freshDatabase(t, engine.url)
  const columns = await openColumns(t, url)
  const store = openStore(t, db, 0, undefined, true)
  const project = await createProject(db.sql)
  const flush = (count: number, event = 'seen') =>
    store.flush(
      0,
      Array.from({ length: count }, () => rowOf(project, makeEvent({ event }))),
    )
  return { db, sql: db.sql, engine, url, columns, flush, data, folder }
}

async function uuidsOf(events: ReturnType<typeof eventsOfPostgres>): Promise<readonly string[]> {
  return (await events).map(({ uuid }) => uuid)
}

async function untilState(sql: Sql, state: string): Promise<void> {
  await until(`the copy is ${state}`, async () => (await readSummary(sql))?.state === state)
}

t.test('while the engine is away nothing waits for it, and the copy is whole later', async (t) => {
  const { sql, engine, url, columns, flush } = await copied(t)
  startReplicator(t, sql, url)
  await flush(3)
  await untilShipped(sql)
  await engine.kill()
  for (let flushes = 0; flushes < 5; flushes++) await flush(4)
  await untilState(sql, 'unreachable')
  t.equal((await eventsOfPostgres(sql)).length, 23, 'captures went on')
  await engine.start()
  await untilShipped(sql)
  t.strictSame(await uuidsOf(eventsOfColumns(columns)), await uuidsOf(eventsOfPostgres(sql)))
})

t.test(
  'a replicator that was paused continues when another has its lease: none doubled',
  async (t) => {
    const { db, sql, url, columns, flush } = await copied(t)
    const args = moduleArgs('../support/columns/replicator-child.ts', import.meta.url)
    const child = spawn(process.execPath, [...args, db.url, url], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    t.teardown(async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    })
    await flush(5)
    await untilShipped(sql)
    // It works on a block, or looks for one.
    await flush(2_000)
    child.kill('SIGSTOP')
    const { shipped } = startReplicator(t, sql, url, { holder: 'successor' })
    await flush(7)
    await until('the other one ships', async () => shipped.length > 0, { withinMs: 60_000 })
    child.kill('SIGCONT')
    await flush(11)
    await untilShipped(sql)
    t.strictSame(await uuidsOf(eventsOfColumns(columns)), await uuidsOf(eventsOfPostgres(sql)))
  },
)

t.test('an engine that is put back to an older state is told, and filled', async (t) => {
  const { sql, engine, url, columns, flush, data, folder } = await copied(t)
  const first = startReplicator(t, sql, url)
  await flush(20)
  await untilShipped(sql)
  await engine.kill()
  await cp(data, join(folder, 'backup'), { recursive: true })
  await engine.start()
  await flush(30)
  await untilShipped(sql)
  await first.stop()
  await engine.kill()
  await rm(data, { recursive: true })
  await cp(join(folder, 'backup'), data, { recursive: true })
  await engine.start()
  startReplicator(t, sql, url)
  await flush(4)
  await untilShipped(sql)
  const missing: number[] = []
  for (const month of await listMonths(sql)) {
    missing.push(...(await compareMonth(sql, columns, month)).missingBlocks)
  }
  t.ok(missing.length > 0, `blocks ${missing} are named`)
  await requestBackfill(sql, await listMonths(sql))
  await untilShipped(sql)
  t.strictSame(await uuidsOf(eventsOfColumns(columns)), await uuidsOf(eventsOfPostgres(sql)))
})

t.test('a fill ends while ClickHouse keeps refusing an event, and says so', async (t) => {
  const { sql, url, columns, flush } = await copied(t)
  startReplicator(t, sql, url)
  await flush(1)
  await untilShipped(sql)
  await columns.command(`alter table ${columns.database}.events
    add constraint no_poison check event != 'poison'`)
  await flush(3)
  await flush(1, 'poison')
  await untilShipped(sql)
  const [month = ''] = await monthsWithEvents(sql)
  await requestBackfill(sql, [month])
  await untilShipped(sql)
  const gaps = await sql<{ month: string; reason: string }[]>`select month, reason from event_gaps`
  t.match([...gaps], [{ month, reason: /refuses events/ }])
  t.equal((await eventsOfColumns(columns)).length, 4, 'the others are there once')
})

t.test('too many parts: what is refused waits, is told, and is there once later', async (t) => {
  const { sql, url, columns, flush } = await copied(t)
  startReplicator(t, sql, url)
  await flush(2)
  await untilShipped(sql)
  await columns.command(`system stop merges ${columns.database}.events`)
  await columns.command(`alter table ${columns.database}.events
    modify setting parts_to_throw_insert = 1, parts_to_delay_insert = 1`)
  await flush(3)
  await untilState(sql, 'failed')
  t.match((await readSummary(sql))?.problem, /TOO_MANY_PARTS/)
  for (let flushes = 0; flushes < 3; flushes++) await flush(4)
  t.equal((await eventsOfPostgres(sql)).length, 17, 'captures went on')
  t.equal((await eventsOfColumns(columns)).length, 2)
  await columns.command(`alter table ${columns.database}.events
    reset setting parts_to_throw_insert, parts_to_delay_insert`)
  await columns.command(`system start merges ${columns.database}.events`)
  await untilShipped(sql)
  t.strictSame(await uuidsOf(eventsOfColumns(columns)), await uuidsOf(eventsOfPostgres(sql)))
})

t.test('a replicator says in how many parts the events are', async (t) => {
  const { sql, url, columns, flush } = await copied(t)
  const first = startReplicator(t, sql, url)
  await flush(2)
  await untilShipped(sql)
  await columns.command(`system stop merges ${columns.database}.events`)
  for (let blocks = 0; blocks < 2; blocks++) {
    await flush(2)
    await untilShipped(sql)
  }
  await first.stop()
  startReplicator(t, sql, url)
  await until('it is told', async () => (await readSummary(sql))?.partsMost === 3, {
    seen: () => columns.database,
  })
  t.equal((await readSummary(sql))?.parts, 3)
})

t.test('an engine that stands still costs captures nothing; the copy is whole later', async (t) => {
  const { sql, engine, url, columns, flush } = await copied(t)
  startReplicator(t, sql, url)
  await flush(3)
  await untilShipped(sql)
  process.kill(engine.pid, 'SIGSTOP')
  t.teardown(() => process.kill(engine.pid, 'SIGCONT'))
  for (let flushes = 0; flushes < 5; flushes++) await flush(4)
  t.equal((await eventsOfPostgres(sql)).length, 23, 'captures went on')
  const waiting = async () => (await readSummary(sql))?.size.events === 20
  await until('a block is on its way, and all of them wait', async () => {
    const [row] = await sql`select from event_blocks where done_at is null`
    return row !== undefined && (await waiting())
  })
  process.kill(engine.pid, 'SIGCONT')
  await untilShipped(sql)
  t.strictSame(await uuidsOf(eventsOfColumns(columns)), await uuidsOf(eventsOfPostgres(sql)))
})

async function monthsWithEvents(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ month: string }[]>`
    select distinct substring(tableoid::regclass::text from 8) as month from events`
  return rows.map(({ month }) => month)
}

t.test('while Postgres is away nothing is shipped, and nothing is lost or doubled', async (t) => {
  const { db, sql, url, columns, flush } = await copied(t)
  startReplicator(t, sql, url)
  await flush(3_000)
  await flush(2)
  await db.pg.kill('SIGKILL')
  await t.rejects(flush(1))
  await db.pg.restart()
  await until('it takes events', async () => {
    return await flush(5).then(
      () => true,
      () => false,
    )
  })
  await untilShipped(sql)
  t.strictSame(await uuidsOf(eventsOfColumns(columns)), await uuidsOf(eventsOfPostgres(sql)))
})

t.test('after the clock of Postgres went back a day the copy is kept on', async (t) => {
  const { sql, url, columns, flush } = await copied(t)
  const { stop } = startReplicator(t, sql, url)
  await flush(3)
  await untilShipped(sql)
  await stop()
  await flush(4)
  // The same run, had the clock been a day ahead when the last holder died.
  await sql`update event_keeper set expires_at = now() + interval '1 day',
    waited_at = now() + interval '1 day'`
  await sql`update event_outbox set committed_at = committed_at + interval '1 day'`
  await sql`update event_shipper set ids_version = ids_version + 86400000000`
  startReplicator(t, sql, url, { holder: 'successor' })
  // Alone: beside younger ones they would go with these.
  await untilShipped(sql)
  await putPerson(sql, 1, { distinctIds: ['late'] })
  await flush(5)
  await untilShipped(sql)
  t.equal((await eventsOfPostgres(sql)).length, 12)
  t.strictSame(await uuidsOf(eventsOfColumns(columns)), await uuidsOf(eventsOfPostgres(sql)))
  const late = `select count() from distinct_ids final
    where id = sipHash128('late') and person_id > 0`
  const [[told] = []] = await columns.rows(late)
  t.equal(Number(told), 1)
  t.equal((await sql`select from event_keeper where waited_at > now()`).length, 1)
  await hurryReplicator(sql)
  t.equal((await sql`select from event_keeper where waited_at > now()`).length, 0)
})
