/** The copy of months that only ClickHouse holds, as far as Postgres alone says what becomes of it. */
import t, { type Test } from 'tap'
import { silentLog as log } from '../../../../src/core/log.ts'
import { moveHome } from '../../../../src/event-store/months/home.ts'
import {
  attachKeyIndex,
  makeKeyIndex,
  partitionOfMonth,
} from '../../../../src/event-store/months/partitions.ts'
import { LOST } from '../../../../src/event-store/outbox/gaps.ts'
import type { IngestEvent } from '../../../../src/events/event.ts'
import { createSql, type Sql } from '../../../../src/postgres/connect.ts'
import { failureCode } from '../../../../src/postgres/failures.ts'
import { LOCK_NOT_AVAILABLE } from '../../../../src/postgres/sqlstate.ts'
import { requestBackfill } from '../../../../src/replication/backfill.ts'
import { recordBlock } from '../../../../src/replication/blocks.ts'
import { readSnapshot } from '../../../../src/replication/compare-days.ts'
import { beginReplication, markAll, takeLease } from '../../../../src/replication/lease.ts'
import { withMonth } from '../../../../src/replication/month-table.ts'
import { keepBound, pruneOutbox } from '../../../../src/replication/outbox-bounds.ts'
import { putPerson } from '../../../support/ingest/events.ts'
import { createProject, makeEvent, openStore, rowOf } from '../../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../../support/servers/database.ts'
import { until } from '../../../support/until.ts'

const MARCH = 'y2026m03'

/** A database with a copy that is not shipped, and a connection of another client. */
async function copied(t: Test) {
  const db = await testDatabase(t, { connectionsMax: 4 })
  const { sql } = db
  await beginReplication(sql)
  const store = openStore(t, db, 0, undefined, true)
  const project = await createProject(sql)
  const flush = (events: readonly IngestEvent[]) =>
    store.flush(
      0,
      events.map((event) => rowOf(project, event)),
    )
  const other = createSql(db.connection, { applicationName: 'other', connectionsMax: 1, log })
  t.teardown(() => other.end())
  return { sql, flush, project, other }
}

const march = () => makeEvent()
const april = () => makeEvent({ timestamp: '2026-04-04T05:06:07.123456Z' })

async function gaps(sql: Sql) {
  return [
    ...(await sql<{ month: string; asked: boolean }[]>`
      select month, asked from event_gaps order by month`),
  ]
}

/** How many events ClickHouse should have of March. */
async function countOf(sql: Sql): Promise<number> {
  const { sums } = await withMonth(sql, MARCH, (tx) => readSnapshot(tx, MARCH))
  return [...sums.values()].reduce((all, { count }) => all + count, 0)
}

t.test("the expected rows of ClickHouse are the ledger's less those that wait", async (t) => {
  const { sql, flush } = await copied(t)
  await moveHome(sql)
  const lease = await takeLease(sql, 'test')
  if (lease === undefined) throw new Error('the lease is not free')
  await flush([march(), march(), april()])
  t.equal(await countOf(sql), 0, 'all of them wait')
  await recordBlock(sql, lease, MARCH)
  t.equal(await countOf(sql), 0, 'or are on their way')
  await sql`update event_blocks set stored_at = now(), done_at = now()`
  await flush([march()])
  t.equal(await countOf(sql), 2)
  await sql`delete from event_ledger`
  t.equal(await countOf(sql), -1, 'one that is removed, and waits')
})

t.test('a month that moves is read before or after, never between', async (t) => {
  const { sql, flush, other } = await copied(t)
  await flush([march(), march()])
  await sql`delete from event_outbox`
  const move = (tx: Parameters<typeof makeKeyIndex>[0]) => async () => {
    await tx`truncate ${tx(`events_${MARCH}`)}`
    const partition = partitionOfMonth(MARCH)
    await makeKeyIndex(tx, partition)
    await attachKeyIndex(tx, partition)
    await tx`insert into event_ledger select 1, '2026-03-04', gen_random_uuid()
      from generate_series(1, 3)`
  }
  await withMonth(sql, MARCH, async (tx) => {
    const moved = other.begin(async (mover) => {
      await mover`set local lock_timeout = '200ms'`
      await mover`lock table only event_ledger in share update exclusive mode`
      await move(mover)()
    })
    const code = await moved.then(() => 'none', failureCode)
    t.equal(code, LOCK_NOT_AVAILABLE, 'it does not move while it is read')
    const { sums } = await readSnapshot(tx, MARCH)
    t.equal([...sums.values()][0]?.count, 2)
  })
  const reading: { count?: Promise<number> } = {}
  await other.begin(async (mover) => {
    await mover`lock table only event_ledger in share update exclusive mode`
    await mover`lock table ${mover(`events_${MARCH}`)} in access exclusive mode`
    await move(mover)()
    reading.count = countOf(sql)
    await until('it waits', async () => {
      const [row] = await sql<{ waits: number }[]>`
        select count(*)::int as waits from pg_locks where not granted`
      return row?.waits === 1
    })
  })
  t.equal(await reading.count, 3, 'what waited sees it as it is then')
})

t.test('payloads stay while a month of the ledger is to be made whole', async (t) => {
  const { sql, flush } = await copied(t)
  const lease = await takeLease(sql, 'test')
  if (lease === undefined) throw new Error('the lease is not free')
  await flush([march()])
  await moveHome(sql)
  await flush([april(), april()])
  for (const month of [MARCH, 'y2026m04']) await recordBlock(sql, lease, month)
  await sql`update event_blocks set stored_at = now(), done_at = now() - interval '47 hours'`
  const kept = async () => {
    await pruneOutbox(sql)
    const rows = await sql<{ month: string }[]>`select month from event_outbox order by month`
    return rows.map(({ month }) => month)
  }
  t.same(await kept(), [MARCH, 'y2026m04'], 'they are young')
  await sql`update event_blocks set done_at = now() - interval '10 days'`
  await requestBackfill(sql, [MARCH, 'y2026m04'])
  t.same(await kept(), ['y2026m04'], 'of the other month Postgres has the events')
  await sql`update event_gaps set asked = false`
  t.same(await kept(), ['y2026m04'], 'also while nobody has asked')
  await sql`update event_gaps set reason = ${LOST}`
  t.same(await kept(), [], 'unless they do not help')
})

t.test('nobody kept the copy for long: removals were written all the same', async (t) => {
  const { sql, flush, project } = await copied(t)
  await flush([march()])
  await putPerson(sql, project, { distinctIds: ['a'] })
  const late = async () => {
    await sql`delete from event_gaps`
    await sql`update event_keeper set expires_at = now() - interval '8 days'`
    await takeLease(sql, 'test')
    return await gaps(sql)
  }
  t.same(await late(), [
    { month: 'persons', asked: false },
    { month: MARCH, asked: false },
  ])
  await moveHome(sql)
  t.same(await late(), [{ month: 'persons', asked: true }])
  await flush([april()])
  await sql`update event_keeper set keeps = 'both'`
  t.same(await late(), [{ month: 'persons', asked: true }], 'as long as one month is there alone')
  await sql.begin((tx) => markAll(tx, 'the table was made anew'))
  t.same(await gaps(sql), [
    { month: 'persons', asked: true },
    { month: MARCH, asked: false },
    { month: 'y2026m04', asked: false },
  ])
})

t.test('an outbox is not emptied of a month that is just leaving', async (t) => {
  const { sql, flush, other } = await copied(t)
  const lease = await takeLease(sql, 'test')
  if (lease === undefined) throw new Error('the lease is not free')
  await flush([march()])
  const kept: { bound?: ReturnType<typeof keepBound> } = {}
  await other.begin(async (mover) => {
    await mover`lock table only event_ledger in share update exclusive mode`
    const partition = partitionOfMonth(MARCH)
    await makeKeyIndex(mover, partition)
    kept.bound = keepBound(sql, lease, 1)
    await until('it waits', async () => {
      const [row] = await sql<{ waits: number }[]>`
        select count(*)::int as waits from pg_locks where not granted`
      return row?.waits === 1
    })
    await attachKeyIndex(mover, partition)
  })
  t.match(await kept.bound, { emptied: 0 })
  t.equal((await sql`select from event_outbox`).count, 1)
  t.match(await keepBound(sql, lease, 1), { emptied: 0, turned: 'full' })
})
