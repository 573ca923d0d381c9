/** The examples of the reference: signing in and out. */
import type { ApiCase } from '../support/case.ts'
import { example } from '../support/example-case.ts'

const ANONYMOUS = { as: 'anonymous' } as const
const COOKIE = { cookie: '{other_session_cookie}' }

export const cases: readonly ApiCase[] = [
  example('POST /api/login/', 200, '/api/login/', {
    ...ANONYMOUS,
    body: { personal_api_key: '{owner_key}' },
  }),
  example('GET /api/session/', 200, '/api/session/', { ...ANONYMOUS, headers: COOKIE }),
  // The first is that of the call above: it was used last.
  example('GET /api/users/@me/sessions/', 200, '/api/users/@me/sessions/', {
    ...ANONYMOUS,
    headers: COOKIE,
    save: { example_session: '0.id' },
  }),
  example(
    'DELETE /api/users/@me/sessions/{id}/',
    204,
    '/api/users/@me/sessions/{example_session}/',
    {},
  ),
  example('POST /api/logout/', 204, '/api/logout/', {
    ...ANONYMOUS,
    headers: { ...COOKIE, 'x-csrf-token': '{other_session_csrf}' },
  }),
]
