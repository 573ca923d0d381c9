/** Alerts on saved insights, in a project of their own. */
import { type ApiCase, callsOf, FORBIDDEN, invalidField, NOT_FOUND } from '../support/case.ts'
import {
  BELOW,
  NO_INSIGHT,
  REFUSED_ALERTS,
  REFUSED_ANOMALIES,
  threshold,
  UNUSUAL,
  VALUE,
} from '../support/refused-alerts.ts'

const ALL = '/api/projects/{project_id}/alerts/'
const PATH = '/api/projects/{alerts}/alerts/'
const ONE = `${PATH}{alert}/`
const CHECKS = `${ALL}{id}/checks/`
const UUID = /^[0-9a-f-]{36}$/
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const FIELDS = [
  ...['id', 'name', 'insight', 'condition', 'threshold', 'config', 'calculation_interval'],
  ...['enabled', 'disabled_reason', 'snoozed_until', 'subscribed_users', 'chat', 'webhook_url'],
  ...['webhook_secret', 'webhook_disabled', 'webhook_error', 'state', 'last_value'],
  ...['last_checked_at', 'last_notified_at', 'next_check_at', 'created_at', 'created_by'],
]
const VIEW = { kind: 'EventsNode', event: 'view' }
const VIEWS = { kind: 'TrendsQuery', series: [VIEW] }

function insight(name: string, saved: string, query: object): ApiCase {
  return {
    name,
    endpoint: 'POST /api/projects/{project_id}/insights/',
    shows: 'success',
    path: '/api/projects/{alerts}/insights/',
    body: { name, query },
    expect: { status: 201 },
    save: { [saved]: 'id', [`${saved}_short`]: 'short_id' },
  }
}

const LEAST = { insight: '{views}', condition: VALUE, threshold: BELOW }

const { make, change, get } = callsOf(ALL, PATH, ONE)

function list(name: string, query: string, ...names: readonly string[]): ApiCase {
  const results = names.map((each) => ({ name: each }))
  const expect = { status: 200, body: { count: names.length, results } }
  return { name, endpoint: `GET ${ALL}`, shows: 'success', path: `${PATH}${query}`, expect }
}

const made: readonly ApiCase[] = [
  {
    name: 'a project with alerts',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Alerts', timezone: 'Europe/Berlin' },
    expect: { status: 201 },
    save: { alerts: 'id' },
  },
  insight('Views', 'views', VIEWS),
  insight('Views by hour', 'hourly', { ...VIEWS, interval: 'hour' }),
  insight('Views by city', 'by_city', { ...VIEWS, breakdownFilter: { breakdown: 'city' } }),
  insight('Views by month', 'by_month', { ...VIEWS, interval: 'month' }),
  insight('A number', 'whole', { ...VIEWS, trendsFilter: { display: 'BoldNumber' } }),
  insight('A funnel', 'funnel', { kind: 'FunnelsQuery', series: [VIEW, VIEW] }),
  make(
    'a member is told when a number is out of bounds',
    {
      ...LEAST,
      name: ' Few views ',
      config: { type: 'TrendsAlertConfig', series_index: 0, check_ongoing_interval: false },
      calculation_interval: 'hourly',
      subscribed_users: ['{owner_id}', '{member_id}', '{owner_id}'],
      chat: true,
      webhook_url: 'https://hooks.example.com/a?key=b',
      state: 'Firing',
    },
    {
      status: 201,
      keys: FIELDS,
      body: {
        id: UUID,
        name: 'Few views',
        insight: { id: '{views}', short_id: '{views_short}', name: 'Views' },
        condition: VALUE,
        threshold: BELOW,
        calculation_interval: 'hourly',
        enabled: true,
        disabled_reason: null,
        snoozed_until: null,
        subscribed_users: [{ id: '{owner_id}' }, { id: '{member_id}' }],
        chat: true,
        webhook_url: 'https://hooks.example.com/a?key=b',
        webhook_secret: /^whsec_[A-Za-z0-9+/]{32}$/,
        webhook_disabled: false,
        webhook_error: null,
        state: 'Not firing',
        last_value: null,
        last_checked_at: null,
        last_notified_at: null,
        next_check_at: DATETIME,
        created_at: DATETIME,
        created_by: { id: '{owner_id}' },
      },
    },
    { save: { alert: 'id' } },
  ),
  make(
    'an insight, a condition and bounds are enough',
    LEAST,
    {
      status: 201,
      body: {
        name: '',
        config: { type: 'TrendsAlertConfig', series_index: 0 },
        calculation_interval: 'daily',
        enabled: true,
        subscribed_users: [],
        chat: false,
        webhook_url: null,
        webhook_secret: null,
        created_by: { id: '{member_id}' },
      },
    },
    { as: 'member', save: { least: 'id' } },
  ),
  make(
    'a share of the interval before, above a bound, while the interval runs',
    {
      insight: '{views}',
      name: 'Rise',
      condition: { type: 'relative_increase' },
      threshold: threshold({ upper: 0.5 }, 'percentage'),
      config: { check_ongoing_interval: true },
      enabled: false,
    },
    { status: 201, body: { enabled: false, next_check_at: null } },
  ),
  make(
    'numbers outside of what is usual, without bounds',
    { insight: '{hourly}', name: 'Unusual', condition: { type: 'anomaly' }, enabled: false },
    { status: 201, body: { condition: { type: 'anomaly' }, threshold: {} } },
  ),
  make(
    'a number over the whole range',
    { insight: '{whole}', name: 'Number', condition: VALUE, threshold: threshold({ upper: 9 }) },
    { status: 201, body: { insight: { id: '{whole}' } } },
    { save: { on_whole: 'id' } },
  ),
]

const reads: readonly ApiCase[] = [
  list('the newest alert is first', '', 'Number', 'Unusual', 'Rise', '', 'Few views'),
  list('alerts of one insight', '?insight_id={whole}', 'Number'),
  {
    ...list('a page of one', '?limit=1&offset=1'),
    expect: { status: 200, body: { count: 5, next: /offset=2/, results: [{ name: 'Unusual' }] } },
  },
  {
    ...list('an insight that is no number', '?insight_id=x'),
    shows: 'error',
    expect: invalidField('invalid_input', 'insight_id'),
  },
  get('one alert, without its key', ONE, {
    status: 200,
    keys: FIELDS,
    body: { id: '{alert}', webhook_secret: null },
  }),
  get('an alert that nobody has', `${PATH}0190a3f0-0000-7000-8000-000000000000/`, NOT_FOUND),
  get('a name that is no UUID', `${PATH}1/`, NOT_FOUND),
  {
    ...get('an alert in another project', '/api/projects/{project}/alerts/{alert}/', NOT_FOUND),
    shows: 'tenancy',
  },
  {
    name: 'the checks of an alert',
    endpoint: `GET ${CHECKS}`,
    shows: 'success',
    path: `${ONE}checks/?limit=1&offset=1000`,
    expect: { status: 200, body: { results: [] }, keys: ['count', 'next', 'previous', 'results'] },
  },
  {
    name: 'the checks of an alert that nobody has',
    endpoint: `GET ${CHECKS}`,
    shows: 'error',
    path: `${PATH}1/checks/`,
    expect: NOT_FOUND,
  },
  {
    name: 'the checks of an alert in another project',
    endpoint: `GET ${CHECKS}`,
    shows: 'tenancy',
    path: '/api/projects/{project}/alerts/{alert}/checks/',
    expect: NOT_FOUND,
  },
]

const changes: readonly ApiCase[] = [
  change(
    'it is muted until a moment, by a member',
    { snoozed_until: '2999-01-01T00:00:00+01:00' },
    {
      status: 200,
      keys: FIELDS,
      body: { name: 'Few views', snoozed_until: '2998-12-31T23:00:00.000000Z', chat: true },
    },
    { as: 'member' },
  ),
  change(
    'it is told of again, by another address, under a new key',
    { snoozed_until: null, webhook_url: 'http://example.com/', subscribed_users: ['{owner_id}'] },
    {
      status: 200,
      body: {
        snoozed_until: null,
        webhook_secret: /^whsec_/,
        subscribed_users: [{ id: '{owner_id}' }],
      },
    },
  ),
  change(
    'it has no webhook any more',
    { webhook_url: null },
    { status: 200, body: { webhook_url: null, webhook_secret: null } },
  ),
  change(
    'other bounds on another insight',
    { insight: '{whole}', threshold: threshold({ upper: 3 }), name: 'Many' },
    { status: 200, body: { name: 'Many', insight: { id: '{whole}' } } },
  ),
  change(
    'a condition that this insight has not',
    { condition: { type: 'relative_decrease' } },
    invalidField('invalid_input', 'condition__type'),
  ),
  change(
    'the insight that it was on',
    { insight: '{views}' },
    { status: 200, body: { insight: { id: '{views}' } } },
  ),
]

const refusals: readonly ApiCase[] = [
  ...REFUSED_ANOMALIES.map(([name, body, expect]) =>
    make(`${name} makes no alert`, { ...LEAST, ...UNUSUAL, ...body }, expect),
  ),
  make('no insight', { ...LEAST, insight: undefined }, invalidField('required', 'insight')),
  make(
    'no bounds at all',
    { ...LEAST, threshold: undefined },
    invalidField('invalid_input', 'threshold__configuration'),
  ),
  ...REFUSED_ALERTS.flatMap(([name, body, expect]) => [
    make(`${name} makes no alert`, { ...LEAST, ...body }, expect),
    change(`${name} changes nothing`, { threshold: BELOW, ...body }, expect),
  ]),
  make('an insight of another project', { ...LEAST, insight: '{project_insight}' }, NO_INSIGHT),
  {
    name: 'who may read alerts may not make any',
    endpoint: `POST ${ALL}`,
    shows: 'permission',
    as: { scopes: ['alert:read'] },
    path: PATH,
    body: LEAST,
    expect: FORBIDDEN,
  },
]

const DISABLED = { enabled: false, disabled_reason: 'The insight was deleted.' }

function hide(deleted: boolean): ApiCase {
  return {
    name: `the insight is ${deleted ? 'hidden' : 'shown again'}`,
    endpoint: 'PATCH /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: '/api/projects/{alerts}/insights/{views}/',
    body: { deleted },
    expect: { status: 200 },
  }
}

const removals: readonly ApiCase[] = [
  hide(true),
  get('an alert on a hidden insight is disabled, and says why', ONE, {
    status: 200,
    body: { ...DISABLED, insight: { id: '{views}' }, next_check_at: null },
  }),
  change('nobody enables it', { enabled: true }, invalidField('invalid_input', 'insight')),
  change('it can be renamed', { name: 'Later' }, { status: 200, body: { name: 'Later' } }),
  hide(false),
  get('it stays disabled', ONE, { status: 200, body: { enabled: false } }),
  change(
    'a member enables it again',
    { enabled: true },
    { status: 200, body: { enabled: true, disabled_reason: null } },
  ),
  {
    name: 'the other insight is removed',
    endpoint: 'DELETE /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: '/api/projects/{alerts}/insights/{whole}/',
    expect: { status: 204, text: '' },
  },
  get('its alert stays, disabled', `${PATH}{on_whole}/`, {
    status: 200,
    body: { ...DISABLED, insight: null },
  }),
  {
    name: 'an alert is removed',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'success',
    path: `${PATH}{least}/`,
    expect: { status: 204, text: '' },
  },
  get('it is gone', `${PATH}{least}/`, NOT_FOUND),
  {
    name: 'nobody removes it again',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'error',
    path: `${PATH}{least}/`,
    expect: NOT_FOUND,
  },
  {
    name: 'the activity of the project has the changes of its alerts, without addresses',
    endpoint: 'GET /api/projects/{project_id}/activity/',
    shows: 'success',
    path: '/api/projects/{alerts}/activity/?scope=Alert&item_id={alert}&limit=1&offset=5',
    expect: {
      status: 200,
      body: { results: [{ activity: 'updated', user: { id: '{owner_id}' } }] },
      text: /webhook_url(?!.*example\.com)/,
    },
  },
]

export const cases: readonly ApiCase[] = [
  ...made,
  ...reads,
  ...changes,
  {
    ...insight('Foreign', 'project_insight', VIEWS),
    path: '/api/projects/{project}/insights/',
  },
  ...refusals,
  ...removals,
]
