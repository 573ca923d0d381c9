/** Saved insights, in a project of their own. */
import {
  type ApiCase,
  callsOf,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const ALL = '/api/projects/{project_id}/insights/'
const PATH = '/api/projects/{keeps}/insights/'
const ONE = `${PATH}{kept}/`
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const OWNER = { id: '{owner_id}', uuid: '{owner_uuid}', email: '{owner_email}' }
const FIELDS = [
  ...['id', 'short_id', 'name', 'description', 'query', 'tags', 'favorited', 'deleted'],
  ...['created_at', 'created_by', 'last_modified_at', 'last_modified_by'],
]
const VIEWS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'view', math: 'dau' }],
  dateRange: { date_from: '-7d' },
}

function save(name: string, body: object, more: Partial<ApiCase> = {}): ApiCase {
  const expect: Expectation = { status: 201 }
  return { name, endpoint: `POST ${ALL}`, shows: 'success', path: PATH, body, expect, ...more }
}

const { change } = callsOf(ALL, PATH, ONE)

function list(name: string, query: string, ...names: readonly string[]): ApiCase {
  const expect = {
    status: 200,
    body: { count: names.length, results: names.map((each) => ({ name: each })) },
  }
  return { name, endpoint: `GET ${ALL}`, shows: 'success', path: `${PATH}?${query}`, expect }
}

const made: readonly ApiCase[] = [
  {
    name: 'a project that keeps insights',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Keeps', timezone: 'Europe/Berlin' },
    expect: { status: 201 },
    save: { keeps: 'id' },
  },
  save(
    'a member keeps a question under a name, with an insight as the answer',
    {
      name: ' Views ',
      description: 'Who looks',
      query: VIEWS,
      tags: ['Web', ' web', 'b'],
      short_id: 'mine',
      created_by: 5,
    },
    {
      expect: {
        status: 201,
        keys: FIELDS,
        body: {
          short_id: /^[A-Za-z][A-Za-z0-9]{9}$/,
          name: 'Views',
          description: 'Who looks',
          query: VIEWS,
          tags: ['b', 'web'],
          favorited: false,
          deleted: false,
          created_at: DATETIME,
          created_by: OWNER,
          last_modified_at: DATETIME,
          last_modified_by: OWNER,
        },
      },
      save: { kept: 'id', kept_short: 'short_id' },
    },
  ),
  save(
    'nothing but a question is an insight too, as it was sent',
    { query: { ...VIEWS, tags: { a: 1 }, version: 2 } },
    {
      as: 'member',
      expect: {
        status: 201,
        body: { name: '', description: '', tags: [], query: { version: 2, tags: { a: 1 } } },
      },
      save: { bare: 'id' },
    },
  ),
  save(
    'a funnel is kept, marked',
    {
      name: 'Funnel 100%',
      query: {
        kind: 'FunnelsQuery',
        series: ['view', 'paid'].map((event) => ({ kind: 'EventsNode', event })),
      },
      favorited: true,
    },
    { save: { funnel: 'id', funnel_short: 'short_id' } },
  ),
]

const lists: readonly ApiCase[] = [
  list('the last changed insight is first', '', 'Funnel 100%', '', 'Views'),
  list('by name', 'order=name', '', 'Funnel 100%', 'Views'),
  list('by name, from the end', 'order=-name', 'Views', 'Funnel 100%', ''),
  list('by the time of making', 'order=created_at', 'Views', '', 'Funnel 100%'),
  list('by the time of making, from the end', 'order=-created_at', 'Funnel 100%', '', 'Views'),
  list('the first changed', 'order=last_modified_at', 'Views', '', 'Funnel 100%'),
  list('words of name, description and tags are found', 'search=WHO+web', 'Views'),
  list('a percent sign is a percent sign', 'search=100%25', 'Funnel 100%'),
  list('a word that no insight has', 'search=nothing'),
  list('by the short id', 'short_id={kept_short}', 'Views'),
  list('by a short id that nobody has', 'short_id=nobody'),
  list('those that are marked', 'favorited=true', 'Funnel 100%'),
  list('those of a kind of question', 'kind=FunnelsQuery', 'Funnel 100%'),
  list('those of a kind that none has', 'kind=PathsQuery'),
  list('those that are not', 'favorited=false&order=name', '', 'Views'),
  {
    ...list('a page of one', 'order=-name&limit=1&offset=1'),
    expect: {
      status: 200,
      body: { count: 3, next: /offset=2/, results: [{ name: 'Funnel 100%' }] },
    },
  },
  {
    ...list('a kind that there is not', 'kind=EventsNode'),
    shows: 'error',
    expect: invalidField('invalid_choice', 'kind'),
  },
  {
    ...list('an order that there is not', 'order=query'),
    shows: 'error',
    expect: invalidField('invalid_choice', 'order'),
  },
]

function get(name: string, path: string, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: `GET ${ALL}{id}/`, shows, path, expect }
}

const reads: readonly ApiCase[] = [
  get('an insight by its number', ONE, { status: 200, keys: FIELDS, body: { name: 'Views' } }),
  get('an insight by its short id', `${PATH}{kept_short}/`, {
    status: 200,
    body: { id: '{kept}' },
  }),
  get('a short id that nobody has', `${PATH}aaaaaaaaaa/`, NOT_FOUND),
  {
    ...get(
      'a short id in another project',
      '/api/projects/{project}/insights/{kept_short}/',
      NOT_FOUND,
    ),
    shows: 'tenancy',
  },
  {
    ...get('an insight in another project', '/api/projects/{project}/insights/{kept}/', NOT_FOUND),
    shows: 'tenancy',
  },
]

const changes: readonly ApiCase[] = [
  change(
    'changed by the short id',
    { name: 'Looks' },
    {
      status: 200,
      keys: FIELDS,
      body: {
        name: 'Looks',
        description: 'Who looks',
        query: VIEWS,
        tags: ['b', 'web'],
        created_by: OWNER,
        last_modified_by: { id: '{member_id}' },
      },
    },
    { as: 'member', path: `${PATH}{kept_short}/` },
  ),
  change(
    'another question takes the place of the first',
    { query: { ...VIEWS, interval: 'hour' } },
    {
      status: 200,
      body: { name: 'Looks', query: { interval: 'hour' } },
    },
  ),
  change(
    'all tags, and the mark',
    { tags: [], favorited: true, description: '' },
    {
      status: 200,
      body: { tags: [], favorited: true, description: '' },
    },
  ),
  change('it is hidden', { deleted: true }, { status: 200, body: { deleted: true } }),
  list('a hidden insight is in no list', 'order=name', '', 'Funnel 100%'),
  list('nor found by its short id', 'short_id={kept_short}'),
  get('it is still read', ONE, { status: 200, body: { deleted: true } }),
  change('it is shown again', { deleted: false }, { status: 200, body: { deleted: false } }),
]

const QUERY = { query: VIEWS }
const LONG_NAME = 'x'.repeat(401)
/** As a body of a create; an update refuses the same. */
const REFUSED: readonly (readonly [string, object, Expectation])[] = [
  ['a name that is too long', { ...QUERY, name: LONG_NAME }, invalidField('max_length', 'name')],
  ['a name that is null', { ...QUERY, name: null }, invalidField('null', 'name')],
  [
    'a description of another type',
    { ...QUERY, description: [] },
    invalidField('invalid_input', 'description'),
  ],
  [
    'a description that is too long',
    { ...QUERY, description: 'x'.repeat(4_001) },
    invalidField('max_length', 'description'),
  ],
  [
    'a mark of another type',
    { ...QUERY, favorited: 'maybe' },
    invalidField('invalid_input', 'favorited'),
  ],
  ['tags that are no list', { ...QUERY, tags: 'web' }, invalidField('not_a_list', 'tags')],
  [
    'a tag of another type',
    { ...QUERY, tags: ['a', {}] },
    invalidField('invalid_input', 'tags__1'),
  ],
  [
    'a tag that is too long',
    { ...QUERY, tags: ['x'.repeat(256)] },
    invalidField('max_length', 'tags__0'),
  ],
  ['too many tags', { ...QUERY, tags: Array(51).fill('a') }, invalidField('max_length', 'tags')],
  ['a question that is null', { query: null }, invalidField('null', 'query')],
  ['a question that is a list', { query: [VIEWS] }, invalidField('invalid_input', 'query')],
  ['a question that is text', { query: '{}' }, invalidField('invalid_input', 'query')],
  ['a question without a kind', { query: {} }, invalidField('invalid_input', 'query.kind')],
  [
    'a question of an unknown kind',
    { query: { kind: '__proto__' } },
    invalidField('invalid_input', 'query.kind'),
  ],
  [
    'HogQL',
    { query: { kind: 'HogQLQuery', query: 'select 1' } },
    invalidField('unsupported_query', 'query.kind'),
  ],
  [
    'an unknown member',
    { query: { ...VIEWS, seires: [] } },
    invalidField('invalid_input', 'query.seires'),
  ],
  [
    'an unknown math',
    { query: { ...VIEWS, series: [{ kind: 'EventsNode', math: 'most' }] } },
    invalidField('invalid_input', 'query.series.0.math'),
  ],
  [
    'a date that is none',
    { query: { ...VIEWS, dateRange: { date_from: 'soon' } } },
    invalidField('invalid_input', 'query.dateRange.date_from'),
  ],
  [
    'a question that is too large',
    { query: { ...VIEWS, tags: { a: 'é'.repeat(16_384) } } },
    invalidField('max_length', 'query', 'Must have at most 32768 bytes of JSON.'),
  ],
]

const refusals: readonly ApiCase[] = [
  {
    ...save('an insight needs a question', { name: 'None' }),
    shows: 'error',
    expect: invalidField('required', 'query'),
  },
  ...REFUSED.flatMap(([name, body, expect]) => [
    { ...save(`${name} is not kept`, body), shows: 'error' as const, expect },
    change(`${name} changes nothing`, body, expect),
  ]),
  get('what was refused has changed nothing', ONE, {
    status: 200,
    body: { name: 'Looks', query: { interval: 'hour' }, favorited: true },
  }),
]

const removals: readonly ApiCase[] = [
  {
    name: 'an insight is removed by its short id',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'success',
    path: `${PATH}{funnel_short}/`,
    expect: { status: 204, text: '' },
  },
  get('it is gone', `${PATH}{funnel}/`, NOT_FOUND),
  change('nobody changes it', { name: 'x' }, NOT_FOUND, { path: `${PATH}{funnel}/` }),
  {
    name: 'nobody removes it again',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'error',
    path: `${PATH}{funnel}/`,
    expect: NOT_FOUND,
  },
  list('nor is it in the list', 'order=name', '', 'Looks'),
  {
    name: 'who may read insights may not keep any',
    endpoint: `POST ${ALL}`,
    shows: 'permission',
    as: { scopes: ['insight:read', 'query:read'] },
    path: PATH,
    body: QUERY,
    expect: FORBIDDEN,
  },
  {
    name: 'the activity of the project has the changes of its insights',
    endpoint: 'GET /api/projects/{project_id}/activity/',
    shows: 'success',
    path: '/api/projects/{keeps}/activity/?scope=Insight&item_id={kept}&limit=2&offset=4',
    expect: {
      status: 200,
      body: {
        results: [
          {
            activity: 'updated',
            user: { id: '{member_id}' },
            detail: {
              name: 'Looks',
              changes: [{ field: 'name', before: 'Views', after: 'Looks' }],
            },
          },
          { activity: 'created', user: OWNER, detail: { name: 'Views' } },
        ],
      },
    },
  },
]

/** Last of all: it would be in every list. */
const actors: readonly ApiCase[] = [
  save(
    'a list of the actors of another question is kept',
    {
      name: 'Actors',
      query: {
        kind: 'ActorsQuery',
        source: { kind: 'InsightActorsQuery', source: VIEWS, day: '2026-01-01' },
      },
    },
    { save: { actors: 'id' } },
  ),
  list(
    'a question in another one has no kind of its own',
    'kind=TrendsQuery&order=name',
    '',
    'Looks',
  ),
]

export const cases: readonly ApiCase[] = [
  ...made,
  ...lists,
  ...reads,
  ...changes,
  ...refusals,
  ...removals,
  ...actors,
]
