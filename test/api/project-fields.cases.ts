/** Every writable field of a project: what is taken, what is made of it, and what is refused. */
import { type ApiCase, invalidField } from './support/case.ts'
import { GOALS_FIELD } from './support/goals-field.ts'

const PATCH = 'PATCH /api/projects/{id}/'
const PATH = '/api/projects/{fields}/'

type Wrong = readonly [sent: unknown, code: string, detail?: string, attr?: string]
type Field = {
  readonly name: string
  /** The value that is sent, and the answer where it differs. */
  readonly taken: readonly (readonly [sent: unknown, shown?: unknown])[]
  readonly refused: readonly Wrong[]
}

const NULL: Wrong = [null, 'null', 'This field may not be null.']
const NOT_BOOLEAN = ['invalid_input', 'Must be a valid boolean.'] as const
const NOT_TEXT = ['invalid_input', 'Not a valid string.'] as const
const NOT_INTEGER = ['invalid_input', 'A valid integer is required.'] as const
const TOO_LONG = (length: number) =>
  ['max_length', `Ensure this field has no more than ${length} characters.`] as const
const NOT_A_LIST = (type: string) =>
  ['not_a_list', `Expected a list of items but got type "${type}".`] as const

const TRUE_WORDS = ['true', 't', 'yes', 'y', 'on', '1', 1, 'True', 'TRUE', 'Yes', 'ON']
const FALSE_WORDS = ['false', 'f', 'no', 'n', 'off', '0', 0, 'False', 'FALSE', 'No', 'OFF']
const NO_BOOLEANS: readonly Wrong[] = ['maybe', 'tRuE', 2, -1, 0.5, [], {}, [true]].map((sent) => [
  sent,
  ...NOT_BOOLEAN,
])

function booleanField(name: string): Field {
  const taken = [[true], [false]] as const
  return { name, taken, refused: [NULL, ['', ...NOT_BOOLEAN], ['maybe', ...NOT_BOOLEAN]] }
}

function nullableBooleanField(name: string): Field {
  const taken = [[true], [null], [false], ['', null], ['true', true], ['null', null]] as const
  return { name, taken, refused: [['maybe', ...NOT_BOOLEAN]] }
}

/** First and last of the regions, paths below a region, and those without one. */
/** Names of zones that browsers report, and the listed ones that are stored. */
const ZONE_ALIASES = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Europe/Kyiv': 'Europe/Kiev',
  'America/Ciudad_Juarez': 'America/Denver',
  'Pacific/Kanton': 'Pacific/Enderbury',
  'Etc/GMT+5': 'America/Panama',
  EST5EDT: 'America/New_York',
  'America/Coyhaique': 'America/Punta_Arenas',
  'europe/berlin': 'Europe/Berlin',
  'Etc/UTC': 'UTC',
} as const
const nearTo = (sent: string, listed: string): Wrong => [
  sent,
  'invalid_choice',
  `"${sent}" is not a valid choice. Did you mean "${listed}"?`,
]
const ZONES = [
  ...['Africa/Abidjan', 'Africa/Windhoek', 'America/Adak', 'America/Argentina/Buenos_Aires'],
  ...['America/Indiana/Winamac', 'America/Kentucky/Louisville', 'America/North_Dakota/New_Salem'],
  ...['America/Port-au-Prince', 'America/Yellowknife', 'Antarctica/DumontDUrville'],
  ...['Arctic/Longyearbyen', 'Asia/Aden', 'Asia/Yerevan', 'Atlantic/Stanley', 'Australia/Sydney'],
  ...['Canada/Pacific', 'Europe/Kiev', 'Europe/Zurich', 'Indian/Reunion', 'Pacific/Wallis'],
  ...['US/Alaska', 'GMT', 'UTC'],
]

const TEXT_LISTS: readonly Field[] = [
  {
    name: 'app_urls',
    taken: [
      [['https://a.example', null]],
      [[]],
      [['x'.repeat(200)]],
      [
        [12, ' b '],
        ['12', 'b'],
      ],
    ],
    refused: [
      NULL,
      ['https://a.example', ...NOT_A_LIST('str')],
      ...[[{}, ...NOT_A_LIST('dict')] as const, [5, ...NOT_A_LIST('int')] as const],
      [['a', 'x'.repeat(201)], ...TOO_LONG(200), 'app_urls__1'],
      [[true], ...NOT_TEXT, 'app_urls__0'],
      [['a', 'b', {}], ...NOT_TEXT, 'app_urls__2'],
    ],
  },
  {
    name: 'person_display_name_properties',
    taken: [[['email', 'x'.repeat(400)]], [null], [[]]],
    refused: [
      ['email', ...NOT_A_LIST('str')],
      [['x'.repeat(401)], ...TOO_LONG(400), 'person_display_name_properties__0'],
      [[null], 'null', 'This field may not be null.', 'person_display_name_properties__0'],
    ],
  },
  {
    name: 'live_events_columns',
    taken: [[['event', 'x'.repeat(5_000)]], [null], [[]]],
    refused: [
      [{ 0: 'event' }, ...NOT_A_LIST('dict')],
      [['event', []], ...NOT_TEXT, 'live_events_columns__1'],
    ],
  },
  {
    name: 'recording_domains',
    taken: [[['https://a.example', null]], [null], [[]]],
    refused: [
      [true, ...NOT_A_LIST('bool')],
      [['x'.repeat(201)], ...TOO_LONG(200), 'recording_domains__0'],
      [
        Array.from({ length: 101 }, () => 'a'),
        'max_length',
        'Ensure this field has no more than 100 elements.',
      ],
    ],
  },
]

const TREE = {
  b: [1, { c: null }],
  a: 'x',
  '10': true,
  é: '😀',
  big: 9_007_199_254_740_991,
  f: 0.1,
}

const JSON_FIELDS: readonly Field[] = [
  {
    name: 'test_account_filters',
    taken: [[[{ key: '$host', operator: 'is_not', value: ['é'] }]], [{ a__gt: 1 }], [{}], [[]]],
    refused: [
      NULL,
      ['text', 'invalid_input'],
      [5, 'invalid_input'],
      [false, 'invalid_input'],
      [[{ key: 'age', operator: 'gt', value: 'old' }], 'invalid_input'],
      [TREE, 'invalid_input'],
    ],
  },
  {
    name: 'path_cleaning_filters',
    taken: [[[{ alias: 'x', regex: '/a/' }]], [null], [{ a: [] }]],
    refused: [['[]', 'invalid_input']],
  },
  {
    name: 'data_attributes',
    taken: [[['data-attr']], [{ a: 1 }]],
    refused: [NULL, ['data-attr', 'invalid_input']],
  },
  {
    name: 'correlation_config',
    taken: [[TREE], [null], [{}]],
    refused: [
      [[], 'invalid_input', 'Invalid data. Expected a dictionary, but got list.'],
      ['text', 'invalid_input', 'Invalid data. Expected a dictionary, but got str.'],
    ],
  },
]

const FIELDS: readonly Field[] = [
  {
    name: 'name',
    taken: [[' Trimmed ', 'Trimmed'], [12, '12'], ['Ünïcødé 名 😀'], ['x'.repeat(200)]],
    refused: [
      NULL,
      ['', 'blank', 'This field may not be blank.'],
      [' \t ', 'blank'],
      ['x'.repeat(201), ...TOO_LONG(200)],
      [true, ...NOT_TEXT],
      [['a'], ...NOT_TEXT],
      [{}, ...NOT_TEXT],
      ['a\u0000b', 'null_characters_not_allowed'],
    ],
  },
  {
    name: 'chat_incoming_webhook',
    taken: [['https://hook.example/x'], [''], [null], ['x'.repeat(500)]],
    refused: [
      ['x'.repeat(501), ...TOO_LONG(500)],
      [false, ...NOT_TEXT],
    ],
  },
  {
    name: 'anonymize_ips',
    taken: [
      ...TRUE_WORDS.map((sent) => [sent, true] as const),
      ...FALSE_WORDS.map((sent) => [sent, false] as const),
    ],
    refused: [NULL, ['', ...NOT_BOOLEAN], ['null', ...NOT_BOOLEAN], ...NO_BOOLEANS],
  },
  booleanField('completed_snippet_onboarding'),
  booleanField('is_demo'),
  booleanField('session_recording_opt_in'),
  booleanField('access_control'),
  nullableBooleanField('test_account_filters_default_checked'),
  nullableBooleanField('capture_console_log_opt_in'),
  nullableBooleanField('capture_performance_opt_in'),
  ...[...JSON_FIELDS, GOALS_FIELD],
  {
    name: 'timezone',
    taken: [...ZONES.map((zone) => [zone] as const), ...Object.entries(ZONE_ALIASES)],
    refused: [
      nearTo('Etc/GMT+12', 'Pacific/Pago_Pago'),
      nearTo('Europe/Berlim', 'Europe/Berlin'),
      nearTo('New York', 'America/New_York'),
      ...['Mars/Base', 'Europe', ' UTC', '+02:00', '__proto__', ''].map(
        (sent): Wrong => [sent, 'invalid_choice', `"${sent}" is not a valid choice.`],
      ),
      [5, 'invalid_choice'],
      [['UTC'], 'invalid_choice'],
      NULL,
    ],
  },
  { name: 'week_start_day', taken: [[0], [1]], refused: [NULL, [2, 'max_value']] },
  {
    name: 'primary_dashboard',
    taken: [
      [0],
      [-2_147_483_648],
      [2_147_483_647],
      [' 2147483647 ', 2_147_483_647],
      ['{fields_dashboard}'],
      [null],
    ],
    refused: [
      [2_147_483_648, 'max_value', 'Ensure this value is less than or equal to 2147483647.'],
      [-2_147_483_649, 'min_value', 'Ensure this value is greater than or equal to -2147483648.'],
      ...['abc', '', '1.5', '0x1', '1e3', 1.5, true, [], {}].map(
        (sent): Wrong => [sent, ...NOT_INTEGER],
      ),
    ],
  },
  ...TEXT_LISTS,
]

const READ_ONLY: Readonly<Record<string, unknown>> = {
  id: 1,
  uuid: '00000000-0000-4000-8000-000000000000',
  organization: '{foreign_organization}',
  api_token: 'phc_not_so_secret',
  created_at: '2020-01-01T00:00:00.000000Z',
  ingested_event: true,
  effective_membership_level: 1,
  has_group_types: true,
  person_on_events_querying_enabled: true,
  groups_on_events_querying_enabled: true,
}

const START: ApiCase = {
  name: 'a project is made for the fields',
  endpoint: 'POST /api/projects/',
  shows: 'success',
  path: '/api/projects/',
  body: { name: 'Fields' },
  expect: { status: 201 },
  save: {
    ...{ fields: 'id', fields_uuid: 'uuid', fields_token: 'api_token' },
    fields_created_at: 'created_at',
  },
}

const DASHBOARD: ApiCase = {
  name: 'a dashboard is made for the fields',
  endpoint: 'POST /api/projects/{project_id}/dashboards/',
  shows: 'success',
  path: '/api/projects/{fields}/dashboards/',
  body: { name: 'First' },
  expect: { status: 201 },
  save: { fields_dashboard: 'id' },
}

const fieldCases = FIELDS.flatMap(({ name, taken, refused }): ApiCase[] => [
  ...taken.map(
    ([sent, shown = sent]): ApiCase => ({
      name: `${name} takes ${brief(sent)}`,
      endpoint: PATCH,
      shows: 'success',
      path: PATH,
      body: { [name]: sent },
      expect: { status: 200, body: { [name]: shown } },
    }),
  ),
  ...refused.map(
    ([sent, code, detail, attr = name]): ApiCase => ({
      name: `${name} refuses ${brief(sent)}`,
      endpoint: PATCH,
      shows: 'error',
      path: PATH,
      body: { [name]: sent },
      expect: invalidField(code, attr, detail),
    }),
  ),
])

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const AS_FORM = {
  name: 'By form',
  app_urls: ['a', 'b'],
  anonymize_ips: true,
  primary_dashboard: null,
  correlation_config: { a: [1] },
  chat_incoming_webhook: '',
  capture_performance_opt_in: null,
}

const forms: readonly ApiCase[] = [
  {
    name: 'a form writes the fields as their texts say',
    endpoint: PATCH,
    shows: 'success',
    path: PATH,
    headers: FORM,
    rawBody: [
      'name=+By+form+&app_urls=a&app_urls=b&anonymize_ips=on&primary_dashboard=',
      'correlation_config=%7B%22a%22%3A%5B1%5D%7D&chat_incoming_webhook=',
      'capture_performance_opt_in=',
    ].join('&'),
    expect: { status: 200, body: AS_FORM },
  },
  {
    name: 'a multipart form does too',
    endpoint: PATCH,
    shows: 'success',
    path: PATH,
    form: {
      name: 'By parts',
      app_urls: '["c"]',
      anonymize_ips: 'false',
      primary_dashboard: '',
      correlation_config: '{}',
    },
    expect: {
      status: 200,
      body: {
        ...{ name: 'By parts', app_urls: ['c'], anonymize_ips: false, primary_dashboard: null },
        correlation_config: {},
      },
    },
  },
  {
    name: 'a form makes a project',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    headers: FORM,
    rawBody: 'name=Made+by+form&timezone=Europe%2FBerlin',
    expect: { status: 201, body: { name: 'Made by form', timezone: 'Europe/Berlin' } },
    save: { formed: 'id' },
  },
  {
    name: 'a form is validated as JSON is',
    endpoint: PATCH,
    shows: 'error',
    path: PATH,
    headers: FORM,
    rawBody: 'primary_dashboard=12.5',
    expect: invalidField('invalid_input', 'primary_dashboard', 'A valid integer is required.'),
  },
  {
    name: 'JSON in a form must be JSON',
    endpoint: PATCH,
    shows: 'error',
    path: PATH,
    headers: FORM,
    rawBody: 'correlation_config=%7B',
    expect: invalidField('invalid_input', 'correlation_config', 'Value must be valid JSON.'),
  },
  {
    name: 'a multipart form that ends too early is refused',
    endpoint: PATCH,
    shows: 'error',
    path: PATH,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    rawBody: '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nx',
    expect: { status: 400, body: { type: 'invalid_request', code: 'parse_error', attr: null } },
  },
  {
    name: 'the character set of a JSON body may be named',
    endpoint: PATCH,
    shows: 'success',
    path: PATH,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    rawBody: '{"name": "Named"}',
    expect: { status: 200, body: { name: 'Named' } },
  },
]

const keeps: readonly ApiCase[] = [
  {
    name: 'what only the server writes is ignored',
    endpoint: PATCH,
    shows: 'success',
    path: PATH,
    body: { ...READ_ONLY, name: 'Kept' },
    expect: {
      status: 200,
      body: {
        id: '{fields}',
        uuid: '{fields_uuid}',
        organization: '{organization}',
        api_token: '{fields_token}',
        created_at: '{fields_created_at}',
        ingested_event: false,
        effective_membership_level: 15,
        has_group_types: false,
        person_on_events_querying_enabled: false,
        groups_on_events_querying_enabled: false,
        name: 'Kept',
      },
    },
  },
  {
    name: 'every field is written by one request',
    endpoint: PATCH,
    shows: 'success',
    path: PATH,
    body: { ...firstTaken(), name: 'All' },
    expect: { status: 200, body: { ...firstShown(), name: 'All' } },
  },
  {
    name: 'and is still there when it is read',
    endpoint: 'GET /api/projects/{id}/',
    shows: 'success',
    path: PATH,
    expect: { status: 200, body: { ...firstShown(), name: 'All' } },
  },
  ...['fields', 'formed'].map(
    (name): ApiCase => ({
      name: `the project {${name}} of these cases is removed`,
      endpoint: 'DELETE /api/projects/{id}/',
      shows: 'success',
      path: `/api/projects/{${name}}/`,
      expect: { status: 204 },
    }),
  ),
]

function firstTaken(): object {
  return Object.fromEntries(FIELDS.map(({ name, taken }) => [name, taken[0]?.[0]]))
}

function firstShown(): object {
  return Object.fromEntries(
    FIELDS.map(({ name, taken }) => [
      name,
      taken[0]?.[1] === undefined ? taken[0]?.[0] : taken[0][1],
    ]),
  )
}

function brief(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 40)}… of ${text.length} characters` : text
}

export const cases: readonly ApiCase[] = [START, DASHBOARD, ...fieldCases, ...forms, ...keeps]
