/** The vectors of the specification of insights, asked of the events of a store. */
import type { Test } from 'tap'
import { type Json, listOf, objectOf } from '../../../src/core/json.ts'
import { putEvents, putPerson } from '../ingest/events.ts'
import { asker } from '../query/questions.ts'
import { testDatabase } from '../servers/database.ts'
import { NONE, OTHER } from './breakdowns.ts'
import type { EventsElsewhere } from './check.ts'

const ZONE = { timezone: 'Europe/Berlin', now: '2026-10-27T12:00:00Z' }
const LATER = { timezone: 'Europe/Berlin', now: '2026-12-01T12:00:00Z' }

/** @param events @default in Postgres */
export async function checkVectors(t: Test, events?: EventsElsewhere): Promise<void> {
  const { sql } = await testDatabase(t)
  const of = (project: number, when: typeof ZONE): Vectors => ({
    put: async (all) => {
      await putEvents(sql, project, all)
      await events?.copy(sql, project)
    },
    ...asker(sql, { ...when, project, openEvents: events?.openEvents }),
  })
  for (const distinctIds of [['a', 'a2'], ['b'], ['c']]) await putPerson(sql, 1, { distinctIds })
  for (const id of ['P1', 'P2', 'P3', 'P4', 'P5']) await putPerson(sql, 2, { distinctIds: [id] })
  await t.test('trends', (t) => checkTrends(t, of(1, ZONE)))
  await t.test('funnels', (t) => checkFunnels(t, of(2, LATER)))
  await t.test('retention', (t) => checkRetention(t, of(3, LATER)))
  await putPerson(sql, 4, { distinctIds: ['k', 'k2'], properties: { team: 'red' } })
  await t.test('first events', (t) => checkFirsts(t, of(4, ZONE)))
  await t.test('the end of retention', (t) => checkRetentionEnd(t, of(6, LATER)))
  await t.test('values of funnels', (t) => checkFunnelValues(t, of(7, LATER)))
  await t.test('a trend of a funnel', (t) => checkFunnelTrend(t, of(8, LATER)))
  await t.test('values named like rows', (t) => checkRowNames(t, of(5, ZONE)))
}

type Vectors = ReturnType<typeof asker> & {
  readonly put: (events: Parameters<typeof putEvents>[2]) => Promise<void>
}

async function checkTrends(t: Test, { put, rows, ask }: Vectors): Promise<void> {
  await put(TREND_EVENTS)
  for (const [math, data] of Object.entries(MATHS)) {
    const isOfNumber = NUMBERS.includes(math)
    const node = view(math, isOfNumber ? { math_property: 'amount' } : {})
    const [row] = await rows(trends([node]))
    t.strictSame(row?.data, data, math)
  }
  const bold = { trendsFilter: { display: 'BoldNumber' } }
  t.equal((await rows(trends([view('dau')], bold)))[0]?.aggregated_value, 4)
  const paid = { kind: 'EventsNode', event: 'paid' }
  const formula = { trendsFilter: { formula: 'A/B' } }
  t.strictSame((await rows(trends([paid, view('total')], formula)))[0]?.data, [1 / 3, 1 / 2, 0])
  const breakdownFilter = { breakdown: 'browser', breakdown_type: 'event', breakdown_limit: 2 }
  const byBrowser = trends([view('total')], { breakdownFilter })
  const answer = await ask(byBrowser)
  t.ok(answer.ok && answer.value['hasMore'])
  const found = await rows(byBrowser)
  t.strictSame(
    found.map(({ breakdown_value, data }) => [breakdown_value, data]),
    BROWSERS,
  )
  const range = { date_from: '2026-10-25', date_to: '2026-10-25' }
  const hours = trends([view('total')], { dateRange: range, interval: 'hour' })
  const data = (await rows(hours))[0]?.data ?? []
  const ones = [...data.entries()].filter(([, count]) => count === 1).map(([hour]) => hour)
  t.strictSame([data.length, ones], [25, [0, 14, 24]])
}

/** Values that are named like rows: the sum of the rows is the number of events. */
async function checkRowNames(t: Test, { put, rows }: Vectors): Promise<void> {
  const values = [NONE, undefined, 'x', OTHER, OTHER, OTHER, 'y', 'x', 'x', 'x']
  const day = (nth: number) => `2026-10-25T1${nth}:00:00Z`
  await put(
    values.map((v, nth) => ({
      ...{ event: 'named', distinctId: 'k', timestamp: day(nth) },
      properties: v === undefined ? {} : { v },
    })),
  )
  const series: Json = [{ kind: 'EventsNode', event: 'named' }]
  const by = (breakdown_limit: number) => ({
    breakdownFilter: { breakdown: 'v', breakdown_type: 'event', breakdown_limit },
  })
  const cells = [
    ['x', 4],
    [NONE, 2],
  ] as const
  for (const [limit, more] of [
    [1, [[OTHER, 4]]],
    [
      5,
      [
        ['y', 1],
        [OTHER, 3],
      ],
    ],
  ] as const) {
    const found = await rows(trends(series, by(limit)))
    const counts = found.map(({ breakdown_value, count }) => [breakdown_value, count])
    t.strictSame(counts.toSorted(), [...cells, ...more].toSorted(), `a limit of ${limit}`)
    const dau = [{ kind: 'EventsNode', event: 'named', math: 'dau' }]
    const actors = await rows(trends(dau, by(limit)))
    t.strictSame(
      actors.map(({ breakdown_value, data }) => [breakdown_value, data[0]]).toSorted(),
      counts.map(([value]) => [value, 1]).toSorted(),
    )
  }
  const steps = [...(series as readonly Json[]), ...(series as readonly Json[])]
  const lists = (await rows({
    ...{ kind: 'FunnelsQuery', series: steps, dateRange: { date_from: '2026-10-25' } },
    breakdownFilter: { breakdown: 'v', breakdown_type: 'event' },
    funnelsFilter: { breakdownAttributionType: 'all_events' },
  })) as unknown as readonly (readonly { breakdown_value: string; count: number }[])[]
  t.strictSame(
    lists.map(([first]) => [first?.breakdown_value, first?.count]).toSorted(),
    [NONE, OTHER, 'x', 'y'].map((value) => [value, 1]),
  )
}

/** Times of a `paid` that passes the filters, and of one that does not: the first of each actor. */
async function checkFirsts(t: Test, { put, rows }: Vectors): Promise<void> {
  const paid = (distinctId: string, timestamp: string, plan: string, browser = 'Chrome') => ({
    ...{ event: 'paid', distinctId, timestamp: `2026-${timestamp}Z` },
    properties: { plan, browser },
  })
  await put([
    paid('k', '09-01T00:00:00', 'free'),
    paid('k2', '10-25T12:00:00', 'pro'),
    paid('k', '10-26T12:00:00', 'pro'),
    paid('l', '10-25T10:00:00', 'pro', 'Safari'),
    paid('l', '10-26T10:00:00', 'pro'),
    paid('m', '10-26T10:00:00', 'free'),
    paid('m', '10-27T10:00:00', 'pro'),
    { event: 'view', distinctId: 'n', timestamp: '2026-10-24T10:00:00Z' },
    paid('n', '10-27T11:00:00', 'pro'),
  ])
  const pro: Json = [{ key: 'plan', value: ['pro'], operator: 'exact', type: 'event' }]
  const red: Json = [{ key: 'team', value: ['red'], operator: 'exact', type: 'person' }]
  const node = (math: string, properties: Json): Json => ({
    ...{ kind: 'EventsNode', event: 'paid', math, properties },
  })
  const first = (properties: Json) => [
    node('first_time_for_user', properties),
    node('first_matching_event_for_user', properties),
  ]
  const dataOf = async (more: Record<string, Json>, series: readonly Json[]) =>
    (await rows({ ...trends(series), ...more })).map(({ data }) => data)
  t.strictSame(await dataOf({}, first([])), [
    [1, 1, 1],
    [1, 1, 1],
  ])
  t.strictSame(await dataOf({}, first(pro)), [
    [1, 0, 1],
    [2, 0, 2],
  ])
  t.strictSame(await dataOf({ properties: pro }, first(red)), [
    [0, 0, 0],
    [1, 0, 0],
  ])
  const bold = { trendsFilter: { display: 'BoldNumber' } }
  const whole = await rows({ ...trends(first(pro)), ...bold })
  t.strictSame(
    whole.map(({ aggregated_value }) => aggregated_value),
    [2, 4],
  )
  const breakdownFilter = { breakdown: 'browser', breakdown_type: 'event' }
  t.strictSame(await dataOf({ breakdownFilter }, [node('first_time_for_user', pro)]), [
    [0, 0, 1],
    [1, 0, 0],
  ])
  const source = { kind: 'InsightActorsQuery', source: trends(first(pro)), day: '2026-10-25' }
  for (const [series, ids] of [['l'], ['k', 'l']].entries()) {
    const behind = await rows({ kind: 'ActorsQuery', source: { ...source, series } })
    const names = behind.map((row) => listOf(row as unknown as Json).map(objectOf))
    t.strictSame(
      names.map(([actor]) => listOf(actor?.['distinct_ids'] ?? []).toSorted()[0]),
      ids,
    )
  }
}

async function checkFunnels(t: Test, { put, ask }: Vectors): Promise<void> {
  await put(FUNNEL_EVENTS)
  const series = ['A', 'B', 'C'].map((event) => ({ kind: 'EventsNode', event }))
  const dateRange = { date_from: '2026-10-01', date_to: '2026-10-31' }
  for (const [name, funnelsFilter, counts, averages, medians] of FUNNELS) {
    const answer = await ask({ kind: 'FunnelsQuery', series, dateRange, funnelsFilter })
    if (!answer.ok) throw new Error(`${name}: ${answer.error.detail}`)
    const steps: readonly Record<string, unknown>[] = JSON.parse(
      JSON.stringify(answer.value['results']),
    )
    const of = (member: string) => steps.map((step) => step[member])
    t.strictSame(of('count'), counts, name)
    t.strictSame(of('average_conversion_time').slice(1), averages, name)
    t.strictSame(of('median_conversion_time').slice(1), medians, name)
  }
}

/** Paid by plan: only a `pro` views, and a `free` pays. */
async function checkFunnelValues(t: Test, { put, ask, rows }: Vectors): Promise<void> {
  const of = (event: string, distinctId: string, plan: string, hour: number) => ({
    ...{ event, distinctId, properties: { plan } },
    timestamp: `2026-10-05T${hour}:00:00Z`,
  })
  await put([
    of('view', 'u', 'pro', 10),
    of('paid', 'v', 'free', 11),
    of('paid', 'w', 'free', 12),
    of('paid', 'x', 'basic', 12),
  ])
  const asked = (breakdownAttributionType: string, breakdown_limit: number): Json => ({
    kind: 'FunnelsQuery',
    series: ['view', 'paid'].map((event) => ({ kind: 'EventsNode', event })),
    dateRange: { date_from: '2026-10-01', date_to: '2026-10-31' },
    breakdownFilter: { breakdown: 'plan', breakdown_type: 'event', breakdown_limit },
    funnelsFilter: { breakdownAttributionType },
  })
  for (const type of ['first_touch', 'last_touch', 'all_events']) {
    for (const limit of [1, 2, 25]) {
      const answer = await ask(asked(type, limit))
      const pro = { breakdown_value: 'pro' }
      t.match(answer, {
        value: {
          results: [
            [
              { ...pro, count: 1 },
              { ...pro, count: 0 },
            ],
          ],
          hasMore: false,
        },
      })
      t.equal((await rows(asked(type, limit))).length, 1, `${type}, ${limit}`)
    }
  }
  const behind = (breakdown: string): Json => ({
    kind: 'ActorsQuery',
    source: {
      ...{ kind: 'InsightActorsQuery', source: asked('first_touch', 1), funnelStep: 1, breakdown },
    },
  })
  t.equal((await rows(behind('pro'))).length, 1)
  t.match(await ask(behind('free')), { error: { attr: 'query.source.breakdown' } })
}

/** An actor who enters on three days, and converts of two of these entries. */
async function checkFunnelTrend(t: Test, { put, rows }: Vectors): Promise<void> {
  const on = (event: string, day: string) => ({
    ...{ event, distinctId: 'u', timestamp: `2026-10-${day}:00:00Z` },
  })
  await put([
    on('A', '05T10'),
    on('A', '06T10'),
    on('B', '06T12'),
    on('A', '07T10'),
    on('B', '09T12'),
  ])
  const asked = (funnelsFilter: Record<string, Json>): Json => ({
    kind: 'FunnelsQuery',
    series: ['A', 'B'].map((event) => ({ kind: 'EventsNode', event })),
    dateRange: { date_from: '2026-10-05', date_to: '2026-10-09' },
    interval: 'day',
    funnelsFilter: { funnelVizType: 'trends', ...funnelsFilter },
  })
  const month = { funnelWindowInterval: 14 }
  const day = { funnelWindowInterval: 1 }
  const strict = { funnelOrderType: 'strict' }
  const unordered = { funnelOrderType: 'unordered', ...day }
  const expected = [
    [month, [1, 1, 1, 0, 0], [1, 1, 1, 0, 0]],
    [day, [1, 1, 1, 0, 0], [0, 1, 0, 0, 0]],
    [strict, [1, 1, 1, 0, 0], [0, 1, 1, 0, 0]],
    [unordered, [1, 1, 1, 0, 1], [0, 1, 0, 0, 0]],
  ] as const
  for (const [filter, entered, converted] of expected) {
    const [row] = (await rows(asked(filter))) as unknown as Record<string, readonly number[]>[]
    t.strictSame(
      [row?.['entered'], row?.['converted']],
      [entered, converted],
      JSON.stringify(filter),
    )
    for (const [nth, count] of entered.entries()) {
      const source = { kind: 'InsightActorsQuery', source: asked(filter), funnelStep: 1 }
      const point = { ...source, day: `2026-10-0${5 + nth}` }
      t.equal((await rows({ kind: 'ActorsQuery', source: point })).length, count)
    }
  }
}

async function checkRetention(t: Test, { put, ask }: Vectors): Promise<void> {
  await put(
    Object.entries({ p1: [0, 1, 2, 5, 5, 6], p2: [1, 2, 3, 6] }).flatMap(([distinctId, days]) =>
      days.map((day) => ({ event: 'A', distinctId, timestamp: `2026-10-0${day + 1}T12:00:00Z` })),
    ),
  )
  for (const [retentionType, counts] of Object.entries(RETENTION)) {
    const answer = await ask({
      kind: 'RetentionQuery',
      dateRange: { date_from: '2026-10-01' },
      retentionFilter: {
        ...{ period: 'Day', totalIntervals: 7, retentionType },
        ...{ targetEntity: { id: 'A' }, returningEntity: { id: 'A' } },
      },
    })
    if (!answer.ok) throw new Error(answer.error.detail)
    const rows: readonly { values: readonly { count: number }[] }[] = JSON.parse(
      JSON.stringify(answer.value['results']),
    )
    t.strictSame(
      rows.map(({ values }) => values.map(({ count }) => count).join(' ')),
      counts,
    )
  }
}

/** By weeks of 2026: the 9th of February is a Monday, the 26th lies in the third week from there. */
async function checkRetentionEnd(t: Test, { put, ask, rows }: Vectors): Promise<void> {
  await put(
    ['02-09', '02-16', '02-26', '02-28', '03-03', '03-10'].map((day, nth) => ({
      ...{ event: 'A', distinctId: `r${nth % 2}`, timestamp: `2026-${day}T12:00:00Z` },
    })),
  )
  const source = {
    kind: 'RetentionQuery',
    dateRange: { date_from: '2026-02-09', date_to: '2026-02-26' },
    retentionFilter: {
      ...{ period: 'Week', totalIntervals: 5 },
      ...{ targetEntity: { id: 'A' }, returningEntity: { id: 'A' } },
    },
  }
  const answer = await ask(source)
  t.match(answer, {
    ok: true,
    value: {
      results: [
        { label: 'Week 0', values: [{ count: 1 }, { count: 0 }, { count: 1, complete: true }] },
        { label: 'Week 1', values: [{ count: 1 }, { count: 1 }] },
        { label: 'Week 2', values: [{ count: 2 }] },
      ],
      resolved_date_range: { date_from: /^2026-02-09T00:00:00/, date_to: /^2026-03-01T23:59:59/ },
    },
  })
  const [counted] = [await rows(source)]
  t.equal(counted?.length, 3, 'no row begins after the range')
  const of = (point: Record<string, Json>): Json => ({
    kind: 'ActorsQuery',
    source: { kind: 'InsightActorsQuery', source, ...point },
  })
  t.equal((await rows(of({ interval: 2 }))).length, 2, 'a row without a day is its group')
  t.equal((await rows(of({ interval: 0, day: 2 }))).length, 1)
  const path = 'query.source'
  t.match(await ask(of({ interval: 3, day: 0 })), { error: { attr: `${path}.interval` } })
  t.match(await ask(of({ interval: 1, day: 2 })), { error: { attr: `${path}.day` } })
}

const at = (distinctId: string, timestamp: string, properties: Record<string, Json>) => ({
  ...{ event: 'view', distinctId, timestamp: `2026-${timestamp}Z`, properties },
})
const TREND_EVENTS = [
  at('a', '10-24T22:30:00', { amount: 10, $session_id: 's1', browser: 'Chrome' }),
  at('a2', '10-25T12:00:00', { amount: 20, $session_id: 's1', browser: 'Chrome' }),
  at('b', '10-25T22:30:00', { amount: 40, $session_id: 's2', browser: 'Safari' }),
  at('b', '10-25T23:30:00', { amount: 'x', $session_id: 's2', browser: 'Firefox' }),
  at('c', '10-26T10:00:00', { $session_id: 's3' }),
  at('d', '10-27T10:00:00', { amount: 5, browser: 'Safari' }),
  { event: 'paid', distinctId: 'a', timestamp: '2026-10-25T13:00:00Z' },
  { event: 'paid', distinctId: 'c', timestamp: '2026-10-26T11:00:00Z' },
]
const NUMBERS = ['sum', 'avg', 'median', 'p90']
const MATHS = {
  ...{ total: [3, 2, 1], dau: [2, 2, 1], weekly_active: [2, 3, 4], unique_session: [2, 2, 0] },
  ...{ sum: [70, 0, 5], avg: [70 / 3, 0, 5], median: [20, 0, 5], p90: [36, 0, 5] },
}
const BROWSERS = [
  ['Chrome', [2, 0, 0]],
  ['Safari', [1, 0, 1]],
  ['$$_posthog_breakdown_null_$$', [0, 1, 0]],
  ['$$_posthog_breakdown_other_$$', [0, 1, 0]],
]

function view(math: string, more: Record<string, Json> = {}): Record<string, Json> {
  return { kind: 'EventsNode', event: 'view', math, ...more }
}

function trends(series: readonly Json[], more: Record<string, Json> = {}): Record<string, Json> {
  const dateRange = { date_from: '2026-10-25', date_to: '2026-10-27' }
  return { kind: 'TrendsQuery', series, dateRange, interval: 'day', ...more }
}

const FUNNEL_EVENTS = [
  ...['P1 A 05T10:00', 'P1 A 05T10:10', 'P1 B 05T10:20', 'P1 C 05T11:00'],
  ...['P2 A 05T10:00', 'P2 C 05T10:05', 'P2 B 05T10:10'],
  ...['P3 B 05T09:00', 'P3 A 05T10:00', 'P3 B 05T10:00'],
  ...['P4 A 05T10:00', 'P4 X 05T10:05', 'P4 B 05T10:10', 'P4 C 05T10:20'],
  ...['P5 A 05T10:00', 'P5 B 20T10:00'],
].map((text) => {
  const [distinctId = '', event = '', time] = text.split(' ')
  return { event, distinctId, timestamp: `2026-10-${time}:00Z` }
})

type FunnelVector = readonly [
  name: string,
  filter: Record<string, Json>,
  counts: readonly number[],
  averages: readonly number[],
  medians: readonly number[],
]
const FUNNELS: readonly FunnelVector[] = [
  ['ordered', {}, [5, 4, 2], [600, 1500], [600, 1500]],
  ['strict', { funnelOrderType: 'strict' }, [5, 2, 1], [600, 2400], [600, 2400]],
  ['unordered', { funnelOrderType: 'unordered' }, [5, 4, 3], [1425, 1100], [900, 600]],
  [
    ...([
      'excluded',
      { exclusions: [{ event: 'X', funnelFromStep: 0, funnelToStep: 1 }] },
    ] as const),
    ...([
      [4, 3, 1],
      [600, 2400],
      [600, 2400],
    ] as const),
  ],
  [
    ...([
      'half an hour',
      { funnelWindowInterval: 30, funnelWindowIntervalUnit: 'minute' },
    ] as const),
    ...([
      [5, 4, 1],
      [600, 600],
      [600, 600],
    ] as const),
  ],
]

const RETENTION = {
  retention_recurring: [
    ...['1 1 1 0 0 1 1', '2 2 1 0 1 2', '2 1 0 1 2', '1 0 0 1', '0 0 0', '1 1', '2'],
  ],
  retention_first_time: [
    ...['1 1 1 0 0 1 1', '1 1 1 0 0 1', '0 0 0 0 0', '0 0 0 0', '0 0 0', '0 0', '0'],
  ],
}
