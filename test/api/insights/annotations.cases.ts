/** Annotations, in a project of their own. */
import {
  type ApiCase,
  callsOf,
  type Expectation,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const ALL = '/api/projects/{project_id}/annotations/'
const OWN = '/api/projects/{marks}'
const PATH = `${OWN}/annotations/`
const ONE = `${PATH}{mark}/`
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const FIELDS = [
  ...['id', 'content', 'date_marker', 'scope', 'dashboard_item', 'dashboard_id', 'creation_type'],
  ...['deleted', 'insight_short_id', 'insight_name', 'dashboard_name', 'created_at', 'created_by'],
  'updated_at',
]

const { make, change } = callsOf(ALL, PATH, ONE)

function get(name: string, expect: Expectation, path = ONE): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: `GET ${ALL}{id}/`, shows, path, expect }
}

function list(name: string, query: string, ...contents: readonly string[]): ApiCase {
  const results = contents.map((content) => ({ content }))
  const expect = { status: 200, body: { count: contents.length, results } }
  return { name, endpoint: `GET ${ALL}`, shows: 'success', path: `${PATH}?${query}`, expect }
}

function beside(name: string, verb: string, tail: string, more: Partial<ApiCase>): ApiCase {
  const [object] = tail.split('/')
  const one = tail === `${object}/` ? '' : '{id}/'
  const endpoint = `${verb} /api/projects/{project_id}/${object}/${one}`
  const expect = { status: verb === 'POST' ? 201 : 204 }
  return { name, endpoint, shows: 'success', path: `${OWN}/${tail}`, expect, ...more }
}

const made: readonly ApiCase[] = [
  {
    name: 'a project with annotations',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Marks' },
    expect: { status: 201 },
    save: { marks: 'id' },
  },
  beside('an insight to mark', 'POST', 'insights/', {
    body: { name: 'Views', query: { kind: 'PathsQuery' } },
    save: { marked: 'id', marked_short: 'short_id' },
  }),
  beside('a dashboard to mark', 'POST', 'dashboards/', {
    body: { name: 'Shop' },
    save: { marked_board: 'id' },
  }),
  make(
    'a mark is on every chart of the project; its moment is kept in UTC',
    { content: ' Release 2.0 ', date_marker: '2026-03-01T12:00:00+02:00' },
    {
      status: 201,
      keys: FIELDS,
      body: {
        content: 'Release 2.0',
        date_marker: '2026-03-01T10:00:00.000000Z',
        scope: 'project',
        dashboard_item: null,
        dashboard_id: null,
        creation_type: 'USR',
        deleted: false,
        insight_short_id: null,
        insight_name: null,
        dashboard_name: null,
        created_at: DATETIME,
        created_by: { id: '{owner_id}' },
        updated_at: DATETIME,
      },
    },
    { save: { mark: 'id' } },
  ),
  make(
    'a deployment names neither moment nor scope, and marks now',
    { content: 'deploy 4f1c', creation_type: 'GIT' },
    { status: 201, body: { date_marker: DATETIME, creation_type: 'GIT', scope: 'project' } },
    { as: { scopes: ['annotation:write'] }, save: { deploy: 'id' } },
  ),
  make(
    'a mark on one insight',
    {
      content: 'New checkout 100%',
      date_marker: '2026-03-02T00:00:00Z',
      scope: 'insight',
      dashboard_item: '{marked}',
    },
    {
      status: 201,
      body: {
        scope: 'insight',
        dashboard_item: '{marked}',
        insight_short_id: '{marked_short}',
        insight_name: 'Views',
      },
    },
    { as: 'member' },
  ),
  make(
    'a mark on the charts of a dashboard',
    {
      content: 'Sale',
      date_marker: '2026-03-03T00:00:00Z',
      scope: 'dashboard',
      dashboard_id: '{marked_board}',
    },
    { status: 201, body: { dashboard_id: '{marked_board}', dashboard_name: 'Shop' } },
    { save: { sale: 'id' } },
  ),
]

const lists: readonly ApiCase[] = [
  list(
    'the latest moment is first',
    '',
    ...['deploy 4f1c', 'Sale', 'New checkout 100%', 'Release 2.0'],
  ),
  list('words are found', 'search=RELEASE', 'Release 2.0'),
  list('a sign of patterns is a letter of the word', 'search=0%25', 'New checkout 100%'),
  list('one scope', 'scope=dashboard', 'Sale'),
  list(
    'moments of a range, without its end',
    'date_from=2026-03-01T10:00:00Z&date_to=2026-03-03T00:00:00Z',
    ...['New checkout 100%', 'Release 2.0'],
  ),
  {
    ...list('a moment that is none', 'date_from=soon'),
    ...{ shows: 'error', expect: invalidField('invalid_input', 'date_from') },
  },
]

const changes: readonly ApiCase[] = [
  change(
    'the text alone',
    { content: 'Release 2.1' },
    {
      status: 200,
      body: { content: 'Release 2.1', date_marker: '2026-03-01T10:00:00.000000Z' },
    },
  ),
  change(
    'a mark moves to one insight',
    { scope: 'insight', dashboard_item: '{marked}', date_marker: '2026-03-04 00:00:00' },
    {
      status: 200,
      body: { insight_name: 'Views', date_marker: '2026-03-04T00:00:00.000000Z' },
    },
    { as: 'member' },
  ),
  change(
    'back on all charts it forgets the insight',
    { scope: 'project' },
    {
      status: 200,
      body: { scope: 'project', dashboard_item: null, insight_name: null },
    },
  ),
  change('a mark is hidden', { deleted: true }, { status: 200, body: { deleted: true } }),
  list('and in no list', 'search=release'),
  get('but can be read', { status: 200, body: { deleted: true } }),
  change('it is shown again', { deleted: false }, { status: 200, body: { deleted: false } }),
]

const WRONG = 'invalid_input'
/** As the body of a change; a create refuses the same. */
const REFUSED: readonly (readonly [string, object, Expectation])[] = [
  ['an empty text', { content: ' ' }, invalidField('blank', 'content')],
  ['a long text', { content: 'x'.repeat(4_001) }, invalidField('max_length', 'content')],
  [
    'a day that is none',
    { date_marker: '2026-02-30T00:00:00Z' },
    invalidField(WRONG, 'date_marker'),
  ],
  [
    'a moment before all calendars',
    { date_marker: '0000-01-01T00:00:00Z' },
    invalidField(WRONG, 'date_marker'),
  ],
  [
    'a moment after them',
    { date_marker: '9999-12-31T23:59:59-12:00' },
    invalidField(WRONG, 'date_marker'),
  ],
  ['an unknown scope', { scope: 'organization' }, invalidField('invalid_choice', 'scope')],
  ['an unknown kind', { creation_type: 'CI' }, invalidField('invalid_choice', 'creation_type')],
  ['an insight that is none', { scope: 'insight' }, invalidField('required', 'dashboard_item')],
  ['a dashboard that is none', { scope: 'dashboard' }, invalidField('required', 'dashboard_id')],
  [
    'an insight that nobody has',
    { scope: 'insight', dashboard_item: 2_147_483_647 },
    invalidField('does_not_exist', 'dashboard_item'),
  ],
  [
    'a dashboard that nobody has',
    { scope: 'dashboard', dashboard_id: 2_147_483_647 },
    invalidField('does_not_exist', 'dashboard_id'),
  ],
]

const refusals: readonly ApiCase[] = [
  make('a mark without a text is none', {}, invalidField('required', 'content')),
  ...REFUSED.flatMap(([name, body, expect]) => [
    make(`${name} makes no annotation`, { content: 'x', ...body }, expect),
    change(`${name} changes nothing`, body, expect),
  ]),
  make(
    'an insight of another project is none',
    { content: 'x', scope: 'insight', dashboard_item: '{marked}' },
    invalidField('does_not_exist', 'dashboard_item'),
    { shows: 'tenancy', path: '/api/projects/{project}/annotations/' },
  ),
  get('what was refused has changed nothing', {
    status: 200,
    body: { content: 'Release 2.1', scope: 'project', dashboard_item: null },
  }),
  get(
    'a mark of another project is none',
    NOT_FOUND,
    '/api/projects/{project}/annotations/{mark}/',
  ),
]

const ends: readonly ApiCase[] = [
  beside('the dashboard is removed', 'DELETE', 'dashboards/{marked_board}/', {}),
  get('its mark goes with it', NOT_FOUND, `${PATH}{sale}/`),
  beside('the insight is removed', 'DELETE', 'insights/{marked_short}/', {}),
  list('and so does its mark', '', 'deploy 4f1c', 'Release 2.1'),
  beside('a mark is removed', 'DELETE', 'annotations/{mark}/', { as: 'member' }),
  get('it is gone', NOT_FOUND),
  change('nobody changes it', { content: 'x' }, NOT_FOUND),
]

export const cases: readonly ApiCase[] = [...made, ...lists, ...changes, ...refusals, ...ends]
