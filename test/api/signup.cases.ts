import { type ApiCase, invalidField, NOT_FOUND } from './support/case.ts'

const INVITES = 'POST /api/organizations/{parent_lookup_organization_id}/invites/'
const DELETE = 'DELETE /api/organizations/{parent_lookup_organization_id}/invites/{id}/'
const LIST = 'GET /api/organizations/{parent_lookup_organization_id}/invites/'
const SHOW = 'GET /api/signup/{invite_id}/'
const ME = 'PATCH /api/users/@me/'
const VERIFY = 'POST /api/users/verify_email/'
const ACCEPT = 'POST /api/signup/{invite_id}/'

const OURS = '/api/organizations/{organization}/invites/'
const NO_ID = '018f3d6c-7e2a-4c11-8e62-3f5b0a9d4c21'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const EMAIL = { target_email: 'joining@example.org' }
const PASSWORD = 'correct horse battery'

const joining: readonly ApiCase[] = [
  {
    name: 'somebody is invited in another case',
    endpoint: INVITES,
    shows: 'success',
    path: OURS,
    body: { target_email: 'JOINING@example.org' },
    expect: { status: 201 },
    save: { second: 'token' },
  },
  {
    name: 'and again, which takes the place of it',
    endpoint: INVITES,
    shows: 'success',
    path: OURS,
    body: { ...EMAIL, first_name: 'Ann' },
    expect: { status: 201 },
    save: { invite: 'token', invite_id: 'id' },
  },
  {
    name: 'somebody else is invited',
    endpoint: INVITES,
    shows: 'success',
    path: OURS,
    body: { target_email: 'withdrawn@example.org' },
    expect: { status: 201 },
    save: { withdrawn: 'token', withdrawn_id: 'id' },
  },
  {
    name: 'and the invite withdrawn',
    endpoint: DELETE,
    shows: 'success',
    path: `${OURS}{withdrawn_id}/`,
    expect: { status: 204 },
  },
  {
    name: 'a withdrawn invite cannot be accepted',
    endpoint: ACCEPT,
    shows: 'error',
    as: 'anonymous',
    path: '/api/signup/{withdrawn}/',
    body: { first_name: 'Ann', password: PASSWORD },
    expect: NOT_FOUND,
  },
  {
    name: 'the link needs no key',
    endpoint: SHOW,
    shows: 'success',
    as: 'anonymous',
    path: '/api/signup/{invite}/',
    expect: {
      status: 200,
      body: { id: '{invite_id}', ...EMAIL, first_name: 'Ann', organization_name: /./ },
      keys: ['id', 'target_email', 'first_name', 'organization_name'],
    },
  },
  {
    name: 'no key is asked for, but one that is given must be good',
    endpoint: SHOW,
    shows: 'permission',
    as: 'bad_key',
    path: '/api/signup/{invite}',
    expect: { status: 401, body: { code: 'invalid_personal_api_key' } },
  },
  {
    name: 'whoever has the link sees it, of whatever organization',
    endpoint: SHOW,
    shows: 'tenancy',
    as: 'outsider',
    path: '/api/signup/{invite}/',
    expect: { status: 200, body: EMAIL },
  },
  ...['x', NO_ID, '{invite_id}'].flatMap((id): ApiCase[] => [
    {
      name: `there is no link ${id}`,
      endpoint: SHOW,
      shows: 'error',
      as: 'anonymous',
      path: `/api/signup/${id}/`,
      expect: NOT_FOUND,
    },
    {
      name: `nothing is accepted by ${id}, whatever the body`,
      endpoint: ACCEPT,
      shows: 'error',
      as: 'anonymous',
      path: `/api/signup/${id}/`,
      body: { password: 1 },
      expect: NOT_FOUND,
    },
  ]),
  ...(
    [
      ['without a name', { password: PASSWORD }, 'required', 'first_name'],
      ['without a password', { first_name: 'Ann' }, 'required', 'password'],
      [
        'with a short password',
        { first_name: 'Ann', password: '1234567' },
        'min_length',
        'password',
      ],
      [
        'with a long password',
        { first_name: 'Ann', password: 'x'.repeat(129) },
        'max_length',
        'password',
      ],
      [
        'for another address',
        { first_name: 'Ann', password: PASSWORD, email: 'other@example.org' },
        'invalid_recipient',
        null,
      ],
    ] as const
  ).map(
    ([what, body, code, attr]): ApiCase => ({
      name: `nobody accepts ${what}`,
      endpoint: ACCEPT,
      shows: 'error',
      as: 'anonymous',
      path: '/api/signup/{invite}/',
      body,
      expect: invalidField(code, attr),
    }),
  ),
  {
    name: 'whoever accepts becomes a member with a key',
    endpoint: ACCEPT,
    shows: 'success',
    as: 'anonymous',
    path: '/api/signup/{invite}/',
    body: { first_name: 'Ann', password: PASSWORD, email: 'Joining@Example.org' },
    expect: {
      status: 201,
      body: {
        uuid: UUID,
        first_name: 'Ann',
        email: 'joining@example.org',
        organization_id: '{organization}',
        personal_api_key: /^phx_[0-9A-Za-z]{43}$/,
      },
      keys: ['id', 'uuid', 'distinct_id', 'first_name', 'email'].concat([
        'organization_id',
        'project_id',
        'personal_api_key',
      ]),
    },
    save: { joined_key: 'personal_api_key' },
  },
  {
    name: 'the key works, in the organization',
    endpoint: LIST,
    shows: 'success',
    as: 'anonymous',
    headers: { authorization: 'Bearer {joined_key}' },
    path: '/api/organizations/@current/invites/?limit=1',
    expect: { status: 200 },
  },
  {
    name: 'every invite of the organization to the address is gone with it',
    endpoint: SHOW,
    shows: 'error',
    as: 'anonymous',
    path: '/api/signup/{second}/',
    expect: NOT_FOUND,
  },
  {
    name: 'an invite is accepted once',
    endpoint: ACCEPT,
    shows: 'error',
    as: 'anonymous',
    path: '/api/signup/{invite}/',
    body: { first_name: 'Ann', password: PASSWORD },
    expect: NOT_FOUND,
  },
  {
    name: 'the new member is not invited again',
    endpoint: INVITES,
    shows: 'error',
    path: OURS,
    body: EMAIL,
    expect: invalidField('invalid_input', null),
  },
  {
    name: 'an invite may go to the owner of another organization',
    endpoint: INVITES,
    shows: 'success',
    path: OURS,
    body: { target_email: '{outsider_email}' },
    expect: { status: 201 },
    save: { to_outsider: 'token', to_outsider_id: 'id' },
  },
  {
    name: 'the key of another account cannot accept',
    endpoint: ACCEPT,
    shows: 'permission',
    as: 'admin',
    path: '/api/signup/{to_outsider}/',
    body: {},
    expect: invalidField('invalid_recipient', null),
  },
  {
    name: 'a key that nobody has is refused where none is needed',
    endpoint: ACCEPT,
    shows: 'permission',
    as: 'bad_key',
    path: '/api/signup/{to_outsider}/',
    body: { first_name: 'Ann', password: PASSWORD },
    expect: { status: 401, body: { code: 'invalid_personal_api_key' } },
  },
  {
    name: 'a link gives no key of an account that exists',
    endpoint: ACCEPT,
    shows: 'tenancy',
    as: 'anonymous',
    path: '/api/signup/{to_outsider}/',
    body: { first_name: 'Ann', password: PASSWORD },
    expect: invalidField('invalid_recipient', null),
  },
]

const addresses: readonly ApiCase[] = [
  {
    name: 'another address is asked for, and not had',
    endpoint: ME,
    shows: 'success',
    as: 'member',
    path: '/api/users/@me/',
    body: { email: 'renamed@example.org' },
    expect: {
      status: 200,
      body: { email: '{member_email}', pending_email: 'renamed@example.org' },
    },
  },
  {
    name: 'what is asked for is no address of the user yet',
    endpoint: INVITES,
    shows: 'success',
    path: OURS,
    body: { target_email: 'renamed@example.org' },
    expect: { status: 201 },
    save: { to_renamed: 'token' },
  },
  {
    name: 'so that an invite there is not theirs',
    endpoint: ACCEPT,
    shows: 'permission',
    as: 'member',
    path: '/api/signup/{to_renamed}/',
    body: {},
    expect: invalidField('invalid_recipient', null),
  },
  {
    name: 'the own address takes it back',
    endpoint: ME,
    shows: 'success',
    as: 'member',
    path: '/api/users/@me/',
    body: { email: '{member_email}' },
    expect: { status: 200, body: { email: '{member_email}', pending_email: null } },
  },
  ...(['anonymous', 'member', 'outsider'] as const).map(
    (as): ApiCase => ({
      name: `a token that nobody has confirms nothing, whoever sends it: ${as}`,
      endpoint: VERIFY,
      shows: as === 'outsider' ? 'tenancy' : as === 'member' ? 'permission' : 'error',
      as,
      path: '/api/users/verify_email/',
      body: { token: 'x'.repeat(43) },
      expect: invalidField('invalid_input', 'token'),
    }),
  ),
  {
    name: 'the token that came to an address confirms it, without a key',
    isExample: true,
    endpoint: VERIFY,
    shows: 'success',
    as: 'anonymous',
    path: '/api/users/verify_email/',
    body: { token: '{email_token}' },
    expect: { status: 200, body: { email: '{outsider_email}' }, keys: ['email'] },
    unlogged: 'the entry is in the organization of the user',
  },
  {
    name: 'once',
    endpoint: VERIFY,
    shows: 'error',
    as: 'anonymous',
    path: '/api/users/verify_email/',
    body: { token: '{email_token}' },
    expect: invalidField('invalid_input', 'token'),
  },
  {
    name: 'a token is needed',
    endpoint: VERIFY,
    shows: 'error',
    as: 'anonymous',
    path: '/api/users/verify_email/',
    body: {},
    expect: invalidField('required', 'token'),
  },
]

export const cases: readonly ApiCase[] = [...joining, ...addresses]
