/** Signing in and out; `test/integration/product/sessions.test.ts` has what browsers may not do. */
import { type ApiCase, type Expectation, invalidField } from '../support/case.ts'

const LOGIN = 'POST /api/login/'
const LOGOUT = 'POST /api/logout/'
const SESSION = 'GET /api/session/'
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
  logout('nobody signs out without a session', undefined, refused(401, 'not_authenticated')),
  logout('nor without its token', COOKIE, refused(403, 'permission_denied')),
  logout('the session ends', { ...COOKIE, 'x-csrf-token': '{session_csrf}' }, { status: 204 }),
  session('and its cookie is nothing any more', COOKIE, { user: null }),
]
