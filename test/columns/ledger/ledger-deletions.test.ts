/** Deletions while ClickHouse alone holds events: from there, once, and from the counters. */
import t, { type Test } from 'tap'
import { listMovedMonths, moveHome } from '../../../src/event-store/months/home.ts'
import { LOSS_ACCEPTED, REFUSES } from '../../../src/event-store/outbox/gaps.ts'
import { deleteFound } from '../../../src/privacy/deletion-chunks.ts'
import type { FoundKey } from '../../../src/privacy/deletion-place.ts'
import { removeRemains } from '../../../src/privacy/remove-remains.ts'
import { startRetention } from '../../../src/privacy/retention-store.ts'
import { DELETION_SHARE_MAX } from '../../../src/privacy/run-deletions.ts'
import { columnServer } from '../../support/columns/column-store.ts'
import { deletionOf, keptSite, left, MARCH, of } from '../../support/columns/ledger-site.ts'
import { untilShipped } from '../../support/columns/replication.ts'
import { createProject } from '../../support/ingest/ingest-store.ts'
import { askFiltered, askForPerson, fill, hurried, never } from '../../support/store/deletions.ts'

t.setTimeout(600_000)

const MAY = '2026-05-04T05:06:07.123456Z'
const server = await columnServer(t)

const kept = (t: Test) => keptSite(t, server)

t.test('a person goes, from months of both kinds, with what was still on its way', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  await flush([
    ...of('ann', 300),
    ...of('ben', 50),
    ...of('ann', 40, '2026-04-04T05:06:07.000000Z'),
  ])
  await leave()
  await flush([...of('ann', 20), ...of('ben', 3), ...of('ann', 5, MAY)])
  t.same(await listMovedMonths(sql), ['y2026m03', 'y2026m05'])
  const { id } = await askForPerson(sql, project, 'ann')
  await flush(of('ben', 2))
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 365, error: null })
  t.match(await left(site), { counts: { ben: 55 }, all: 55, counted: 55, keys: 55, whole: 0 })
  await deleting()
  t.match(await deletionOf(sql, id), { deleted: 365 })
  t.equal((await flush(of('ann', 4))).duplicates.length, 0, 'later events of the id are others')
  t.match(await left(site), { counts: { ben: 55, ann: 4 }, counted: 59 })
})

t.test('events that ClickHouse refuses of a month that Postgres has are deleted too', async (t) => {
  const { sql, project, flush, deleting, leave } = await kept(t)
  const april = '2026-04-04T05:06:07.000000Z'
  await flush([...of('ann', 5), ...of('ann', 5, april), ...of('ben', 5, april)])
  await leave()
  await fill(sql, project, { distinctId: 'ann', day: '2026-04-05', events: 3 })
  await sql`
    insert into event_gaps (month, reason, asked) values ('y2026m04', ${REFUSES}, false)`
  const { id } = await askForPerson(sql, project, 'ann')
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 13, error: null })
  const [row] = await sql`select count(*)::int as count from events where distinct_id = 'ann'`
  t.match(row, { count: 0 })
})

t.test('events of a filter go, stretch by stretch', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  await flush([...of('ann', 30, MARCH, { properties: '{"plan":"pro"}' }), ...of('ann', 30)])
  await leave()
  await flush([...of('ben', 30, MARCH, { properties: '{"plan":"pro"}' }), ...of('ben', 30)])
  const properties = JSON.stringify([{ key: 'plan', value: 'pro', type: 'event' }])
  const id = await askFiltered(sql, project, { properties, before: '2026-12-01T00:00:00Z' })
  await flush(of('cid', 7, MARCH, { properties: '{"plan":"pro"}' }))
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 60, error: null })
  t.match(await left(site), { counts: { ann: 30, ben: 30, cid: 7 }, counted: 67, keys: 67 })
})

t.test('while ClickHouse is away a deletion waits, says so, and continues', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave, setAway } = site
  await flush([...of('ann', 300), ...of('ben', 5)])
  await leave()
  const { id } = await askForPerson(sql, project, 'ann')
  await setAway(true)
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'running', deleted: 0, error: /ClickHouse/ })
  t.match(await left(site), { all: 305, counted: 305 })
  await setAway(false)
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 300, error: null })
  t.match(await left(site), { counts: { ben: 5 }, counted: 5, keys: 5 })
})

t.test('two workers share a deletion, and count each event once', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  await flush([...of('ann', 800), ...of('ben', 5)])
  await leave()
  const { id } = await askForPerson(sql, project, 'ann')
  while ((await deletionOf(sql, id))?.state === 'running') {
    await Promise.all([deleting(), deleting(), deleting()])
  }
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 800 })
  t.match(await left(site), { counts: { ben: 5 }, counted: 5, keys: 5 })
})

t.test('events older than a project keeps are deleted, and months as a whole', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  const other = await createProject(sql)
  await flush([...of('ann', 20, '2020-02-03T00:00:00.000000Z'), ...of('ann', 30)])
  await flush(of('zoe', 10), other)
  await leave()
  await flush([...of('ann', 5, '2020-05-03T00:00:00.000000Z'), ...of('ann', 6)])
  await sql`update projects set events_retention_days = 60 where id = ${project}`
  await startRetention(sql, never)
  await deleting()
  t.match(await left(site), { counts: { zoe: 10 }, counted: 10, keys: 10 }, 'the other keeps all')
  t.same(await listMovedMonths(sql), ['y2026m03'])
  await sql`update projects set events_retention_days = 30`
  await startRetention(sql, never)
  t.same(await listMovedMonths(sql), [], 'March is dropped, with its ledger')
  t.match(await left(site), { all: 0, counted: 0, keys: 0 })
  await flush(of('zoe', 3), other)
  t.same(await listMovedMonths(sql), ['y2026m03'], 'late events have their month again')
  t.match(await left(site), { counts: { zoe: 3 }, counted: 3, keys: 3 })
})

t.test('events that ClickHouse has lost are deleted with their day, once', async (t) => {
  const site = await kept(t)
  const { sql, columns, project, flush, find, deleting, leave } = site
  await flush([...of('ann', 30), ...of('ann', 65, '2026-03-05T00:00:00.000000Z')])
  await flush(of('zoe', 3), await createProject(sql))
  await leave()
  await columns.command(
    `alter table ${columns.database}.events delete
    where distinct_id = 'ann' and rand() % 2 = 0 settings mutations_sync = 2`,
  )
  await sql`
    insert into event_gaps (month, reason, asked) values ('y2026m03', ${LOSS_ACCEPTED}, false)`
  await sql`update projects set events_retention_days = 60 where id = ${project}`
  await startRetention(sql, never)
  const [asked] = await sql<{ id: string }[]>`select id from deletions`
  const id = asked?.id ?? ''
  let looks = 0
  await deleting({
    shares: new Map([[id, DELETION_SHARE_MAX]]),
    findKeys: async (deletion, walk) => {
      const found = await find(deletion, walk)
      if (++looks === 1) await flush(of('late', 5))
      return found
    },
    onChunk: async () => {
      const [row] = await sql`select (select sum(count) from event_counts)
        = (select count(*) from event_ledger) as "isCounted"`
      t.match(row, { isCounted: true }, 'counters are right at any moment')
    },
  })
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 100, error: null })
  t.match(await left(site), { counts: { zoe: 3 }, all: 3, counted: 3, keys: 3 })
  await startRetention(sql, never)
  const [row] = await sql`select count(*)::int as count from deletions`
  t.match(row, { count: 1 }, 'and is not looked for again')
})

t.test('a single event that ClickHouse has lost goes too', async (t) => {
  const site = await kept(t)
  const { sql, columns, project, flush, deleting, leave } = site
  await flush([...of('ann', 5), ...of('lost', 1)])
  await flush(of('zoe', 3), await createProject(sql))
  await leave()
  await columns.command(
    `alter table ${columns.database}.events delete
    where distinct_id = 'lost' settings mutations_sync = 2`,
  )
  await sql`
    insert into event_gaps (month, reason, asked) values ('y2026m03', ${LOSS_ACCEPTED}, false)`
  await sql`update projects set events_retention_days = 60 where id = ${project}`
  await startRetention(sql, never)
  const [asked] = await sql<{ id: string }[]>`select id from deletions`
  await deleting({})
  t.match(await deletionOf(sql, asked?.id ?? ''), { state: 'completed', deleted: 6, error: null })
  t.match(await left(site), { counts: { zoe: 3 }, all: 3, counted: 3, keys: 3 })
})

t.test('a project that is removed leaves nothing in the ledger', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, leave } = site
  const other = await createProject(sql)
  await flush(of('ann', 50))
  await flush(of('zoe', 4), other)
  await leave()
  await flush(of('ann', 5))
  await sql`insert into deleted_projects (project_id) values (${project})`
  await sql`delete from projects where id = ${project}`
  await removeRemains({ sql, clock: hurried() }, never)
  t.match(await left(site), { counts: { zoe: 4 }, keys: 4 })
})

t.test('removals are written down also when nobody has kept the copy for long', async (t) => {
  const { sql, project, flush } = await kept(t)
  await moveHome(sql)
  await flush(of('ann', 5))
  await untilShipped(sql)
  await sql.begin(async (tx) => {
    await tx`update event_keeper set expires_at = now() - interval '100 days'`
    const keys = await tx<FoundKey[]>`
      select day::text, uuid::text as uuid, 'seen' as event from event_ledger`
    t.equal(await deleteFound(tx, project, keys), 5)
    const [row] = await tx`
      select count(*)::int as count from event_outbox where removal is not null`
    t.match(row, { count: 1 })
  })
})
