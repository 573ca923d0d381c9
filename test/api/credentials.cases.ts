/** Where a personal key may be, which of several counts, and when it is refused. */
import {
  type ApiCase,
  absent,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from './support/case.ts'

const GET = 'GET /api/projects/{id}/'
const PATCH = 'PATCH /api/projects/{id}/'
const PATH = '/api/projects/{project}/'
const BAD = 'phx_nobody_has_this_one'
const PATCH_USER = 'PATCH /api/users/{id}/'
const KEYS = 'GET /api/users/{id}/personal_api_keys/'
const REVOKE = 'DELETE /api/users/{id}/personal_api_keys/{key_id}/'
const CREATE_KEY = 'POST /api/personal_api_keys/'
const PATCH_KEY = 'PATCH /api/personal_api_keys/{id}/'
const ME = 'GET /api/users/@me/'
const NOBODY = '018f3d6c-7e2a-4c11-8e62-3f5b0a9d4c21'
const OTHERS = 'the entry is in the organization of the user'

const MINE: Expectation = { status: 200, body: { effective_membership_level: 15 } }
const NO_KEY: Expectation = { status: 401, body: { code: 'not_authenticated', attr: null } }
const BAD_KEY: Expectation = {
  status: 401,
  body: {
    type: 'authentication_error',
    code: 'invalid_personal_api_key',
    detail: 'Invalid Personal API key.',
    attr: absent,
  },
}

function byHeader(name: string, authorization: string, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return {
    name,
    endpoint: GET,
    shows,
    as: 'anonymous',
    path: PATH,
    headers: { authorization },
    expect,
  }
}

function byQuery(name: string, query: string, expect: Expectation, authorization = ''): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  const path = `${PATH}?${query}`
  const headers = authorization === '' ? {} : { authorization }
  return { name, endpoint: GET, shows, as: 'anonymous', path, headers, expect }
}

function byBody(
  name: string,
  body: object,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return {
    ...{ name, endpoint: PATCH, shows, as: 'anonymous', path: PATH, body, expect },
    ...{ unlogged: 'nothing is changed', ...more },
  }
}

const QUERY = 'personal_api_key={owner_key}'
const BAD_QUERY = `personal_api_key=${BAD}`

const places: readonly ApiCase[] = [
  byHeader('the header holds the key', 'Bearer {owner_key}', MINE),
  byHeader('the scheme may be in any case', 'bEaReR {owner_key}', MINE),
  byHeader('spaces around the key are no part of it', 'Bearer   {owner_key}  ', MINE),
  byHeader('a scheme without a key is none', 'Bearer ', NO_KEY),
  byHeader('another scheme holds no key', 'Basic b3duZXI6c2VjcmV0', NO_KEY),
  byHeader('nor does a key without a scheme', '{owner_key}', NO_KEY),
  byHeader('nor a scheme that only begins so', 'Bearerx {owner_key}', NO_KEY),
  byHeader('a project key is no personal key', 'Bearer {token}', BAD_KEY),
  byHeader('a key with a space inside is none', 'Bearer a b', BAD_KEY),
  byHeader('a key that is too long is none', `Bearer ${'k'.repeat(3_000)}`, BAD_KEY),
  byHeader('half of a key is none', 'Bearer phx_', BAD_KEY),
  byHeader('a key is compared in whole', 'Bearer {owner_key}x', BAD_KEY),
  byQuery('the query may hold it', QUERY, MINE),
  byQuery('an empty parameter is none', 'personal_api_key=', NO_KEY),
  byQuery('a bad one in the query is bad', BAD_QUERY, BAD_KEY),
  byQuery('a bad header is not rescued by the query', QUERY, BAD_KEY, `Bearer ${BAD}`),
  byQuery('a good header is not spoilt by the query', BAD_QUERY, MINE, 'Bearer {owner_key}'),
  byQuery('after another scheme the query counts', QUERY, MINE, 'Basic b3duZXI6c2VjcmV0'),
  byBody('the body may hold it', { personal_api_key: '{owner_key}' }, MINE),
  byBody('a form may hold it', {}, MINE, {
    body: undefined,
    form: { personal_api_key: '{owner_key}' },
  }),
  byBody('a bad one in the body is not rescued by the query', { personal_api_key: BAD }, BAD_KEY, {
    path: `${PATH}?${QUERY}`,
  }),
  byBody(
    'a good one in the body is not spoilt by the query',
    { personal_api_key: '{owner_key}' },
    MINE,
    {
      path: `${PATH}?${BAD_QUERY}`,
    },
  ),
  byBody('a bad header is not rescued by the body', { personal_api_key: '{owner_key}' }, BAD_KEY, {
    headers: { authorization: `Bearer ${BAD}` },
  }),
  byBody(
    'a body that is no text of a key holds none',
    { personal_api_key: ['{owner_key}'] },
    NO_KEY,
  ),
  byBody(
    'a body that cannot be read leaves the query to look at',
    {},
    {
      status: 400,
      body: { code: 'parse_error' },
    },
    {
      body: undefined,
      headers: { 'content-type': 'application/json' },
      rawBody: '{"personal_api_key":',
      path: `${PATH}?${QUERY}`,
    },
  ),
  byBody(
    'a key is shown to nobody',
    { personal_api_key: '{owner_key}' },
    {
      status: 200,
      text: /^(?!.*phx_)/s,
    },
  ),
]

const state: readonly ApiCase[] = [
  {
    name: 'staff deactivates a user',
    endpoint: PATCH_USER,
    shows: 'success',
    path: '/api/users/{member_uuid}/',
    body: { is_active: false },
    expect: { status: 200, body: { uuid: '{member_uuid}', is_active: false } },
  },
  {
    name: 'whose key is refused at once',
    endpoint: ME,
    shows: 'permission',
    as: 'member',
    path: '/api/users/@me/',
    expect: { status: 401, body: { code: 'invalid_personal_api_key' } },
  },
  {
    name: 'until the user is let in again',
    endpoint: PATCH_USER,
    shows: 'success',
    path: '/api/users/{member_uuid}/',
    form: { is_active: 'true' },
    expect: {
      status: 200,
      body: { is_active: true, is_email_verified: true, pending_email: null },
    },
  },
  {
    name: 'an administrator of an organization deactivates nobody',
    endpoint: PATCH_USER,
    shows: 'permission',
    as: 'admin',
    path: '/api/users/{member_uuid}/',
    body: { is_active: false },
    expect: FORBIDDEN,
  },
  {
    name: 'nobody deactivates a user of another organization, unless staff',
    endpoint: PATCH_USER,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/users/{member_uuid}/',
    body: { is_active: false },
    expect: FORBIDDEN,
  },
  {
    name: 'nobody deactivates themselves',
    endpoint: PATCH_USER,
    shows: 'error',
    path: '/api/users/{owner_uuid}/',
    body: { is_active: false },
    expect: invalidField('invalid_input', 'is_active'),
  },
  {
    name: 'nobody is not found',
    endpoint: PATCH_USER,
    shows: 'error',
    path: `/api/users/${NOBODY}/`,
    body: { is_active: false },
    expect: NOT_FOUND,
  },
]

const keys: readonly ApiCase[] = [
  {
    name: 'a key is made that expires',
    endpoint: CREATE_KEY,
    shows: 'success',
    as: 'outsider',
    path: '/api/personal_api_keys/',
    body: { label: 'short', expires_at: '2999-01-01T00:00:00+01:00' },
    expect: { status: 201, body: { expires_at: '2998-12-31T23:00:00.000000Z' } },
    save: { short_key: 'value', short_key_id: 'id' },
    unlogged: OTHERS,
  },
  {
    name: 'not in the past',
    endpoint: CREATE_KEY,
    shows: 'error',
    path: '/api/personal_api_keys/',
    body: { label: 'short', expires_at: '2020-01-01T00:00:00Z' },
    expect: invalidField('invalid_input', 'expires_at'),
  },
  {
    name: 'nor at what is no moment',
    endpoint: CREATE_KEY,
    shows: 'error',
    path: '/api/personal_api_keys/',
    body: { label: 'short', expires_at: 'soon' },
    expect: invalidField('invalid_input', 'expires_at'),
  },
  {
    name: 'a key that expires makes none that lasts',
    endpoint: CREATE_KEY,
    shows: 'permission',
    as: 'anonymous',
    headers: { authorization: 'Bearer {short_key}' },
    path: '/api/personal_api_keys/',
    body: { label: 'long' },
    expect: invalidField('invalid_input', 'expires_at'),
  },
  {
    name: 'nor lasts longer itself',
    endpoint: PATCH_KEY,
    shows: 'permission',
    as: 'anonymous',
    headers: { authorization: 'Bearer {short_key}' },
    path: '/api/personal_api_keys/@current/',
    body: { expires_at: null },
    expect: invalidField('invalid_input', 'expires_at'),
  },
  {
    name: 'staff sees the keys of a user, without their values',
    endpoint: KEYS,
    shows: 'success',
    path: '/api/users/{outsider_uuid}/personal_api_keys/',
    expect: { status: 200, body: [{ id: '{short_key_id}' }, { label: 'Created with the user' }] },
  },
  {
    name: 'an administrator of an organization sees none here',
    endpoint: KEYS,
    shows: 'permission',
    as: 'admin',
    path: '/api/users/{member_uuid}/personal_api_keys/',
    expect: FORBIDDEN,
  },
  {
    name: 'nor does the owner of another',
    endpoint: KEYS,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/users/{member_uuid}/personal_api_keys/',
    expect: FORBIDDEN,
  },
  {
    name: 'nobody has no keys',
    endpoint: KEYS,
    shows: 'error',
    path: `/api/users/${NOBODY}/personal_api_keys/`,
    expect: NOT_FOUND,
  },
  {
    name: 'who is not staff revokes no key here',
    endpoint: REVOKE,
    shows: 'permission',
    as: 'admin',
    path: '/api/users/{outsider_uuid}/personal_api_keys/{short_key_id}/',
    expect: FORBIDDEN,
  },
  {
    name: 'the owner of another organization neither',
    endpoint: REVOKE,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/users/{outsider_uuid}/personal_api_keys/{short_key_id}/',
    expect: FORBIDDEN,
  },
  {
    name: 'a key is revoked under the name of its user only',
    endpoint: REVOKE,
    shows: 'error',
    path: '/api/users/{member_uuid}/personal_api_keys/{short_key_id}/',
    expect: NOT_FOUND,
  },
  {
    name: 'staff revokes the key of a user',
    endpoint: REVOKE,
    shows: 'success',
    path: '/api/users/{outsider_uuid}/personal_api_keys/{short_key_id}/',
    expect: { status: 204, text: '' },
    unlogged: OTHERS,
  },
  {
    name: 'the revoked key is refused at once',
    endpoint: ME,
    shows: 'permission',
    as: 'anonymous',
    headers: { authorization: 'Bearer {short_key}' },
    path: '/api/users/@me/',
    expect: { status: 401, body: { code: 'invalid_personal_api_key' } },
  },
]

export const cases: readonly ApiCase[] = [...places, ...state, ...keys]
