import { type ApiCase, FORBIDDEN, invalidField, NOT_FOUND } from './support/case.ts'

const LIST = 'GET /api/organizations/'
const CREATE = 'POST /api/organizations/'
const GET = 'GET /api/organizations/{id}/'
const PATCH = 'PATCH /api/organizations/{id}/'
const DELETE = 'DELETE /api/organizations/{id}/'
const PATH = '/api/organizations/{organization}/'
const MADE = '/api/organizations/{made_organization}/'
const IN_IT = 'the entry is in the organization that was made'

const FIELDS = [
  ...['id', 'name', 'slug', 'created_at', 'updated_at', 'membership_level'],
  ...['plugins_access_level', 'teams', 'available_features', 'is_member_join_email_enabled'],
  ...['metadata', 'customer_id'],
]
const TEAM_FIELDS = [
  ...['id', 'uuid', 'organization', 'api_token', 'name', 'completed_snippet_onboarding'],
  ...['ingested_event', 'is_demo', 'timezone', 'access_control', 'effective_membership_level'],
]
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const reads: readonly ApiCase[] = [
  {
    name: 'the list is a page of the organizations that the caller is in',
    endpoint: LIST,
    shows: 'success',
    path: '/api/organizations/',
    expect: {
      status: 200,
      keys: ['count', 'next', 'previous', 'results'],
      keysAt: { 'results.0': FIELDS, 'results.0.teams.0': TEAM_FIELDS },
      body: {
        count: 1,
        next: null,
        previous: null,
        results: [{ id: '{organization}', membership_level: 15 }],
      },
    },
  },
  {
    name: 'an outsider lists others',
    endpoint: LIST,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/organizations/',
    expect: { status: 200, body: { count: 1, results: [{ id: '{foreign_organization}' }] } },
  },
  {
    name: 'a key restricted to a project lists none',
    endpoint: LIST,
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    path: '/api/organizations/',
    expect: FORBIDDEN,
  },
  {
    name: 'a limit that is no number is the default',
    endpoint: LIST,
    shows: 'error',
    path: '/api/organizations/?limit=many&offset=-1',
    expect: { status: 200, body: { count: 1, results: [{ id: '{organization}' }] } },
  },
  {
    name: 'an organization shows its projects and the level of the caller',
    endpoint: GET,
    shows: 'success',
    as: 'member',
    path: PATH,
    expect: {
      status: 200,
      keys: FIELDS,
      keysAt: {
        'teams.0': TEAM_FIELDS,
        metadata: ['taxonomy_set_events_count', 'taxonomy_set_properties_count', 'instance_tag'],
      },
      body: {
        id: '{organization}',
        created_at: DATETIME,
        updated_at: DATETIME,
        membership_level: 1,
        plugins_access_level: 9,
        available_features: [],
        metadata: { taxonomy_set_properties_count: 0 },
        customer_id: null,
      },
    },
  },
  {
    name: '@current is the organization that the caller works in',
    endpoint: GET,
    shows: 'success',
    as: 'admin',
    path: '/api/organizations/@current/',
    expect: { status: 200, body: { id: '{organization}', membership_level: 8 } },
  },
  {
    name: 'a foreign organization is not found',
    endpoint: GET,
    shows: 'tenancy',
    path: '/api/organizations/{foreign_organization}/',
    expect: NOT_FOUND,
  },
  {
    name: 'an id that is no UUID is not found',
    endpoint: GET,
    shows: 'error',
    path: '/api/organizations/1/',
    expect: NOT_FOUND,
  },
  {
    name: 'a key restricted to a project reads no organization',
    endpoint: GET,
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    path: PATH,
    expect: FORBIDDEN,
  },
]

const writes: readonly ApiCase[] = [
  {
    name: 'a name is required',
    endpoint: CREATE,
    shows: 'error',
    path: '/api/organizations/',
    body: {},
    expect: invalidField('required', 'name', 'This field is required.'),
  },
  {
    name: 'a name has 64 characters at most',
    endpoint: CREATE,
    shows: 'error',
    path: '/api/organizations/',
    body: { name: 'x'.repeat(65) },
    expect: invalidField('max_length', 'name'),
  },
  {
    name: 'a flag that is no boolean is refused',
    endpoint: CREATE,
    shows: 'error',
    path: '/api/organizations/',
    body: { name: 'Made', is_member_join_email_enabled: 'perhaps' },
    expect: invalidField('invalid_input', 'is_member_join_email_enabled'),
  },
  {
    name: 'a key restricted to an organization makes no other',
    endpoint: CREATE,
    shows: 'tenancy',
    as: { scoped_organizations: ['{organization}'] },
    path: '/api/organizations/',
    body: { name: 'Made' },
    expect: FORBIDDEN,
  },
  {
    name: 'nor does one restricted to a project',
    endpoint: CREATE,
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    path: '/api/organizations/',
    body: { name: 'Made' },
    expect: FORBIDDEN,
  },
  {
    name: 'whoever makes one owns it, with a first project',
    endpoint: CREATE,
    shows: 'success',
    path: '/api/organizations/',
    body: { name: 'Made & Owned', slug: 'ignored', plugins_access_level: 0 },
    expect: {
      status: 201,
      keys: FIELDS,
      body: {
        id: UUID,
        name: 'Made & Owned',
        slug: /^made-owned/,
        membership_level: 15,
        plugins_access_level: 6,
        teams: [{ api_token: /^phc_/, effective_membership_level: 15 }],
      },
    },
    save: { made_organization: 'id', made_project: 'teams.0.id', made_token: 'teams.0.api_token' },
  },
  {
    name: 'the new organization is the current one',
    endpoint: GET,
    shows: 'success',
    path: '/api/organizations/@current/',
    expect: { status: 200, body: { id: '{made_organization}' } },
  },
  {
    name: 'those who are not in it do not list it',
    endpoint: LIST,
    shows: 'tenancy',
    as: 'admin',
    path: '/api/organizations/',
    expect: { status: 200, body: { count: 1, results: [{ id: '{organization}' }] } },
  },
  {
    name: 'nor by a key that is restricted to another',
    endpoint: GET,
    shows: 'tenancy',
    as: { scoped_organizations: ['{organization}'] },
    path: MADE,
    expect: NOT_FOUND,
  },
  {
    name: 'its project takes events',
    endpoint: 'POST /capture/',
    shows: 'success',
    as: 'anonymous',
    path: '/capture/',
    body: { api_key: '{made_token}', event: 'made', distinct_id: 'anna' },
    expect: { status: 200 },
  },
  {
    name: 'a new name keeps the slug',
    endpoint: PATCH,
    shows: 'success',
    path: MADE,
    body: { name: 'Renamed', is_member_join_email_enabled: 'false', slug: 'ignored' },
    expect: {
      status: 200,
      keys: FIELDS,
      body: { name: 'Renamed', slug: /^made-owned/, is_member_join_email_enabled: false },
    },
    unlogged: IN_IT,
  },
  {
    name: 'an administrator updates an organization',
    endpoint: PATCH,
    shows: 'success',
    as: 'admin',
    path: PATH,
    body: { is_member_join_email_enabled: true },
    expect: { status: 200, body: { is_member_join_email_enabled: true, membership_level: 8 } },
  },
  {
    name: 'a member does not',
    endpoint: PATCH,
    shows: 'permission',
    as: 'member',
    path: PATH,
    body: { is_member_join_email_enabled: true },
    expect: FORBIDDEN,
  },
  {
    name: 'a blank name is refused',
    endpoint: PATCH,
    shows: 'error',
    path: MADE,
    body: { name: ' ' },
    expect: invalidField('blank', 'name', 'This field may not be blank.'),
  },
]

const deletions: readonly ApiCase[] = [
  {
    name: 'an administrator does not delete an organization',
    endpoint: DELETE,
    shows: 'permission',
    as: 'admin',
    path: PATH,
    expect: FORBIDDEN,
  },
  {
    name: 'its owner deletes it',
    endpoint: DELETE,
    shows: 'success',
    path: MADE,
    expect: { status: 204, text: '' },
  },
  {
    name: 'deleted, it is not found',
    endpoint: DELETE,
    shows: 'error',
    path: MADE,
    expect: NOT_FOUND,
  },
  {
    name: 'its project is gone with it',
    endpoint: 'GET /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{made_project}/',
    expect: NOT_FOUND,
  },
  {
    name: 'and takes no event any more',
    endpoint: 'POST /capture/',
    shows: 'error',
    as: 'anonymous',
    path: '/capture/',
    body: { api_key: '{made_token}', event: 'late', distinct_id: 'anna' },
    expect: { status: 401, body: { code: 'invalid_api_key' } },
  },
  {
    name: 'the owner works in the first organization again',
    endpoint: GET,
    shows: 'success',
    path: '/api/organizations/@current/',
    expect: { status: 200, body: { id: '{organization}' } },
  },
]

export const cases: readonly ApiCase[] = [...reads, ...writes, ...deletions]
