/** Where a personal key may be, and which of several counts. */
import { type ApiCase, absent, type Expectation } from './support/case.ts'

const GET = 'GET /api/projects/{id}/'
const PATCH = 'PATCH /api/projects/{id}/'
const PATH = '/api/projects/{project}/'
const BAD = 'phx_nobody_has_this_one'

const MINE: Expectation = { status: 200, body: { effective_membership_level: 15 } }
const NO_KEY: Expectation = { status: 401, body: { code: 'not_authenticated', attr: null } }
const BAD_KEY: Expectation = {
  status: 401,
  body: {
    type: 'authentication_error',
    code: 'invalid_personal_api_key',
    detail: 'Invalid Personal API key.',
    attr: absent,
  },
}

function byHeader(name: string, authorization: string, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return {
    name,
    endpoint: GET,
    shows,
    as: 'anonymous',
    path: PATH,
    headers: { authorization },
    expect,
  }
}

function byQuery(name: string, query: string, expect: Expectation, authorization = ''): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  const path = `${PATH}?${query}`
  const headers = authorization === '' ? {} : { authorization }
  return { name, endpoint: GET, shows, as: 'anonymous', path, headers, expect }
}

function byBody(
  name: string,
  body: object,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return {
    ...{ name, endpoint: PATCH, shows, as: 'anonymous', path: PATH, body, expect },
    ...{ unlogged: 'nothing is changed', ...more },
  }
}

const QUERY = 'personal_api_key={owner_key}'
const BAD_QUERY = `personal_api_key=${BAD}`

export const cases: readonly ApiCase[] = [
  byHeader('the header holds the key', 'Bearer {owner_key}', MINE),
  byHeader('the scheme may be in any case', 'bEaReR {owner_key}', MINE),
  byHeader('spaces around the key are no part of it', 'Bearer   {owner_key}  ', MINE),
  byHeader('a scheme without a key is none', 'Bearer ', NO_KEY),
  byHeader('another scheme holds no key', 'Basic b3duZXI6c2VjcmV0', NO_KEY),
  byHeader('nor does a key without a scheme', '{owner_key}', NO_KEY),
  byHeader('nor a scheme that only begins so', 'Bearerx {owner_key}', NO_KEY),
  byHeader('a project key is no personal key', 'Bearer {token}', BAD_KEY),
  byHeader('a key with a space inside is none', 'Bearer a b', BAD_KEY),
  byHeader('a key that is too long is none', `Bearer ${'k'.repeat(3_000)}`, BAD_KEY),
  byHeader('half of a key is none', 'Bearer phx_', BAD_KEY),
  byHeader('a key is compared in whole', 'Bearer {owner_key}x', BAD_KEY),
  byQuery('the query may hold it', QUERY, MINE),
  byQuery('an empty parameter is none', 'personal_api_key=', NO_KEY),
  byQuery('a bad one in the query is bad', BAD_QUERY, BAD_KEY),
  byQuery('a bad header is not rescued by the query', QUERY, BAD_KEY, `Bearer ${BAD}`),
  byQuery('a good header is not spoilt by the query', BAD_QUERY, MINE, 'Bearer {owner_key}'),
  byQuery('after another scheme the query counts', QUERY, MINE, 'Basic b3duZXI6c2VjcmV0'),
  byBody('the body may hold it', { personal_api_key: '{owner_key}' }, MINE),
  byBody('a form may hold it', {}, MINE, {
    body: undefined,
    form: { personal_api_key: '{owner_key}' },
  }),
  byBody('a bad one in the body is not rescued by the query', { personal_api_key: BAD }, BAD_KEY, {
    path: `${PATH}?${QUERY}`,
  }),
  byBody(
    'a good one in the body is not spoilt by the query',
    { personal_api_key: '{owner_key}' },
    MINE,
    {
      path: `${PATH}?${BAD_QUERY}`,
    },
  ),
  byBody('a bad header is not rescued by the body', { personal_api_key: '{owner_key}' }, BAD_KEY, {
    headers: { authorization: `Bearer ${BAD}` },
  }),
  byBody(
    'a body that is no text of a key holds none',
    { personal_api_key: ['{owner_key}'] },
    NO_KEY,
  ),
  byBody(
    'a body that cannot be read leaves the query to look at',
    {},
    {
      status: 400,
      body: { code: 'parse_error' },
    },
    {
      body: undefined,
      headers: { 'content-type': 'application/json' },
      rawBody: '{"personal_api_key":',
      path: `${PATH}?${QUERY}`,
    },
  ),
  byBody(
    'a key is shown to nobody',
    { personal_api_key: '{owner_key}' },
    {
      status: 200,
      text: /^(?!.*phx_)/s,
    },
  ),
]
