/** Names of events: born with the first event, described by members. In a project of their own. */
import {
  type ApiCase,
  absent,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from './support/case.ts'

const LIST = 'GET /api/projects/{project_id}/event_definitions/'
const GET = 'GET /api/projects/{project_id}/event_definitions/{id}/'
const PATCH = 'PATCH /api/projects/{project_id}/event_definitions/{id}/'
const PATH = '/api/projects/{own}/event_definitions/'
const ONE = `${PATH}{signed_up}/`

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FIELDS = [
  ...['id', 'name', 'owner', 'description', 'tags', 'volume_30_day', 'query_usage_30_day'],
  ...['created_at', 'updated_at', 'updated_by', 'last_seen_at', 'last_updated_at'],
  ...['verified', 'verified_at', 'verified_by', 'is_action', 'action_id', 'is_calculating'],
  ...['last_calculated_at', 'created_by', 'post_to_chat'],
]
/** The members of each user that an answer shows, whoever it is. */
const SUMMARY = ['id', 'uuid', 'distinct_id', 'first_name', 'email']
const OWNER = { id: '{owner_id}', uuid: '{owner_uuid}', email: '{owner_email}' }

function listed(...names: readonly string[]): Expectation {
  return { status: 200, body: { count: names.length, results: names.map((name) => ({ name })) } }
}

function list(name: string, query: string, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: LIST, shows, path: `${PATH}?${query}`, expect }
}

function change(
  name: string,
  body: object,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: PATCH, shows, path: ONE, body, expect, ...more }
}

const NAMES = ['Signed Up', 'signed_out', '$pageview', 'paid 100%']

const births: readonly ApiCase[] = [
  {
    name: 'a project to define events in',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Definitions' },
    expect: { status: 201 },
    save: { own: 'id', own_token: 'api_token' },
  },
  {
    name: 'a project that has no events',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Empty' },
    expect: { status: 201 },
    save: { empty: 'id' },
  },
  {
    name: 'a project without events defines none',
    endpoint: LIST,
    shows: 'success',
    path: '/api/projects/{empty}/event_definitions/',
    expect: { status: 200, body: { count: 0, next: null, previous: null, results: [] } },
  },
  {
    name: 'events of four names are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{own_token}',
      batch: [...NAMES, ...NAMES].map((event) => ({ event, distinct_id: 'ann' })),
    },
    expect: { status: 200, body: { status: 1 } },
  },
  {
    name: 'each name is defined once, by name where the volumes are one',
    endpoint: LIST,
    shows: 'success',
    as: 'member',
    path: PATH,
    expect: {
      ...listed('$pageview', 'Signed Up', 'paid 100%', 'signed_out'),
      keysAt: { 'results.0': FIELDS },
    },
    save: { pageview: 'results.0.id', signed_up: 'results.1.id', paid: 'results.2.id' },
  },
  {
    name: 'a definition that nobody has touched says what the server knows',
    endpoint: GET,
    shows: 'success',
    as: 'member',
    path: ONE,
    expect: {
      status: 200,
      keys: FIELDS,
      body: {
        ...{ id: UUID, name: 'Signed Up', owner: null, description: '', tags: [] },
        ...{ volume_30_day: 2, query_usage_30_day: 0, created_at: DATETIME, updated_at: DATETIME },
        ...{ updated_by: null, last_seen_at: DATETIME, last_updated_at: DATETIME },
        ...{ verified: false, verified_at: null, verified_by: null, is_action: 'false' },
        ...{ action_id: null, is_calculating: false, last_calculated_at: null, created_by: null },
        ...{ post_to_chat: false },
      },
    },
  },
]

const lists: readonly ApiCase[] = [
  list('a search is a part of the name, whatever the case', 'search=SIGN', {
    ...listed('Signed Up', 'signed_out'),
  }),
  list('every word is searched for', 'search=up%20sign', listed('Signed Up')),
  list('a percent sign is one', 'search=100%25', listed('paid 100%')),
  list('an underscore is one', 'search=d_', listed('signed_out')),
  list('no name holds both', 'search=paid%20sign', listed()),
  list('an empty search is none', 'search=&limit=1', {
    status: 200,
    body: { count: 4, results: [{ name: '$pageview' }] },
  }),
  list('names of one’s own', 'event_type=event_custom&ordering=-name', {
    ...listed('signed_out', 'paid 100%', 'Signed Up'),
  }),
  list('names of the libraries', 'event_type=event_posthog', listed('$pageview')),
  list('all names by name', 'event_type=event&ordering=name', {
    ...listed('$pageview', 'Signed Up', 'paid 100%', 'signed_out'),
  }),
  list('another type is none', 'event_type=action', {
    ...invalidField('invalid_choice', 'event_type', '"action" is not a valid choice.'),
  }),
  list('an order that nobody knows is the usual one', 'ordering=id', {
    ...listed('$pageview', 'Signed Up', 'paid 100%', 'signed_out'),
  }),
  list('the least frequent first, ties by name', 'ordering=volume_30_day&limit=2', {
    status: 200,
    body: { count: 4, results: [{ name: '$pageview' }, { name: 'Signed Up' }] },
  }),
  list('a page keeps what was searched for in its links', 'search=sign&limit=1', {
    status: 200,
    body: {
      count: 2,
      next: /event_definitions\/\?limit=1&offset=1&search=sign$/,
      results: [{ name: 'Signed Up' }],
    },
  }),
]

const changes: readonly ApiCase[] = [
  change(
    'a member describes, tags and gives away a definition',
    {
      description: ' Somebody signed up ',
      tags: [' Growth', 'growth', 'B2B'],
      owner: '{owner_id}',
      post_to_chat: true,
    },
    {
      status: 200,
      keys: FIELDS,
      body: {
        description: 'Somebody signed up',
        tags: ['b2b', 'growth'],
        owner: '{owner_id}',
        post_to_chat: true,
        updated_by: { id: '{member_id}' },
      },
    },
    { as: 'member' },
  ),
  change(
    'what only the server decides is ignored',
    {
      ...{ name: 'Other', verified_by: '{member_id}', verified_at: 'x', is_action: true },
      ...{ volume_30_day: 5, created_by: 1 },
    },
    {
      status: 200,
      body: { name: 'Signed Up', verified: false, verified_by: null, updated_by: OWNER },
    },
  ),
  change(
    'the owner verifies it',
    { verified: true },
    {
      status: 200,
      body: { verified: true, verified_at: DATETIME, verified_by: OWNER },
      keysAt: { updated_by: SUMMARY, verified_by: SUMMARY },
    },
    { save: { verified_at: 'verified_at' } },
  ),
  change(
    'once verified it stays so by whom it was',
    { verified: true },
    {
      status: 200,
      body: {
        verified_at: '{verified_at}',
        verified_by: OWNER,
        updated_by: { id: '{member_id}' },
      },
    },
    { as: 'member' },
  ),
  change(
    'what is no longer verified was verified by nobody',
    { verified: 'false' },
    {
      status: 200,
      body: { verified: false, verified_at: null, verified_by: null },
    },
  ),
  change(
    'null clears the owner and the description',
    { owner: null, description: null },
    {
      status: 200,
      body: { owner: null, description: null, tags: ['b2b', 'growth'] },
    },
  ),
  change('an empty list clears the tags', { tags: [] }, { status: 200, body: { tags: [] } }),
  change('an empty change is one', {}, { status: 200, body: { updated_by: OWNER } }),
  change(
    'a user of another organization owns nothing here',
    { owner: '{outsider_id}' },
    {
      ...invalidField('does_not_exist', 'owner'),
    },
  ),
  change(
    'nor does one that there is not',
    { owner: 2147483647 },
    {
      ...invalidField(
        'does_not_exist',
        'owner',
        'Invalid pk "2147483647" - object does not exist.',
      ),
    },
  ),
  change(
    'an owner is named by an integer',
    { owner: [1] },
    {
      ...invalidField('incorrect_type', 'owner'),
    },
  ),
  change('tags are a list', { tags: 'growth' }, invalidField('not_a_list', 'tags')),
  change('of texts', { tags: [{}] }, invalidField('invalid_input', 'tags__0')),
  change(
    'that are not too long',
    { tags: ['a', 'x'.repeat(256)] },
    {
      ...invalidField('max_length', 'tags__1'),
    },
  ),
  change(
    'verified is a boolean',
    { verified: 'perhaps' },
    {
      ...invalidField('invalid_input', 'verified', 'Must be a valid boolean.'),
    },
  ),
  change('and not null', { verified: null }, invalidField('null', 'verified')),
  {
    name: 'nothing of a change with a wrong field is written',
    endpoint: GET,
    shows: 'error',
    path: ONE,
    expect: { status: 200, body: { owner: null, tags: [], verified: false } },
  },
]

/** Rules of one definition, for every caller and every way of asking. */
function both(name: string, more: Partial<ApiCase> & Pick<ApiCase, 'shows' | 'expect'>): ApiCase[] {
  const read: ApiCase = { endpoint: GET, path: ONE, ...more, name }
  return [read, { ...read, name: `${name}, to change it either`, endpoint: PATCH, body: {} }]
}

const strangers: readonly ApiCase[] = [
  ...both('an unknown id is no definition', {
    shows: 'error',
    path: `${PATH}00000000-0000-4000-8000-000000000000/`,
    expect: NOT_FOUND,
  }),
  ...both('nor is what is no uuid', { shows: 'error', path: `${PATH}1/`, expect: NOT_FOUND }),
  ...both('nor is one of another project of the organization', {
    shows: 'tenancy',
    path: '/api/projects/{project}/event_definitions/{signed_up}/',
    expect: NOT_FOUND,
  }),
  ...both('nor one of a foreign project', {
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/projects/{foreign_project}/event_definitions/{signed_up}/',
    expect: NOT_FOUND,
  }),
  ...both('an outsider has no access to the project', {
    shows: 'tenancy',
    as: 'outsider',
    expect: { ...FORBIDDEN, body: { detail: "You don't have access to the project." } },
  }),
  ...both('nor has a key that is restricted to another', {
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    expect: FORBIDDEN,
  }),
  {
    name: 'a key restricted to the project lists it',
    endpoint: LIST,
    shows: 'permission',
    as: { scoped_teams: ['{own}'], scopes: ['event_definition:read'] },
    path: PATH,
    expect: { status: 200, body: { count: 4 } },
  },
  {
    name: 'a key that may read changes nothing',
    endpoint: PATCH,
    shows: 'permission',
    as: { scopes: ['event_definition:read'] },
    path: ONE,
    body: { verified: true },
    expect: { status: 403, body: { detail: /event_definition:write/ } },
  },
  {
    name: 'a definition is not made by hand',
    endpoint: LIST,
    verb: 'POST',
    shows: 'error',
    path: PATH,
    body: { name: 'x' },
    expect: { status: 405, body: { code: 'method_not_allowed', name: absent } },
  },
  {
    name: 'nor removed',
    endpoint: GET,
    verb: 'DELETE',
    shows: 'error',
    path: ONE,
    expect: { status: 405, body: { code: 'method_not_allowed' } },
  },
]

const end: readonly ApiCase[] = [
  {
    name: 'the project of these definitions is removed',
    endpoint: 'DELETE /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{own}/',
    expect: { status: 204 },
  },
  {
    name: 'and they are found no more',
    endpoint: LIST,
    shows: 'error',
    path: PATH,
    expect: { status: 404, body: { detail: 'Project not found.' } },
  },
]

export const cases: readonly ApiCase[] = [...births, ...lists, ...changes, ...strangers, ...end]
