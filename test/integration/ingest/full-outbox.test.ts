/** An outbox that is full, while only ClickHouse is to hold events. */
import t from 'tap'
import { moveHome } from '../../../src/event-store/months/home.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { readOutboxRows, recordBlock } from '../../../src/replication/blocks.ts'
import { beginReplication, type Lease, takeLease } from '../../../src/replication/lease.ts'
import { keepBound, measureOutbox } from '../../../src/replication/outbox-bounds.ts'
import { eventsOfRows } from '../../../src/replication/outbox-rows.ts'
import { createProject, makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import { setUp, startClients } from '../../support/ingest/spilling-worker.ts'
import { type TestDatabase, testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

const MARCH = 'y2026m03'

async function leaseOf(sql: Sql): Promise<Lease> {
  const lease = await takeLease(sql, 'test')
  if (lease === undefined) throw new Error('the lease is not free')
  return lease
}

/** As if ClickHouse took all that waits. */
async function ship(sql: Sql, lease: Lease): Promise<void> {
  while (await recordBlock(sql, lease, MARCH)) {
    await sql`update event_blocks set stored_at = now(), done_at = now()`
  }
}

/** Uuids in all payloads, waiting or shipped. */
async function payloads(sql: Sql): Promise<readonly string[]> {
  const blocks = await sql<{ number: number }[]>`
    select number::float8 as number from event_blocks order by event_blocks.number`
  const events = []
  for (const { number } of blocks) {
    events.push(...(await eventsOfRows(await readOutboxRows(sql, number))))
  }
  return events.map(({ uuid }) => uuid)
}

async function alone({ sql }: TestDatabase): Promise<void> {
  await beginReplication(sql)
  await moveHome(sql)
}

t.test('it takes no more, and nothing goes, until a part of it is free', async (t) => {
  const db = await testDatabase(t)
  const { sql } = db
  await alone(db)
  const [lease, project] = [await leaseOf(sql), await createProject(sql)]
  const store = openStore(t, db, 0, undefined, true)
  const other = openStore(t, db, 8, undefined, true)
  const flush = (to = store) => to.flush(0, [rowOf(project, makeEvent())])
  await flush()
  await flush()
  const { bytes } = await measureOutbox(sql)
  t.same(await keepBound(sql, lease, bytes), { emptied: 0, turned: undefined }, 'within it')
  t.same(await keepBound(sql, lease, bytes - 1), { emptied: 0, turned: 'full' })
  t.same(await keepBound(sql, lease, bytes - 1), { emptied: 0, turned: undefined }, 'told once')
  t.equal((await measureOutbox(sql)).events, 2)
  const refused = { kind: 'unreachable', code: 'OUTBOX', isStated: true }
  await flush() // Its answer says so.
  await t.rejects(flush(), refused)
  await t.rejects(store.ping(), refused)
  await t.rejects(other.ping(), refused, 'another worker learns it by asking')
  await t.resolves(store.reach(), 'the database answers')
  await t.rejects(flush(other), refused)
  const now = (await measureOutbox(sql)).bytes
  t.match(await keepBound(sql, lease, now * 1.05), { turned: undefined }, 'a little is not enough')
  await t.rejects(store.ping(), refused)
  t.match(await keepBound(sql, lease, now * 1.2), { turned: 'free' })
  await t.resolves(store.ping())
  await t.resolves(flush())
  t.equal((await measureOutbox(sql)).events, 4)

  t.test('months that Postgres still has wait with the others', async (t) => {
    await sql`drop table ${sql(`event_ledger_${MARCH}`)}`
    await sql`drop trigger of_ledger on ${sql(`events_${MARCH}`)}`
    const young = openStore(t, db, 16, undefined, true)
    await flush(young)
    t.match(await keepBound(sql, lease, 1), { emptied: 0, turned: 'full' })
    await flush(young)
    await t.rejects(flush(young), refused)
  })
  t.test('a worker that has lost the lease changes nothing', async (t) => {
    await sql`update event_keeper set expires_at = now() - interval '1 second'`
    const next = await leaseOf(sql)
    t.match(await keepBound(sql, lease, 1e12), { turned: undefined })
    t.match(await keepBound(sql, next, 1e12), { turned: 'free' })
  })
  t.test('it is emptied again once Postgres has all events', async (t) => {
    t.match(await keepBound(sql, { ...lease, number: lease.number + 1n }, 1), { turned: 'full' })
    await sql`update event_keeper set keeps = 'both'`
    await sql`drop table if exists event_ledger_y2026m03`
    const next = { ...lease, number: lease.number + 1n }
    t.same(await keepBound(sql, next, 1), { emptied: 6, turned: 'free' })
  })
})

t.test('clients go on by the spill, and each event is stored once', async (t) => {
  const { db, writer, sink, submit, drain, emptied } = await setUp(t, { copies: true })
  const { sql } = db
  await alone(db)
  const lease = await leaseOf(sql)
  drain()
  const clients = startClients(submit)
  await clients.more(300)
  t.match(await keepBound(sql, lease, 1), { turned: 'full' })
  await until('the writer to notice', () => writer.status().state === 'down')
  await clients.more(500)
  t.equal(writer.status().state, 'down')
  await ship(sql, lease)
  t.match(await keepBound(sql, lease, 1e9), { turned: 'free' })
  await until('the writer to recover', () => writer.status().state === 'up')
  await clients.more(300)
  await clients.stop()
  await emptied()
  t.same(clients.refused, [])
  t.ok((sink.spill()?.spilledEvents ?? 0) >= 500)
  await ship(sql, lease)
  const stored = await payloads(sql)
  t.equal(new Set(stored).size, stored.length, 'none is there twice')
  const names = new Set(stored)
  t.same(
    clients.acknowledged.filter((uuid) => !names.has(uuid)),
    [],
  )
  const [counted] = await sql`
    select (select sum(count)::int from event_counts) as counted,
      (select count(*)::int from event_ledger) as keys`
  t.same(counted, { counted: stored.length, keys: stored.length })
})
