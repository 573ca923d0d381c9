/** New tokens and removals, of projects that are made for it. */
import { type ApiCase, type Expectation, FORBIDDEN, NOT_FOUND } from './support/case.ts'

const CREATE = 'POST /api/projects/'
const GET = 'GET /api/projects/{id}/'
const RESET = 'PATCH /api/projects/{id}/reset_token/'
const DELETE = 'DELETE /api/projects/{id}/'

const TOKEN = /^phc_[0-9A-Za-z]{43}$/
const GONE: Expectation = { status: 204, text: '' }
const BAD_TOKEN: Expectation = {
  status: 401,
  body: { type: 'authentication_error', code: 'invalid_api_key' },
}
const NOT_A_NUMBER: Expectation = {
  status: 400,
  body: { type: 'validation_error', code: 'invalid_input', attr: null },
}

function make(name: string, as: 'owner' | 'admin' | 'outsider', saved: string): ApiCase {
  return {
    name,
    endpoint: CREATE,
    shows: 'success',
    as,
    path: '/api/projects/',
    body: { name },
    expect: { status: 201 },
    save: { [saved]: 'id', [`${saved}_token`]: 'api_token' },
  }
}

function capture(name: string, token: string, expect: Expectation): ApiCase {
  return {
    name,
    endpoint: 'POST /capture/',
    shows: expect.status === 200 ? 'success' : 'error',
    as: 'anonymous',
    path: '/capture/',
    body: { api_key: token, event: 'seen', distinct_id: 'ann', $set: { a: 1 } },
    expect,
  }
}

function decide(name: string, token: string, expect: Expectation): ApiCase {
  return {
    name,
    endpoint: 'POST /decide/',
    shows: expect.status === 200 ? 'success' : 'error',
    as: 'anonymous',
    path: '/decide/?v=2',
    body: { api_key: token, distinct_id: 'ann' },
    expect,
  }
}

const STORED: Expectation = { status: 200, body: { status: 1 } }
const DECIDED: Expectation = { status: 200 }

/** Rules of both endpoints, each asked first for the refusals. */
function refusals(endpoint: string, path: string): ApiCase[] {
  const last = endpoint === RESET ? 'reset_token/' : ''
  return [
    {
      name: `a member may not: ${endpoint}`,
      endpoint,
      shows: 'permission',
      as: 'member',
      path,
      expect: FORBIDDEN,
    },
    {
      name: `a project that others have is not found: ${endpoint}`,
      endpoint,
      shows: 'tenancy',
      as: 'outsider',
      path,
      expect: NOT_FOUND,
    },
    {
      name: `a key restricted to another project may not: ${endpoint}`,
      endpoint,
      shows: 'permission',
      as: { scoped_teams: ['{project}'] },
      path,
      expect: FORBIDDEN,
    },
    {
      name: `a key that reads projects may not: ${endpoint}`,
      endpoint,
      shows: 'permission',
      as: { scopes: ['project:read'] },
      path,
      expect: { status: 403, body: { detail: /project:write/ } },
    },
    {
      name: `there is no such project: ${endpoint}`,
      endpoint,
      shows: 'error',
      path: `/api/projects/2147483647/${last}`,
      expect: NOT_FOUND,
    },
    {
      name: `a project is named by a number: ${endpoint}`,
      endpoint,
      shows: 'error',
      path: `/api/projects/abc/${last}`,
      expect: NOT_A_NUMBER,
    },
  ]
}

const tokens: readonly ApiCase[] = [
  make('A project whose token is reset', 'owner', 'reset'),
  capture('its token captures', '{reset_token}', STORED),
  decide('and decides', '{reset_token}', DECIDED),
  ...refusals(RESET, '/api/projects/{reset}/reset_token/'),
  capture('refused resets leave the token as it was', '{reset_token}', STORED),
  {
    name: 'an administrator resets the token',
    endpoint: RESET,
    shows: 'success',
    as: 'admin',
    path: '/api/projects/{reset}/reset_token/',
    expect: {
      status: 200,
      body: { id: '{reset}', api_token: TOKEN, name: 'A project whose token is reset' },
    },
    save: { new_token: 'api_token' },
  },
  capture('the old token captures nothing at once', '{reset_token}', BAD_TOKEN),
  decide('nor does it decide', '{reset_token}', BAD_TOKEN),
  capture('the new one captures', '{new_token}', STORED),
  decide('and decides as well', '{new_token}', DECIDED),
  {
    name: 'the project shows its new token',
    endpoint: GET,
    shows: 'success',
    as: 'member',
    path: '/api/projects/{reset}/',
    expect: { status: 200, body: { api_token: '{new_token}' } },
  },
  {
    name: 'fields of a reset change nothing else',
    endpoint: RESET,
    shows: 'success',
    path: '/api/projects/{reset}/reset_token/',
    body: { name: 'Other', api_token: 'phc_mine_mine_mine' },
    expect: {
      status: 200,
      body: { api_token: TOKEN, name: 'A project whose token is reset' },
    },
  },
  capture('each reset voids the one before', '{new_token}', BAD_TOKEN),
  {
    name: 'the project is removed with its newest token',
    endpoint: DELETE,
    shows: 'success',
    path: '/api/projects/{reset}/',
    expect: GONE,
  },
]

const removals: readonly ApiCase[] = [
  make('A project that is removed', 'owner', 'removed'),
  {
    name: 'with a flag',
    endpoint: 'POST /api/projects/{project_id}/feature_flags/',
    shows: 'success',
    path: '/api/projects/{removed}/feature_flags/',
    body: { key: 'on' },
    expect: { status: 201 },
    save: { removed_flag: 'id' },
  },
  capture('and an event', '{removed_token}', STORED),
  decide('that decides', '{removed_token}', DECIDED),
  ...refusals(DELETE, '/api/projects/{removed}/'),
  decide('refused removals remove nothing', '{removed_token}', DECIDED),
  {
    name: 'an administrator removes it',
    endpoint: DELETE,
    shows: 'success',
    as: 'admin',
    path: '/api/projects/{removed}/',
    expect: GONE,
  },
  capture('its token captures nothing at once', '{removed_token}', BAD_TOKEN),
  decide('and decides nothing', '{removed_token}', BAD_TOKEN),
  {
    name: 'it is not found any more',
    endpoint: GET,
    shows: 'error',
    path: '/api/projects/{removed}/',
    expect: NOT_FOUND,
  },
  {
    name: 'nor is what was in it',
    endpoint: 'GET /api/projects/{project_id}/feature_flags/{id}/',
    shows: 'error',
    path: '/api/projects/{removed}/feature_flags/{removed_flag}/',
    expect: { status: 404, body: { code: 'not_found', detail: 'Project not found.' } },
  },
  {
    name: 'and it is not removed twice',
    endpoint: DELETE,
    shows: 'error',
    path: '/api/projects/{removed}/',
    expect: NOT_FOUND,
  },
  {
    name: 'who worked in it works elsewhere',
    endpoint: GET,
    shows: 'success',
    path: '/api/projects/@current/',
    expect: { status: 200, body: { organization: '{organization}' } },
  },
  make('A project that is removed by its alias', 'admin', 'alias'),
  {
    name: 'the current project goes by its alias',
    endpoint: DELETE,
    shows: 'success',
    as: 'admin',
    path: '/api/projects/@current/',
    expect: GONE,
  },
  {
    name: 'and it was that one',
    endpoint: GET,
    shows: 'success',
    as: 'admin',
    path: '/api/projects/{alias}/',
    expect: NOT_FOUND,
  },
  make('A project of an outsider', 'outsider', 'elsewhere'),
  {
    name: 'an outsider’s project is not removed from here',
    endpoint: DELETE,
    shows: 'tenancy',
    path: '/api/projects/{elsewhere}/',
    expect: NOT_FOUND,
  },
  {
    name: 'but by the outsider',
    endpoint: DELETE,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/projects/{elsewhere}/',
    expect: GONE,
  },
]

export const cases: readonly ApiCase[] = [...tokens, ...removals]
