/** Questions about events, in a project of their own. */
import { type ApiCase, type Expectation, FORBIDDEN } from '../support/case.ts'

const RUN = 'POST /api/projects/{project_id}/query/'
const PATH = '/api/projects/{asked}/query/'

const captured: readonly ApiCase[] = [
  {
    name: 'a project to ask questions of',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Asked', timezone: 'Europe/Berlin' },
    expect: { status: 201, body: { timezone: 'Europe/Berlin' } },
    save: { asked: 'id', asked_token: 'api_token' },
  },
  {
    name: 'events of two days are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{asked_token}',
      batch: [
        { event: 'view', distinct_id: 'anna', timestamp: '2024-05-01T22:30:00Z' },
        { event: 'view', distinct_id: 'ben', timestamp: '2024-05-02T10:00:00Z' },
        { event: 'paid', distinct_id: 'ben', timestamp: '2024-05-02T10:00:30Z' },
        { event: 'view', distinct_id: 'ben', timestamp: '2024-05-03T10:00:00Z' },
      ],
    },
    expect: { status: 200 },
  },
]

/** A question changes nothing. */
const READS = 'a question reads'
const RANGE = { date_from: '2024-05-01', date_to: '2024-05-03' }
const VIEWS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'view', math: 'dau' }],
  dateRange: RANGE,
}
const ANSWER = [
  ...['results', 'hasMore', 'timezone', 'is_cached', 'last_refresh', 'cache_key', 'timings'],
  'resolved_date_range',
]

function ask(
  name: string,
  query: unknown,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return {
    name,
    endpoint: RUN,
    shows,
    path: PATH,
    body: { query },
    expect,
    unlogged: READS,
    ...more,
  }
}

function wrong(attr: string, code = 'invalid_input'): Expectation {
  return { status: 400, body: { type: 'validation_error', code, attr } }
}

const answers: readonly ApiCase[] = [
  ask('actors by day of the zone', VIEWS, {
    status: 200,
    keys: ANSWER,
    body: {
      timezone: 'Europe/Berlin',
      is_cached: false,
      hasMore: false,
      resolved_date_range: {
        date_from: '2024-05-01T00:00:00+02:00',
        date_to: '2024-05-03T23:59:59.999+02:00',
      },
      results: [
        {
          label: 'view',
          count: 3,
          data: [0, 2, 1],
          days: ['2024-05-01', '2024-05-02', '2024-05-03'],
          labels: ['1-May-2024', '2-May-2024', '3-May-2024'],
          incomplete_from: null,
        },
      ],
    },
  }),
  ask(
    'a funnel of two steps',
    {
      kind: 'FunnelsQuery',
      series: ['view', 'paid'].map((event) => ({ kind: 'EventsNode', event })),
      dateRange: RANGE,
    },
    {
      status: 200,
      body: {
        results: [
          { action_id: 'view', order: 0, count: 2, average_conversion_time: null },
          { action_id: 'paid', order: 1, count: 1, average_conversion_time: 30 },
        ],
      },
    },
  ),
  ask(
    'who comes back',
    {
      kind: 'RetentionQuery',
      dateRange: { date_from: '2024-05-02' },
      retentionFilter: {
        totalIntervals: 2,
        targetEntity: { id: 'view', type: 'events' },
        returningEntity: { id: 'view', type: 'events' },
      },
    },
    {
      status: 200,
      body: {
        results: [
          {
            label: 'Day 0',
            values: [
              { count: 2, complete: true },
              { count: 1, complete: true },
            ],
          },
          { label: 'Day 1', values: [{ count: 1, complete: true }] },
        ],
      },
    },
  ),
  ask(
    'several questions in one call: one that is wrong does not spoil the others',
    [VIEWS, { ...VIEWS, interval: 'year' }],
    {
      status: 200,
      keys: ['results'],
      body: {
        results: [
          { results: [{ data: [0, 2, 1] }] },
          { error: { type: 'validation_error', code: 'invalid_input', attr: 'query.1.interval' } },
        ],
      },
    },
  ),
]

const WEEK_RANGE = { date_from: '2024-05-03', date_to: '2024-05-05' }
const WEEK = { ...VIEWS, interval: 'week', dateRange: WEEK_RANGE }

const weeks: readonly ApiCase[] = [
  ask('weeks begin on Monday', WEEK, {
    status: 200,
    body: { is_cached: false, results: [{ days: ['2024-04-29'], data: [2] }] },
  }),
  ask('the same again is a kept answer', WEEK, { status: 200, body: { is_cached: true } }),
  {
    name: 'weeks of the project begin on Sunday now',
    endpoint: 'PATCH /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{asked}/',
    body: { week_start_day: 0 },
    expect: { status: 200, body: { week_start_day: 0 } },
  },
  ask('what was kept is no answer any more', WEEK, {
    status: 200,
    body: {
      is_cached: false,
      results: [{ days: ['2024-04-28', '2024-05-05'], data: [2, 0] }],
      resolved_date_range: { date_from: '2024-04-28T00:00:00+02:00' },
    },
  }),
]

const errors: readonly ApiCase[] = [
  ask('a question is required', undefined, wrong('query', 'required'), { body: {} }),
  ask('an unknown kind', { kind: 'CakeQuery' }, wrong('query.kind')),
  ask('HogQL is not spoken', { kind: 'HogQLQuery' }, wrong('query.kind', 'unsupported_query')),
  ask('an unknown member', { ...VIEWS, cake: 1 }, wrong('query.cake')),
  ask(
    'an unknown math',
    { ...VIEWS, series: [{ kind: 'EventsNode', event: 'view', math: 'cake' }] },
    wrong('query.series.0.math'),
  ),
  ask(
    'a rolling week of hours',
    {
      ...VIEWS,
      interval: 'hour',
      series: [{ kind: 'EventsNode', event: 'view', math: 'weekly_active' }],
    },
    wrong('query.series.0.math'),
  ),
  ask('no series', { ...VIEWS, series: [] }, wrong('query.series')),
  ask(
    'too many buckets',
    { ...VIEWS, dateRange: { date_from: '2021-01-01', date_to: '2024-01-01' } },
    wrong('query.interval'),
  ),
  ask(
    'a range that ends before it begins',
    { ...VIEWS, dateRange: { date_from: '2024-05-03', date_to: '2024-05-01' } },
    wrong('query.dateRange.date_to'),
  ),
  ask(
    'a date that is none',
    { ...VIEWS, dateRange: { date_from: 'cake' } },
    wrong('query.dateRange.date_from'),
  ),
  ask(
    'a filter that cannot be read',
    { ...VIEWS, properties: [{ key: 'a', operator: 'cake', value: 1 }] },
    wrong('query.properties'),
  ),
  ask(
    'a list of 13',
    Array.from({ length: 13 }, () => VIEWS),
    wrong('query'),
  ),
  ask('an empty list', [], wrong('query')),
]

const access: readonly ApiCase[] = [
  ask('of a project that one is no member of', VIEWS, FORBIDDEN, {
    shows: 'permission',
    as: 'outsider',
  }),
]

const ONE = '{project_id}/query/{client_query_id}/'
const GET_ONE = `GET /api/projects/${ONE}`
const DELETE_ONE = `DELETE /api/projects/${ONE}`
const DONE = { id: 'views', complete: true, error: false, query_progress: { done: 1, total: 1 } }

const named: readonly ApiCase[] = [
  ask(
    'in the background',
    VIEWS,
    {
      status: 202,
      body: {
        query_status: { complete: false, error: false, query_progress: { done: 0, total: 1 } },
      },
    },
    { shows: 'success', body: { query: VIEWS, refresh: 'async' } },
  ),
  ask(
    'under a name',
    VIEWS,
    { status: 200, keys: ANSWER },
    {
      body: { query: VIEWS, client_query_id: 'views' },
    },
  ),
  {
    name: 'what was asked under a name has its answer',
    endpoint: GET_ONE,
    shows: 'success',
    path: `${PATH}views/`,
    expect: { status: 200, body: { query_status: { ...DONE, results: { hasMore: false } } } },
  },
  ask(
    'a list is waited for',
    [VIEWS, VIEWS],
    { status: 200, keys: ['results'] },
    {
      body: { query: [VIEWS, VIEWS], refresh: 'async', client_query_id: 'two views' },
    },
  ),
  {
    name: 'a list under a name counts its questions',
    endpoint: GET_ONE,
    shows: 'success',
    path: `${PATH}two%20views/`,
    expect: {
      status: 200,
      body: { query_status: { complete: true, query_progress: { done: 2, total: 2 } } },
    },
  },
  ask(
    'what is wrong with a question is said at once',
    { kind: 'TrendsQuery', series: [] },
    wrong('query.series'),
    { body: { query: { kind: 'TrendsQuery', series: [] }, refresh: 'async' } },
  ),
  ask('a way to answer that there is not', VIEWS, wrong('refresh', 'invalid_choice'), {
    body: { query: VIEWS, refresh: 'cake' },
  }),
  ask('a name with a NUL', VIEWS, wrong('client_query_id', 'null_characters_not_allowed'), {
    body: { query: VIEWS, client_query_id: 'a\u0000b' },
  }),
  ask('a name that is too long', VIEWS, wrong('client_query_id', 'max_length'), {
    body: { query: VIEWS, client_query_id: 'x'.repeat(201) },
  }),
  {
    name: 'the name in another project is not found',
    endpoint: GET_ONE,
    shows: 'tenancy',
    path: '/api/projects/{project}/query/views/',
    expect: { status: 404, body: { code: 'not_found' } },
  },
  {
    name: 'the name cannot be cancelled from another project',
    endpoint: DELETE_ONE,
    shows: 'tenancy',
    path: '/api/projects/{project}/query/views/',
    expect: { status: 404, body: { code: 'not_found' } },
  },
  {
    name: 'a cancelled question is forgotten',
    endpoint: DELETE_ONE,
    shows: 'success',
    path: `${PATH}views/`,
    unlogged: READS,
    expect: { status: 204 },
  },
  {
    name: 'a question that was cancelled is not found',
    endpoint: GET_ONE,
    shows: 'error',
    path: `${PATH}views/`,
    expect: { status: 404, body: { code: 'not_found' } },
  },
  {
    name: 'a question that was cancelled cannot be cancelled again',
    endpoint: DELETE_ONE,
    shows: 'error',
    path: `${PATH}views/`,
    expect: { status: 404, body: { code: 'not_found' } },
  },
]

export const cases: readonly ApiCase[] = [
  ...captured,
  ...answers,
  ...weeks,
  ...errors,
  ...named,
  ...access,
]
