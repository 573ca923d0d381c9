import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../../src/core/clock.ts'
import { createPostgresEvents } from '../../../../src/event-store/postgres/reads/event-reader.ts'
import { batchOf } from '../../../../src/events/event-batch.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import { findDeletion } from '../../../../src/privacy/deletion-store.ts'
import { startRetention } from '../../../../src/privacy/retention-store.ts'
import type { ChunkBounds } from '../../../../src/privacy/run-chunk.ts'
import { CHUNK_BOUNDS } from '../../../../src/privacy/run-deletions.ts'
import { readExportPiece, startOfExport } from '../../../../src/query/list/event-export.ts'
import { parseEventList } from '../../../../src/query/list/event-list-query.ts'
import type { ExportCursor } from '../../../../src/query/list/export-cursor.ts'
import { makeEvent, openWriter } from '../../../support/ingest/ingest-store.ts'
import { anyScans } from '../../../support/query/any-scans.ts'
import {
  askForPerson,
  fill,
  hurried,
  left,
  makePerson,
  never,
  setUpDeletions,
  work,
} from '../../../support/store/deletions.ts'
import { until } from '../../../support/until.ts'
import { createGate } from '../../../support/workers/gate.ts'

t.test('a chunk that is cut leaves nothing half, and is done again', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 8_000 })
  const { id } = await askForPerson(sql, project, 'a')
  // After the rows are deleted, before anything of it is counted.
  await sql.unsafe(`
    create function cut() returns trigger language plpgsql as $$ begin
      raise exception 'cut off'; end $$;
    create trigger cut before insert or update on event_counts
      for each row when (new.slot = -1) execute function cut()`)
  await work(sql)
  t.match(await findDeletion(sql, project, id), { state: 'running', deleted: 0, error: 'cut off' })
  t.same(await left(sql, project), { events: { a: 8_000 }, isCounted: true })
  await sql.unsafe('drop trigger cut on event_counts')
  await Promise.all([work(sql), work(sql)])
  t.match(await findDeletion(sql, project, id), { state: 'completed', deleted: 8_000, error: null })
  t.same(await left(sql, project), { events: {}, isCounted: true })
})

t.test('a chunk that hangs is cut and tried again with less', async (t) => {
  await hang(t, { targetMs: 200, statementMs: 400, chunkMs: 60_000 })
  // The server continues for a while, and holds the deletion.
  await hang(t, { targetMs: 200, statementMs: 60_000, chunkMs: 300 })
})

async function hang(t: Test, bounds: ChunkBounds) {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 6_000 })
  const { id } = await askForPerson(sql, project, 'a')
  await sql.unsafe(`
    create function hang() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 2000 then perform pg_sleep(4); end if;
      return null; end $$;
    create trigger hang after delete on events referencing old table as gone
      for each statement execute function hang()`)
  // Whole chunks at first, which hang.
  const shares = new Map([[id, 1]])
  const seen = new Set<string | null>()
  await until('it is over', async () => {
    await work(
      sql,
      never,
      hurried(async () => {
        seen.add((await findDeletion(sql, project, id))?.error ?? null)
      }),
      { bounds, shares },
    )
    return (await findDeletion(sql, project, id))?.state === 'completed'
  })
  t.match(await findDeletion(sql, project, id), { deleted: 6_000, error: null })
  t.ok(seen.has('a chunk took too long, the next one is smaller'), 'its progress says so')
  t.equal(shares.size, 0, 'nothing is kept of what is over')
  t.same(await left(sql, project), { events: {}, isCounted: true })
}

t.test(
  'chunks become smaller where they miss their target, and larger where they are soon done',
  async (t) => {
    const { sql, project } = await setUpDeletions(t)
    await makePerson(sql, project, ['a'])
    await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 9_000 })
    const { id } = await askForPerson(sql, project, 'a')
    const sizes: number[] = []
    let deleted = 0
    let bounds: ChunkBounds = { ...CHUNK_BOUNDS, targetMs: Number.MIN_VALUE }
    const clock = hurried(async () => {
      const now = (await findDeletion(sql, project, id))?.deleted ?? 0
      if (now > deleted) sizes.push(now - deleted)
      deleted = now
      bounds = { ...CHUNK_BOUNDS, targetMs: sizes.length < 3 ? Number.MIN_VALUE : Infinity }
    })
    const changing = {
      get targetMs() {
        return bounds.targetMs
      },
      ...{ statementMs: CHUNK_BOUNDS.statementMs, chunkMs: CHUNK_BOUNDS.chunkMs },
    }
    await work(sql, never, clock, { bounds: changing, shares: new Map([[id, 4]]) })
    t.same(sizes, [1_250, 625, 313, 313, 625, 1_250, 2_500, 2_124])
    t.same(await left(sql, project), { events: {}, isCounted: true })
  },
)

t.test('caches are told again by whoever begins with the events', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a', 'a2'])
  await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 20 })
  const { id } = await askForPerson(sql, project, 'a')
  const told: unknown[] = []
  const failing = async () => {
    throw new Error('it has died')
  }
  await work(sql, never, hurried(), { onPersonDeleted: failing })
  t.match(await findDeletion(sql, project, id), { state: 'running', deleted: 0 })
  await work(sql, never, hurried(), {
    onPersonDeleted: async (of, ids, hasMore) => {
      told.push([of, [...ids].sort(), hasMore])
    },
  })
  t.same(told, [[project, ['a', 'a2'], false]])
  t.match(await findDeletion(sql, project, id), { state: 'completed', deleted: 20 })
})

t.test('events that other workers were storing meanwhile are deleted too', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 5 })
  const beforeIt = await openFlush(sql, project, 7)
  await beforeIt.store()
  // It has begun, and writes only later.
  const late = await openFlush(sql, project, 8)
  const { id } = await askForPerson(sql, project, 'a')
  await late.store()
  for (const flush of [beforeIt, late]) {
    await work(sql)
    const waiting = { state: 'running', deleted: 0 }
    t.match(await findDeletion(sql, project, id), waiting, 'it waits for both')
    await flush.commit()
  }
  await work(sql)
  t.match(await findDeletion(sql, project, id), { state: 'completed', deleted: 7 })
  t.same(await left(sql, project), { events: {}, isCounted: true })
})

/** A flush of an event of `a` that has begun, and continues on command. */
async function openFlush(sql: Sql, project: number, slot: number, day = '2026-01-05') {
  const steps = {
    begun: createGate(),
    store: createGate(),
    stored: createGate(),
    commit: createGate(),
  }
  const done = sql.begin(async (tx) => {
    await tx`select now()`
    steps.begun.open()
    await steps.store.opened
    await tx`
      insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
      values (${project}, ${day}, ${randomUUID()}, ${day}::text::timestamptz, 'late', 'a', '{}')`
    await tx`
      insert into event_counts as c (project_id, event, day, slot, count)
      values (${project}, 'late', ${day}, ${slot}, 1)`
    steps.stored.open()
    await steps.commit.opened
  })
  await steps.begun.opened
  return {
    async store() {
      steps.store.open()
      await steps.stored.opened
    },
    async commit() {
      steps.commit.open()
      await done
    },
  }
}

t.test('an export of events that is under way gives none that are deleted by then', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  await fill(sql, project, { distinctId: 'a', day: '2026-01-05', events: 2_500 })
  await fill(sql, project, { distinctId: 'b', day: '2026-01-06', events: 10 })
  const all = { after: '', before: '9999-12-31T23:59:59Z', properties: '' }
  const asked = { event: undefined, distinctId: undefined, personId: undefined }
  const parsed = parseEventList({ ...all, ...asked, orderBy: '["timestamp"]' }, Date.now())
  if (!parsed.ok) throw new Error(parsed.error.detail)
  const read = async (cursor: ExportCursor) => {
    const deps = { sql, events: createPostgresEvents(sql), clock, scans: anyScans() }
    const piece = await readExportPiece(deps, project, parsed.value, cursor, never)
    if (!piece.ok) throw new Error(piece.error.detail)
    return { ...piece.value, of: piece.value.events.map(({ distinctId }) => distinctId) }
  }
  const first = await read(startOfExport(parsed.value, { limit: 100_000, offset: 0 }))
  t.same([...new Set(first.of)], ['a'])
  await askForPerson(sql, project, 'a')
  await work(sql)
  const later: string[] = []
  for (let next = first.next; next !== undefined; ) {
    const piece = await read(next)
    later.push(...piece.of)
    next = piece.next
  }
  t.same(later, Array(10).fill('b'))
})

t.test('a month is dropped beside captures: none fails, and all are counted', async (t) => {
  const { db, sql, project } = await setUpDeletions(t)
  await sql`update projects set events_retention_days = 30 where id = ${project}`
  const writer = openWriter(t, db)
  const today = new Date().toISOString()
  const old = (distinctId: string) => makeEvent({ distinctId, timestamp: '2020-02-05T00:00:00Z' })
  let isOver = false
  let late = 0
  const stored: string[] = []
  const refused: unknown[] = []
  const client = async (name: number) => {
    for (let n = 0; !isOver; n++) {
      const events = [0, 1].map((value) =>
        makeEvent({ distinctId: `c${name}`, timestamp: today, person: { set: `{"n":${value}}` } }),
      )
      // Some still come for a month that goes.
      const isLate = n % 10 === 9
      const sent = isLate ? [...events, old(`c${name}`)] : events
      const outcome = await writer.submit(batchOf(project, sent))
      if (outcome.kind !== 'stored') refused.push(outcome)
      else stored.push(...events.map(({ uuid }) => uuid))
      if (isLate) late += 1
    }
  }
  const clients = Array.from({ length: 4 }, (_, name) => client(name))
  const gone = async () => {
    const [row] = await sql<{ sum: number }[]>`
      select coalesce(sum(deleted), 0)::int as sum from deletions where state = 'completed'`
    return row?.sum ?? 0
  }
  for (const day of ['2020-01-05', '2020-02-05', '2020-03-05']) {
    await fill(sql, project, { distinctId: 'old', day, events: 3_000 })
    const before = await gone()
    // A pass gives up soon when flushes are in its way; a later one finds its moment.
    while ((await gone()) < before + 3_000) await startRetention(sql, never)
  }
  isOver = true
  await Promise.all(clients)
  t.same(refused, [])
  const rows = await sql`select from events where uuid = any (${stored}::uuid[])`
  t.equal(rows.count, stored.length)
  t.comment(`${stored.length} events beside it, ${late} of a month that goes`)
  await work(sql)
  await startRetention(sql, never)
  await work(sql)
  const { events, isCounted } = await left(sql, project)
  t.notOk('old' in events)
  t.ok(isCounted, 'the counters are exact')
  t.equal(await gone(), 9_000 + late, 'each event that went is in the list')
  t.equal((await sql`select from events where day < '2021-01-01'`).count, 0)
})

t.test('a month into which an event came at the last moment is kept', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await sql`update projects set events_retention_days = 30 where id = ${project}`
  await fill(sql, project, { distinctId: 'a', day: '2020-01-05', events: 30 })
  // The pass waits for us after it has removed the counters, for as long as we want.
  await sql.unsafe(`
    create function wait() returns trigger language plpgsql as $$ begin
      perform set_config('lock_timeout', '0', true);
      perform pg_advisory_xact_lock(1); return null; end $$;
    create trigger wait after delete on event_counts execute function wait()`)
  const held = createGate()
  const taken = createGate()
  const holding = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(1)`
    taken.open()
    await held.opened
  })
  await taken.opened
  const passing = startRetention(sql, never)
  await until('the pass waits', async () => {
    const [row] = await sql`select from pg_locks where locktype = 'advisory' and not granted`
    return row !== undefined
  })
  const late = await openFlush(sql, project, 7, '2020-01-05')
  await late.store()
  await late.commit()
  held.open()
  await Promise.all([holding, passing])
  t.same(await left(sql, project), { events: { a: 31 }, isCounted: true })
  await work(sql)
  t.same(await left(sql, project), { events: {}, isCounted: true })
})
