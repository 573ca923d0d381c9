/** Funnels by value, their times and trends, paths, tables: what is wrong with each member. */
import type { ApiCase, Expectation } from '../support/case.ts'

const PATH = '/api/projects/{ways}/query/'

const captured: readonly ApiCase[] = [
  {
    name: 'a project whose visitors take ways',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Ways' },
    expect: { status: 201 },
    save: { ways: 'id', ways_token: 'api_token' },
  },
  {
    name: 'ways of two visitors are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{ways_token}',
      batch: [
        ['anna', '$pageview', '10:00:00', { $pathname: '/', 'a.b': 'x' }],
        ['anna', '$pageview', '10:00:10', { $pathname: '/a', 'a.b': 'y' }],
        ['anna', 'paid', '10:01:00', {}],
        ['ben', '$pageview', '10:00:00', { $pathname: '/', 'a.b': 'y' }],
      ].map(([distinctId, event, time, properties]) => ({
        ...{ event, distinct_id: distinctId, properties, timestamp: `2024-05-02T${time}Z` },
      })),
    },
    expect: { status: 200 },
  },
]

const RANGE = { date_from: '2024-05-01', date_to: '2024-05-03' }
const FUNNEL = {
  kind: 'FunnelsQuery',
  series: ['$pageview', 'paid'].map((event) => ({ kind: 'EventsNode', event })),
  dateRange: RANGE,
}
const PATHS = { kind: 'PathsQuery', dateRange: RANGE }

function ask(name: string, query: unknown, expect: Expectation): ApiCase {
  return {
    ...{ name, endpoint: 'POST /api/projects/{project_id}/query/', path: PATH, body: { query } },
    shows: expect.status === 200 ? 'success' : 'error',
    unlogged: 'a question reads',
    expect,
  }
}

function funnel(name: string, more: Record<string, unknown>, results: unknown): ApiCase {
  return ask(name, { ...FUNNEL, ...more }, { status: 200, body: { results } })
}

const EVENTS = { kind: 'EventsQuery' }

const tables: readonly ApiCase[] = [
  ask(
    'a table of events, a page of it',
    {
      ...EVENTS,
      select: ['distinct_id', 'event', 'properties.`a.b`'],
      where: ["event != 'paid'"],
      after: '2024-05-01',
      before: '2024-05-03',
      orderBy: ['timestamp', 'distinct_id'],
      limit: 2,
      offset: 1,
    },
    {
      status: 200,
      keys: [
        ...['columns', 'types', 'results', 'hasMore', 'limit', 'offset', 'count', 'pinned_before'],
        ...['timezone', 'is_cached', 'last_refresh', 'cache_key', 'timings'],
      ],
      body: {
        columns: ['distinct_id', 'event', 'properties.`a.b`'],
        results: [
          ['ben', '$pageview', 'y'],
          ['anna', '$pageview', 'y'],
        ],
        ...{ hasMore: false, limit: 2, offset: 1, count: 3 },
      },
    },
  ),
  ask(
    'groups of events',
    {
      ...EVENTS,
      select: ['event', 'count()'],
      properties: [{ key: '$pathname', value: '/', operator: 'exact' }],
    },
    { status: 200, body: { results: [['$pageview', 2]], hasMore: false, limit: 100, count: 1 } },
  ),
  ask(
    'whole events where nothing is selected',
    { ...EVENTS, event: 'paid' },
    { status: 200, body: { columns: ['*'], results: [[{ event: 'paid', distinct_id: 'anna' }]] } },
  ),
  ask(
    'a table among other questions',
    [{ ...EVENTS, select: ['count()'] }, PATHS, { ...EVENTS, select: ['cake'] }],
    {
      status: 200,
      body: {
        results: [{ results: [[4]] }, { results: [{}, {}] }, { error: { attr: 'query.2.select' } }],
      },
    },
  ),
]

/** Members of `EventsQuery` that are wrong. */
const WRONG_EVENTS: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['an unknown member of a table', { cake: 1 }, 'cake'],
  ['a range of a table', { dateRange: RANGE }, 'dateRange'],
  ['columns that are no list', { select: 'event' }, 'select'],
  ['a column that is no text', { select: [1] }, 'select'],
  ['a column that cannot be read', { select: ['event; drop table events'] }, 'select'],
  ['too many columns', { select: Array.from({ length: 33 }, () => 'event') }, 'select'],
  ['a column that is too long', { select: [`'${'a'.repeat(4_100)}'`] }, 'select'],
  ['a condition that is none', { where: ['event'] }, 'where'],
  ['conditions that are no list', { where: {} }, 'where'],
  ['an order that is no list', { orderBy: 'timestamp' }, 'orderBy'],
  ['an order by something unknown', { orderBy: ['cake'] }, 'orderBy'],
  ['filters that cannot be read', { properties: [{ key: 1 }] }, 'properties'],
  ['an event that is no text', { event: 1 }, 'event'],
  ['a begin that is no date', { after: 'cake' }, 'after'],
  ['an end that is no date', { before: '2024-13-01' }, 'before'],
  ['too many rows', { limit: 10_001 }, 'limit'],
  ['no rows', { limit: 0 }, 'limit'],
  ['a page before the first', { offset: -1 }, 'offset'],
]

const answers: readonly ApiCase[] = [
  funnel('a funnel by the first value of a property', { breakdownFilter: { breakdown: 'a.b' } }, [
    [
      { order: 0, count: 1, breakdown: 'y', breakdown_value: 'y' },
      { order: 1, count: 0, breakdown_value: 'y' },
    ],
    [
      { order: 0, count: 1, breakdown_value: 'x' },
      { order: 1, count: 1, breakdown_value: 'x' },
    ],
  ]),
  funnel(
    'a name that means something elsewhere is a name',
    { breakdownFilter: { breakdown: `a' -> "b" %s $1 \\ __proto__` } },
    [[{ count: 2, breakdown_value: '$$_posthog_breakdown_null_$$' }, { count: 1 }]],
  ),
  funnel(
    'the times of a funnel',
    { funnelsFilter: { funnelVizType: 'time_to_convert' } },
    {
      bins: [
        [50, 1],
        [110, 0],
      ],
      average_conversion_time: 50,
    },
  ),
  funnel('a funnel by the day of entry', { funnelsFilter: { funnelVizType: 'trends' } }, [
    { data: [0, 50, 0], entered: [0, 2, 0], converted: [0, 1, 0], count: 50 },
  ]),
  ask('paths', PATHS, {
    status: 200,
    body: {
      results: [
        { source: '1_/', target: '2_/a', value: 1, average_conversion_time: 10_000 },
        { source: '2_/a', target: '3_paid', value: 1, average_conversion_time: 50_000 },
      ],
    },
  }),
  ask(
    'paths from a point that nobody came by',
    { ...PATHS, pathsFilter: { startPoint: `/'; drop table events; --` } },
    { status: 200, body: { results: [] } },
  ),
]

/** Wrong questions, and the path that the error names. */
const WRONG: readonly (readonly [string, Record<string, unknown>, string])[] = [
  [
    'a breakdown that is no text',
    { breakdownFilter: { breakdown: 1 } },
    'breakdownFilter.breakdown',
  ],
  [
    'a breakdown that is too long',
    { breakdownFilter: { breakdown: 'a'.repeat(401) } },
    'breakdownFilter.breakdown',
  ],
  [
    'too many values',
    { breakdownFilter: { breakdown: 'a', breakdown_limit: 1_001 } },
    'breakdownFilter.breakdown_limit',
  ],
  [
    'an unknown attribution',
    {
      breakdownFilter: { breakdown: 'a' },
      funnelsFilter: { breakdownAttributionType: 'cake' },
    },
    'funnelsFilter.breakdownAttributionType',
  ],
  [
    'an attribution without a breakdown',
    { funnelsFilter: { breakdownAttributionType: 'last_touch' } },
    'funnelsFilter.breakdownAttributionType',
  ],
  [
    'a step to attribute to that there is not',
    {
      breakdownFilter: { breakdown: 'a' },
      funnelsFilter: { breakdownAttributionType: 'step', breakdownAttributionValue: 2 },
    },
    'funnelsFilter.breakdownAttributionValue',
  ],
  [
    'a step of another attribution',
    { breakdownFilter: { breakdown: 'a' }, funnelsFilter: { breakdownAttributionValue: 0 } },
    'funnelsFilter.breakdownAttributionValue',
  ],
  [
    'an unknown form of a funnel',
    { funnelsFilter: { funnelVizType: 'cake' } },
    'funnelsFilter.funnelVizType',
  ],
  [
    'steps to tell between where all are told',
    { funnelsFilter: { funnelToStep: 1 } },
    'funnelsFilter.funnelToStep',
  ],
  [
    'steps in the wrong order',
    {
      series: [...FUNNEL.series, ...FUNNEL.series],
      funnelsFilter: { funnelVizType: 'trends', funnelFromStep: 2, funnelToStep: 1 },
    },
    'funnelsFilter.funnelToStep',
  ],
  [
    'a step that there is not',
    { funnelsFilter: { funnelVizType: 'trends', funnelToStep: 2 } },
    'funnelsFilter.funnelToStep',
  ],
  ['buckets of steps', { interval: 'day' }, 'interval'],
  [
    'too many buckets of entries',
    { interval: 'minute', funnelsFilter: { funnelVizType: 'trends' } },
    'interval',
  ],
]

const WRONG_PATHS: readonly (readonly [string, unknown, string])[] = [
  ['an unknown member of paths', { cake: 1 }, '.cake'],
  ['types of events that are no list', { includeEventTypes: '$screen' }, '.includeEventTypes'],
  ['an unknown type of events', { includeEventTypes: ['$screen', 'x'] }, '.includeEventTypes.1'],
  ['a start that is no text', { startPoint: 1 }, '.startPoint'],
  ['an empty start', { startPoint: '' }, '.startPoint'],
  ['an end that is too long', { endPoint: 'a'.repeat(401) }, '.endPoint'],
  ['paths of one step', { stepLimit: 1 }, '.stepLimit'],
  ['too many steps', { stepLimit: 51 }, '.stepLimit'],
  ['no edges', { edgeLimit: 0 }, '.edgeLimit'],
  ['too many edges', { edgeLimit: 1_001 }, '.edgeLimit'],
  ['half an edge', { edgeLimit: 1.5 }, '.edgeLimit'],
  ['filters of paths that are no object', [], ''],
]

function wrong(name: string, query: unknown, attr: string): ApiCase {
  const body = { type: 'validation_error', code: 'invalid_input', attr: `query.${attr}` }
  return ask(name, query, { status: 400, body })
}

const errors: readonly ApiCase[] = [
  ...WRONG.map(([name, more, attr]) => wrong(name, { ...FUNNEL, ...more }, attr)),
  ...WRONG_PATHS.map(([name, pathsFilter, attr]) =>
    wrong(name, { ...PATHS, pathsFilter }, `pathsFilter${attr}`),
  ),
  ...WRONG_EVENTS.map(([name, more, attr]) => wrong(name, { ...EVENTS, ...more }, attr)),
  wrong('paths of series', { ...PATHS, series: [] }, 'series'),
]

export const cases: readonly ApiCase[] = [...captured, ...answers, ...tables, ...errors]
