import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import type { ListEventsRequest__Output } from '../../../proto/gen/sluice/v1/ListEventsRequest.ts'
import { createPolicy } from '../../../src/access/policy.ts'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { isObject } from '../../../src/core/json.ts'
import { EVENT_EXPORT_PIECE_BYTES_MAX } from '../../../src/core/limits/limits-query.ts'
import { EVENT_EXPORT_STRETCH_ROWS } from '../../../src/event-store/postgres/reads/event-piece.ts'
import { createPostgresEvents } from '../../../src/event-store/postgres/reads/event-reader.ts'
import { createEventHandlers } from '../../../src/manage/events/events-handlers.ts'
import { createManagement } from '../../../src/manage/management.ts'
import { EVENT_EXPORT_PIECE_ROWS_MAX } from '../../../src/query/list/event-export.ts'
import { createQueryLimiter } from '../../../src/query/query-limiter.ts'
import { EVENT_EXPORT_COLUMNS_MAX } from '../../../src/wire/column-set.ts'
import { methods } from '../../../src/wire/proto/proto.ts'
import { as, makeKey, makeUser, refusal, startManagement } from '../../support/api/management.ts'
import { putEvents, putPerson, type TestEvent } from '../../support/ingest/events.ts'

let now = '2024-03-10T12:00:00Z'
const clock: Clock = { ...systemClock, now: () => Date.parse(now) }
const QUERY: ListEventsRequest__Output = {
  ...{ project_id: '', after: '', before: '', properties: '', order_by: '' },
  ...{ limit: 0, offset: 0, select: [], where: [] },
}

type Query = Partial<ListEventsRequest__Output>

t.test('an export', async (t) => {
  const { sql, owner, events, authenticator } = await startManagement(t, clock)
  const project = owner.project?.id ?? 0
  const project_id = String(project)
  const key = owner.personalApiKey
  const piece = (query: Query, fields: object = {}, by: string | undefined = key) =>
    events.ListExportedEvents(
      { project_id, query: { ...QUERY, ...query }, columns_only: false, cursor: '', ...fields },
      as(by),
    )
  /** Every piece, and what is done after each. */
  const pieces = async (query: Query, fields: object = {}, between = async () => {}) => {
    const all = [await piece(query, fields)]
    for (;;) {
      const cursor = all.at(-1)?.cursor ?? ''
      if (cursor === '') return all
      await between()
      all.push(await piece(query, { ...fields, cursor }))
    }
  }
  const names = async (query: Query, between?: () => Promise<void>) =>
    (await pieces(query, {}, between)).flatMap(({ rows }) => (rows ?? []).map(nameOf))
  const nameOf = (row: string) => {
    const event: unknown = JSON.parse(row)
    return isObject(event) ? String(event['event']) : ''
  }
  const clear = async () => {
    await sql`delete from events`
    await sql`delete from event_counts`
  }
  const put = (many: readonly TestEvent[]) => putEvents(sql, project, many)
  const at = (second: number) => new Date(Date.UTC(2024, 1, 1, 0, 0, second)).toISOString()

  t.test('is for whom the list is for', async (t) => {
    const outsider = await makeUser(sql, 'outsider@example.com')
    const scoped = await makeKey(sql, owner, { scopes: ['project:write'] })
    for (const by of [outsider.personalApiKey, scoped]) {
      t.match(await refusal(piece({}, {}, by)), { is: 'permission_denied' })
    }
  })

  await t.test('without events has neither columns nor rows', async (t) => {
    t.match(await piece({}, { columns_only: true }), { columns: [], cursor: '' })
    t.match(await piece({}), { rows: [], cursor: '' })
  })

  await t.test('names what is wrong as the list does', async (t) => {
    t.match(await refusal(piece({ after: 'never' })), { code: 'invalid_input', attr: 'after' })
    t.match(await refusal(piece({ properties: '{' })), { code: 'invalid_input', attr: null })
    t.match(await refusal(piece({ where: ['foo('] })), { attr: 'where' })
    const table = piece({ select: ['foo('] }, { columns_only: true })
    t.match(await refusal(table), { attr: 'select' })
    const id = uuidv7()
    const parts = (...changed: unknown[]) =>
      Buffer.from(JSON.stringify(changed)).toString('base64url')
    const wrong = [
      ...['x', '%', parts(), 'a'.repeat(1_000), parts(null, null, null, null, 0, 1)],
      parts(null, 'soon', null, null, 0, 1),
      parts('soon', '2024-01-01', null, null, 0, 1),
      parts(null, '2024-01-01', '1; drop table events', id, 0, 1),
      parts(null, '2024-01-01', '1', 'x', 0, 1),
      parts(null, '2024-01-01', '1', null, 0, 1),
      parts(null, '2024-01-01', null, null, -1, 1),
      parts(null, '2024-01-01', null, null, 0, 1e9),
    ]
    for (const cursor of wrong) {
      t.match(await refusal(piece({}, { cursor })), { code: 'invalid_input', attr: 'cursor' })
    }
    t.match(await piece({}, { cursor: parts(null, '2024-01-01', '-1', id, 0, 1) }), { rows: [] })
    t.match(await piece({}, { cursor: parts(null, '2024-01-01', null, null, 0, 0) }), { rows: [] })
  })

  await t.test('has the columns of every event, of its person and its elements', async (t) => {
    await putPerson(sql, project, {
      distinctIds: ['anna'],
      properties: { email: 'a@example.com', plan: 'pro' },
    })
    await put([
      { timestamp: at(1), distinctId: 'anna', properties: { b: [1, { c: null }], a: {} } },
      { timestamp: at(2), properties: { z: [] }, elementsChain: 'a:href="/x"' },
    ])
    const { columns = [], cursor } = await piece({}, { columns_only: true })
    t.equal(cursor, '')
    t.same(columns, [...columns].sort())
    t.same(
      columns.filter((name) => /^(properties|person)/.test(name)),
      ['person', 'person.distinct_ids.0', 'person.id', 'person.is_identified'].concat([
        'person.properties.email',
        'person.uuid',
        'properties.b.0',
        'properties.b.1.c',
      ]),
    )
    t.ok(columns.includes('elements.0.href'))
    t.notOk(columns.includes('elements'))
    const { rows = [] } = await piece({})
    t.match(JSON.parse(rows[1] ?? ''), {
      distinct_id: 'anna',
      properties: { b: [1, { c: null }], a: {} },
      person: { is_identified: false, distinct_ids: ['anna'] },
      elements: [],
    })
    await clear()
  })

  await t.test('gives every event once and in order, also where all have one time', async (t) => {
    const count = 2 * EVENT_EXPORT_PIECE_ROWS_MAX + 7
    const same = Array.from({ length: count }, () => ({ timestamp: at(5), uuid: uuidv7() }))
    await put([...same, { timestamp: at(4), event: 'last' }, { timestamp: at(6), event: 'first' }])
    for (const order of ['newest', 'oldest'] as const) {
      const order_by = order === 'newest' ? '["-timestamp"]' : '["timestamp"]'
      const all = await pieces({ order_by, limit: 100_000 })
      t.equal(all.length, 3)
      const ids = all.flatMap(({ rows }) => (rows ?? []).map((row) => String(JSON.parse(row).id)))
      const uuids = same.map(({ uuid }) => uuid).sort()
      t.same(ids.slice(1, -1), order === 'newest' ? uuids : uuids.reverse())
      const edges = all.flatMap(({ rows }) => rows ?? []).map(nameOf)
      const expected = order === 'newest' ? ['first', 'last'] : ['last', 'first']
      t.same([edges[0], edges.at(-1)], expected)
    }
    await clear()
  })

  await t.test('keeps to its limit and offset, over any number of pieces', async (t) => {
    const count = EVENT_EXPORT_PIECE_ROWS_MAX + 10
    await put(
      Array.from({ length: count }, (_, index) => ({
        timestamp: at(index),
        event: `e${index}`,
        properties: { even: index % 2 === 0 },
      })),
    )
    const last = (from: number) => `e${count - 1 - from}`
    const some = await names({ limit: EVENT_EXPORT_PIECE_ROWS_MAX + 2, offset: 3 })
    t.equal(some.length, EVENT_EXPORT_PIECE_ROWS_MAX + 2)
    t.equal(some[0], last(3))
    t.same(await names({ limit: 2, offset: count - 1 }), ['e0'])
    t.same(await names({ offset: count }), [])
    const properties = JSON.stringify([{ key: 'even', value: true }])
    t.same(await names({ properties, limit: 2, offset: 1 }), [last(3), last(5)])
    t.same(await names({ event: 'e7' }), ['e7'])
    t.same(
      await names({
        where: ["properties.even and event < 'e2'"],
        order_by: '["timestamp"]',
        limit: 2,
      }),
      ['e0', 'e10'],
    )
    await clear()
  })

  await t.test('continues where a filter passes over more than one stretch', async (t) => {
    const step = 86_400_000 / EVENT_EXPORT_STRETCH_ROWS
    const stretch = (day: number, event: string) =>
      Array.from({ length: EVENT_EXPORT_STRETCH_ROWS }, (_, index) => ({
        event,
        timestamp: new Date(Date.UTC(2024, 1, day) + index * step).toISOString(),
      }))
    await put(stretch(1, 'many'))
    await put(stretch(2, 'many'))
    await put([
      { event: 'rare', timestamp: '2024-01-30T00:00:00Z' },
      { event: 'rare', timestamp: '2024-02-02T00:00:00Z' },
      { event: 'rare', timestamp: '2024-02-03T00:00:00Z' },
    ])
    t.same(await names({ event: 'rare' }), ['rare', 'rare', 'rare'])
    t.same(await names({ event: 'rare', offset: 2 }), ['rare'])
    t.same(await names({ event: 'rare', offset: 3 }), [])
    const passed = await pieces({ event: 'rare', offset: 2 })
    t.ok(passed.length > 2, 'no call looks at more than a stretch')
    const far = await pieces({ offset: 2 * EVENT_EXPORT_STRETCH_ROWS + 2, limit: 5 })
    t.equal(far.flatMap(({ rows }) => rows ?? []).length, 1)
    await clear()
  })

  await t.test('is cut by bytes, one event at least', async (t) => {
    const large = { text: 'x'.repeat(EVENT_EXPORT_PIECE_BYTES_MAX * 0.6) }
    const huge = { text: 'x'.repeat(EVENT_EXPORT_PIECE_BYTES_MAX * 2) }
    await put([large, huge, large, {}, {}].map((properties) => ({ timestamp: at(1), properties })))
    const all = await pieces({})
    t.equal(all.flatMap(({ rows }) => rows ?? []).length, 5)
    t.ok(all.every(({ rows }) => (rows ?? []).length > 0))
    t.ok(all.length >= 3)
    await clear()
  })

  await t.test('is not disturbed by what is stored or removed meanwhile', async (t) => {
    await put(
      Array.from({ length: EVENT_EXPORT_PIECE_ROWS_MAX + 1 }, (_, index) => ({
        timestamp: at(100 + index),
        event: 'old',
      })),
    )
    const between = async () => {
      await put([
        { event: 'passed', timestamp: at(99_999) },
        { event: 'to come', timestamp: at(50) },
      ])
    }
    const found = await names({ limit: EVENT_EXPORT_PIECE_ROWS_MAX + 2 }, between)
    t.same(found.slice(-2), ['old', 'to come'])
    t.equal(found.length, EVENT_EXPORT_PIECE_ROWS_MAX + 2)
    await sql`delete from events where event <> 'old'`
    const gone = async () => {
      await sql`delete from events`
    }
    t.equal((await names({}, gone)).length, EVENT_EXPORT_PIECE_ROWS_MAX)
    await clear()
  })

  await t.test('keeps the bounds it began with', async (t) => {
    const events = Array.from({ length: EVENT_EXPORT_PIECE_ROWS_MAX }, () => ({
      timestamp: '2024-03-10T11:30:00Z',
    }))
    await put([...events, { timestamp: '2024-03-10T11:00:01Z', event: 'oldest' }])
    const later = async () => {
      now = '2024-03-10T13:59:59Z'
      await put([{ timestamp: '2024-03-10T12:30:00Z', event: 'newer' }])
    }
    const found = await names({ after: '1h' }, later)
    t.equal(found.length, EVENT_EXPORT_PIECE_ROWS_MAX + 1)
    t.equal(found.at(-1), 'oldest')
    now = '2024-03-10T12:00:00Z'
    const { start = '', cursor } = await piece({ after: '1h' }, { columns_only: true })
    t.not(cursor, '')
    now = '2024-03-10T13:59:59Z'
    t.equal((await piece({ after: '1h' }, { cursor: start })).cursor, cursor)
    now = '2024-03-10T12:00:00Z'
    await clear()
  })

  await t.test('an export of a table is its columns, then its rows', async (t) => {
    await put([
      { timestamp: at(1), event: 'a', properties: { n: 1 } },
      { timestamp: at(2), event: 'b', properties: { n: 2 } },
      { timestamp: at(3), event: 'b' },
    ])
    const query = { select: ['event', 'count()'], order_by: '["event"]' }
    const columns = await piece(query, { columns_only: true })
    t.match(columns, { columns: ['event', 'count()'], is_table: true, cursor: '' })
    const { rows = [], is_table } = await piece(query)
    t.equal(is_table, true)
    t.same(
      rows.map((row) => JSON.parse(row)),
      [
        ['a', 1],
        ['b', 2],
      ],
    )
    t.equal((await piece({ ...query, limit: 1 })).rows?.length, 1)
    await clear()
  })

  await t.test('has no more columns than a table may', async (t) => {
    const wide = Array.from({ length: EVENT_EXPORT_COLUMNS_MAX }, (_, index) => [`k${index}`, 1])
    await put([{ timestamp: at(1), properties: Object.fromEntries(wide) }])
    const columns = piece({}, { columns_only: true })
    t.match(await refusal(columns), { code: 'invalid_input', attr: 'limit' })
    t.match(await piece({}), { rows: { length: 1 } })
    await clear()
  })

  await t.test('counts once, against the rate limits and for the event it asks for', async (t) => {
    const taken: string[] = []
    const policy = createPolicy(methods())
    const throttle = {
      take(rate: string) {
        taken.push(rate)
        return () => {}
      },
    }
    const management = createManagement({
      ...{ db: sql, clock },
      authenticator,
      policy,
      throttle,
    })
    const asked: string[] = []
    const onEventAsked = (_: number, event: string) => void asked.push(event)
    const counted = createEventHandlers({
      ...{ management, clock, onEventAsked },
      ...{
        sql,
        scanSql: sql,
        events: createPostgresEvents(sql),
        queryLimiter: createQueryLimiter(clock),
      },
    })
    await put(Array.from({ length: EVENT_EXPORT_PIECE_ROWS_MAX + 1 }, () => ({ timestamp: at(1) })))
    const request = { project_id, query: { ...QUERY, event: 'e' } }
    const ask = (columns_only: boolean, cursor: string) =>
      counted.ListExportedEvents({ ...request, columns_only, cursor }, as(key))
    const { start = '', cursor = '' } = await ask(true, '')
    await ask(true, cursor)
    await ask(false, start)
    await ask(false, cursor)
    t.same(asked, ['e'])
    t.same(taken, ['query'])
    await clear()
  })
})
