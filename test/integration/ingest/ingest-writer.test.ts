import t, { type Test } from 'tap'
import type { IngestEvent } from '../../../src/events/event.ts'
import { createProject, makeEvent, openWriter } from '../../support/ingest/ingest-store.ts'
import { startLoopTime } from '../../support/loop-time.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { pause, until } from '../../support/until.ts'

/** Nobody waits for more than 1.5 s at a store that says nothing; the rest is for a busy machine. */
const HELD_MS_MAX = 3_500

async function setUp(t: Test) {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  const writer = openWriter(t, db)
  const submit = (...events: IngestEvent[]) =>
    writer.submit({ projectId: project, events, bytes: events.length * 200 })
  return { db, sql: db.sql, project, submit, writer }
}

t.test('poison rows in the middle of 2,000 become dead letters, the rest is stored', async (t) => {
  const { sql, submit } = await setUp(t)
  const bad = new Set([0, 713, 714, 1_999])
  const batches = Array.from({ length: 200 }, (_, batch) =>
    Array.from({ length: 10 }, (_, n) => {
      const isBad = bad.has(batch * 10 + n)
      return makeEvent({ distinctId: `d${n}`, properties: isBad ? '{"a":"\\u0000"}' : '{}' })
    }),
  )
  const outcomes = await Promise.all(batches.map((events) => submit(...events)))
  t.ok(outcomes.every(({ kind }) => kind === 'stored'))
  const [stored] = await sql`
    select (select count(*)::int from events) as events,
      (select sum(count)::int from event_counts) as counted`
  t.match(stored, { events: 1_996, counted: 1_996 })
  const letters = await sql`select uuid::text, sqlstate from dead_letters`
  t.same(
    new Set(letters.map((row) => row['uuid'])),
    new Set([...bad].map((n) => batches[Math.floor(n / 10)]?.[n % 10]?.uuid)),
  )
  t.ok(letters.every((row) => row['sqlstate'] === '22P05'))
})

t.test('postgres killed under load: no acknowledged event is lost, none is doubled', async (t) => {
  const { db, sql, project, submit, writer } = await setUp(t)
  const acknowledged: string[] = []
  let refused = 0
  let isOver = false
  const client = async (name: number) => {
    for (let n = 0; !isOver; n++) {
      const events = Array.from({ length: 5 }, (_, m) =>
        makeEvent({
          distinctId: `c${name}-${(n + m) % 50}`,
          person: m === 0 ? { set: `{"n":${n}}` } : {},
        }),
      )
      for (;;) {
        const outcome = await submit(...events)
        if (outcome.kind === 'stored') {
          acknowledged.push(...events.map(({ uuid }) => uuid))
          break
        }
        refused += 1
        if (isOver) return
        await pause(50)
      }
    }
  }
  const clients = Array.from({ length: 8 }, (_, name) => client(name))
  for (let kill = 0; kill < 2; kill++) {
    const before = acknowledged.length
    await until('events to be stored', () => acknowledged.length > before + 300)
    await db.pg.kill('SIGKILL')
    await until('the writer to notice', () => writer.status().state === 'down')
    await db.pg.restart()
    await until('the writer to recover', () => writer.status().state === 'up')
  }
  const before = acknowledged.length
  await until('events to be stored again', () => acknowledged.length > before + 300)
  isOver = true
  await Promise.all(clients)
  t.ok(refused > 0)
  const rows = await sql`
    select uuid::text, count(*)::int as copies from events where project_id = ${project} group by 1`
  const stored = new Map(rows.map((row) => [row['uuid'], row['copies']]))
  t.equal(acknowledged.filter((uuid) => stored.get(uuid) !== 1).length, 0)
  const [counted] = await sql`select sum(count)::int as sum from event_counts`
  t.equal(counted?.['sum'], stored.size, 'the counters are exact')
  const orphans = await sql`
    select 1 from persons p left join distinct_ids d on d.person_id = p.id
    where d.person_id is null`
  t.equal(orphans.length, 0)
})

t.test('a frozen postgres holds nobody for longer than one attempt', async (t) => {
  const { db, sql, submit, writer } = await setUp(t)
  // Both slots have used the statement of plain events before.
  for (let n = 0; n < 4; n++) {
    const outcomes = await Promise.all([submit(makeEvent()), submit(makeEvent())])
    t.ok(outcomes.every(({ kind }) => kind === 'stored'))
  }
  await db.pg.freeze()
  try {
    const elapsed = startLoopTime(t)
    const waiting = Array.from({ length: 5 }, () => submit(makeEvent()))
    await pause(10)
    const queued = Array.from({ length: 5 }, () => submit(makeEvent()))
    const outcomes = await Promise.all([...waiting, ...queued])
    t.ok(elapsed() < HELD_MS_MAX, `held for ${elapsed()} ms`)
    t.ok(outcomes.every(({ kind }) => kind === 'unavailable'))
    await until('a probe to fail too', () => writer.status().state === 'down')
    t.equal((await submit(makeEvent())).kind, 'unavailable', 'at once')
  } finally {
    await db.pg.resume()
  }
  await until('the writer to recover', () => writer.status().state === 'up')
  t.equal((await submit(makeEvent())).kind, 'stored')
  const [row] = await sql`
    select (select count(*)::int from events) as events,
      (select sum(count)::int from event_counts) as counted`
  t.equal(row?.['events'], row?.['counted'])
})

t.test('a closed writer has stored what it was given', async (t) => {
  const { sql, submit, writer } = await setUp(t)
  const outcomes = Array.from({ length: 300 }, (_, n) =>
    submit(makeEvent({ distinctId: `d${n}`, person: { set: '{"a":1}' } })),
  )
  await writer.close(10_000)
  t.ok((await Promise.all(outcomes)).every(({ kind }) => kind === 'stored'))
  const [row] = await sql`select count(*)::int as count from persons where properties ? 'a'`
  t.equal(row?.['count'], 300)
})
