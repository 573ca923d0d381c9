/** Months that only ClickHouse holds: the copy is compared with the ledger, and made whole. */
import t, { type Test } from 'tap'
import { ColumnError } from '../../../src/clickhouse/column-error.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import { isTransient, StoreError } from '../../../src/ingest/store-port.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { backfillSome, beginBackfill, requestBackfill } from '../../../src/replication/backfill.ts'
import { compareMonth } from '../../../src/replication/compare-days.ts'
import { releaseLease, takeLease } from '../../../src/replication/lease.ts'
import { readSummary } from '../../../src/replication/replica-summary.ts'
import { replayDeadLetters } from '../../../src/rpc/operator/replay-dead-letters.ts'
import { columnServer, rowsOf } from '../../support/columns/column-store.ts'
import { replicatedSite } from '../../support/columns/replicated-site.ts'
import {
  eventsOfColumns,
  eventsOfPostgres,
  untilShipped,
} from '../../support/columns/replication.ts'
import {
  createProject,
  makeEvent,
  openStore,
  openWriter,
  rowOf,
} from '../../support/ingest/ingest-store.ts'
import { createLogLines } from '../../support/log-lines.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

t.setTimeout(600_000)

const MARCH = 'y2026m03'
const server = await columnServer(t)

/** A database whose months only ClickHouse holds. */
async function alone(t: Test) {
  const site = await replicatedSite(t, server, { isAlone: true })
  const { columns } = site
  const tell = async (statement: string) => {
    await columns.command(statement.replaceAll('EVENTS', `${columns.database}.events`))
  }
  return { ...site, tell }
}

const many = (count: number, changes: Partial<IngestEvent> = {}) =>
  Array.from({ length: count }, (_, index) =>
    makeEvent({ properties: `{"n":${index}.50,"n":"last","ü":null}`, ...changes }),
  )

const uuids = (events: readonly { readonly uuid: string }[]) =>
  events.map(({ uuid }) => `'${uuid}'`).join()

async function differences(sql: Sql, columns: ColumnStore) {
  return (await compareMonth(sql, columns, MARCH)).differences
}

/** As a deletion does: the keys go, and the copy is told in the same transaction. */
async function remove(sql: Sql, project: number, events: readonly IngestEvent[]): Promise<void> {
  const list = events.map(({ uuid }) => uuid)
  await sql.begin(async (tx) => {
    const { count } = await tx`
      delete from event_ledger where project_id = ${project}
        and event_ledger.uuid = any (${list}::uuid[])`
    if (count !== list.length) throw new Error(`${count} keys of ${list.length} were there`)
    const removal = { kind: 'events', project, keys: list.map((uuid) => [20_516, uuid]) }
    await tx`insert into event_outbox (month, removal)
      values (${MARCH}, ${JSON.stringify(removal)}::text::json)`
  })
}

const all = { ids: [], projectId: undefined, since: undefined, until: undefined, reason: undefined }

t.test(
  'events that ClickHouse loses are read from payloads, and surplus ones are deleted',
  async (t) => {
    const { sql, columns, project, flush, ship, tell } = await alone(t)
    ship()
    const kept = [...many(60), ...many(30, { timestamp: '2026-03-20T10:00:00.000000Z' })]
    const [gone, anew] = [many(5), many(5)]
    await flush([...kept.slice(0, 40), ...gone, ...anew])
    await untilShipped(sql)
    await flush(kept.slice(30))
    await remove(sql, project, [...gone, ...anew])
    await flush(anew.map((event) => ({ ...event, properties: '{"stored":"anew"}' })))
    await untilShipped(sql)
    t.same(await differences(sql, columns), [])
    const before = await eventsOfColumns(columns)
    t.equal(before.length, 95)
    t.equal(await rowsOf(columns), 95)

    await tell('delete from EVENTS where day > 20524')
    await tell(`delete from EVENTS where uuid in (${uuids([...kept.slice(35, 45), ...anew])})`)
    const [twice, foreign] = [uuids(kept.slice(0, 3)), uuids(kept.slice(3, 4))]
    await tell(`insert into EVENTS select * from EVENTS where uuid in (${twice})`)
    await tell(`insert into EVENTS select * replace (generateUUIDv4() as uuid)
    from (select * from EVENTS where uuid in (${foreign}))`)
    t.same(await differences(sql, columns), [
      { projectId: project, day: '2026-03-04', wanted: 65, found: 54 },
      { projectId: project, day: '2026-03-20', wanted: 30, found: 0 },
    ])
    t.same(await requestBackfill(sql, [MARCH]), [MARCH])
    const late = many(10)
    await flush(late)
    await untilShipped(sql)
    t.same(await differences(sql, columns), [])
    const names = new Set(late.map(({ uuid }) => uuid))
    const after = (await eventsOfColumns(columns)).filter(({ uuid }) => !names.has(uuid))
    t.strictSame(after, before, 'each as it was, once, and none that was removed')
    t.same((await readSummary(sql))?.gaps, [])
  },
)

t.test('a store that was put back or made anew has what payloads have', async (t) => {
  const { sql, columns, flush, ship, tell } = await alone(t)
  const { stop } = ship()
  for (let flushes = 0; flushes < 6; flushes++) {
    await flush(many(50))
    await untilShipped(sql)
  }
  const before = await eventsOfColumns(columns)
  await tell('delete from EVENTS where block > 2')
  await requestBackfill(sql, [MARCH])
  await untilShipped(sql)
  t.strictSame(await eventsOfColumns(columns), before, 'after it was put back')
  await stop()
  await tell('drop table EVENTS sync')
  ship()
  await flush(many(1))
  await untilShipped(sql)
  t.match((await readSummary(sql))?.gaps, [
    { month: 'persons', reason: /made anew/, asked: false },
    { month: MARCH, reason: /made anew/, asked: false },
  ])
  await requestBackfill(sql, [MARCH])
  await untilShipped(sql)
  t.equal(await rowsOf(columns), before.length + 1, 'after it was made anew')
  t.same(await differences(sql, columns), [])
})

t.test('events without a payload are reported lost, once, and return with a backup', async (t) => {
  const { sql, columns, flush, ship, tell } = await alone(t)
  const lines = createLogLines()
  ship({ log: lines.log })
  const events = many(20)
  await flush(events)
  await untilShipped(sql)
  await sql`delete from event_outbox`
  const [lost, doubled] = [uuids(events.slice(0, 4)), uuids(events.slice(4, 8))]
  await tell('create table EVENTS_backup as EVENTS')
  await tell('insert into EVENTS_backup select * from EVENTS')
  await tell(`insert into EVENTS select * from EVENTS where uuid in (${doubled})`)
  await tell(`delete from EVENTS where uuid in (${lost})`)
  await requestBackfill(sql, [MARCH])
  await untilShipped(sql)
  t.match((await readSummary(sql))?.gaps, [
    { month: MARCH, reason: /are lost.*backup/, asked: false },
  ])
  t.match(await differences(sql, columns), [{ wanted: 20, found: 16 }])
  t.equal(await rowsOf(columns), 16, 'what was there twice is there once')
  const errors = lines.all().filter(({ level }) => level === 'error')
  t.match(errors, [{ message: /lost/, month: MARCH, events: 4 }])

  await tell(`insert into EVENTS select * from EVENTS_backup where uuid in (${lost})`)
  await requestBackfill(sql, [MARCH])
  await untilShipped(sql)
  t.same((await readSummary(sql))?.gaps, [])
  t.same(await differences(sql, columns), [])
})

t.test('an event that ClickHouse refuses is not stored, and is when it is replayed', async (t) => {
  const { db, sql, columns, project, flush, ship, tell } = await alone(t)
  ship()
  await flush(many(2))
  await untilShipped(sql)
  await tell("alter table EVENTS add constraint no_poison check event != 'poison'")
  const poison = makeEvent({ event: 'poison' })
  await flush([...many(9), poison, ...many(6)])
  await untilShipped(sql)
  t.equal(await rowsOf(columns), 17)
  t.match(await sql`select sqlstate, error from dead_letters`, [
    { sqlstate: 'COPY2', error: /^it is not stored: ClickHouse refuses it: .*VIOLATED_CONSTRAINT/ },
  ])
  const counts = async () =>
    await sql`
    select event, sum(count)::int as count from event_counts group by event order by event`
  t.same(await counts(), [
    { event: 'poison', count: 0 },
    { event: 'seen', count: 17 },
  ])
  t.same((await readSummary(sql))?.gaps, [], 'the month lacks nothing')
  t.same(await differences(sql, columns), [])
  t.equal((await sql`select from project_changes where kind = 'deletion'`).count, 1)

  const replay = async () =>
    await replayDeadLetters(
      { sql, sink: openWriter(t, db, true), clock, onHandled: async () => undefined },
      all,
      { cursor: 0, rows: 10 },
      new AbortController().signal,
    )
  t.match(await replay(), { matched: 1, stored: 1, refused: 0 })
  await untilShipped(sql)
  t.match(await sql`select sqlstate from dead_letters`, [{ sqlstate: 'COPY2' }], 'refused again')
  await tell('alter table EVENTS drop constraint no_poison')
  t.match(await replay(), { matched: 1, stored: 1, refused: 0 })
  await untilShipped(sql)
  t.equal((await sql`select from dead_letters`).count, 0)
  t.equal(await rowsOf(columns), 18)
  t.match(await counts(), [{ event: 'poison', count: 1 }, { event: 'seen' }])
  t.same(await differences(sql, columns), [])
  const [found] = (await eventsOfColumns(columns)).filter(({ event }) => event === 'poison')
  t.match(found, { uuid: poison.uuid, projectId: project })
})

t.test('an event that was removed while ClickHouse refused it is no dead letter', async (t) => {
  const { sql, columns, project, flush, ship, tell } = await alone(t)
  const { stop } = ship()
  await flush(many(2))
  await untilShipped(sql)
  await stop()
  await tell("alter table EVENTS add constraint no_poison check event != 'poison'")
  const [gone, anew] = [makeEvent({ event: 'poison' }), makeEvent({ event: 'poison' })]
  const others = many(20)
  await flush([...others.slice(0, 10), gone, anew, ...others.slice(10)])
  await remove(sql, project, [gone, anew, ...others.slice(0, 3)])
  await flush([{ ...anew, event: 'harmless' }])
  ship()
  await untilShipped(sql)
  t.equal((await sql`select from dead_letters`).count, 0)
  t.equal(await rowsOf(columns), 20)
  t.same(await differences(sql, columns), [])
  const names = (await eventsOfColumns(columns)).map(({ event }) => event)
  t.ok(names.includes('harmless'), 'what was stored anew is there')
})

t.test('an event with a payload is brought unless it is deleted or stored anew', async (t) => {
  const { sql, columns, project, flush, ship, tell } = await alone(t)
  const { stop } = ship()
  const [stays, gone, anew] = [many(3), many(3), many(3)]
  await flush([...stays, ...gone, ...anew])
  await untilShipped(sql)
  await stop()
  await tell('truncate table EVENTS')
  await remove(sql, project, [...gone, ...anew])
  await flush(anew.map((event) => ({ ...event, event: 'anew' })))
  await requestBackfill(sql, [MARCH])
  const lease = await takeLease(sql, 'test')
  if (lease === undefined) throw new Error('the lease is not free')
  const deps = { sql, store: columns, lease, log: silentLog }
  const fill = await beginBackfill(deps, MARCH, undefined)
  if (fill === undefined) throw new Error('nothing lacks')
  for (let turns = 0; fill.left.length > 0 && turns < 10; turns++) await backfillSome(deps, fill)
  const recorded = await sql`select rows from event_blocks where done_at is null and rows > 0`
  t.match(recorded, [{ rows: 3 }], 'those alone that are wanted and do not wait')
  await releaseLease(sql, lease)
  ship()
  await untilShipped(sql)
  const names = (await eventsOfColumns(columns)).map(({ event }) => event)
  t.same(names.sort(), ['anew', 'anew', 'anew', 'seen', 'seen', 'seen'])
  t.same(await differences(sql, columns), [])
})

t.test('ClickHouse is away: captures end at the bound, and go on once it is back', async (t) => {
  const { sql, columns, project, store, ship } = await alone(t)
  const lines = createLogLines()
  let isAway = true
  ship({
    log: lines.log,
    outboxBytesMax: 2_000,
    wrap: (store) => ({
      ...store,
      insert: async (...args) => {
        if (isAway) throw new ColumnError('unreachable', 'it is away')
        await store.insert(...args)
      },
    }),
  })
  let stored = 0
  const isRefused = async () => {
    try {
      await store.flush(
        0,
        many(50).map((event) => rowOf(project, event)),
      )
      stored += 50
      return false
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'OUTBOX')) throw error
      return true
    }
  }
  await until('the outbox is full', isRefused, { withinMs: 60_000 })
  t.ok(stored >= 50)
  await t.rejects(store.ping(), { kind: 'unreachable', code: 'OUTBOX' })
  isAway = false
  const answers = () =>
    store.ping().then(
      () => true,
      () => false,
    )
  await until('there is room again', answers, { withinMs: 60_000 })
  t.equal(await isRefused(), false)
  await untilShipped(sql)
  t.equal(await rowsOf(columns), stored)
  t.same(await differences(sql, columns), [])
  t.same((await readSummary(sql))?.gaps, [])
  const told = lines.all().filter(({ message }) => /outbox/.test(String(message)))
  t.match(told, [
    { level: 'error', message: /is full/ },
    { level: 'info', message: /has room/ },
  ])
  t.equal(told.length, 2)
})

const deep = (depth: number) => `{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`
/** Postgres reads it back; as text for ClickHouse it is refused. Bodies are refused far before. */
const TOO_DEEP = 'a depth of 10,000'
/** Properties that a client cannot send, as the parser makes them anew. */
const NASTY: Readonly<Record<string, Partial<IngestEvent>>> = {
  'a number out of range': { properties: '{"n":1e200000}' },
  'an exponent of 400 digits': { properties: `{"n":1e${'9'.repeat(400)}}` },
  'zero with a far exponent': { properties: '{"n":0e-99999}' },
  'a large number': { properties: '{"n":1e300,"m":-1.5e-300}' },
  'many digits': { properties: `{"n":${'7'.repeat(5_000)}.50}` },
  'an escaped NUL': { properties: '{"a":"\\u0000"}' },
  'a NUL': { properties: '{"a":"\0"}' },
  'an escaped NUL in a key': { properties: '{"a\\u0000":1}' },
  'half an escaped pair': { properties: '{"a":"\\ud800"}' },
  'half a pair': { properties: '{"a":"\ud800"}' },
  'a pair': { properties: '{"a":"\\ud83d\\ude00 😀"}' },
  'equal keys': { properties: '{"a":1,"b":2,"a":{"c":1,"c":2}}' },
  'an odd key': { properties: '{"__proto__":1,"":2,"a.b":{"c":"\\u00e9\\/"}}' },
  'a list': { properties: '[1,{"a":1}]' },
  'a text': { properties: '"text"' },
  'a null': { properties: 'null' },
  nothing: { properties: '' },
  blanks: { properties: ' \n' },
  'two objects': { properties: '{}{}' },
  'an open object': { properties: '{"a":1' },
  'a comma too many': { properties: '{"a":1,}' },
  'a bare word': { properties: '{"a":NaN}' },
  'a depth of 400': { properties: deep(400) },
  [TOO_DEEP]: { properties: deep(10_000) },
  'a chain with NUL': { elementsChain: 'a\0b' },
  'a chain with half a pair': { elementsChain: 'a\ud800b' },
  'an id with NUL': { distinctId: 'a\0b' },
  'an id with half a pair': { distinctId: 'a\udc00b' },
  'a name with half a pair': { event: 'a\udc00b' },
  'a day that is none': { timestamp: '2026-02-30T00:00:00.000000Z' },
  'no uuid': { uuid: 'none' },
}

t.test('nasty events are refused and read back as in a month of Postgres', async (t) => {
  const { sql, columns, store, ship, project } = await alone(t)
  const reference = await testDatabase(t)
  const other = { store: openStore(t, reference), project: await createProject(reference.sql) }
  ship()
  const events = Object.entries(NASTY).map(([name, changes]) => [name, makeEvent(changes)] as const)
  const refused = { here: new Set<string>(), there: new Set<string>() }
  for (const [name, event] of events) {
    const fate = async (work: Promise<unknown>) =>
      await work.then(
        () => true,
        (error) => {
          if (isTransient(error)) throw error
          return false
        },
      )
    if (!(await fate(store.flush(0, [rowOf(project, event)])))) refused.here.add(name)
    const row = rowOf(other.project, event)
    if (!(await fate(other.store.flush(0, [row])))) refused.there.add(name)
  }
  await store.flush(
    0,
    many(500).map((event) => rowOf(project, event)),
  )
  await untilShipped(sql)
  const letters = await sql<{ uuid: string; sqlstate: string }[]>`
    select uuid::text as uuid, sqlstate from dead_letters`
  t.same(new Set(letters.map(({ sqlstate }) => sqlstate)), new Set(['COPY2']))
  const dead = new Set(letters.map(({ uuid }) => uuid))
  for (const [name, { uuid }] of events) {
    const isRefused = refused.here.has(name) || dead.has(uuid)
    t.equal(isRefused, name === TOO_DEEP || refused.there.has(name), `${name} is refused alike`)
  }
  t.equal((await readSummary(sql))?.state, 'shipping')
  t.same(await differences(sql, columns), [])
  const strip = (list: Awaited<ReturnType<typeof eventsOfColumns>>) =>
    new Map(list.map(({ projectId: _, createdAt: __, ...event }) => [event.uuid, event]))
  const [found, wanted] = [
    strip(await eventsOfColumns(columns)),
    strip(await eventsOfPostgres(reference.sql)),
  ]
  t.equal(found.size, wanted.size - 1 + 500)
  const tooDeep = new Map(events).get(TOO_DEEP)?.uuid
  for (const [uuid, event] of wanted) if (uuid !== tooDeep) t.strictSame(found.get(uuid), event)
})

t.test('an event of Postgres that has no text for ClickHouse stops nothing', async (t) => {
  const { sql, columns, store, ship, project } = await alone(t)
  await sql`update event_keeper set keeps = 'both'`
  ship()
  const events = [...many(5), makeEvent({ properties: deep(10_000) }), ...many(5)]
  await store.flush(
    0,
    events.map((event) => rowOf(project, event)),
  )
  await untilShipped(sql)
  t.equal(await rowsOf(columns), 10)
  t.match(await sql`select sqlstate, error from dead_letters`, [
    { sqlstate: 'COPY1', error: /^it is stored, but .*too_deep/ },
  ])
  t.match((await readSummary(sql))?.gaps, [{ month: MARCH, reason: /refuses events/ }])
})
