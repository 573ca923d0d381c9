import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { type ProjectId, projectId } from '../../../src/core/ids.ts'
import { countDeadLetters } from '../../../src/event-store/dead-letters/dead-letter-store.ts'
import { ensurePartitions } from '../../../src/event-store/months/partitions.ts'
import type { PostgresIngestStore } from '../../../src/event-store/postgres/flush/ingest-store.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import { type FlushRow, StoreError } from '../../../src/ingest/store-port.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { refreshVolumes } from '../../../src/store/definitions/definitions-sql.ts'
import { createProject, makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

const SEPARATORS = '\u001e\u001f\u001d\u001c'

/** Too large for an index, also compressed. */
function wide(): string {
  return Array.from({ length: 500 }, () => randomUUID()).join('')
}

async function setUp(t: Test) {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  return { db, sql: db.sql, project, store: openStore(t, db) }
}

function rowsOf(project: ProjectId, ...events: IngestEvent[]): FlushRow[] {
  return events.map((event) => rowOf(project, event))
}

async function totals(sql: Sql) {
  const [row] = await sql`
    select (select count(*)::int from events) as events,
      (select coalesce(sum(count), 0)::int from event_counts) as counted,
      (select count(*)::int from persons) as persons,
      (select count(*)::int from distinct_ids) as ids`
  return { ...row }
}

/** Distinct ids by person, with what the person has become. */
async function persons(sql: Sql) {
  const rows = await sql`
    select array_agg(d.distinct_id order by d.distinct_id) as ids, p.properties,
      p.is_identified, to_char(p.created_at, 'YYYY') as year
    from persons p left join distinct_ids d on d.person_id = p.id
    group by p.id order by 1`
  return rows.map((row) => ({ ...row }))
}

/** As the writer does it, for what loses against another transaction. */
async function flush(store: PostgresIngestStore, rows: readonly FlushRow[], slot = 0) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.flush(slot, rows)
    } catch (error) {
      if (attempt === 20 || !(error instanceof StoreError) || error.kind !== 'conflict') throw error
    }
  }
}

/** Kind of the failure of a flush. */
async function failure(store: PostgresIngestStore, rows: readonly FlushRow[]): Promise<string> {
  try {
    await store.flush(0, rows)
    return 'none'
  } catch (error) {
    return error instanceof StoreError ? error.kind : 'not a StoreError'
  }
}

t.test('a row that the database refuses fails the whole batch as data', async (t) => {
  const { sql, project, store } = await setUp(t)
  const bad: Partial<IngestEvent>[] = [
    { properties: '{"a":"\\u0000"}' },
    { properties: '{"a":' },
    { properties: '' },
    { uuid: 'none' },
    { uuid: `{${randomUUID()}}, ,` },
    { distinctId: 'nul\0' },
    { timestamp: '2026-02-31T00:00:00.000000Z' },
    { distinctId: wide() },
    { event: wide() },
  ]
  for (const changes of bad) {
    const rows = rowsOf(project, makeEvent(), makeEvent(changes))
    t.equal(await failure(store, rows), 'data', JSON.stringify(changes).slice(0, 60))
  }
  for (const person of [{ set: '[1]' }, { setOnce: '{' }, { set: '{"\\u0000":1}' }]) {
    const rows = rowsOf(project, makeEvent(), makeEvent({ person }))
    t.equal(await failure(store, rows), 'data', JSON.stringify(person))
  }
  t.same(await totals(sql), { events: 0, counted: 0, persons: 0, ids: 0 })
  t.same((await store.flush(0, rowsOf(project, makeEvent()))).duplicates, [], 'and goes on')
})

t.test('a dead letter keeps any row, once', async (t) => {
  const { sql, project, store } = await setUp(t)
  const reason = new StoreError('data', '22P05', 'unsupported \0 escape')
  const event = makeEvent({ uuid: 'none', event: 'a\0b', distinctId: '\ud800', properties: '{' })
  const [row] = rowsOf(project, event)
  if (row === undefined) throw new Error('no row')
  await store.deadLetter(0, row, reason)
  await store.deadLetter(1, row, reason)
  t.equal(await countDeadLetters(sql), 1)
  const [kept] = await sql`select event, sqlstate, error, attempts, payload from dead_letters`
  t.match(kept, { event: 'a\ufffdb', sqlstate: '22P05', attempts: 2 })
  t.same(JSON.parse(kept?.['payload']), JSON.parse(JSON.stringify(event)))
})

t.test('events of a project that does not exist leave nothing behind', async (t) => {
  const { sql, project, store } = await setUp(t)
  const gone = projectId(999)
  const person = { set: '{"a":1}' }
  const group = { type: 'company', key: 'x' }
  for (const event of [makeEvent(), makeEvent({ person }), makeEvent({ groups: [group] })]) {
    const rows = [...rowsOf(gone, event), ...rowsOf(project, makeEvent())]
    const result = await store.flush(0, rows)
    t.same([...result.missingProjects], [gone])
    t.same(result.duplicates, [])
  }
  t.match(await totals(sql), { events: 3, counted: 3, persons: 1 })
  const [types] = await sql`select count(*)::int as count from group_types`
  t.equal(types?.['count'], 0)
})

t.test('an event is stored once, whoever sends it again', async (t) => {
  const { db, sql, project, store } = await setUp(t)
  const other = openStore(t, db, 10)
  const events = Array.from({ length: 200 }, (_, n) => makeEvent({ distinctId: `d${n % 7}` }))
  const again = makeEvent()
  const first = await store.flush(0, rowsOf(project, again, makeEvent(), again))
  t.same(first.duplicates, [2], 'twice in one batch')
  t.same((await store.flush(0, rowsOf(project, makeEvent(), again))).duplicates, [1])
  const results = await Promise.all([
    flush(store, rowsOf(project, ...events), 0),
    flush(store, rowsOf(project, ...[...events].reverse()), 1),
    flush(other, rowsOf(project, ...events.slice(50)), 0),
  ])
  const duplicates = results.reduce((sum, result) => sum + result.duplicates.length, 0)
  t.equal(duplicates, 550 - 200)
  t.same(await totals(sql), { events: 203, counted: 203, persons: 8, ids: 8 })
})

t.test('a repeated event changes no person, so it undoes nothing', async (t) => {
  const { sql, project, store } = await setUp(t)
  const old = makeEvent({ person: { set: '{"plan":"free"}' } })
  await store.flush(0, rowsOf(project, old))
  await store.flush(0, rowsOf(project, makeEvent({ person: { set: '{"plan":"paid"}' } })))
  const { changed, duplicates } = await store.flush(0, rowsOf(project, old))
  t.same({ changed, duplicates }, { changed: [], duplicates: [0] })
  t.match(await persons(sql), [{ properties: { plan: 'paid' } }])
})

t.test('texts come back as they went in, whatever separators they hold', async (t) => {
  const { sql, project, store } = await setUp(t)
  const odd = [SEPARATORS, '\u001e', `a"b\\c{d}e,f'g`, 'NULL', '\ud83d\ude00', ' x ']
  const events = odd.map((text) => makeEvent({ event: text, distinctId: text }))
  await store.flush(0, rowsOf(project, ...events))
  const elements = makeEvent({ elementsChain: 'a:href="x\ny"', properties: '{"k":"\\u001e"}' })
  await store.flush(0, rowsOf(project, elements))
  await store.flush(0, rowsOf(project, makeEvent({ event: '\u001e', distinctId: SEPARATORS })))
  for (const event of [...events, elements]) {
    const [row] = await sql`
      select event, distinct_id, elements_chain, properties from events where uuid = ${event.uuid}`
    t.match(row, {
      event: event.event,
      distinct_id: event.distinctId,
      elements_chain: event.elementsChain,
      properties: JSON.parse(event.properties),
    })
  }
  t.match(await totals(sql), { events: 8, persons: 7 })
})

t.test('a new distinct id gets a person unless the event wants none', async (t) => {
  const { sql, project, store } = await setUp(t)
  const silent = makeEvent({ distinctId: 'ghost', person: { profile: false, set: '{"a":1}' } })
  const plain = makeEvent({ distinctId: 'plain', timestamp: '2021-01-01T00:00:00.000000Z' })
  const { changed } = await store.flush(0, rowsOf(project, silent, plain, makeEvent(plain)))
  t.same(changed, [])
  t.same(await persons(sql), [
    { ids: ['plain'], properties: {}, is_identified: false, year: '2021' },
  ])
})

t.test('properties are set once, set and unset, and only real changes are told', async (t) => {
  const { sql, project, store } = await setUp(t)
  const send = async (...changes: Partial<IngestEvent['person']>[]) => {
    const events = changes.map((person) => makeEvent({ person }))
    return (await store.flush(0, rowsOf(project, ...events))).changed
  }
  const told = [{ projectId: project, distinctIds: ['someone'], groups: [] }]
  t.same(await send({ setOnce: '{"a":1,"b":1}', set: '{"b":2,"__proto__":3}' }), told)
  t.same(await send({ setOnce: '{"a":5,"c":1}', set: '{"b":2}' }, { unset: ['b'] }), told)
  const [row] = await persons(sql)
  t.equal(JSON.stringify(Object.entries(row?.properties)), '[["a",1],["c",1],["__proto__",3]]')
  t.same(await send({ setOnce: '{"a":9}', set: '{"c":1}', unset: ['nothing'] }), [])
  t.same(await send({ set: '{"c":2}' }, { set: '{"c":1}' }), [], 'there and back')
})

t.test('every case of the merge table', async (t) => {
  const merge = (kind: 'identify' | 'alias' | 'dangerously', otherDistinctId: string) => ({
    merge: { kind, otherDistinctId },
  })
  const run = async (...steps: [string, Partial<IngestEvent['person']>, string?][]) => {
    const { sql, project, store } = await setUp(t)
    const told: string[][] = []
    for (const [distinctId, person, year = '2024'] of steps) {
      const timestamp = `${year}-01-01T00:00:00.000000Z`
      const result = await store.flush(
        0,
        rowsOf(project, makeEvent({ distinctId, person, timestamp })),
      )
      told.push([...(result.changed[0]?.distinctIds ?? [])].sort())
    }
    return { persons: await persons(sql), told: told.at(-1) }
  }
  const both = { ids: ['a', 'b'], is_identified: true, year: '2024' }
  t.same(await run(['a', merge('identify', 'b')]), {
    persons: [{ ...both, properties: {} }],
    told: ['a', 'b'],
  })
  t.match(await run(['a', { set: '{"x":1}' }], ['a', merge('identify', 'b')]), {
    persons: [{ ...both, properties: { x: 1 } }],
    told: ['a', 'b'],
  })
  t.match(await run(['b', {}], ['a', { ...merge('alias', 'b'), set: '{"x":1}' }]), {
    persons: [{ ...both, properties: { x: 1 } }],
  })
  t.match(await run(['a', {}], ['a', merge('identify', 'a')]), {
    persons: [{ ids: ['a'], is_identified: false }],
    told: [],
  })
  const folded = await run(
    ['a', { set: '{"x":"a","y":"a"}' }],
    ['b', { set: '{"x":"b","z":"b"}' }, '2020'],
    ['a', { ...merge('identify', 'b'), set: '{"y":"event"}', setOnce: '{"z":"event"}' }],
  )
  t.same(folded.persons, [{ ...both, year: '2020', properties: { x: 'a', y: 'event', z: 'b' } }])
  t.same(folded.told, ['a', 'b'])
  const identified = ['b', merge('identify', 'c')] as const
  t.match(await run([...identified], ['a', {}], ['a', merge('alias', 'b')]), {
    persons: [
      { ids: ['a'], is_identified: false },
      { ids: ['b', 'c'], is_identified: true },
    ],
  })
  t.match(await run([...identified], ['a', {}], ['a', merge('dangerously', 'b')]), {
    persons: [{ ids: ['a', 'b', 'c'], is_identified: true }],
    told: ['a', 'b', 'c'],
  })
})

t.test('a merge moves cohorts and flag overrides, the target’s win', async (t) => {
  const { sql, project, store } = await setUp(t)
  for (const distinctId of ['a', 'b', 'c']) {
    await store.flush(0, rowsOf(project, makeEvent({ distinctId })))
  }
  const idOf = async (distinctId: string): Promise<bigint> => {
    const [row] = await sql`select person_id from distinct_ids where distinct_id = ${distinctId}`
    return row?.['person_id']
  }
  const [a, b, c] = [await idOf('a'), await idOf('b'), await idOf('c')]
  await sql`insert into cohorts (id, project_id) values (1, ${project}), (2, ${project})`
  await sql`insert into cohort_people (cohort_id, person_id) values (1, ${a}), (1, ${b}), (2, ${c})`
  await sql`insert into flag_hash_key_overrides (project_id, person_id, flag_key, hash_key) values
    (${project}, ${a}, 'f1', 'a'), (${project}, ${b}, 'f1', 'b'), (${project}, ${b}, 'f2', 'b'),
    (${project}, ${c}, 'f2', 'c'), (${project}, ${c}, 'f3', 'c')`
  const mergeOf = (distinctId: string, otherDistinctId: string) =>
    makeEvent({ distinctId, person: { merge: { kind: 'dangerously', otherDistinctId } } })
  await store.flush(0, rowsOf(project, mergeOf('b', 'c'), mergeOf('a', 'b')))
  t.match(await persons(sql), [{ ids: ['a', 'b', 'c'] }])
  const overrides = await sql`
    select flag_key, hash_key, person_id from flag_hash_key_overrides order by flag_key`
  t.same(
    overrides.map((row) => [row['flag_key'], row['hash_key'], row['person_id']]),
    [
      ['f1', 'a', a],
      ['f2', 'b', a],
      ['f3', 'c', a],
    ],
  )
  const members = await sql`select cohort_id, person_id from cohort_people order by cohort_id`
  t.same(
    members.map((row) => [row['cohort_id'], row['person_id']]),
    [
      [1, a],
      [2, a],
    ],
  )
})

t.test('workers racing on the same persons agree on one history', async (t) => {
  const { db, sql, project, store } = await setUp(t)
  const stores = [store, openStore(t, db, 10), openStore(t, db, 20)]
  for (let round = 0; round < 12; round++) {
    const ids = Array.from({ length: 6 }, (_, n) => `r${round}-${n}`)
    const flushes = stores.flatMap((each, worker) =>
      [0, 1].map((slot) => {
        const events = ids.flatMap((distinctId, n) => [
          makeEvent({ distinctId, person: { set: `{"w${worker}s${slot}":${n}}` } }),
          makeEvent({ distinctId: ids[(n * (worker + 2)) % 6] ?? distinctId }),
        ])
        const target = ids[(worker + slot) % 6] ?? ''
        const otherDistinctId = ids[(worker * 2 + slot * 3) % 6] ?? ''
        const merge = { kind: 'dangerously' as const, otherDistinctId }
        events.push(makeEvent({ distinctId: target, person: { merge } }))
        return flush(each, rowsOf(project, ...events), slot)
      }),
    )
    await Promise.all(flushes)
  }
  const lost = await sql`
    select d.distinct_id from distinct_ids d left join persons p on p.id = d.person_id
    where p.id is null`
  const orphans = await sql`
    select p.id from persons p left join distinct_ids d on d.person_id = p.id
    where d.person_id is null`
  t.same([lost.length, orphans.length], [0, 0])
  t.match(await totals(sql), { events: 12 * 6 * 13, counted: 12 * 6 * 13, ids: 12 * 6 })
  const incomplete = await sql`
    select id from persons
    where not properties ?& array['w0s0', 'w0s1', 'w1s0', 'w1s1', 'w2s0', 'w2s1']`
  t.equal(incomplete.length, 0, 'no update was lost')
})

t.test('group types get indexes by first use, five at most', async (t) => {
  const { db, sql, project, store } = await setUp(t)
  const types = ['company', 'team', 'site', 'plan', 'region', 'sixth']
  const groups = types.map((type) => ({ type, key: `${type} "k"` }))
  const event = makeEvent({ groups, properties: ' { } ' })
  const clash = makeEvent({ groups: groups.slice(0, 1), properties: '{"$group_0":"fake","a":1}' })
  await store.flush(0, rowsOf(project, event, clash))
  const [row] = await sql`select properties from events where uuid = ${event.uuid}`
  t.same(
    row?.['properties'],
    Object.fromEntries(types.slice(0, 5).map((type, n) => [`$group_${n}`, `${type} "k"`])),
  )
  const [won] = await sql`select properties from events where uuid = ${clash.uuid}`
  t.same(won?.['properties'], { $group_0: 'company "k"', a: 1 })

  const another = await createProject(sql)
  const race = [store, openStore(t, db, 10)].map((each, n) =>
    each.flush(0, rowsOf(another, makeEvent({ groups: n === 0 ? groups : [...groups].reverse() }))),
  )
  await Promise.all(race)
  const indexes = await sql`
    select type_index from group_types where project_id = ${another} order by type_index`
  t.same(
    indexes.map((each) => each['type_index']),
    [0, 1, 2, 3, 4],
  )
})

t.test('groups are created and updated key by key, and changes are told', async (t) => {
  const { sql, project, store } = await setUp(t)
  const identify = (set: string, timestamp = '2024-01-01T00:00:00.000000Z', type = 'company') =>
    makeEvent({ event: '$groupidentify', groupChange: { type, key: 'acme', set }, timestamp })
  const first = await store.flush(
    0,
    rowsOf(project, identify('{"a":1,"b":1}'), identify('{"b":2}', '2020-01-01T00:00:00.000000Z')),
  )
  t.same(first.changed, [
    { projectId: project, distinctIds: [], groups: [{ type: 'company', key: 'acme' }] },
  ])
  t.same((await store.flush(0, rowsOf(project, identify('{"a":1}')))).changed, [])
  t.match((await store.flush(0, rowsOf(project, identify('{"c":3}')))).changed, [
    { groups: [{ type: 'company', key: 'acme' }] },
  ])
  const rows = await sql`
    select type_index, group_key, properties, to_char(created_at, 'YYYY') as year from groups`
  t.same(
    rows.map((row) => ({ ...row })),
    [{ type_index: 0, group_key: 'acme', properties: { a: 1, b: 2, c: 3 }, year: '2020' }],
  )
  const types = ['t1', 't2', 't3', 't4', 't5'].map((type) => identify('{}', undefined, type))
  await store.flush(0, rowsOf(project, ...types))
  const [count] = await sql`select count(*)::int as count from groups`
  t.equal(count?.['count'], 5, 'groups of a sixth type are not kept')
})

t.test('definitions, volumes and the first event of a project', async (t) => {
  const { sql, project, store } = await setUp(t)
  const recent = new Date().toISOString().replace('Z', '000Z')
  const events = Array.from({ length: 5 }, () => makeEvent({ event: 'now', timestamp: recent }))
  await store.flush(0, rowsOf(project, ...events, makeEvent({ event: 'then' })))
  await store.flush(1, rowsOf(project, makeEvent({ event: 'now', timestamp: recent })))
  await sql`update event_definitions set volume_30_day = 77 where name = 'then'`
  await refreshVolumes(sql)
  const rows =
    await sql`select name, volume_30_day::int as volume from event_definitions order by 1`
  t.same(
    rows.map((row) => ({ ...row })),
    [
      { name: 'now', volume: 6 },
      { name: 'then', volume: 0 },
    ],
  )
  const [row] = await sql`select ingested_event, revision::int from projects`
  t.match(row, { ingested_event: true, revision: 1 })
})

t.test('the event by which servers report on plugins is stored without a definition', async (t) => {
  const { sql, project, store } = await setUp(t)
  const events = ['$$plugin_metrics', 'signup'].map((event) => makeEvent({ event }))
  await store.flush(0, rowsOf(project, ...events))
  t.match(await totals(sql), { events: 2, counted: 2 })
  const names = await sql`select name from event_definitions`
  t.same([...names], [{ name: 'signup' }])
})

t.test('partitions are made on demand, by several workers at once', async (t) => {
  const { db, sql, project, store } = await setUp(t)
  const stores = [store, openStore(t, db, 10)]
  const years = ['0000', '0001', '1970', '1999', '2000', '2019', '2099', '2100', '9999']
  const days = years.map((year) => `${year}-12-31T23:59:59.999999Z`)
  await Promise.all(
    stores.flatMap((each) =>
      [0, 1].map((slot) => {
        const events = days.map((timestamp) => makeEvent({ timestamp }))
        return flush(each, rowsOf(project, ...events), slot)
      }),
    ),
  )
  t.match(await totals(sql), { events: 36, counted: 36 })
  const homes = await sql`
    select tableoid::regclass::text as home, min(day)::text as first, count(*)::int as count
    from events group by 1 order by 1`
  t.same(
    homes.map((row) => [row['home'], row['first'], row['count']]),
    [
      ['events_far', '2100-12-31', 8],
      ['events_old', '0001-01-01', 16],
      ['events_y2000m12', '2000-12-31', 4],
      ['events_y2019m12', '2019-12-31', 4],
      ['events_y2099m12', '2099-12-31', 4],
    ],
  )
  await sql.unsafe('drop table events_y2019m12')
  const late = rowsOf(project, makeEvent({ timestamp: '2019-12-01T00:00:00.000000Z' }))
  t.equal(await failure(store, late), 'conflict', 'dropped behind our back')
  t.same((await store.flush(0, late)).duplicates, [])
})

t.test('partitions are made ahead, over the end of a year too', async (t) => {
  const { sql } = await setUp(t)
  await Promise.all([
    ensurePartitions(sql, Date.UTC(2025, 10, 30)),
    ensurePartitions(sql, Date.UTC(2025, 10, 30)),
  ])
  const rows = await sql`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'events'::regclass order by 1`
  const names = rows.map((row) => row['name'])
  t.same(names, ['events_old', 'events_y2025m11', 'events_y2025m12', 'events_y2026m01'])
  const { count } = await sql`select 1 from pg_indexes where tablename = 'events_y2026m01'`
  t.equal(count, 3)
})
