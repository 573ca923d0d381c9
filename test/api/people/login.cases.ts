/** Signing in and out; `test/integration/product/sessions.test.ts` has what browsers may not do. */
import {
  type ApiCase,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const LOGIN = 'POST /api/login/'
const LOGOUT = 'POST /api/logout/'
const SESSION = 'GET /api/session/'
const SESSIONS = 'GET /api/users/@me/sessions/'
const END = 'DELETE /api/users/@me/sessions/{id}/'
const OWN = '/api/users/@me/sessions/'
const COOKIE = { cookie: '{session_cookie}' }

function refused(status: number, code: string): Expectation {
  return { status, body: { type: 'authentication_error', code, attr: null } }
}

function login(name: string, body: object, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: LOGIN, shows, as: 'anonymous', path: '/api/login/', body, expect }
}

function session(name: string, headers: ApiCase['headers'], body: object): ApiCase {
  const expect = { status: 200, body }
  const asked = { as: 'anonymous', path: '/api/session/', expect } as const
  return {
    ...{ name, endpoint: SESSION, shows: 'success', ...asked },
    ...(headers === undefined ? {} : { headers }),
  }
}

function logout(name: string, headers: ApiCase['headers'], expect: Expectation): ApiCase {
  const shows = expect.status === 204 ? 'success' : 'error'
  return {
    ...{ name, endpoint: LOGOUT, shows, as: 'anonymous', path: '/api/logout/', expect },
    ...(headers === undefined ? {} : { headers }),
  }
}

export const cases: readonly ApiCase[] = [
  login(
    'a personal key signs its user in',
    { personal_api_key: '{member_key}' },
    { status: 200, body: { user: { email: '{member_email}', is_staff: false }, scopes: ['*'] } },
  ),
  login('credentials of one kind are needed', {}, invalidField('required', null)),
  login(
    'those of two kinds are refused',
    { email: 'a@example.com', password: 'x', login_token: 'y' },
    invalidField('invalid_input', null),
  ),
  login(
    'a mail address needs its password',
    { email: 'a@example.com' },
    invalidField('required', 'password'),
  ),
  login(
    'a link that nobody has made is refused, and says how to get one',
    { login_token: 'nobody_has_this_one' },
    refused(401, 'login_link_unknown'),
  ),
  session('nobody is signed in without a session', undefined, { user: null }),
  session('a key is no session', { authorization: 'Bearer {owner_key}' }, { user: null }),
  {
    name: 'the current project, which other cases may have changed',
    ...{ endpoint: 'GET /api/projects/{id}/', shows: 'success', as: 'owner' },
    ...{ path: '/api/projects/@current/', expect: { status: 200 } },
    save: { current_project: 'id' },
  },
  session('the session of a cookie is shown', COOKIE, {
    user: { email: '{owner_email}' },
    project_id: '{current_project}',
    scopes: ['*'],
  }),
  {
    name: 'a page of the own origin reads with the cookie',
    ...{ endpoint: 'GET /api/projects/{id}/', shows: 'success', as: 'anonymous' },
    ...{ path: '/api/projects/{project}/', headers: COOKIE, expect: { status: 200 } },
  },
  {
    name: 'the sessions of the caller are listed, with the one of the call',
    ...{ endpoint: SESSIONS, shows: 'success', as: 'anonymous', path: OWN, headers: COOKIE },
    expect: {
      status: 200,
      keysAt: {
        0: ['id', 'agent', 'created_at', 'last_seen_at', 'expires_at', 'is_current', 'key_id'],
      },
    },
    save: { a_session: '0.id' },
  },
  {
    name: 'a key lists the sessions of its user, of which none is the call',
    ...{ endpoint: SESSIONS, shows: 'success', path: OWN },
    expect: { status: 200 },
  },
  {
    name: 'a key of other scopes lists none',
    ...{ endpoint: SESSIONS, shows: 'permission', as: { scopes: ['feature_flag:read'] } },
    ...{ path: OWN, expect: FORBIDDEN },
  },
  {
    name: 'nobody sees the sessions of another user',
    ...{ endpoint: SESSIONS, shows: 'tenancy', as: 'outsider', path: OWN },
    expect: { status: 200, body: [] },
  },
  {
    name: 'a session that is none is not found',
    ...{ endpoint: END, shows: 'error', path: `${OWN}nothing/`, expect: NOT_FOUND },
  },
  {
    name: 'nobody ends the session of another user',
    ...{ endpoint: END, shows: 'tenancy', as: 'member', path: `${OWN}{a_session}/` },
    expect: NOT_FOUND,
  },
  {
    name: 'a key that reads only ends none',
    ...{ endpoint: END, shows: 'permission', as: { scopes: ['user:read'] } },
    ...{ path: `${OWN}{a_session}/`, expect: FORBIDDEN },
  },
  {
    name: 'nor does one that is held to a project',
    ...{ endpoint: END, shows: 'permission', as: { scoped_teams: ['{project}'] } },
    ...{ path: `${OWN}{a_session}/`, expect: FORBIDDEN },
  },
  {
    name: 'another session of the owner',
    ...{ endpoint: LOGIN, shows: 'success', as: 'anonymous', path: '/api/login/' },
    ...{ body: { personal_api_key: '{owner_key}' }, expect: { status: 200 } },
  },
  {
    name: 'is the first of the list, since it was used last',
    ...{ endpoint: SESSIONS, shows: 'success', path: OWN, expect: { status: 200 } },
    save: { other_session: '0.id' },
  },
  {
    name: 'it is ended',
    ...{ endpoint: END, shows: 'success', path: `${OWN}{other_session}/`, expect: { status: 204 } },
  },
  {
    name: 'and then it is not found',
    ...{ endpoint: END, shows: 'error', path: `${OWN}{other_session}/`, expect: NOT_FOUND },
  },
  logout('nobody signs out without a session', undefined, refused(401, 'not_authenticated')),
  logout('nor without its token', COOKIE, refused(403, 'permission_denied')),
  logout('the session ends', { ...COOKIE, 'x-csrf-token': '{session_csrf}' }, { status: 204 }),
  session('and its cookie is nothing any more', COOKIE, { user: null }),
]
