/** Insights as files, in a project of their own. */
import {
  type ApiCase,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from '../support/case.ts'

const ALL = 'GET /api/projects/{project_id}/insights/{id}/export/'
const PATH = '/api/projects/{exports}/insights/'

const EVENTS = [
  ['ina', 'view', '2T10:00:00', '/'],
  ['ina', 'view', '2T10:01:00', '=1+2'],
  ['jon', 'view', '3T10:00:00', '/'],
  ['ina', 'paid', '3T11:00:00', '/'],
].map(([distinctId, event, time, place]) => ({
  event,
  distinct_id: distinctId,
  properties: { place },
  timestamp: `2026-03-0${time}Z`,
}))

const RANGE = { date_from: '2026-03-02', date_to: '2026-03-04' }
const VIEW = { kind: 'EventsNode', event: 'view' }
const VIEWS = { kind: 'TrendsQuery', series: [VIEW], dateRange: RANGE }

function insight(name: string, saved: string, query: object): ApiCase {
  return {
    name,
    endpoint: 'POST /api/projects/{project_id}/insights/',
    shows: 'success',
    path: PATH,
    body: { name, query },
    expect: { status: 201 },
    save: { [saved]: 'short_id' },
  }
}

const made: readonly ApiCase[] = [
  {
    name: 'a project whose insights are saved as files',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Files', timezone: 'Europe/Berlin' },
    expect: { status: 201 },
    save: { exports: 'id', exports_token: 'api_token' },
  },
  {
    name: 'events of it are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: { api_key: '{exports_token}', batch: EVENTS },
    expect: { status: 200 },
  },
  insight('Übersicht: "Views" & <more>', 'file_views', VIEWS),
  insight('Compared', 'file_compared', { ...VIEWS, compareFilter: { compare: true } }),
  insight('Number', 'file_number', { ...VIEWS, trendsFilter: { display: 'BoldNumber' } }),
  insight('By place', 'file_places', { ...VIEWS, breakdownFilter: { breakdown: 'place' } }),
  insight('Ways', 'file_funnel', {
    kind: 'FunnelsQuery',
    series: [VIEW, { kind: 'EventsNode', event: 'paid' }],
    dateRange: RANGE,
  }),
  insight('Back', 'file_retention', {
    kind: 'RetentionQuery',
    dateRange: { date_from: '2026-03-02', date_to: '2026-03-03' },
    retentionFilter: {
      totalIntervals: 2,
      targetEntity: { id: 'view' },
      returningEntity: { id: null },
    },
  }),
  insight('Sticks', 'file_sticky', { kind: 'StickinessQuery', series: [VIEW], dateRange: RANGE }),
  insight('Life', 'file_life', { kind: 'LifecycleQuery', series: [VIEW], dateRange: RANGE }),
  insight('Rows', 'file_rows', {
    kind: 'EventsQuery',
    select: ['event', 'distinct_id', 'properties.place'],
    orderBy: ['timestamp'],
    after: '2026-03-01',
    before: '2026-03-05',
  }),
]

function file(
  name: string,
  path: string,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  const shows = expect.status === 200 ? 'success' : 'error'
  return { name, endpoint: ALL, shows, path: `${PATH}${path}`, expect, ...more }
}

function csv(name: string, path: string, ...lines: readonly string[]): ApiCase {
  return file(name, path, {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': /^attachment; filename="[a-z0-9-]+\.csv"$/,
      'cache-control': 'no-store',
    },
    text: lines.map((line) => `${line}\r\n`).join(''),
  })
}

/** A signature, and the first chunk: 1,024 by 512 pixels. */
const PNG = /^\ufffdPNG\r\n\x1a\n\0{3}\rIHDR\0{2}\x04\0\0{2}\x02\0/

const files: readonly ApiCase[] = [
  csv(
    'a trend has a row a day, and a column a series',
    '{file_views}/export/',
    'date,view',
    '2026-03-02,2',
    '2026-03-03,1',
    '2026-03-04,0',
  ),
  csv(
    'a comparison has the days of both ranges',
    '{file_compared}/export/?format=csv',
    'date,compared_date,view,view · previous period',
    '2026-03-02,2026-02-27,2,0',
    '2026-03-03,2026-02-28,1,0',
    '2026-03-04,2026-03-01,0,0',
  ),
  csv('one number has a row', '{file_number}/export/?format=csv', 'series,value', 'view,3'),
  csv(
    'no cell is a formula',
    '{file_rows}/export/?format=csv',
    'event,distinct_id,properties.place',
    'view,ina,/',
    "view,ina,'=1+2",
    'view,jon,/',
    'paid,ina,/',
  ),
  file('unless cells are asked for as they are', '{file_rows}/export/?format=csv&raw=true', {
    status: 200,
    text: /\r\nview,ina,=1\+2\r\n/,
  }),
  csv(
    'a funnel has a row a step',
    '{file_funnel}/export/?format=csv',
    'step,name,count,share_of_first,average_seconds',
    '1,view,2,1,',
    '2,paid,1,0.5,89940',
  ),
  csv(
    'retention has a row a cohort',
    '{file_retention}/export/?format=csv',
    'cohort,Day 0,Day 1',
    '2026-03-02,1,1',
    '2026-03-03,1,',
  ),
  csv(
    'stickiness has a row for each number of intervals',
    '{file_sticky}/export/?format=csv',
    'intervals,view',
    '1,2',
    '2,0',
    '3,0',
  ),
  csv(
    'a life cycle has a column a status',
    '{file_life}/export/?format=csv',
    'date,new,returning,resurrecting,dormant',
    '2026-03-02,1,0,0,0',
    '2026-03-03,1,0,0,-1',
    '2026-03-04,0,0,0,-1',
  ),
  file(
    'JSON is the answer to the question',
    '{file_views}/export/?format=json',
    {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { results: [{ data: [2, 1, 0], days: ['2026-03-02', '2026-03-03', '2026-03-04'] }] },
    },
    // Another call takes another time.
    { headers: { accept: 'image/png' } },
  ),
  file('a picture says what the insight is called', '{file_views}/export/?format=svg', {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'content-disposition': 'attachment; filename="ubersicht-views-more.svg"',
      'x-content-type-options': 'nosniff',
    },
    text: /<title>Übersicht: &quot;Views&quot; &amp; &lt;more&gt;<\/title>/,
  }),
  file('a picture may be dark', '{file_places}/export/?format=svg&theme=dark&width=400', {
    status: 200,
    text: /width="400" height="540".*fill="#1a1c20".*=1\+2/s,
  }),
  file(
    'a picture of pixels has the wanted size',
    '{file_views}/export/?format=png&width=1024&height=512',
    {
      status: 200,
      headers: { 'content-type': 'image/png' },
      text: PNG,
    },
  ),
]

const refusals: readonly ApiCase[] = [
  file('a form that is none is refused', '{file_views}/export/?format=pdf', {
    ...invalidField('invalid_choice', 'format'),
  }),
  file('a picture is not too small', '{file_views}/export/?format=png&width=319', {
    ...invalidField('min_value', 'width'),
  }),
  file('a picture is not too large', '{file_views}/export/?format=png&height=1201', {
    ...invalidField('max_value', 'height'),
  }),
  file('a theme that is none is refused', '{file_views}/export/?theme=blue', {
    ...invalidField('invalid_choice', 'theme'),
  }),
  file('an insight that is none is not found', 'aaaaaaaaaa/export/', NOT_FOUND),
  file('a key that may ask no questions gets no file', '{file_views}/export/', FORBIDDEN, {
    as: { scopes: ['insight:read', 'insight:write'] },
    shows: 'permission',
  }),
  {
    name: 'an insight is hidden',
    endpoint: 'PATCH /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: `${PATH}{file_number}/`,
    body: { deleted: true },
    expect: { status: 200 },
  },
  file('a hidden one is not found', '{file_number}/export/?format=png', NOT_FOUND),
]

export const cases: readonly ApiCase[] = [...made, ...files, ...refusals]
