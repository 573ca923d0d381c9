/** Months leave Postgres while captures go on, and no event is lost or there twice. */
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { listMovedMonths, moveHome } from '../../../src/event-store/months/home.ts'
import { createPartitions, partitionOf } from '../../../src/event-store/months/partitions.ts'
import { LOSS_ACCEPTED, LOST } from '../../../src/event-store/outbox/gaps.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { requestBackfill } from '../../../src/replication/backfill.ts'
import { acceptLoss } from '../../../src/replication/move/accept-loss.ts'
import { leavePostgres } from '../../../src/replication/move/leave-postgres.ts'
import { moveIfEmpty } from '../../../src/replication/move/move-empty.ts'
import { columnServer } from '../../support/columns/column-store.ts'
import { replicatedSite } from '../../support/columns/replicated-site.ts'
import {
  eventsOfColumns,
  eventsOfPostgres,
  untilShipped,
} from '../../support/columns/replication.ts'
import { makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import { until } from '../../support/until.ts'

t.setTimeout(600_000)

const MARCH = 'y2026m03'
const server = await columnServer(t)

async function copied(t: Test) {
  const site = await replicatedSite(t, server)
  const { sql, columns } = site
  const flush = async (events: readonly IngestEvent[]) => (await site.flush(events)).duplicates
  return { ...site, flush, deps: { sql, store: columns, clock } }
}

const many = (count: number, changes: Partial<IngestEvent> = {}) =>
  Array.from({ length: count }, (_, index) =>
    makeEvent({ properties: `{"n":${index}.50,"big":1e40,"n":"last","ü":null}`, ...changes }),
  )

async function keysOf(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ uuid: string }[]>`
    select uuid::text as uuid from event_ledger order by project_id, day, event_ledger.uuid`
  return rows.map(({ uuid }) => uuid)
}

async function countOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(count), 0)::float8 as count from event_counts`
  return row?.count ?? -1
}

t.test('a month leaves, and repeats are still known', async (t) => {
  const { sql, columns, flush, deps, ship } = await copied(t)
  ship()
  const events = [
    ...many(300),
    ...many(20, { timestamp: '2026-03-31T23:30:00.000001Z' }),
    ...many(20, { timestamp: '1850-06-01T00:00:00.000001Z' }),
    ...many(20, { timestamp: '2300-06-01T00:00:00.000001Z' }),
  ]
  await flush(events)
  await untilShipped(sql)
  const before = await eventsOfPostgres(sql)
  await moveHome(sql)
  for (const month of [MARCH, 'old', 'far']) {
    t.equal(typeof (await leavePostgres(deps, month)), 'number')
    t.equal(await leavePostgres(deps, month), undefined, 'it has left')
  }
  t.same(await eventsOfPostgres(sql), [], 'Postgres has none of them')
  t.same(
    await keysOf(sql),
    before.map(({ uuid }) => uuid),
  )
  t.equal((await flush(events)).length, events.length, 'they are stored')
  const moved = events.slice(300, 310).map((event) => {
    return { ...event, timestamp: '2026-04-01T00:30:00.000001Z' }
  })
  t.equal((await flush(moved)).length, 10, 'also on the other side of a midnight, in another month')
  const late = many(30)
  t.equal((await flush([...late, ...events.slice(0, 5)])).length, 5)
  t.equal(await countOf(sql), events.length + late.length)
  await untilShipped(sql)
  const all = await eventsOfColumns(columns)
  t.equal(all.length, events.length + late.length)
  t.strictSame(
    all.filter(({ uuid }) => before.some((event) => event.uuid === uuid)),
    [...before],
    'ClickHouse has what Postgres had',
  )
})

t.test('while captures of the month go on', async (t) => {
  const { sql, columns, flush, deps, ship } = await copied(t)
  ship()
  let isOver = false
  const sent: IngestEvent[] = []
  const capturing = (async () => {
    while (!isOver) {
      // Events of two months: a flush may find one of them here and the other there.
      const events = [...many(20), ...many(5, { timestamp: '2026-04-02T10:00:00.000000Z' })]
      const again = sent.slice(-10)
      const duplicates = await flush([...events, ...again])
      // A flush that was sent twice as its answer was lost finds all of its own.
      t.ok(duplicates.length >= again.length, 'what was sent before is known')
      sent.push(...events)
    }
  })()
  await until('some are stored', async () => sent.length > 200)
  await moveHome(sql)
  for (const month of [MARCH, 'y2026m04']) {
    await leavePostgres(deps, month)
    const stored = sent.length
    await until('more are stored', async () => sent.length > stored + 200)
  }
  isOver = true
  await capturing
  await untilShipped(sql)
  t.same(await eventsOfPostgres(sql), [])
  const found = (await eventsOfColumns(columns)).map(({ uuid }) => uuid)
  t.same(found.sort(), sent.map(({ uuid }) => uuid).sort())
  t.equal(await countOf(sql), sent.length)
})

t.test('a month that ClickHouse does not have as it is stays', async (t) => {
  const { sql, columns, flush, deps, ship } = await copied(t)
  ship()
  await flush(many(50))
  await untilShipped(sql)
  await columns.command(
    `alter table ${columns.database}.events delete where month = '${MARCH}' and cityHash64(uuid) % 2 = 0`,
    { mutations_sync: 1 },
  )
  await moveHome(sql)
  await t.rejects(leavePostgres(deps, MARCH), {
    code: 'failed_precondition',
    message: /1 days differ/,
  })
  t.equal((await eventsOfPostgres(sql)).length, 50)
  t.same(await listMovedMonths(sql), [])
})

t.test('an operator may accept that events are lost', async (t) => {
  const { sql, columns, flush, deps, ship } = await copied(t)
  ship()
  const events = many(50)
  await flush(events)
  await untilShipped(sql)
  await moveHome(sql)
  await leavePostgres(deps, MARCH)
  await columns.command(
    `alter table ${columns.database}.events delete where uuid = '${events[7]?.uuid}'`,
    { mutations_sync: 1 },
  )
  await requestBackfill(sql, [MARCH])
  await sql`update event_blocks set done_at = done_at - interval '9 days'`
  await sql`delete from event_outbox`
  const reasonIs = async (reason: string) => {
    const [row] = await sql`select from event_gaps where month = ${MARCH} and reason = ${reason}`
    return row !== undefined
  }
  await until('the fill has found that it is lost', () => reasonIs(LOST))
  t.same(await acceptLoss(sql, ['y2026m04']), [], 'of others nothing is lost')
  t.same(await acceptLoss(sql, [MARCH]), [MARCH])
  t.same(await requestBackfill(sql, []), [], 'it is not looked for again')
  t.ok(await reasonIs(LOSS_ACCEPTED))
  t.same(await requestBackfill(sql, [MARCH]), [MARCH], 'unless it is named')
})

t.test('an instance without events begins in ClickHouse', async (t) => {
  const { sql, columns, flush, ship } = await copied(t)
  await createPartitions(sql, [partitionOf('2026-03')])
  await moveIfEmpty(sql)
  t.ok((await listMovedMonths(sql)).includes(MARCH))
  ship()
  t.same(await flush(many(5)), [])
  t.same(await eventsOfPostgres(sql), [])
  await untilShipped(sql)
  t.equal((await eventsOfColumns(columns)).length, 5)
  await moveIfEmpty(sql)
  t.equal((await keysOf(sql)).length, 5, 'again is nothing new')
})

t.test('an instance with events is left to the command', async (t) => {
  const { sql, flush } = await copied(t)
  await flush(many(5))
  await moveIfEmpty(sql)
  t.same(await listMovedMonths(sql), [])
  t.equal((await eventsOfPostgres(sql)).length, 5)
})

t.test('events made later are in the ledger from the beginning', async (t) => {
  const { sql, columns, flush, ship } = await copied(t)
  ship()
  await moveHome(sql)
  await flush(many(5, { timestamp: '2027-01-02T10:00:00.000000Z' }))
  t.same(await listMovedMonths(sql), ['y2027m01'])
  t.same(await eventsOfPostgres(sql), [])
  await untilShipped(sql)
  t.equal((await eventsOfColumns(columns)).length, 5)
})

t.test(
  'a worker without a copy does not store events that only ClickHouse is to hold',
  async (t) => {
    const { db, sql, project } = await copied(t)
    await moveHome(sql)
    const store = openStore(t, db)
    const rows = [rowOf(project, makeEvent({ timestamp: '2027-01-02T10:00:00.000000Z' }))]
    await t.rejects(store.flush(0, rows), { kind: 'unreachable', code: 'LEDGER' })
    t.same(await keysOf(sql), [])
  },
)
