/** Stored events: lists of them. */
import { captured, EVENT_FIELDS, EVENTS, FIRST_ID, project } from './support/captured-events.ts'
import { type ApiCase, type Expectation, FORBIDDEN, invalidField } from './support/case.ts'

const LIST = 'GET /api/projects/{project_id}/events/'

function listed(...events: readonly string[]): Expectation {
  return {
    status: 200,
    body: { count: events.length, results: events.map((event) => ({ event })) },
  }
}

function list(name: string, query: string, expect: Expectation): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: LIST, shows, path: `${EVENTS}?${query}`, expect }
}

function filtered(name: string, filters: unknown, expect: Expectation): ApiCase {
  return list(name, `properties=${encodeURIComponent(JSON.stringify(filters))}`, expect)
}

const empty: readonly ApiCase[] = [
  {
    name: 'a project without events has an empty page',
    endpoint: LIST,
    shows: 'success',
    path: EVENTS,
    expect: {
      status: 200,
      body: { count: 0, next: null, previous: null, results: [] },
      keys: ['count', 'next', 'previous', 'results'],
    },
  },
]

const lists: readonly ApiCase[] = [
  list('the newest come first', '', listed('came back', 'left', '$identify', 'signed up')),
  {
    name: 'all eight members are texts',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?event=signed+up`,
    expect: {
      status: 200,
      body: {
        results: [
          {
            id: FIRST_ID,
            distinct_id: 'ann',
            properties: /^\{.*"seats": 12.*\}$/,
            timestamp: '2024-03-01T10:00:00+00:00',
            person: /"distinct_ids" : \["ann"\]/,
            elements: '[]',
            elements_chain: '',
          },
        ],
      },
      keysAt: { 'results.0': EVENT_FIELDS },
    },
  },
  {
    name: 'a member may read events',
    endpoint: LIST,
    shows: 'permission',
    as: 'member',
    path: EVENTS,
    expect: { status: 200, body: { count: 4 } },
  },
  {
    name: 'an outsider may not, whatever the format',
    endpoint: LIST,
    shows: 'tenancy',
    as: 'outsider',
    path: `${EVENTS}?format=csv`,
    expect: FORBIDDEN,
  },
  {
    name: 'a key for event definitions does not read events',
    endpoint: LIST,
    shows: 'permission',
    as: { scopes: ['event_definition:write'] },
    path: EVENTS,
    expect: FORBIDDEN,
  },
  list('the oldest first when asked for', 'orderBy=["timestamp"]&limit=1', {
    status: 200,
    body: { count: 4, results: [{ event: 'signed up' }] },
  }),
  list('by distinct id', 'distinct_id=ben', listed('left', '$identify')),
  list('by a person that nobody is', 'person_id=0', listed()),
  list('after a day, exclusively', 'after=2024-03-02T10:00:00.5Z', listed('came back', 'left')),
  list(
    'between two times',
    'after=2024-03-01T10:00:00%2B00:00&before=2024-03-03T10:00:00Z',
    listed('$identify'),
  ),
  list('after a date that is relative', 'after=-1d', listed('came back')),
  list('before one, which needs no sign', 'before=1w', listed('left', '$identify', 'signed up')),
  list('within nothing', 'after=2024-03-03&before=2024-03-01', listed()),
  list(
    'a date that is none names its parameter',
    'after=soon',
    invalidField('invalid_input', 'after'),
  ),
  list('so does an upper one', 'before=2024-13-01', invalidField('invalid_input', 'before')),
  list('an order by anything else', 'orderBy=["event"]', invalidField('invalid_input', 'orderBy')),
  list('a shape that there is not', 'shape=round', invalidField('invalid_choice', 'shape')),
  list('a page that is none falls back to the first', 'limit=-1&offset=x', {
    status: 200,
    body: { count: 4, previous: null },
  }),
]

const pages: readonly ApiCase[] = [
  {
    name: 'the first page names the next, under the bound it was read under',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?limit=3&distinct_id=`,
    expect: {
      status: 200,
      body: {
        count: 4,
        next: /^http:\/\/[^?]+\?before=\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d\.\d{6}Z&distinct_id=&limit=3&offset=3$/,
        previous: null,
        results: [{}, {}, {}],
      },
    },
    save: { next: 'next' },
  },
  {
    name: 'another event is captured meanwhile',
    endpoint: 'POST /capture/',
    shows: 'success',
    as: 'anonymous',
    path: '/capture/',
    body: { api_key: '{own_token}', event: 'late', distinct_id: 'zoe', timestamp: '2024-02-01' },
    expect: { status: 200 },
  },
  {
    name: 'the next page goes on where the first ended',
    endpoint: LIST,
    shows: 'success',
    path: '{next}',
    expect: {
      status: 200,
      body: {
        count: 5,
        next: null,
        previous: /^http:\/\/[^?]+\?before=[^&]+&distinct_id=&limit=3$/,
        results: [{ event: 'signed up' }, { event: 'late' }],
      },
    },
    save: { previous: 'previous' },
  },
  {
    name: 'and names the first, without an offset',
    endpoint: LIST,
    shows: 'success',
    path: '{previous}',
    expect: { status: 200, body: { results: [{ event: 'came back' }, {}, {}] } },
  },
]

const filters: readonly ApiCase[] = [
  filtered('a value of a property', [{ key: 'plan', value: 'pro' }], listed('signed up')),
  filtered('any of several', { plan: ['pro', 'free'] }, listed('$identify', 'signed up')),
  filtered(
    'a number, be it stored as one or as text',
    [{ key: 'seats', value: 5, operator: 'lt' }],
    listed('left'),
  ),
  filtered(
    'what is missing is not the value',
    [{ key: 'seats', value: '12', operator: 'is_not' }],
    listed('came back', 'left', '$identify', 'late'),
  ),
  filtered('a part, whatever the case', { url__icontains: 'SHOP' }, listed('left')),
  filtered('a pattern', { url__regex: '^https?://[a-z.]+/S' }, listed('left')),
  filtered(
    'a pattern that is none is refused',
    { url__not_regex: '(' },
    invalidField('invalid_input', 'properties'),
  ),
  filtered('a key that is there, though null', { none__is_set: true }, listed('signed up')),
  filtered(
    'a property of the person',
    [{ key: 'email', value: 'ben@', operator: 'icontains', type: 'person' }],
    listed('left', '$identify'),
  ),
  filtered(
    'groups of filters',
    {
      type: 'OR',
      values: [
        {
          type: 'AND',
          values: [
            { key: 'plan', value: 'team', type: 'person' },
            { key: 'url', operator: 'is_set' },
          ],
        },
        { type: 'AND', values: [{ key: 'seats', value: 12 }] },
      ],
    },
    listed('left', 'signed up'),
  ),
  filtered(
    'a cohort that does not exist',
    [{ key: 'id', value: 1, type: 'cohort' }],
    invalidField('invalid_input', 'properties'),
  ),
  filtered(
    'a property of a group: events that name none have none',
    [{ key: 'plan', type: 'group', group_type_index: 0, value: 'pro' }],
    listed(),
  ),
  filtered(
    'a filter of groups without the index of their type',
    [{ key: 'plan', type: 'group', value: 'pro' }],
    invalidField('invalid_input', 'properties'),
  ),
  list('filters that are no JSON', 'properties=[', invalidField('invalid_input', null)),
]

const shapes: readonly ApiCase[] = [
  {
    name: 'the native shape has objects and lists',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?shape=native&limit=1&event=signed+up`,
    expect: {
      status: 200,
      body: {
        count: 1,
        next: null,
        results: [
          {
            id: FIRST_ID,
            properties: { plan: 'pro', seats: 12, tags: ['a', 'b'], none: null },
            person: { is_identified: false, distinct_ids: ['ann'] },
            elements: [],
          },
        ],
      },
      keys: ['count', 'next', 'previous', 'results'],
      keysAt: { 'results.0': EVENT_FIELDS },
    },
  },
  {
    name: 'pages of it are linked as well',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?shape=native&limit=1`,
    expect: { status: 200, body: { next: /&limit=1&offset=1&shape=native$/, results: [{}] } },
  },
]

export const cases: readonly ApiCase[] = [
  ...project,
  ...empty,
  ...captured,
  ...lists,
  ...pages,
  ...filters,
  ...shapes,
]
