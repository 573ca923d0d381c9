/** Reach of a condition set, changes of many flags, links between flags, and versions of changes. */
import {
  type ApiCase,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const FLAGS = '/api/projects/{project_id}/feature_flags/'
const PATH = '/api/projects/{crew}/feature_flags/'
const FOREIGN = '/api/projects/{foreign_project}/feature_flags/'
const PRO = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' }

type More = Partial<ApiCase>

function call(name: string, verb: string, tail: string, expect: Expectation, more: More = {}) {
  const endpoint = `${verb} ${FLAGS}${tail.replace(/\{[a-z_]+\}\//, '{id}/').replace(/\?.*/, '')}`
  const shows = (expect.status ?? 200) < 400 ? 'success' : 'error'
  return { name, endpoint, shows, path: `${PATH}${tail}`, expect, ...more } satisfies ApiCase
}

function made(key: string, save: string, more: object = {}): ApiCase {
  const body = { key, ...more }
  return call(
    `a flag ${key} is made`,
    'POST',
    '',
    { status: 201 },
    { body, save: { [save]: 'id' } },
  )
}

function reach(name: string, body: object, expect: Expectation): ApiCase {
  const unlogged = 'a count reads'
  return call(name, 'POST', 'user_blast_radius/', expect, { body, unlogged })
}

function bulk(name: string, body: object, expect: Expectation, more: More = {}): ApiCase {
  return call(name, 'POST', 'bulk/', expect, { body, ...more })
}

const NO_PERSONS = "API key missing required scope 'person:read'."

const setup: readonly ApiCase[] = [
  {
    name: 'a project is made for a crew',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Crew' },
    expect: { status: 201 },
    save: { crew: 'id', crew_token: 'api_token' },
  },
  {
    name: 'persons and groups with plans are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    path: '/batch/',
    as: 'anonymous',
    body: {
      api_key: '{crew_token}',
      batch: [
        ...['pro', 'pro', 'free'].map((plan, at) => ({
          event: 'seen',
          distinct_id: `sailor ${at}`,
          properties: { $set: { plan, rank: at } },
        })),
        ...['pro', 'free'].map((plan) => ({
          event: '$groupidentify',
          distinct_id: 'sailor 0',
          properties: { $group_type: 'ship', $group_key: plan, $group_set: { plan } },
        })),
      ],
    },
    expect: { status: 200 },
  },
  {
    name: 'a cohort of high ranks is made',
    endpoint: 'POST /api/projects/{project_id}/cohorts/',
    shows: 'success',
    path: '/api/projects/{crew}/cohorts/',
    body: {
      name: 'High ranks',
      filters: {
        properties: {
          type: 'AND',
          values: [{ key: 'rank', type: 'person', operator: 'gte', value: 1 }],
        },
      },
    },
    expect: { status: 201 },
    save: { high: 'id' },
  },
  made('anchor', 'anchor', { tags: ['deck'] }),
  made('sail', 'sail', {
    filters: {
      groups: [
        {
          properties: [
            { key: '{anchor}', type: 'flag', operator: 'flag_evaluates_to', value: true },
            { key: 'id', type: 'cohort', value: '{high}' },
          ],
        },
      ],
    },
  }),
]

const reaches: readonly ApiCase[] = [
  reach(
    'the reach of a condition set is the persons who meet it',
    { condition: { properties: [PRO], rollout_percentage: 50 } },
    { status: 200, body: { users_affected: 2, total_users: 3 } },
  ),
  reach(
    'cohorts count in a reach',
    { condition: { properties: [PRO, { key: 'id', type: 'cohort', value: '{high}' }] } },
    { status: 200, body: { users_affected: 1, total_users: 3 } },
  ),
  reach(
    'a condition set without conditions reaches everybody',
    { condition: { properties: [] }, group_type_index: null },
    { status: 200, body: { users_affected: 3, total_users: 3 } },
  ),
  {
    ...reach(
      'the reach of everybody takes no person:read',
      { condition: { properties: [] } },
      {
        status: 200,
        body: { users_affected: 3, total_users: 3 },
      },
    ),
    as: { scopes: ['feature_flag:read'] },
  },
  ...[PRO, { ...PRO, type: 'group', group_type_index: 0 }].map((condition) => ({
    ...reach(
      `the reach of a condition on a ${condition.type} takes person:read`,
      {
        condition: { properties: [condition] },
        group_type_index: condition.type === 'group' ? 0 : null,
      },
      { ...FORBIDDEN, body: { code: 'permission_denied', detail: NO_PERSONS } },
    ),
    shows: 'permission' as const,
    as: { scopes: ['feature_flag:read'] },
  })),
  reach(
    'groups are counted where the set is about groups',
    {
      condition: { properties: [{ ...PRO, type: 'group', group_type_index: 0 }] },
      group_type_index: 0,
    },
    { status: 200, body: { users_affected: 1, total_users: 2 } },
  ),
  reach(
    'what SQL does not understand is not counted',
    {
      condition: {
        properties: [{ key: 'v', type: 'person', operator: 'regex', value: 'a(?=b)' }],
      },
    },
    {
      ...invalidField('invalid_input', 'condition'),
      text: /The condition set has a condition of \\"regex\\"/,
    },
  ),
  ...[
    { key: '{anchor}', type: 'flag', operator: 'flag_evaluates_to', value: true },
    { ...PRO, type: 'group' },
    'none',
  ].map((property) =>
    reach(
      `a reach has no condition such as ${JSON.stringify(property).slice(0, 30)}`,
      { condition: { properties: [property] } },
      invalidField('invalid_input', 'condition'),
    ),
  ),
  reach(
    'a reach of groups has no condition on persons',
    { condition: { properties: [PRO] }, group_type_index: 0 },
    invalidField('invalid_input', 'condition'),
  ),
  reach('a reach needs a condition', {}, invalidField('required', 'condition')),
  reach(
    'there are five types of groups',
    { condition: {}, group_type_index: 5 },
    invalidField('max_value', 'group_type_index'),
  ),
]

const links: readonly ApiCase[] = [
  call('a flag shows what it depends on', 'GET', '{sail}/dependencies/', {
    status: 200,
    body: {
      depends_on: [{ id: '{anchor}', key: 'anchor', active: true }],
      dependents: [],
      cohorts: [{ id: '{high}', name: 'High ranks' }],
    },
  }),
  call('a flag shows what depends on it', 'GET', '{anchor}/dependencies/', {
    status: 200,
    body: { depends_on: [], dependents: [{ id: '{sail}', key: 'sail' }], cohorts: [] },
  }),
]

const versions: readonly ApiCase[] = [
  call(
    'a change made from the newest version is taken',
    'PATCH',
    '{anchor}/',
    { status: 200, body: { version: 2, name: 'Iron' } },
    { body: { name: 'Iron', version: 1 } },
  ),
  call(
    'a change made from an older version is refused, and says which',
    'PATCH',
    '{anchor}/',
    {
      status: 409,
      body: {
        type: 'invalid_request',
        code: 'conflict',
        detail: 'The change was made from version 1, and the flag has version 2 by now.',
        attr: null,
      },
    },
    { body: { name: 'Brass', version: 1 } },
  ),
  call(
    'a refused change has changed nothing',
    'GET',
    '{anchor}/',
    { status: 200, body: { version: 2, name: 'Iron' } },
    {},
  ),
  call(
    'a change without a version is taken',
    'PATCH',
    '{anchor}/',
    { status: 200, body: { version: 3 } },
    { body: { name: 'Steel', version: null } },
  ),
]

const changes: readonly ApiCase[] = [
  bulk(
    'many flags are switched off and tagged at once',
    { ids: ['{sail}', '{anchor}'], active: false, add_tags: [' Sea ', 'deck'] },
    { status: 200, body: { changed: ['{anchor}', '{sail}'], unchanged: [] } },
  ),
  bulk(
    'flags that are so already get no version',
    { ids: ['{anchor}', '{anchor}'], active: false, remove_tags: ['none'] },
    { status: 200, body: { changed: [], unchanged: ['{anchor}'] } },
    { unlogged: 'nothing was changed' },
  ),
  call('each of them has a version and an entry', 'GET', '{sail}/activity/?limit=1', {
    status: 200,
    body: {
      count: 2,
      results: [
        {
          activity: 'updated',
          detail: { version: 2, changes: [{ field: 'active' }, { field: 'tags' }] },
        },
      ],
    },
  }),
  bulk(
    'a flag that is none takes the whole change back',
    { ids: ['{anchor}', 2_000_000_000], deleted: true },
    invalidField('does_not_exist', 'ids'),
  ),
  call('so nothing of it is changed', 'GET', '{anchor}/', {
    status: 200,
    body: { deleted: false, version: 4, tags: ['deck', 'sea'] },
  }),
  bulk('no list of flags has none', { deleted: true }, invalidField('required', 'ids')),
  bulk(
    'no list of flags has more than 500',
    { ids: Array.from({ length: 501 }, (_, at) => at + 1), active: true },
    { status: 400, body: { code: 'max_length', attr: 'ids' } },
  ),
  bulk('nobody changes the flags of others', { ids: ['{sail}'], active: true }, FORBIDDEN, {
    path: `${FOREIGN}bulk/`,
    shows: 'permission',
  }),
  bulk('a key that may only read changes none', { ids: ['{sail}'] }, FORBIDDEN, {
    as: { scopes: ['feature_flag:read'] },
    shows: 'permission',
  }),
  bulk(
    'many flags are deleted at once',
    { ids: ['{sail}', '{anchor}'], deleted: true },
    { status: 200, body: { changed: ['{anchor}', '{sail}'] } },
  ),
  call('deleted flags are in no list', 'GET', '', { status: 200, body: { count: 0 } }),
]

/** Reports of a library, one of them of a value that the flag does not have. */
const reported: ApiCase = {
  name: 'libraries report that programs asked for a flag',
  endpoint: 'POST /batch/',
  shows: 'success',
  path: '/batch/',
  as: 'anonymous',
  body: {
    api_key: '{crew_token}',
    batch: ['anchor', 'anchor', 'anchor', 'nothing'].map((flag, at) => ({
      event: '$feature_flag_called',
      distinct_id: 'sailor 0',
      properties: { $feature_flag: flag, $feature_flag_response: at < 2 ? true : 'old' },
    })),
  },
  expect: { status: 200 },
}

const ISO = /^\d{4}-\d\d-\d\dT/
const IN_USE = {
  ...{ status: 'active', count: 3, last_called_at: ISO },
  reason: 'Libraries have reported calls in the last 30 days.',
}

const usages: readonly ApiCase[] = [
  call('without a report nobody knows which flags are in use', 'GET', 'usage/', {
    status: 200,
    body: {
      count: 2,
      results: [
        { key: 'sail', status: 'unknown', count: 0, last_called_at: null },
        { key: 'anchor', status: 'unknown' },
      ],
    },
  }),
  reported,
  call(
    'a flag that is called is in use',
    'GET',
    'usage/',
    {
      status: 200,
      body: {
        results: [
          { id: '{sail}', status: 'new', count: 0 },
          { id: '{anchor}', ...IN_USE },
        ],
      },
      keysAt: { 'results.0': ['id', 'key', 'status', 'reason', 'count', 'last_called_at'] },
    },
    { isExample: true },
  ),
  call('pages of what is in use go on', 'GET', 'usage/?limit=1&offset=1', {
    status: 200,
    body: { count: 2, next: null, previous: /limit=1/, results: [{ key: 'anchor' }] },
  }),
  call(
    'its calls are told by day and by value',
    'GET',
    '{anchor}/usage/?days=1',
    {
      status: 200,
      body: {
        ...IN_USE,
        days: [/^\d{4}-\d\d-\d\d$/],
        values: [
          { value: 'true', count: 2, last_called_at: ISO, data: [2] },
          { value: null, count: 1, data: [1] },
        ],
      },
      keys: ['status', 'reason', 'count', 'last_called_at', 'days', 'values'],
    },
    { isExample: true },
  ),
  call('calls are told of 90 days at most', 'GET', '{anchor}/usage/?days=91', {
    ...invalidField('max_value', 'days'),
  }),
  call('a flag that is not there has no calls', 'GET', '2000000000/usage/', NOT_FOUND, {
    endpoint: `GET ${FLAGS}{id}/usage/`,
  }),
  ...['usage/', '1/usage/'].map((tail) =>
    call(`nobody sees ${tail} of others`, 'GET', tail, FORBIDDEN, {
      ...{ path: `${FOREIGN}${tail}`, shows: 'permission' },
      endpoint: `GET ${FLAGS}${tail.replace('1/', '{id}/')}`,
    }),
  ),
]

const HELD = { gateways: 1, confirmed: 1 }
const PROPAGATION_FIELDS = ['revision', 'gateways', 'confirmed', 'elapsed_ms']

const propagations: readonly ApiCase[] = [
  call(
    'the gateway of a server that is alone holds each change at once',
    'GET',
    'propagation/',
    { status: 200, body: HELD, keys: PROPAGATION_FIELDS },
    { save: { crew_revision: 'revision' }, isExample: true },
  ),
  call('a change is known by its revision', 'GET', 'propagation/?revision={crew_revision}', {
    status: 200,
    body: { ...HELD, revision: '{crew_revision}' },
  }),
  call('one may wait for the rest', 'GET', 'propagation/?wait_ms=1000&revision=1', {
    status: 200,
    body: HELD,
  }),
  call(
    'of a change that is still to come nothing is known',
    'GET',
    'propagation/?revision=1000000',
    {
      status: 200,
      body: { revision: null, gateways: 1, confirmed: null, elapsed_ms: null },
    },
  ),
  call(
    'nobody waits for more than a second',
    'GET',
    'propagation/?wait_ms=1001',
    invalidField('max_value', 'wait_ms'),
  ),
  call('nobody asks about the projects of others', 'GET', 'propagation/', FORBIDDEN, {
    path: `${FOREIGN}propagation/`,
    shows: 'permission',
  }),
]

export const cases: readonly ApiCase[] = [
  ...[setup, reaches, links, versions, propagations, usages, changes].flat(),
]
