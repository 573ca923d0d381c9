/** Rights to set a password. `test/integration/product/sessions.test.ts` ends sessions. */
import { type ApiCase, FORBIDDEN, invalidField } from '../support/case.ts'

const PATCH = 'PATCH /api/users/@me/'
const PATH = '/api/users/@me/'

export const cases: readonly ApiCase[] = [
  {
    name: 'a password is not set by a key that may not do everything',
    ...{ endpoint: PATCH, shows: 'permission', as: { scopes: ['user:write'] }, path: PATH },
    ...{ body: { password: 'correct horse' }, expect: FORBIDDEN },
  },
  {
    name: 'nor by one that is held to a project',
    ...{ endpoint: PATCH, shows: 'permission', as: { scoped_teams: ['{project}'] }, path: PATH },
    ...{ body: { password: 'correct horse' }, expect: FORBIDDEN },
  },
  {
    name: 'a password has eight characters at least',
    ...{ endpoint: PATCH, shows: 'error', path: PATH, body: { password: 'short' } },
    expect: invalidField('min_length', 'password'),
  },
  {
    name: 'the current password alone changes nothing',
    ...{ endpoint: PATCH, shows: 'error', path: PATH, body: { current_password: 'x' } },
    expect: invalidField('required', 'password'),
  },
]
