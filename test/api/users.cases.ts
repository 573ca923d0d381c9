import { type ApiCase, absent, FORBIDDEN, invalidField, NOT_FOUND } from './support/case.ts'

const ME = 'GET /api/users/@me/'
const PATCH = 'PATCH /api/users/@me/'
const LIST = 'GET /api/users/'
const GET = 'GET /api/users/{id}/'
const PATH = '/api/users/@me/'

const FIELDS = [
  ...['id', 'uuid', 'distinct_id', 'first_name', 'email', 'date_joined', 'email_opt_in'],
  ...['anonymize_data', 'toolbar_mode', 'notification_settings', 'events_column_config'],
  ...['has_password', 'is_staff', 'is_impersonated', 'team', 'organization', 'organizations'],
  ...['service_version', 'is_active', 'is_email_verified', 'pending_email'],
]
const TEAM_FIELDS = [
  ...['id', 'uuid', 'organization', 'api_token', 'name', 'completed_snippet_onboarding'],
  ...['ingested_event', 'is_demo', 'timezone', 'access_control', 'effective_membership_level'],
  ...['app_urls', 'anonymize_ips', 'chat_incoming_webhook', 'test_account_filters'],
  ...['data_attributes', 'session_recording_opt_in', 'event_names', 'event_properties'],
  ...['event_names_with_usage', 'event_properties_with_usage'],
]
const LIST_FIELDS = [
  ...['id', 'uuid', 'distinct_id', 'first_name', 'email', 'date_joined', 'is_staff', 'is_active'],
  ...['is_email_verified', 'pending_email'],
]
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const mine: readonly ApiCase[] = [
  {
    name: 'the owner works in the first project',
    endpoint: PATCH,
    shows: 'success',
    path: PATH,
    body: { set_current_team: '{project}' },
    expect: { status: 200, body: { team: { id: '{project}' } } },
  },
  {
    name: 'the current user is shown with project, organization and version',
    endpoint: ME,
    shows: 'success',
    path: PATH,
    expect: {
      status: 200,
      keys: FIELDS,
      keysAt: {
        team: TEAM_FIELDS,
        'organizations.0': ['id', 'name', 'slug', 'membership_level'],
      },
      body: {
        id: '{owner_id}',
        uuid: '{owner_uuid}',
        email: '{owner_email}',
        date_joined: DATETIME,
        has_password: false,
        is_staff: true,
        is_impersonated: false,
        team: { id: '{project}', api_token: '{token}', effective_membership_level: 15 },
        organization: { id: '{organization}', membership_level: 15, password: absent },
        organizations: [{ id: '{organization}', membership_level: 15 }],
        service_version: /^\d+\.\d+\.\d+/,
      },
    },
  },
  {
    name: 'a member is shown the level of a member',
    endpoint: ME,
    shows: 'permission',
    as: 'member',
    path: PATH,
    expect: {
      status: 200,
      body: {
        id: '{member_id}',
        is_staff: false,
        organization: { id: '{organization}', membership_level: 1 },
        organizations: [{ id: '{organization}', membership_level: 1 }],
      },
    },
  },
  {
    name: 'an outsider sees the own place alone',
    endpoint: ME,
    shows: 'tenancy',
    as: 'outsider',
    path: PATH,
    expect: {
      status: 200,
      body: {
        email: '{outsider_email}',
        team: { id: '{foreign_project}' },
        organization: { id: '{foreign_organization}' },
        organizations: [{ id: '{foreign_organization}' }],
      },
    },
  },
  {
    name: 'a key restricted to the current project is let in',
    endpoint: ME,
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    path: PATH,
    expect: {
      status: 200,
      body: {
        team: { id: '{project}' },
        organization: { id: '{organization}', teams: [{ id: '{project}' }] },
      },
    },
  },
  {
    name: 'a project is made for the names of events',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Names' },
    expect: { status: 201 },
    save: { names_project: 'id', names_token: 'api_token' },
  },
  {
    name: 'a key restricted to another project sees the current one as none',
    endpoint: ME,
    shows: 'tenancy',
    as: { scoped_teams: ['{project}'] },
    path: PATH,
    expect: {
      status: 200,
      body: { team: null, organization: { teams: [{ id: '{project}' }] } },
    },
  },
  {
    name: 'an event with properties is captured there',
    endpoint: 'POST /capture/',
    shows: 'success',
    as: 'anonymous',
    path: '/capture/',
    body: {
      api_key: '{names_token}',
      event: 'order placed',
      distinct_id: 'anna',
      properties: { price: 5 },
    },
    expect: { status: 200 },
  },
  {
    name: 'the names of events and of their properties are shown',
    endpoint: ME,
    shows: 'success',
    path: PATH,
    expect: {
      status: 200,
      keysAt: {
        'team.event_names_with_usage.0': ['event', 'usage_count', 'volume'],
        'team.event_properties_with_usage.0': ['key', 'usage_count', 'volume'],
      },
      body: {
        team: { id: '{names_project}', ingested_event: true, event_names: ['order placed'] },
      },
      text: /"event_properties":\[[^\]]*"price"/,
    },
  },
  {
    name: 'the project of the names is removed',
    endpoint: 'DELETE /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{names_project}/',
    expect: { status: 204 },
  },
  {
    name: 'the removed project is no longer the current one',
    endpoint: ME,
    shows: 'success',
    path: PATH,
    expect: { status: 200, body: { team: { id: '{project}' } } },
  },
]

function wrong(name: string, body: object, code: string, attr: string): ApiCase {
  const expect = invalidField(code, attr)
  return { name, endpoint: PATCH, shows: 'error', as: 'member', path: PATH, body, expect }
}

const changes: readonly ApiCase[] = [
  {
    name: 'every field of a user is written',
    endpoint: PATCH,
    shows: 'success',
    as: 'member',
    path: PATH,
    body: {
      first_name: ' Mem ',
      email_opt_in: 'true',
      anonymize_data: true,
      toolbar_mode: 'disabled',
      events_column_config: { active: ['event', 'person'] },
      notification_settings: { plugin_disabled: false },
      is_active: false,
      uuid: 'ignored',
    },
    expect: {
      status: 200,
      keys: FIELDS,
      body: {
        id: '{member_id}',
        uuid: '{member_uuid}',
        first_name: 'Mem',
        email_opt_in: true,
        anonymize_data: true,
        toolbar_mode: 'disabled',
        events_column_config: { active: ['event', 'person'] },
        notification_settings: { plugin_disabled: false },
      },
    },
  },
  {
    name: 'an address may be changed in its case',
    endpoint: PATCH,
    shows: 'success',
    as: 'member',
    path: PATH,
    body: { email: 'MEMBER@example.com', first_name: 'M' },
    expect: {
      status: 200,
      body: { email: 'MEMBER@example.com', notification_settings: { plugin_disabled: false } },
    },
  },
  {
    name: 'the fields are set back',
    endpoint: PATCH,
    shows: 'success',
    as: 'member',
    path: PATH,
    body: {
      email: '{member_email}',
      email_opt_in: null,
      anonymize_data: false,
      toolbar_mode: 'toolbar',
      notification_settings: { plugin_disabled: true },
    },
    expect: { status: 200, body: { email: '{member_email}', email_opt_in: false } },
  },
  wrong('a blank first name is refused', { first_name: ' ' }, 'blank', 'first_name'),
  wrong('a null first name is refused', { first_name: null }, 'null', 'first_name'),
  wrong(
    'a first name that is too long is refused',
    { first_name: 'x'.repeat(151) },
    'max_length',
    'first_name',
  ),
  wrong('an address that is none is refused', { email: 'nobody' }, 'invalid_input', 'email'),
  wrong(
    'the address of another is refused, in whatever case',
    { email: 'Owner@Example.com' },
    'unique',
    'email',
  ),
  wrong(
    'an unknown mode of the toolbar is refused',
    { toolbar_mode: 'hidden' },
    'invalid_choice',
    'toolbar_mode',
  ),
  wrong(
    'columns that are no object are refused',
    { events_column_config: ['event'] },
    'invalid_input',
    'events_column_config',
  ),
  wrong(
    'an unknown notification is refused',
    { notification_settings: { weekly: true } },
    'invalid_input',
    'notification_settings',
  ),
  wrong(
    'a notification that is no boolean is refused',
    { notification_settings: { plugin_disabled: 'yes' } },
    'invalid_input',
    'notification_settings',
  ),
  wrong(
    'an unknown project is refused',
    { set_current_team: 999999 },
    'does_not_exist',
    'set_current_team',
  ),
  wrong(
    'a project that is no number is refused',
    { set_current_team: 'abc' },
    'does_not_exist',
    'set_current_team',
  ),
  wrong(
    'a project that is a boolean is refused',
    { set_current_team: true },
    'invalid_input',
    'set_current_team',
  ),
  wrong(
    'an unknown organization is refused',
    { set_current_organization: 'abc' },
    'does_not_exist',
    'set_current_organization',
  ),
  {
    ...wrong(
      'a foreign project is as unknown',
      { set_current_team: '{foreign_project}' },
      'does_not_exist',
      'set_current_team',
    ),
    shows: 'tenancy',
  },
  {
    ...wrong(
      'a foreign organization is as unknown',
      { set_current_organization: '{foreign_organization}' },
      'does_not_exist',
      'set_current_organization',
    ),
    shows: 'tenancy',
  },
  {
    name: 'the project may be given as text, with its organization',
    endpoint: PATCH,
    shows: 'success',
    as: 'member',
    path: PATH,
    body: { set_current_team: '{project}', set_current_organization: '{organization}' },
    expect: {
      status: 200,
      body: { team: { id: '{project}' }, organization: { id: '{organization}' } },
    },
  },
  {
    name: 'nobody but staff says who is staff',
    endpoint: PATCH,
    shows: 'permission',
    as: 'admin',
    path: PATH,
    body: { is_staff: true },
    expect: FORBIDDEN,
  },
  {
    name: 'not even that one is not',
    endpoint: PATCH,
    shows: 'permission',
    as: 'member',
    path: PATH,
    body: { is_staff: false },
    expect: FORBIDDEN,
  },
  {
    name: 'staff do',
    endpoint: PATCH,
    shows: 'success',
    path: PATH,
    body: { is_staff: true },
    expect: { status: 200, body: { is_staff: true } },
  },
  {
    name: 'a key restricted to a project does not lead elsewhere',
    endpoint: PATCH,
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    path: PATH,
    body: { set_current_team: '{foreign_project}' },
    expect: invalidField('does_not_exist', 'set_current_team'),
  },
]

const others: readonly ApiCase[] = [
  {
    name: 'staff list all users of the instance, by id',
    endpoint: LIST,
    shows: 'success',
    path: `${LIST.slice(4)}?limit=1`,
    expect: {
      status: 200,
      keys: ['count', 'next', 'previous', 'results'],
      keysAt: { 'results.0': LIST_FIELDS },
      body: { previous: null, results: [{ id: '{owner_id}', is_active: true }] },
    },
    save: { users_next: 'next' },
  },
  {
    name: 'the next page holds the next user',
    endpoint: LIST,
    shows: 'success',
    path: '{users_next}',
    expect: { status: 200, body: { results: [{ is_staff: false }] } },
  },
  {
    name: 'an administrator of an organization does not list them',
    endpoint: LIST,
    shows: 'permission',
    as: 'admin',
    path: '/api/users/',
    expect: FORBIDDEN,
  },
  {
    name: 'a key that is restricted to an organization does not list them',
    endpoint: LIST,
    shows: 'tenancy',
    as: { scoped_organizations: ['{organization}'] },
    path: '/api/users/',
    expect: FORBIDDEN,
  },
  {
    name: 'staff see anybody',
    endpoint: GET,
    shows: 'success',
    path: '/api/users/{outsider_uuid}/',
    expect: {
      status: 200,
      keys: FIELDS,
      body: { id: '{outsider_id}', organization: { id: '{foreign_organization}' } },
    },
  },
  {
    name: 'an unknown user is not found',
    endpoint: GET,
    shows: 'error',
    path: '/api/users/01868e2c-0000-7000-8000-000000000000/',
    expect: NOT_FOUND,
  },
  {
    name: 'a user is not found by number',
    endpoint: GET,
    shows: 'error',
    path: '/api/users/{owner_id}/',
    expect: NOT_FOUND,
  },
  {
    name: 'nobody else sees even oneself there',
    endpoint: GET,
    shows: 'permission',
    as: 'member',
    path: '/api/users/{member_uuid}/',
    expect: FORBIDDEN,
  },
  {
    name: 'a key that is restricted to a project sees nobody else',
    endpoint: GET,
    shows: 'tenancy',
    as: { scoped_teams: ['{project}'] },
    path: '/api/users/{outsider_uuid}/',
    expect: FORBIDDEN,
  },
]

export const cases: readonly ApiCase[] = [...mine, ...changes, ...others]
