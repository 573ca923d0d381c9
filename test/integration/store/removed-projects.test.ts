import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { type ProjectId, projectId } from '../../../src/core/ids.ts'
import { createPartitions, partitionOf } from '../../../src/event-store/months/partitions.ts'
import { StoreError } from '../../../src/ingest/store-port.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { REMOVAL_CHUNK_ROWS_MAX, removeRemains } from '../../../src/privacy/remove-remains.ts'
import { addQueryCounts } from '../../../src/store/definitions/definitions-sql.ts'
import { insertContinuity } from '../../../src/store/projects/decide-store.ts'
import {
  deleteProject,
  deleteProjectsOf,
} from '../../../src/store/projects/removed-projects-store.ts'
import { createProject, makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

const MONTHS = ['1998-07-01', '2026-01-01', '2026-02-01', '2026-03-01', '2150-01-01']
const EVENTS_A_MONTH = 10_000

/** The tables that hold rows of a project without a foreign key to it. */
const TABLES = [
  'events',
  'event_counts',
  'project_changes',
  'kept_answers',
  'session_blocks',
  'event_definitions',
  'event_query_counts',
  'flag_usage',
  'persons',
  'distinct_ids',
  'flag_hash_key_overrides',
  'group_types',
  'groups',
  'dead_letters',
  'plugin_log_entries',
  'deleted_distinct_ids',
]
/** Tables whose rows are deleted with the row of the project. */
const CASCADED = ['feature_flags', 'cohorts', 'plugin_configs', 'deletions']

async function setUp(t: Test) {
  const db = await testDatabase(t)
  await createPartitions(db.sql, MONTHS.map(partitionOf))
  const gone = await createProject(db.sql)
  const other = await createProject(db.sql)
  return { db, sql: db.sql, gone, other }
}

/** Something in every table; events spread over months, `events` of them in each. */
async function fill(sql: Sql, project: ProjectId, events: number): Promise<void> {
  await sql`
    with month as (
      select m::date as start from unnest(${MONTHS}::text[]) as m
    ), written as (
      insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
      select ${project}, start + n % 28, gen_random_uuid(), start + (n % 28) * interval '1 day',
        'e' || n % 7, 'd' || n, '{}'
      from month, generate_series(1, ${events}::integer) as n returning event, day
    )
    insert into event_counts (project_id, event, day, slot, count)
    select ${project}, event, day, 0, count(*) from written group by event, day`
  await sql`
    with made as (
      insert into persons (project_id, uuid, created_at)
      select ${project}, gen_random_uuid(), now() from generate_series(1, ${events}::integer)
      returning id
    ), overridden as (
      insert into flag_hash_key_overrides (project_id, person_id, flag_key, hash_key)
      select ${project}, id, 'f', 'h' from made
    )
    insert into distinct_ids (project_id, distinct_id, person_id)
    select ${project}, 'd' || row_number() over (), id from made`
  await sql`insert into event_definitions (id, project_id, name)
    select gen_random_uuid(), ${project}, 'e' || n from generate_series(0, 6) as n`
  await addQueryCounts(sql, [{ projectId: project, event: 'e1', count: 3 }])
  await sql`insert into flag_usage (project_id, key, day, value, slot, count, last_at)
    select ${project}, 'f', '2026-01-01', n::text, 0, 1, now()
    from generate_series(1, ${events}::integer) as n`
  await sql`insert into project_changes values (${project}, 'identity', 0, 1)`
  await sql`insert into kept_answers
      (project_id, hash, from_ms, until_ms, version, value, counted_at, bytes)
    select ${project}, 'h', n, n, '', '{}', 0, 2 from generate_series(1, ${events}::integer) as n`
  await sql`insert into session_blocks (project_id, day, version, form, roles, events, bytes)
    select ${project}, n, '', '', '', 0, '' from generate_series(1, ${events}::integer) as n`
  await sql`insert into group_types values (${project}, 'company', 0)`
  await sql`insert into groups (project_id, type_index, group_key, created_at)
    select ${project}, 0, 'g' || n, now() from generate_series(1, ${events}::integer) as n`
  await sql`insert into dead_letters (project_id, uuid, event, distinct_id, payload, sqlstate, error)
    values (${project}, ${randomUUID()}, 'e', 'd', '{}', '22P05', 'no')`
  await sql`
    with organization as (select organization_id as id from projects where id = ${project}),
    plugin as (
      insert into plugins (organization_id, plugin_type, name)
      select id, 'custom', 'p' from organization returning id
    ), config as (
      insert into plugin_configs (project_id, plugin_id, "order")
      select ${project}, id, 1 from plugin returning id, plugin_id
    )
    insert into plugin_log_entries
      (id, project_id, plugin_id, plugin_config_id, source, type, message, instance_id)
    select gen_random_uuid(), ${project}, plugin_id, id, 'SYSTEM', 'INFO', 'm', gen_random_uuid()
    from config, generate_series(1, ${events}::integer)`
  await sql`insert into deleted_distinct_ids
      (project_id, digest, deletion_id, with_events, asked_at)
    select ${project}, sha256(n::text::bytea), gen_random_uuid(), true, now()
    from generate_series(1, ${events}::integer) as n`
  await sql`insert into deletions (id, project_id, kind)
    values (gen_random_uuid(), ${project}, 'events')`
  await sql`insert into feature_flags (project_id, key, filters) values (${project}, 'f', '{}')`
  await sql`insert into cohorts (project_id) values (${project})`
}

/** Rows of a project by table. */
async function rowsOf(sql: Sql, project: ProjectId): Promise<Record<string, number>> {
  const counts = [...TABLES, ...CASCADED].map(async (table): Promise<[string, number]> => {
    const [row] = await sql`
      select count(*)::int as rows from ${sql(table)} where project_id = ${project}`
    return [table, Number(row?.['rows'])]
  })
  return Object.fromEntries(await Promise.all(counts))
}

const NOTHING = Object.fromEntries([...TABLES, ...CASCADED].map((table) => [table, 0]))

async function remaining(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select project_id as id from deleted_projects`
  return rows.map(({ id }) => id)
}

async function remove(sql: Sql, project: ProjectId): Promise<void> {
  const isDone = await sql.begin((tx) => deleteProject(tx, project))
  if (!isDone) throw new Error('there is no such project')
}

/** Without rests between the chunks, each of which it tells. */
function hurried(onChunk: () => void = () => undefined): Clock {
  return {
    ...systemClock,
    async sleep() {
      onChunk()
    },
  }
}

const never = new AbortController().signal

t.test('a removed project leaves nothing, though the removal is killed on its way', async (t) => {
  const { sql, gone, other } = await setUp(t)
  await fill(sql, gone, EVENTS_A_MONTH)
  await fill(sql, other, 10)
  const kept = await rowsOf(sql, other)
  t.equal((await rowsOf(sql, gone))['events'], 50_000)

  await remove(sql, gone)
  const atOnce = await rowsOf(sql, gone)
  for (const table of CASCADED) t.equal(atOnce[table], 0, `${table} goes with its project`)
  t.equal(atOnce['events'], 50_000)

  const killAt = [1, 8, 30]
  for (const chunks of killAt) {
    const before = (await rowsOf(sql, gone))['events'] ?? 0
    const kill = new AbortController()
    let done = 0
    const clock = hurried(() => {
      done += 1
      if (done === chunks) kill.abort()
    })
    await removeRemains({ sql, clock }, kill.signal)
    t.equal(done, chunks, 'no chunk is begun after the end')
    const left = (await rowsOf(sql, gone))['events'] ?? 0
    t.ok(left < before || before === 0, 'it goes on where it was')
    t.ok(left >= before - chunks * REMOVAL_CHUNK_ROWS_MAX, 'a chunk is bounded')
    t.same(await remaining(sql), [gone])
  }
  await removeRemains({ sql, clock: systemClock }, never)
  t.same(await rowsOf(sql, gone), NOTHING)
  t.same(await remaining(sql), [])
  t.same(await rowsOf(sql, other), kept, 'the other project is as it was')
})

t.test('several workers that remove at once leave nothing either, and do not fail', async (t) => {
  const { sql, gone, other } = await setUp(t)
  await fill(sql, gone, 1_500)
  await fill(sql, other, 1_500)
  await remove(sql, gone)
  await remove(sql, other)
  t.same(await remaining(sql), [gone, other])
  for (let turn = 0; (await remaining(sql)).length > 0; turn++) {
    if (turn === 10) throw new Error('the removal does not end')
    const work = () => removeRemains({ sql, clock: hurried() }, never)
    await Promise.all([work(), work(), work()])
  }
  t.same(await rowsOf(sql, gone), NOTHING)
  t.same(await rowsOf(sql, other), NOTHING)
})

t.test(
  'a flush that saw the project and commits after all leaves nothing in the end',
  async (t) => {
    const { db, sql, gone, other } = await setUp(t)
    const store = openStore(t, db)
    const groups = [{ type: 'company', key: 'x' }]
    const flushed = (event: string) => [
      rowOf(gone, makeEvent({ event, person: { set: '{"a":1}' } })),
      rowOf(other, makeEvent({ event, groups })),
    ]
    await store.flush(0, flushed('known'))
    await sql`update event_definitions set last_seen_at = now() - interval '1 day'`
    const late = openStore(t, db)
    // Holds the flush up in the middle: it has seen the project, and has not committed.
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let hold = () => {}
    const held = new Promise<void>((resolve) => {
      hold = resolve
    })
    const blocking = sql.begin(async (tx) => {
      await tx`select from event_definitions where project_id = ${gone} for update`
      hold()
      await gate
    })
    await held
    const flushing = late.flush(0, flushed('known'))
    for (;;) {
      const [row] = await sql`select count(*)::int as waiting from pg_locks where not granted`
      if (row?.['waiting'] > 0) break
    }
    await remove(sql, gone)
    await removeRemains({ sql, clock: hurried() }, never)
    t.same(await remaining(sql), [gone], 'not forgotten while somebody may write of it')
    letGo()
    await blocking
    const result = await flushing
    t.equal(result.missingProjects.size, 0, 'it was there when they looked')
    t.ok(((await rowsOf(sql, gone))['events'] ?? 0) > 0, 'and so it came after the removal')
    await removeRemains({ sql, clock: hurried() }, never)
    t.same(await rowsOf(sql, gone), NOTHING)
    t.same(await remaining(sql), [])
    t.equal((await rowsOf(sql, other))['events'], 2)
  },
)

t.test('the project is not forgotten before whoever may have seen it has ended', async (t) => {
  const { sql, gone } = await setUp(t)
  const seen = async (work: () => Promise<void>) => {
    await sql.begin(async (tx) => {
      await tx`select from projects`
      await work()
    })
  }
  await seen(async () => {
    await remove(sql, gone)
    await removeRemains({ sql, clock: hurried() }, never)
    t.same(await remaining(sql), [gone])
  })
  await removeRemains({ sql, clock: hurried() }, never)
  t.same(await remaining(sql), [])
})

t.test(
  'after the removal nothing more of the project is stored, and others lose nothing',
  async (t) => {
    const { db, sql, gone, other } = await setUp(t)
    const store = openStore(t, db)
    const events = [
      makeEvent(),
      makeEvent({ distinctId: 'b', person: { set: '{"a":1}' } }),
      makeEvent({ distinctId: 'c', groups: [{ type: 'company', key: 'x' }] }),
      makeEvent({
        distinctId: 'd',
        person: { merge: { kind: 'identify', otherDistinctId: 'anonymous' } },
      }),
    ]
    // The worker's memory of the project must not bring it back.
    await store.flush(
      0,
      events.map((event) => rowOf(gone, event)),
    )
    const [person] = await sql<{ id: bigint }[]>`select id from persons limit 1`
    const continuity = [{ personId: person?.id ?? 0n, flagKey: 'f', hashKey: 'h' }]
    await remove(sql, gone)
    await insertContinuity(sql, gone, continuity)
    await removeRemains({ sql, clock: hurried() }, never)
    t.same(await rowsOf(sql, gone), NOTHING)
    for (const event of events) {
      const result = await store.flush(0, [
        rowOf(gone, { ...event, uuid: randomUUID() }),
        rowOf(other, event),
      ])
      t.same([...result.missingProjects], [gone])
    }
    const reason = new StoreError('data', '22P05', 'no')
    await store.deadLetter(0, rowOf(gone, makeEvent()), reason)
    await addQueryCounts(sql, [{ projectId: gone, event: 'seen', count: 1 }])
    t.same(await rowsOf(sql, gone), NOTHING)
    t.equal((await rowsOf(sql, other))['events'], events.length)
  },
)

t.test('the projects of an organization are removed together', async (t) => {
  const { sql, gone, other } = await setUp(t)
  const [row] = await sql`select organization_id as id from projects where id = ${gone}`
  const removed = await sql.begin((tx) => deleteProjectsOf(tx, row?.['id']))
  t.same(removed, [gone])
  t.same(await remaining(sql), [gone])
  t.equal((await sql`select from projects where id = ${other}`).length, 1)
  t.notOk(await sql.begin((tx) => deleteProject(tx, gone)), 'gone already')
  t.notOk(await sql.begin((tx) => deleteProject(tx, projectId(999_999))))
})
