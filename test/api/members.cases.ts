import { type ApiCase, FORBIDDEN, invalidField, NOT_FOUND } from './support/case.ts'

const ROOT = '/api/organizations/{organization_id}/members/'
const LIST = `GET ${ROOT}`
const GET = `GET ${ROOT}{user}/`
const PATCH = `PATCH ${ROOT}{user}/`
const DELETE = `DELETE ${ROOT}{user}/`
const KEYS = `GET ${ROOT}{user}/personal_api_keys/`
const REVOKE = `DELETE ${ROOT}{user}/personal_api_keys/{id}/`
const INVITES = 'POST /api/organizations/{parent_lookup_organization_id}/invites/'
const ACCEPT = 'POST /api/signup/{invite_id}/'

const OURS = '/api/organizations/{organization}/members/'
const JOINED = `${OURS}{joined_uuid}/`
const NOBODY = '018f3d6c-7e2a-4c11-8e62-3f5b0a9d4c21'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const FIELDS = ['id', 'user', 'level', 'joined_at', 'updated_at', 'is_active', 'is_email_verified']
const SUMMARY = ['id', 'uuid', 'distinct_id', 'first_name', 'email']
const READER = { scopes: ['organization_member:read'] }
const WRITER = { scopes: ['organization_member:write'] }

const joining: readonly ApiCase[] = [
  {
    name: 'somebody is invited',
    endpoint: INVITES,
    shows: 'success',
    path: '/api/organizations/{organization}/invites/',
    body: { target_email: 'joined@example.org' },
    expect: { status: 201 },
    save: { joined_token: 'token' },
  },
  {
    name: 'and joins',
    endpoint: ACCEPT,
    shows: 'success',
    as: 'anonymous',
    path: '/api/signup/{joined_token}/',
    body: { first_name: 'Joan', password: 'correct horse' },
    expect: { status: 201 },
    save: { joined_uuid: 'uuid', joined_id: 'id', joined_key: 'personal_api_key' },
  },
]

const reads: readonly ApiCase[] = [
  {
    name: 'the list begins with the owner',
    endpoint: LIST,
    shows: 'success',
    as: 'member',
    path: `${OURS}?limit=1`,
    expect: {
      status: 200,
      keys: ['count', 'next', 'previous', 'results'],
      keysAt: { 'results.0': FIELDS, 'results.0.user': SUMMARY },
      body: {
        next: /limit=1&offset=1$/,
        previous: null,
        results: [
          {
            id: UUID,
            user: { uuid: '{owner_uuid}' },
            level: 15,
            joined_at: MOMENT,
            is_active: true,
          },
        ],
      },
    },
  },
  {
    name: 'a key of another scope reads no list',
    endpoint: LIST,
    shows: 'permission',
    as: { scopes: ['organization:read'] },
    path: OURS,
    expect: FORBIDDEN,
  },
  {
    name: 'a page that makes no sense is the first one',
    endpoint: LIST,
    shows: 'error',
    path: `${OURS}?limit=x&offset=-1`,
    expect: { status: 200, body: { previous: null } },
  },
  ...['{joined_uuid}', '{joined_id}'].map(
    (name): ApiCase => ({
      name: `a member is named by ${name}`,
      endpoint: GET,
      shows: 'success',
      as: READER,
      path: `${OURS}${name}/`,
      expect: { status: 200, keys: FIELDS, body: { level: 1, user: { first_name: 'Joan' } } },
      save: { membership: 'id' },
    }),
  ),
  {
    name: 'or by the id of the membership',
    endpoint: GET,
    shows: 'success',
    path: `${OURS}{membership}/`,
    expect: { status: 200, body: { user: { uuid: '{joined_uuid}' } } },
  },
  {
    name: 'who asks is @me',
    endpoint: GET,
    shows: 'success',
    as: 'member',
    path: `${OURS}@me/`,
    expect: { status: 200, body: { level: 1, user: { uuid: '{member_uuid}' } } },
  },
  {
    name: 'nobody is not found',
    endpoint: GET,
    shows: 'error',
    path: `${OURS}${NOBODY}/`,
    expect: NOT_FOUND,
  },
]

const levels: readonly ApiCase[] = [
  {
    name: 'an administrator raises a member',
    endpoint: PATCH,
    shows: 'success',
    as: 'admin',
    path: JOINED,
    body: { level: 8 },
    expect: { status: 200, keys: FIELDS, body: { id: '{membership}', level: 8 } },
  },
  {
    name: 'and lowers the member again, by a form too',
    endpoint: PATCH,
    shows: 'success',
    as: 'admin',
    path: JOINED,
    form: { level: '1' },
    expect: { status: 200, body: { level: 1 } },
  },
  {
    name: 'nothing is asked and nothing done',
    endpoint: PATCH,
    shows: 'success',
    as: WRITER,
    path: JOINED,
    body: {},
    expect: { status: 200, body: { level: 1 } },
    unlogged: 'nothing was changed',
  },
  {
    name: 'a member changes no level',
    endpoint: PATCH,
    shows: 'permission',
    as: 'member',
    path: JOINED,
    body: { level: 8 },
    expect: FORBIDDEN,
  },
  {
    name: 'nobody changes the own level',
    endpoint: PATCH,
    shows: 'permission',
    path: `${OURS}@me/`,
    body: { level: 8 },
    expect: FORBIDDEN,
  },
  {
    name: 'an administrator does not lower the owner',
    endpoint: PATCH,
    shows: 'permission',
    as: 'admin',
    path: `${OURS}{owner_uuid}/`,
    body: { level: 1 },
    expect: FORBIDDEN,
  },
  {
    name: 'an administrator makes no owner',
    endpoint: PATCH,
    shows: 'permission',
    as: 'admin',
    path: JOINED,
    body: { level: 15 },
    expect: FORBIDDEN,
  },
  {
    name: 'there is no such level',
    endpoint: PATCH,
    shows: 'error',
    path: JOINED,
    body: { level: 2 },
    expect: invalidField('invalid_choice', 'level'),
  },
]

const keys: readonly ApiCase[] = [
  {
    name: 'an administrator sees the keys of a member, without their values',
    endpoint: KEYS,
    shows: 'success',
    as: 'admin',
    path: `${JOINED}personal_api_keys/`,
    expect: {
      status: 200,
      body: [{ label: 'First key', user_id: '{joined_id}', scopes: ['*'], expires_at: null }],
    },
    save: { joined_key_id: '0.id' },
  },
  {
    name: 'a member sees no keys of others',
    endpoint: KEYS,
    shows: 'permission',
    as: 'member',
    path: `${JOINED}personal_api_keys/`,
    expect: FORBIDDEN,
  },
  {
    name: 'nobody has no keys',
    endpoint: KEYS,
    shows: 'error',
    path: `${OURS}${NOBODY}/personal_api_keys/`,
    expect: NOT_FOUND,
  },
  {
    name: 'a key that may not manage keys revokes none',
    endpoint: REVOKE,
    shows: 'permission',
    as: WRITER,
    path: `${JOINED}personal_api_keys/{joined_key_id}/`,
    expect: FORBIDDEN,
  },
  {
    name: 'a key is revoked under the name of its user only',
    endpoint: REVOKE,
    shows: 'error',
    path: `${OURS}{member_uuid}/personal_api_keys/{joined_key_id}/`,
    expect: NOT_FOUND,
  },
  {
    name: 'an administrator revokes the key of a member',
    endpoint: REVOKE,
    shows: 'success',
    as: 'admin',
    path: `${JOINED}personal_api_keys/{joined_key_id}/`,
    expect: { status: 204, text: '' },
  },
  {
    name: 'the revoked key is refused at once',
    endpoint: GET,
    shows: 'permission',
    as: 'anonymous',
    headers: { authorization: 'Bearer {joined_key}' },
    path: `${OURS}@me/`,
    expect: { status: 401, body: { code: 'invalid_personal_api_key' } },
  },
]

const removal: readonly ApiCase[] = [
  {
    name: 'a member removes nobody',
    endpoint: DELETE,
    shows: 'permission',
    as: 'member',
    path: JOINED,
    expect: FORBIDDEN,
  },
  {
    name: 'the owner does not leave',
    endpoint: DELETE,
    shows: 'error',
    path: `${OURS}@me/`,
    expect: invalidField('invalid_input', null),
  },
  {
    name: 'an administrator removes a member',
    endpoint: DELETE,
    shows: 'success',
    as: 'admin',
    path: JOINED,
    expect: { status: 204, text: '' },
  },
  {
    name: 'who was removed is not found',
    endpoint: DELETE,
    shows: 'error',
    path: JOINED,
    expect: NOT_FOUND,
  },
]

export const cases: readonly ApiCase[] = [...joining, ...reads, ...levels, ...keys, ...removal]
