/** `select`, `where` and `orderBy` of the events list, and expressions as filters. */
import { type ApiCase, type Expectation, FORBIDDEN, invalidField } from './support/case.ts'

const LIST = 'GET /api/projects/{project_id}/events/'
const PATH = '/api/projects/{shop}/events/'
const TABLE = ['columns', 'types', 'results', 'hasMore', 'count', 'next', 'previous']

/** Lists go as JSON, texts as they are, and lists of two as a repeated parameter. */
function path(query: Readonly<Record<string, unknown>>, base = PATH): string {
  const pairs = Object.entries(query).map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `${name}=${encodeURIComponent(text)}`
  })
  return `${base}?${pairs.join('&')}`
}

function list(
  name: string,
  query: Readonly<Record<string, unknown>>,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: LIST, shows, path: path(query), expect, ...more }
}

function rows(...results: readonly unknown[]): Expectation {
  return { status: 200, keys: TABLE, body: { results } }
}

function wrong(attr: string | null, detail: string): Expectation {
  return invalidField('invalid_input', attr, detail)
}

const event = (name: string, day: number, who: string, properties: object): object => ({
  event: name,
  distinct_id: who,
  timestamp: `2024-01-0${day}T10:00:00Z`,
  properties,
})

const births: readonly ApiCase[] = [
  {
    name: 'a project to query events of',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Shop' },
    expect: { status: 201 },
    save: { shop: 'id', shop_token: 'api_token' },
  },
  {
    name: 'events of two people are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{shop_token}',
      batch: [
        event('view', 1, 'ann', { price: 5, $set: { plan: 'pro' } }),
        event('view', 2, 'ben', { price: '7.5', note: "it's 100%" }),
        event('view', 3, 'ben', { price: 'none' }),
        event('buy', 4, 'ann', { price: 20, gift: true }),
      ],
    },
    expect: { status: 200, body: { status: 1 } },
  },
  {
    name: 'an event of another project is captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: { api_key: '{foreign_token}', batch: [event('foreign', 1, 'ann', { price: 1 })] },
    expect: { status: 200, body: { status: 1 } },
  },
]

const tables: readonly ApiCase[] = [
  list(
    'a table has the expressions as sent, their types and its rows',
    { select: ['event', 'properties.price', ' timestamp '], limit: 1 },
    {
      status: 200,
      keys: TABLE,
      body: {
        columns: ['event', 'properties.price', ' timestamp '],
        types: ['String', 'String', 'DateTime'],
        results: [['buy', '20', '2024-01-04T10:00:00+00:00']],
        hasMore: true,
        count: 4,
        next: /events\/\?before=[^&]+&limit=1&offset=1&select=[^&]+$/,
        previous: null,
      },
    },
    { as: 'member' },
  ),
  {
    ...list('a repeated parameter is a list too', {}, rows(['buy', 1], ['view', 3])),
    path: `${PATH}?select=event&select=count()&orderBy=%5B%22event%22%5D`,
  },
  list('one expression needs no list', { select: 'count()' }, rows([4])),
  list(
    'an empty select is the whole event',
    { select: [], limit: 1 },
    {
      status: 200,
      keys: TABLE,
      body: {
        columns: ['*'],
        types: [/^Tuple\(/],
        results: [[{ event: 'buy', distinct_id: 'ann', properties: { gift: true }, elements: [] }]],
      },
    },
  ),
  list(
    'groups, their sums and the conditions on them',
    {
      select: ['event', 'count()', 'sum(properties.price)', 'avg(toFloat(properties.price))'],
      where: ['count() > 1'],
    },
    rows(['view', 3, 12.5, 6.25]),
  ),
  list('an empty result is no error', { select: ['event', 'count()'], event: 'none' }, rows()),
  list(
    'a person is a value of its events',
    { select: ['person.properties.plan', 'count()'], orderBy: ['-person.properties.plan'] },
    rows(['pro', 2], ['', 2]),
  ),
  list(
    'functions of times, texts and numbers',
    {
      select: [
        'toStartOfMonth(timestamp)',
        "upper(event) || '!'",
        'properties.price * 2',
        '1 / 0',
        "multiIf(properties.price > 10, 'high', 'low')",
        "dateDiff('day', '2024-01-01', timestamp)",
      ],
      event: 'buy',
    },
    rows(['2024-01-01T00:00:00+00:00', 'BUY!', 40, null, 'high', 3]),
  ),
  list(
    'the second page of a table goes back to the first',
    { select: ['timestamp'], orderBy: ['timestamp'], limit: 2, offset: 2 },
    {
      status: 200,
      body: {
        results: [['2024-01-03T10:00:00+00:00'], ['2024-01-04T10:00:00+00:00']],
        hasMore: false,
        next: null,
        previous: /limit=2&orderBy=[^&]+&select=[^&]+$/,
      },
    },
  ),
]

const conditions: readonly ApiCase[] = [
  list(
    'a condition filters the plain list',
    { where: ['properties.price > 6'] },
    { status: 200, body: { count: 2, results: [{ event: 'buy' }, { event: 'view' }] } },
  ),
  list(
    'a condition filters the list of native events',
    { where: "properties.note like '%100\\%'", shape: 'native' },
    { status: 200, body: { count: 1, results: [{ properties: { note: "it's 100%" } }] } },
  ),
  list(
    'an expression is a filter among others',
    {
      properties: [
        { type: 'hogql', key: "properties.price < 6 or event = 'buy'" },
        { key: 'gift', operator: 'is_not_set' },
      ],
    },
    { status: 200, body: { count: 1, results: [{ event: 'view', distinct_id: 'ann' }] } },
  ),
  list(
    'a quote in a text stays in it',
    { select: ['count()'], where: ["properties.note = 'it''s 100%' and '--' != ';'"] },
    rows([1]),
  ),
]

const refusals: readonly ApiCase[] = [
  list(
    'a syntax error has its place',
    { select: ['event', 'lower(event'] },
    wrong('select', 'Expected ")" but found the end at character 12 of "lower(event".'),
  ),
  list(
    'an unknown field has its place',
    { select: 'event', where: ['true', "nothing = 'x'"] },
    wrong('where', `Unknown field "nothing" at character 1 of "nothing = 'x'".`),
  ),
  list(
    'an unknown function is refused',
    { select: 'sleep(10)' },
    wrong('select', 'Unknown function "sleep" at character 1 of "sleep(10)".'),
  ),
  list(
    'a function has its number of arguments',
    { select: 'lower(event, 1)' },
    wrong('select', '"lower" takes 1 argument, not 2 at character 1 of "lower(event, 1)".'),
  ),
  list(
    'an aggregate within another is refused',
    { select: 'sum(count())' },
    wrong('select', 'An aggregate within an aggregate at character 5 of "sum(count())".'),
  ),
  list(
    'what is neither grouped by nor aggregated is refused',
    { select: ['count()'], orderBy: ['event'] },
    wrong(
      'orderBy',
      '"event" is neither selected as it is nor within an aggregate at character 1 of "event".',
    ),
  ),
  list(
    'an aggregate has no place in the plain list',
    { where: 'count() > 1' },
    wrong(
      'where',
      'An aggregate has a place only in a query with select at character 1 of "count() > 1".',
    ),
  ),
  list(
    'select that is no JSON list is refused',
    { select: '["event"' },
    {
      ...wrong('select', 'The list is not JSON.'),
    },
  ),
  list(
    'where of something else than texts is refused',
    { where: [1] },
    {
      ...wrong('where', 'Must be a JSON list of expressions, each a text.'),
    },
  ),
  list(
    'orderBy that is no list is refused',
    { select: 'event', orderBy: 'event' },
    {
      ...wrong('orderBy', 'The list is not JSON.'),
    },
  ),
  list(
    'without select the order is by time',
    { orderBy: ['event'] },
    {
      ...invalidField('invalid_input', 'orderBy'),
    },
  ),
  list(
    'a wrong expression in a filter is a wrong filter',
    { properties: [{ type: 'hogql', key: '1 +' }] },
    wrong('properties', 'Expected a value but found the end at character 4 of "1 +".'),
  ),
  list(
    'more than 32 expressions are refused',
    { select: Array.from({ length: 33 }, () => 'event') },
    wrong('select', 'There are more than 32 expressions.'),
  ),
  list(
    'a group cannot hold a whole event',
    { select: ['*', 'count()'] },
    wrong('select', '"*" cannot be grouped by at character 1 of "*".'),
  ),
]

const outsiders: readonly ApiCase[] = [
  {
    ...list('a table is for members only', { select: 'count()' }, FORBIDDEN),
    shows: 'permission',
    as: 'outsider',
  },
  {
    ...list('a table needs the scope to query', { select: 'count()' }, FORBIDDEN),
    shows: 'permission',
    as: { scopes: ['project:write'] },
  },
  ...['true or true', "event = 'foreign'", 'team_id = {foreign_project}', 'not false'].map(
    (condition): ApiCase => ({
      ...list(
        `no event of another project, whatever is asked: ${condition}`,
        {},
        {
          status: 200,
          text: /^(?!.*"foreign")/,
        },
      ),
      shows: 'tenancy',
      path: `${PATH}?select=event&where=${condition.replaceAll(' ', '%20')}`,
    }),
  ),
  {
    ...list('one’s own table of a foreign project', {}, FORBIDDEN),
    shows: 'tenancy',
    path: '/api/projects/{foreign_project}/events/?select=event',
  },
]

export const cases: readonly ApiCase[] = [
  ...births,
  ...tables,
  ...conditions,
  ...refusals,
  ...outsiders,
]
