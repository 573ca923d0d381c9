/** Forms of a request: verbs, media types, bodies and pages. */
import { requestPlan } from '../../../src/wire/validation/request.ts'
import { type ApiCase, absent, type Expectation, FORBIDDEN, NOT_FOUND } from '../support/case.ts'
import { UNAUTHENTICATED } from './access.ts'
import { about, type Endpoint } from './endpoints.ts'

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const ALLOW_ORDER = ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const NOT_ACCEPTABLE = requestError(406, 'not_acceptable')
const OK: Expectation = { status: 200 }

export function requestCases(endpoint: Endpoint): readonly ApiCase[] {
  const reads = endpoint.verb === 'GET' ? readCases(endpoint) : []
  const pages = pageCases(endpoint)
  return [
    ...formCases(endpoint),
    ...bodyCases(endpoint),
    ...reads,
    ...queryCases(endpoint),
    ...pages,
  ]
}

/** Answers of a path to verbs that none of its endpoints has. */
export function routeCases(route: readonly Endpoint[]): readonly ApiCase[] {
  const [endpoint] = route
  if (endpoint === undefined) return []
  const offered = new Set([...route.map(({ verb }) => verb), 'OPTIONS'])
  if (offered.has('GET')) offered.add('HEAD')
  const allow = ALLOW_ORDER.filter((verb) => offered.has(verb)).join(', ')
  const { parent } = endpoint.policy
  const isPublic = parent === 'public'
  const cases: ApiCase[] = VERBS.filter((verb) => !offered.has(verb)).map((verb) =>
    about(endpoint, `${verb} is not allowed there`, {
      shows: 'error',
      verb,
      expect: {
        ...requestError(405, 'method_not_allowed', `Method "${verb}" not allowed.`),
        headers: { allow },
      },
    }),
  )
  const other = (
    verb: string,
    as: 'anonymous' | 'outsider' | 'owner',
    expect: Expectation,
    shows: ApiCase['shows'],
  ) => about(endpoint, `${verb} by ${as} is answered ${expect.status}`, { shows, verb, as, expect })
  cases.push(
    other('OPTIONS', isPublic ? 'anonymous' : 'owner', { ...OK, headers: { allow } }, 'success'),
  )
  if (isPublic) return cases
  for (const verb of ['OPTIONS', 'PUT']) {
    cases.push(other(verb, 'anonymous', UNAUTHENTICATED, 'permission'))
    if (parent !== 'project' && parent !== 'organization') continue
    cases.push(other(verb, 'outsider', FORBIDDEN, 'tenancy'))
  }
  return cases
}

/** Both are decided before anybody asks who calls. */
function formCases(endpoint: Endpoint): readonly ApiCase[] {
  const { path, method } = endpoint
  const anonymous = { shows: 'error', as: 'anonymous' } as const
  if (method.rules.file) return []
  const cases = [
    about(endpoint, 'an unknown format is not found, even without a key', {
      ...anonymous,
      path: `${path}?format=xml`,
      expect: NOT_FOUND,
    }),
    about(endpoint, 'an answer in a media type that it has not is refused', {
      ...anonymous,
      headers: { accept: 'image/png' },
      expect: NOT_ACCEPTABLE,
    }),
  ]
  if (!method.rules.media_types.includes('text/csv')) {
    cases.push(
      about(endpoint, 'CSV is not offered', {
        ...anonymous,
        path: `${path}?format=csv`,
        expect: NOT_FOUND,
      }),
    )
  }
  if (endpoint.policy.parent === 'public') return cases
  cases.push(
    about(endpoint, 'the final slash may be left out', {
      ...anonymous,
      path: path.replace(/\/$/, ''),
      expect: UNAUTHENTICATED,
    }),
  )
  return cases
}

const JSON_BODY = { 'content-type': 'application/json' }

function bodyCases(endpoint: Endpoint): readonly ApiCase[] {
  const { body, policy } = endpoint
  if (body.kind === 'none') return []
  const wrong = (sentence: string, rawBody: string, expect: Expectation, headers = JSON_BODY) =>
    about(endpoint, sentence, { shows: 'error', headers, rawBody, expect })
  const cases = [
    wrong('a body that is not JSON is refused', '{"a":', PARSE_ERROR),
    wrong('a body that nests too deep is refused', '['.repeat(5_000), PARSE_ERROR),
    wrong('a body of another media type is refused', '{}', UNSUPPORTED, {
      'content-type': 'text/plain',
    }),
    ...['5', '"text"', 'true'].map((text) =>
      wrong(`a body of ${text} is refused`, text, NOT_AN_OBJECT),
    ),
  ]
  if (body.kind === 'message' || body.field.kind === 'json') {
    cases.push(wrong('a list for a body is refused', '[]', A_LIST))
  }
  if (policy.parent === 'project' || policy.parent === 'organization') {
    const outsider = { shows: 'tenancy', as: 'outsider', headers: JSON_BODY } as const
    cases.push(
      about(endpoint, 'an outsider is refused before the body is read', {
        ...outsider,
        rawBody: '{"a":',
        expect: FORBIDDEN,
      }),
    )
  }
  return endpoint.verb === 'PATCH' ? [...cases, ...patchCases(endpoint)] : cases
}

/** Members that an object has without having been given them, and fields that are not writable. */
const UNKNOWN_FIELDS =
  '{"no_such_field":[1],"__proto__":{"a":1},"constructor":{"b":2},"id":"0","created_at":5}'

function patchCases(endpoint: Endpoint): readonly ApiCase[] {
  const harmless = { shows: 'success', expect: OK, unlogged: 'nothing is changed' } as const
  const cases = [
    about(endpoint, 'an empty object changes nothing', { ...harmless, body: {} }),
    about(endpoint, 'no body at all changes nothing', harmless),
  ]
  // The members of the others are names of the caller's own.
  if (endpoint.body.kind !== 'message') return cases
  return [
    ...cases,
    about(endpoint, 'unknown fields are ignored', {
      ...harmless,
      headers: JSON_BODY,
      rawBody: UNKNOWN_FIELDS,
    }),
  ]
}

function readCases(endpoint: Endpoint): readonly ApiCase[] {
  const { path } = endpoint
  const read = { shows: 'success', expect: OK } as const
  return [
    ...(endpoint.method.rules.file ? [] : formsOf(endpoint)),
    about(endpoint, 'it is the same without the final slash', {
      ...read,
      path: path.replace(/\/$/, ''),
    }),
    about(endpoint, 'HEAD is as GET, without a body', {
      shows: 'success',
      verb: 'HEAD',
      expect: { status: 200, text: '' },
    }),
    about(endpoint, 'parameters that it has not are ignored', {
      ...read,
      path: `${path}?no_such_parameter=%00&constructor=1&__proto__=2`,
    }),
  ]
}

function formsOf(endpoint: Endpoint): readonly ApiCase[] {
  return [
    about(endpoint, 'the answer is JSON unless another is asked for', {
      shows: 'success',
      headers: { accept: 'application/*' },
      expect: { status: 200, headers: { 'content-type': 'application/json' } },
    }),
    about(endpoint, 'JSON may be asked for by name', {
      shows: 'success',
      path: `${endpoint.path}?format=json`,
      expect: OK,
    }),
  ]
}

/** Texts come with any characters: one that no database takes is an error, and not a failure. */
function queryCases(endpoint: Endpoint): readonly ApiCase[] {
  const { query } = requestPlan(endpoint.method)
  const isPlace = (name: string) =>
    name === 'token' && endpoint.policy.parent === 'project_by_token'
  return query
    .filter(({ publicName }) => !isPlace(publicName))
    .filter(
      ({ kind, rules }) => kind === 'text' && rules.choices.length + rules.format.length === 0,
    )
    .map(({ publicName }) =>
      about(endpoint, `${publicName} with a null character is refused`, {
        shows: 'error',
        path: `${endpoint.path}?${publicName}=a%00b`,
        expect: {
          status: 400,
          body: { type: 'validation_error', code: 'null_characters_not_allowed' },
        },
      }),
    )
}

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000
const PAGE_KEYS = ['count', 'next', 'previous', 'results']
/** Fields of a page of an endpoint besides. */
const MORE_KEYS: Readonly<Record<string, readonly string[]>> = {
  'GET /api/projects/{project_id}/ingestion_warnings/': ['last_hour', 'since'],
}

/** A bad page is never an error: what was made of it is read from the link to the page before. */
function pageCases(endpoint: Endpoint): readonly ApiCase[] {
  const { rules } = endpoint.method
  if (!rules.paginated) return []
  const { limit_default: base, limit_max: max } = rules
  const limitDefault = base === 0 ? LIMIT_DEFAULT : base
  const limitMax = max === 0 ? LIMIT_MAX : max
  const page = (query: string, previous: RegExp | null, more: object = {}) =>
    about(endpoint, `the page ${query}`, {
      shows: 'success',
      path: `${endpoint.path}?${query}`,
      expect: {
        status: 200,
        keys: [...PAGE_KEYS, ...(MORE_KEYS[endpoint.name] ?? [])],
        body: { previous, ...more },
      },
    })
  return [
    ...['abc', '0', '-1', '', '1.5', '%00'].map((limit) =>
      page(`limit=${limit}&offset=1`, linkWith(`limit=${limitDefault}`)),
    ),
    page(`limit=${'9'.repeat(30)}&offset=1`, linkWith(`limit=${limitMax}`)),
    page('limit=7&offset=20', linkWith('limit=7&offset=13')),
    page('limit=5&zz=1&offset=1&aa=x', linkWith('limit=5&zz=1', 'aa=x&')),
    ...['-5', 'abc', '', '1.5'].map((offset) => page(`offset=${offset}`, null)),
    page(
      'offset=2147483647',
      linkWith(`limit=${limitDefault}&offset=${2147483647 - limitDefault}`),
      {
        next: null,
        results: [],
      },
    ),
    page(`offset=${'9'.repeat(30)}`, linkWith(`limit=${limitDefault}&offset=\\d+`), {
      results: [],
    }),
  ]
}

/** Absolute, with the parameters by name; a list of events adds the bound of its first page. */
function linkWith(parameters: string, before = ''): RegExp {
  const bound = '(?:before=[^&]+&)?'
  return new RegExp(`^http://127\\.0\\.0\\.1:\\d+/api/[^?]+\\?${before}${bound}${parameters}$`)
}

const PARSE_ERROR = requestError(400, 'parse_error')
const UNSUPPORTED = requestError(
  415,
  'unsupported_media_type',
  'Unsupported media type "text/plain" in request.',
)
const NOT_AN_OBJECT: Expectation = {
  status: 400,
  body: { type: 'validation_error', code: 'invalid_input' },
}
const A_LIST: Expectation = {
  status: 400,
  body: {
    type: 'validation_error',
    code: 'invalid_input',
    detail: 'Invalid data. Expected a dictionary, but got list.',
  },
}

function requestError(status: number, code: string, detail?: string): Expectation {
  const text = detail === undefined ? {} : { detail }
  return { status, body: { type: 'invalid_request', code, attr: null, extra: absent, ...text } }
}
