import { type ApiCase, absent, FORBIDDEN, invalidField, NOT_FOUND } from './support/case.ts'

const FLAGS = '/api/projects/{project_id}/feature_flags'
const LIST = `GET ${FLAGS}/`
const CREATE = `POST ${FLAGS}/`
const GET = `GET ${FLAGS}/{id}/`
const PATCH = `PATCH ${FLAGS}/{id}/`

const PATH = '/api/projects/{flags_project}/feature_flags'
const FOREIGN_PATH = '/api/projects/{foreign_project}/feature_flags'
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const FIELDS = [
  ...['id', 'name', 'key', 'filters', 'deleted', 'active', 'created_by', 'created_at'],
  ...['is_simple_flag', 'rollout_percentage', 'ensure_experience_continuity', 'experiment_set'],
  ...['rollback_conditions', 'performed_rollback', 'can_edit', 'tags', 'version'],
  ...['bucketing_identifier', 'evaluation_runtime', 'evaluation_contexts'],
  ...['has_encrypted_payloads', 'warnings'],
]
const VARIANTS = [
  { key: 'a', name: 'A', rollout_percentage: 50 },
  { key: 'b', rollout_percentage: 50 },
]

const setup: readonly ApiCase[] = [
  {
    name: 'a project is made for the flags',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Flags' },
    expect: { status: 201 },
    save: { flags_project: 'id' },
  },
]

const creates: readonly ApiCase[] = [
  {
    name: 'a flag is made of nothing but a key',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: { key: 'plain' },
    expect: {
      status: 201,
      keys: FIELDS,
      keysAt: { created_by: ['id', 'uuid', 'distinct_id', 'first_name', 'email'] },
      body: {
        name: '',
        key: 'plain',
        filters: { groups: [{ properties: [], rollout_percentage: null }] },
        deleted: false,
        active: true,
        created_by: { id: '{owner_id}', uuid: '{owner_uuid}', email: '{owner_email}' },
        created_at: DATETIME,
        is_simple_flag: true,
        rollout_percentage: null,
        ensure_experience_continuity: false,
        experiment_set: [],
        rollback_conditions: [],
        performed_rollback: false,
        can_edit: true,
        tags: [],
        version: 1,
        bucketing_identifier: 'distinct_id',
        evaluation_runtime: 'all',
        evaluation_contexts: [],
        has_encrypted_payloads: false,
        warnings: [],
      },
    },
    save: { flag: 'id' },
  },
  {
    name: 'filters come back as sent, with what nobody here knows',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: {
      key: 'whole',
      name: 'All of it',
      filters: {
        payloads: { a: '{"x": 1}' },
        multivariate: { variants: VARIANTS },
        groups: [{ variant: 'a', rollout_percentage: 12.5, properties: [], more: [1] }],
        super_groups: [{ properties: [], rollout_percentage: 0 }],
        holdout: { id: 1, exclusion_percentage: 5 },
        early_exit: false,
        feature_enrollment: false,
      },
      tags: [' Two ', 'one', 'two'],
      active: 'false',
      ensure_experience_continuity: null,
      rollback_conditions: [{ threshold: 5 }],
      version: 9,
      unknown: true,
    },
    expect: {
      status: 201,
      body: {
        filters: { holdout: { id: 1 }, groups: [{ more: [1], variant: 'a' }] },
        tags: ['one', 'two'],
        active: false,
        ensure_experience_continuity: false,
        rollback_conditions: [{ threshold: 5 }],
        is_simple_flag: true,
        rollout_percentage: 12.5,
        version: 1,
      },
      text: /"filters":\{"payloads":.*"multivariate":.*"groups":\[\{"variant":.*"super_groups":/,
    },
    save: { whole: 'id' },
  },
  {
    name: 'a flag may have no groups, and is then not simple',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: { key: 'no-groups', filters: { groups: [] } },
    expect: { status: 201, body: { filters: { groups: [] }, is_simple_flag: false } },
  },
  {
    name: 'a flag about groups is not simple',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    form: {
      key: 'by-group',
      filters: '{"groups": [{"rollout_percentage": 5}], "aggregation_group_type_index": 0}',
    },
    expect: { status: 201, body: { is_simple_flag: false, rollout_percentage: null } },
  },
  {
    name: 'a member may make one',
    endpoint: CREATE,
    shows: 'permission',
    as: 'member',
    path: `${PATH}/`,
    body: { key: 'of-the-member' },
    expect: { status: 201, body: { created_by: { id: '{member_id}' } } },
  },
  {
    name: 'a key that may only read makes none',
    endpoint: CREATE,
    shows: 'permission',
    as: { scopes: ['feature_flag:read'] },
    path: `${PATH}/`,
    body: { key: 'unseen' },
    expect: FORBIDDEN,
  },
  {
    name: 'nobody makes one in a foreign project',
    endpoint: CREATE,
    shows: 'tenancy',
    path: `${FOREIGN_PATH}/`,
    body: { key: 'unseen' },
    expect: FORBIDDEN,
  },
  {
    name: 'a payload that is secret is masked from then on',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: {
      key: 'hidden-payload',
      filters: { groups: [{}], payloads: { true: '"secret"' } },
      has_encrypted_payloads: true,
      deleted: true,
    },
    expect: {
      status: 201,
      body: {
        filters: { payloads: { true: '"********* (encrypted)"' } },
        has_encrypted_payloads: true,
      },
    },
  },
]

const badFields: readonly ApiCase[] = [
  ['a key is needed', {}, invalidField('required', 'key', 'This field is required.')],
  ['a key is not null', { key: null }, invalidField('null', 'key')],
  ['a key is not blank', { key: '  ' }, invalidField('blank', 'key')],
  ['a key is a text', { key: ['x'] }, invalidField('invalid_input', 'key')],
  ['a key has 400 characters at most', { key: 'x'.repeat(401) }, invalidField('max_length', 'key')],
  ['a key has no spaces', { key: 'two words' }, invalidField('invalid_input', 'key')],
  ['a key is unique', { key: 'plain' }, invalidField('unique', 'key')],
  [
    'a taken key comes before bad filters',
    { key: 'plain', filters: { groups: 5 } },
    invalidField('unique', 'key'),
  ],
  ['filters are an object', { key: 'bad', filters: [] }, invalidField('invalid_input', 'filters')],
  [
    'a masked payload stands for one that is stored',
    {
      key: 'bad',
      filters: { groups: [{}], payloads: { true: '"********* (encrypted)"' } },
      has_encrypted_payloads: true,
    },
    invalidField('invalid_input', 'filters'),
  ],
  ['active is a boolean', { key: 'bad', active: 'maybe' }, invalidField('invalid_input', 'active')],
  ['tags are a list', { key: 'bad', tags: 'x' }, invalidField('not_a_list', 'tags')],
  ['a tag is a text', { key: 'bad', tags: ['x', {}] }, invalidField('invalid_input', 'tags__1')],
  [
    'a runtime is one of three',
    { key: 'bad', evaluation_runtime: 'edge' },
    invalidField('invalid_choice', 'evaluation_runtime'),
  ],
].map(
  ([name, body, expect]) =>
    ({ name, endpoint: CREATE, shows: 'error', path: `${PATH}/`, body, expect }) as ApiCase,
)

const FILTER_FAULT = invalidField('invalid_input', 'filters')

const updates: readonly ApiCase[] = [
  {
    name: 'a refused change has changed nothing',
    endpoint: GET,
    shows: 'success',
    path: `${PATH}/{flag}/`,
    expect: { status: 200, keys: FIELDS, body: { version: 1, is_simple_flag: true } },
  },
  {
    name: 'an update changes what it names and raises the version',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{flag}/`,
    body: { name: 'Described', filters: { groups: [{ rollout_percentage: 30 }] } },
    expect: {
      status: 200,
      keys: FIELDS,
      body: {
        key: 'plain',
        name: 'Described',
        filters: { groups: [{ rollout_percentage: 30, properties: absent }] },
        rollout_percentage: 30,
        version: 2,
      },
    },
  },
  {
    name: 'filters that are not given stay as they are',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{flag}`,
    body: { active: false },
    expect: { status: 200, body: { active: false, rollout_percentage: 30, version: 3 } },
  },
  {
    name: 'an empty update is answered with the flag as it is',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{flag}/`,
    body: {},
    expect: { status: 200, body: { active: false, version: 3 } },
  },
  {
    name: 'a flag keeps its own key',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{flag}/`,
    body: { key: 'plain', active: true },
    expect: { status: 200, body: { version: 4 } },
  },
  {
    name: 'a flag does not take the key of another',
    endpoint: PATCH,
    shows: 'error',
    path: `${PATH}/{flag}/`,
    body: { key: 'whole' },
    expect: invalidField('unique', 'key'),
  },
  {
    name: 'a flag does not depend on itself',
    endpoint: PATCH,
    shows: 'error',
    path: `${PATH}/{flag}/`,
    body: {
      filters: {
        groups: [
          {
            properties: [
              { key: '{flag}', type: 'flag', value: true, operator: 'flag_evaluates_to' },
            ],
          },
        ],
      },
    },
    expect: FILTER_FAULT,
  },
  {
    name: 'an unknown flag is not updated',
    endpoint: PATCH,
    shows: 'error',
    path: `${PATH}/2147483647/`,
    body: { name: 'x' },
    expect: NOT_FOUND,
  },
  {
    name: 'an id that is no number is as unknown',
    endpoint: GET,
    shows: 'error',
    path: `${PATH}/plain/`,
    expect: NOT_FOUND,
  },
  {
    name: 'a flag cannot be deleted for good',
    endpoint: GET,
    verb: 'DELETE',
    shows: 'error',
    path: `${PATH}/{flag}/`,
    expect: { status: 405, headers: { allow: /PATCH/ } },
  },
]

function found(name: string, search: string, ...keys: readonly string[]): ApiCase {
  return {
    ...{ name, endpoint: LIST, shows: 'success', path: `${PATH}/?search=${search}` },
    expect: {
      status: 200,
      body: { count: keys.length, next: null, results: keys.map((key) => ({ key })) },
    },
  }
}

const lists: readonly ApiCase[] = [
  {
    name: 'the list is a page of flags, newest first',
    endpoint: LIST,
    shows: 'success',
    path: `${PATH}/?limit=1`,
    expect: {
      status: 200,
      keys: ['count', 'next', 'previous', 'results'],
      keysAt: { 'results.0': FIELDS },
      body: { previous: null, next: /limit=1&offset=1$/, results: [{ key: 'of-the-member' }] },
    },
  },
  found('a search finds names too, whatever the case', 'DESCRIBED', 'plain'),
  found('each word is in key or name', 'all+whole', 'whole'),
  found('no flag has both words', 'described+whole'),
  {
    name: 'a page keeps what was searched for in its links',
    endpoint: LIST,
    shows: 'success',
    path: `${PATH}/?search=h&limit=1`,
    expect: { status: 200, body: { next: /offset=1&search=h$/, results: [{}] } },
  },
  {
    name: 'a search has 400 characters at most',
    endpoint: LIST,
    shows: 'error',
    path: `${PATH}/?search=${'x'.repeat(401)}`,
    expect: { status: 400, body: { code: 'max_length', attr: 'search' } },
  },
  {
    name: 'an unknown project has no flags',
    endpoint: LIST,
    shows: 'error',
    path: '/api/projects/2147483647/feature_flags/',
    expect: { status: 404, body: { code: 'not_found', detail: 'Project not found.' } },
  },
]

const deletion: readonly ApiCase[] = [
  {
    name: 'a flag is deleted by an update',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{whole}/`,
    body: { deleted: true },
    expect: { status: 200, body: { deleted: true, version: 2 } },
  },
  {
    name: 'a deleted flag is still readable',
    endpoint: GET,
    shows: 'success',
    path: `${PATH}/{whole}/`,
    expect: { status: 200, body: { deleted: true, key: 'whole' } },
  },
  {
    name: 'its key is free, and whoever takes it removes it for good',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: { key: 'whole' },
    expect: { status: 201, body: { version: 1 } },
  },
  {
    name: 'a flag that is gone for good is unknown',
    endpoint: GET,
    shows: 'error',
    path: `${PATH}/{whole}/`,
    expect: NOT_FOUND,
  },
]

/** Others are in `generated/access.ts`. */
const reach: readonly ApiCase[] = [
  {
    name: `a member may use ${PATCH}`,
    endpoint: PATCH,
    shows: 'permission',
    as: 'member',
    path: `${PATH}/{flag}/`,
    body: { name: 'Reached' },
    expect: { status: 200 },
  },
]

const teardown: readonly ApiCase[] = [
  {
    name: 'the project of the flags is removed',
    endpoint: 'DELETE /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{flags_project}/',
    expect: { status: 204 },
  },
]

export const cases: readonly ApiCase[] = [
  ...setup,
  ...creates,
  ...badFields,
  ...updates,
  ...lists,
  ...deletion,
  ...reach,
  ...teardown,
]
