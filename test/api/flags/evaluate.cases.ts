/** Flags tried for a person: stored ones, drafts, earlier versions. */
import { type ApiCase, type Expectation, FORBIDDEN, invalidField } from '../support/case.ts'

const FLAGS = '/api/projects/{project_id}/feature_flags/'
const EVALUATE = `POST ${FLAGS}evaluate/`
const PATH = '/api/projects/{tried}/feature_flags/'
const PRO = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' }
const VARIANTS = [
  { key: 'red', rollout_percentage: 50 },
  { key: 'blue', rollout_percentage: 50 },
]

function make(body: object, save: Readonly<Record<string, string>>): ApiCase {
  const name = `a flag ${JSON.stringify(body).slice(0, 30)} is made`
  const expect: Expectation = { status: 201 }
  return { name, endpoint: `POST ${FLAGS}`, shows: 'success', path: PATH, body, expect, save }
}

function evaluate(name: string, body: object, results: readonly object[]): ApiCase {
  const expect: Expectation = { status: 200, body: { results } }
  return tried(name, body, { shows: 'success', expect })
}

function tried(name: string, body: object, more: Pick<ApiCase, 'shows' | 'expect'>): ApiCase {
  const path = `${PATH}evaluate/`
  return { name, endpoint: EVALUATE, path, body, unlogged: 'an evaluation reads', ...more }
}

function refused(name: string, body: object, expect: Expectation): ApiCase {
  return tried(name, body, { shows: 'error', expect })
}

const setup: readonly ApiCase[] = [
  {
    name: 'a project is made for flags that are tried',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Tried' },
    expect: { status: 201 },
    save: { tried: 'id', tried_token: 'api_token' },
  },
  {
    name: 'a person with a plan is captured',
    endpoint: 'POST /capture/',
    shows: 'success',
    path: '/capture/',
    as: 'anonymous',
    body: {
      api_key: '{tried_token}',
      event: 'seen',
      distinct_id: 'ann',
      properties: { $set: { plan: 'pro' } },
    },
    expect: { status: 200 },
  },
  make(
    {
      key: 'search',
      filters: {
        groups: [
          { properties: [PRO], rollout_percentage: 100, variant: 'red' },
          { properties: [], rollout_percentage: 0 },
        ],
        multivariate: { variants: VARIANTS },
        payloads: { red: '"#f00"' },
      },
    },
    { search: 'id' },
  ),
  make(
    {
      key: 'after-search',
      filters: {
        groups: [
          {
            properties: [
              { key: '{search}', type: 'flag', operator: 'flag_evaluates_to', value: 'red' },
            ],
          },
        ],
      },
    },
    { after: 'id' },
  ),
  make({ key: 'asleep', active: false }, { asleep: 'id' }),
  {
    name: 'a tried flag is changed',
    endpoint: `PATCH ${FLAGS}{id}/`,
    shows: 'success',
    path: `${PATH}{search}/`,
    body: { filters: { groups: [{ properties: [], rollout_percentage: 0 }] } },
    expect: { status: 200, body: { version: 2 } },
  },
]

const stored: readonly ApiCase[] = [
  evaluate('every active flag comes out for somebody', { distinct_id: 'ann' }, [
    { flag_id: '{search}', value: false, condition_sets: [] },
    { flag_id: '{after}', value: false, reason: { code: 'no_condition_match' } },
  ]),
  evaluate(
    'an earlier version of a flag has the value and the trace that it had',
    { flag_id: '{search}', at: 1, distinct_id: 'ann' },
    [
      {
        key: 'search',
        version: 1,
        active: true,
        value: 'red',
        payload: '"#f00"',
        reason: { code: 'condition_match', condition_index: 0 },
        failed: false,
        opt_in: null,
        holdout: null,
        condition_sets: [
          {
            reached: true,
            outcome: 'condition_match',
            properties: [{ property: PRO, holds: true, actual: 'pro' }],
            threshold: 1,
            value: 'red',
            variant_bucket: null,
          },
          { reached: false, outcome: 'out_of_rollout_bound', properties: [], threshold: 0 },
        ],
      },
    ],
  ),
  evaluate(
    'flags as they were at a time see each other as they were',
    { flag_id: '{after}', at: '2999-01-01T00:00:00Z', distinct_id: 'ann' },
    [{ value: false, condition_sets: [{ properties: [{ holds: false, actual: false }] }] }],
  ),
  evaluate(
    'properties of the request win over those stored',
    { flag_id: '{search}', at: 1, distinct_id: 'ann', person_properties: { plan: 'free' } },
    [{ value: false, condition_sets: [{ properties: [{ holds: false, actual: 'free' }] }, {}] }],
  ),
  evaluate(
    'a flag that is switched off is tried as if it were on',
    { flag_id: '{asleep}', distinct_id: 'ann' },
    [{ active: false, value: true }],
  ),
  {
    ...evaluate(
      'whoever may not read persons sees what held, and not why',
      { flag_id: '{search}', at: 1, distinct_id: 'ann' },
      [{ condition_sets: [{ properties: [{ property: PRO, holds: true, actual: null }] }, {}] }],
    ),
    as: { scopes: ['feature_flag:read'] },
  },
]

const drafts: readonly ApiCase[] = [
  evaluate(
    'a draft of a stored flag is tried with what it changes',
    {
      flag_id: '{search}',
      distinct_id: 'ann',
      filters: { groups: [{ properties: [PRO], rollout_percentage: 100 }] },
    },
    [{ flag_id: '{search}', version: 2, value: true }],
  ),
  evaluate(
    'a draft of a new flag is tried',
    { key: 'someday', person_properties: { plan: 'pro' }, filters: { groups: [{}] } },
    [{ flag_id: null, key: 'someday', version: null, value: true }],
  ),
  evaluate(
    'relative dates are counted from the time that is given',
    {
      filters: {
        groups: [
          {
            properties: [
              { key: 'since', type: 'person', operator: 'is_date_before', value: '-7d' },
            ],
          },
        ],
      },
      person_properties: { since: '2026-01-01T00:00:00Z' },
      time: '2026-01-05T00:00:00Z',
    },
    [{ value: false }],
  ),
  refused(
    'a draft is held to the rules of flags',
    { filters: { groups: [{ variant: 'none' }] } },
    invalidField('invalid_input', 'filters'),
  ),
]

const NO_PERSONS = "API key missing required scope 'person:read'."

const refusals: readonly ApiCase[] = [
  refused(
    'an unknown flag is refused',
    { flag_id: 2_000_000_000 },
    invalidField('does_not_exist', 'flag_id'),
  ),
  refused(
    'a version that is none is refused',
    { flag_id: '{search}', at: 99 },
    invalidField('does_not_exist', 'at'),
  ),
  refused(
    'a flag that did not exist yet is refused',
    { flag_id: '{search}', at: '2001-01-01T00:00:00Z' },
    invalidField('does_not_exist', 'at'),
  ),
  refused('no version but of a flag', { at: 1 }, invalidField('invalid_input', 'flag_id')),
  refused('an odd version is refused', { at: [] }, invalidField('invalid_input', 'at')),
  refused('an odd time is refused', { at: 'soon' }, invalidField('invalid_input', 'at')),
  {
    ...refused('a key without the scope tries nothing', {}, FORBIDDEN),
    shows: 'permission',
    as: { scopes: ['person:read'] },
  },
  ...[{ distinct_id: 'ann' }, { groups: { ship: 'pro' } }].map((subject) => ({
    ...refused(
      `a draft about stored ${Object.keys(subject).join()} takes person:read`,
      { ...subject, filters: { groups: [{ properties: [PRO] }] } },
      { ...FORBIDDEN, body: { code: 'permission_denied', detail: NO_PERSONS } },
    ),
    shows: 'permission' as const,
    as: { scopes: ['feature_flag:read'] },
  })),
  {
    ...evaluate(
      'a draft about given properties takes none',
      {
        key: 'given',
        person_properties: { plan: 'pro' },
        filters: { groups: [{ properties: [PRO] }] },
      },
      [{ key: 'given', value: true }],
    ),
    as: { scopes: ['feature_flag:read'] },
  },
]

export const cases: readonly ApiCase[] = [...setup, ...stored, ...drafts, ...refusals]
