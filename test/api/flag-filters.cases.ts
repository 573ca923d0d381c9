/** Filters of flags that are refused, by create and update alike. */
import { type ApiCase, invalidField } from './support/case.ts'

const CREATE = 'POST /api/projects/{project_id}/feature_flags/'
const PATCH = 'PATCH /api/projects/{project_id}/feature_flags/{id}/'
const PATH = '/api/projects/{project}/feature_flags'
const VARIANTS = [
  { key: 'a', rollout_percentage: 50 },
  { key: 'b', rollout_percentage: 50 },
]

const setup: readonly ApiCase[] = [
  {
    name: 'a flag is made, to be changed',
    endpoint: CREATE,
    shows: 'success',
    path: `${PATH}/`,
    body: { key: 'judged' },
    expect: { status: 201 },
    save: { flag: 'id' },
  },
]

const FILTER_FAULT = invalidField('invalid_input', 'filters')
const withProperty = (property: object, more: object = {}) => ({
  groups: [{ properties: [property] }],
  ...more,
})
type Fault = readonly [string, object, ApiCase['expect']]
const FAULTS: readonly Fault[] = [
  [
    'a property of another type is refused',
    withProperty({ key: 'x', type: 'session', value: 1 }),
    FILTER_FAULT,
  ],
  [
    'a property without a type, which is one of events, is refused',
    withProperty({ key: 'x', value: 1 }),
    invalidField(
      'invalid_input',
      'filters',
      'Flags take no event filters, which filters without a type are: name the type.',
    ),
  ],
  ['a property of events is refused', withProperty({ key: 'x', type: 'event' }), FILTER_FAULT],
  [
    'a group property is refused for persons',
    withProperty({ key: 'x', type: 'group', group_type_index: 0, value: 1 }),
    FILTER_FAULT,
  ],
  [
    'a person property is refused for groups',
    withProperty({ key: 'x', type: 'person', value: 1 }, { aggregation_group_type_index: 0 }),
    FILTER_FAULT,
  ],
  [
    'a property of another group type is refused',
    withProperty(
      { key: 'x', type: 'group', group_type_index: 1, value: 1 },
      { aggregation_group_type_index: 0 },
    ),
    FILTER_FAULT,
  ],
  ['an unknown variant is refused', { groups: [{ variant: 'ghost' }] }, FILTER_FAULT],
  [
    'shares of variants that miss 100 are refused',
    { multivariate: { variants: [{ key: 'a', rollout_percentage: 99 }] } },
    invalidField('invalid_input', null),
  ],
  [
    'a payload of an unknown variant is refused',
    { multivariate: { variants: VARIANTS }, payloads: { ghost: '1' } },
    FILTER_FAULT,
  ],
  [
    'a payload of a boolean flag is that of true',
    { groups: [], payloads: { false: '1' } },
    FILTER_FAULT,
  ],
  ...['{broken', 'text', '', ' ', "{'a': 1}", '1,', 'NaN', '01', '"a" "b"'].map(
    (payload): Fault => [
      `a payload that is no JSON is refused: ${JSON.stringify(payload)}`,
      { groups: [{}], payloads: { true: payload } },
      FILTER_FAULT,
    ],
  ),
  [
    'a payload of a variant that is no JSON is refused',
    {
      multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
      payloads: { a: '{broken' },
    },
    FILTER_FAULT,
  ],
  [
    'an unknown cohort is refused',
    withProperty({ key: 'id', type: 'cohort', value: 987_654 }),
    invalidField('cohort_does_not_exist', 'filters'),
  ],
  [
    'a pattern that is none is refused',
    withProperty({ key: 'x', type: 'person', operator: 'regex', value: '(' }),
    FILTER_FAULT,
  ],
  [
    'a date that is none is refused',
    withProperty({ key: 'x', type: 'person', operator: 'is_date_before', value: 'soon' }),
    FILTER_FAULT,
  ],
  ['a rollout above 100 is refused', { groups: [{ rollout_percentage: 101 }] }, FILTER_FAULT],
]
const refusals: readonly ApiCase[] = FAULTS.flatMap(([name, filters, expect]): ApiCase[] => [
  {
    name: `${name} on create`,
    endpoint: CREATE,
    shows: 'error',
    path: `${PATH}/`,
    body: { key: 'bad', filters },
    expect,
  },
  {
    name: `${name} on update`,
    endpoint: PATCH,
    shows: 'error',
    path: `${PATH}/{flag}/`,
    body: { filters },
    expect,
  },
])

const teardown: readonly ApiCase[] = [
  {
    name: 'refusals have changed nothing, and the flag is removed',
    endpoint: PATCH,
    shows: 'success',
    path: `${PATH}/{flag}/`,
    body: { deleted: true },
    expect: { status: 200, body: { version: 2, is_simple_flag: true } },
  },
]

export const cases: readonly ApiCase[] = [...setup, ...refusals, ...teardown]
