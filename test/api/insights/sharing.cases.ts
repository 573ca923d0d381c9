/** Links to insights, dashboards and sites, in a project of their own, and what they show to anybody. */
import { type ApiCase, absent, invalidField, NOT_FOUND } from '../support/case.ts'
import {
  ALL,
  card,
  change,
  DATETIME,
  FIELDS,
  get,
  link,
  list,
  make,
  open,
  PASSWORD,
  PAST,
  PATH,
  PNG,
  picture,
  REFUSED_LINKS,
  SECRET_FILTER,
  SHOWN_THINGS,
  TOKEN,
  UUID,
  VIEWS,
} from '../support/link-cases.ts'

const made: readonly ApiCase[] = [
  make(
    'a member shares an insight',
    {
      kind: 'insight',
      insight: '{views}',
      title: ' Our views ',
      expires_at: '2999-01-01T00:00:00Z',
    },
    {
      status: 201,
      keys: FIELDS,
      body: {
        id: UUID,
        kind: 'insight',
        insight: { id: '{views}', name: 'Views', deleted: false },
        dashboard: null,
        title: 'Our views',
        enabled: true,
        has_password: false,
        expires_at: '2999-01-01T00:00:00.000000Z',
        filters: {},
        access_token: TOKEN,
        created_at: DATETIME,
        created_by: { id: '{member_id}' },
      },
    },
    { as: 'member', save: { insight: 'id', insight_token: 'access_token' } },
  ),
  make(
    'a dashboard, with a password',
    { kind: 'dashboard', dashboard: '{board}', password: PASSWORD },
    {
      status: 201,
      body: { dashboard: { id: '{board}', name: 'Board' }, has_password: true, title: '' },
      text: /^(?!.*(?:correct horse|scrypt))/,
    },
    { save: { board_link: 'id', board_token: 'access_token' } },
  ),
  make(
    'a site, with filters',
    {
      kind: 'web',
      title: 'Site',
      filters: { date_from: '-30d', properties: [SECRET_FILTER], filterTestAccounts: false },
    },
    { status: 201, body: { kind: 'web', insight: null, filters: { date_from: '-30d' } } },
    { save: { site: 'id', site_token: 'access_token' } },
  ),
]

const reads: readonly ApiCase[] = [
  list('the newest link is first, none shows its token', '', 'Site', '', 'Our views'),
  list('links to one insight', '?insight_id={views}', 'Our views'),
  list('links to one dashboard', '?dashboard_id={board}', ''),
  list('links to the site', '?kind=web', 'Site'),
  {
    ...list('a kind that there is not', '?kind=x'),
    shows: 'error',
    expect: invalidField('invalid_choice', 'kind'),
  },
  get('one link, without its token', `${PATH}{insight}/`, {
    status: 200,
    keys: FIELDS,
    body: { id: '{insight}', access_token: null },
  }),
  get('a link that nobody has', `${PATH}0190a3f0-0000-7000-8000-000000000000/`, NOT_FOUND),
  get('a name that is no UUID', `${PATH}1/`, NOT_FOUND),
  {
    ...get('a link of another project', '/api/projects/{project}/sharing/{insight}/', NOT_FOUND),
    shows: 'tenancy',
  },
]

const NOT_SHARED = { error: { code: 'not_shared' } }

const opened: readonly ApiCase[] = [
  open(
    'the page of an insight, without its filters',
    '{insight_token}',
    {},
    {
      status: 200,
      keys: ['kind', 'title', 'description', 'timezone', 'tiles'],
      body: {
        kind: 'insight',
        title: 'Our views',
        description: 'A day',
        timezone: 'Europe/Berlin',
        tiles: [
          {
            name: 'Views',
            text: absent,
            query: { kind: 'TrendsQuery', series: [{ event: 'view', properties: absent }] },
          },
        ],
      },
      text: /^(?!.*kim@example)/,
    },
  ),
  open(
    'its answer, and what is no part of the page',
    '{insight_token}',
    { query: [{ tile: 0 }, { tile: 1 }, VIEWS, { tile: 0, x: 1 }, null] },
    {
      status: 200,
      body: {
        results: [
          { results: [{ label: 'view', count: 0 }], cache_key: absent, timings: absent },
          NOT_SHARED,
          NOT_SHARED,
          NOT_SHARED,
          NOT_SHARED,
        ],
      },
      text: /^(?!.*kim@example)/,
    },
  ),
  open(
    'a dashboard without its password',
    '{board_token}',
    {},
    {
      status: 401,
      body: { type: 'authentication_error', code: 'password_required', attr: null },
    },
  ),
  open(
    'a dashboard with another password',
    '{board_token}',
    { password: 'wrong horse' },
    {
      status: 401,
      body: { type: 'authentication_error', code: 'invalid_password', attr: null },
    },
  ),
  open(
    'a pass that was made up',
    '{board_token}',
    { pass: '9999999999999.x' },
    {
      status: 401,
      body: { code: 'password_required' },
    },
  ),
  {
    ...open(
      'a dashboard with its password',
      '{board_token}',
      { password: PASSWORD },
      {
        status: 200,
        body: {
          kind: 'dashboard',
          title: 'Board',
          description: 'For the team',
          tiles: [
            { text: 'Hello', name: absent, query: absent },
            { name: 'Views', layouts: { sm: { w: 6 } }, query: { kind: 'TrendsQuery' } },
          ],
          pass: /^\d{13}\.[\w-]{43}$/,
        },
        text: /^(?!.*kim@example)/,
      },
    ),
    save: { pass: 'pass' },
  },
  open(
    'the pass stands for it',
    '{board_token}',
    { pass: '{pass}', query: [{ tile: 1 }, { tile: 0 }] },
    { status: 200, body: { results: [{ results: [{ count: 0 }] }, NOT_SHARED] } },
  ),
  open(
    'the pass of another link',
    '{site_token}',
    { pass: '{pass}' },
    {
      status: 200,
      keys: ['kind', 'title', 'description', 'timezone', 'dateRange'],
      body: { kind: 'web', title: 'Site', dateRange: { date_from: '-30d' } },
    },
  ),
  open(
    'the numbers of a site',
    '{site_token}',
    {
      query: [
        { kind: 'WebOverviewQuery' },
        {
          kind: 'WebTrendsQuery',
          metrics: ['views'],
          dateRange: { date_from: '-1d', date_to: '-1dEnd' },
        },
        { kind: 'WebStatsTableQuery', breakdownBy: 'Page', dateRange: { date_from: '-7d' } },
        { kind: 'WebGoalsQuery', dateRange: { date_from: '-7d' } },
        { current: true },
      ],
    },
    {
      status: 200,
      body: {
        results: [
          { results: [{ key: 'visitors' }, {}, {}, {}, {}, {}] },
          { results: [{ label: 'views' }, { label: 'views' }] },
          { results: [] },
          { results: [['Paid', [0, 0], [0, 0], [null, null]]] },
          { results: [[0]] },
        ],
      },
      text: /^(?!.*(?:kim@example|secret plan))/,
    },
  ),
  open(
    'other questions about a site',
    '{site_token}',
    {
      query: [
        { kind: 'SessionsQuery' },
        { kind: 'EventsQuery', select: ['*'] },
        { kind: 'WebOverviewQuery', properties: [] },
        { current: true, properties: [] },
        { kind: 'WebOverviewQuery', dateRange: { date_from: '2020-01-01' } },
        { kind: 'WebStatsTableQuery', breakdownBy: 'Person' },
        { kind: 'WebTrendsQuery', metrics: ['visitors', 'views'] },
        { tile: 0 },
      ],
    },
    { status: 200, body: { results: Array.from({ length: 8 }, () => NOT_SHARED) } },
  ),
  open(
    'a question that is no list',
    '{site_token}',
    { query: {} },
    invalidField('not_a_list', 'query'),
  ),
  open('a token that was guessed', 'x'.repeat(43), {}, NOT_FOUND),
]

const cards: readonly ApiCase[] = [
  {
    name: 'the project has addresses',
    endpoint: 'PATCH /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{sharing}/',
    body: { app_urls: ['https://shop.example.com/start', 'x;y'] },
    expect: { status: 200 },
  },
  link('fresh', { kind: 'insight', insight: '{views}' }),
  card('the card of a link', '{fresh_token}', {
    status: 200,
    body: {
      title: 'Views',
      description: 'A day',
      has_password: false,
      embed_origins: ['https://shop.example.com'],
      has_picture: true,
    },
  }),
  picture('the picture of a link', '{fresh_token}', {
    status: 200,
    headers: {
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
    },
    text: PNG,
  }),
  link('locked', { kind: 'insight', insight: '{views}', password: PASSWORD, title: 'Ours' }),
  card('the card of a link with a password', '{locked_token}', {
    status: 200,
    body: { title: '', description: '', has_password: true, has_picture: false },
  }),
  picture('a link with a password has no picture', '{locked_token}', NOT_FOUND),
  card('the card of no link', 'x'.repeat(43), NOT_FOUND),
  picture('the picture of no link', 'x'.repeat(43), NOT_FOUND),
  picture('the picture of a site', '{site_token}', { status: 200, text: PNG }),
  link('texts_link', { kind: 'dashboard', dashboard: '{texts}' }),
  card('the card of texts', '{texts_link_token}', { status: 200, body: { has_picture: false } }),
  picture('texts have no picture', '{texts_link_token}', NOT_FOUND),
]

const MASK = '********'
const password = (action: string, before: string | null, after: string | null) => {
  return { field: 'password', action, before, after }
}

const ended: readonly ApiCase[] = [
  link('off', { kind: 'web' }),
  change(
    'it is switched off',
    'off',
    { enabled: false },
    { status: 200, body: { enabled: false } },
  ),
  open('a link that is off', '{off_token}', {}, NOT_FOUND),
  change('it is on again', 'off', { enabled: true }, { status: 200, body: { enabled: true } }),
  open('a link that is on again', '{off_token}', {}, { status: 200 }),
  link('past', { kind: 'web', expires_at: PAST }),
  open('a link after its end', '{past_token}', {}, NOT_FOUND),
  change(
    'it never ends',
    'past',
    { expires_at: null },
    { status: 200, body: { expires_at: null } },
  ),
  open('a link without an end', '{past_token}', {}, { status: 200 }),
  change(
    'another password',
    'board_link',
    { password: 'another horse' },
    { status: 200, keys: FIELDS, body: { has_password: true, access_token: null } },
  ),
  open(
    'the pass of the old password',
    '{board_token}',
    { pass: '{pass}' },
    {
      status: 401,
      body: { code: 'password_required' },
    },
  ),
  change(
    'no password',
    'board_link',
    { password: null, title: 'Ours' },
    {
      status: 200,
      body: { has_password: false, title: 'Ours' },
    },
  ),
  open(
    'a dashboard that has no password any more',
    '{board_token}',
    {},
    {
      status: 200,
      body: { title: 'Ours', pass: absent },
    },
  ),
  change(
    'filters of a dashboard',
    'board_link',
    { filters: { date_from: '-7d' } },
    invalidField('invalid_input', 'filters__date_from'),
  ),
  link('revoked', { kind: 'web' }),
  {
    name: 'a link is removed',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'success',
    path: `${PATH}{revoked}/`,
    expect: { status: 204, text: '' },
  },
  open('a link that was removed', '{revoked_token}', {}, NOT_FOUND),
  {
    name: 'nobody removes it again',
    endpoint: `DELETE ${ALL}{id}/`,
    shows: 'error',
    path: `${PATH}{revoked}/`,
    expect: NOT_FOUND,
  },
  link('hidden', { kind: 'insight', insight: '{views}' }),
  {
    name: 'the insight is hidden',
    endpoint: 'PATCH /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: '/api/projects/{sharing}/insights/{views}/',
    body: { deleted: true },
    expect: { status: 200 },
  },
  open('a link to a hidden insight', '{hidden_token}', {}, NOT_FOUND),
  {
    name: 'the insight is removed',
    endpoint: 'DELETE /api/projects/{project_id}/insights/{id}/',
    shows: 'success',
    path: '/api/projects/{sharing}/insights/{views}/',
    expect: { status: 204, text: '' },
  },
  get('its links are removed', `${PATH}{hidden}/`, NOT_FOUND),
  {
    name: 'the activity has the changes of a link, without passwords and tokens',
    endpoint: 'GET /api/projects/{project_id}/activity/',
    shows: 'success',
    path: '/api/projects/{sharing}/activity/?scope=SharedLink&item_id={board_link}',
    expect: {
      status: 200,
      body: {
        count: 3,
        results: [
          { detail: { changes: [{ field: 'title' }, password('deleted', MASK, null)] } },
          { activity: 'updated', detail: { changes: [password('changed', MASK, MASK)] } },
          { activity: 'created' },
        ],
      },
      text: /^(?!.*(?:horse|scrypt|access_token"))/,
    },
  },
  link('last', { kind: 'web' }),
  {
    name: 'the project is removed',
    endpoint: 'DELETE /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{sharing}/',
    expect: { status: 204 },
  },
  open('a link of a project that is gone', '{last_token}', {}, NOT_FOUND),
]

export const cases: readonly ApiCase[] = [
  ...SHOWN_THINGS,
  ...made,
  ...reads,
  ...REFUSED_LINKS,
  ...opened,
  ...cards,
  ...ended,
]
