/** Dashboards, in a project of their own. */
import {
  type ApiCase,
  callsOf,
  type Expectation,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const ALL = '/api/projects/{project_id}/dashboards/'
const OWN = '/api/projects/{boards}'
const PATH = `${OWN}/dashboards/`
const ONE = `${PATH}{board}/`
const PROJECT = 'PATCH /api/projects/{id}/'
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const OWNER = { id: '{owner_id}', uuid: '{owner_uuid}', email: '{owner_email}' }
const FIELDS = [
  ...['id', 'name', 'description', 'tags', 'filters', 'tiles', 'deleted'],
  ...['created_at', 'created_by', 'last_modified_at', 'last_modified_by'],
]
const BROWSER = { key: 'browser', type: 'event', operator: 'exact', value: ['Chrome'] }
const PRO = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' }
const VIEWS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'view' }],
  dateRange: { date_from: '-30d', date_to: '-1d' },
  properties: [BROWSER],
}
const LAYOUTS = { sm: { x: 0, y: 0, w: 6, h: 5 } }
const NOTE = { text: { body: 'What we look at' } }

function make(name: string, body: object, more: Partial<ApiCase> = {}): ApiCase {
  const expect: Expectation = { status: 201 }
  return { name, endpoint: `POST ${ALL}`, shows: 'success', path: PATH, body, expect, ...more }
}

const { change } = callsOf(ALL, PATH, ONE)

function get(name: string, expect: Expectation, path = ONE): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: `GET ${ALL}{id}/`, shows, path, expect }
}

function list(name: string, query: string, ...names: readonly string[]): ApiCase {
  const results = names.map((each) => ({ name: each }))
  const expect = { status: 200, body: { count: names.length, results } }
  return { name, endpoint: `GET ${ALL}`, shows: 'success', path: `${PATH}?${query}`, expect }
}

function insight(name: string, body: object, save: Record<string, string>): ApiCase {
  const endpoint = 'POST /api/projects/{project_id}/insights/'
  const expect = { status: 201 }
  return { name, endpoint, shows: 'success', path: `${OWN}/insights/`, body, expect, save }
}

const made: readonly ApiCase[] = [
  {
    name: 'a project with dashboards',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Boards' },
    expect: { status: 201, body: { primary_dashboard: null } },
    save: { boards: 'id' },
  },
  insight('an insight to show', { name: 'Views', query: VIEWS }, { views: 'short_id' }),
  insight(
    'another one',
    { name: 'Paths', query: { kind: 'PathsQuery' } },
    { paths: 'short_id', paths_id: 'id' },
  ),
  make(
    'a dashboard has insights and texts, and each question is ready to be asked',
    {
      name: ' Shop ',
      tags: ['B', 'a'],
      filters: { date_from: '-7d', properties: [PRO] },
      tiles: [
        { insight: '{views}', layouts: LAYOUTS },
        NOTE,
        { insight: '{paths}' },
        { insight: '{views}' },
      ],
    },
    {
      expect: {
        status: 201,
        keys: FIELDS,
        keysAt: { 'tiles.1': ['insight', 'text', 'layouts', 'name', 'query'] },
        body: {
          name: 'Shop',
          description: '',
          tags: ['a', 'b'],
          filters: { date_from: '-7d', properties: [PRO] },
          tiles: [
            {
              insight: '{views}',
              text: null,
              layouts: LAYOUTS,
              name: 'Views',
              query: {
                kind: 'TrendsQuery',
                dateRange: { date_from: '-7d', date_to: null },
                properties: {
                  type: 'AND',
                  values: [
                    { type: 'AND', values: [BROWSER] },
                    { type: 'AND', values: [PRO] },
                  ],
                },
              },
            },
            { insight: null, ...NOTE, layouts: {}, name: null, query: null },
            { insight: '{paths}', query: { kind: 'PathsQuery', properties: [PRO] } },
            { insight: '{views}' },
          ],
          deleted: false,
          created_at: DATETIME,
          created_by: OWNER,
          last_modified_by: OWNER,
        },
      },
      save: { board: 'id', board_tiles: 'tiles', merged: 'tiles.0.query' },
    },
  ),
  {
    name: 'the question of a tile is asked as it stands there',
    endpoint: 'POST /api/projects/{project_id}/query/',
    shows: 'success',
    path: `${OWN}/query/`,
    body: { query: '{merged}' },
    expect: { status: 200, body: { results: [{ label: 'view', count: 0 }] } },
    unlogged: 'a question reads',
  },
  make(
    'an empty one',
    {},
    {
      as: 'member',
      expect: { status: 201, body: { name: '', filters: {}, tiles: [] } },
      save: { empty_board: 'id' },
    },
  ),
]

const lists: readonly ApiCase[] = [
  {
    ...list('a list has no tiles', 'order=-name'),
    expect: {
      status: 200,
      keysAt: {
        'results.0': FIELDS.filter((name) => !['filters', 'tiles', 'deleted'].includes(name)),
      },
      body: { count: 2, results: [{ name: 'Shop', tags: ['a', 'b'] }, { name: '' }] },
    },
  },
  list('the last changed is first', '', '', 'Shop'),
  list('words are found', 'search=SHOP', 'Shop'),
]

const changes: readonly ApiCase[] = [
  change(
    'tiles of an answer may be sent back',
    { tiles: '{board_tiles}' },
    {
      status: 200,
      body: { tiles: '{board_tiles}' },
    },
  ),
  change(
    'all tiles, in their new order',
    { tiles: [NOTE, { insight: '{paths}' }, { insight: '{views}' }] },
    {
      status: 200,
      body: { name: 'Shop', tiles: [NOTE, { insight: '{paths}' }, { insight: '{views}' }] },
    },
  ),
  change(
    'without filters each question is its own',
    { filters: {} },
    {
      status: 200,
      body: { filters: {}, tiles: [NOTE, {}, { query: VIEWS }] },
    },
  ),
  change(
    'the name alone',
    { name: 'Board' },
    { status: 200, body: { tiles: [NOTE, {}, {}] } },
    {
      as: 'member',
    },
  ),
  {
    name: 'an insight is hidden',
    endpoint: 'PATCH /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: `${OWN}/insights/{views}/`,
    body: { deleted: true },
    expect: { status: 200 },
  },
  get('its tile is left out', { status: 200, body: { tiles: [NOTE, { insight: '{paths}' }] } }),
  {
    name: 'the insight is shown again',
    endpoint: 'PATCH /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: `${OWN}/insights/{views}/`,
    body: { deleted: false },
    expect: { status: 200 },
  },
  get('and its tile with it', { status: 200, body: { tiles: [NOTE, {}, { insight: '{views}' }] } }),
  {
    name: 'an insight is removed',
    endpoint: 'DELETE /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: `${OWN}/insights/{paths}/`,
    expect: { status: 204 },
  },
  get('its tile is gone with it', { status: 200, body: { tiles: [NOTE, { insight: '{views}' }] } }),
]

const WRONG = 'invalid_input'
/** As the body of a create; an update refuses the same. */
const REFUSED: readonly (readonly [string, object, Expectation])[] = [
  ['a name that is too long', { name: 'x'.repeat(401) }, invalidField('max_length', 'name')],
  ['filters that are a list', { filters: [] }, invalidField(WRONG, 'filters')],
  ['filters that are null', { filters: null }, invalidField('null', 'filters')],
  ['an unknown filter', { filters: { breakdown: 'x' } }, invalidField(WRONG, 'filters__breakdown')],
  [
    'a date that is none',
    { filters: { date_to: 'soon' } },
    invalidField(WRONG, 'filters__date_to'),
  ],
  [
    'a date that is a number',
    { filters: { date_from: 7 } },
    invalidField(WRONG, 'filters__date_from'),
  ],
  [
    'filters of properties that are none',
    { filters: { properties: [{ key: '' }] } },
    invalidField(WRONG, 'filters__properties'),
  ],
  [
    'filters that are too large',
    { filters: { properties: [{ ...PRO, value: 'x'.repeat(16_384) }] } },
    invalidField('max_length', 'filters'),
  ],
  ['tiles that are an object', { tiles: {} }, invalidField('not_a_list', 'tiles')],
  ['too many tiles', { tiles: Array(101).fill(NOTE) }, invalidField('max_length', 'tiles')],
  ['a tile that is text', { tiles: [NOTE, 'x'] }, invalidField(WRONG, 'tiles__1')],
  ['a tile of nothing', { tiles: [{}] }, invalidField(WRONG, 'tiles__0')],
  ['a tile of both', { tiles: [{ ...NOTE, insight: '{views}' }] }, invalidField(WRONG, 'tiles__0')],
  [
    'an unknown member of a tile',
    { tiles: [{ ...NOTE, color: 1 }] },
    invalidField(WRONG, 'tiles__0__color'),
  ],
  [
    'an insight that is a number',
    { tiles: [{ insight: 5 }] },
    invalidField(WRONG, 'tiles__0__insight'),
  ],
  [
    'an insight that nobody has',
    { tiles: [NOTE, { insight: '__proto__' }] },
    invalidField('does_not_exist', 'tiles__1__insight'),
  ],
  [
    'an insight that was removed',
    { tiles: [{ insight: '{paths}' }] },
    invalidField('does_not_exist', 'tiles__0__insight'),
  ],
  ['a text that is no object', { tiles: [{ text: 'x' }] }, invalidField(WRONG, 'tiles__0__text')],
  ['a text without a body', { tiles: [{ text: {} }] }, invalidField(WRONG, 'tiles__0__text__body')],
  [
    'an unknown member of a text',
    { tiles: [{ text: { body: 'x', html: 'y' } }] },
    invalidField(WRONG, 'tiles__0__text__html'),
  ],
  [
    'a text that is too long',
    { tiles: [{ text: { body: 'x'.repeat(4_001) } }] },
    invalidField('max_length', 'tiles__0__text__body'),
  ],
  [
    'layouts that are a list',
    { tiles: [{ ...NOTE, layouts: [] }] },
    invalidField(WRONG, 'tiles__0__layouts'),
  ],
  [
    'layouts that are too large',
    { tiles: [{ ...NOTE, layouts: { a: 'x'.repeat(4_096) } }] },
    invalidField('max_length', 'tiles__0__layouts'),
  ],
]

const refusals: readonly ApiCase[] = [
  ...REFUSED.flatMap(([name, body, expect]) => [
    make(`${name} makes no dashboard`, body, { shows: 'error', expect }),
    change(`${name} changes nothing`, body, expect),
  ]),
  make(
    'an insight of another project is none',
    { tiles: [{ insight: '{views}' }] },
    {
      shows: 'tenancy',
      path: '/api/projects/{project}/dashboards/',
      expect: invalidField('does_not_exist', 'tiles__0__insight'),
    },
  ),
  get('what was refused has changed nothing', {
    status: 200,
    body: { name: 'Board', filters: {}, tiles: [NOTE, { insight: '{views}' }] },
  }),
]

function primary(name: string, dashboard: unknown, expect: Expectation, path = `${OWN}/`): ApiCase {
  return {
    ...{ name, endpoint: PROJECT, shows: 'success', path, body: { primary_dashboard: dashboard } },
    expect,
  }
}

const isBoard: Expectation = { status: 200, body: { primary_dashboard: '{board}' } }
const isNone: Expectation = { status: 200, body: { primary_dashboard: null } }

function projectNow(name: string, expect: Expectation): ApiCase {
  return { name, endpoint: 'GET /api/projects/{id}/', shows: 'success', path: `${OWN}/`, expect }
}

const ends: readonly ApiCase[] = [
  primary('a dashboard is the first one of its project', '{board}', isBoard),
  {
    ...primary(
      'in another project it is a number like any other',
      '{board}',
      isBoard,
      '/api/projects/{project}/',
    ),
    shows: 'tenancy',
  },
  primary('which is taken back', null, isNone, '/api/projects/{project}/'),
  change(
    'another dashboard is hidden',
    { deleted: true },
    { status: 200 },
    {
      path: `${PATH}{empty_board}/`,
    },
  ),
  projectNow('the first one stays', isBoard),
  change('the first one is hidden', { deleted: true }, { status: 200, body: { deleted: true } }),
  projectNow('then there is none', isNone),
  list('hidden ones are in no list', ''),
  change('it is shown again', { deleted: false }, { status: 200, body: { deleted: false } }),
  primary('and is the first one again', '{board}', isBoard),
  {
    name: 'the dashboard is removed',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'success',
    path: ONE,
    expect: { status: 204, text: '' },
  },
  projectNow('the project has no first one any more', isNone),
  get('it is gone', NOT_FOUND),
  change('nobody changes it', { name: 'x' }, NOT_FOUND),
  {
    name: 'its insights stay',
    endpoint: 'GET /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: `${OWN}/insights/{views}/`,
    expect: { status: 200 },
  },
]

export const cases: readonly ApiCase[] = [...made, ...lists, ...changes, ...refusals, ...ends]
