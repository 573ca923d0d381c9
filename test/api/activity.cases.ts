import { type ApiCase, FORBIDDEN, invalidField, NOT_FOUND } from './support/case.ts'

const PROJECT = 'GET /api/projects/{project_id}/activity/'
const ORGANIZATION = 'GET /api/organizations/{organization_id}/activity/'
const CREATE_FLAG = 'POST /api/projects/{project_id}/feature_flags/'
const CREATE_PROJECT = 'POST /api/projects/'
const PATCH_PROJECT = 'PATCH /api/projects/{id}/'

const PATH = '/api/projects/{project}/activity/'
const WHOLE = '/api/organizations/{organization}/activity/'
const WARNINGS = 'GET /api/projects/{project_id}/ingestion_warnings/'
const WARNED = '/api/projects/{project}/ingestion_warnings/'
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ENTRY = [
  ...['id', 'user', 'key_id', 'activity', 'scope', 'item_id', 'project_id', 'organization_id'],
  ...['detail', 'created_at'],
]
const NONE = { status: 200, body: { count: 0, next: null, previous: null, results: [] } }

const made: readonly ApiCase[] = [
  {
    name: 'a member makes a flag, for there to be an entry',
    endpoint: CREATE_FLAG,
    shows: 'success',
    as: 'member',
    path: '/api/projects/{project}/feature_flags/',
    body: { key: 'told' },
    expect: { status: 201 },
    save: { told: 'id' },
  },
  {
    name: 'an entry says who did what to which item, where, and what came of it',
    endpoint: PROJECT,
    shows: 'success',
    path: `${PATH}?scope=FeatureFlag&limit=1`,
    expect: {
      status: 200,
      keys: ['count', 'next', 'previous', 'results'],
      keysAt: {
        'results.0': ENTRY,
        'results.0.user': ['id', 'uuid', 'distinct_id', 'first_name', 'email'],
        'results.0.detail': ['name', 'version', 'changes'],
        'results.0.detail.changes.0': ['field', 'action', 'before', 'after'],
      },
      body: {
        previous: null,
        results: [
          {
            id: UUID,
            user: { id: '{member_id}', uuid: '{member_uuid}', email: '{member_email}' },
            key_id: /./,
            activity: 'created',
            scope: 'FeatureFlag',
            project_id: '{project}',
            organization_id: '{organization}',
            detail: { name: 'told', version: 1 },
            created_at: DATETIME,
          },
        ],
      },
      text: /"field":"key","action":"created","before":null,"after":"told"/,
    },
  },
]

const filters: readonly ApiCase[] = (
  [
    ['by item', 'scope=FeatureFlag&item_id={told}'],
    ['by item and the id of a user', 'scope=FeatureFlag&item_id={told}&user={member_id}'],
    ['by item and the UUID of a user', 'scope=FeatureFlag&item_id={told}&user={member_uuid}'],
    ['by nothing where the texts are empty', 'item_id={told}&scope=FeatureFlag&user='],
  ] as const
).flatMap(([name, query]): ApiCase[] =>
  (
    [
      [PROJECT, PATH, 'project'],
      [ORGANIZATION, WHOLE, 'organization'],
    ] as const
  ).map(([endpoint, path, place]) => ({
    name: `entries of the ${place} are found ${name}`,
    endpoint,
    shows: 'success',
    path: `${path}?${query}`,
    expect: { status: 200, body: { count: 1, results: [{ activity: 'created' }] } },
  })),
)

const errors: readonly ApiCase[] = (
  [
    [PROJECT, PATH, 'project'],
    [ORGANIZATION, WHOLE, 'organization'],
  ] as const
).flatMap(([endpoint, path, place]): ApiCase[] => [
  {
    name: `a scope of the ${place} must be one`,
    endpoint,
    shows: 'error',
    path: `${path}?scope=Experiment`,
    expect: invalidField('invalid_choice', 'scope', '"Experiment" is not a valid choice.'),
  },
  {
    name: `a user who cannot be has done nothing in the ${place}`,
    endpoint,
    shows: 'success',
    path: `${path}?user=nobody`,
    expect: NONE,
  },
  {
    name: `an item that nobody has seen has no entries in the ${place}`,
    endpoint,
    shows: 'success',
    path: `${path}?item_id=%27%22`,
    expect: NONE,
  },
  {
    name: `a page beyond the end of the ${place} is empty`,
    endpoint,
    shows: 'success',
    path: `${path}?limit=5&offset=1000000`,
    expect: { status: 200, body: { next: null, previous: /limit=5&offset=999995$/, results: [] } },
  },
])

/** Others are in `generated/access.ts`. */
const reach: readonly ApiCase[] = [
  {
    name: 'a member reads the activity of a project',
    endpoint: PROJECT,
    shows: 'permission',
    as: 'member',
    path: `${PATH}?item_id={told}&scope=FeatureFlag`,
    expect: { status: 200, body: { count: 1 } },
  },
  {
    name: 'what was done elsewhere is not found in the own organization',
    endpoint: ORGANIZATION,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/organizations/{foreign_organization}/activity/?item_id={told}&scope=FeatureFlag',
    expect: NONE,
  },
]

const closed: readonly ApiCase[] = [
  {
    name: 'a project is made that members will not see',
    endpoint: CREATE_PROJECT,
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Closed to members' },
    expect: { status: 201 },
    save: { closed: 'id' },
  },
  {
    name: 'it is closed',
    endpoint: PATCH_PROJECT,
    shows: 'success',
    path: '/api/projects/{closed}/',
    body: { access_control: true },
    expect: { status: 200 },
  },
  {
    name: 'a member does not read of a project that the member cannot see',
    endpoint: ORGANIZATION,
    shows: 'permission',
    as: 'member',
    path: `${WHOLE}?scope=Project&item_id={closed}`,
    expect: NONE,
  },
  {
    name: 'an administrator does, with the secrets masked',
    endpoint: ORGANIZATION,
    shows: 'permission',
    as: 'admin',
    path: `${WHOLE}?scope=Project&item_id={closed}`,
    expect: {
      status: 200,
      body: { count: 2, results: [{ activity: 'updated' }, { activity: 'created' }] },
      text: /"field":"api_token","action":"created","before":null,"after":"\*+"/,
    },
  },
  {
    name: 'it is removed',
    endpoint: 'DELETE /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{closed}/',
    expect: { status: 204 },
  },
  {
    name: 'entries survive their item, unseen by members still',
    endpoint: ORGANIZATION,
    shows: 'permission',
    as: 'member',
    path: `${WHOLE}?scope=Project&item_id={closed}`,
    expect: NONE,
  },
  {
    name: 'entries survive their item',
    endpoint: ORGANIZATION,
    shows: 'success',
    as: 'admin',
    path: `${WHOLE}?scope=Project&item_id={closed}`,
    expect: { status: 200, body: { count: 3 } },
  },
]

/** So that other families find the flags that they made and no more. */
const removed: readonly ApiCase[] = [
  {
    name: 'the flag of the entry is removed',
    endpoint: 'PATCH /api/projects/{project_id}/feature_flags/{id}/',
    shows: 'success',
    path: '/api/projects/{project}/feature_flags/{told}/',
    body: { deleted: true },
    expect: { status: 200 },
  },
]

const warnings: readonly ApiCase[] = [
  {
    name: 'a project whose events were taken whole has no warnings',
    endpoint: WARNINGS,
    shows: 'success',
    path: WARNED,
    expect: { status: 200, body: { count: 0, next: null, previous: null, results: [] } },
  },
  {
    name: 'a member reads the warnings of a project',
    endpoint: WARNINGS,
    shows: 'success',
    as: 'member',
    path: `${WARNED}?limit=5&offset=5`,
    expect: { status: 200, body: { count: 0, results: [] } },
  },
  {
    name: 'an unknown project has no warnings',
    endpoint: WARNINGS,
    shows: 'error',
    path: '/api/projects/2147483647/ingestion_warnings/',
    expect: { status: 404, body: { code: 'not_found', detail: 'Project not found.' } },
  },
  {
    name: 'a project that is none has no warnings',
    endpoint: WARNINGS,
    shows: 'error',
    path: '/api/projects/none/ingestion_warnings/',
    expect: NOT_FOUND,
  },
  {
    name: 'a key for flags alone does not read the warnings of a project',
    endpoint: WARNINGS,
    shows: 'permission',
    as: { scopes: ['feature_flag:write'] },
    path: WARNED,
    expect: FORBIDDEN,
  },
]

export const cases: readonly ApiCase[] = [
  ...made,
  ...filters,
  ...errors,
  ...reach,
  ...warnings,
  ...closed,
  ...removed,
]
