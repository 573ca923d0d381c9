/** Persons that are listed, changed and made into one, in a project of their own. */
import { type ApiCase, FORBIDDEN, invalidField, NOT_FOUND } from '../support/case.ts'

const NESTED = '/api/projects/{project_id}/persons/'
const LIST = `GET ${NESTED}`
const GET = `GET ${NESTED}{id}/`
const UPDATE = `PATCH ${NESTED}{id}/`
const MERGE = `POST ${NESTED}{id}/merge/`
const PATH = '/api/projects/{humans}/persons/'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const FIELDS = [
  ...['id', 'uuid', 'name', 'distinct_ids', 'distinct_id_count', 'properties', 'is_identified'],
  'created_at',
  'last_seen_at',
]

const made: readonly ApiCase[] = [
  {
    name: 'a project of persons',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Humans' },
    expect: { status: 201 },
    save: { humans: 'id', humans_token: 'api_token' },
  },
  {
    name: 'events make persons',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{humans_token}',
      batch: [
        human('ada', { email: 'ada@example.com', plan: 'pro' }),
        human('ada-phone', { plan: 'free', os: 'x' }),
        human('100%_sure', { name: 'Percy Full' }),
        human('x-ada@example.com-x', {}),
      ],
    },
    expect: { status: 200 },
  },
  {
    name: 'a flag for those who pay',
    endpoint: 'POST /api/projects/{project_id}/feature_flags/',
    shows: 'success',
    path: '/api/projects/{humans}/feature_flags/',
    body: { key: 'paying', filters: { groups: [{ properties: [paying('plan', 'enterprise')] }] } },
    expect: { status: 201 },
  },
  decides('a flag does not hold before the person changes', 'ada', false),
]

function human(distinctId: string, set: object) {
  return { event: 'seen', distinct_id: distinctId, properties: { $set: set } }
}

function paying(key: string, value: string) {
  return { key, value, type: 'person', operator: 'exact' }
}

function decides(name: string, distinctId: string, value: boolean): ApiCase {
  return {
    name,
    endpoint: 'POST /decide/',
    shows: 'success',
    as: 'anonymous',
    path: '/decide/?v=3',
    body: { api_key: '{humans_token}', distinct_id: distinctId },
    expect: { status: 200, body: { featureFlags: { paying: value } } },
  }
}

function lists(name: string, query: string, count: number, first?: object): ApiCase {
  const results = first === undefined ? {} : { results: [first] }
  return {
    ...{ name, endpoint: LIST, shows: 'success', path: `${PATH}?${query}` },
    expect: { status: 200, body: { count, ...results } },
  }
}

const listed: readonly ApiCase[] = [
  {
    name: 'persons, with all that a list shows of one',
    endpoint: LIST,
    shows: 'success',
    path: `${PATH}?distinct_id=ada`,
    expect: {
      status: 200,
      body: {
        count: 1,
        next: null,
        results: [
          {
            uuid: UUID,
            name: 'ada@example.com',
            distinct_ids: ['ada'],
            distinct_id_count: 1,
            properties: { email: 'ada@example.com', plan: 'pro' },
            is_identified: false,
            created_at: DATETIME,
            last_seen_at: null,
          },
        ],
      },
    },
    save: { ada: 'results.0.uuid', ada_number: 'results.0.id' },
  },
  lists('a list says when a person was last seen', 'distinct_id=ada&include_last_seen=true', 1, {
    last_seen_at: DATETIME,
  }),
  {
    ...lists('persons as CSV, with a column for each property', '', 0),
    path: `${PATH}?format=csv&distinct_id=ada`,
    expect: {
      status: 200,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      text: new RegExp(
        '^uuid,name,distinct_id,distinct_id_count,is_identified,created_at,last_seen_at,' +
          'properties\\.email,properties\\.plan\r\n' +
          '[0-9a-f-]{36},ada@example\\.com,ada,1,false,\\S+Z,\\S+Z,ada@example\\.com,pro\r\n$',
      ),
    },
  },
  lists('a page of persons', 'limit=1', 4, { distinct_ids: [/./] }),
  lists('what a search names exactly comes first', 'search=ADA@example.com&limit=1', 2, {
    uuid: '{ada}',
  }),
  lists('a search finds a distinct id', 'search=ada-ph', 1, { distinct_ids: ['ada-phone'] }),
  lists('a search finds a UUID', 'search={ada}', 1, { uuid: '{ada}' }),
  lists('a search finds a name, whatever its case', 'search=percy%20f', 1, { name: 'Percy Full' }),
  lists('a percent sign of a search is a percent sign', 'search=0%25_', 1, { name: 'Percy Full' }),
  lists('an underscore of a search is one', 'search=a_a', 0),
  lists('a backslash finds nobody', 'search=%5C', 0),
  lists('persons by e-mail', 'email=ada@example.com', 1, { uuid: '{ada}' }),
  lists('persons by a property', 'properties=[{"key":"plan","value":"pro"}]', 1, {
    uuid: '{ada}',
  }),
  lists('nobody passes a filter', 'properties=[{"key":"plan","value":"none"}]', 0),
  {
    ...lists('a filter on events is refused', '', 0),
    shows: 'error',
    path: `${PATH}?properties=[{"key":"plan","value":"pro","type":"event"}]`,
    expect: invalidField(
      'invalid_input',
      'properties',
      'Only filters on persons: the type must be person or cohort.',
    ),
  },
  {
    ...lists('filters that are no list are refused', '', 0),
    shows: 'error',
    path: `${PATH}?properties={"plan":"pro"}`,
    expect: invalidField(
      'invalid_input',
      'properties',
      'Properties must be a list of filters or a group of them.',
    ),
  },
  {
    ...lists('an outsider lists nobody', '', 0),
    ...{ shows: 'tenancy', as: 'outsider', expect: FORBIDDEN },
  },
]

function gets(name: string, id: string, expect: ApiCase['expect']): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: GET, shows, path: `${PATH}${id}`, expect }
}

const got: readonly ApiCase[] = [
  gets('a person by UUID', '{ada}/', { status: 200, keys: FIELDS, body: { uuid: '{ada}' } }),
  gets('a person by number', '{ada_number}/', { status: 200, body: { uuid: '{ada}' } }),
  gets('a person by distinct id', 'ada/', { status: 200, body: { uuid: '{ada}' } }),
  gets('a number that is a distinct id', '7/?by=distinct_id', NOT_FOUND),
  gets('nobody has this distinct id', 'nobody/', NOT_FOUND),
  gets('an id that is none', 'ada/?by=id', NOT_FOUND),
  {
    ...gets('a person of another project is not found', '', NOT_FOUND),
    ...{ shows: 'tenancy', path: '/api/projects/{project}/persons/{ada}/' },
  },
]

function updates(name: string, body: object, expect: ApiCase['expect']): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: UPDATE, shows, path: `${PATH}{ada}/`, body, expect }
}

const updated: readonly ApiCase[] = [
  updates(
    'properties are set and removed, and others stay',
    { properties: { plan: 'enterprise', seats: 5, nul: 'a\0b' }, unset: ['nothing'] },
    {
      status: 200,
      body: { properties: { email: 'ada@example.com', plan: 'enterprise', seats: 5 } },
    },
  ),
  decides('decides follow at once', 'ada', true),
  updates(
    'a property is removed',
    { unset: ['seats', 'nul'] },
    {
      status: 200,
      body: { properties: { email: 'ada@example.com', plan: 'enterprise' } },
    },
  ),
  updates(
    'what is too large is refused as a whole',
    { properties: { plan: 'free', huge: 'x'.repeat(530_000) } },
    invalidField('invalid_input', 'properties', 'The properties of a person may have 512 kB.'),
  ),
  gets('and nothing has changed', '{ada}/', {
    status: 200,
    body: { properties: { email: 'ada@example.com', plan: 'enterprise' } },
  }),
  updates(
    'a property is not set and removed at once',
    { properties: { plan: 1 }, unset: ['plan'] },
    invalidField('invalid_input', 'unset', 'A property is both set and removed.'),
  ),
  updates(
    'properties are an object',
    { properties: [] },
    { status: 400, body: { attr: 'properties' } },
  ),
  {
    ...updates('a person of another project is not changed', { unset: ['plan'] }, NOT_FOUND),
    ...{ shows: 'tenancy', path: '/api/projects/{project}/persons/{ada}/' },
  },
]

const both = ['ada', 'ada-new', 'ada-phone']
const whole = { email: 'ada@example.com', plan: 'enterprise', os: 'x' }

function merges(name: string, body: object, expect: ApiCase['expect']): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: MERGE, shows, path: `${PATH}{ada}/merge/`, body, expect }
}

const merged: readonly ApiCase[] = [
  {
    ...merges(
      'a dry run shows the person that would be',
      { distinct_ids: ['ada-phone', 'ada-new', 'ada'], dry_run: true },
      {
        status: 200,
        keys: ['person', 'merged', 'attached', 'dry_run'],
        body: {
          person: { uuid: '{ada}', distinct_ids: both, properties: whole, is_identified: true },
          ...{ merged: [UUID], attached: ['ada-new'], dry_run: true },
        },
      },
    ),
    unlogged: 'nothing is changed',
  },
  gets('the dry run has changed nothing', '{ada}/', {
    status: 200,
    body: { distinct_ids: ['ada'], is_identified: false },
  }),
  merges(
    'persons become one, whose own properties win',
    { distinct_ids: ['ada-phone', 'ada-new'] },
    {
      status: 200,
      body: {
        person: { uuid: '{ada}', distinct_ids: both, properties: whole, is_identified: true },
        ...{ merged: [UUID], attached: ['ada-new'], dry_run: false },
      },
    },
  ),
  decides('decides of the other id follow at once', 'ada-phone', true),
  gets('the other id names the person that stays', 'ada-phone/', {
    status: 200,
    body: { uuid: '{ada}' },
  }),
  merges(
    'what many clients send for nobody merges nobody',
    { distinct_ids: ['ben', 'undefined'] },
    invalidField('invalid_input', 'distinct_ids', 'Names nobody: clients send it for many.'),
  ),
  merges('somebody is needed to merge', {}, { status: 400, body: { attr: 'distinct_ids' } }),
  merges(
    'at most 100 ids are merged at a time',
    { distinct_ids: Array.from({ length: 101 }, (_, index) => `many-${index}`) },
    { status: 400, body: { attr: 'distinct_ids' } },
  ),
  {
    ...merges('a member merges nobody', { distinct_ids: ['ada-phone'] }, FORBIDDEN),
    ...{ shows: 'permission', as: 'member' },
  },
  {
    ...merges('a person of another project is not merged', { distinct_ids: ['a'] }, NOT_FOUND),
    ...{ shows: 'tenancy', path: '/api/projects/{project}/persons/{ada}/merge/' },
  },
]

/** The person whose first event arrives last. */
const late: readonly ApiCase[] = [
  {
    name: 'an event of long ago makes a person',
    endpoint: 'POST /capture/',
    shows: 'success',
    as: 'anonymous',
    path: '/capture/',
    body: {
      api_key: '{humans_token}',
      ...{ event: 'seen', distinct_id: 'old hand', timestamp: '2020-02-02T10:00:00Z' },
    },
    expect: { status: 200 },
  },
  {
    name: 'persons stand in the order in which they were first seen, the newest first',
    endpoint: LIST,
    shows: 'success',
    path: `${PATH}?limit=1&offset=3`,
    expect: {
      status: 200,
      body: { count: 4, next: null, results: [{ distinct_ids: ['old hand'] }] },
    },
  },
]

export const cases: readonly ApiCase[] = [...[made, listed, got, updated, merged, late].flat()]
