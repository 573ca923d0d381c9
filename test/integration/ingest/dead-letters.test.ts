import t, { type Test } from 'tap'
import type { DeadLetterFilter__Output } from '../../../proto/gen/sluice/v1/DeadLetterFilter.ts'
import type { DeadLettersDone } from '../../../proto/gen/sluice/v1/DeadLettersDone.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import {
  DEAD_LETTER_REPLAY_BYTES_MAX,
  removeDeadLetters,
} from '../../../src/event-store/dead-letters/dead-letter-store.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import { auditDeadLetters } from '../../../src/manage/operator-audit.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import {
  createDeadLetterHandlers,
  DEAD_LETTER_IDS_MAX,
} from '../../../src/rpc/operator/dead-letter-handlers.ts'
import { deleteProject } from '../../../src/store/projects/removed-projects-store.ts'
import { as, refusal } from '../../support/api/management.ts'
import { createProject, makeEvent, openWriter } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

/** Refused by Postgres: jsonb holds no NUL. */
const POISON = '{"a":"\\u0000"}'

async function setUp(t: Test) {
  const db = await testDatabase(t, { connectionsMax: 8 })
  const project = await createProject(db.sql)
  const writer = openWriter(t, db)
  const handlers = createDeadLetterHandlers({
    ...{ sql: db.sql, sink: writer, clock },
    onHandled: auditDeadLetters,
  })
  const context = as(undefined)
  return {
    sql: db.sql,
    project,
    writer,
    submit: (...events: IngestEvent[]) =>
      writer.submit({ projectId: project, events, bytes: events.length * 200 }),
    list: async (more: Partial<DeadLetterFilter__Output> = {}) => {
      const { results, ...rest } = await handlers.ListDeadLetters(filter(more), context)
      return { results: results ?? [], ...rest }
    },
    show: (id: number) => handlers.GetDeadLetter({ id }, context),
    replay: (more: Partial<DeadLetterFilter__Output> = {}) =>
      handlers.ReplayDeadLetters(filter(more), context),
    discard: (more: Partial<DeadLetterFilter__Output> = {}) =>
      handlers.DiscardDeadLetters(filter(more), context),
  }
}

function filter(more: Partial<DeadLetterFilter__Output>): DeadLetterFilter__Output {
  const none = { ids: [], since: '', until: '', reason: '', dry_run: false, cursor: 0, limit: 0 }
  return { ...none, ...more }
}

/** Asks again while the writer refuses: on a busy machine 5 MB take longer than it waits. */
async function taken<T>(ask: () => Promise<T>): Promise<T> {
  const answers: T[] = []
  await until('the writer takes it', async () => answers.push(await ask()) > 0)
  const [answer] = answers
  if (answer === undefined) throw new Error('no answer')
  return answer
}

/** Replays until the end, as the command does. */
async function replayAll(call: (cursor: number) => Promise<DeadLettersDone>) {
  const sums = { matched: 0, stored: 0, refused: 0, discarded: 0, calls: 0 }
  for (let cursor = 0; ; ) {
    const done = await call(cursor)
    for (const name of ['matched', 'stored', 'refused', 'discarded'] as const) {
      sums[name] += Number(done[name] ?? 0)
    }
    sums.calls += 1
    cursor = Number(done.cursor)
    if (cursor === 0) return sums
  }
}

async function refuseEvents(sql: Sql, name: string): Promise<void> {
  await sql.unsafe(`alter table events add constraint refused check (event <> '${name}') not valid`)
}
const allowEvents = (sql: Sql) => sql`alter table events drop constraint refused`

async function countsOf(sql: Sql) {
  const [row] = await sql`
    select (select count(*)::int from events) as events,
      (select coalesce(sum(count), 0)::int from event_counts) as counted,
      (select count(*)::int from dead_letters) as letters,
      (select coalesce(max(attempts), 0) from dead_letters) as attempts`
  return row
}

t.test('a filter that cannot be read is refused with its field', async (t) => {
  const { list, replay, discard, show } = await setUp(t)
  const cases: [Partial<DeadLetterFilter__Output>, string][] = [
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-02-30' }, 'since'],
    [{ until: '10:00' }, 'until'],
    [{ ids: [-1] }, 'ids'],
    [{ ids: [2 ** 63] }, 'ids'],
    [{ ids: Array.from({ length: DEAD_LETTER_IDS_MAX + 1 }, () => 1) }, 'ids'],
    [{ cursor: -1 }, 'cursor'],
    [{ limit: -1 }, 'limit'],
    [{ reason: 'x'.repeat(1_001) }, 'reason'],
  ]
  for (const [bad, attr] of cases) {
    for (const call of [list, replay, discard]) {
      t.match(await refusal(call(bad)), { is: 'invalid_argument', attr })
    }
  }
  t.match(await refusal(show(7)), { is: 'not_found', detail: 'There is no dead letter 7.' })
  t.match(await refusal(show(-7)), { is: 'invalid_argument', attr: 'id' })
})

t.test('filters are literal, all of them hold, and pages follow each other', async (t) => {
  const { sql, project, list } = await setUp(t)
  const other = await createProject(sql)
  const put = (id: number, day: string, sqlstate: string, error: string, owner = project) => sql`
    insert into dead_letters
      (id, project_id, uuid, event, distinct_id, payload, sqlstate, error, created_at)
    values (${id}, ${owner}, gen_random_uuid(), 'e', 'd', 'secret', ${sqlstate}, ${error},
      ${`${day}T00:00:00.000001Z`}::text::timestamptz)`
  await put(1, '2026-01-01', '22P05', 'unsupported 100% escape')
  await put(2, '2026-01-02', '22P05', 'unsupported 1000 escape')
  await put(3, '2026-01-03', '23514', 'violates check "a_b"')
  await put(4, '2026-01-04', '23514', 'violates check "axb", see 22P05', other)
  const ids = async (more: Partial<DeadLetterFilter__Output>) => {
    const { results, count } = await list(more)
    t.equal(count, results.length)
    return results.map(({ id }) => id)
  }
  t.same(await ids({}), [1, 2, 3, 4])
  t.same(await ids({ reason: '100%' }), [1])
  t.same(await ids({ reason: 'A_B' }), [3])
  t.same(await ids({ reason: '22p05' }), [1, 2, 4])
  t.same(await ids({ reason: "'; drop table dead_letters --\0" }), [])
  t.same(await ids({ project_id: other }), [4])
  t.same(await ids({ ids: [4, 2, 99] }), [2, 4])
  t.same(await ids({ ids: [4, 2], project_id: project }), [2])
  t.same(await ids({ since: '2026-01-03T00:00:00.000001Z' }), [3, 4])
  t.same(await ids({ since: '2026-01-03T00:00:00.000002Z' }), [4])
  t.same(await ids({ until: '2026-01-03T00:00:00.000001Z' }), [1, 2])
  t.same(await ids({ since: '0000-01-01', until: '2026-01-02T01:00+01:00' }), [1])
  const first = await list({ limit: 3 })
  t.match(first, { count: 4, cursor: 3 })
  t.match(await list({ limit: 3, cursor: 3 }), { results: [{ id: 4 }], count: 4, cursor: 0 })
  t.match(first.results[0], { created_at: '2026-01-01T00:00:00.000001Z', project_id: project })
  t.notMatch(JSON.stringify(first), /secret/, 'lists hold no payload')
})

t.test('refused again it stays one row; once the cause is mended it is stored', async (t) => {
  const { sql, submit, replay, list, show } = await setUp(t)
  await refuseEvents(sql, 'odd')
  const odd = Array.from({ length: 40 }, (_, n) =>
    makeEvent({
      event: 'odd',
      distinctId: `d${n % 4}`,
      properties: `{"n":${n}}`,
      person: { set: `{"n":${n}}` },
      groups: [{ type: 'company', key: 'c' }],
    }),
  )
  await submit(...odd, makeEvent({ properties: POISON }), makeEvent())
  t.match(await countsOf(sql), { events: 1, letters: 41, attempts: 1 })
  const before = (await list()).results.map(({ id }) => id)

  t.match(await replay({ dry_run: true }), { matched: 41, cursor: 0 })
  t.match(await countsOf(sql), { events: 1, letters: 41, attempts: 1 }, 'a dry run changes nothing')

  t.match(await replay(), { matched: 41, stored: 0, refused: 41, discarded: 0, cursor: 0 })
  t.match(await countsOf(sql), { events: 1, counted: 1, letters: 41, attempts: 2 })
  t.same(
    (await list()).results.map(({ id }) => id),
    before,
    'the same rows',
  )

  await allowEvents(sql)
  const done = await replayAll((cursor) => replay({ cursor, limit: 7 }))
  t.match(done, { matched: 41, stored: 40, refused: 1, calls: 6 })
  t.match(await countsOf(sql), { events: 41, counted: 41, letters: 1, attempts: 3 })
  const [left] = (await list()).results
  t.match(left, { sqlstate: '22P05', attempts: 3 })
  t.match(await show(Number(left?.id)), { payload: /"properties":"\{\\"a\\":\\"\\\\u0000/ })
  const [person] = await sql`
    select p.properties from persons p join distinct_ids d on d.person_id = p.id
    where d.distinct_id = 'd3'`
  t.same(person?.['properties'], { n: 39 }, 'persons as they were set, in order')
  const [stored] = await sql`select properties from events where event = 'odd' limit 1`
  t.match(stored, { properties: { $group_0: 'c' } })
})

t.test('a worker that died after the commit: the next replay only removes the rows', async (t) => {
  const { sql, submit, replay } = await setUp(t)
  await refuseEvents(sql, 'odd')
  await submit(...Array.from({ length: 5 }, () => makeEvent({ event: 'odd' })))
  await allowEvents(sql)
  await sql`create table kept as table dead_letters`
  t.match(await replay(), { stored: 5 })
  await sql`insert into dead_letters select * from kept`
  t.match(await replay(), { matched: 5, stored: 5, refused: 0 })
  t.match(await countsOf(sql), { events: 5, counted: 5, letters: 0 })
  t.match(await replay(), { matched: 0, stored: 0, cursor: 0 })
})

t.test('two replays at a time store each event once', async (t) => {
  const { sql, submit, replay } = await setUp(t)
  await refuseEvents(sql, 'odd')
  await submit(...Array.from({ length: 60 }, () => makeEvent({ event: 'odd' })))
  await allowEvents(sql)
  await Promise.all([replay(), replay()])
  t.match(await countsOf(sql), { events: 60, counted: 60, letters: 0 })
})

t.test('one that is kept again after it was read is not removed', async (t) => {
  const { sql, submit, list } = await setUp(t)
  const poison = makeEvent({ properties: POISON })
  await submit(poison)
  const [letter] = (await list()).results
  const read = { id: Number(letter?.id), attempts: 1 }
  await submit(poison)
  await removeDeadLetters(sql, [read])
  t.match(await countsOf(sql), { letters: 1, attempts: 2 })
  await removeDeadLetters(sql, [{ ...read, attempts: 2 }])
  t.match(await countsOf(sql), { letters: 0 })
})

t.test('a kept event that cannot be read is refused and says why', async (t) => {
  const { sql, submit, replay, list } = await setUp(t)
  const events = [makeEvent(), makeEvent(), makeEvent()]
  await submit(...events.map((event) => ({ ...event, properties: POISON })))
  const [cut, foreign, mended] = events
  await sql`update dead_letters set payload = left(payload, 40) where uuid = ${cut?.uuid ?? ''}`
  await sql`
    update dead_letters set payload = ${JSON.stringify(makeEvent())}
    where uuid = ${foreign?.uuid ?? ''}`
  await sql`
    update dead_letters set payload = ${JSON.stringify(mended)} where uuid = ${mended?.uuid ?? ''}`
  t.match(await replay(), { matched: 3, stored: 1, refused: 2 })
  t.match(await countsOf(sql), { events: 1, letters: 2, attempts: 2 })
  const errors = new Map((await list()).results.map(({ uuid, error }) => [uuid, error]))
  t.equal(errors.get(cut?.uuid), 'the kept event cannot be read: it is not JSON')
  t.equal(
    errors.get(foreign?.uuid),
    'the kept event cannot be read: its uuid is not that of the row',
  )
})

t.test('dead letters of a removed project are discarded, poison or not', async (t) => {
  const { sql, project, submit, replay } = await setUp(t)
  await refuseEvents(sql, 'odd')
  await submit(makeEvent({ event: 'odd' }), makeEvent({ properties: POISON }))
  await allowEvents(sql)
  await sql.begin((tx) => deleteProject(tx, project))
  t.match(await replay(), { matched: 2, stored: 0, refused: 0, discarded: 2 })
  t.match(await countsOf(sql), { events: 0, letters: 0 })
})

t.test('a writer that takes nothing ends the replay, and nothing is lost', async (t) => {
  const { sql, submit, replay, writer } = await setUp(t)
  await submit(makeEvent({ properties: POISON }))
  await writer.close(1_000)
  t.match(await refusal(replay()), { is: 'unavailable', code: 'service_unavailable' })
  t.match(await countsOf(sql), { letters: 1, attempts: 1 })
})

t.test('one call reads no more than its bytes, and the next continues there', async (t) => {
  const { sql, submit, replay } = await setUp(t)
  await refuseEvents(sql, 'odd')
  const long = `{"a":"${'x'.repeat(DEAD_LETTER_REPLAY_BYTES_MAX * 0.6)}"}`
  for (let n = 0; n < 3; n++) {
    const event = makeEvent({ event: 'odd', properties: long })
    await until('the writer takes it', async () => (await submit(event)).kind === 'stored')
  }
  await allowEvents(sql)
  const first = await taken(() => replay())
  t.match(first, { matched: 1, stored: 1 })
  t.ok(Number(first.cursor) > 0)
  const rest = await replayAll((cursor) => taken(() => replay({ cursor })))
  t.match(rest, { matched: 2, stored: 2, calls: 2 })
  t.match(await countsOf(sql), { events: 3, letters: 0 })
})

t.test('discarding removes what the filter finds, page by page, and nothing else', async (t) => {
  const { sql, submit, discard } = await setUp(t)
  await submit(...Array.from({ length: 9 }, () => makeEvent({ properties: POISON })))
  await refuseEvents(sql, 'odd')
  await submit(makeEvent({ event: 'odd' }))
  t.match(await discard({ reason: '22P05', dry_run: true }), { matched: 9, cursor: 0 })
  t.match(await countsOf(sql), { letters: 10 })
  const done = await replayAll((cursor) => discard({ reason: '22P05', cursor, limit: 4 }))
  t.match(done, { matched: 9, stored: 0, refused: 0, discarded: 9, calls: 3 })
  t.match(await countsOf(sql), { letters: 1, events: 0 })
})

t.test(
  'operations of the operator on dead letters are in the activity of their project',
  async (t) => {
    const { sql, project, submit, discard, replay } = await setUp(t)
    await submit(...Array.from({ length: 3 }, () => makeEvent({ properties: POISON })))
    await refuseEvents(sql, 'odd')
    await submit(makeEvent({ event: 'odd' }), makeEvent({ event: 'odd' }))
    const entries = async () => {
      const rows = await sql`
      select a.activity, a.project_id = ${project} and a.organization_id = p.organization_id as own,
        (select json_object_agg(c ->> 'field', c -> 'after')
          from json_array_elements(a.changes) c) as facts
      from audit_log a join projects p on p.id = a.project_id order by a.created_at, a.id`
      return [...rows]
    }
    await discard({ reason: '22P05', dry_run: true })
    t.same(await entries(), [])
    await discard({ reason: '22P05' })
    const first = { activity: 'dead_letters_discarded', own: true, facts: { discarded: 3 } }
    t.same(await entries(), [first])
    await allowEvents(sql)
    await replay()
    const facts = { stored: 2, refused: 0, discarded: 0 }
    t.same(await entries(), [first, { activity: 'dead_letters_replayed', own: true, facts }])
  },
)
