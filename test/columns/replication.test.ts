/** The copy of the events in ClickHouse: the same events, once, whatever is stored and removed. */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { ColumnError } from '../../src/clickhouse/column-error.ts'
import type { ColumnStore } from '../../src/clickhouse/connect.ts'
import { listMonths } from '../../src/event-store/months/home.ts'
import { enqueueMonthTombstone } from '../../src/event-store/outbox/enqueue-tombstones.ts'
import type { IngestEvent } from '../../src/events/event.ts'
import type { Sql } from '../../src/postgres/connect.ts'
import { requestBackfill } from '../../src/replication/backfill.ts'
import { compareMonth } from '../../src/replication/compare-days.ts'
import { beginReplication } from '../../src/replication/lease.ts'
import { readSummary } from '../../src/replication/replica-summary.ts'
import {
  columnServer,
  freshDatabase,
  openColumns,
  rowsOf,
} from '../support/columns/column-store.ts'
import { replicatedSite } from '../support/columns/replicated-site.ts'
import {
  eventsOfColumns,
  eventsOfPostgres,
  startReplicator,
  untilShipped,
} from '../support/columns/replication.ts'
import { createProject, makeEvent, openStore, rowOf } from '../support/ingest/ingest-store.ts'
import { testDatabase } from '../support/servers/database.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const MARCH = 'y2026m03'
const server = await columnServer(t)

const copied = (t: Test) => replicatedSite(t, server)

async function same(t: Test, sql: Sql, columns: ColumnStore, words: string): Promise<number> {
  const [wanted, found] = [await eventsOfPostgres(sql), await eventsOfColumns(columns)]
  t.strictSame(found, [...wanted], words)
  for (const month of await listMonths(sql)) {
    const { differences } = await compareMonth(sql, columns, month)
    t.same(differences, [], `${words}: sums of ${month}`)
  }
  return wanted.length
}

const isOfEvents = ([sql]: readonly unknown[]) => String(sql).includes('.events ')

const many = (count: number, changes: Partial<IngestEvent> = {}) =>
  Array.from({ length: count }, (_, index) =>
    makeEvent({ properties: `{"n":${index}.50,"n":"last","ü":null}`, ...changes }),
  )

t.test('both have the same events after flushes with repeats', async (t) => {
  const { sql, columns, flush, ship } = await copied(t)
  const { shipped } = ship()
  const events = [
    ...many(300),
    ...many(50, { timestamp: '2026-04-30T23:59:59.999999Z' }),
    ...many(5, { timestamp: '1850-06-01T00:00:00.000001Z' }),
    ...many(5, { timestamp: '2300-06-01T00:00:00.000001Z' }),
  ]
  for (let flushes = 0; flushes < 30; flushes++) {
    const some = events.filter(() => Math.random() < 0.2)
    await flush([...some, ...some.slice(0, 3)])
  }
  await flush(events)
  await untilShipped(sql)
  t.equal(await same(t, sql, columns, 'all of them'), events.length)
  t.equal(
    shipped.reduce((all, rows) => all + rows, 0),
    events.length,
  )
  t.equal((await readSummary(sql))?.state, 'shipping')
})

t.test(
  'rows that Postgres deletes are gone from ClickHouse, and rows sent again stay',
  async (t) => {
    const { sql, columns, project, flush, ship } = await copied(t)
    ship()
    const [first, second] = [many(20), many(20)]
    await flush([...first, ...second])
    await untilShipped(sql)
    const { deleteOldEvents } = await import('../../src/privacy/deletion-chunks.ts')
    const deletion = { projectId: project, cutoff: '2026-03-05' } as never
    const removed = await sql.begin((tx) => deleteOldEvents(tx, deletion, undefined, 1))
    t.equal(removed.events, 40)
    await flush(first.slice(0, 7))
    await untilShipped(sql)
    t.equal(await same(t, sql, columns, 'after a deletion'), 7)
    await sql.begin(async (tx) => {
      await tx`lock table events in access exclusive mode`
      await enqueueMonthTombstone(tx, `events_${MARCH}`)
      await tx`drop table ${tx(`events_${MARCH}`)}`
    })
    await untilShipped(sql)
    t.equal(await same(t, sql, columns, 'after a dropped month'), 0)
  },
)

t.test('a month that was filled by hand, emptied or doubled is made whole', async (t) => {
  const { sql, columns, project, flush, ship } = await copied(t)
  ship()
  const events = [...many(60), ...many(30, { timestamp: '2026-03-20T10:00:00.000000Z' })]
  await flush(events)
  await untilShipped(sql)
  const table = `${columns.database}.events`
  const uuid = events[0]?.uuid
  await columns.command(`delete from ${table} where day > 20524`)
  await columns.command(`insert into ${table} select * replace (generateUUIDv4() as uuid)
    from (select * from ${table} where uuid = '${uuid}')`)
  await columns.command(`insert into ${table} select * from ${table} where uuid = '${uuid}'`)
  const { differences } = await compareMonth(sql, columns, MARCH)
  t.same(differences, [
    { projectId: project, day: '2026-03-04', wanted: 60, found: 62 },
    { projectId: project, day: '2026-03-20', wanted: 30, found: 0 },
  ])
  await requestBackfill(sql, [MARCH])
  await flush(many(10))
  await untilShipped(sql)
  t.equal(await same(t, sql, columns, 'after the fill'), 100)
})

t.test('events from before the copy are said to be missing, and filled when asked', async (t) => {
  const db = await testDatabase(t)
  const { sql } = db
  const project = await createProject(sql)
  const before = [...many(500), ...many(5, { timestamp: '1990-01-01T10:00:00.000000Z' })]
  const rows = before.map((event) => rowOf(project, event))
  await openStore(t, db).flush(0, rows)
  await beginReplication(sql)
  const url = await freshDatabase(t, server)
  const columns = await openColumns(t, url)
  startReplicator(t, sql, url)
  await openStore(t, db, 8, undefined, true).flush(0, [...rows, rowOf(project, makeEvent())])
  await untilShipped(sql)
  t.equal(await rowsOf(columns), 1)
  t.same((await readSummary(sql))?.gaps, [
    { month: 'old', reason: 'before the copy', asked: false },
    { month: 'persons', reason: 'before the copy', asked: false },
    { month: MARCH, reason: 'before the copy', asked: false },
  ])
  t.same(await requestBackfill(sql, []), ['old', 'persons', MARCH])
  await untilShipped(sql)
  t.equal(await same(t, sql, columns, 'all of them'), 506)
  t.same((await readSummary(sql))?.gaps, [])
})

t.test('a row that ClickHouse refuses becomes a dead letter, the others are there', async (t) => {
  const { sql, columns, flush, ship } = await copied(t)
  ship()
  await flush([makeEvent()])
  await untilShipped(sql)
  await columns.command(`alter table ${columns.database}.events
    add constraint no_poison check event != 'poison'`)
  const events = [...many(9), makeEvent({ event: 'poison' }), ...many(6)]
  await flush(events.slice(0, 12))
  await flush(events.slice(12))
  await untilShipped(sql)
  t.equal(await rowsOf(columns), 16)
  const letters = await sql<{ event: string; error: string }[]>`
    select event, error from dead_letters`
  t.match(letters, [{ event: 'poison', error: /ClickHouse refuses it: .*VIOLATED_CONSTRAINT/ }])
  t.match((await readSummary(sql))?.gaps, [
    { month: MARCH, reason: /refuses events/, asked: false },
  ])
})

t.test('an answer that is lost doubles nothing, even without a token', async (t) => {
  const { sql, columns, flush, ship } = await copied(t)
  let isOpen = false
  let lost = 0
  ship({
    wrap: (store) => {
      isOpen = true
      return {
        ...store,
        insert: async (...args) => {
          await store.insert(...args)
          if (!isOfEvents(args)) return
          lost += 1
          if (lost === 1) throw new ColumnError('unreachable', 'the answer is lost')
        },
      }
    },
  })
  // A replicator that opens the copy refuses a table with another window.
  await until('the copy is open', () => isOpen)
  await columns.command(`alter table ${columns.database}.events
    modify setting non_replicated_deduplication_window = 0`)
  const mended = until('the copy is tried again', async () => {
    if (lost === 0) return false
    await columns.command(`alter table ${columns.database}.events
      modify setting non_replicated_deduplication_window = 10000`)
    return true
  })
  await flush(many(30))
  await mended
  await untilShipped(sql)
  t.equal(await same(t, sql, columns, 'once'), 30)
  t.equal(lost, 1, 'and is sent once')
})

t.test('a block that is there in part is an alarm, and is mended by a fill', async (t) => {
  const { sql, columns, flush, ship } = await copied(t)
  let cut = true
  ship({
    wrap: (store) => ({
      ...store,
      insert: async (...args) => {
        await store.insert(...args)
        if (!cut || !isOfEvents(args)) return
        await store.command(`delete from ${store.database}.events
          where uuid = (select any(uuid) from ${store.database}.events)`)
        throw new ColumnError('unreachable', 'the answer is lost')
      },
    }),
  })
  await flush(many(10))
  const stateIs = async (state: string) => (await readSummary(sql))?.state === state
  await until('the block is broken', () => stateIs('broken_block'))
  t.match((await readSummary(sql))?.problem, /block 1 has 9 rows of 10/)
  cut = false
  await flush(many(5))
  await until('the outbox holds what came', async () => {
    return (await readSummary(sql))?.size.events === 15
  })
  t.equal(await rowsOf(columns), 9, 'nothing more is sent')
  await requestBackfill(sql, [MARCH])
  await untilShipped(sql)
  t.equal(await same(t, sql, columns, 'mended'), 15)
  await until('it ships again', () => stateIs('shipping'))
})

t.test('a full outbox costs no capture, and the copy is whole in the end', async (t) => {
  const { sql, columns, flush, ship } = await copied(t)
  let isAway = true
  ship({
    outboxBytesMax: 2_000,
    wrap: (store) => ({
      ...store,
      insert: async (...args) => {
        if (isAway) throw new ColumnError('unreachable', 'it is away')
        await store.insert(...args)
      },
    }),
  })
  const gaps = async () => (await readSummary(sql))?.gaps.length ?? 0
  let stored = 0
  await until('the outbox was full', async () => {
    await flush(many(50))
    stored += 50
    return (await gaps()) > 0
  })
  t.equal((await readSummary(sql))?.state, 'unreachable')
  isAway = false
  await untilShipped(sql)
  t.equal(await same(t, sql, columns, 'whole'), stored)
})

t.test('a table of another owner is left alone', async (t) => {
  const one = await copied(t)
  const first = one.ship()
  await one.flush(many(3))
  await untilShipped(one.sql)
  await first.stop()
  const problem = async (sql: Sql) => {
    const summary = await readSummary(sql)
    return `${summary?.state}: ${summary?.problem}`
  }
  t.test('a replica of another instance', async (t) => {
    const other = await copied(t)
    startReplicator(t, other.sql, one.url)
    await other.flush(many(3))
    await until('it is told', async () => /of another instance/.test(await problem(other.sql)))
    t.equal(await rowsOf(one.columns), 3)
  })
  t.test('a replica of a later state of this one', async (t) => {
    await one.sql`update event_shipper set last_block = 0`
    const { stop } = one.ship()
    await until('it is told', async () => /has block 1,/.test(await problem(one.sql)))
    await stop()
    t.equal(await rowsOf(one.columns), 3)
    await one.sql`update event_shipper set last_block = 1`
  })
  t.test('changed by hand', async (t) => {
    const table = `${one.columns.database}.events`
    await one.columns.command(`alter table ${table} rename column elements_chain to chain`)
    const { stop } = one.ship()
    await until('it is told', async () => /no column elements_chain/.test(await problem(one.sql)))
    await one.flush(many(2))
    await one.columns.command(`alter table ${table} rename column chain to elements_chain`)
    await untilShipped(one.sql)
    t.equal(await same(t, one.sql, one.columns, 'and mended'), 5)
    await stop()
  })
  t.test('made anew: the months are said to be missing', async (t) => {
    for (const table of ['events', 'distinct_ids']) {
      await one.columns.command(`drop table ${one.columns.database}.${table} sync`)
    }
    one.ship()
    await one.flush([makeEvent({ uuid: randomUUID() })])
    await untilShipped(one.sql)
    t.match((await readSummary(one.sql))?.gaps, [
      { month: 'persons', asked: false },
      { month: MARCH, asked: false },
    ])
    await requestBackfill(one.sql, [])
    await untilShipped(one.sql)
    t.equal(await same(t, one.sql, one.columns, 'whole'), 6)
  })
})
