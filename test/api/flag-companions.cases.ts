import { type ApiCase, invalidField, NOT_FOUND } from './support/case.ts'

const FLAGS = '/api/projects/{project_id}/feature_flags'
const CREATE = `POST ${FLAGS}/`
const PATCH = `PATCH ${FLAGS}/{id}/`
const MINE = `GET ${FLAGS}/my_flags/`
const LOCAL = `GET ${FLAGS}/local_evaluation/`
const HISTORY = `GET ${FLAGS}/{id}/activity/`
const ROLLBACK = `POST ${FLAGS}/{id}/rollback/`

const PATH = '/api/projects/{flags_project}/feature_flags'
const FIELDS = [
  ...['id', 'name', 'key', 'filters', 'deleted', 'active', 'created_by', 'created_at'],
  ...['is_simple_flag', 'rollout_percentage', 'ensure_experience_continuity', 'experiment_set'],
  ...['rollback_conditions', 'performed_rollback', 'can_edit', 'tags', 'version'],
  ...['bucketing_identifier', 'evaluation_runtime', 'evaluation_contexts'],
  ...['has_encrypted_payloads', 'warnings'],
]
const LOCAL_FIELDS = [
  ...['id', 'team_id', 'name', 'key', 'filters', 'deleted', 'active', 'version'],
  ...['ensure_experience_continuity', 'bucketing_identifier', 'evaluation_runtime'],
  ...['evaluation_contexts', 'has_encrypted_payloads'],
]

const setup: readonly ApiCase[] = [
  {
    name: 'a project is made for what goes with flags',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Flags' },
    expect: { status: 201 },
    save: { flags_project: 'id', flags_token: 'api_token' },
  },
  {
    name: 'a flag is made, to have a history',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: { key: 'told' },
    expect: { status: 201 },
    save: { flag: 'id' },
  },
  {
    name: 'it is changed',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{flag}/`,
    body: { name: 'Described', filters: { groups: [] } },
    expect: { status: 200, body: { version: 2 } },
  },
  {
    name: 'it is changed again',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{flag}/`,
    body: { active: false },
    expect: { status: 200, body: { version: 3 } },
  },
  {
    name: 'it is changed in nothing',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{flag}/`,
    body: {},
    expect: { status: 200, body: { version: 3 } },
  },
  {
    name: 'a flag about groups is made',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: { key: 'by-group', filters: { groups: [{}], aggregation_group_type_index: 0 } },
    expect: { status: 201 },
  },
  {
    name: 'a flag is made that is not active',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: { key: 'inactive', active: false },
    expect: { status: 201 },
  },
  {
    name: 'a flag is made that is deleted',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: { key: 'deleted', deleted: true },
    expect: { status: 201 },
  },
]

const history: readonly ApiCase[] = [
  {
    name: 'the history of a flag has each change with what it changed',
    endpoint: HISTORY,
    shows: 'success',
    path: `${PATH}/{flag}/activity/?limit=3`,
    expect: {
      status: 200,
      keys: ['count', 'next', 'previous', 'results'],
      body: {
        count: 4,
        previous: null,
        results: [
          { activity: 'updated', detail: { version: null, changes: [] } },
          {
            user: { id: '{owner_id}' },
            scope: 'FeatureFlag',
            detail: {
              name: 'told',
              version: 3,
              changes: [{ field: 'active', action: 'changed', before: true, after: false }],
            },
          },
          { detail: { version: 2, changes: [{ field: 'name' }, { field: 'filters' }] } },
        ],
      },
    },
  },
  {
    name: 'a flag that is not there has no history',
    endpoint: HISTORY,
    shows: 'error',
    path: `${PATH}/2147483647/activity/`,
    expect: NOT_FOUND,
  },
  {
    name: 'a rollback gives the flag what it was, as a new version',
    endpoint: ROLLBACK,
    shows: 'success',
    path: `${PATH}/{flag}/rollback/`,
    body: { version: '1' },
    expect: {
      status: 200,
      keys: FIELDS,
      body: {
        name: '',
        filters: { groups: [{ properties: [], rollout_percentage: null }] },
        active: true,
        version: 4,
      },
    },
  },
  {
    name: 'a rollback to the current version changes nothing',
    endpoint: ROLLBACK,
    shows: 'success',
    path: `${PATH}/{flag}/rollback/`,
    body: { version: 4 },
    expect: { status: 200, body: { version: 4 } },
  },
  {
    name: 'a rollback is in the history',
    endpoint: HISTORY,
    shows: 'success',
    path: `${PATH}/{flag}/activity/?limit=2`,
    expect: {
      status: 200,
      body: {
        results: [
          { activity: 'rolled_back', detail: { version: null, changes: [] } },
          { activity: 'rolled_back', detail: { version: 4 } },
        ],
      },
    },
  },
]

const WRONG_VERSIONS: readonly [string, object, string][] = [
  ['the version of a rollback is needed', {}, 'required'],
  ['a version that is not there is refused', { version: 5 }, 'does_not_exist'],
  ['a version that is no number is refused', { version: 'x' }, 'invalid_input'],
  ['a version below one is refused', { version: 0 }, 'min_value'],
  ['a version beyond all is refused', { version: 2 ** 31 }, 'max_value'],
  ['a version that is null is refused', { version: null }, 'null'],
]
const refusals: readonly ApiCase[] = WRONG_VERSIONS.map(([name, body, code]) => ({
  ...{ name, endpoint: ROLLBACK, shows: 'error', path: `${PATH}/{flag}/rollback/`, body },
  expect: invalidField(code, 'version'),
}))

const evaluations: readonly ApiCase[] = [
  {
    name: 'my flags are the active ones with their values, newest first',
    endpoint: MINE,
    shows: 'success',
    path: `${PATH}/my_flags/`,
    expect: {
      status: 200,
      keysAt: { 0: ['feature_flag', 'value'], '0.feature_flag': FIELDS },
      body: [
        { feature_flag: { key: 'by-group' }, value: false },
        { feature_flag: { key: 'told', version: 4 }, value: true },
      ],
    },
  },
  {
    name: 'groups that are no JSON are refused',
    endpoint: MINE,
    shows: 'error',
    path: `${PATH}/my_flags/?groups=%7B`,
    expect: invalidField('invalid_input', 'groups'),
  },
  {
    name: 'groups that are a list are refused',
    endpoint: MINE,
    shows: 'error',
    path: `${PATH}/my_flags/?groups=%5B%5D`,
    expect: invalidField('invalid_input', 'groups'),
  },
  {
    name: 'an event of a group makes its type known',
    endpoint: 'POST /capture/',
    shows: 'success',
    path: '/capture/',
    body: {
      api_key: '{flags_token}',
      event: 'seen',
      distinct_id: 'somebody',
      properties: { $groups: { company: 'acme' } },
    },
    expect: { status: 200 },
  },
  {
    name: 'my flags take the groups that I name',
    endpoint: MINE,
    shows: 'success',
    path: `${PATH}/my_flags/?groups=%7B%22company%22%3A%22acme%22%7D`,
    expect: {
      status: 200,
      body: [
        { feature_flag: { key: 'by-group' }, value: true },
        { feature_flag: { key: 'told' }, value: true },
      ],
    },
  },
  {
    name: 'local evaluation gets every flag that is not deleted, without cohorts',
    endpoint: LOCAL,
    shows: 'success',
    path: `${PATH}/local_evaluation/`,
    expect: {
      status: 200,
      keys: ['flags', 'group_type_mapping'],
      keysAt: { 'flags.0': LOCAL_FIELDS },
      headers: { etag: /^W\/"/ },
      body: {
        flags: [
          {
            id: '{flag}',
            team_id: '{flags_project}',
            key: 'told',
            filters: { groups: [{ properties: [], rollout_percentage: null }] },
            deleted: false,
            version: 4,
          },
          { key: 'by-group', filters: { groups: [{}], aggregation_group_type_index: 0 } },
          { key: 'inactive', active: false },
        ],
        group_type_mapping: { 0: 'company' },
      },
    },
  },
  {
    name: 'cohorts are sent when they are asked for',
    endpoint: LOCAL,
    shows: 'success',
    path: `${PATH}/local_evaluation/?send_cohorts`,
    expect: {
      status: 200,
      keys: ['flags', 'group_type_mapping', 'cohorts'],
      body: { cohorts: {} },
    },
  },
  {
    name: 'definitions of an unknown project are not found',
    endpoint: LOCAL,
    shows: 'error',
    path: '/api/projects/2147483647/feature_flags/local_evaluation/',
    expect: { status: 404, body: { code: 'not_found', detail: 'Project not found.' } },
  },
]

/** Others are in `generated/access.ts`. */
const reach: readonly ApiCase[] = [
  {
    name: `a member may use ${ROLLBACK}`,
    endpoint: ROLLBACK,
    shows: 'permission',
    as: 'member',
    path: `${PATH}/{flag}/rollback/`,
    body: { version: 1 },
    expect: { status: 200 },
  },
]

const teardown: readonly ApiCase[] = [
  {
    name: 'the project is removed',
    endpoint: 'DELETE /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{flags_project}/',
    expect: { status: 204 },
  },
]

export const cases: readonly ApiCase[] = [
  ...setup,
  ...history,
  ...refusals,
  ...evaluations,
  ...reach,
  ...teardown,
]
