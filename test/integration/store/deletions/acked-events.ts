/** Events that were acknowledged before their person was deleted, and are stored after it. */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../../src/core/clock.ts'
import type { ProjectId } from '../../../../src/core/ids.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { findPerson } from '../../../../src/event-store/postgres/persons/find-person.ts'
import type { IngestEvent } from '../../../../src/events/event.ts'
import { batchOf } from '../../../../src/events/event-batch.ts'
import { createDrainer } from '../../../../src/ingest/spill/drainer.ts'
import { encodeSpillMessage } from '../../../../src/ingest/spill/spill-message.ts'
import { type FlushRow, StoreError } from '../../../../src/ingest/store-port.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import { deletePerson } from '../../../../src/privacy/delete-person.ts'
import { replayDeadLetters } from '../../../../src/rpc/operator/replay-dead-letters.ts'
import { DRAIN_BYTES_MAX, WRITER_QUEUE_BYTES_MAX } from '../../../../src/worker/worker-writer.ts'
import {
  createProject,
  makeEvent,
  openStore,
  openWriter,
  rowOf,
} from '../../../support/ingest/ingest-store.ts'
import { createMemoryMessageLog } from '../../../support/ingest/memory-message-log.ts'
import {
  askForPerson,
  left,
  makePerson,
  never,
  setUpDeletions,
  work,
} from '../../../support/store/deletions.ts'
import { until } from '../../../support/until.ts'
import { createGate } from '../../../support/workers/gate.ts'

const MINUTE_MS = 60_000
const person = { set: '{"email":"a@b.c"}' }

/** A row that was acknowledged so long ago. */
function acked(project: ProjectId, event: IngestEvent, agoMs = MINUTE_MS): FlushRow {
  return { ...rowOf(project, event), ackedAtMs: Date.now() - agoMs }
}

async function setUp(t: Test) {
  const { db, sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  const ofA = makeEvent({ distinctId: 'a', person })
  const ofB = makeEvent({ distinctId: 'b', person })
  /** Distinct ids that have a person. */
  const known = async () => {
    const rows = await sql<{ id: string }[]>`
      select distinct_id as id from distinct_ids where project_id = ${project} order by 1`
    return rows.map(({ id }) => id)
  }
  return { db, sql, project, ofA, ofB, known, store: openStore(t, db) }
}

/** Deletes the person of `a`, and commits when it is told to. */
async function openDeletion(sql: Sql, project: ProjectId) {
  const found = await findPerson(sql, project, { distinctId: 'a' })
  if (found === undefined) throw new Error('there is no such person')
  const asked = createGate()
  const commit = createGate()
  const done = sql.begin(async (tx) => {
    await deletePerson(tx, found, {
      ...{ id: randomUUID(), projectId: project, kind: 'person', filters: null, total: null },
      ...{ personUuid: found.uuid, withEvents: true, askedBy: null },
    })
    asked.open()
    await commit.opened
  })
  return {
    asked: asked.opened,
    async commit() {
      commit.open()
      await done
    },
  }
}

t.test('events that come home from the spill after the deletion stay deleted', async (t) => {
  const { sql, project, store, known } = await setUp(t)
  const other = await createProject(sql)
  await makePerson(sql, project, ['alone'])
  const before = Date.now()
  await sql`select pg_sleep(0.01)`
  await askForPerson(sql, project, 'a')
  await askForPerson(sql, project, 'alone', false)
  await work(sql)
  const merge = { kind: 'identify', otherDistinctId: 'a' } as const
  const flush = async (ackedAtMs: number) => {
    const rows = [
      rowOf(project, makeEvent({ distinctId: 'a', person })),
      rowOf(project, makeEvent({ distinctId: 'alone', person })),
      rowOf(project, makeEvent({ distinctId: 'b', person })),
      rowOf(project, makeEvent({ distinctId: 'c', person: { merge } })),
      rowOf(other, makeEvent({ distinctId: 'a', person })),
    ]
    return await store.flush(
      0,
      rows.map((row) => ({ ...row, ackedAtMs })),
    )
  }
  t.match(await flush(before), { acked: { deleted: [0, 3], held: [] }, duplicates: [] })
  const once = { events: { alone: 1, b: 1 }, isCounted: true }
  t.same(await left(sql, project), once)
  t.same(await left(sql, other), { events: { a: 1 }, isCounted: true })
  t.same(await known(), ['b'], 'nobody is made of what was deleted')
  // Also once the texts are forgotten.
  await sql`update deleted_distinct_ids set distinct_id = null`
  t.match(await flush(before), { acked: { deleted: [0, 3] } })
  t.match(await flush(Date.now() + MINUTE_MS), { acked: { deleted: [] } }, 'later ones are stored')
  t.same(await left(sql, project), { events: { a: 1, alone: 3, b: 3, c: 1 }, isCounted: true })
})

t.test('an event that is on its way home when its person is deleted stays deleted', async (t) => {
  const { db, sql, project, ofA, ofB, known } = await setUp(t)
  const writer = openWriter(t, db)
  const messages = createMemoryMessageLog(clock, { bytesMax: 1e6, ackWaitMs: MINUTE_MS })
  await messages.put('m', encodeSpillMessage('m', [{ projectId: project, events: [ofA, ofB] }]))
  const stop = new AbortController()
  const drainer = createDrainer(
    {
      ...{ messages, clock, log, random: Math.random },
      writer: {
        status: () => writer.status(),
        // Whatever the drainer looks at, it has done so.
        submit: async (batch) => {
          await askForPerson(sql, project, 'a')
          await work(sql)
          return await writer.submit(batch)
        },
      },
    },
    { bytesMax: DRAIN_BYTES_MAX, messagesMax: 1, writerBytesMax: WRITER_QUEUE_BYTES_MAX },
  )
  const running = drainer.run(stop.signal)
  await until('it is stored', () => messages.kept().length === 0)
  stop.abort()
  await running
  await work(sql)
  t.same(await left(sql, project), { events: { b: 1 }, isCounted: true })
  t.same(await known(), ['b'])
})

t.test('while a deletion has not committed, nothing from before it is stored', async (t) => {
  const { db, sql, project, ofA, ofB, known } = await setUp(t)
  const other = await createProject(sql)
  const writer = openWriter(t, db)
  const deletion = await openDeletion(sql, project)
  await deletion.asked
  // Its time is younger than that of the deletion, and it would not see it.
  const submitAll = () => {
    const ackedAtMs = Date.now() - MINUTE_MS
    return Promise.all([
      writer.submit({ ...batchOf(project, [ofA, ofB]), ackedAtMs }),
      writer.submit({ ...batchOf(other, [ofA]), ackedAtMs }),
      writer.submit(batchOf(project, [makeEvent({ distinctId: 'live' })])),
    ])
  }
  const stored = { kind: 'stored', stored: 1 }
  t.match(await submitAll(), [{ kind: 'unavailable' }, stored, stored], 'nobody else waits')
  await deletion.commit()
  const again = { kind: 'stored', stored: 0, duplicates: 1 }
  t.match(await submitAll(), [{ kind: 'stored', stored: 1, duplicates: 0 }, again, stored])
  await work(sql)
  t.same(await left(sql, project), { events: { b: 1, live: 2 }, isCounted: true })
  t.same(await known(), ['b', 'live'])
})

t.test('a deletion takes what flushes that have looked before it store', async (t) => {
  const { sql, project, ofA, ofB, store } = await setUp(t)
  await sql.unsafe(`
    create function wait() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(1); return null; end $$;
    create trigger wait before insert on events execute function wait()`)
  const taken = createGate()
  const release = createGate()
  const holding = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(1)`
    taken.open()
    await release.opened
  })
  await taken.opened
  const waiting = async (locks: number) => {
    const rows = await sql`select from pg_locks where locktype = 'advisory' and not granted`
    return rows.count === locks
  }
  const flushing = store.flush(0, [acked(project, ofA), acked(project, ofB)])
  await until('the flush has looked', () => waiting(1))
  const deleting = askForPerson(sql, project, 'a')
  await until('the deletion waits for it', () => waiting(2))
  // Another one does not overtake the deletion.
  const late = await store.flush(1, [acked(project, makeEvent({ distinctId: 'a' }))])
  t.same(late.acked, { deleted: [], held: [0] })
  release.open()
  await Promise.all([holding, flushing, deleting])
  await work(sql)
  t.same(await left(sql, project), { events: { b: 1 }, isCounted: true })
})

t.test('nothing from before is stored while nobody knows what was deleted', async (t) => {
  const { sql, project, ofA, store } = await setUp(t)
  const rows = [acked(project, ofA)]
  await sql`alter table deleted_distinct_ids rename to away`
  await t.rejects(store.flush(0, rows), { name: 'StoreError' })
  t.same((await left(sql, project)).events, {})
  await sql`alter table away rename to deleted_distinct_ids`
  await store.flush(0, rows)
  t.same((await left(sql, project)).events, { a: 1 })
})

t.test('a spilled event that is refused leaves no dead letter of a deleted person', async (t) => {
  const { sql, project, ofA, ofB, store } = await setUp(t)
  const reason = new StoreError('data', '22P05', 'refused')
  const deletion = await openDeletion(sql, project)
  await deletion.asked
  await t.rejects(store.deadLetter(0, acked(project, ofA), reason), /being deleted/)
  await deletion.commit()
  await work(sql)
  for (const event of [ofA, ofB]) await store.deadLetter(0, acked(project, event), reason)
  await store.deadLetter(0, rowOf(project, makeEvent({ distinctId: 'live' })), reason)
  const letters = await sql`select distinct_id as id from dead_letters order by 1`
  t.same([...letters], [{ id: 'b' }, { id: 'live' }])
})

t.test('a dead letter that is replayed while its person is deleted stays deleted', async (t) => {
  const { db, sql, project, ofA, ofB, store, known } = await setUp(t)
  const reason = new StoreError('data', '22P05', 'refused')
  for (const event of [ofA, ofB]) await store.deadLetter(0, rowOf(project, event), reason)
  const writer = openWriter(t, db)
  const deleted = askOnce(async () => {
    await askForPerson(sql, project, 'a')
    await work(sql)
  })
  const sink = {
    submit: async (batch: Parameters<typeof writer.submit>[0]) => {
      await deleted()
      return await writer.submit(batch)
    },
  }
  const all = { ids: [], projectId: undefined, since: undefined, until: undefined }
  const done = await replayDeadLetters(
    { sql, sink, clock, onHandled: async () => undefined },
    { ...all, reason: undefined },
    { cursor: 0, rows: 10 },
    never,
  )
  t.match(done, { matched: 2, stored: 1, refused: 0, discarded: 1, cursor: 0 })
  await work(sql)
  t.same(await left(sql, project), { events: { b: 1 }, isCounted: true })
  t.same(await known(), ['b'])
  t.equal((await sql`select from dead_letters`).count, 0)
})

/** The same promise for all who ask. */
function askOnce(work: () => Promise<void>): () => Promise<void> {
  let asked: Promise<void> | undefined
  return () => {
    asked ??= work()
    return asked
  }
}
