/** Persons and groups hold so many bytes of properties: what goes beyond is refused, event by event. */
import t, { type Test } from 'tap'
import type { ProjectId } from '../../../src/core/ids.ts'
import { PROPERTIES_BYTES_MAX } from '../../../src/core/limits/limits.ts'
import type { IngestEvent, PersonChange } from '../../../src/events/event.ts'
import type { IngestionWarning } from '../../../src/events/warnings/ingestion-warning.ts'
import {
  createProject,
  flushed,
  makeEvent,
  openStore,
  rowOf,
} from '../../support/ingest/ingest-store.ts'
import { type TestDatabase, testDatabase } from '../../support/servers/database.ts'

const KIB = 1_024

type Sizes = Readonly<Record<string, number | string | null>>

async function setUp(t: Test) {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  const warnings: IngestionWarning[] = []
  const store = openStore(t, db, 0, (some) => warnings.push(...some))
  // A busy machine may take longer for some MB than the store waits.
  const flush = (...events: IngestEvent[]) => flushed(store, project, events)
  /** Properties of the person, texts of more than 100 characters by their length. */
  const personOf = async (distinctId: string): Promise<Sizes> => {
    const [row] = await db.sql<{ sizes: Sizes }[]>`
      select coalesce((
        select json_object_agg(e.key, case when length(e.value) > 100
          then to_json(length(e.value)) else to_json(e.value) end)
        from jsonb_each_text(p.properties) e
      ), '{}') as sizes
      from distinct_ids d join persons p on p.id = d.person_id
      where d.project_id = ${project} and d.distinct_id = ${distinctId}`
    return row?.sizes ?? {}
  }
  return { db, project, store, flush, personOf, warnings }
}

function changes(distinctId: string, change: Partial<PersonChange>): IngestEvent {
  return makeEvent({ distinctId, person: change })
}

const text = (chars: number) => 'x'.repeat(chars)
const sets = (distinctId: string, set: object) => changes(distinctId, { set: JSON.stringify(set) })

/** A person from before there was a bound. */
async function createLarge(db: TestDatabase, project: ProjectId, id: string): Promise<void> {
  await db.sql`
    with made as (
      insert into persons (project_id, uuid, created_at, properties)
      values (${project}, gen_random_uuid(), now(),
        jsonb_build_object('plan', 'pro', 'bio', repeat('x', ${6_000 * KIB}::integer)))
      returning id
    )
    insert into distinct_ids (project_id, distinct_id, person_id)
    select ${project}, ${id}, id from made`
}

t.test('a $set beyond 512 kB is refused as a whole, and its event kept', async (t) => {
  const { db, flush, personOf, warnings } = await setUp(t)
  const large = sets('a', { plan: 'team', bio: text(PROPERTIES_BYTES_MAX) })
  await flush(sets('a', { plan: 'pro' }))
  await flush(large)
  t.same(await personOf('a'), { plan: 'pro' })
  const [row] = await db.sql`select 1 from events where uuid = ${large.uuid}`
  t.ok(row, 'the event is stored')
  t.match(warnings, [
    {
      type: 'person_properties_size_violation',
      details: { distinct_id: 'a', event: 'seen', event_uuid: large.uuid },
    },
  ])
  await flush(sets('a', { bio: text(300 * KIB) }))
  const once = JSON.stringify({ more: text(300 * KIB) })
  await flush(changes('a', { setOnce: once }))
  t.same(await personOf('a'), { plan: 'pro', bio: 300 * KIB }, 'together they count')
  t.equal(warnings.length, 2)
})

t.test('the others of one flush are made, of a person that is new too', async (t) => {
  const { flush, personOf, warnings } = await setUp(t)
  for (const id of ['new', 'known']) {
    if (id === 'known') await flush(sets(id, { first: 1 }))
    warnings.length = 0
    await flush(
      sets(id, { plan: 'pro' }),
      sets(id, { bio: text(600 * KIB) }),
      sets(id, { bio: text(300 * KIB) }),
      sets(id, { more: text(300 * KIB) }),
      sets(id, { last: 'yes' }),
    )
    const first = id === 'known' ? { first: '1' } : {}
    t.same(await personOf(id), { ...first, plan: 'pro', bio: 300 * KIB, last: 'yes' }, id)
    t.equal(warnings.length, 2, id)
  }
})

t.test('a merge continues without the properties that are too much', async (t) => {
  const { flush, personOf, warnings } = await setUp(t)
  await flush(sets('visitor', { a: text(300 * KIB) }), sets('user', { b: text(300 * KIB) }))
  const merge = { kind: 'identify', otherDistinctId: 'visitor' } as const
  await flush(changes('user', { merge, set: '{"plan":"pro"}' }))
  const user = { b: 300 * KIB, plan: 'pro' }
  t.same(await personOf('user'), user)
  t.same(await personOf('visitor'), user, 'the distinct ids are of one person')
  t.match(warnings, [
    { type: 'person_properties_size_violation', details: { distinct_id: 'user' } },
  ])
})

t.test('a person from before the bound shrinks, and grows no more', async (t) => {
  const { db, project, flush, personOf, warnings } = await setUp(t)
  await createLarge(db, project, 'old')
  await flush(sets('old', { name: 'Ada' }))
  t.same(await personOf('old'), { plan: 'pro', bio: 6_000 * KIB })
  t.equal(warnings.length, 1)
  await flush(sets('old', { bio: text(1_000 * KIB) }))
  t.same(await personOf('old'), { plan: 'pro', bio: 1_000 * KIB }, 'smaller, if not small')
  await flush(changes('old', { unset: ['bio'], set: '{"name":"Ada"}' }))
  t.same(await personOf('old'), { plan: 'pro', name: 'Ada' })
  t.equal(warnings.length, 1)
})

t.test('numbers count as they are written out', async (t) => {
  const { flush, personOf, warnings } = await setUp(t)
  await flush(
    sets('a', { few: Array(1_500).fill(1e308) }),
    sets('a', { many: Array(2_000).fill(5e-324) }),
  )
  t.same(Object.keys(await personOf('a')), ['few'])
  t.equal(warnings.length, 1)
})

t.test('several writers together never go beyond it', async (t) => {
  const { db, project, personOf } = await setUp(t)
  const warnings: IngestionWarning[] = []
  const writers = Array.from({ length: 4 }, (_, slot) =>
    openStore(t, db, slot * 2, (some) => warnings.push(...some)),
  )
  const flushes = writers.flatMap((store, writer) =>
    [0, 1, 2].map((n) =>
      store.flush(n, [rowOf(project, sets('a', { [`${writer} ${n}`]: text(100 * KIB) }))]),
    ),
  )
  const outcomes = await Promise.allSettled(flushes)
  // Creating the one person at the same time is a conflict, which the writer tries again.
  const made = outcomes.filter(({ status }) => status === 'fulfilled').length
  const kept = Object.keys(await personOf('a')).length
  t.ok(kept <= 5, `${kept} of 100 kB each`)
  t.equal(kept + warnings.length, made)
})

t.test('a group is held to it as well', async (t) => {
  const { db, project, flush, warnings } = await setUp(t)
  const identify = (key: string, set: object) =>
    makeEvent({ groupChange: { type: 'company', key, set: JSON.stringify(set) } })
  const groups = async () =>
    await db.sql<{ key: string; names: string[] }[]>`
      select group_key as key, array(select jsonb_object_keys(properties) order by 1) as names
      from groups where project_id = ${project} order by 1`
  await flush(identify('acme', { plan: 'pro' }), identify('new', { bio: text(600 * KIB) }))
  await flush(
    identify('acme', { bio: text(600 * KIB) }),
    identify('acme', { size: 5 }),
    identify('acme', { size: 5 }),
  )
  await flush(identify('acme', { a: text(300 * KIB) }), identify('acme', { b: text(300 * KIB) }))
  t.same(await groups(), [
    { key: 'acme', names: ['a', 'plan', 'size'] },
    { key: 'new', names: [] },
  ])
  const violations = warnings.map(({ type, details }) => [type, details['group_key']])
  const type = 'group_properties_size_violation'
  t.same(violations, [
    [type, 'new'],
    [type, 'acme'],
    [type, 'acme'],
  ])
  await flush(identify('acme', { plan: 'pro' }))
  t.equal(warnings.length, 3, 'what changes nothing is not refused')
})

t.test('names to unset by the ten thousand are no slow row', async (t) => {
  const { flush, personOf } = await setUp(t)
  const names = (count: number) =>
    Array.from({ length: count }, (_, n) => (1_000_000 + n).toString(36))
  await flush(sets('a', Object.fromEntries(names(40_000).map((name) => [name, 1]))))
  // Each compared with each, they would take longer than a flush may.
  const [kept = '', ...unset] = names(160_000)
  await flush(changes('a', { unset }))
  t.same(await personOf('a'), { [kept]: '1' })
})

t.test('merges load a bounded number of bytes at a time', async (t) => {
  const { db, project, store, personOf } = await setUp(t)
  const ids = ['a', 'b', 'c', 'd']
  for (const id of ids) await createLarge(db, project, id)
  const rows = [
    ['a', 'b'],
    ['c', 'd'],
  ].map(([into = '', from = '']) =>
    rowOf(project, changes(into, { merge: { kind: 'alias', otherDistinctId: from } })),
  )
  await t.rejects(store.flush(0, rows), { kind: 'data', code: '54000' }, 'the writer splits it')
  for (const row of rows) await store.flush(0, [row])
  t.same(await personOf('b'), await personOf('a'))
})
