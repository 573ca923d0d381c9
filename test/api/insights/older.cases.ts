/** Flat questions of older clients, in a project of their own. */
import { type ApiCase, type Expectation, invalidField } from '../support/case.ts'

const OWN = '/api/projects/{older}'
const READS = 'a question reads'
const RANGE = { date_from: '2024-05-01', date_to: '2024-05-03' }
const VIEWS = { id: 'view', type: 'events' }
const KEYS = ['result', 'timezone', 'last_refresh', 'is_cached']

type Call = 'trend' | 'funnel' | 'retention'

function ask(name: string, call: Call, body: object, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  const endpoint = `POST /api/projects/{project_id}/insights/${call}/`
  const path = `${OWN}/insights/${call}/`
  return { name, endpoint, shows, path, body, expect, unlogged: READS }
}

function wrong(name: string, call: Call, body: object, attr: string): ApiCase {
  return ask(name, call, body, invalidField('invalid_input', attr))
}

export const cases: readonly ApiCase[] = [
  {
    name: 'a project of older clients',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Older', timezone: 'Europe/Berlin' },
    expect: { status: 201 },
    save: { older: 'id', older_token: 'api_token' },
  },
  {
    name: 'their events are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{older_token}',
      batch: [
        { event: 'view', distinct_id: 'anna', timestamp: '2024-05-01T22:30:00Z' },
        { event: 'view', distinct_id: 'ben', timestamp: '2024-05-02T10:00:00Z' },
        { event: 'paid', distinct_id: 'ben', timestamp: '2024-05-02T10:00:30Z' },
        { event: 'view', distinct_id: 'ben', timestamp: '2024-05-03T10:00:00Z' },
      ],
    },
    expect: { status: 200 },
  },
  {
    name: 'a trend that a form asks for',
    endpoint: 'POST /api/projects/{project_id}/insights/trend/',
    shows: 'success',
    path: `${OWN}/insights/trend/`,
    form: { ...RANGE, events: JSON.stringify([VIEWS]), filter_test_accounts: 'false' },
    expect: { status: 200, keys: KEYS, body: { result: [{ data: [0, 2, 1] }] } },
    unlogged: READS,
  },
  ask(
    'a trend, with the key in the body',
    'trend',
    { ...RANGE, events: [{ ...VIEWS, math: 'dau' }], personal_api_key: '{owner_key}' },
    {
      status: 200,
      keys: KEYS,
      body: { timezone: 'Europe/Berlin', is_cached: false, result: [{ data: [0, 2, 1] }] },
    },
  ),
  ask(
    'a funnel',
    'funnel',
    {
      ...RANGE,
      events: [
        { id: 'paid', order: 1 },
        { ...VIEWS, order: 0 },
      ],
      funnel_window_days: 1,
    },
    { status: 200, keys: KEYS, body: { result: [{ name: 'view', count: 2 }, { count: 1 }] } },
  ),
  ask(
    'retention',
    'retention',
    { date_from: '2024-05-02', total_intervals: 2, target_entity: VIEWS, returning_entity: VIEWS },
    {
      status: 200,
      keys: KEYS,
      body: { result: [{ label: 'Day 0', values: [{ count: 2 }, { count: 1 }] }, {}] },
    },
  ),
  wrong('a trend without events', 'trend', {}, 'events'),
  wrong('an unknown member', 'trend', { events: [VIEWS], smoothing: 3 }, 'smoothing'),
  wrong('an action', 'trend', { actions: [{ id: 1 }] }, 'actions'),
  wrong('an event that is text', 'trend', { events: ['view'] }, 'events.0'),
  wrong(
    'an unknown math, by the place where it was sent',
    'trend',
    { events: [{ id: 'a', order: 2, math: 'most' }, VIEWS] },
    'events.0.math',
  ),
  wrong('a date that is none', 'trend', { events: [VIEWS], date_from: 'soon' }, 'date_from'),
  wrong('a formula that is none', 'trend', { events: [VIEWS], formula: 'A+' }, 'formula'),
  wrong('a refresh that is text', 'trend', { events: [VIEWS], refresh: 'yes' }, 'refresh'),
  wrong('a funnel of one step', 'funnel', { events: [VIEWS] }, 'events'),
  wrong(
    'a window that is text',
    'funnel',
    { events: [VIEWS, VIEWS], funnel_window_days: 'x' },
    'funnel_window_interval',
  ),
  wrong('an unknown period', 'retention', { period: 'Year' }, 'period'),
  wrong(
    'an entity that is an action',
    'retention',
    { target_entity: { id: 1, type: 'actions' } },
    'target_entity.type',
  ),
  wrong('too many intervals', 'retention', { total_intervals: 1_000 }, 'total_intervals'),
]
