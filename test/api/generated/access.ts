/** Access rules: keys, scopes, levels, and the tenants' borders. */
import { type ApiCase, absent, type Expectation, FORBIDDEN, NOT_FOUND } from '../support/case.ts'
import { about, type Endpoint, objectParameter, pathWith } from './endpoints.ts'

export const UNAUTHENTICATED: Expectation = {
  status: 401,
  body: {
    type: 'authentication_error',
    code: 'not_authenticated',
    detail: 'Authentication credentials were not provided.',
    attr: null,
  },
  headers: { 'www-authenticate': 'Bearer' },
}
const BAD_KEY: Expectation = {
  status: 401,
  body: {
    type: 'authentication_error',
    code: 'invalid_personal_api_key',
    detail: 'Invalid Personal API key.',
    attr: absent,
  },
}
const PROJECT_NOT_FOUND = notFound('Project not found.')
const ORGANIZATION_NOT_FOUND = notFound('Organization not found.')
const NOT_AN_INTEGER: Expectation = {
  status: 400,
  body: { type: 'validation_error', code: 'invalid_input', attr: null },
}
const NOT_A_UUID: Expectation = {
  status: 400,
  body: { type: 'validation_error', code: 'invalid', attr: null },
}
/** Detail texts of events name the id. */
const ANY_NOT_FOUND: Expectation = { status: 404, body: { code: 'not_found', attr: null } }

const UNKNOWN_NUMBER = '2147483647'
const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000'
/** Texts that can be no id: too large, too long, no text at all, or 1 to a lenient reader only. */
const NO_IDS = [
  ...['abc', '9'.repeat(40), '-1', '0', '1.0', '0x1', '%00', '%ED%A0%80', '1%27--'],
  'x'.repeat(4_000),
]
const NO_IDS_TRIED = 3

/** Ids of one kind are read in one place: the read of the object itself gets all texts, other endpoints some. */
function noIdsFor({ name, verb, template }: Endpoint, parameter: string): readonly string[] {
  if (verb === 'GET' && template.endsWith(`${parameter}/`)) return NO_IDS
  const first = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return Array.from({ length: NO_IDS_TRIED }, (_, at) => {
    return NO_IDS[(first + at * NO_IDS_TRIED) % NO_IDS.length] ?? ''
  })
}

export function accessCases(endpoint: Endpoint): readonly ApiCase[] {
  const { policy } = endpoint
  if (policy.parent === 'public') return objectCases(endpoint)
  return [
    about(endpoint, 'without a key it is refused', {
      shows: 'permission',
      as: 'anonymous',
      expect: UNAUTHENTICATED,
    }),
    about(endpoint, 'a key that nobody has is refused', {
      shows: 'permission',
      as: 'bad_key',
      expect: BAD_KEY,
    }),
    ...scopeCases(endpoint),
    ...levelCases(endpoint),
    ...borderCases(endpoint),
    ...objectCases(endpoint),
  ]
}

/** Endpoints that only read and yet need a body. */
const READING_BODIES: Readonly<Record<string, Pick<ApiCase, 'body' | 'unlogged'>>> = {
  'POST /api/projects/{project_id}/query/': {
    body: { query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: null }] } },
    unlogged: 'a question reads',
  },
  'POST /api/projects/{project_id}/feature_flags/evaluate/': {
    body: {},
    unlogged: 'an evaluation reads',
  },
  'POST /api/projects/{project_id}/feature_flags/user_blast_radius/': {
    body: { condition: { properties: [] } },
    unlogged: 'a count reads',
  },
  'POST /api/projects/{project_id}/cohorts/count/': {
    body: { filters: { properties: [] } },
    unlogged: 'a count reads',
  },
  'POST /api/projects/{project_id}/insights/trend/': {
    body: { events: [{ id: 'view' }] },
    unlogged: 'a question reads',
  },
  'POST /api/projects/{project_id}/insights/funnel/': {
    body: { events: [{ id: 'view' }, { id: 'paid' }] },
    unlogged: 'a question reads',
  },
  'POST /api/projects/{project_id}/insights/retention/': {
    body: { period: 'Week' },
    unlogged: 'a question reads',
  },
}

function scopeCases(endpoint: Endpoint): readonly ApiCase[] {
  const { scope } = endpoint.policy
  const [object = '', action] = scope.split(':')
  const missing: Expectation = {
    ...FORBIDDEN,
    body: {
      code: 'permission_denied',
      attr: null,
      detail: `API key missing required scope '${scope}'.`,
    },
  }
  const other = object === 'feature_flag' ? 'plugin:write' : 'feature_flag:write'
  const cases = [
    about(endpoint, 'a key with another scope is refused, and told which', {
      shows: 'permission',
      as: { scopes: [other] },
      expect: missing,
    }),
  ]
  if (action === 'write') {
    cases.push(
      about(endpoint, 'a key that may only read is refused', {
        shows: 'permission',
        as: { scopes: [`${object}:read`] },
        expect: missing,
      }),
    )
  }
  // The object of a DELETE would be gone for the cases after it.
  if (action !== 'read' || endpoint.verb === 'DELETE') return cases
  for (const scopes of [[`${object}:read`], [`${object}:write`]]) {
    cases.push(
      about(endpoint, `the scope ${scopes} is enough`, {
        shows: 'permission',
        as: { scopes },
        ...READING_BODIES[endpoint.name],
        expect: { status: 200 },
      }),
    )
  }
  return cases
}

function levelCases(endpoint: Endpoint): readonly ApiCase[] {
  const { level, isStaffOnly } = endpoint.policy
  const refused = (as: 'admin' | 'member') =>
    about(endpoint, `${as === 'admin' ? 'an administrator' : 'a member'} is refused`, {
      shows: 'permission',
      as,
      expect: FORBIDDEN,
    })
  if (isStaffOnly) return [refused('admin'), refused('member')]
  if (level === 15) return [refused('admin'), refused('member')]
  if (level === 8) return [refused('member')]
  if (endpoint.verb !== 'GET' || level === 0) return []
  const expect: Expectation = { status: 200 }
  return [about(endpoint, 'a member may', { shows: 'permission', as: 'member', expect })]
}

function borderCases(endpoint: Endpoint): readonly ApiCase[] {
  const [parent = ''] = endpoint.template.match(/\{\w+\}/g) ?? []
  const { verb, policy } = endpoint
  const outsider = (expect: Expectation) =>
    about(endpoint, 'an outsider is refused', { shows: 'tenancy', as: 'outsider', expect })
  const at = (text: string, expect: Expectation) =>
    about(endpoint, `${parent} ${shown(text)} is answered ${expect.status}`, {
      shows: 'error',
      path: pathWith(endpoint, parent, text),
      expect,
    })
  const restricted = (expect: Expectation, shows: 'tenancy' | 'permission' = 'tenancy') =>
    about(endpoint, `a key restricted to another project is answered ${expect.status}`, {
      shows,
      as: { scoped_teams: ['{thing_project}'] },
      expect,
    })
  switch (policy.parent) {
    case 'project':
      return [
        outsider(FORBIDDEN),
        restricted(FORBIDDEN),
        at(UNKNOWN_NUMBER, PROJECT_NOT_FOUND),
        ...noIdsFor(endpoint, parent).map((id) => at(id, ANY_NOT_FOUND)),
      ]
    case 'project_by_token':
      return tokenCases(endpoint)
    case 'own_project':
      return [
        outsider(NOT_FOUND),
        restricted(FORBIDDEN),
        at(UNKNOWN_NUMBER, NOT_FOUND),
        ...noIdsFor(endpoint, parent).map((id) =>
          at(id, /^-?\d+$/.test(id) ? NOT_FOUND : NOT_AN_INTEGER),
        ),
      ]
    case 'organization':
      return [
        outsider(FORBIDDEN),
        restricted(FORBIDDEN),
        at(UNKNOWN_UUID, ORGANIZATION_NOT_FOUND),
        ...noIdsFor(endpoint, parent).map((id) => at(id, NOT_FOUND)),
      ]
    case 'own_organization':
      return [
        outsider(NOT_FOUND),
        restricted(FORBIDDEN),
        ...[UNKNOWN_UUID, ...noIdsFor(endpoint, parent)].map((id) => at(id, NOT_FOUND)),
      ]
    case 'current_organization':
    case 'organizations':
      return [restricted(FORBIDDEN)]
    case 'caller':
      if (policy.isStaffOnly) return [outsider(FORBIDDEN)]
      return verb === 'GET' ? [restricted({ status: 200 }, 'permission')] : []
    case 'public':
      return []
    default:
      return policy.parent satisfies never
  }
}

const TOKEN_LENGTHS = [1, 64, 65, 4_000]
/** Nobody's, or what no token can be; none says which tokens there are. */
const ODD_TOKENS = [
  ...[
    'phc_0000000000000000000000000000000000000000000',
    '{owner_key}',
    '%27--',
    '%ED%A0%80',
    'a%00b',
  ],
  ...TOKEN_LENGTHS.map((length) => 'x'.repeat(length)),
]

/** The project is that of the token, and the current one where none is given. */
function tokenCases(endpoint: Endpoint): readonly ApiCase[] {
  const by = (as: ApiCase['as'], token: string, expect: Expectation, shows: ApiCase['shows']) =>
    about(endpoint, `the token ${shown(token)} by ${JSON.stringify(as)} is ${expect.status}`, {
      ...{ shows, path: `${endpoint.path}?token=${token}`, expect },
      ...(as === undefined ? {} : { as }),
    })
  const restricted = { scoped_teams: ['{thing_project}'] }
  const ok: Expectation = { status: 200 }
  const noAccess: Expectation = {
    status: 403,
    body: { ...Object(FORBIDDEN.body), detail: "You don't have access to the project." },
  }
  return [
    by('member', '{token}', ok, 'permission'),
    by('outsider', '{foreign_token}', ok, 'tenancy'),
    by('outsider', '{token}', noAccess, 'tenancy'),
    by('owner', '{foreign_token}', noAccess, 'tenancy'),
    by(restricted, '{token}', FORBIDDEN, 'tenancy'),
    by(restricted, '', ok, 'permission'),
    ...ODD_TOKENS.map((token) => by('owner', token, noAccess, 'error')),
    by('owner', 'phc_other&token={token}', ok, 'success'),
    by('bad_key', '{token}', BAD_KEY, 'permission'),
  ]
}

/** Objects that are unknown, of another tenant, or named by what can be no id. */
function objectCases(endpoint: Endpoint): readonly ApiCase[] {
  const { template, policy } = endpoint
  const parameter = objectParameter(endpoint)
  const isOwn = policy.parent === 'own_project' || policy.parent === 'own_organization'
  if (parameter === undefined || isOwn) return []
  const isEvent = template.includes('/events/')
  const at = (text: string, expect: Expectation) =>
    about(endpoint, `an object ${shown(text)} is answered ${expect.status}`, {
      shows: 'error',
      path: pathWith(endpoint, parameter, text),
      expect,
    })
  const cases = [UNKNOWN_NUMBER, UNKNOWN_UUID, ...noIdsFor(endpoint, parameter)].map((id) =>
    at(id, isEvent && id !== UNKNOWN_UUID ? NOT_A_UUID : ANY_NOT_FOUND),
  )
  const foreign = foreignPath(endpoint)
  if (foreign === undefined) return cases
  const expect = ANY_NOT_FOUND
  const sentence = 'an object of another tenant is as unknown'
  return [
    about(endpoint, sentence, { shows: 'tenancy', as: 'outsider', path: foreign, expect }),
    ...cases,
  ]
}

/** Our object in the outsider's own project or organization. */
function foreignPath({ path, policy }: Endpoint): string | undefined {
  switch (policy.parent) {
    case 'project':
      return path.replace('{project}', '{foreign_project}')
    case 'organization':
      return path.replace('{organization}', '{foreign_organization}')
    case 'caller':
      return policy.isStaffOnly ? undefined : path
    default:
      return undefined
  }
}

function notFound(detail: string): Expectation {
  return { status: 404, body: { type: 'invalid_request', code: 'not_found', detail, attr: null } }
}

function shown(text: string): string {
  return text.length > 60 ? `of ${text.length} characters` : text
}
