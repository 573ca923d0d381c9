/** Changes of properties that go with their events in one statement: what it must not do. */
import t, { type Test } from 'tap'
import type { ProjectId } from '../../../src/core/ids.ts'
import type { PostgresIngestStore } from '../../../src/event-store/postgres/flush/ingest-store.ts'
import type { PersonChange } from '../../../src/events/event.ts'
import { StoreError } from '../../../src/ingest/store-port.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { createProject, makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

async function setUp(t: Test) {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  return { db, sql: db.sql, project, store: openStore(t, db) }
}

type Sent = readonly [distinctId: string, change: Partial<PersonChange>]

/** As the writer does it, for what loses against another transaction. */
async function send(store: PostgresIngestStore, project: ProjectId, ...sent: Sent[]) {
  const rows = sent.map(([distinctId, person]) => rowOf(project, makeEvent({ distinctId, person })))
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.flush(0, rows)
    } catch (error) {
      if (attempt === 20 || !(error instanceof StoreError) || error.kind !== 'conflict') throw error
    }
  }
}

const set = (properties: object): Partial<PersonChange> => ({ set: JSON.stringify(properties) })

async function propertiesOf(sql: Sql, distinctId: string): Promise<unknown> {
  const [row] = await sql`
    select p.properties from distinct_ids d join persons p on p.id = d.person_id
    where d.distinct_id = ${distinctId}`
  return row?.['properties']
}

/** Another one where a row was written. */
async function marks(sql: Sql): Promise<Record<string, string>> {
  const rows = await sql<{ id: string; mark: string }[]>`
    select d.distinct_id as id, concat(p.ctid, ' ', p.xmin) as mark
    from persons p join distinct_ids d on d.person_id = p.id`
  return Object.fromEntries(rows.map(({ id, mark }) => [id, mark]))
}

/** Resolves when a flush waits for a lock. */
async function untilWaiting(sql: Sql): Promise<void> {
  for (;;) {
    const rows = await sql`
      select 1 from pg_stat_activity
      where application_name = 'ingest' and wait_event_type = 'Lock'
        and datname = current_database()`
    if (rows.length > 0) return
  }
}

/** Runs `first` in a transaction that commits once the flush waits for it. */
async function whileHeld<T>(
  sql: Sql,
  first: (tx: Sql) => Promise<unknown>,
  flush: () => Promise<T>,
): Promise<T> {
  let flushing: Promise<T> | undefined
  await sql.begin(async (tx) => {
    await first(tx as unknown as Sql)
    flushing = flush()
    await untilWaiting(sql)
  })
  if (flushing === undefined) throw new Error('no flush was started')
  return await flushing
}

t.test('a person that has all that is set on it is not written', async (t) => {
  const { sql, project, store } = await setUp(t)
  const visit: Partial<PersonChange> = {
    setOnce: '{"$initial_browser":"Chrome","$initial_os":"Linux"}',
    set: '{"$browser":"Chrome","nested":{"a":[1,2]}}',
    unset: ['never'],
  }
  await send(store, project, ['a', visit], ['b', visit])
  const before = await marks(sql)
  const again = { ...visit, setOnce: '{"$initial_browser":"Firefox"}' }
  const result = await send(store, project, ['a', visit], ['b', again], ['a', again])
  t.same(
    { changed: result.changed, duplicates: result.duplicates },
    { changed: [], duplicates: [] },
  )
  const [events] = await sql`select count(*)::int as count from events`
  t.equal(events?.['count'], 5)
  t.match(await propertiesOf(sql, 'b'), { $initial_browser: 'Chrome', nested: { a: [1, 2] } })
  t.same(await marks(sql), before)
})

t.test('a change is the same, whether or not its row stores it as it is', async (t) => {
  const { sql, project, store } = await setUp(t)
  const [set, setOnce] = ['{"a":1,"b":{"c":["x"]}}', '{"initial_a":1}']
  const stored = {
    stored: `{"$set":"other","n":1,"$set":${set},"$set_once":${setOnce}}`,
    'stored alone': `{"n":1,"$set_once":${setOnce}}`,
    'in another order': `{"n":1,"$set_once":${setOnce},"$set":${set}}`,
    'not at the end': `{"$set":${set},"$set_once":${setOnce},"n":1}`,
    'of another object': `{"$set":{"a":2},"n":{"$set":${set},"$set_once":${setOnce}}}`,
    none: '{}',
  }
  const rows = Object.entries(stored).map(([distinctId, properties]) => {
    const person = distinctId === 'stored alone' ? { setOnce } : { set, setOnce }
    return rowOf(project, makeEvent({ distinctId, properties, person }))
  })
  const more = makeEvent({ distinctId: 'stored', person: { set: '{"b":2}' } })
  await store.flush(0, [...rows, rowOf(project, makeEvent({ distinctId: 'plain' }))])
  for (const distinctId of Object.keys(stored)) {
    const of = distinctId === 'stored alone' ? {} : { a: 1, b: { c: ['x'] } }
    t.same(await propertiesOf(sql, distinctId), { initial_a: 1, ...of }, distinctId)
  }
  await store.flush(0, [rowOf(project, more)])
  t.same(await propertiesOf(sql, 'stored'), { initial_a: 1, a: 1, b: 2 })
})

t.test('only the persons of a flush that differ are written, and reported', async (t) => {
  const { sql, project, store } = await setUp(t)
  await send(store, project, ['same', set({ a: { x: 1, y: 2 } })], ['other', set({ a: 1 })])
  const before = await marks(sql)
  const sent: Sent[] = [
    ['same', set({ a: { x: 1, y: 2 } })],
    ['other', set({ a: 2 })],
    ['new', { setOnce: '{"b":1}', set: '{"a":1}' }],
    ['other', { unset: ['a'], set: '{"c":3}' }],
  ]
  const { changed } = await send(store, project, ...sent)
  t.same(
    changed.map(({ distinctIds }) => [...distinctIds].sort()),
    [['new', 'other']],
  )
  const after = await marks(sql)
  t.equal(after['same'], before['same'])
  t.not(after['other'], before['other'])
  t.same(await propertiesOf(sql, 'other'), { c: 3 })
  t.same(await propertiesOf(sql, 'new'), { a: 1, b: 1 })
  // A part of a value is not the value.
  await send(store, project, ['same', set({ a: { x: 1 } })])
  t.same(await propertiesOf(sql, 'same'), { a: { x: 1 } })
})

t.test('a commit of another writer between the read and the lock is kept', async (t) => {
  const { db, sql, project, store } = await setUp(t)
  await send(store, project, ['a', set({ seen: 0 })])
  const theirs = (tx: Sql) =>
    tx`update persons set properties = properties || '{"theirs":1,"once":"theirs"}'`
  const ours = { set: '{"seen":1}', setOnce: '{"once":"ours"}' }
  await whileHeld(sql, theirs, () => send(store, project, ['a', ours]))
  t.same(await propertiesOf(sql, 'a'), { seen: 1, theirs: 1, once: 'theirs' })
  const stores = [store, openStore(t, db, 10), openStore(t, db, 20)]
  for (let round = 0; round < 10; round++) {
    const ids = Array.from({ length: 8 }, (_, n) => `${round}-${n}`)
    await Promise.all(
      stores.map((each, worker) => {
        const turned = worker === 1 ? [...ids].reverse() : ids
        return send(each, project, ...turned.map((id): Sent => [id, set({ [`w${worker}`]: 1 })]))
      }),
    )
  }
  const [figures] = await sql`
    select count(*)::int as persons,
      count(*) filter (where properties = '{"w0":1,"w1":1,"w2":1}')::int as whole from persons`
  t.same({ ...figures }, { persons: 81, whole: 80 }, 'persons that several make at once too')
})

t.test('a change reaches the person that its distinct id has by then, in order', async (t) => {
  const { sql, project, store } = await setUp(t)
  await send(store, project, ['a', set({ from: 'a' })], ['b', set({ from: 'b' })])
  const merge = async (tx: Sql) => {
    await tx`delete from persons p using distinct_ids d
      where d.person_id = p.id and d.distinct_id = 'a'`
    await tx`update distinct_ids set person_id = (
      select person_id from distinct_ids where distinct_id = 'b') where distinct_id = 'a'`
  }
  await whileHeld(sql, merge, () => send(store, project, ['a', set({ plan: 'paid' })]))
  t.same(await propertiesOf(sql, 'b'), { from: 'b', plan: 'paid' }, 'merged meanwhile')
  await send(store, project, ['a', set({ plan: 'free' })], ['b', set({ plan: 'paid' })])
  t.match(await propertiesOf(sql, 'a'), { plan: 'paid' }, 'two ids of one person')
  await sql`delete from distinct_ids`
  await sql`delete from persons`
  await send(store, project, ['a', set({ life: 2 })])
  t.same(await propertiesOf(sql, 'a'), { life: 2 }, 'deleted, and this worker was not told')
})

t.test('a repeated event changes nothing beside new ones of its person', async (t) => {
  const { sql, project, store } = await setUp(t)
  const event = (change: object) => rowOf(project, makeEvent({ person: set(change) }))
  const old = event({ plan: 'free', old: 1 })
  await store.flush(0, [old])
  await store.flush(0, [event({ plan: 'paid', old: 2 })])
  const { duplicates } = await store.flush(0, [old, event({ more: 1 })])
  t.same(duplicates, [0])
  t.same(await propertiesOf(sql, 'someone'), { plan: 'paid', old: 2, more: 1 })
  const last = event({ more: 2 })
  await store.flush(0, [last])
  const elsewhere = rowOf(project, makeEvent({ distinctId: 'x', person: set({ a: 1 }) }))
  await store.flush(0, [event({ more: 3 })])
  t.same([...(await store.flush(0, [last, old, elsewhere])).duplicates].sort(), [0, 1])
  t.same(await propertiesOf(sql, 'someone'), { plan: 'paid', old: 2, more: 3 })
  t.same(await propertiesOf(sql, 'x'), { a: 1 })
})

t.test(
  'a plain event whose person another flush makes meanwhile begins nothing anew',
  async (t) => {
    const { sql, project, store } = await setUp(t)
    const write = (event: string, ...ids: string[]) =>
      store.flush(
        0,
        ids.map((distinctId) => rowOf(project, makeEvent({ distinctId, event }))),
      )
    await write('known', 'first')
    const numbers = async () =>
      (await sql`select last_value::int from persons_id_seq`)[0]?.['last_value']
    for (const [event, numbersAfter] of [
      ['known', 4],
      ['new', 7],
    ] as const) {
      const [a, b] = [`a ${event}`, `b ${event}`]
      const theirs = (tx: Sql) => tx`
      with person as (
        insert into persons (id, project_id, uuid, properties, created_at)
        values (nextval('persons_id_seq'), ${project}, gen_random_uuid(), '{"plan":"pro"}', now())
        returning id
      ) insert into distinct_ids (project_id, distinct_id, person_id)
      select ${project}, ${a}, id from person`
      const { duplicates } = await whileHeld(sql, theirs, () => write(event, a, b))
      t.same(duplicates, [])
      t.same(await propertiesOf(sql, a), { plan: 'pro' })
      t.same(await propertiesOf(sql, b), {})
      t.equal(await numbers(), numbersAfter, 'a statement that is taken back takes numbers twice')
    }
    const [row] = await sql`select count(*)::int as persons from persons`
    t.equal(row?.['persons'], 5)
  },
)

t.test('a repeated plain event makes no person anew, beside one that makes its own', async (t) => {
  const { sql, project, store } = await setUp(t)
  const [known, other] = ['a', 'b'].map((distinctId) =>
    rowOf(project, makeEvent({ distinctId, event: 'known' })),
  )
  if (known === undefined || other === undefined) throw new Error('two rows')
  await store.flush(0, [known])
  await sql`delete from distinct_ids`
  await sql`delete from persons`
  store.forgetDistinctIds([{ projectId: project, distinctId: 'a' }])
  t.same((await store.flush(0, [known])).duplicates, [0])
  t.same((await store.flush(0, [known, other])).duplicates, [0])
  const ids = await sql`select distinct_id from distinct_ids`
  t.same(
    ids.map((row) => row['distinct_id']),
    ['b'],
  )
})
