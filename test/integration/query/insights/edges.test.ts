/** Questions at the edges of time, of values and of projects. */
import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const NODE = { kind: 'EventsNode', event: 'view' }

function trends(date_from: string, date_to: string, more: Record<string, Json> = {}) {
  return { kind: 'TrendsQuery', series: [NODE], dateRange: { date_from, date_to }, ...more }
}

const HOSTILE = {
  ...trends('2026-03-30', '2026-03-30'),
  series: [{ ...NODE, event: 'hostile' }],
}
const HOSTILE_NAMES: readonly string[] = [
  ...["'; drop table events; --", `a' -> "b"`, '$1', '$$_posthog_breakdown_null_$$', '%s', '\\'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'a.b.c',
    '{a,b}',
    '*',
    '?',
    ' ',
    '\n\t',
    '\ud83d\ude00',
  ],
  ...['x'.repeat(400), 'e.event', 'properties', 'null', '0'],
]

t.test('ranges', async (t) => {
  const { sql } = await testDatabase(t)
  await putEvents(sql, 1, [
    { event: 'view', timestamp: '2026-03-29T00:30:00Z' },
    { event: 'view', timestamp: '2026-03-29T18:29:59.999999Z' },
    { event: 'view', timestamp: '2026-03-29T18:30:00Z' },
  ])
  const now = '2026-04-01T12:00:00Z'
  const { rows, ask } = asker(sql, { timezone: 'Europe/Berlin', now })

  t.test('no event, a time before all of them, and the future: zeros', async (t) => {
    const empty = asker(sql, { project: 2, timezone: 'UTC', now })
    for (const [from, to, data] of [
      ['2026-03-28', '2026-03-29', [0, 0]],
      ['1969-12-31', '1970-01-01', [0, 0]],
      ['2030-01-01', '2030-01-02', [0, 0]],
    ] as const) {
      for (const asked of from === '2026-03-28' ? [empty] : [empty, { rows }]) {
        const [row] = await asked.rows(trends(from, to))
        t.strictSame(row?.data, data, from)
      }
    }
    const [all] = await empty.rows(trends('all', '2026-03-29'))
    t.strictSame(all?.data, [0])
    const [future] = await rows(trends('2030-01-01', '2030-01-02'))
    t.equal(future?.incomplete_from, 0)
  })

  t.test('a day of 23 hours', async (t) => {
    const [row] = await rows(trends('2026-03-29', '2026-03-29', { interval: 'hour' }))
    t.equal(row?.data.length, 23)
    t.notOk(row?.buckets.some((start) => start.includes('T02:')))
    t.equal(row?.count, 3)
  })

  t.test('a zone of five and a half hours', async (t) => {
    const kolkata = asker(sql, { timezone: 'Asia/Kolkata', now })
    const [row] = await kolkata.rows(trends('2026-03-29', '2026-03-30'))
    t.strictSame(row?.data, [2, 1])
    t.equal(row?.buckets[0], '2026-03-29T00:00:00+05:30')
  })

  t.test('1,000 buckets, and one more', async (t) => {
    const most = await rows(
      trends('2026-01-01T00:00:00Z', '2026-02-11T16:00:00Z', { interval: 'hour' }),
    )
    t.equal(most[0]?.data.length, 1_000)
    const more = await ask(
      trends('2026-01-01T00:00:00Z', '2026-02-11T16:00:00.001Z', { interval: 'hour' }),
    )
    t.match(more, { ok: false, error: { attr: 'query.interval', code: 'invalid_input' } })
  })
})

t.test('the first years of the calendar, and years before them', async (t) => {
  const { sql } = await testDatabase(t)
  await putEvents(sql, 1, [
    { event: 'view', timestamp: '0001-01-01T12:00:00Z' },
    { event: 'view', timestamp: '0050-06-15T12:00:00Z' },
  ])
  const { rows, ask } = asker(sql, { timezone: 'Europe/Berlin', now: '2026-04-01T12:00:00Z' })

  t.test('each has its buckets', async (t) => {
    const of = async (day: string, interval: string, more: Record<string, Json> = {}) =>
      (await rows(trends(day, day, { interval, ...more }))).map(({ days, data }) => [
        days[0],
        data.reduce((sum, each) => sum + each, 0),
      ])
    for (const interval of ['hour', 'day', 'week', 'month']) {
      const [[, count] = []] = await of('0001-01-01', interval)
      t.equal(count, 1, interval)
    }
    t.strictSame(await of('0050-06-15', 'month'), [['0050-06-01', 1]])
    const compareFilter = { compare: true }
    t.strictSame(await of('0001-01-01', 'day', { compareFilter }), [
      ['0001-01-01', 1],
      ['0000-12-31', 0],
    ])
    t.strictSame(await of('0000-01-01', 'week'), [['-000001-12-27', 0]])
  })

  t.test('no question about a time before them fails', async (t) => {
    const dateRange = { date_from: '-9999y' }
    const [view] = trends('-1d', '-1d').series
    for (const question of [
      { kind: 'FunnelsQuery', series: [view, view] },
      { kind: 'PathsQuery' },
      { kind: 'RetentionQuery' },
    ]) {
      const answer = await ask({ ...question, dateRange } as Json)
      t.ok(answer.ok, question.kind)
    }
    for (const kind of ['TrendsQuery', 'StickinessQuery', 'LifecycleQuery']) {
      const answer = await ask({ kind, series: [view], dateRange } as Json)
      t.match(answer, { ok: false, error: { attr: 'query.interval' } }, kind)
    }
    const last = { date_from: '9990-01-01', date_to: '9999-12-31' }
    const lifecycle = { kind: 'LifecycleQuery', series: [view], dateRange: last, interval: 'month' }
    t.ok((await ask(lifecycle as Json)).ok, 'the last month ends in a year with five digits')
    const far = trends('0001-01-01', '9999-12-31', { compareFilter: { compare: true } })
    t.match(await ask(far), { ok: false, error: { attr: 'query.interval' } })
    const compareFilter = { compare: true, compare_to: '-9999y' }
    const refused = await ask(trends('-1d', '-1d', { compareFilter }))
    t.match(refused, { ok: false, error: { attr: 'query.compareFilter.compare_to' } })
    const [, before] = await rows(
      trends('-1d', '-1d', { compareFilter: { compare: true, compare_to: '-4000y' } }),
    )
    t.strictSame(before?.data, [0])
  })
})

t.test('values', async (t) => {
  const { sql } = await testDatabase(t)
  const now = '2026-04-01T12:00:00Z'
  const { rows, ask } = asker(sql, { timezone: 'UTC', now })
  const at = (properties: object) => ({
    ...{ event: 'view', timestamp: '2026-03-30T10:00:00Z', properties },
  })

  t.test('a property with dots in its name is one name', async (t) => {
    await putEvents(sql, 1, [at({ 'a.b': 'flat' }), at({ a: { b: 'nested' } })])
    const breakdownFilter = { breakdown: 'a.b', breakdown_type: 'event' }
    const found = await rows(trends('2026-03-30', '2026-03-30', { breakdownFilter }))
    t.strictSame(
      found.map(({ breakdown_value, data }) => [breakdown_value, data]),
      [
        ['flat', [1]],
        ['$$_posthog_breakdown_null_$$', [1]],
      ],
    )
  })

  t.test('whatever a property is called, it is a name', async (t) => {
    const event = 'hostile'
    await putEvents(
      sql,
      1,
      HOSTILE_NAMES.map((name, index) => ({
        ...at(Object.fromEntries([[name, index + 1]])),
        event,
      })),
    )
    for (const [index, name] of HOSTILE_NAMES.entries()) {
      const count = index + 1
      const breakdownFilter = { breakdown: name, breakdown_type: 'event' }
      const by = await rows({ ...HOSTILE, breakdownFilter })
      t.match(by[0], { breakdown_value: String(count), data: [1] }, `breakdown by ${name}`)
      const properties = [{ key: name, value: count }]
      t.strictSame((await rows({ ...HOSTILE, properties }))[0]?.data, [1], `filter by ${name}`)
      const series = [{ ...NODE, event, math: 'sum', math_property: name }]
      t.strictSame((await rows({ ...HOSTILE, series }))[0]?.data, [count], `sum of ${name}`)
      const steps = [
        { ...NODE, event, properties },
        { ...NODE, event },
      ]
      const funnel = { ...HOSTILE, kind: 'FunnelsQuery', series: steps, breakdownFilter }
      t.ok((await ask(funnel)).ok, `funnel by ${name}`)
    }
  })

  t.test('100,000 values: the first ones by code point, all others together', async (t) => {
    await putEvents(sql, 1, [at({})])
    await sql`
      insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
      select 1, '2026-03-30', gen_random_uuid(), '2026-03-30T11:00:00Z', 'many', 'd',
        jsonb_build_object('v', lpad(n::text, 6, '0'))
      from generate_series(1, 100000) as n`
    const answer = await ask({
      ...trends('2026-03-30', '2026-03-30'),
      series: [{ ...NODE, event: 'many' }],
      breakdownFilter: { breakdown: 'v', breakdown_type: 'event', breakdown_limit: 2 },
    })
    t.ok(answer.ok)
    t.match(JSON.parse(JSON.stringify(answer.ok ? answer.value : answer.error)), {
      hasMore: true,
      results: [
        { breakdown_value: '000001', data: [1] },
        { breakdown_value: '000002', data: [1] },
        { breakdown_value: '$$_posthog_breakdown_other_$$', data: [99_998] },
      ],
    })
  })
})

t.test('between two questions persons are merged, and all of a project goes', async (t) => {
  const { sql } = await testDatabase(t)
  const first = await putPerson(sql, 1, { distinctIds: ['a'] })
  const second = await putPerson(sql, 1, { distinctIds: ['b'] })
  await putEvents(
    sql,
    1,
    ['a', 'b', 'lone'].map((distinctId) => ({
      ...{ event: 'view', distinctId, timestamp: '2026-03-30T10:00:00Z' },
    })),
  )
  const { rows } = asker(sql, { timezone: 'UTC', now: '2026-04-01T12:00:00Z' })
  const actors = async () => {
    const question = trends('2026-03-29', '2026-03-30', { series: [{ ...NODE, math: 'dau' }] })
    const [row] = await rows(question)
    return row?.data
  }
  t.strictSame(await actors(), [0, 3])
  await sql`update distinct_ids set person_id = ${first.id}::text::bigint
    where project_id = 1 and person_id = ${second.id}::text::bigint`
  t.strictSame(await actors(), [0, 2])
  for (const table of ['events', 'event_counts', 'distinct_ids', 'persons']) {
    await sql`delete from ${sql(table)} where project_id = 1`
  }
  t.strictSame(await actors(), [0, 0])
})
