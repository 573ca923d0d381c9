/** Persons behind a number, and requests that name none. */
import type { ApiCase, Expectation } from '../support/case.ts'

const PATH = '/api/projects/{crowd}/query/'

const captured: readonly ApiCase[] = [
  {
    name: 'a project with a crowd',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Crowd' },
    expect: { status: 201 },
    save: { crowd: 'id', crowd_token: 'api_token' },
  },
  {
    name: 'events of a person and of an id without one are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{crowd_token}',
      batch: [
        { distinct_id: 'anna', event: 'view', properties: { $set: { plan: 'pro' } } },
        { distinct_id: 'anna', event: 'paid', properties: {} },
        { distinct_id: 'ben', event: 'view', properties: { $process_person_profile: false } },
      ].map((event, second) => ({ ...event, timestamp: `2024-05-02T10:00:0${second}Z` })),
    },
    expect: { status: 200 },
  },
]

const dateRange = { date_from: '2024-05-01', date_to: '2024-05-03' }
const VIEWS = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'view' }], dateRange }
const FUNNEL = {
  kind: 'FunnelsQuery',
  series: ['view', 'paid'].map((event) => ({ kind: 'EventsNode', event })),
  dateRange,
}

function open(
  name: string,
  point: Record<string, unknown>,
  expect: Expectation,
  more: Record<string, unknown> = {},
): ApiCase {
  const query = { kind: 'ActorsQuery', source: { kind: 'InsightActorsQuery', ...point }, ...more }
  return {
    ...{ name, endpoint: 'POST /api/projects/{project_id}/query/', path: PATH, body: { query } },
    shows: expect.status === 200 ? 'success' : 'error',
    unlogged: 'a question reads',
    expect,
  }
}

function wrong(attr: string): Expectation {
  return { status: 400, body: { type: 'validation_error', code: 'invalid_input', attr } }
}

const ANNA = [{ distinct_ids: ['anna'], properties: { plan: 'pro' } }]
const BEN = [{ id: null, distinct_ids: ['ben'], properties: {}, created_at: null }]

const lists: readonly ApiCase[] = [
  open(
    'the actors of a day, those without a person last',
    { source: VIEWS, day: '2024-05-02' },
    {
      status: 200,
      keys: [
        ...['results', 'hasMore', 'limit', 'offset', 'timezone', 'is_cached', 'last_refresh'],
        ...['cache_key', 'timings'],
      ],
      body: { results: [ANNA, BEN], hasMore: false, limit: 100, offset: 0 },
    },
  ),
  open(
    'the second page of actors',
    { source: VIEWS, day: '2024-05-02' },
    { status: 200, body: { results: [BEN], hasMore: false, limit: 1, offset: 1 } },
    { limit: 1, offset: 1 },
  ),
  open(
    'who dropped out of a funnel',
    { source: FUNNEL, funnelStep: -2 },
    { status: 200, body: { results: [BEN] } },
  ),
  open(
    'a day on which nothing happened',
    { source: VIEWS, day: '2024-05-01' },
    { status: 200, body: { results: [], hasMore: false } },
  ),
]

const errors: readonly ApiCase[] = [
  open('actors of no question', {}, wrong('query.source.source')),
  open('actors of actors', { source: { kind: 'ActorsQuery' } }, wrong('query.source.source.kind')),
  open(
    'actors of a question that is wrong',
    { source: { ...VIEWS, interval: 'year' } },
    wrong('query.source.source.interval'),
  ),
  open(
    'actors of too many buckets',
    { source: { ...VIEWS, dateRange: { date_from: '2020-01-01' }, interval: 'hour' } },
    wrong('query.source.source.interval'),
  ),
  open(
    'a day that the answer does not have',
    { source: VIEWS, day: '2024-05-04' },
    wrong('query.source.day'),
  ),
  open('a day that is a number', { source: VIEWS, day: 2 }, wrong('query.source.day')),
  open(
    'a value that the answer does not have',
    { source: { ...VIEWS, breakdownFilter: { breakdown: 'plan' } }, breakdown: "'; drop table x" },
    wrong('query.source.breakdown'),
  ),
  open('the step 0', { source: FUNNEL, funnelStep: 0 }, wrong('query.source.funnelStep')),
  open('the step 21', { source: FUNNEL, funnelStep: 21 }, wrong('query.source.funnelStep')),
  open(
    'a step of a question without steps',
    { source: VIEWS, funnelStep: 1 },
    wrong('query.source.funnelStep'),
  ),
  open('1,001 actors', { source: VIEWS }, wrong('query.limit'), { limit: 1_001 }),
]

export const cases: readonly ApiCase[] = [...captured, ...lists, ...errors]
