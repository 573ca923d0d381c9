/** Makes the cases of shared links. */
import { type ApiCase, type Expectation, FORBIDDEN, invalidField } from './case.ts'

export const ALL = '/api/projects/{project_id}/sharing/'
export const PATH = '/api/projects/{sharing}/sharing/'
const OPEN = 'POST /api/shared/{token}/'
export const UUID = /^[0-9a-f-]{36}$/
export const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
export const TOKEN = /^[0-9A-Za-z]{43}$/
export const FIELDS = [
  ...['id', 'kind', 'insight', 'dashboard', 'title', 'enabled', 'has_password', 'expires_at'],
  ...['filters', 'access_token', 'created_at', 'created_by'],
]
export const SECRET_FILTER = {
  type: 'person',
  key: 'email',
  operator: 'exact',
  value: 'kim@example.com',
}
export const VIEWS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'view', properties: [SECRET_FILTER] }],
  properties: [SECRET_FILTER],
}
export const PASSWORD = 'correct horse'
export const PAST = '2020-01-01T00:00:00Z'

export function thing(name: string, kind: string, saved: string, body: object): ApiCase {
  return {
    name,
    endpoint: `POST /api/projects/{project_id}/${kind}/`,
    shows: 'success',
    path: `/api/projects/{sharing}/${kind}/`,
    body,
    expect: { status: 201 },
    save: { [saved]: 'id', ...(kind === 'insights' ? { [`${saved}_short`]: 'short_id' } : {}) },
  }
}

export function make(
  name: string,
  body: object,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  const shows = expect.status === 201 ? 'success' : 'error'
  return { name, endpoint: `POST ${ALL}`, shows, path: PATH, body, expect, ...more }
}

/** A link under a name, and its token under `<name>_token`. */
export function link(saved: string, body: object): ApiCase {
  const save = { [saved]: 'id', [`${saved}_token`]: 'access_token' }
  return make(`a link ${saved}`, body, { status: 201 }, { save })
}

export function change(name: string, id: string, body: object, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: `PATCH ${ALL}{id}/`, shows, path: `${PATH}{${id}}/`, body, expect }
}

export function get(name: string, path: string, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: `GET ${ALL}{id}/`, shows, path, expect }
}

export function list(name: string, query: string, ...titles: readonly string[]): ApiCase {
  const results = titles.map((title) => ({ title, access_token: null }))
  const expect = { status: 200, body: { count: titles.length, results } }
  return { name, endpoint: `GET ${ALL}`, shows: 'success', path: `${PATH}${query}`, expect }
}

/** Anybody opens the link that was saved under a name. */
export function open(name: string, token: string, body: object, expect: Expectation): ApiCase {
  return {
    name,
    endpoint: OPEN,
    shows: expect.status === 200 ? 'success' : 'error',
    as: 'anonymous',
    path: `/api/shared/${token}/`,
    body,
    expect,
    unlogged: 'it reads',
  }
}

/** Links that are refused. */
export const REFUSED_LINKS: readonly ApiCase[] = [
  make('no kind', {}, invalidField('required', 'kind')),
  make('an insight that is missing', { kind: 'insight' }, invalidField('required', 'insight')),
  make(
    'an insight of a dashboard',
    { kind: 'dashboard', dashboard: '{board}', insight: '{views}' },
    invalidField('invalid_input', 'insight'),
  ),
  make(
    'an insight that nobody has',
    { kind: 'insight', insight: 2_000_000_000 },
    invalidField('does_not_exist', 'insight'),
  ),
  make(
    'a dashboard that nobody has',
    { kind: 'dashboard', dashboard: 2_000_000_000 },
    invalidField('does_not_exist', 'dashboard'),
  ),
  ...['rows', 'sessions', 'actors', 'by_device'].map((insight) =>
    make(
      `the insight ${insight} is not for everybody`,
      { kind: 'insight', insight: `{${insight}}` },
      invalidField('not_shareable', 'insight'),
    ),
  ),
  make(
    'a dashboard with a table of events',
    { kind: 'dashboard', dashboard: '{rows_board}' },
    invalidField('not_shareable', 'dashboard'),
  ),
  make(
    'filters of an insight',
    { kind: 'insight', insight: '{views}', filters: { date_from: '-7d' } },
    invalidField('invalid_input', 'filters__date_from'),
  ),
  make(
    'a range that is none',
    { kind: 'web', filters: { date_from: 'x' } },
    invalidField('invalid_input', 'filters__date_from'),
  ),
  make(
    'a filter that is none',
    { kind: 'web', filters: { properties: [{ key: 1 }] } },
    invalidField('invalid_input', 'filters__properties'),
  ),
  make(
    'a password that is short',
    { kind: 'web', password: 'short' },
    invalidField('min_length', 'password'),
  ),
  {
    name: 'who may read links may not make any',
    endpoint: `POST ${ALL}`,
    shows: 'permission',
    as: { scopes: ['sharing_configuration:read'] },
    path: PATH,
    body: { kind: 'web' },
    expect: FORBIDDEN,
  },
]

export function card(name: string, token: string, expect: ApiCase['expect']): ApiCase {
  return {
    name,
    endpoint: 'GET /api/shared/{token}/',
    shows: expect.status === 200 ? 'success' : 'error',
    as: 'anonymous',
    path: `/api/shared/${token}/`,
    expect,
  }
}

/** 1200 by 630. */
export const PNG = /^\ufffdPNG\r\n\x1a\n\0{3}\rIHDR\0{2}\x04\ufffd\0{2}\x02v/

export function picture(name: string, token: string, expect: ApiCase['expect']): ApiCase {
  const asked = { endpoint: 'GET /shared/{token}/card.png', path: `/shared/${token}/card.png` }
  return { ...card(name, token, expect), ...asked }
}

const GOAL = {
  name: 'Paid',
  event: 'paid',
  properties: [{ type: 'event', key: 'plan', operator: 'exact', value: 'secret plan' }],
}

/** Insights and dashboards that links show, in a project of their own. */
export const SHOWN_THINGS: readonly ApiCase[] = [
  {
    name: 'a project with links',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Shared', timezone: 'Europe/Berlin', web_goals: [GOAL] },
    expect: { status: 201 },
    save: { sharing: 'id' },
  },
  thing('Views', 'insights', 'views', { name: 'Views', description: 'A day', query: VIEWS }),
  thing('Single events', 'insights', 'rows', {
    name: 'Rows',
    query: { kind: 'EventsQuery', select: ['*'] },
  }),
  thing('Sessions', 'insights', 'sessions', { name: 'Visits', query: { kind: 'SessionsQuery' } }),
  thing('Actors', 'insights', 'actors', {
    name: 'Actors',
    query: {
      kind: 'ActorsQuery',
      source: { kind: 'InsightActorsQuery', source: VIEWS, day: '2026-01-01' },
    },
  }),
  thing('Views by browser', 'insights', 'by_device', {
    query: { ...VIEWS, breakdownFilter: { breakdown: '$device_id' } },
  }),
  thing('A dashboard', 'dashboards', 'board', {
    name: 'Board',
    description: 'For the team',
    filters: { properties: [SECRET_FILTER] },
    tiles: [{ text: { body: 'Hello' } }, { insight: '{views_short}', layouts: { sm: { w: 6 } } }],
  }),
  thing('A dashboard of texts', 'dashboards', 'texts', { tiles: [{ text: { body: 'Hello' } }] }),
  thing('A dashboard with rows', 'dashboards', 'rows_board', {
    tiles: [{ insight: '{rows_short}' }],
  }),
]
