import {
  type ApiCase,
  absent,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from './support/case.ts'

const LIST = 'GET /api/personal_api_keys/'
const CREATE = 'POST /api/personal_api_keys/'
const GET = 'GET /api/personal_api_keys/{id}/'
const PATCH = 'PATCH /api/personal_api_keys/{id}/'
const ROLL = 'POST /api/personal_api_keys/{id}/roll/'
const DELETE = 'DELETE /api/personal_api_keys/{id}/'
const KEYS = '/api/personal_api_keys/'
const MADE = `${KEYS}{made_key}/`

const FIELDS = [
  ...['id', 'label', 'created_at', 'last_used_at', 'user_id', 'scopes', 'scoped_teams'],
  ...['scoped_organizations', 'mask_value', 'last_rolled_at', 'expires_at'],
]
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const VALUE = /^phx_[0-9A-Za-z]{43}$/
const BAD_KEY: Expectation = {
  status: 401,
  body: { code: 'invalid_personal_api_key', attr: absent },
}
/** Keys that one user may have. */
const KEYS_MAX = 10

/** A call with a value that a case before it has saved. */
function by(name: string): Pick<ApiCase, 'as' | 'headers'> {
  return { as: 'anonymous', headers: { authorization: `Bearer {${name}}` } }
}

const first: readonly ApiCase[] = [
  {
    name: 'a key is made, with its value for this once',
    endpoint: CREATE,
    shows: 'success',
    as: 'member',
    path: KEYS,
    body: { label: ' Laptop ', value: 'phx_chosen_by_the_client', user_id: 1 },
    expect: {
      status: 201,
      keys: [...FIELDS, 'value'],
      body: {
        id: /^[0-9A-Za-z]{43}$/,
        label: 'Laptop',
        created_at: DATETIME,
        last_used_at: null,
        user_id: '{member_id}',
        scopes: ['*'],
        scoped_teams: [],
        scoped_organizations: [],
        mask_value: /^phx_\.\.\.[0-9A-Za-z]{4}$/,
        last_rolled_at: null,
        value: VALUE,
      },
    },
    save: { made_key: 'id', made_value: 'value' },
  },
  {
    name: 'the list is bare, newest first, without values',
    endpoint: LIST,
    shows: 'success',
    as: 'member',
    path: KEYS,
    expect: {
      status: 200,
      keysAt: { '0': FIELDS },
      text: /^\[\{"id":"[0-9A-Za-z]+","label":"Laptop"/,
    },
  },
  {
    name: 'a key works at once, and knows itself',
    endpoint: GET,
    shows: 'success',
    ...by('made_value'),
    path: `${KEYS}@current/`,
    expect: { status: 200, keys: FIELDS, body: { id: '{made_key}', label: 'Laptop' } },
  },
  {
    name: 'the list holds the keys of the caller alone',
    endpoint: LIST,
    shows: 'tenancy',
    as: 'outsider',
    path: KEYS,
    expect: { status: 200, body: [{ user_id: '{outsider_id}' }] },
  },
  {
    name: 'a key without every scope lists none',
    endpoint: LIST,
    shows: 'permission',
    as: { scopes: ['user:write', 'project:write'] },
    path: KEYS,
    expect: FORBIDDEN,
  },
  {
    name: 'the key of another is not found',
    endpoint: GET,
    shows: 'tenancy',
    path: MADE,
    expect: NOT_FOUND,
  },
  {
    name: 'an unknown key is not found',
    endpoint: GET,
    shows: 'error',
    path: `${KEYS}nobody%00s/`,
    expect: NOT_FOUND,
  },
  {
    name: 'a key without every scope does not read even itself',
    endpoint: GET,
    shows: 'permission',
    as: { scopes: ['user:write'] },
    path: `${KEYS}@current/`,
    expect: FORBIDDEN,
  },
]

function wrong(name: string, fields: object, code: string, attr: string | null): ApiCase {
  const expect = invalidField(code, attr)
  const body = { label: 'Wrong', ...fields }
  return { name, endpoint: CREATE, shows: 'error', path: KEYS, body, expect }
}

const refused: readonly ApiCase[] = [
  wrong('a label is required', { label: undefined }, 'required', 'label'),
  wrong('a label is not blank', { label: ' ' }, 'blank', 'label'),
  wrong('a label has 40 characters at most', { label: 'x'.repeat(41) }, 'max_length', 'label'),
  wrong('an unknown object is no scope', { scopes: ['nothing:read'] }, 'invalid_input', 'scopes'),
  wrong('an unknown action is none', { scopes: ['project:delete'] }, 'invalid_input', 'scopes'),
  wrong('no scope at all is refused', { scopes: [] }, 'invalid_input', 'scopes'),
  wrong('scopes are a list', { scopes: 'project:read' }, 'not_a_list', 'scopes'),
  wrong('a project is no text', { scoped_teams: ['abc'] }, 'incorrect_type', 'scoped_teams'),
  wrong(
    'an organization that is none',
    { scoped_organizations: ['abc'] },
    'does_not_exist',
    'scoped_organizations',
  ),
  {
    ...wrong(
      'a foreign project is as unknown',
      { scoped_teams: ['{foreign_project}'] },
      'does_not_exist',
      'scoped_teams',
    ),
    shows: 'tenancy',
  },
  {
    ...wrong(
      'a foreign organization is as unknown',
      { scoped_organizations: ['{foreign_organization}'] },
      'does_not_exist',
      'scoped_organizations',
    ),
    shows: 'tenancy',
  },
  {
    ...wrong('a restricted key makes no unrestricted one', {}, 'invalid_input', 'scoped_teams'),
    as: { scoped_teams: ['{project}'] },
    shows: 'permission',
  },
]

const changes: readonly ApiCase[] = [
  {
    name: 'a key is given less to do',
    endpoint: PATCH,
    shows: 'success',
    as: 'member',
    path: MADE,
    body: {
      label: 'Reader',
      scopes: ['query:read', 'user:write', 'query:read'],
      scoped_teams: ['{project}'],
      scoped_organizations: ['{organization}'],
    },
    expect: {
      status: 200,
      keys: FIELDS,
      body: {
        label: 'Reader',
        scopes: ['query:read', 'user:write'],
        scoped_teams: ['{project}'],
        scoped_organizations: ['{organization}'],
      },
    },
  },
  {
    name: 'and holds to it at once',
    endpoint: PATCH,
    shows: 'permission',
    ...by('made_value'),
    path: MADE,
    body: { scopes: ['*'] },
    expect: FORBIDDEN,
  },
  {
    name: 'null takes a restriction away',
    endpoint: PATCH,
    shows: 'success',
    as: 'member',
    path: MADE,
    body: { scoped_teams: null, scoped_organizations: null, scopes: ['*'] },
    expect: {
      status: 200,
      body: { label: 'Reader', scopes: ['*'], scoped_teams: [], scoped_organizations: [] },
    },
  },
  {
    name: 'scopes are not taken away altogether',
    endpoint: PATCH,
    shows: 'error',
    as: 'member',
    path: MADE,
    body: { scopes: [] },
    expect: invalidField('invalid_input', 'scopes'),
  },
  {
    name: 'the key of another is not found to be changed',
    endpoint: PATCH,
    shows: 'tenancy',
    path: MADE,
    body: { label: 'Mine' },
    expect: NOT_FOUND,
  },
]

const rolls: readonly ApiCase[] = [
  {
    name: 'the key of another is not found to be rolled',
    endpoint: ROLL,
    shows: 'tenancy',
    path: `${MADE}roll/`,
    expect: NOT_FOUND,
  },
  {
    name: 'an unknown key is not rolled',
    endpoint: ROLL,
    shows: 'error',
    path: `${KEYS}unknown/roll/`,
    expect: NOT_FOUND,
  },
  {
    name: 'rolled, a key shows its new value for this once',
    endpoint: ROLL,
    shows: 'success',
    as: 'member',
    path: `${MADE}roll/`,
    expect: {
      status: 200,
      keys: [...FIELDS, 'value'],
      body: { id: '{made_key}', value: VALUE, last_rolled_at: DATETIME },
    },
    save: { rolled_value: 'value' },
  },
  {
    name: 'the old value is refused from then on',
    endpoint: GET,
    shows: 'permission',
    ...by('made_value'),
    path: `${KEYS}@current/`,
    expect: BAD_KEY,
  },
  {
    name: 'and the new one works',
    endpoint: GET,
    shows: 'success',
    ...by('rolled_value'),
    path: `${KEYS}@current/`,
    expect: { status: 200, keys: FIELDS, body: { id: '{made_key}' } },
  },
]

/** Effects of a restricted key on one that is not. */
const takeovers: readonly ApiCase[] = [
  {
    name: 'an unrestricted key of the same user',
    endpoint: CREATE,
    shows: 'success',
    path: KEYS,
    body: { label: 'Unrestricted' },
    expect: { status: 201 },
    save: { full_key: 'id' },
  },
  {
    name: 'a restricted key does not roll it',
    endpoint: ROLL,
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    path: `${KEYS}{full_key}/roll/`,
    expect: FORBIDDEN,
  },
  {
    name: 'nor change it',
    endpoint: PATCH,
    shows: 'permission',
    as: { scoped_organizations: ['{organization}'] },
    path: `${KEYS}{full_key}/`,
    body: { label: 'Mine' },
    expect: FORBIDDEN,
  },
  {
    name: 'nor delete it',
    endpoint: DELETE,
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    path: `${KEYS}{full_key}/`,
    expect: FORBIDDEN,
  },
  {
    name: 'nor take its own restriction off',
    endpoint: PATCH,
    shows: 'permission',
    as: { scoped_teams: ['{project}'] },
    path: `${KEYS}@current/`,
    body: { scoped_teams: [] },
    expect: invalidField('invalid_input', 'scoped_teams'),
  },
  {
    name: 'an unrestricted one deletes it',
    endpoint: DELETE,
    shows: 'success',
    path: `${KEYS}{full_key}/`,
    expect: { status: 204, text: '' },
  },
]

const deletions: readonly ApiCase[] = [
  {
    name: 'the key of another is not found to be deleted',
    endpoint: DELETE,
    shows: 'tenancy',
    path: MADE,
    expect: NOT_FOUND,
  },
  {
    name: 'a key deletes itself',
    endpoint: DELETE,
    shows: 'success',
    ...by('rolled_value'),
    path: `${KEYS}@current/`,
    expect: { status: 204, text: '' },
    unlogged: 'the case has no name for who it acts as',
  },
  {
    name: 'and is refused from then on',
    endpoint: DELETE,
    shows: 'permission',
    ...by('rolled_value'),
    path: `${KEYS}@current/`,
    expect: BAD_KEY,
  },
  {
    name: 'deleted, a key is not found',
    endpoint: DELETE,
    shows: 'error',
    as: 'member',
    path: MADE,
    expect: NOT_FOUND,
  },
]

/** The outsider has one key. */
const further = Array.from({ length: KEYS_MAX - 1 }, (_, index) => index + 2)

const most: readonly ApiCase[] = [
  ...further.map(
    (number): ApiCase => ({
      name: `key ${number} of a user is made`,
      endpoint: CREATE,
      shows: 'success',
      as: 'outsider',
      path: KEYS,
      body: { label: `Key ${number}` },
      expect: { status: 201 },
      save: { [`key_${number}`]: 'id' },
    }),
  ),
  {
    name: 'one more is refused',
    endpoint: CREATE,
    shows: 'error',
    as: 'outsider',
    path: KEYS,
    body: { label: 'One more' },
    expect: invalidField('invalid_input', null),
  },
  ...further.map(
    (number): ApiCase => ({
      name: `key ${number} is deleted again`,
      endpoint: DELETE,
      shows: 'success',
      as: 'outsider',
      path: `${KEYS}{key_${number}}/`,
      expect: { status: 204, text: '' },
    }),
  ),
]

export const cases: readonly ApiCase[] = [
  ...first,
  ...refused,
  ...changes,
  ...rolls,
  ...takeovers,
  ...deletions,
  ...most,
]
