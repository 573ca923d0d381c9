/** Calls of server libraries under the key of a project. */
import { type ApiCase, absent, type Expectation, FORBIDDEN, NOT_FOUND } from './support/case.ts'

const FLAGS = '/api/projects/{project_id}/feature_flags'
const CREATE = `POST ${FLAGS}/`
const REMOTE = `GET ${FLAGS}/{key}/remote_config/`
const DEFINITIONS = 'GET /flags/definitions/'
const LOCAL = 'GET /api/feature_flag/local_evaluation/'
const LIST = 'GET /api/feature_flag/'

const PATH = '/api/projects/{library_project}/feature_flags'
const CURRENT = '/api/projects/@current/feature_flags'
const TOKEN = 'token={library_token}'
const NO_ACCESS: Expectation = {
  status: 403,
  body: {
    type: 'authentication_error',
    code: 'permission_denied',
    detail: "You don't have access to the project.",
    attr: null,
  },
}
const KEPT = { 'cache-control': 'private, must-revalidate', etag: /^W\/"[\w-]+"$/ }

const flag = (key: string, fields: object, save: ApiCase['save'] = {}): ApiCase => ({
  name: `the flag ${key} is made`,
  endpoint: CREATE,
  shows: 'success',
  path: `${PATH}/`,
  body: { key, ...fields },
  expect: { status: 201 },
  save,
})
const withPayload = (payload: unknown) => ({
  filters: { groups: [{}], payloads: { true: payload } },
})

const setup: readonly ApiCase[] = [
  {
    name: 'a project is made for libraries',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Libraries' },
    expect: { status: 201 },
    save: { library_project: 'id', library_token: 'api_token' },
  },
  flag('simple', {
    filters: { groups: [{ properties: [], rollout_percentage: 40 }] },
    evaluation_runtime: 'server',
  }),
  flag('remote', withPayload('{"a": [1, 2.50, null]}'), { remote_flag: 'id' }),
  flag('secret', { ...withPayload('"hidden"'), has_encrypted_payloads: true }),
  flag('parsed', withPayload({ b: true })),
  flag('large', withPayload('12345678901234567890')),
  flag('off', { ...withPayload('1'), active: false }),
  flag('several', {
    filters: {
      groups: [{}],
      multivariate: { variants: [{ key: 'one', rollout_percentage: 100 }] },
      payloads: { one: '1' },
    },
  }),
  flag('gone', { ...withPayload('1'), deleted: true }, { deleted_flag: 'id' }),
  {
    name: 'a project is made that is the current one after it',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Current' },
    expect: { status: 201 },
    save: { current_project: 'id' },
  },
  {
    name: 'a flag is made there too',
    endpoint: CREATE,
    shows: 'success',
    path: '/api/projects/{current_project}/feature_flags/',
    body: { key: 'remote', filters: { groups: [{}], payloads: { true: '"current"' } } },
    expect: { status: 201 },
    save: { current_flag: 'id' },
  },
  {
    name: 'its key is the number that another flag has for its id',
    endpoint: CREATE,
    shows: 'success',
    path: '/api/projects/{current_project}/feature_flags/',
    body: { key: '{current_flag}', filters: { groups: [{}], payloads: { true: '"by key"' } } },
    expect: { status: 201 },
  },
]

const KEYS = ['simple', 'remote', 'secret', 'parsed', 'large', 'off', 'several']
const PAYLOADS = [
  absent,
  { true: '{"a": [1, 2.50, null]}' },
  { true: '"hidden"' },
  { true: '{"b":true}' },
  { true: '12345678901234567890' },
  { true: '1' },
  { one: '1' },
]
const SHARED_KEYS = ['flags', 'group_type_mapping']

/** Both routes of definitions: the same but for the members that say how to compare. */
const definitions: readonly ApiCase[] = (
  [
    [
      DEFINITIONS,
      '/flags/definitions',
      ['property_matching_version', 'minimal_flag_called_events'],
    ],
    [LOCAL, '/api/feature_flag/local_evaluation/', []],
  ] as const
).flatMap(([endpoint, path, more]): ApiCase[] => [
  {
    name: `${path} gives the flags of the token's project, inactive ones too`,
    endpoint,
    shows: 'success',
    path: `${path}?${TOKEN}&send_cohorts`,
    expect: {
      status: 200,
      keys: [...SHARED_KEYS, 'cohorts', ...more],
      headers: KEPT,
      body: {
        flags: KEYS.map((key) => ({
          key,
          team_id: '{library_project}',
          active: key !== 'off',
          deleted: false,
          evaluation_runtime: key === 'simple' ? 'server' : 'all',
          has_encrypted_payloads: key === 'secret',
        })),
        group_type_mapping: {},
        cohorts: {},
        ...(more.length === 0
          ? { property_matching_version: absent }
          : { property_matching_version: 2, minimal_flag_called_events: false }),
      },
    },
  },
  {
    name: `${path} has payloads as texts`,
    endpoint,
    shows: 'success',
    path: `${path}?${TOKEN}`,
    expect: {
      status: 200,
      keys: [...SHARED_KEYS, ...more],
      body: { flags: PAYLOADS.map((each) => ({ filters: { payloads: each } })) },
    },
  },
  {
    name: `${path} without a token is about the current project`,
    endpoint,
    shows: 'success',
    path,
    expect: {
      status: 200,
      body: { flags: [{ id: '{current_flag}' }, { team_id: '{current_project}' }] },
    },
  },
  {
    name: `${path} with an empty token is as without one`,
    endpoint,
    shows: 'success',
    path: `${path}?token=`,
    expect: { status: 200, body: { flags: [{ id: '{current_flag}' }, {}] } },
  },
  {
    name: `${path} is not sent again to who has it`,
    endpoint,
    shows: 'success',
    path: `${path}?${TOKEN}&send_cohorts`,
    headers: { 'if-none-match': '*' },
    expect: { status: 304, headers: KEPT, text: '' },
  },
  {
    name: `${path} is sent to who has another`,
    endpoint,
    shows: 'success',
    path: `${path}?${TOKEN}&send_cohorts`,
    headers: { 'if-none-match': 'W/"AAAA"' },
    expect: { status: 200, headers: KEPT },
  },
  {
    name: `${path} is not said to be known to who may not have it`,
    endpoint,
    shows: 'tenancy',
    as: 'outsider',
    path: `${path}?${TOKEN}`,
    headers: { 'if-none-match': '*' },
    expect: { ...NO_ACCESS, headers: { 'cache-control': 'no-store' } },
  },
])

const list: readonly ApiCase[] = [
  {
    name: 'the list has every flag of the project, as the management list has them',
    endpoint: LIST,
    shows: 'success',
    path: `/api/feature_flag/?${TOKEN}`,
    expect: {
      status: 200,
      keys: ['count', 'next', 'previous', 'results'],
      body: {
        count: KEYS.length,
        next: null,
        previous: null,
        results: [
          ...KEYS.slice(1)
            .reverse()
            .map((key) => ({ key, active: key !== 'off' })),
          { key: 'simple', is_simple_flag: true, rollout_percentage: 40, created_by: {} },
        ],
      },
    },
  },
  {
    name: 'a page of the list may be asked for all the same',
    endpoint: LIST,
    shows: 'success',
    path: `/api/feature_flag?${TOKEN}&limit=1&offset=1`,
    expect: {
      status: 200,
      body: {
        next: /\/api\/feature_flag\?limit=1&offset=2&token=phc_\w+$/,
        previous: /\/api\/feature_flag\?limit=1&token=phc_\w+$/,
        results: [{ key: 'off' }],
      },
    },
  },
]

const remote = (key: string, json: string): ApiCase => ({
  name: `the payload of ${key} is ${json}`,
  endpoint: REMOTE,
  shows: 'success',
  path: `${CURRENT}/${key}/remote_config?${TOKEN}`,
  expect: { status: 200, text: json, headers: { 'cache-control': 'no-store' } },
})

const payloads: readonly ApiCase[] = [
  remote('remote', '{"a": [1, 2.50, null]}'),
  remote('{remote_flag}', '{"a": [1, 2.50, null]}'),
  remote('secret', '"hidden"'),
  remote('parsed', '{"b":true}'),
  remote('large', '12345678901234567890'),
  remote('simple', 'null'),
  remote('several', 'null'),
  remote('off', 'null'),
  {
    name: 'without a token the current project is meant',
    endpoint: REMOTE,
    shows: 'success',
    path: `${CURRENT}/remote/remote_config/`,
    expect: { status: 200, body: 'current' },
  },
  {
    name: 'a key that is a number is found before an id',
    endpoint: REMOTE,
    shows: 'success',
    path: `${CURRENT}/{current_flag}/remote_config/`,
    expect: { status: 200, body: 'by key' },
  },
  {
    name: 'a project in the path is the one that is meant, whatever the token',
    endpoint: REMOTE,
    shows: 'success',
    path: '/api/projects/{current_project}/feature_flags/remote/remote_config?token={foreign_token}',
    expect: { status: 200, body: 'current' },
  },
  ...['nothing', '{deleted_flag}', 'gone', '{current_flag}', 'remote%00', '%C3%A9'].map(
    (key): ApiCase => ({
      name: `there is no payload of ${key} to be had`,
      endpoint: REMOTE,
      shows: 'error',
      path: `${CURRENT}/${key}/remote_config?${TOKEN}`,
      expect: NOT_FOUND,
    }),
  ),
  {
    name: 'a payload of a foreign project is refused',
    endpoint: REMOTE,
    shows: 'tenancy',
    as: 'outsider',
    path: `${CURRENT}/remote/remote_config?${TOKEN}`,
    expect: NO_ACCESS,
  },
  {
    name: 'a token that nobody has is refused as a foreign one is',
    endpoint: REMOTE,
    shows: 'tenancy',
    path: `${CURRENT}/remote/remote_config?token=phc_nobody_has_this_one`,
    expect: NO_ACCESS,
  },
  {
    name: 'a key that is restricted to another project is refused',
    endpoint: REMOTE,
    shows: 'permission',
    as: { scoped_teams: ['{current_project}'] },
    path: `${CURRENT}/remote/remote_config?${TOKEN}`,
    expect: FORBIDDEN,
  },
]

/** A parameter that is wrong is told to who may come in alone. */
const parameters: readonly ApiCase[] = (
  [
    ['owner', { status: 400, body: { code: 'null_characters_not_allowed' } }],
    ['outsider', NO_ACCESS],
  ] as const
).map(([as, expect]) => ({
  name: `a parameter that is wrong is answered ${expect.status} to the ${as}`,
  endpoint: DEFINITIONS,
  shows: as === 'owner' ? 'error' : 'tenancy',
  as,
  path: `/flags/definitions/?${TOKEN}&send_cohorts=a%00b`,
  expect,
}))

/** Access is checked before the method is looked at. */
const methods: readonly ApiCase[] = (
  [
    [DEFINITIONS, '/flags/definitions/'],
    [LOCAL, '/api/feature_flag/local_evaluation/'],
    [LIST, '/api/feature_flag/'],
    [REMOTE, `${CURRENT}/remote/remote_config/`],
  ] as const
).flatMap(([endpoint, path]) =>
  (
    [
      ['owner', 405],
      ['outsider', 403],
    ] as const
  ).map(
    ([as, status]): ApiCase => ({
      name: `a POST to ${path} by the ${as} is answered ${status}`,
      endpoint,
      verb: 'POST',
      shows: status === 403 ? 'tenancy' : 'error',
      as,
      path: `${path}?${TOKEN}`,
      expect: { status },
    }),
  ),
)

const elsewhere: readonly ApiCase[] = [
  '/flags/definitions/more/',
  '/flags/nothing/',
  '/api/feature_flags/',
].map((path) => ({
  name: `nothing is served at ${path}`,
  endpoint: 'no endpoint',
  verb: 'GET',
  shows: 'error',
  path,
  expect: { status: 404, body: { detail: 'Endpoint not found.' } },
}))

const teardown: readonly ApiCase[] = ['library_project', 'current_project'].map((name) => ({
  name: `the ${name} is removed`,
  endpoint: 'DELETE /api/projects/{id}/',
  shows: 'success',
  path: `/api/projects/{${name}}/`,
  expect: { status: 204 },
}))

export const cases: readonly ApiCase[] = [
  ...setup,
  ...definitions,
  ...list,
  ...payloads,
  ...parameters,
  ...methods,
  ...elsewhere,
  ...teardown,
]
