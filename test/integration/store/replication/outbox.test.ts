/** Rows that a flush leaves for the replica of the events, and the blocks made of them. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { systemClock as clock } from '../../../../src/core/clock.ts'
import type { ProjectId } from '../../../../src/core/ids.ts'
import { enqueueMonthTombstone } from '../../../../src/event-store/outbox/enqueue-tombstones.ts'
import type { IngestEvent } from '../../../../src/events/event.ts'
import { StoreError } from '../../../../src/ingest/store-port.ts'
import {
  LeaseLost,
  openBlock,
  readOutboxRows,
  recordBlock,
} from '../../../../src/replication/blocks.ts'
import { beginReplication, renewLease, takeLease } from '../../../../src/replication/lease.ts'
import { keepBound, measureOutbox } from '../../../../src/replication/outbox-bounds.ts'
import { eventsOfRows } from '../../../../src/replication/outbox-rows.ts'
import { replayDeadLetters } from '../../../../src/rpc/operator/replay-dead-letters.ts'
import {
  createProject,
  makeEvent,
  openStore,
  openWriter,
  rowOf,
} from '../../../support/ingest/ingest-store.ts'
import { type TestDatabase, testDatabase } from '../../../support/servers/database.ts'

const MARCH = 'y2026m03'
const person = (set: object) => ({ person: { set: JSON.stringify(set) } })

async function copied(t: Parameters<typeof testDatabase>[0]) {
  const db = await testDatabase(t)
  await beginReplication(db.sql)
  const store = openStore(t, db, 0, undefined, true)
  const project = await createProject(db.sql)
  const flush = (events: readonly IngestEvent[], of: ProjectId = project) =>
    store.flush(
      0,
      events.map((event) => rowOf(of, event)),
    )
  return { db, project, flush, store }
}

/** Uuids of what waits in the outbox, by month. */
async function waiting({ sql }: TestDatabase): Promise<Readonly<Record<string, string[]>>> {
  const found: Record<string, string[]> = {}
  const rows = await sql<{ id: bigint; month: string; rows: number }[]>`
    select id, month, rows from event_outbox where block is null order by id`
  for (const { id, month, rows: count } of rows) {
    const members = await sql<Parameters<typeof eventsOfRows>[0][number][]>`
      select id, removal, payload, skipped, text_bytes::float8 as "textBytes",
        '2026-03-04T00:00:00.000000Z' as "committedAt" from event_outbox where id = ${id}`
    const events = await eventsOfRows(members)
    if (events.length !== count) throw new Error(`${events.length} events in a row of ${count}`)
    found[month] = [...(found[month] ?? []), ...events.map(({ uuid }) => uuid)]
  }
  return found
}

const uuids = (events: readonly IngestEvent[]) => events.map(({ uuid }) => uuid)

t.test('each way to write a flush leaves what was new in the outbox', async (t) => {
  const { db, flush } = await copied(t)
  const ways: Readonly<Record<string, readonly IngestEvent[]>> = {
    'with definitions': [makeEvent(), makeEvent({ event: 'clicked' })],
    plain: [makeEvent(), makeEvent()],
    'with new persons': [makeEvent({ distinctId: 'somebody else' })],
    'with changes': [makeEvent(person({ a: 1 })), makeEvent(person({ b: 2 }))],
    'with changes and definitions': [makeEvent({ event: 'new', ...person({ c: 1 }) })],
    'with a plan': [
      makeEvent({ person: { merge: { kind: 'identify', otherDistinctId: 'somebody else' } } }),
    ],
    'with a group': [
      makeEvent({ groupChange: { type: 'company', key: 'acme', set: '{"name":"Acme"}' } }),
    ],
    'near midnight': [makeEvent({ timestamp: '2026-03-04T23:59:59.000000Z' })],
    'with flag calls': [
      makeEvent({
        event: '$feature_flag_called',
        properties: '{"$feature_flag":"a","$feature_flag_response":"true"}',
      }),
    ],
  }
  const all: string[] = []
  for (const [way, events] of Object.entries(ways)) {
    await flush(events)
    all.push(...uuids(events))
    t.same((await waiting(db))[MARCH], all, way)
  }
  await flush(Object.values(ways).flat())
  t.same((await waiting(db))[MARCH], all, 'and all again leaves nothing')
})

t.test('only events that were new are left, in each month', async (t) => {
  const { db, flush } = await copied(t)
  const march = Array.from({ length: 5 }, () => makeEvent())
  const april = Array.from({ length: 4 }, () =>
    makeEvent({ timestamp: '2026-04-30T23:30:00.000000Z' }),
  )
  const old = makeEvent({ timestamp: '1850-01-01T00:00:00.000000Z' })
  const [m, a] = [march, april]
  await flush([m[1], a[0], m[3]].flatMap((event) => event ?? []))
  await flush([m[0], a[0], m[1], a[1], m[2], m[2], a[2], old].flatMap((event) => event ?? []))
  await flush([a[3], m[3], m[4], a[1], m[0]].flatMap((event) => event ?? []))
  const inOrder = [1, 3, 0, 2, 4].map((place) => m[place]?.uuid)
  t.same(await waiting(db), {
    [MARCH]: inOrder,
    y2026m04: uuids(april),
    old: [old.uuid],
  })
  t.test('a repeat across midnight is none', async (t) => {
    const again = { ...(april[0] ?? makeEvent()), timestamp: '2026-05-01T00:10:00.000000Z' }
    await flush([again])
    t.notOk((await waiting(db))['y2026m05'])
  })
})

t.test('nothing is left of a project that is gone', async (t) => {
  const { db, flush, project } = await copied(t)
  const gone = await createProject(db.sql)
  await db.sql`delete from projects where id = ${gone}`
  const events = [makeEvent(), makeEvent()]
  await flush(events, gone)
  t.same(await waiting(db), {})
  const kept = makeEvent()
  const rows = [...events.map((event) => rowOf(gone, event)), rowOf(project, kept)]
  await openStore(t, db, 8, undefined, true).flush(0, rows)
  t.same(await waiting(db), { [MARCH]: [kept.uuid] })
})

t.test('without a copy a flush leaves nothing', async (t) => {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  await openStore(t, db).flush(0, [rowOf(project, makeEvent())])
  t.same(await db.sql`select from event_outbox`, [])
})

t.test('a lease has one holder, and who has lost it records nothing', async (t) => {
  const { db, flush } = await copied(t)
  const { sql } = db
  await flush([makeEvent()])
  const first = await takeLease(sql, 'first')
  if (first === undefined) throw new Error('the lease is not free')
  t.equal(await takeLease(sql, 'second'), undefined)
  await sql`update event_keeper set expires_at = now() - interval '1 second'`
  t.equal(await renewLease(sql, first), false, 'its time is over')
  const second = await takeLease(sql, 'second')
  if (second === undefined) throw new Error('the lease has not ended')
  await t.rejects(recordBlock(sql, first, MARCH), LeaseLost, 'another has it')
  t.equal(await renewLease(sql, first), false)
  t.same(await sql`select from event_blocks`, [])
  t.equal(await recordBlock(sql, second, MARCH), true)
  t.equal(await recordBlock(sql, second, MARCH), false, 'nothing waits')
})

t.test('a removal ends a block, and what comes after it is in a later one', async (t) => {
  const { db, flush } = await copied(t)
  const { sql } = db
  const [a, b, c] = [makeEvent(), makeEvent(), makeEvent()]
  const remove = () => sql.begin((tx) => enqueueMonthTombstone(tx, `events_${MARCH}`))
  const lease = await takeLease(sql, 'test')
  if (lease === undefined) throw new Error('the lease is not free')
  await flush([a])
  await flush([b])
  await remove()
  await remove()
  await flush([c])
  await remove()
  const blocks: unknown[] = []
  while (await recordBlock(sql, lease, MARCH)) {
    const block = await openBlock(sql)
    const members = await readOutboxRows(sql, block?.number ?? 0)
    const events = await eventsOfRows(members)
    const removals = members.filter(({ removal }) => removal !== null).length
    blocks.push([block?.rows, uuids(events as never), removals])
    await sql`update event_blocks set stored_at = now(), done_at = now()`
  }
  t.same(blocks, [
    [2, [a.uuid, b.uuid], 2],
    [1, [c.uuid], 1],
  ])
})

t.test('an outbox beyond its bound is emptied, and its months are marked', async (t) => {
  const { db, flush } = await copied(t)
  const { sql } = db
  const lease = await takeLease(sql, 'test')
  if (lease === undefined) throw new Error('the lease is not free')
  await flush([makeEvent(), makeEvent({ timestamp: '2026-05-01T12:00:00.000000Z' })])
  await sql.begin((tx) => enqueueMonthTombstone(tx, `events_${MARCH}`))
  const { bytes, events } = await measureOutbox(sql)
  t.equal(events, 2)
  t.match(await keepBound(sql, lease, bytes), { emptied: 0, turned: undefined }, 'within it')
  t.match(await keepBound(sql, lease, bytes - 1), { emptied: 2, turned: undefined })
  t.same(
    (await sql<{ month: string }[]>`select month from event_gaps where asked order by 1`).map(
      ({ month }) => month,
    ),
    [MARCH, 'y2026m05'],
  )
  const [left] = await sql<{ count: number; removals: number }[]>`
    select count(*)::int as count, count(removal)::int as removals from event_outbox`
  t.same(left, { count: 1, removals: 1 }, 'removals stay')
  await flush([makeEvent({ uuid: randomUUID() })])
  t.equal((await measureOutbox(sql)).events, 1, 'and flushes go on')
})

t.test('a replayed dead letter of the copy has its month filled', async (t) => {
  const { db, project, flush, store } = await copied(t)
  const { sql } = db
  const refused = makeEvent()
  await flush([refused, makeEvent({ timestamp: '2026-05-01T12:00:00.000000Z' })])
  const words = 'it is stored, but ClickHouse refuses it'
  await store.deadLetter(0, rowOf(project, refused), new StoreError('data', 'COPY1', words))
  const all = { ids: [], projectId: undefined, since: undefined, until: undefined }
  const done = await replayDeadLetters(
    { sql, sink: openWriter(t, db), clock, onHandled: async () => undefined },
    { ...all, reason: 'COPY1' },
    { cursor: 0, rows: 10 },
    new AbortController().signal,
  )
  t.match(done, { matched: 1, stored: 1, refused: 0 })
  t.equal((await sql`select from dead_letters`).count, 0)
  t.same(await sql`select month, asked from event_gaps`, [{ month: MARCH, asked: true }])
})
