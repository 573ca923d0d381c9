/** Months leave Postgres and come back, while captures go on, and no event is lost or there twice. */
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import { LOST } from '../../../src/store/event-copy/blocks.ts'
import { askForFill } from '../../../src/store/event-copy/fill.ts'
import { acceptLoss } from '../../../src/store/event-home/accept-loss.ts'
import { leavePostgres } from '../../../src/store/event-home/leave-postgres.ts'
import { listLedgerMonths, setKeepers } from '../../../src/store/event-home/ledger.ts'
import { returnToPostgres } from '../../../src/store/event-home/return-to-postgres.ts'
import type { Sql } from '../../../src/store/pool/connect.ts'
import { columnServer } from '../../support/columns/column-store.ts'
import { copiedSite } from '../../support/columns/copied-site.ts'
import {
  eventsOfColumns,
  eventsOfPostgres,
  untilShipped,
} from '../../support/columns/event-copy.ts'
import { makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import { until } from '../../support/until.ts'

t.setTimeout(600_000)

const MARCH = 'y2026m03'
const server = await columnServer(t)

async function copied(t: Test) {
  const site = await copiedSite(t, server)
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

t.test('a month leaves, repeats are still known, and it comes back as it was', async (t) => {
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
  await setKeepers(sql, 'clickhouse')
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

  await setKeepers(sql, 'both')
  for (const month of await listLedgerMonths(sql)) await returnToPostgres(deps, month)
  t.equal(await returnToPostgres(deps, MARCH), undefined, 'it is back')
  t.strictSame([...(await eventsOfPostgres(sql))], all)
  t.same(await listLedgerMonths(sql), [])
  t.equal((await flush([...late, ...events])).length, events.length + late.length)
  t.equal((await flush(many(7))).length, 0)
  t.equal(await countOf(sql), events.length + late.length + 7)
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
  for (let times = 0; times < 3; times++) {
    await setKeepers(sql, 'clickhouse')
    await leavePostgres(deps, MARCH)
    const [stored] = [sent.length]
    await until('more are stored', async () => sent.length > stored + 200)
    await setKeepers(sql, 'both')
    await returnToPostgres(deps, MARCH)
    const then = sent.length
    await until('more are stored', async () => sent.length > then + 100)
  }
  isOver = true
  await capturing
  await untilShipped(sql)
  const stored = [...(await eventsOfPostgres(sql))]
  t.strictSame(await eventsOfColumns(columns), stored)
  t.same(stored.map(({ uuid }) => uuid).sort(), sent.map(({ uuid }) => uuid).sort())
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
  await setKeepers(sql, 'clickhouse')
  await t.rejects(leavePostgres(deps, MARCH), {
    code: 'failed_precondition',
    message: /1 days differ/,
  })
  t.equal((await eventsOfPostgres(sql)).length, 50)
  t.same(await listLedgerMonths(sql), [])
})

t.test('events that ClickHouse has lost since do not return as fewer', async (t) => {
  const { sql, columns, flush, deps, ship } = await copied(t)
  ship()
  const events = many(50)
  await flush(events)
  await untilShipped(sql)
  await setKeepers(sql, 'clickhouse')
  await leavePostgres(deps, MARCH)
  await columns.command(
    `alter table ${columns.database}.events delete where uuid = '${events[7]?.uuid}'`,
    { mutations_sync: 1 },
  )
  await setKeepers(sql, 'both')
  await t.rejects(returnToPostgres(deps, MARCH), {
    ...{ code: 'failed_precondition', message: /ClickHouse lacks 1 events of y2026m03/ },
  })
  t.same(await listLedgerMonths(sql), [MARCH], 'it is still where its events are')
  t.equal((await flush(events)).length, 50)

  t.equal((await eventsOfPostgres(sql)).length, 49, 'most have been brought')
  await setKeepers(sql, 'clickhouse')
  t.equal(await leavePostgres(deps, MARCH), undefined)
  t.same(await eventsOfPostgres(sql), [], 'who stays there after all leaves nothing here')
  await setKeepers(sql, 'both')

  await askForFill(sql, [MARCH])
  await sql`update event_blocks set done_at = done_at - interval '9 days'`
  await sql`delete from event_outbox`
  await until('the fill has found that it is lost', async () => {
    const [row] = await sql`select from event_gaps where month = ${MARCH} and reason = ${LOST}`
    return row !== undefined
  })
  t.same(await acceptLoss(sql, ['y2026m04']), [], 'of others nothing is lost')
  t.same(await acceptLoss(sql, [MARCH]), [MARCH])
  t.equal(await returnToPostgres(deps, MARCH), 49)
  t.same([(await eventsOfPostgres(sql)).length, await countOf(sql)], [49, 49])
  t.same(await sql`select from event_gaps`, [])
  t.equal((await flush(events)).length, 49, 'sent again it is stored again')
  t.equal(await countOf(sql), 50)
})

t.test('events made later are in the ledger from the beginning', async (t) => {
  const { sql, columns, flush, ship } = await copied(t)
  ship()
  await setKeepers(sql, 'clickhouse')
  await flush(many(5, { timestamp: '2027-01-02T10:00:00.000000Z' }))
  t.same(await listLedgerMonths(sql), ['y2027m01'])
  t.same(await eventsOfPostgres(sql), [])
  await untilShipped(sql)
  t.equal((await eventsOfColumns(columns)).length, 5)
})

t.test(
  'a worker without a copy does not store events that only ClickHouse is to hold',
  async (t) => {
    const { db, sql, project } = await copied(t)
    await setKeepers(sql, 'clickhouse')
    const store = openStore(t, db)
    const rows = [rowOf(project, makeEvent({ timestamp: '2027-01-02T10:00:00.000000Z' }))]
    await t.rejects(store.flush(0, rows), { kind: 'unreachable', code: 'LEDGER' })
    t.same(await keysOf(sql), [])
  },
)
