/** Subscriptions, in a project of their own. */
import {
  type ApiCase,
  callsOf,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const ALL = '/api/projects/{project_id}/subscriptions/'
const PATH = '/api/projects/{subscribed}/subscriptions/'
const ONE = `${PATH}{weekly}/`
const UUID = /^[0-9a-f-]{36}$/
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const FIELDS = [
  ...['id', 'kind', 'insight', 'dashboard', 'title', 'frequency', 'day_of_week', 'day_of_month'],
  ...['time_of_day', 'recipients', 'chat', 'enabled', 'disabled_reason', 'last_sent_at'],
  ...['next_send_at', 'created_at', 'created_by'],
]

const { make, change, get } = callsOf(ALL, PATH, ONE)

function list(name: string, query: string, ...titles: readonly string[]): ApiCase {
  const results = titles.map((title) => ({ title }))
  const expect = { status: 200, body: { count: titles.length, results } }
  return { name, endpoint: `GET ${ALL}`, shows: 'success', path: `${PATH}${query}`, expect }
}

const made: readonly ApiCase[] = [
  {
    name: 'a project with subscriptions',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Subscriptions', timezone: 'Europe/Berlin' },
    expect: { status: 201 },
    save: { subscribed: 'id' },
  },
  {
    name: 'an insight of it',
    endpoint: 'POST /api/projects/{project_id}/insights/',
    shows: 'success',
    path: '/api/projects/{subscribed}/insights/',
    body: { name: 'Views', query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] } },
    expect: { status: 201 },
    save: { sent: 'id', sent_short: 'short_id' },
  },
  {
    name: 'a dashboard of it',
    endpoint: 'POST /api/projects/{project_id}/dashboards/',
    shows: 'success',
    path: '/api/projects/{subscribed}/dashboards/',
    body: { name: 'Shop' },
    expect: { status: 201 },
    save: { sent_dashboard: 'id' },
  },
  make(
    'a member subscribes addresses and the chat to an insight',
    {
      kind: 'insight',
      insight: '{sent}',
      title: ' Views of the week ',
      frequency: 'monthly',
      day_of_month: 31,
      time_of_day: '07:30',
      recipients: [' Ann@Example.com', 'bob@example.com', 'ann@example.com'],
      chat: true,
      state: 'bounced',
    },
    {
      status: 201,
      keys: FIELDS,
      body: {
        id: UUID,
        kind: 'insight',
        insight: { id: '{sent}', short_id: '{sent_short}', name: 'Views' },
        dashboard: null,
        title: 'Views of the week',
        frequency: 'monthly',
        day_of_week: 1,
        day_of_month: 31,
        time_of_day: '07:30',
        recipients: [
          { email: 'ann@example.com', state: 'active', reason: null, changed_at: DATETIME },
          { email: 'bob@example.com', state: 'active', reason: null, changed_at: DATETIME },
        ],
        chat: true,
        enabled: true,
        disabled_reason: null,
        last_sent_at: null,
        next_send_at: /T0[56]:30:00/,
        created_at: DATETIME,
        created_by: { id: '{owner_id}' },
      },
      keysAt: { 'recipients.0': ['email', 'state', 'reason', 'changed_at'] },
    },
    { save: { weekly: 'id' } },
  ),
  make(
    'a dashboard needs nothing but itself',
    { kind: 'dashboard', dashboard: '{sent_dashboard}' },
    {
      status: 201,
      body: {
        insight: null,
        dashboard: { id: '{sent_dashboard}', name: 'Shop', short_id: null },
        title: '',
        frequency: 'weekly',
        time_of_day: '09:00',
        recipients: [],
        chat: false,
      },
    },
    { save: { of_dashboard: 'id' } },
  ),
  make(
    'a project opts in to its weekly summary',
    { kind: 'summary', title: 'Summary', recipients: ['cay@example.com'] },
    { status: 201, body: { kind: 'summary', insight: null, dashboard: null } },
  ),
]

const reads: readonly ApiCase[] = [
  get('a subscription is read by its id', ONE, { status: 200, body: { title: /^Views/ } }),
  list('all of them, newest first', '', 'Summary', '', 'Views of the week'),
  list('those of an insight', '?insight_id={sent}', 'Views of the week'),
  list('those of a dashboard', '?dashboard_id={sent_dashboard}', ''),
  get('an id that is none', `${PATH}5/`, NOT_FOUND),
  get('one of another project', '/api/projects/{project}/subscriptions/{weekly}/', NOT_FOUND),
]

const changes: readonly ApiCase[] = [
  change(
    'an address is taken off the list, another one is put on it',
    { recipients: ['ann@example.com', 'dan@example.com'], frequency: 'weekly', day_of_week: 7 },
    {
      status: 200,
      body: {
        frequency: 'weekly',
        day_of_week: 7,
        recipients: [{ email: 'ann@example.com' }, { email: 'dan@example.com' }],
      },
    },
  ),
  change(
    'a disabled one is not sent',
    { enabled: false },
    { status: 200, body: { enabled: false, next_send_at: null, disabled_reason: null } },
  ),
  change(
    'the object stays',
    { kind: 'summary', insight: null, enabled: true },
    { status: 200, body: { kind: 'insight', insight: { id: '{sent}' }, enabled: true } },
  ),
]

const REFUSED: readonly (readonly [string, object, Expectation])[] = [
  [
    'a frequency that is none',
    { frequency: 'hourly' },
    invalidField('invalid_choice', 'frequency'),
  ],
  ['a day after Sunday', { day_of_week: 8 }, invalidField('max_value', 'day_of_week')],
  ['a day after the 31st', { day_of_month: 32 }, invalidField('max_value', 'day_of_month')],
  ['a time that is none', { time_of_day: '24:00' }, invalidField('invalid_input', 'time_of_day')],
  [
    'an address that is none',
    { recipients: ['ann@example.com', 'ann'] },
    invalidField('invalid_input', 'recipients__1'),
  ],
  ['a text for a list', { recipients: 'a@b.cc' }, invalidField('not_a_list', 'recipients')],
  [
    'too many addresses',
    { recipients: Array.from({ length: 21 }, (_, at) => `a${at}@example.com`) },
    invalidField('max_length', 'recipients'),
  ],
]

const refusals: readonly ApiCase[] = [
  ...REFUSED.flatMap(([name, body, expect]) => [
    make(`${name} is not kept`, { kind: 'insight', insight: '{sent}', ...body }, expect),
    change(`${name} changes nothing`, body, expect),
  ]),
  make('a subscription has a kind', {}, invalidField('required', 'kind')),
  make('an insight must be named', { kind: 'insight' }, invalidField('required', 'insight')),
  make(
    'a summary has no dashboard',
    { kind: 'summary', dashboard: '{sent_dashboard}' },
    invalidField('invalid_input', 'dashboard'),
  ),
  make(
    'a summary is weekly',
    { kind: 'summary', frequency: 'daily' },
    invalidField('invalid_input', 'frequency'),
  ),
  make(
    'an insight must be there',
    { kind: 'insight', insight: 2147483647 },
    invalidField('does_not_exist', 'insight'),
  ),
  make(
    'a dashboard must be there',
    { kind: 'dashboard', dashboard: 2147483647 },
    invalidField('does_not_exist', 'dashboard'),
  ),
  make('who may read may not subscribe', { kind: 'summary' }, FORBIDDEN, {
    as: { scopes: ['subscription:read', 'insight:write'] },
    shows: 'permission',
  }),
  {
    name: 'a secret that is none ends nothing',
    endpoint: 'POST /api/unsubscribe/{token}/',
    shows: 'error',
    as: 'anonymous',
    path: `/api/unsubscribe/${'a'.repeat(43)}/`,
    body: {},
    expect: NOT_FOUND,
  },
  {
    name: 'the secret of a mail ends the mails to its address, without a key',
    isExample: true,
    endpoint: 'POST /api/unsubscribe/{token}/',
    shows: 'success',
    as: 'anonymous',
    path: '/api/unsubscribe/{unsubscribe_token}/',
    body: {},
    expect: { status: 204, text: '' },
    unlogged: 'who has the secret is no user',
  },
  {
    name: 'it may be repeated, where mail programs post',
    endpoint: 'POST /unsubscribe/{token}/',
    shows: 'success',
    as: 'anonymous',
    path: '/unsubscribe/{unsubscribe_token}/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    rawBody: 'List-Unsubscribe=One-Click',
    expect: { status: 204, text: '' },
    unlogged: 'who has the secret is no user',
  },
]

const removals: readonly ApiCase[] = [
  {
    name: 'the insight is hidden',
    endpoint: 'PATCH /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: '/api/projects/{subscribed}/insights/{sent}/',
    body: { deleted: true },
    expect: { status: 200 },
  },
  change(
    'a subscription to it cannot be enabled',
    { enabled: true },
    invalidField('does_not_exist', 'insight'),
  ),
  change('it can be disabled', { enabled: false }, { status: 200, body: { enabled: false } }),
  {
    name: 'the insight is removed',
    endpoint: 'DELETE /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: '/api/projects/{subscribed}/insights/{sent}/',
    expect: { status: 204, text: '' },
  },
  change(
    'a subscription to a removed insight says so when it is enabled',
    { enabled: true },
    invalidField('invalid_input', 'insight', 'The insight of the subscription is deleted.'),
  ),
  {
    name: 'a subscription is removed',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'success',
    path: `${PATH}{of_dashboard}/`,
    expect: { status: 204, text: '' },
  },
  get('it is gone', `${PATH}{of_dashboard}/`, NOT_FOUND),
  {
    name: 'nobody removes it again',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'error',
    path: `${PATH}{of_dashboard}/`,
    expect: NOT_FOUND,
  },
  {
    name: 'the activity of the project has the changes of its subscriptions',
    endpoint: 'GET /api/projects/{project_id}/activity/',
    shows: 'success',
    path: '/api/projects/{subscribed}/activity/?scope=Subscription&item_id={weekly}&limit=1&offset=4',
    expect: {
      status: 200,
      body: { results: [{ activity: 'created', user: { id: '{owner_id}' } }] },
    },
  },
]

export const cases: readonly ApiCase[] = [...made, ...reads, ...changes, ...refusals, ...removals]
