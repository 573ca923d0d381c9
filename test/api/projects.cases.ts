import { type ApiCase, FORBIDDEN, invalidField, NOT_FOUND } from './support/case.ts'

const LIST = 'GET /api/projects/'
const CREATE = 'POST /api/projects/'
const GET = 'GET /api/projects/{id}/'
const PATCH = 'PATCH /api/projects/{id}/'

const FIELDS = [
  ...['id', 'uuid', 'organization', 'api_token', 'app_urls', 'name', 'chat_incoming_webhook'],
  ...['created_at', 'updated_at', 'anonymize_ips', 'completed_snippet_onboarding'],
  ...['ingested_event', 'test_account_filters', 'test_account_filters_default_checked'],
  ...['path_cleaning_filters', 'is_demo', 'timezone', 'data_attributes'],
  ...['person_display_name_properties', 'correlation_config', 'session_recording_opt_in'],
  ...['capture_console_log_opt_in', 'capture_performance_opt_in', 'effective_membership_level'],
  ...['access_control', 'has_group_types', 'primary_dashboard', 'live_events_columns'],
  ...['recording_domains', 'person_on_events_querying_enabled', 'events_retention_wait_hours'],
  ...['groups_on_events_querying_enabled', 'events_retention_days', 'week_start_day'],
  ...['events_retention_from', 'web_goals'],
]
const SUMMARY_FIELDS = [
  ...['id', 'uuid', 'organization', 'api_token', 'name', 'completed_snippet_onboarding'],
  ...['ingested_event', 'is_demo', 'timezone', 'access_control', 'effective_membership_level'],
]
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TOKEN = /^phc_[0-9A-Za-z]{43}$/

const lists: readonly ApiCase[] = [
  {
    name: 'the list is a page of projects in the reduced representation, by id',
    endpoint: LIST,
    shows: 'success',
    path: '/api/projects/?limit=1',
    expect: {
      status: 200,
      keys: ['count', 'next', 'previous', 'results'],
      keysAt: { 'results.0': SUMMARY_FIELDS },
      body: {
        previous: null,
        results: [
          {
            id: '{project}',
            uuid: UUID,
            organization: '{organization}',
            api_token: '{token}',
            effective_membership_level: 15,
          },
        ],
      },
    },
  },
  {
    name: 'it shows each caller the level of the caller',
    endpoint: LIST,
    shows: 'success',
    as: 'member',
    path: '/api/projects/?limit=1',
    expect: {
      status: 200,
      body: { results: [{ id: '{project}', effective_membership_level: 1 }] },
    },
  },
  {
    name: 'it is of the current organization alone',
    endpoint: LIST,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/projects/?limit=1',
    expect: {
      status: 200,
      body: { results: [{ id: '{foreign_project}', organization: '{foreign_organization}' }] },
    },
  },
]

/** Each field that a client may write. A new project has no dashboard: the number is kept. */
const ALL = {
  app_urls: ['https://app.example'],
  name: 'With all fields',
  chat_incoming_webhook: 'https://hook.example',
  ...{ anonymize_ips: true, completed_snippet_onboarding: true, is_demo: true },
  test_account_filters: { a: 1 },
  test_account_filters_default_checked: true,
  path_cleaning_filters: { b: [1] },
  ...{ timezone: 'America/Argentina/Ushuaia', week_start_day: 0 },
  ...{ data_attributes: { c: null }, web_goals: [{ name: 'Paid', event: 'paid' }] },
  person_display_name_properties: ['email'],
  correlation_config: { d: {} },
  ...{ session_recording_opt_in: true, access_control: true },
  ...{ capture_console_log_opt_in: true, capture_performance_opt_in: true },
  primary_dashboard: 7,
  ...{ live_events_columns: ['event'], recording_domains: ['https://*.example.com'] },
}

const creates: readonly ApiCase[] = [
  {
    name: 'a project is made of nothing but defaults',
    endpoint: CREATE,
    shows: 'success',
    path: '/api/projects/',
    body: {},
    expect: {
      status: 201,
      keys: FIELDS,
      body: {
        uuid: UUID,
        organization: '{organization}',
        api_token: TOKEN,
        app_urls: [],
        name: 'Default Project',
        chat_incoming_webhook: null,
        created_at: DATETIME,
        updated_at: DATETIME,
        anonymize_ips: false,
        completed_snippet_onboarding: false,
        ingested_event: false,
        test_account_filters: {},
        test_account_filters_default_checked: null,
        path_cleaning_filters: {},
        is_demo: false,
        ...{ timezone: 'UTC', week_start_day: 1, web_goals: [] },
        data_attributes: {},
        person_display_name_properties: null,
        correlation_config: {},
        session_recording_opt_in: false,
        capture_console_log_opt_in: null,
        capture_performance_opt_in: null,
        effective_membership_level: 15,
        access_control: false,
        ...{ has_group_types: false, primary_dashboard: null },
        ...{ live_events_columns: null, recording_domains: null },
        person_on_events_querying_enabled: false,
        groups_on_events_querying_enabled: false,
        ...{ events_retention_days: null, events_retention_from: null },
        events_retention_wait_hours: 24,
      },
    },
    save: { plain: 'id', plain_token: 'api_token' },
  },
  {
    name: 'a project is made with all fields that it may be given',
    endpoint: CREATE,
    shows: 'success',
    path: '/api/projects/',
    body: ALL,
    expect: { status: 201, body: ALL },
  },
  {
    name: 'a request without any body makes one as well',
    endpoint: CREATE,
    shows: 'success',
    path: '/api/projects/',
    expect: { status: 201, body: { name: 'Default Project' } },
    save: { bare: 'id' },
  },
  {
    name: 'what the server decides cannot be given',
    endpoint: CREATE,
    shows: 'success',
    as: 'admin',
    path: '/api/projects/',
    body: {
      ...{
        id: 1,
        uuid: 'x',
        api_token: 'phc_mine_mine_mine',
        organization: '{foreign_organization}',
      },
      ...{ created_at: 'x', ingested_event: true, effective_membership_level: 15 },
      ...{ has_group_types: true, name: 'By an administrator', access_control: true },
    },
    expect: {
      status: 201,
      body: {
        ...{ api_token: TOKEN, organization: '{organization}', created_at: DATETIME },
        ...{ ingested_event: false, effective_membership_level: 8, has_group_types: false },
        ...{ name: 'By an administrator', access_control: true },
      },
    },
    save: { closed: 'id' },
  },
  {
    name: 'a new project is its maker’s current one',
    endpoint: GET,
    shows: 'success',
    as: 'admin',
    path: '/api/projects/@current/',
    expect: { status: 200, keys: FIELDS, body: { id: '{closed}' } },
  },
  {
    name: 'and nobody else’s',
    endpoint: GET,
    shows: 'success',
    as: 'member',
    path: '/api/projects/@current/',
    expect: { status: 200, body: { id: '{project}' } },
  },
  {
    name: 'a member makes none',
    endpoint: CREATE,
    shows: 'permission',
    as: 'member',
    path: '/api/projects/',
    body: { name: 'Mine' },
    expect: FORBIDDEN,
  },
  {
    name: 'permission is judged before the fields are',
    endpoint: CREATE,
    shows: 'permission',
    as: 'member',
    path: '/api/projects/',
    body: { name: '' },
    expect: FORBIDDEN,
  },
  {
    name: 'an outsider’s project is in the outsider’s organization',
    endpoint: CREATE,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/projects/',
    body: { name: 'Elsewhere', organization: '{organization}' },
    expect: { status: 201, body: { organization: '{foreign_organization}' } },
    save: { foreign: 'id' },
  },
  {
    name: 'a wrong field makes no project',
    endpoint: CREATE,
    shows: 'error',
    path: '/api/projects/',
    body: { name: 'Not made', timezone: 'Mars/Base' },
    expect: invalidField('invalid_choice', 'timezone', '"Mars/Base" is not a valid choice.'),
  },
  {
    name: 'the token of a new project captures at once',
    endpoint: 'POST /capture/',
    shows: 'success',
    as: 'anonymous',
    path: '/capture/',
    body: { api_key: '{plain_token}', event: 'first', distinct_id: 'ann' },
    expect: { status: 200, body: { status: 1 } },
  },
  {
    name: 'a project knows that an event was stored',
    endpoint: GET,
    shows: 'success',
    path: '/api/projects/{plain}/',
    expect: { status: 200, body: { ingested_event: true } },
  },
  {
    name: 'others of the organization do not',
    endpoint: GET,
    shows: 'success',
    path: '/api/projects/{bare}/',
    expect: { status: 200, body: { ingested_event: false } },
  },
]

const pages: readonly ApiCase[] = [
  {
    name: 'a page is as long as its limit, and names the next one',
    endpoint: LIST,
    shows: 'success',
    path: '/api/projects/?limit=1',
    expect: {
      status: 200,
      body: {
        next: /^http:\/\/[^/]+\/api\/projects\/\?limit=1&offset=1$/,
        previous: null,
        results: [{ id: '{project}' }],
      },
    },
    save: { next_page: 'next' },
  },
  {
    name: 'the link to the next page leads there, and the first page has no offset',
    endpoint: LIST,
    shows: 'success',
    path: '{next_page}',
    expect: {
      status: 200,
      body: { previous: /^http:\/\/[^/]+\/api\/projects\/\?limit=1$/, results: [{}] },
    },
  },
  {
    name: 'links repeat the host that was asked for, and no other address',
    endpoint: LIST,
    shows: 'success',
    path: '/api/projects/?limit=1',
    headers: { host: 'sluice.example:8443', 'x-forwarded-host': 'evil.example' },
    expect: {
      status: 200,
      body: { next: 'http://sluice.example:8443/api/projects/?limit=1&offset=1' },
    },
  },
]

const reads: readonly ApiCase[] = [
  {
    name: 'a project is read by any member of its organization',
    endpoint: GET,
    shows: 'success',
    as: 'member',
    path: '/api/projects/{plain}/',
    expect: {
      status: 200,
      keys: FIELDS,
      body: { id: '{plain}', effective_membership_level: 1, api_token: '{plain_token}' },
    },
  },
  {
    name: 'a key restricted to the project reads it',
    endpoint: GET,
    shows: 'permission',
    as: { scoped_teams: ['{plain}'] },
    path: '/api/projects/{plain}/',
    expect: { status: 200, body: { id: '{plain}' } },
  },
  {
    name: 'and no other',
    endpoint: GET,
    shows: 'permission',
    as: { scoped_teams: ['{plain}'] },
    path: '/api/projects/{bare}/',
    expect: FORBIDDEN,
  },
]

const updates: readonly ApiCase[] = [
  {
    name: 'a member updates a project',
    endpoint: PATCH,
    shows: 'success',
    as: 'member',
    path: '/api/projects/{plain}/',
    body: { name: ' Renamed ', timezone: 'Asia/Tokyo' },
    expect: {
      status: 200,
      keys: FIELDS,
      body: { name: 'Renamed', timezone: 'Asia/Tokyo', app_urls: [] },
    },
  },
  {
    name: 'what was not named stays',
    endpoint: PATCH,
    shows: 'success',
    path: '/api/projects/{plain}/',
    body: { anonymize_ips: true },
    expect: { status: 200, body: { name: 'Renamed', timezone: 'Asia/Tokyo', anonymize_ips: true } },
  },
  {
    name: 'the current project is updated by its alias',
    endpoint: PATCH,
    shows: 'success',
    as: 'admin',
    path: '/api/projects/@current/',
    body: { is_demo: true },
    expect: { status: 200, body: { id: '{closed}', is_demo: true } },
  },
  {
    name: 'the first wrong field is named, in the order of the fields and not of the body',
    endpoint: PATCH,
    shows: 'error',
    path: '/api/projects/{plain}/',
    body: { recording_domains: 5, timezone: 'x', name: '' },
    expect: invalidField('blank', 'name', 'This field may not be blank.'),
  },
  {
    name: 'nothing of a body with a wrong field is written',
    endpoint: GET,
    shows: 'error',
    path: '/api/projects/{plain}/',
    expect: { status: 200, body: { name: 'Renamed', timezone: 'Asia/Tokyo' } },
  },
  ...[true, false].map(
    (closed): ApiCase => ({
      name: `a member does not set access control to ${closed}`,
      endpoint: PATCH,
      shows: 'permission',
      as: 'member',
      path: '/api/projects/{plain}/',
      body: { access_control: closed },
      expect: FORBIDDEN,
    }),
  ),
]

/** `{closed}` is under access control: plain members see nothing of it. */
const closed: readonly ApiCase[] = [
  ...([GET, PATCH] as const).map(
    (endpoint): ApiCase => ({
      name: `${endpoint} of a closed project is not found by a member`,
      endpoint,
      shows: 'permission',
      as: 'member',
      path: '/api/projects/{closed}/',
      expect: NOT_FOUND,
    }),
  ),
  {
    name: 'what is under a closed project is refused to a member',
    endpoint: 'GET /api/projects/{project_id}/feature_flags/',
    shows: 'permission',
    as: 'member',
    path: '/api/projects/{closed}/feature_flags/',
    expect: FORBIDDEN,
  },
  {
    name: 'an owner opens it',
    endpoint: PATCH,
    shows: 'permission',
    path: '/api/projects/{closed}/',
    body: { access_control: false },
    expect: { status: 200, body: { access_control: false } },
  },
  {
    name: 'and members see it',
    endpoint: GET,
    shows: 'permission',
    as: 'member',
    path: '/api/projects/{closed}/',
    expect: { status: 200, body: { id: '{closed}', effective_membership_level: 1 } },
  },
]

const removals: readonly ApiCase[] = ['plain', 'bare', 'closed', 'foreign'].map((name) => ({
  name: `the project {${name}} of these cases is removed`,
  endpoint: 'DELETE /api/projects/{id}/',
  shows: 'success',
  as: name === 'foreign' ? 'outsider' : 'owner',
  path: `/api/projects/{${name}}/`,
  expect: { status: 204 },
}))

export const cases: readonly ApiCase[] = [
  ...lists,
  ...creates,
  ...pages,
  ...reads,
  ...updates,
  ...closed,
  ...removals,
]
