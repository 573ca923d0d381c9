/** Counting criteria, and where a cohort is used, in a project of their own. */
import {
  type ApiCase,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const ALL = '/api/projects/{project_id}/cohorts/'
const HOME = '/api/projects/{crew}/'
const USED = `GET ${ALL}{id}/used_by/`

function human(distinctId: string, set: object) {
  return { event: 'seen', distinct_id: distinctId, properties: { $set: set } }
}

function plan(value: unknown, operator = 'exact') {
  return { type: 'person', key: 'plan', operator, value }
}

function within(id: string | number) {
  return { type: 'cohort', key: 'id', value: id }
}

function make(
  name: string,
  family: string,
  body: object,
  save?: Readonly<Record<string, string>>,
): ApiCase {
  return {
    ...{ name, endpoint: `POST /api/projects/{project_id}/${family}/`, shows: 'success' },
    ...{ path: `${HOME}${family}/`, body, expect: { status: 201 } },
    ...(save === undefined ? {} : { save }),
  }
}

function count(
  name: string,
  properties: unknown,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  return {
    ...{ name, endpoint: `POST ${ALL}count/`, shows: expect.status === 200 ? 'success' : 'error' },
    ...{ path: `${HOME}cohorts/count/`, body: { filters: { properties } }, expect },
    ...{ unlogged: 'a count reads', ...more },
  }
}

function list(name: string, query: string, body: object): ApiCase {
  return {
    ...{ name, endpoint: `GET ${ALL}`, shows: 'success', path: `${HOME}cohorts/?${query}` },
    expect: { status: 200, body },
  }
}

function used(name: string, id: string, body: object, more: Partial<ApiCase> = {}): ApiCase {
  return {
    ...{ name, endpoint: USED, shows: 'success', path: `${HOME}cohorts/${id}/used_by/` },
    ...{ expect: { status: 200, body }, ...more },
  }
}

const UNUSED = {
  feature_flags: [],
  cohorts: [],
  insights: [],
  dashboards: [],
  test_accounts: false,
  web_goals: false,
  unread: [],
}
const SERIES = [{ kind: 'EventsNode', event: 'seen' }]
const FILTER = { ...within('{crew_pro}'), operator: 'in' }

const counts: readonly ApiCase[] = [
  count(
    'criteria are counted before they are saved',
    { type: 'AND', values: [plan('pro')] },
    {
      status: 200,
      body: { count: 1, total: 3 },
    },
    { isExample: true },
  ),
  count(
    'groups within groups, and cohorts',
    {
      type: 'OR',
      values: [
        { type: 'AND', values: [plan('is_set', 'is_set'), within('{crew_pro}')] },
        { type: 'AND', values: [plan('free')] },
      ],
    },
    { status: 200, body: { count: 2 } },
  ),
  count('no criteria are met by everyone', [], { status: 200, body: { count: 3, total: 3 } }),
  count(
    'criteria that only flags understand are not counted',
    [plan('a(?=b)', 'regex')],
    invalidField('invalid_input', 'filters'),
  ),
  count(
    'a criterion without a value is not counted',
    [{ key: 'plan', operator: 'gt' }],
    invalidField('invalid_input', 'filters'),
  ),
  count(
    'a cohort that nobody has is not counted',
    [within(2_147_483_000)],
    invalidField('invalid_input', 'filters'),
  ),
  {
    ...count('counting needs criteria', [], invalidField('required', 'filters')),
    ...{ body: {}, shows: 'error' },
  },
]

const uses: readonly ApiCase[] = [
  used('nothing uses a new cohort', '{crew_pro}', UNUSED),
  make('a flag for it', 'feature_flags', {
    key: 'crew-flag',
    filters: { groups: [{ properties: [within('{crew_pro}')] }] },
  }),
  make('a cohort around it', 'cohorts', {
    name: 'Around it',
    filters: { properties: [{ ...within('{crew_pro}'), negation: true }] },
  }),
  make('an insight that filters by it', 'insights', {
    name: 'Filtered',
    query: { kind: 'TrendsQuery', series: SERIES, properties: [FILTER] },
  }),
  make('an insight that breaks down by it', 'insights', {
    name: 'Broken down',
    query: {
      kind: 'TrendsQuery',
      series: SERIES,
      breakdownFilter: { breakdown: ['{crew_pro}'], breakdown_type: 'cohort' },
    },
  }),
  make('an insight without it', 'insights', {
    name: 'A cohort in words',
    query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'cohort {crew_pro}' }] },
  }),
  make('a dashboard of it', 'dashboards', {
    name: 'Of payers',
    filters: { properties: [FILTER] },
  }),
  {
    name: 'the project leaves its persons out',
    endpoint: 'PATCH /api/projects/{id}/',
    shows: 'success',
    path: HOME,
    body: {
      test_account_filters: [{ ...within('{crew_pro}'), operator: 'not_in' }],
      web_goals: [{ name: 'Paid', event: 'paid', properties: [within('{crew_pro}')] }],
    },
    expect: { status: 200 },
  },
  used(
    'a cohort names all that uses it',
    '{crew_pro}',
    {
      feature_flags: [{ key: 'crew-flag', active: true }],
      cohorts: [{ name: 'Around it' }],
      insights: [{ name: 'Broken down' }, { name: 'Filtered' }],
      dashboards: [{ name: 'Of payers' }],
      ...{ test_accounts: true, web_goals: true },
      unread: [],
    },
    { isExample: true },
  ),
  used(
    'a key reads the uses that it has scopes for',
    '{crew_pro}',
    {
      ...UNUSED,
      cohorts: [{ name: 'Around it' }],
      dashboards: [{ name: 'Of payers' }],
      unread: ['feature_flags', 'insights', 'test_accounts', 'web_goals'],
    },
    { as: { scopes: ['cohort:read', 'dashboard:read'] } },
  ),
  used(
    'the uses of a cohort in another project',
    '{crew_pro}',
    {},
    {
      ...{ shows: 'tenancy', path: '/api/projects/{project}/cohorts/{crew_pro}/used_by/' },
      expect: NOT_FOUND,
    },
  ),
  used(
    'the uses need the scope of cohorts',
    '{crew_pro}',
    {},
    {
      ...{ shows: 'permission', as: { scopes: ['feature_flag:read'] }, expect: FORBIDDEN },
    },
  ),
]

export const cases: readonly ApiCase[] = [
  {
    name: 'a project of uses',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Crew' },
    expect: { status: 201 },
    save: { crew: 'id', crew_token: 'api_token' },
  },
  {
    name: 'events make its persons',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{crew_token}',
      batch: [human('ann', { plan: 'pro' }), human('bob', { plan: 'free' }), human('cleo', {})],
    },
    expect: { status: 200 },
  },
  make(
    'a cohort of payers',
    'cohorts',
    { name: 'Payers', description: 'For the new checkout', filters: { properties: [plan('pro')] } },
    { crew_pro: 'id' },
  ),
  make('a cohort of others', 'cohorts', {
    name: '100 % free',
    filters: { properties: [plan('free')] },
  }),
  list('a search for words of a name or a description', 'search=CHECKOUT%20pay', {
    count: 1,
    results: [{ name: 'Payers', count: 1 }],
  }),
  list('a search takes signs for themselves', 'search=%25', {
    count: 1,
    results: [{ name: '100 % free' }],
  }),
  list('a search that finds nothing', 'search=payers%20free', { count: 0, results: [] }),
  list('a list without counts', 'basic=true', {
    count: 2,
    results: [
      { name: '100 % free', count: null },
      { name: 'Payers', count: null },
    ],
  }),
  ...counts,
  ...uses,
]
