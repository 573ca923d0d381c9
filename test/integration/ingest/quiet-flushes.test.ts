/** Events that change nothing of their person: neither lock nor write, and what makes them change it. */
import t, { type Test } from 'tap'
import type { ProjectId } from '../../../src/core/ids.ts'
import type { PostgresIngestStore } from '../../../src/event-store/postgres/flush/ingest-store.ts'
import { NO_PERSON_CHANGE, type PersonChange } from '../../../src/events/event.ts'
import { type IngestContext, parseEvents } from '../../../src/events/parse-event.ts'
import { createUuidV7 } from '../../../src/events/uuid.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { createProject, makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

const CONTEXT: IngestContext = {
  ...{ projectId: 1, dialect: { kind: 'posthog' }, sentAt: [], ip: '', anonymizeIps: false },
  receivedAtMs: Date.UTC(2026, 4, 1, 12),
}
const newUuid = createUuidV7(() => CONTEXT.receivedAtMs)

/** As the gateway makes it of what a browser sends. */
function captured(distinctId: string, properties: object, event = '$pageview') {
  const parsed = parseEvents({ event, distinct_id: distinctId, properties }, CONTEXT, newUuid)
  const [made] = parsed.ok ? parsed.value.events : []
  if (made === undefined) throw new Error('not stored')
  return made
}

const FIREFOX = { $browser: 'Firefox', $os: 'Linux', $device_type: 'Desktop' }
const page = (path: string, more: object = {}) => ({
  ...{ ...FIREFOX, $current_url: `https://example.com${path}`, $pathname: path },
  ...more,
})

async function setUp(t: Test) {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  const store = openStore(t, db)
  const see = async (distinctId: string, properties: object, event?: string) => {
    const row = rowOf(project, captured(distinctId, properties, event))
    const { changed } = await store.flush(0, [row])
    return changed.flatMap((each) => each.distinctIds)
  }
  return { db, sql: db.sql, project, store, see }
}

async function personOf(sql: Sql, distinctId: string) {
  const [row] = await sql<{ properties: Record<string, unknown>; mark: string }[]>`
    select p.properties, concat(p.ctid, ' ', p.xmin) as mark
    from distinct_ids d join persons p on p.id = d.person_id where d.distinct_id = ${distinctId}`
  if (row === undefined) throw new Error(`no person of ${distinctId}`)
  return row
}

/** The row that must not be written: that of a person, whose mark is another one where it was. */
async function isUntouched(t: Test, sql: Sql, distinctId: string, work: () => Promise<string[]>) {
  const { mark } = await personOf(sql, distinctId)
  const changed = await work()
  t.equal((await personOf(sql, distinctId)).mark, mark)
  t.same(changed, [], 'nobody is told')
}

async function isWritten(t: Test, sql: Sql, distinctId: string, work: () => Promise<string[]>) {
  const { mark } = await personOf(sql, distinctId)
  const changed = await work()
  t.not((await personOf(sql, distinctId)).mark, mark)
  t.same(changed, [distinctId])
  return (await personOf(sql, distinctId)).properties
}

t.test('a page view of a person that was seen before writes no person', async (t) => {
  const { sql, see } = await setUp(t)
  t.same(await see('a', page('/1')), ['a'])
  await isUntouched(t, sql, 'a', () => see('a', page('/2', { $browser: 'Chrome' })))
  t.match((await personOf(sql, 'a')).properties, page('/1'))
  const [events] = await sql`
    select count(*)::int as count, count(*) filter (where properties ? '$set')::int as copied,
      count(*) filter (where properties ->> '$pathname' = '/2')::int as second from events`
  t.same({ ...events }, { count: 2, copied: 0, second: 1 }, 'and is stored as it was sent')
})

t.test('properties of the moment are written with any other change', async (t) => {
  const { sql, see } = await setUp(t)
  await see('a', page('/1', { $referrer: 'https://x.test' }))
  const campaign = page('/2', { utm_source: 'mail' })
  t.match(await isWritten(t, sql, 'a', () => see('a', campaign)), {
    ...campaign,
    ...{ $initial_utm_source: 'mail', $initial_pathname: '/1' },
  })
  await isUntouched(t, sql, 'a', () => see('a', page('/3', { utm_source: 'mail' })))
  const other = page('/4', { $set: { plan: 'pro' } })
  t.match(await isWritten(t, sql, 'a', () => see('a', other)), { $pathname: '/4', plan: 'pro' })
  await isUntouched(t, sql, 'a', () => see('a', page('/5', { $set: { plan: 'pro' } })))
  const unset = await isWritten(t, sql, 'a', () => see('a', page('/6', { $unset: ['plan'] })))
  t.match(unset, { $pathname: '/6', plan: undefined })
  for (const [path, name] of Object.entries({ '/7': '$set', '/8': '$identify' })) {
    t.match(await isWritten(t, sql, 'a', () => see('a', page(path), name)), { $pathname: path })
  }
})

t.test(
  'properties that a client sets itself count, and so do those that the person lacks',
  async (t) => {
    const { sql, see } = await setUp(t)
    await see('a', page('/1'))
    const asked = page('/2', { $browser: 'Chrome', $set: { $browser: 'mine' } })
    t.match(await isWritten(t, sql, 'a', () => see('a', asked)), { $browser: 'Chrome' })
    const byHand = { $set: { $pathname: '/mine' } }
    t.match(await isWritten(t, sql, 'a', () => see('a', byHand)), { $pathname: '/mine' })
    const more = page('/3', { $os_version: '6' })
    t.match(await isWritten(t, sql, 'a', () => see('a', more)), {
      ...{ $os_version: '6', $initial_os_version: '6', $pathname: '/3' },
    })
    await isUntouched(t, sql, 'a', () => see('a', page('/4', { $os_version: '7' })))
  },
)

t.test('two browsers of one person that take turns are quiet once both were seen', async (t) => {
  const { sql, see } = await setUp(t)
  const [one, other] = [page('/1'), { $browser: 'App', $app_version: '1', $pathname: '/2' }]
  await see('a', one)
  await see('a', other)
  for (const each of [one, other, one, other]) {
    await isUntouched(t, sql, 'a', () => see('a', each))
  }
})

t.test("the worker's memory of a person is a guess", async (t) => {
  const { db, sql, see, store, project } = await setUp(t)
  await see('a', page('/1'))
  await see('a', page('/2'))
  await sql`update persons set properties = properties - '$initial_os'`
  t.match(await isWritten(t, sql, 'a', () => see('a', page('/3'))), { $initial_os: 'Linux' })
  const elsewhere = openStore(t, db, 10)
  const unset = { $unset: ['$browser'] }
  await elsewhere.flush(0, [rowOf(project, captured('a', unset))])
  t.match(await isWritten(t, sql, 'a', () => see('a', page('/4'))), { $browser: 'Firefox' })
  await see('a', { $set: { plan: 'pro' } })
  await elsewhere.flush(0, [rowOf(project, captured('a', { $set: { plan: 'free' } }))])
  t.match(await isWritten(t, sql, 'a', () => see('a', { $set: { plan: 'pro' } })), { plan: 'pro' })

  await elsewhere.flush(0, [rowOf(project, makeEvent({ distinctId: 'b' }))])
  await sql`update distinct_ids set person_id = (
    select person_id from distinct_ids where distinct_id = 'b') where distinct_id = 'a'`
  t.match(await isWritten(t, sql, 'b', () => see('a', page('/5')).then(() => ['b'])), page('/5'))
  await sql`delete from distinct_ids`
  await sql`delete from persons`
  t.same(await see('a', page('/6')), ['a'], 'deleted, and this worker was not told')
  t.match((await personOf(sql, 'a')).properties, page('/6'))
  await store.flush(0, [])
})

t.test('a page view waits for nobody who holds its person', async (t) => {
  const { sql, see, store, project } = await setUp(t)
  await see('a', page('/1'))
  await see('b', page('/1'))
  await sql.begin(async (tx) => {
    await tx`select from persons for update`
    t.same(await see('a', page('/2')), [])
    t.same(await flush(store, project, ['b', page('/2')], ['c', page('/2')]), ['c'])
  })
})

/** Reports of a flush. */
async function flush(
  store: PostgresIngestStore,
  project: ProjectId,
  ...events: (readonly [distinctId: string, properties: object])[]
) {
  const rows = events.map(([id, properties]) => rowOf(project, captured(id, properties)))
  const { changed } = await store.flush(0, rows)
  return changed.flatMap(({ distinctIds }) => [...distinctIds]).sort()
}

t.test('among others of a flush only the person that changes is written', async (t) => {
  const { sql, store, project } = await setUp(t)
  await flush(store, project, ['a', page('/1')], ['b', page('/1')])
  const { mark } = await personOf(sql, 'a')
  const change = page('/2', { utm_source: 'mail' })
  const told = await flush(store, project, ['a', page('/2')], ['b', change], ['c', page('/2')])
  t.same(told, ['b', 'c'])
  t.equal((await personOf(sql, 'a')).mark, mark)
  t.match((await personOf(sql, 'b')).properties, change)
})

t.test('beside a merge too', async (t) => {
  const { sql, store, project } = await setUp(t)
  await flush(store, project, ['a', page('/1')], ['b', {}])
  const { mark } = await personOf(sql, 'a')
  const merge = captured('b', { $anon_distinct_id: 'c' }, '$identify')
  await store.flush(0, [rowOf(project, merge), rowOf(project, captured('a', page('/2')))])
  t.equal((await personOf(sql, 'a')).mark, mark)
})

t.test('two distinct ids of one person keep their order', async (t) => {
  const { sql, store, project } = await setUp(t)
  await flush(store, project, ['a', { $set: { plan: 'pro' } }], ['b', {}])
  await sql`update distinct_ids set person_id = (
    select person_id from distinct_ids where distinct_id = 'a')`
  await flush(store, project, ['b', { $set: { plan: 'pro' } }])
  for (const change of [{ $unset: ['plan'] }, { $set: { plan: 'free' } }]) {
    await flush(store, project, ['a', change], ['b', { $set: { plan: 'pro' } }])
    t.match((await personOf(sql, 'a')).properties, { plan: 'pro' })
  }
})

t.test('a guess that was wrong of one person changes the others of its flush once', async (t) => {
  const { sql, store, project } = await setUp(t)
  await flush(store, project, ['a', page('/1')], ['b', page('/1')], ['c', page('/1')])
  await sql`update persons set properties = properties - '$os' where id = (
    select person_id from distinct_ids where distinct_id = 'a')`
  const { mark } = await personOf(sql, 'c')
  const change = page('/2', { utm_source: 'mail' })
  const told = await flush(store, project, ['a', page('/2')], ['b', change], ['c', page('/2')])
  t.same(told, ['a', 'b'])
  t.match((await personOf(sql, 'a')).properties, { $os: 'Linux', $pathname: '/2' })
  t.match((await personOf(sql, 'b')).properties, change)
  t.equal((await personOf(sql, 'c')).mark, mark)
  const [events] = await sql`select count(*)::int as count from events`
  t.same({ ...events }, { count: 6 })
})

t.test('a repeated page view is told from a new one', async (t) => {
  const { store, project, see } = await setUp(t)
  await see('a', page('/1'))
  const row = rowOf(project, captured('a', page('/2')))
  t.same((await store.flush(0, [row])).duplicates, [])
  const { duplicates } = await store.flush(0, [rowOf(project, captured('a', page('/3'))), row])
  t.same(duplicates, [1])
})

t.test('a text that is no JSON is refused as before, of known persons too', async (t) => {
  const { see, store, project } = await setUp(t)
  await see('a', page('/1'))
  const person = page('/1')
  for (const setOnce of ['{"a', '{"a\n":1}', '[1]', 'nonsense']) {
    const event = { ...captured('a', person), person: { ...NO_PERSON_CHANGE, setOnce } }
    await t.rejects(
      store.flush(0, [rowOf(project, event)]),
      { name: 'StoreError', kind: 'data' },
      setOnce,
    )
  }
})

t.test('values that the database compares in another way are not judged by it', async (t) => {
  const { sql, see } = await setUp(t)
  const nested: Partial<PersonChange> = { set: '{"a":{"x":1}}' }
  await see('a', { $set: { a: { x: 1, y: 2 } } })
  const written = await isWritten(t, sql, 'a', () =>
    see('a', { $set: JSON.parse(nested.set ?? '') }),
  )
  t.same(written['a'], { x: 1 }, 'a part of a value is not the value')
  await see('b', { $set_once: { 'a"\\': 'x"}\\', n: [1, { m: '}' }] }, $set: { q: '\\' } })
  const same = { $set_once: { 'a"\\': 'y', n: 2 }, $set: { q: '\\' } }
  await isUntouched(t, sql, 'b', () => see('b', same))
})
