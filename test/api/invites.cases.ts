import { type ApiCase, FORBIDDEN, invalidField, NOT_FOUND } from './support/case.ts'

const ROOT = '/api/organizations/{parent_lookup_organization_id}/invites/'
const LIST = `GET ${ROOT}`
const CREATE = `POST ${ROOT}`
const DELETE = `DELETE ${ROOT}{id}/`
const BULK = `POST ${ROOT}bulk/`

const OURS = '/api/organizations/{organization}/invites/'
const THEIRS = '/api/organizations/{foreign_organization}/invites/'
const NOBODYS = '/api/organizations/018f3d6c-7e2a-7c11-8e62-3f5b0a9d4c21/invites/'
const NO_ID = '018f3d6c-7e2a-4c11-8e62-3f5b0a9d4c21/'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const KEYS = ['id', 'target_email', 'first_name', 'emailing_attempt_made', 'is_expired'].concat([
  'created_by',
  'created_at',
  'updated_at',
  'message',
])
/** Where it is made. */
const MADE = [...KEYS, 'token']
const TOKEN = /^[0-9A-Za-z]{43}$/
const SUMMARY = ['id', 'uuid', 'distinct_id', 'first_name', 'email']
const PAGE = ['count', 'next', 'previous', 'results']
const NO_ORGANIZATION = {
  status: 404,
  body: { code: 'not_found', detail: 'Organization not found.' },
}
const MEMBER_ALREADY = invalidField('invalid_input', null)
const READER = { scopes: ['organization_member:read'] }
const WRITER = { scopes: ['organization_member:write'] }
const OF_PROJECT = { scoped_teams: ['{project}'] }
const EMAIL = { target_email: 'invited@example.org' }

function items(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({ target_email: `bulk-${at}@example.org` }))
}

const create: readonly ApiCase[] = [
  {
    name: 'an invite has every field, and no mail where none is set up',
    endpoint: CREATE,
    shows: 'success',
    path: OURS,
    body: { ...EMAIL, first_name: ' Ann ', message: 'Hi', is_expired: true, unknown: 1 },
    expect: {
      status: 201,
      body: {
        id: UUID,
        ...EMAIL,
        first_name: 'Ann',
        message: 'Hi',
        emailing_attempt_made: false,
        is_expired: false,
        created_by: { id: '{owner_id}', uuid: '{owner_uuid}', email: '{owner_email}' },
        created_at: MOMENT,
        updated_at: MOMENT,
        token: TOKEN,
      },
      keys: MADE,
      keysAt: { created_by: SUMMARY },
    },
    save: { invite: 'id' },
  },
  {
    name: 'what an invite does not say is blank or null, and a member may make one',
    endpoint: CREATE,
    shows: 'permission',
    as: 'member',
    path: '/api/organizations/@current/invites',
    body: { target_email: 'SECOND@example.org', message: null },
    expect: {
      status: 201,
      body: {
        target_email: 'SECOND@example.org',
        first_name: '',
        message: null,
        created_by: { id: '{member_id}' },
      },
    },
    save: { second: 'id' },
  },
  {
    name: 'a form makes an invite as JSON does',
    endpoint: CREATE,
    shows: 'success',
    path: OURS,
    form: { target_email: 'form@example.org', first_name: '', message: 'Hi' },
    expect: {
      status: 201,
      body: { target_email: 'form@example.org', first_name: '', message: 'Hi' },
    },
  },
  ...(
    [
      ['without an address', {}, 'required', 'target_email'],
      ['with a null address', { target_email: null }, 'null', 'target_email'],
      ['with a blank address', { target_email: '  ' }, 'blank', 'target_email'],
      ['with what is no address', { target_email: 'nobody' }, 'invalid_input', 'target_email'],
      [
        'with a list as address',
        { target_email: ['a@example.org'] },
        'invalid_input',
        'target_email',
      ],
      [
        'with two lines as address',
        { target_email: 'a@example.org\r\nBcc: b@example.org' },
        'invalid_input',
        'target_email',
      ],
      [
        'with a long address',
        { target_email: `${'x'.repeat(243)}@example.org` },
        'max_length',
        'target_email',
      ],
      ['with a long name', { ...EMAIL, first_name: 'x'.repeat(31) }, 'max_length', 'first_name'],
      ['with a null name', { ...EMAIL, first_name: null }, 'null', 'first_name'],
      ['with an object as message', { ...EMAIL, message: {} }, 'invalid_input', 'message'],
      ['with a long message', { ...EMAIL, message: 'x'.repeat(5_001) }, 'max_length', 'message'],
    ] as const
  ).map(
    ([what, body, code, attr]): ApiCase => ({
      name: `no invite ${what}`,
      endpoint: CREATE,
      shows: 'error',
      path: OURS,
      body,
      expect: invalidField(code, attr),
    }),
  ),
  {
    name: 'a member is not invited again',
    endpoint: CREATE,
    shows: 'error',
    path: OURS,
    body: { target_email: '{owner_email}' },
    expect: MEMBER_ALREADY,
  },
  {
    name: 'a reader may not invite',
    endpoint: CREATE,
    shows: 'permission',
    as: READER,
    path: OURS,
    body: EMAIL,
    expect: FORBIDDEN,
  },
  {
    name: 'a key of one project may not invite',
    endpoint: CREATE,
    shows: 'permission',
    as: OF_PROJECT,
    path: OURS,
    body: EMAIL,
    expect: FORBIDDEN,
  },
  {
    name: 'nobody invites to a foreign organization, whatever the body',
    endpoint: CREATE,
    shows: 'tenancy',
    path: THEIRS,
    body: {},
    expect: FORBIDDEN,
  },
  {
    name: 'nobody invites to an organization that is none',
    endpoint: CREATE,
    shows: 'tenancy',
    path: NOBODYS,
    body: EMAIL,
    expect: NO_ORGANIZATION,
  },
]

const list: readonly ApiCase[] = [
  {
    name: 'the list begins with the newest invite',
    endpoint: LIST,
    shows: 'success',
    as: 'member',
    path: `${OURS}?limit=1`,
    expect: {
      status: 200,
      body: {
        next: /\/invites\/\?limit=1&offset=1$/,
        previous: null,
        results: [{ target_email: 'form@example.org', is_expired: false }],
      },
      keys: PAGE,
      keysAt: { 'results.0': KEYS, 'results.0.created_by': SUMMARY },
    },
    save: { next_page: 'next' },
  },
  {
    name: 'its next page goes on with the one before',
    endpoint: LIST,
    shows: 'success',
    path: '{next_page}',
    expect: {
      status: 200,
      body: { previous: /\/invites\/\?limit=1$/, results: [{ id: '{second}' }] },
    },
  },
  {
    name: 'a page that makes no sense is the first one',
    endpoint: LIST,
    shows: 'error',
    path: `${OURS}?limit=x&offset=-1`,
    expect: { status: 200, body: { previous: null } },
  },
  {
    name: 'a key that writes may read as well',
    endpoint: LIST,
    shows: 'permission',
    as: WRITER,
    path: `${OURS}?limit=1`,
    expect: { status: 200 },
  },
  {
    name: 'an organization without invites has an empty list',
    endpoint: LIST,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/organizations/@current/invites/?offset=1000',
    expect: { status: 200, body: { next: null, results: [] } },
  },
  {
    name: 'an organization id that is none is not found',
    endpoint: LIST,
    shows: 'error',
    path: '/api/organizations/17/invites/',
    expect: NOT_FOUND,
  },
]

const bulk: readonly ApiCase[] = [
  {
    name: 'an array gives an array, in its order',
    endpoint: BULK,
    shows: 'success',
    path: `${OURS}bulk/`,
    body: [...items(2), { target_email: 'bulk-0@example.org', first_name: 'Ann', message: null }],
    expect: {
      status: 201,
      body: [
        { target_email: 'bulk-0@example.org', first_name: '' },
        { target_email: 'bulk-1@example.org' },
        { target_email: 'bulk-0@example.org', first_name: 'Ann', message: null },
      ],
      keysAt: { '0': MADE },
    },
  },
  {
    name: 'an object gives an object',
    endpoint: BULK,
    shows: 'success',
    as: 'member',
    path: `${OURS}bulk/`,
    body: { ...EMAIL, message: 'Hi' },
    expect: { status: 201, body: { ...EMAIL, message: 'Hi', token: TOKEN }, keys: MADE },
  },
  {
    name: 'an empty array makes nothing',
    endpoint: BULK,
    shows: 'success',
    path: `${OURS}bulk/`,
    body: [],
    expect: { status: 201, text: '[]' },
    unlogged: 'nothing was changed',
  },
  {
    name: 'twenty invites are made at once',
    endpoint: BULK,
    shows: 'success',
    path: `${OURS}bulk/`,
    body: items(20),
    expect: { status: 201, body: items(20) },
  },
  {
    name: 'twenty-one are too many',
    endpoint: BULK,
    shows: 'error',
    path: `${OURS}bulk/`,
    body: items(21),
    expect: invalidField('max_length', null),
  },
  {
    name: 'an item that is wrong is told by its place',
    endpoint: BULK,
    shows: 'error',
    path: `${OURS}bulk/`,
    body: [...items(4), { target_email: 'nobody', first_name: 'x'.repeat(31) }, {}],
    expect: invalidField('invalid_input', '4__target_email'),
  },
  {
    name: 'an item that is no object is told by its place',
    endpoint: BULK,
    shows: 'error',
    path: `${OURS}bulk/`,
    body: [...items(1), 'a@example.org'],
    expect: invalidField('invalid_input', '1'),
  },
  {
    name: 'a single object that is wrong is told by its field',
    endpoint: BULK,
    shows: 'error',
    path: `${OURS}bulk/`,
    body: {},
    expect: invalidField('required', 'target_email'),
  },
  {
    name: 'a body that is neither is refused',
    endpoint: BULK,
    shows: 'error',
    path: `${OURS}bulk/`,
    body: 'invited@example.org',
    expect: invalidField('invalid_input', null),
  },
  {
    name: 'one member among them refuses them all',
    endpoint: BULK,
    shows: 'error',
    path: `${OURS}bulk/`,
    body: [{ target_email: 'never@example.org' }, { target_email: '{owner_email}' }],
    expect: MEMBER_ALREADY,
  },
  {
    name: 'after it nothing was made',
    endpoint: LIST,
    shows: 'success',
    path: `${OURS}?limit=1`,
    expect: { status: 200, body: { results: [{ target_email: /^bulk-\d+@example\.org$/ }] } },
  },
  {
    name: 'a reader may not invite in bulk',
    endpoint: BULK,
    shows: 'permission',
    as: READER,
    path: `${OURS}bulk/`,
    body: [],
    expect: FORBIDDEN,
  },
  {
    name: 'nobody invites in bulk to a foreign organization',
    endpoint: BULK,
    shows: 'tenancy',
    path: `${THEIRS}bulk/`,
    body: items(1),
    expect: FORBIDDEN,
  },
]

const remove: readonly ApiCase[] = [
  {
    name: 'an invite cannot be retrieved by itself',
    endpoint: DELETE,
    verb: 'GET',
    shows: 'error',
    path: `${OURS}{invite}/`,
    expect: { status: 405, body: { code: 'method_not_allowed' }, headers: { allow: /DELETE/ } },
  },
  {
    name: 'a reader may not delete',
    endpoint: DELETE,
    shows: 'permission',
    as: READER,
    path: `${OURS}{second}/`,
    expect: FORBIDDEN,
  },
  {
    name: 'any member deletes an invite',
    endpoint: DELETE,
    shows: 'success',
    as: 'member',
    path: `${OURS}{second}/`,
    expect: { status: 204, text: '' },
  },
  {
    name: 'a deleted invite is gone',
    endpoint: DELETE,
    shows: 'error',
    path: `${OURS}{second}/`,
    expect: NOT_FOUND,
  },
  ...['x', '17', NO_ID.slice(0, -1)].map(
    (id): ApiCase => ({
      name: `there is no invite ${id}`,
      endpoint: DELETE,
      shows: 'error',
      path: `${OURS}${id}/`,
      expect: NOT_FOUND,
    }),
  ),
]

const again: readonly ApiCase[] = [
  ...(
    [
      ['kim@example.org', { kim_first: 'id' }],
      ['KIM@example.org', { kim_second: 'id' }],
      ['Kim@Example.org', {}],
    ] as const
  ).map(
    ([target_email, save]): ApiCase => ({
      name: `${target_email} is invited`,
      endpoint: CREATE,
      shows: 'success',
      path: OURS,
      body: { target_email },
      expect: { status: 201, body: { target_email, is_expired: false } },
      save,
    }),
  ),
  ...['kim_first', 'kim_second'].map(
    (name): ApiCase => ({
      name: `the last invite of an address stands alone, whatever its case: ${name} is gone`,
      endpoint: DELETE,
      shows: 'error',
      path: `${OURS}{${name}}/`,
      expect: NOT_FOUND,
    }),
  ),
  {
    name: 'the invite to the address that was invited thrice is the newest',
    endpoint: LIST,
    shows: 'success',
    path: `${OURS}?limit=1`,
    expect: { status: 200, body: { results: [{ target_email: 'Kim@Example.org' }] } },
  },
]

export const cases: readonly ApiCase[] = [...create, ...list, ...bulk, ...remove, ...again]
