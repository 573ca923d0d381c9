/** Removals while the ledger is kept, as far as Postgres alone decides about them. */
import t, { type Test } from 'tap'
import { listMovedMonths, moveHome } from '../../../src/event-store/months/home.ts'
import {
  createPartitions,
  makeKeyIndex,
  partitionOf,
} from '../../../src/event-store/months/partitions.ts'
import { LOST } from '../../../src/event-store/outbox/gaps.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { deleteFound, walkByIndex } from '../../../src/privacy/deletion-chunks.ts'
import { removeRemains } from '../../../src/privacy/remove-remains.ts'
import { startRetention } from '../../../src/privacy/retention-store.ts'
import { beginReplication } from '../../../src/replication/lease.ts'
import { createProject, flushed, makeEvent, openStore } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { askForPerson, hurried, never, work } from '../../support/store/deletions.ts'

const [FEBRUARY, MARCH] = ['2026-02-04T05:06:07.123456Z', '2026-03-04T05:06:07.123456Z']

/** February is in `events`, what comes later in the ledger. Nobody ships. */
async function kept(t: Test) {
  const db = await testDatabase(t, { connectionsMax: 6 })
  const { sql } = db
  await beginReplication(sql)
  const store = openStore(t, db, 0, undefined, true)
  await createPartitions(sql, [partitionOf(FEBRUARY)])
  await moveHome(sql)
  const project = await createProject(sql)
  const flush = async (count: number, timestamp = MARCH, of = project) => {
    const events = Array.from({ length: count }, () => makeEvent({ distinctId: 'ann', timestamp }))
    await flushed(store, of, events)
    return events
  }
  return { sql, project, flush }
}

async function left(sql: Sql) {
  const [row] = await sql<{ keys: number; whole: number; counted: number }[]>`
    select (select count(*)::int from event_ledger) as keys,
      (select count(*)::int from events) as whole,
      (select coalesce(sum(count), 0)::int from event_counts) as counted`
  return row
}

/** Removals in the outbox, in their order: the month, the kind, and how many events. */
async function removals(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ words: string }[]>`
    select concat_ws(' ', month, removal->>'kind', json_array_length(removal->'keys')) as words
    from event_outbox where removal is not null order by id`
  return rows.map(({ words }) => words)
}

const keyOf = ({ timestamp, uuid, event }: IngestEvent) => ({
  ...{ day: timestamp.slice(0, 10), uuid, event },
})

t.test('found events go from both kinds of months, once, and are told', async (t) => {
  const { sql, project, flush } = await kept(t)
  const other = await createProject(sql)
  const events = [...(await flush(5, FEBRUARY)), ...(await flush(7)), ...(await flush(2))]
  await flush(3, MARCH, other)
  const keys = events.map(keyOf)
  const [first, ...rest] = keys
  if (first === undefined) return
  const remove = (some: typeof keys, of = project) =>
    sql.begin((tx) => deleteFound(tx, of, some)) as Promise<number>
  t.equal(await remove([first]), 1)
  t.equal(await remove(keys, other), 0, 'of another project')
  t.same(await left(sql), { keys: 12, whole: 4, counted: 16 })
  t.equal(await remove(keys), rest.length, 'but for what was gone before')
  t.equal(await remove(keys), 0)
  t.equal(await remove([]), 0)
  t.same(await left(sql), { keys: 3, whole: 0, counted: 3 })
  t.same([...(await removals(sql))].sort(), [
    ...['y2026m02 events 1', 'y2026m02 events 4', 'y2026m03 events 9'],
  ])
  const [row] = await sql`
    select sum(count)::int as times from project_changes where kind = 'deletion'`
  t.match(row, { times: 2 }, 'as often as events went')
})

t.test('few keys of a ledger of which the planner knows less are looked up', async (t) => {
  const { sql, project, flush } = await kept(t)
  const events = await flush(1)
  await sql`analyze event_ledger`
  await sql`
    insert into event_ledger select ${project}, '2026-03-04', gen_random_uuid()
    from generate_series(1, 30000)`
  const others = await sql<
    { uuid: string }[]
  >`select uuid::text as uuid from event_ledger limit 600`
  const some = others.map(({ uuid }) => ({ day: '2026-03-04', uuid, event: 'seen' }))
  const { read, locked } = await sql.begin(async (tx) => {
    await walkByIndex(tx, 60_000)
    await deleteFound(tx, project, [...events.map(keyOf), ...some])
    const [row] = await tx<{ read: number }[]>`
      select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
      where relname = 'event_ledger_y2026m03'`
    const locked = await tx<{ name: string }[]>`
      select distinct relation::regclass::text as name from pg_locks
      where pid = pg_backend_pid() and relation::regclass::text like 'event%y2026m0_' order by 1`
    return { read: row?.read ?? -1, locked: locked.map(({ name }) => name) }
  })
  t.ok(read >= 600 && read < 2000, `${read} were read`)
  t.same(locked, ['event_ledger_y2026m03', 'events_y2026m03'], 'and no other month is looked at')
})

t.test('a month of the ledger that nobody keeps is dropped with its keys', async (t) => {
  const { sql, project, flush } = await kept(t)
  const other = await createProject(sql)
  await flush(4, FEBRUARY)
  await flush(6)
  await flush(1, MARCH, other)
  await sql`update projects set events_retention_days = 30 where id = ${project}`
  await startRetention(sql, never)
  t.same(await left(sql), { keys: 7, whole: 0, counted: 7 }, 'March has another one')
  t.same(await removals(sql), ['y2026m02 month'])
  const deletions = await sql<{ kind: string; state: string }[]>`
    select kind, state, deleted::int as deleted from deletions order by state`
  t.match(deletions, [
    { kind: 'retention', state: 'completed', deleted: 4 },
    { kind: 'retention', state: 'running', deleted: 0 },
  ])
  await sql`update projects set events_retention_days = 30`
  await startRetention(sql, never)
  t.same(await left(sql), { keys: 0, whole: 0, counted: 0 })
  t.same(await listMovedMonths(sql), [])
  t.same(await removals(sql), ['y2026m02 month', 'y2026m03 month'])
  const [last] = await sql<{ isLast: boolean }[]>`
    select max(id) filter (where removal is not null) = max(id) as "isLast" from event_outbox`
  t.match(last, { isLast: true }, 'behind the flushes that it is about')
  await flush(2)
  await flush(2, FEBRUARY)
  t.same(await listMovedMonths(sql), ['y2026m02', 'y2026m03'], 'both come anew in the ledger')
  t.same(await left(sql), { keys: 4, whole: 0, counted: 4 })
})

t.test('nothing is lacking of a month that is dropped', async (t) => {
  const { sql, flush } = await kept(t)
  await flush(4, FEBRUARY)
  await flush(4)
  await sql`
    insert into event_gaps (month, reason, asked) values ('y2026m02', 'asked for', true),
      ('y2026m03', ${LOST}, false), ('y2026m04', ${LOST}, false), ('persons', 'asked', false)`
  await sql`update projects set events_retention_days = 30`
  await startRetention(sql, never)
  t.same(await left(sql), { keys: 0, whole: 0, counted: 0 })
  const gaps = await sql<{ month: string }[]>`select month from event_gaps order by month`
  t.same(
    gaps.map(({ month }) => month),
    ['persons', 'y2026m02', 'y2026m04'],
    'but for what a fill is looking at',
  )
})

t.test('a move that was ended does not keep a dropped month from coming anew', async (t) => {
  const { sql, flush } = await kept(t)
  await flush(4, FEBRUARY)
  await sql.begin((tx) => makeKeyIndex(tx, partitionOf(FEBRUARY)))
  await sql`update projects set events_retention_days = 30`
  await startRetention(sql, never)
  t.same(await left(sql), { keys: 0, whole: 0, counted: 0 })
  await flush(3, FEBRUARY)
  t.same(await left(sql), { keys: 3, whole: 0, counted: 3 })
})

t.test('a removed project is not forgotten before its keys are gone', async (t) => {
  const { sql, project, flush } = await kept(t)
  const other = await createProject(sql)
  await flush(5000)
  await flush(4, FEBRUARY)
  await flush(3, MARCH, other)
  await sql`insert into deleted_projects (project_id) values (${project})`
  await sql`delete from projects where id = ${project}`
  const isKnown = async () => (await sql`select from deleted_projects`).length === 1
  await sql.begin(async (tx) => {
    await tx`select from event_ledger where project_id = ${project} order by uuid limit 1 for update`
    await removeRemains({ sql, clock: hurried() }, never)
  })
  t.match(await left(sql), { keys: 4, whole: 0 }, 'but for one that somebody holds')
  t.equal(await isKnown(), true)
  t.same(await removals(sql), [])
  await removeRemains({ sql, clock: hurried() }, never)
  t.same(await left(sql), { keys: 3, whole: 0, counted: 3 })
  t.equal(await isKnown(), false)
  t.same(await removals(sql), ['y2026m02 project', 'y2026m03 project'])
})

t.test('without ClickHouse a deletion of events there waits and says so', async (t) => {
  const { sql, project, flush } = await kept(t)
  await flush(5)
  await flush(5, FEBRUARY)
  const { id } = await askForPerson(sql, project, 'ann')
  await work(sql)
  const [row] = await sql`select state, deleted::int, error from deletions where id = ${id}`
  t.match(row, { state: 'running', deleted: 0, error: /events are in ClickHouse/ })
  t.same(await left(sql), { keys: 5, whole: 5, counted: 10 })
})
