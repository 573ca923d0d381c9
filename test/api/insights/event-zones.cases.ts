/** Lists, tables, files and deletions of events cut days in the zone of their project. */
import { type ApiCase, type Expectation, invalidField } from '../support/case.ts'

const LIST = 'GET /api/projects/{project_id}/events/'
const EVENTS = '/api/projects/{zoned}/events/'
const DELETIONS = 'POST /api/projects/{project_id}/deletions/'

const captured: readonly ApiCase[] = [
  {
    name: 'a project of New York, whose weeks begin on Sunday',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Zoned', timezone: 'America/New_York', week_start_day: 0 },
    expect: { status: 201, body: { week_start_day: 0 } },
    save: { zoned: 'id', zoned_token: 'api_token' },
  },
  {
    name: 'events of a Saturday night, of Sunday and of Monday',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{zoned_token}',
      batch: ['2024-05-05T02:00:00Z', '2024-05-05T12:00:00Z', '2024-05-06T12:00:00Z'].map(
        (timestamp, nth) => ({ event: `e${nth + 1}`, distinct_id: 'ann', timestamp }),
      ),
    },
    expect: { status: 200 },
  },
]

function list(name: string, query: Record<string, string>, expect: Expectation): ApiCase {
  const path = `${EVENTS}?${new URLSearchParams(query)}`
  return { name, endpoint: LIST, shows: 'success', path, expect }
}

function named(...names: readonly string[]): Expectation {
  return { status: 200, body: { results: names.map((event) => ({ event })) } }
}

function rows(...results: readonly unknown[]): Expectation {
  return { status: 200, body: { results } }
}

const SUNDAY = "toStartOfDay(timestamp) = toStartOfDay('2024-05-05T12:00:00Z')"

const lists: readonly ApiCase[] = [
  list('a date is a day of the project', { after: '2024-05-05' }, named('e3', 'e2')),
  list('its end too', { before: '2024-05-05' }, named('e1')),
  list('a time without a zone is of the project', { after: '2024-05-05T00:00' }, named('e3', 'e2')),
  list(
    'a time with a zone is that instant',
    { after: '2024-05-05T00:00Z' },
    {
      ...named('e3', 'e2', 'e1'),
    },
  ),
  list('also with an offset', { after: '2024-05-05T02:00+02:00' }, named('e3', 'e2', 'e1')),
  list('an expression cuts days of the project', { where: SUNDAY }, named('e2')),
  list(
    'so does one among the filters',
    { properties: JSON.stringify([{ type: 'hogql', key: SUNDAY }]) },
    named('e2'),
  ),
  list(
    'a table has days of the project',
    { select: '["toStartOfDay(timestamp)", "count()"]', orderBy: '["toStartOfDay(timestamp)"]' },
    rows(
      ['2024-05-04T04:00:00+00:00', 1],
      ['2024-05-05T04:00:00+00:00', 1],
      ['2024-05-06T04:00:00+00:00', 1],
    ),
  ),
  list(
    'and its weeks, within its bounds',
    {
      ...{ select: '["toStartOfWeek(timestamp)", "count()"]', after: '2024-05-04' },
      orderBy: '["toStartOfWeek(timestamp)"]',
    },
    rows(['2024-04-28T04:00:00+00:00', 1], ['2024-05-05T04:00:00+00:00', 2]),
  ),
  list(
    'a file has the same events',
    { format: 'csv', after: '2024-05-06' },
    {
      ...{ status: 200, text: /^[^\r]+\r\n[^\r]*,e3,[^\r]*\r\n$/ },
    },
  ),
  {
    ...list('a day that is none', { after: '2024-05-32' }, invalidField('invalid_input', 'after')),
    shows: 'error',
  },
]

function deletion(name: string, body: object, filters: object, total: number): ApiCase {
  return {
    ...{ name, endpoint: DELETIONS, shows: 'success' },
    ...{ path: '/api/projects/{zoned}/deletions/', body: { ...body, dry_run: true } },
    expect: { status: 201, body: { state: 'dry_run', total, filters } },
    unlogged: 'nothing is deleted',
  }
}

const ZONE = { timezone: 'America/New_York', week_start_day: 0 }
const DAY = { after: '2024-05-05', before: '2024-05-06' }

const deletions: readonly ApiCase[] = [
  deletion('a deletion takes the days of the project, and keeps its zone', DAY, ZONE, 1),
  deletion('its expressions too', { where: [SUNDAY] }, { ...ZONE, where: [SUNDAY] }, 1),
  deletion('one of instants needs no zone', { before: '2024-05-05T02:00:01Z', event: 'e1' }, {}, 1),
]

export const cases: readonly ApiCase[] = [...captured, ...lists, ...deletions]
