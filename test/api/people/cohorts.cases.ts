/** Cohorts, in a project of their own, and the flag that uses one. */
import {
  type ApiCase,
  callsOf,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const ALL = '/api/projects/{project_id}/cohorts/'
const PATH = '/api/projects/{groups}/cohorts/'
const FLAGS = '/api/projects/{groups}/feature_flags/'
const PRO = `${PATH}{pro}/`
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const FIELDS = [
  ...['id', 'name', 'description', 'filters', 'is_static', 'deleted', 'count', 'not_found'],
  ...['created_at', 'created_by', 'updated_at'],
]

function human(distinctId: string, set: object, second: number) {
  const timestamp = `2024-03-01T12:00:0${second}Z`
  return { event: 'seen', distinct_id: distinctId, timestamp, properties: { $set: set } }
}

function plan(value: unknown, operator = 'exact') {
  return { type: 'person', key: 'plan', operator, value }
}

function of(...values: readonly unknown[]) {
  return { properties: { type: 'AND', values } }
}

function within(id: string | number) {
  return { type: 'cohort', key: 'id', value: id }
}

function make(name: string, body: object, more: Partial<ApiCase> = {}): ApiCase {
  const expect: Expectation = { status: 201 }
  return { name, endpoint: `POST ${ALL}`, shows: 'success', path: PATH, body, expect, ...more }
}

const { change } = callsOf(ALL, PATH, PRO)

function get(name: string, path: string, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: `GET ${ALL}{id}/`, shows, path, expect }
}

function remove(name: string, path: string, expect: Expectation): ApiCase {
  const shows = expect.status === 204 ? 'success' : 'error'
  return { name, endpoint: `DELETE ${ALL}{id}/`, shows, path, expect }
}

function persons(name: string, path: string, ...ids: readonly string[]): ApiCase {
  const results = ids.map((id) => ({ distinct_ids: [id] }))
  return {
    ...{ name, endpoint: `GET ${ALL}{id}/persons/`, shows: 'success', path },
    expect: { status: 200, body: { count: ids.length, results } },
  }
}

function decides(name: string, distinctId: string, value: boolean, flag = 'paying'): ApiCase {
  return {
    name,
    endpoint: 'POST /decide/',
    shows: 'success',
    as: 'anonymous',
    path: '/decide/?v=3',
    body: { api_key: '{groups_token}', distinct_id: distinctId },
    expect: { status: 200, body: { featureFlags: { [flag]: value } } },
  }
}

const made: readonly ApiCase[] = [
  {
    name: 'a project of cohorts',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Groups' },
    expect: { status: 201 },
    save: { groups: 'id', groups_token: 'api_token' },
  },
  {
    name: 'events make the persons of cohorts',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{groups_token}',
      batch: [
        human('ann', { plan: 'pro' }, 1),
        human('bob', { plan: 'free' }, 2),
        human('cleo, "the" first', {}, 3),
      ],
    },
    expect: { status: 200 },
  },
  make(
    'a member makes a cohort, which is counted',
    {
      name: ' Pro ',
      description: 'Who pays',
      filters: of(plan(['PRO'])),
      id: 5,
      count: 7,
      deleted: true,
    },
    {
      as: 'member',
      expect: {
        status: 201,
        keys: FIELDS,
        body: {
          name: 'Pro',
          description: 'Who pays',
          filters: of(plan(['PRO'])),
          is_static: false,
          deleted: false,
          count: 1,
          not_found: null,
          created_at: DATETIME,
          created_by: { id: '{member_id}' },
          updated_at: DATETIME,
        },
      },
      save: { pro: 'id' },
    },
  ),
  make(
    'a cohort within a cohort, as a list of conditions',
    { name: 'Others', filters: { properties: [{ ...within('{pro}'), negation: true }] } },
    { expect: { status: 201, body: { count: 2 } }, save: { others: 'id' } },
  ),
  make(
    'a cohort without a condition holds everyone',
    { filters: { properties: [] } },
    { expect: { status: 201, body: { name: '', count: 3 } }, save: { everyone: 'id' } },
  ),
  make(
    'a condition that only flags understand has no count',
    { name: 'New', filters: of(plan('a(?=b)', 'regex')) },
    { expect: { status: 201, body: { count: null } }, save: { versions: 'id' } },
  ),
]

const flags: readonly ApiCase[] = [
  {
    name: 'a flag for a cohort within a cohort',
    endpoint: 'POST /api/projects/{project_id}/feature_flags/',
    shows: 'success',
    path: FLAGS,
    body: { key: 'paying', filters: { groups: [{ properties: [within('{others}')] }] } },
    expect: { status: 201 },
    save: { paying: 'id' },
  },
  decides('who is in the cohort has the flag', 'bob', true),
  decides('who is not has it not', 'ann', false),
  change(
    'the inner cohort changes',
    { filters: of(plan('free')) },
    {
      status: 200,
      keys: FIELDS,
      body: { name: 'Pro', filters: of(plan('free')), count: 1 },
    },
  ),
  decides('the flag follows at once', 'bob', false),
  decides('the flag follows at once for the others', 'ann', true),
  remove(
    'a cohort that a flag uses stays, also where it is an inner one',
    PRO,
    invalidField('invalid_input', null, 'The feature flag paying uses this cohort.'),
  ),
  change(
    'nor is it hidden',
    { deleted: true },
    invalidField('invalid_input', 'deleted', 'The feature flag paying uses this cohort.'),
  ),
  decides('the flag is as it was', 'ann', true),
  {
    name: 'the flag lets the cohort go',
    endpoint: 'PATCH /api/projects/{project_id}/feature_flags/{id}/',
    shows: 'success',
    path: `${FLAGS}{paying}/`,
    body: { deleted: true },
    expect: { status: 200 },
  },
  remove(
    'a cohort that another one contains stays',
    PRO,
    invalidField('invalid_input', null, 'Cohort {others} uses this cohort.'),
  ),
]

const reads: readonly ApiCase[] = [
  {
    name: 'cohorts, the newest first, with their counts',
    endpoint: `GET ${ALL}`,
    shows: 'success',
    path: `${PATH}?limit=3`,
    expect: {
      status: 200,
      body: {
        count: 4,
        results: [{ count: null }, { count: 3 }, { id: '{others}', count: 2 }],
      },
    },
  },
  get('a cohort', PRO, { status: 200, keys: FIELDS, body: { id: '{pro}', count: 1 } }),
  get('an id that is none', `${PATH}x/`, NOT_FOUND),
  {
    ...get('a cohort in another project', '/api/projects/{project}/cohorts/{pro}/', NOT_FOUND),
    shows: 'tenancy',
  },
  persons('persons of a cohort', `${PRO}persons/`, 'bob'),
  persons(
    'persons of the others, the newest first',
    `${PATH}{others}/persons/`,
    'cleo, "the" first',
    'ann',
  ),
  {
    ...persons('persons in another project', '/api/projects/{project}/cohorts/{pro}/persons/'),
    shows: 'tenancy',
    expect: NOT_FOUND,
  },
  {
    ...persons('persons whom only flags can tell', `${PATH}{versions}/persons/`),
    shows: 'error',
    expect: invalidField('invalid_input', null),
  },
  {
    ...persons('persons need their own scope', `${PRO}persons/`),
    shows: 'permission',
    as: { scopes: ['cohort:write'] },
    expect: FORBIDDEN,
  },
]

const WRONG = plan('x')
/** Conditions that neither a create nor an update takes. */
const WRONG_FILTERS: readonly (readonly [string, unknown, string?])[] = [
  ['conditions that are a list', [plan('pro')]],
  ['conditions without their member', { values: [] }],
  ['conditions of text', { properties: 'x' }],
  ['a condition that is none', of(5)],
  ['a group of an unknown type', of({ type: 'XOR', values: [] })],
  ['a group whose values are no list', of({ type: 'OR', values: {} })],
  ['a condition without a key', of({ type: 'person', value: 1 })],
  ['a condition on events', of({ ...WRONG, type: 'event' })],
  ['what persons did', of({ ...WRONG, type: 'behavioral' }), 'behavioral_cohort_found'],
  ['a condition on distinct ids', of({ ...WRONG, key: 'distinct_id' })],
  ['an unknown operator', of(plan('x', '__proto__'))],
  ['a condition without a value', of({ key: 'plan', operator: 'gt' })],
  ['a date that is none', of(plan('soon', 'is_date_before'))],
  ['a pattern that is none', of(plan('(', 'regex'))],
  ['a negation that is none', of({ ...WRONG, negation: 'no' })],
  ['a cohort id that is none', of(within('x'))],
  ['a cohort that nobody has', of(within(2_147_483_000)), 'cohort_does_not_exist'],
  ['an operator that cohorts have not', of({ ...within('{everyone}'), operator: 'gt' })],
  ['too many conditions', of(...Array(1_000).fill(plan('x')))],
  ['conditions that are too large', of(plan('x'.repeat(131_072))), 'max_length'],
]
const ANY = { filters: of() }
const LONG = 'x'.repeat(401)
const REFUSED: readonly (readonly [string, object, Expectation])[] = [
  ['a name that is too long', { ...ANY, name: LONG }, invalidField('max_length', 'name')],
  [
    'ids of a cohort that is not static',
    { ...ANY, distinct_ids: ['ann'] },
    invalidField('invalid_input', 'distinct_ids'),
  ],
  [
    'CSV of a cohort that is not static',
    { ...ANY, csv: 'ann' },
    invalidField('invalid_input', 'csv'),
  ],
  ...WRONG_FILTERS.map(
    ([name, filters, code = 'invalid_input']) =>
      [name, { filters }, invalidField(code, 'filters')] as const,
  ),
]

const refusals: readonly ApiCase[] = [
  {
    ...make('a cohort needs conditions', { name: 'None' }),
    shows: 'error',
    expect: invalidField('required', 'filters'),
  },
  ...REFUSED.flatMap(([name, body, expect]) => [
    { ...make(`${name}: no cohort`, body), shows: 'error' as const, expect },
    change(`${name}: no change`, body, expect),
  ]),
  change(
    'a cohort within itself',
    { filters: of(within('{pro}')) },
    invalidField('invalid_input', 'filters'),
  ),
  change(
    'a cohort within one that it contains',
    { filters: of(within('{others}')) },
    invalidField('invalid_input', 'filters'),
  ),
  get('what was refused has changed nothing', PRO, {
    status: 200,
    body: { name: 'Pro', count: 1 },
  }),
  {
    ...make('who may read cohorts may not make any', ANY),
    shows: 'permission',
    as: { scopes: ['cohort:read', 'person:write'] },
    expect: FORBIDDEN,
  },
]

const NAMED = `${PATH}{named}/`

const named: readonly ApiCase[] = [
  make(
    'a static cohort of distinct ids; those that nobody has are told',
    { name: 'Named', is_static: true, distinct_ids: ['ann', 'ann', 'nobody', ''] },
    {
      expect: { status: 201, body: { is_static: true, count: 1, not_found: 2 } },
      save: { named: 'id' },
    },
  ),
  {
    name: 'a flag for who is named',
    endpoint: 'POST /api/projects/{project_id}/feature_flags/',
    shows: 'success',
    path: FLAGS,
    body: { key: 'named', filters: { groups: [{ properties: [within('{named}')] }] } },
    expect: { status: 201 },
    save: { named_flag: 'id' },
  },
  decides('who is not named has it not', 'cleo, "the" first', false, 'named'),
  change(
    'CSV adds to it: a heading, quotes, and blank lines',
    { csv: 'distinct_id\r\n"cleo, ""the"" first"\r\n\r\nann\r\nno one\r\n' },
    { status: 200, body: { count: 2, not_found: 1 } },
    { path: NAMED },
  ),
  decides('who is named later has it at once', 'cleo, "the" first', true, 'named'),
  {
    name: 'CSV may be an uploaded file',
    endpoint: `POST ${ALL}`,
    shows: 'success',
    path: PATH,
    form: {
      name: 'Uploaded',
      is_static: 'true',
      csv: { file: 'ids.csv', type: 'text/csv', text: '\ufeffdistinct_id\nann\nno one\n' },
    },
    expect: { status: 201, body: { name: 'Uploaded', is_static: true, count: 1, not_found: 1 } },
    save: { uploaded: 'id' },
  },
  remove('and goes again', `${PATH}{uploaded}/`, { status: 204 }),
  {
    name: 'the flag ends',
    endpoint: 'PATCH /api/projects/{project_id}/feature_flags/{id}/',
    shows: 'success',
    path: `${FLAGS}{named_flag}/`,
    body: { deleted: true },
    expect: { status: 200 },
  },
  persons('persons of a static cohort', `${NAMED}persons/`, 'cleo, "the" first', 'ann'),
  change(
    'it stays static, and takes no conditions',
    { is_static: false, filters: of(plan('free')), description: 'By hand' },
    {
      status: 200,
      body: { is_static: true, filters: {}, description: 'By hand', count: 2, not_found: null },
    },
    { path: NAMED },
  ),
  change(
    'ids of another type',
    { distinct_ids: 'ann' },
    invalidField('not_a_list', 'distinct_ids'),
    { path: NAMED },
  ),
  change(
    'too many ids',
    { csv: Array.from({ length: 100_001 }, (_, n) => n).join('\n') },
    invalidField('max_length', 'csv', 'At most 100000 distinct ids at a time.'),
    { path: NAMED },
  ),
  change(
    'a static cohort is hidden',
    { deleted: true },
    { status: 200, body: { deleted: true, count: null } },
    { path: NAMED },
  ),
  {
    ...persons('a hidden cohort lists nobody', `${NAMED}persons/`),
    shows: 'error',
    expect: NOT_FOUND,
  },
  change(
    'and cannot be within another',
    { filters: of(within('{named}')) },
    invalidField('cohort_does_not_exist', 'filters'),
  ),
]

const removals: readonly ApiCase[] = [
  remove('a cohort is removed', `${PATH}{others}/`, { status: 204, text: '' }),
  get('it is gone', `${PATH}{others}/`, NOT_FOUND),
  remove('nobody removes it again', `${PATH}{others}/`, NOT_FOUND),
  remove('nothing uses the inner one any more', PRO, { status: 204, text: '' }),
  {
    name: 'the activity of the project has the changes of its cohorts, with no distinct id',
    endpoint: 'GET /api/projects/{project_id}/activity/',
    shows: 'success',
    path: '/api/projects/{groups}/activity/?scope=Cohort&item_id={named}',
    expect: {
      status: 200,
      body: {
        results: [
          { activity: 'updated' },
          { activity: 'updated' },
          {
            activity: 'persons_added',
            detail: { name: 'Named', changes: [{ field: 'persons', after: 1 }] },
          },
          { activity: 'updated' },
          { activity: 'persons_added' },
          { activity: 'created' },
        ],
      },
    },
  },
]

export const cases: readonly ApiCase[] = [
  ...made,
  ...flags,
  ...reads,
  ...refusals,
  ...named,
  ...removals,
]
