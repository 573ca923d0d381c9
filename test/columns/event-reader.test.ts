/** The reader of events in ClickHouse, by the suite of all readers, and what is its own. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { insertBlock } from '../../src/clickhouse/block.ts'
import { projectId } from '../../src/core/ids.ts'
import { createClickHouseEvents } from '../../src/event-store/clickhouse/reads/event-reader.ts'
import { createPostgresEvents } from '../../src/event-store/postgres/reads/event-reader.ts'
import { askedOf } from '../../src/query/list/event-list-query.ts'
import { parseEventTable } from '../../src/query/table/event-table.ts'
import { rowJson } from '../../src/query/table/row-json.ts'
import { copyToColumns } from '../support/columns/both-stores.ts'
import { columnEvents, columnServer, columnStore } from '../support/columns/column-store.ts'
import { VALUES } from '../support/columns/random-trees.ts'
import { conditionOf } from '../support/conditions/conditions.ts'
import { testReader } from '../support/events/reader-suite.ts'
import { putEvents, putPerson } from '../support/ingest/events.ts'
import { testDatabase } from '../support/servers/database.ts'

const server = await columnServer(t)

testReader(t, 'ClickHouse', async (t) => {
  const { sql } = await testDatabase(t)
  const columns = await columnStore(t, server)
  let blocks = 0
  return {
    sql,
    reader: createClickHouseEvents({ columns, sql }),
    copy: async (project) => {
      blocks += await copyToColumns({ sql, columns }, project, blocks + 1)
      // Where an answer came from them, the test would not see that ClickHouse has nothing.
      await sql`delete from events where project_id = ${project}`
    },
  }
})

const NO_BOUNDS = {
  ...{ after: '', before: '', event: undefined, distinctId: undefined, personId: undefined },
  properties: '',
}
const TIMES = ['1850-06-01T01:02:03.999999Z', '2026-03-29T01:00:00Z', '2026-03-30T01:00:00.5Z']
const CALL = { signal: new AbortController().signal, time: { left: () => 60_000 } }
const ASKED = {
  ...{ project: projectId(1), before: '253402300800000000', after: undefined, event: undefined },
  ...{ distinctId: undefined, person: undefined, where: undefined },
  filter: { kind: 'and', nodes: [] },
} as const
const PAGE = { order: 'newest', limit: 10, offset: 0, bytesMax: 1e6, personBytesMax: 1e6 } as const

t.test('a list is of one state while blocks arrive', async (t) => {
  const { sql } = await testDatabase(t)
  const columns = await columnStore(t, server)
  const reader = createClickHouseEvents({ columns, sql })
  await insertBlock(columns, { number: 1, events: columnEvents(3) })
  let arrived = 1
  // A block arrives before each statement.
  const rows: typeof columns.rows = async (...asked) => {
    arrived += 1
    await insertBlock(columns, { number: arrived, events: columnEvents(1) })
    return await columns.rows(...asked)
  }
  const busy = createClickHouseEvents({ columns: { ...columns, rows }, sql })
  const list = await busy.list(ASKED, PAGE, CALL)
  if (list === 'too_large') throw new Error(list)
  t.equal(list.count, list.events.length, 'page and count agree')
  t.equal(list.count, 3 + 1, 'with the block that came before the first statement')
  const again = await reader.list({ ...ASKED, snapshotBlock: list.snapshotBlock }, PAGE, CALL)
  t.strictSame(again, list, 'the state can be asked for again')
  t.strictSame(await reader.list({ ...ASKED, snapshotBlock: 0 }, PAGE, CALL), {
    count: 0,
    events: [],
    snapshotBlock: 0,
  })
})

t.test('a question that the reader cannot answer is refused, and time is kept', async (t) => {
  const { sql } = await testDatabase(t)
  const columns = await columnStore(t, server)
  await insertBlock(columns, { number: 1, events: columnEvents(3) })
  const reader = createClickHouseEvents({ columns, sql })
  const tree = { kind: 'field', type: 'UUID', field: 'person.id' } as const
  const isNull = { kind: 'apply', operation: 'is_null', type: 'Bool', args: [tree] } as const
  const filter = { kind: 'expression', tree: isNull } as const
  await t.rejects(reader.list({ ...ASKED, filter }, PAGE, CALL), { code: 'unimplemented' })
  const ended = { ...CALL, signal: AbortSignal.abort() }
  await t.rejects(reader.list(ASKED, PAGE, ended), { code: 'cancelled' })
  const endless = { ...columns, rows: stuck }
  const slow = createClickHouseEvents({ columns: endless, sql })
  const short = { ...CALL, time: { left: () => 1 } }
  await t.rejects(slow.find(projectId(1), randomUUID(), short), { code: 'deadline_exceeded' })
})

t.test('properties of groups are asked of Postgres', async (t) => {
  const { sql } = await testDatabase(t)
  const columns = await columnStore(t, server)
  const [acme, other, none] = [
    '{"$groups": {"company": "acme"}}',
    '{"$groups": {"company": "x"}}',
    '{}',
  ]
  const events = columnEvents(3).map((event, place) => {
    return { ...event, properties: [acme, other, none][place] ?? '' }
  })
  await insertBlock(columns, { number: 1, events })
  await sql`insert into group_types (project_id, type_index, group_type) values (1, 0, 'company')`
  await sql`
    insert into groups (project_id, type_index, group_key, created_at, properties)
    values (1, 0, 'acme', now(), '{"plan": "pro"}'), (1, 0, 'x', now(), '{"plan": "free"}')`
  const reader = createClickHouseEvents({ columns, sql })
  const count = async (negated: boolean) => {
    const condition = conditionOf(negated ? 'is_not' : 'exact', ['pro'])
    const filter = { kind: 'group', index: 0, key: 'plan', condition } as const
    const list = await reader.list({ ...ASKED, filter }, PAGE, CALL)
    return list === 'too_large' ? list : list.count
  }
  t.equal(await count(false), 1)
  t.equal(await count(true), 2, 'also those without a group')
})

t.test('conditions on very many persons and groups are answered', async (t) => {
  const { sql } = await testDatabase(t)
  const columns = await columnStore(t, server)
  const events = columnEvents(3).map((event, place) => {
    const properties = `{"$groups": {"company": "company number ${place}"}}`
    return { ...event, distinctId: `somebody with a long id ${place}`, properties }
  })
  await insertBlock(columns, { number: 1, events })
  // The first two are of such persons and groups, the third is of none.
  await sql`
    with made as (
      insert into persons (project_id, uuid, properties, created_at)
      select 1, gen_random_uuid(), '{"plan": "pro"}', now() from generate_series(2, 60000) n
      returning id
    ), numbered as (select id, row_number() over () - 1 as n from made)
    insert into distinct_ids (project_id, distinct_id, person_id)
    select 1, 'somebody with a long id ' || case n when 2 then 'none' else n::text end, id
    from numbered`
  await sql`insert into group_types (project_id, type_index, group_type) values (1, 0, 'company')`
  await sql`
    insert into groups (project_id, type_index, group_key, created_at, properties)
    select 1, 0, 'company number ' || case n when 2 then 'none' else n::text end, now(),
      '{"plan": "pro"}'
    from generate_series(0, 59999) n`
  const reader = createClickHouseEvents({ columns, sql })
  const count = async (negated: boolean, ofGroup: boolean) => {
    const condition = conditionOf(negated ? 'is_not' : 'exact', ['pro'])
    const filter = ofGroup
      ? ({ kind: 'group', index: 0, key: 'plan', condition } as const)
      : ({ kind: 'property', source: 'person', key: 'plan', condition } as const)
    const list = await reader.list({ ...ASKED, filter }, PAGE, CALL)
    return list === 'too_large' ? list : list.count
  }
  for (const ofGroup of [false, true]) {
    t.equal(await count(false, ofGroup), 2)
    t.equal(await count(true, ofGroup), 1)
  }
})

t.test('a pattern that a store refuses matches nothing, also when it is negated', async (t) => {
  const { sql } = await testDatabase(t)
  const columns = await columnStore(t, server)
  await putPerson(sql, 1, { distinctIds: ['someone'], properties: { $browser: 'Firefox' } })
  await insertBlock(columns, { number: 1, events: columnEvents(2) })
  const reader = createClickHouseEvents({ columns, sql })
  const count = async (pattern: string, source: 'event' | 'person', negated: boolean) => {
    const value = { kind: 'regex', pattern, negated, lengthMax: 1_000 } as const
    const condition = { whenMissing: negated, value }
    const filter = { kind: 'property', source, key: '$browser', condition } as const
    const list = await reader.list({ ...ASKED, filter }, PAGE, CALL)
    return list === 'too_large' ? list : list.count
  }
  for (const source of ['event', 'person'] as const) {
    t.equal(await count('^Fire', source, false), 2)
    t.equal(await count('^Fire', source, true), 0)
    t.equal(await count('(', source, false), 0)
    t.equal(await count('(', source, true), 0)
  }
  // Postgres takes no stretch that is quoted.
  t.equal(await count('\\QFire\\E', 'event', false), 2)
  t.equal(await count('\\QFire\\E', 'person', false), 0)
})

/** Never answers, and fails as the client does when its signal ends it. */
function stuck(
  _sql: string,
  _parameters?: object,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('The user aborted a request.')))
  })
}

/** Selections with conditions and orders, as clients ask for them. */
const TABLES: readonly Partial<Parameters<typeof parseEventTable>[0]>[] = [
  { select: ['*', 'event', 'properties.a'], orderBy: '["timestamp"]' },
  {
    select: ['properties.a', 'toFloat(properties.a)', 'timestamp'],
    orderBy: '["-toFloat(properties.a)"]',
  },
  {
    select: ['properties.a', 'uuid'],
    orderBy: '["properties.a", "uuid"]',
    where: ['notEmpty(properties.a)'],
  },
  { select: ['toInt(properties.n)', 'length(properties.b)', 'toFloat(properties.n) > 1', 'event'] },
  { select: ['event', 'count()'] },
  { select: ['count()', "countIf(event = 'seen')", 'max(timestamp)', 'min(properties.a)'] },
  { select: ['count()', 'max(toFloat(properties.a))'], where: ["event = 'none'"] },
  { select: ['properties.a', 'count()', 'countDistinct(event)'], orderBy: '["-count()"]' },
  { select: ['toFloat(properties.n)', 'count()'], where: ['count() > 1'] },
  {
    select: [
      'toStartOfMonth(timestamp)',
      'avg(length(properties.a))',
      'max(toFloat(properties.n))',
    ],
  },
]

t.test('tables are the same in both stores', async (t) => {
  const { sql } = await testDatabase(t)
  const columns = await columnStore(t, server)
  await putPerson(sql, 1, { distinctIds: ['d'], properties: { name: 'Dora' } })
  const events = [...VALUES, ...VALUES.slice(0, 9)].map((value, place) => ({
    timestamp: TIMES[place % TIMES.length] ?? '',
    event: ['seen', 'é', '%'][place % 3] ?? '',
    properties: `{"a": ${value}, "n": ${VALUES[(place * 7) % VALUES.length]}, "b": ${value}}`,
  }))
  await putEvents(
    sql,
    1,
    events.map((each) => ({ ...each, properties: {} })),
  )
  await sql`
    update events e set properties = i.properties::jsonb
    from (select uuid, row_number() over (order by uuid) as place from events) r
    join unnest(${events.map(({ properties }) => properties)}::text[])
      with ordinality as i (properties, place) on i.place = r.place
    where e.uuid = r.uuid`
  await copyToColumns({ sql, columns }, projectId(1), 1)
  const readers = [createPostgresEvents(sql), createClickHouseEvents({ columns, sql })] as const
  for (const asked of TABLES) {
    const request = { ...NO_BOUNDS, select: [], where: [], orderBy: '', ...asked }
    const query = parseEventTable(request, Date.parse('2999-01-01T00:00:00Z'))
    if (!query.ok) throw new Error(`${query.error.detail}: ${JSON.stringify(asked)}`)
    const { cells, order, groups } = query.value.table
    const selected = askedOf(projectId(1), query.value.events)
    for (const bounds of [
      { limit: 500, offset: 0 },
      { limit: 5, offset: 3 },
    ]) {
      const table = { cells, order, groups, bytesMax: 10_000_000, ...bounds }
      const [theirs, ours] = await Promise.all(
        readers.map(async (reader) => {
          const { count, rows } = await reader.table(selected, table, CALL)
          return { count, rows: rows.map((row): unknown => JSON.parse(rowJson(row))) }
        }),
      )
      t.ok((theirs?.count ?? 0) > 0)
      t.strictSame(ours, theirs, JSON.stringify(asked))
    }
  }
  const query = parseEventTable({ ...NO_BOUNDS, select: ['person'], where: [], orderBy: '' }, 0)
  if (!query.ok) throw new Error(query.error.detail)
  const { cells, order, groups } = query.value.table
  const table = { cells, order, groups, bytesMax: 1e6, limit: 1, offset: 0 }
  await t.rejects(readers[1].table(ASKED, table, CALL), { code: 'unimplemented' })
})
