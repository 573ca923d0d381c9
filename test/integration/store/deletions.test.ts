import { randomUUID } from 'node:crypto'
import t from 'tap'
import './deletions/acked-events.ts'
import './deletions/cached-answers.ts'
import './deletions/person-data.ts'
import './deletions/races.ts'
import './deletions/retention-wait.ts'
import { DELETION_CHUNK_ROWS_MAX } from '../../../src/core/limits/limits.ts'
import { formatKeptEvent } from '../../../src/event-store/dead-letters/kept-event.ts'
import { partitionOf } from '../../../src/event-store/months/partitions.ts'
import { listDeletedIds } from '../../../src/privacy/deleted-ids-store.ts'
import { cancelDeletion, findDeletion } from '../../../src/privacy/deletion-store.ts'
import { removeLeftovers, startRetention } from '../../../src/privacy/retention-store.ts'
import { CHUNK_BOUNDS } from '../../../src/privacy/run-deletions.ts'
import { refreshVolumes } from '../../../src/store/definitions/definitions-sql.ts'
import { createProject, makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import {
  askFiltered,
  askForPerson,
  fill,
  hurried,
  left,
  makePerson,
  never,
  setUpDeletions,
  work,
} from '../../support/store/deletions.ts'
import { clearOfMidnight } from '../../support/until.ts'

t.test('a deleted person leaves nothing but younger events, though it is killed', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a', 'a2'])
  await makePerson(sql, project, ['b'])
  await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 60_000 })
  await fill(sql, project, { distinctId: 'a2', day: '2026-02-05', events: 40_000 })
  await fill(sql, project, { distinctId: 'b', day: '2026-02-05', events: 10 })
  const letter = (distinctId: string, payload: string) => sql`
    insert into dead_letters (project_id, uuid, event, distinct_id, payload, sqlstate, error)
    values (${project}, ${randomUUID()}, 'e', ${distinctId}, ${payload}, '22P05', 'no')`
  await letter('a', '{}')
  await letter('c', '{"person":{"merge":{"otherDistinctId":"a2"}}}')
  await letter('b', '{"person":{"merge":{"otherDistinctId":"a22"}}}')

  await sql`insert into ingestion_warnings (project_id, type, subject, details, count)
    select ${project}, 'too large', md5(id)::uuid, json_build_object('distinct_id', id), 1
    from unnest(array['a', 'b']) as id`

  const { id, gone } = await askForPerson(sql, project, 'a2')
  t.same([...(gone?.distinctIds ?? [])].sort(), ['a', 'a2'])
  for (const table of ['persons', 'distinct_ids', 'flag_hash_key_overrides']) {
    const [row] = await sql`
      select count(*)::int as rows from ${sql(table)} where project_id = ${project}`
    t.equal(row?.['rows'], 1, `${table} has what is of the other person`)
  }
  t.equal((await sql`select from cohort_people`).count, 1)
  await fill(sql, project, { distinctId: 'a', day: '2026-01-06', events: 5 })

  const startedAt = performance.now()
  for (const chunks of [1, 3, 6]) {
    const kill = new AbortController()
    let done = 0
    const clock = hurried(() => {
      done += 1
      if (done === chunks) kill.abort()
    })
    const before = (await findDeletion(sql, project, id))?.deleted ?? 0
    const whole = { bounds: { ...CHUNK_BOUNDS, targetMs: Infinity }, shares: new Map([[id, 1]]) }
    await work(sql, kill.signal, clock, whole)
    const now = await findDeletion(sql, project, id)
    t.equal(now?.deleted, before + chunks * DELETION_CHUNK_ROWS_MAX, 'each chunk is noted')
    t.equal(now?.state, 'running')
  }
  await Promise.all([work(sql), work(sql)])
  t.comment(`100,000 events in ${Math.round(performance.now() - startedAt)} ms`)
  t.match(await findDeletion(sql, project, id), {
    state: 'completed',
    deleted: 100_000,
    error: null,
  })
  t.same(await left(sql, project), { events: { a: 5, b: 10 }, isCounted: true })
  const letters = await sql`select distinct_id as id from dead_letters`
  t.same([...letters], [{ id: 'b' }])
  t.equal((await sql`select from ingestion_warnings`).count, 1)
  const audited = await sql`select activity, changes from audit_log where item_id = ${id}`
  t.match(
    [...audited],
    [{ activity: 'completed', changes: [{ field: 'deleted', after: 100_000 }] }],
  )
})

t.test('a person deleted alone keeps its events', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 20 })
  const { id } = await askForPerson(sql, project, 'a', false)
  await work(sql)
  t.match(await findDeletion(sql, project, id), { state: 'completed', deleted: 0 })
  t.same(await left(sql, project), { events: { a: 20 }, isCounted: true })
  t.equal((await sql`select from persons`).count, 0)
})

t.test('the next event of a deleted distinct id makes another person', async (t) => {
  const { db, sql, project } = await setUpDeletions(t)
  const store = openStore(t, db)
  const capture = () => store.flush(0, [rowOf(project, makeEvent({ distinctId: 'a' }))])
  const persons = async () => (await sql`select from persons where project_id = ${project}`).count
  await capture()
  t.equal(await persons(), 1)
  await askForPerson(sql, project, 'a')
  t.equal(await persons(), 0)
  t.match(await listDeletedIds(sql), [{ projectId: project, distinctId: 'a' }])
  store.forgetDistinctIds(await listDeletedIds(sql))
  await capture()
  t.equal(await persons(), 1)
  await work(sql)
  t.same((await left(sql, project)).events, { a: 1 })
})

t.test('events are deleted by the filters of a list, and a cancelled deletion ends', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 30_000 })
  await fill(sql, project, { distinctId: 'b', day: '2026-02-05', events: 30_000 })
  const id = await askFiltered(sql, project, {
    event: 'e1',
    properties: '[{"key":"n","operator":"gt","value":15000}]',
  })
  await work(sql, never, hurried(), { isSpillPast: async () => false })
  t.match(await findDeletion(sql, project, id), { deleted: 0, state: 'running' }, 'the spill first')
  await work(sql)
  t.match(await findDeletion(sql, project, id), { state: 'completed', deleted: 10_000 })
  t.same(await left(sql, project), { events: { a: 25_000, b: 25_000 }, isCounted: true })

  const ofPerson = JSON.stringify([{ type: 'person', key: 'email', value: 'a@b.c' }])
  const cancelled = await askFiltered(sql, project, { properties: ofPerson })
  const kill = new AbortController()
  await work(
    sql,
    kill.signal,
    hurried(() => kill.abort()),
  )
  t.equal(await cancelDeletion(sql, project, cancelled), true)
  t.equal(await cancelDeletion(sql, project, cancelled), false)
  await work(sql)
  const { deleted = 0 } = (await findDeletion(sql, project, cancelled)) ?? {}
  t.ok(deleted > 0 && deleted < 25_000, `${deleted} events went before it was cancelled`)
  const expected = { events: { a: 25_000 - deleted, b: 25_000 }, isCounted: true }
  t.same(await left(sql, project), expected)
})

t.test('dead letters go by filter where Postgres can tell that they match', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  const other = await createProject(sql)
  await makePerson(sql, project, ['known'])
  const letter = async (name: string, of = project, ago = '1 hour') => {
    const event = makeEvent({
      event: name,
      distinctId: name,
      timestamp: '2026-03-04T05:06:07.000001Z',
    })
    const payload = formatKeptEvent(event)
    await sql`
      insert into dead_letters
        (project_id, uuid, event, distinct_id, payload, sqlstate, error, created_at)
      values (${of}, ${event.uuid}, ${name}, ${name}, ${payload}, '22P05', 'no',
        now() - ${ago}::text::interval)`
  }
  for (const name of ['named', 'id', 'known', 'timed']) await letter(name)
  await letter('named', other)
  const leftAfter = async (filters: Record<string, string>) => {
    await askFiltered(sql, project, filters)
    await work(sql)
    const letters = await sql<{ event: string }[]>`
      select event from dead_letters where project_id = ${project} order by id`
    return letters.map(({ event }) => event)
  }
  const all = ['named', 'id', 'known', 'timed']
  const properties = JSON.stringify([{ key: 'a', operator: 'is_not', value: 'b' }])
  t.same(await leftAfter({ event: 'named', properties }), all, 'nobody can tell')
  t.same(await leftAfter({ event: 'named', after: '2026-03-04T05:06:07.000001Z' }), all)
  t.same(await leftAfter({ event: 'named', before: '2026-03-04T05:06:07.000001Z' }), all)
  t.same(await leftAfter({ event: 'named' }), ['id', 'known', 'timed'])
  t.same(await leftAfter({ distinct_id: 'id' }), ['known', 'timed'])
  const [person] = await sql<{ id: string }[]>`
    select id::text as id from persons where project_id = ${project}`
  t.same(await leftAfter({ person_id: person?.id ?? '' }), ['timed'])
  await letter('timed later', project, '-1 hour')
  const around = { after: '2026-03-04T05:06:07Z', before: '2026-03-04T05:06:07.000002Z' }
  t.same(await leftAfter(around), ['timed later'], 'what comes after the asking stays')
  t.equal((await sql`select from dead_letters where project_id = ${other}`).count, 1)
})

t.test('a pass of retention ends once its project keeps events for longer', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await fill(sql, project, { distinctId: 'old', day: '2026-01-05', events: 12_000 })
  // Another project keeps the month: it is no whole partition that goes.
  await fill(sql, await createProject(sql), { distinctId: 'kept', day: '2026-01-05', events: 1 })
  await sql`update projects set events_retention_days = 1 where id = ${project}`
  await startRetention(sql, never)
  const kill = new AbortController()
  const small = { bounds: { ...CHUNK_BOUNDS, targetMs: Infinity } }
  await work(
    sql,
    kill.signal,
    hurried(() => kill.abort()),
    small,
  )
  const deleted = 12_000 - ((await left(sql, project)).events['old'] ?? 0)
  t.ok(deleted > 0 && deleted < 12_000, `${deleted} were deleted before`)
  await sql`update projects set events_retention_days = null where id = ${project}`
  await work(sql)
  t.same(await left(sql, project), { events: { old: 12_000 - deleted }, isCounted: true })
  const passes = await sql`
    select l.state, a.activity from deletions l join audit_log a on a.item_id = l.id::text`
  t.same([...passes], [{ state: 'cancelled', activity: 'cancelled' }])
})

t.test('events older than their project keeps them go, whole months as partitions', async (t) => {
  await clearOfMidnight()
  const { sql, project } = await setUpDeletions(t)
  const forever = await createProject(sql)
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const months = async () => {
    const rows = await sql<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'events'::regclass`
    return rows.map(({ name }) => name)
  }
  for (const ago of [400, 300, 31, 30, 0]) {
    await fill(sql, project, { distinctId: `d${ago}`, day: day(ago), events: 50 })
  }
  await fill(sql, forever, { distinctId: 'kept', day: day(300), events: 7 })
  await sql`insert into dead_letters
    (project_id, uuid, event, distinct_id, payload, sqlstate, error, created_at)
    values (${project}, ${randomUUID()}, 'e', 'd', '{}', '22P05', 'no', now() - interval '32 days'),
      (${forever}, ${randomUUID()}, 'e', 'd', '{}', '22P05', 'no', now() - interval '32 days')`
  await sql`insert into event_definitions (id, project_id, name, last_seen_at, description)
    select gen_random_uuid(), ${project}, name, now() - interval '40 days', description
    from (values ('e1', ''), ('gone', ''), ('described', 'kept')) as d (name, description)`
  await startRetention(sql, never)
  t.equal((await sql`select from deletions`).count, 0, 'nobody has asked for any')

  await sql`update projects set events_retention_days = 30 where id = ${project}`
  await Promise.all([startRetention(sql, never), startRetention(sql, never)])
  t.notOk((await months()).includes(partitionOf(day(400)).name), 'nobody keeps it')
  t.ok((await months()).includes(partitionOf(day(300)).name), 'another project keeps it')
  await Promise.all([work(sql), work(sql)])
  t.same(await left(sql, project), { events: { d30: 50, d0: 50 }, isCounted: true })
  t.same(await left(sql, forever), { events: { kept: 7 }, isCounted: true })
  const passes = await sql`
    select l.deleted::int as deleted, l.state, a.activity from deletions l
    join audit_log a on a.item_id = l.id::text where l.project_id = ${project} order by 1`
  t.equal(
    passes.reduce((sum, pass) => sum + Number(pass['deleted']), 0),
    150,
    'each event that went is in the activity',
  )
  t.ok(passes.every((pass) => pass['state'] === 'completed' && pass['activity'] === 'completed'))

  await removeLeftovers(sql)
  await refreshVolumes(sql)
  t.same(await left(sql, project), { events: { d30: 50, d0: 50 }, isCounted: true })
  const counters =
    await sql`select day::text as day from event_counts where project_id = ${project}`
  t.same([...new Set(counters.map((row) => row['day']))].sort(), [day(30), day(0)])
  const names =
    await sql`select name from event_definitions where project_id = ${project} order by 1`
  t.same([...names], [{ name: 'described' }, { name: 'e1' }])
  const letters = await sql`select project_id as id from dead_letters`
  t.same([...letters], [{ id: forever }])
  await startRetention(sql, never)
  t.equal((await sql`select from deletions where state = 'running'`).count, 0)
})
