/** The cohorts of a person, in a project of their own. */
import {
  type ApiCase,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

function human(distinctId: string, set: object) {
  return { event: 'seen', distinct_id: distinctId, properties: { $set: set } }
}

function plan(value: unknown, operator = 'exact') {
  return { type: 'person', key: 'plan', operator, value }
}

function of(...values: readonly unknown[]) {
  return { properties: { type: 'AND', values } }
}

function within(id: string) {
  return { type: 'cohort', key: 'id', value: id }
}

function make(name: string, body: object, more: Partial<ApiCase> = {}): ApiCase {
  return {
    ...{ name, endpoint: 'POST /api/projects/{project_id}/cohorts/', shows: 'success' },
    ...{ path: '/api/projects/{crowd}/cohorts/', body, expect: { status: 201 }, ...more },
  }
}

function cohortsOf(name: string, id: string, expect: Expectation, more: Partial<ApiCase> = {}) {
  const shows = expect.status === 200 ? 'success' : 'error'
  const endpoint = 'GET /api/projects/{project_id}/persons/{id}/cohorts/'
  const path = `/api/projects/{crowd}/persons/${id}/cohorts/`
  return { name, endpoint, shows, path, expect, ...more } satisfies ApiCase
}

function personsOf(name: string, filters: object, ids: readonly string[]): ApiCase {
  const text = encodeURIComponent(JSON.stringify(filters)).replaceAll('%7Bpayers%7D', '{payers}')
  return {
    ...{ name, endpoint: 'GET /api/projects/{project_id}/persons/', shows: 'success' },
    path: `/api/projects/{crowd}/persons/?properties=${text}`,
    expect: { status: 200, body: { count: ids.length, results: ids.map((id) => ({ name: id })) } },
  }
}

const LOOKING = 'The cohort has a condition of "regex" that only flags understand.'

export const cases: readonly ApiCase[] = [
  {
    name: 'a project of members',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Members' },
    expect: { status: 201 },
    save: { crowd: 'id', crowd_token: 'api_token' },
  },
  {
    name: 'events make its persons',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{crowd_token}',
      batch: [human('ann', { plan: 'pro' }), human('bob', { plan: 'free' })],
    },
    expect: { status: 200 },
  },
  make(
    'a cohort of members who pay',
    { name: 'Pro', filters: of(plan('pro')) },
    {
      save: { payers: 'id' },
    },
  ),
  make('a cohort of those who do not', {
    name: 'Others',
    filters: { properties: [{ ...within('{payers}'), negation: true }] },
  }),
  make('a static cohort of one', { name: 'Named', is_static: true, distinct_ids: ['ann'] }),
  make('a cohort that only flags understand', {
    name: 'New',
    filters: of(plan('a(?=b)', 'regex')),
  }),
  cohortsOf(
    'the cohorts of a person are those that hold it, static ones too',
    'ann',
    {
      status: 200,
      body: {
        results: [
          { name: 'Named', is_static: true },
          { id: '{payers}', name: 'Pro', is_static: false },
        ],
        unknown: [{ name: 'New', reason: LOOKING }],
      },
      keys: ['results', 'unknown'],
      keysAt: {
        'results.0': ['id', 'name', 'is_static'],
        'unknown.0': ['id', 'name', 'reason'],
      },
    },
    { isExample: true },
  ),
  personsOf('persons of a cohort', [within('{payers}')], ['ann']),
  personsOf('persons of no cohort', [{ ...within('{payers}'), operator: 'not_in' }], ['bob']),
  personsOf(
    'persons of a cohort or with a property',
    { type: 'OR', values: [within('{payers}'), plan('free')] },
    ['ann', 'bob'],
  ),
  {
    ...personsOf('a cohort that does not exist is refused', [within('2000000000')], []),
    shows: 'error',
    expect: invalidField('invalid_input', 'properties', 'Cohort 2000000000 does not exist.'),
  },
  cohortsOf('a person whom no condition names is in what leaves others out', 'bob', {
    status: 200,
    body: { results: [{ name: 'Others' }], unknown: [{ name: 'New' }] },
  }),
  cohortsOf('nobody is in no cohort', 'nobody', NOT_FOUND),
  cohortsOf('what a name is may be said', 'ann', NOT_FOUND, {
    path: '/api/projects/{crowd}/persons/ann/cohorts/?by=id',
  }),
  cohortsOf('the cohorts of others are theirs', 'ann', FORBIDDEN, {
    ...{ path: '/api/projects/{foreign_project}/persons/ann/cohorts/', shows: 'permission' },
  }),
  cohortsOf('a key without persons sees none', 'ann', FORBIDDEN, {
    ...{ as: { scopes: ['cohort:read'] }, shows: 'permission' },
  }),
]
