/** Questions about a site, and the actors behind numbers that depend on sessions. */
import type { ApiCase, Expectation } from '../support/case.ts'

const QUERY = 'POST /api/projects/{project_id}/query/'
const SITE = '/api/projects/{site}'
const PATH = `${SITE}/query/`

type View = readonly [visitor: string, time: string, event: string, properties: object]

const VIEWS: readonly View[] = [
  ['kim', '10:00:00', '$pageview', { $pathname: '/', $referring_domain: 'www.google.com' }],
  ['kim', '10:00:40', '$pageview', { $pathname: '/plans' }],
  ['kim', '10:02:00', 'trial', {}],
  ['lea', '11:00:00', '$pageview', { $pathname: '/', $referring_domain: '$direct' }],
  ['bot', '12:00:00', '$pageview', { $pathname: '/', $raw_user_agent: 'Googlebot/2.1' }],
]

const made: readonly ApiCase[] = [
  {
    name: 'a project with a site',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Site', web_goals: [{ name: 'Trial', event: 'trial' }] },
    expect: { status: 201 },
    save: { site: 'id', site_token: 'api_token' },
  },
  {
    name: 'visits of a site are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{site_token}',
      batch: VIEWS.map(([visitor, time, event, properties]) => ({
        event,
        distinct_id: visitor,
        timestamp: `2024-05-02T${time}Z`,
        properties: { $session_id: `of ${visitor}`, ...properties },
      })),
    },
    expect: { status: 200 },
  },
  {
    name: 'a visitor of the site is a person',
    endpoint: 'GET /api/projects/{project_id}/persons/',
    shows: 'success',
    path: `${SITE}/persons/?distinct_id=kim`,
    expect: { status: 200, body: { count: 1 } },
    save: { kim: 'results.0.uuid' },
  },
]

const dateRange = { date_from: '2024-05-02', date_to: '2024-05-02' }

function ask(
  name: string,
  kind: string,
  more: Record<string, unknown>,
  expect: Expectation | readonly unknown[],
): ApiCase {
  const isAnswered = Array.isArray(expect)
  return {
    ...{ name, endpoint: QUERY, path: PATH, body: { query: { kind, dateRange, ...more } } },
    shows: isAnswered ? 'success' : 'error',
    unlogged: 'a question reads',
    expect: isAnswered ? { status: 200, body: { results: expect } } : (expect as Expectation),
  }
}

function wrong(attr: string): Expectation {
  return {
    status: 400,
    body: { type: 'validation_error', code: 'invalid_input', attr: `query.${attr}` },
  }
}

function numbers(...values: readonly (number | null)[]): readonly object[] {
  return values.map((value) => ({ value, previous: null }))
}

const BOUNCED = { type: 'session', key: '$is_bounce', value: 'true' }
const TRIAL = { conversionGoal: { goal: 'Trial' } }

const overviews: readonly ApiCase[] = [
  ask('the numbers of a site', 'WebOverviewQuery', {}, numbers(2, 3, 2, 1.5, 60, 50)),
  ask(
    'the numbers of its bounces',
    'WebOverviewQuery',
    { properties: [BOUNCED] },
    numbers(1, 1, 1, 1, 0, 100),
  ),
  ask(
    'the numbers of a site with a goal and the bots, compared',
    'WebOverviewQuery',
    { ...TRIAL, includeBots: true, compareFilter: { compare: true } },
    [3, 4, 3].map((value) => ({ value, previous: 0 })).concat(Array(6).fill({})),
  ),
  ask(
    'the numbers of a site by hour, and those of a goal',
    'WebTrendsQuery',
    { metrics: ['sessions', 'bounce rate', 'unique conversions'], interval: 'day', ...TRIAL },
    [{ data: [2] }, { data: [50] }, { data: [1] }],
  ),
  ask('the goals of a site', 'WebGoalsQuery', {}, [['Trial', [1, null], [1, null], [0.5, null]]]),
]

const tables: readonly ApiCase[] = [
  ask('pages of a site', 'WebStatsTableQuery', { breakdownBy: 'Page', includeBounceRate: true }, [
    ['/', [2, null], [2, null], [0.5, null]],
    ['/plans', [1, null], [1, null], [null, null]],
  ]),
  ask(
    'channels of a site by conversions',
    'WebStatsTableQuery',
    { breakdownBy: 'InitialChannelType', orderBy: ['TotalConversions', 'ASC'], ...TRIAL },
    [
      ['Direct', [1, null], [1, null], [0, null], [0, null], [0, null]],
      ['Organic Search', [1, null], [2, null], [1, null], [1, null], [1, null]],
    ],
  ),
  ask(
    'the second row of a table',
    'WebStatsTableQuery',
    { breakdownBy: 'ExitPage', limit: 1, offset: 1, includeScrollDepth: false },
    [['/', [1, null], [1, null]]],
  ),
]

const OF_KIM = { session_id: 'of kim', person_id: '{kim}', distinct_id: 'kim', events: 3 }
const OF_LEA = { session_id: 'of lea', events: 1, properties: { $is_bounce: true } }
const NOBODY = '00000000-0000-4000-8000-000000000000'

const sessions: readonly ApiCase[] = [
  ask('sessions, the newest first', 'SessionsQuery', {}, [OF_LEA, OF_KIM]),
  ask('sessions of a person', 'SessionsQuery', { personId: '{kim}' }, [OF_KIM]),
  ask('sessions of nobody', 'SessionsQuery', { personId: NOBODY }, []),
  ask('sessions of a distinct id', 'SessionsQuery', { distinctId: 'lea' }, [OF_LEA]),
  ask('sessions of a distinct id without events', 'SessionsQuery', { distinctId: "'; --" }, []),
  ask(
    'sessions of a person and of the distinct id of another one',
    'SessionsQuery',
    { personId: '{kim}', distinctId: 'lea' },
    [],
  ),
  ask('the second session', 'SessionsQuery', { limit: 1, offset: 1 }, [OF_KIM]),
]

/** Members that are wrong: the kind, the member and the path that the error names. */
const WRONG: readonly (readonly [string, string, Record<string, unknown>, string])[] = [
  ['sessions of a person by name', 'SessionsQuery', { personId: 'kim' }, 'personId'],
  ['sessions of a person by number', 'SessionsQuery', { personId: 1 }, 'personId'],
  ['sessions of a list of ids', 'SessionsQuery', { distinctId: ['lea'] }, 'distinctId'],
  ['1,001 sessions', 'SessionsQuery', { limit: 1_001 }, 'limit'],
  ['a page of sessions that is too far', 'SessionsQuery', { offset: 100_001 }, 'offset'],
  ['sessions, compared', 'SessionsQuery', { compareFilter: { compare: true } }, 'compareFilter'],
  ['sessions in an order', 'SessionsQuery', { orderBy: ['start'] }, 'orderBy'],
  ['a number of no name', 'WebTrendsQuery', { metrics: ['clicks'] }, 'metrics'],
  ['conversions without a goal', 'WebTrendsQuery', { metrics: ['conversion rate'] }, 'metrics'],
  ['a site by minute', 'WebTrendsQuery', { interval: 'minute' }, 'interval'],
  ['a table by nothing', 'WebStatsTableQuery', {}, 'breakdownBy'],
  ['a table by cake', 'WebStatsTableQuery', { breakdownBy: 'Cake' }, 'breakdownBy'],
  ['no rows', 'WebStatsTableQuery', { breakdownBy: 'Page', limit: 0 }, 'limit'],
  [
    'scroll depth',
    'WebStatsTableQuery',
    { breakdownBy: 'Page', includeScrollDepth: true },
    'includeScrollDepth',
  ],
  ['an unknown order', 'WebStatsTableQuery', { breakdownBy: 'OS', orderBy: ['OS'] }, 'orderBy'],
  ['a goal of goals', 'WebGoalsQuery', TRIAL, 'conversionGoal'],
  ['an unknown goal', 'WebOverviewQuery', { conversionGoal: { goal: 'X' } }, 'conversionGoal.goal'],
  [
    'an unknown property of sessions',
    'WebOverviewQuery',
    { properties: [{ ...BOUNCED, key: '$cake' }] },
    'properties.0.key',
  ],
]

const refused = WRONG.map(([name, kind, more, attr]) => ask(name, kind, more, wrong(attr)))

const properties = [{ type: 'session', key: '$pageview_count', operator: 'gt', value: 1 }]
const series = ['$pageview', 'trial'].map((event) => ({ kind: 'EventsNode', event }))
const TREND = { kind: 'TrendsQuery', dateRange, properties, series: series.slice(0, 1) }
const BY_CHANNEL = {
  ...{ kind: 'TrendsQuery', dateRange, properties: [], series: series.slice(0, 1) },
  breakdownFilter: { breakdown: '$channel_type', breakdown_type: 'session' },
}
const FUNNEL = { kind: 'FunnelsQuery', dateRange, properties, series }
const RETENTION = {
  ...{ kind: 'RetentionQuery', dateRange, properties },
  retentionFilter: {
    totalIntervals: 1,
    targetEntity: { id: '$pageview' },
    returningEntity: { id: 'trial' },
  },
}

function open(name: string, point: object, ...ids: readonly string[]): ApiCase {
  const source = { kind: 'InsightActorsQuery', ...point }
  const query = { kind: 'ActorsQuery', source }
  return {
    ...{ name, endpoint: QUERY, path: PATH, body: { query } },
    shows: 'success',
    unlogged: 'a question reads',
    expect: { status: 200, body: { results: ids.map((id) => [{ distinct_ids: [id] }]) } },
  }
}

const actors: readonly ApiCase[] = [
  open('actors of longer visits', { source: TREND, day: '2024-05-02' }, 'kim'),
  open(
    'actors of a channel',
    { source: BY_CHANNEL, day: '2024-05-02', breakdown: 'Direct' },
    'lea',
  ),
  open('actors of a step, from longer visits', { source: FUNNEL, funnelStep: 2 }, 'kim'),
  open('nobody left it', { source: FUNNEL, funnelStep: -2 }),
  open('actors that came back in longer visits', { source: RETENTION, interval: 0, day: 0 }, 'kim'),
  {
    ...open('actors of a channel that is not there', {
      ...{ source: BY_CHANNEL, day: '2024-05-02', breakdown: 'AI' },
    }),
    shows: 'error',
    expect: wrong('source.breakdown'),
  },
]

export const cases: readonly ApiCase[] = [
  ...made,
  ...overviews,
  ...tables,
  ...sessions,
  ...refused,
  ...actors,
]
