import { type ApiCase, FORBIDDEN, invalidField, NOT_FOUND } from './support/case.ts'
import {
  CONFIG_KEYS,
  CREATE,
  call,
  EXPORTER,
  NO_EXTRAS,
  ONE,
  OURS,
  ownProject,
  plugin,
  READER,
  ROOT,
  THEIRS,
  UPDATE,
  WRITER,
} from './support/plugin-config-cases.ts'

const LIST = `GET ${ROOT}`
const GET = `GET ${ROOT}{id}/`
const DELETE = `DELETE ${ROOT}{id}/`
const REARRANGE = `PATCH ${ROOT}rearrange/`

const PAGE = ['count', 'next', 'previous', 'results']
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const creating: readonly ApiCase[] = [
  ownProject,
  plugin('Exporter', EXPORTER, 'plugin'),
  plugin('Frontend', { 'frontend.tsx': '' }, 'frontend'),
  plugin('Unused', {}, 'unused'),
  call(
    CREATE,
    OURS,
    'a config is off and empty unless told',
    {
      status: 201,
      body: {
        ...{
          plugin: '{plugin}',
          enabled: false,
          order: 3,
          config: '{}',
          error: null,
          ...NO_EXTRAS,
        },
        ...{ team_id: '{own_project}', created_at: MOMENT },
        ...{ plugin_version: 1, plugin_update: null },
      },
      keys: CONFIG_KEYS,
    },
    {
      as: 'member',
      body: { plugin: '{plugin}', order: '3', config: { host: 'ignored' }, id: 7, team_id: 7 },
      save: { config: 'id' },
    },
  ),
  call(
    CREATE,
    OURS,
    'a second one of the plugin updates the first',
    {
      status: 201,
      body: { id: '{config}', order: 1, enabled: true, error: { message: 'x' } },
    },
    { body: { plugin: '{plugin}', order: 1, enabled: true, error: { message: 'x' } } },
  ),
  call(
    CREATE,
    OURS,
    'one more, off',
    { status: 201, body: { enabled: false } },
    {
      as: WRITER,
      body: { plugin: '{frontend}', order: 1 },
      save: { second: 'id' },
    },
  ),
  call(CREATE, OURS, 'a plugin is required', invalidField('required', 'plugin'), { body: {} }),
  call(CREATE, OURS, 'an order is required', invalidField('required', 'order'), {
    body: { plugin: '{plugin}' },
  }),
  call(
    CREATE,
    OURS,
    'a plugin is a number',
    {
      ...invalidField(
        'incorrect_type',
        'plugin',
        'Incorrect type. Expected pk value, received bool.',
      ),
    },
    { body: { plugin: true, order: 'x' } },
  ),
  call(CREATE, OURS, 'an order has 32 bits', invalidField('max_value', 'order'), {
    body: { plugin: '{plugin}', order: 2_147_483_648 },
  }),
  call(CREATE, OURS, 'and below zero too', invalidField('min_value', 'order'), {
    body: { plugin: '{plugin}', order: -2_147_483_649 },
  }),
  call(CREATE, OURS, 'an order is whole', invalidField('invalid_input', 'order'), {
    body: { plugin: '{plugin}', order: 1.5 },
  }),
  call(CREATE, OURS, 'an error is an object', invalidField('invalid_input', 'error'), {
    body: { plugin: '{plugin}', order: 1, error: 'x' },
  }),
  call(
    CREATE,
    OURS,
    'a plugin exists',
    {
      ...invalidField('does_not_exist', 'plugin', 'Invalid pk "999999" - object does not exist.'),
    },
    { body: { plugin: 999_999, order: 1 } },
  ),
  call(
    CREATE,
    THEIRS,
    'a plugin of another organization does not',
    {
      ...invalidField('does_not_exist', 'plugin'),
    },
    { shows: 'tenancy', as: 'outsider', body: { plugin: '{plugin}', order: 1 } },
  ),
  call(CREATE, OURS, 'a key that reads makes none', FORBIDDEN, {
    shows: 'permission',
    as: READER,
    body: {},
  }),
]

const reading: readonly ApiCase[] = [
  call(
    LIST,
    `${OURS}?limit=1`,
    'configs are listed by order, then by plugin',
    {
      status: 200,
      body: { count: 2, previous: null, results: [{ id: '{config}', plugin_info: null }] },
      keys: PAGE,
      keysAt: { 'results.0': CONFIG_KEYS },
    },
    { as: READER, save: { next_page: 'next' } },
  ),
  call(LIST, '{next_page}', 'the next page has those that are off, too', {
    status: 200,
    body: { count: 2, next: null, results: [{ id: '{second}' }] },
  }),
  call(LIST, OURS, 'an outsider lists none', FORBIDDEN, { shows: 'permission', as: 'outsider' }),
  call(
    LIST,
    THEIRS,
    'configs of another project are in no list',
    {
      status: 200,
      body: { count: 0, results: [] },
    },
    { shows: 'tenancy', as: 'outsider' },
  ),
  call(LIST, '/api/projects/999999/plugin_configs/', 'no project has configs', {
    status: 404,
    body: { detail: 'Project not found.' },
  }),
  call(GET, ONE, 'one alone says what its plugin is, as text', {
    status: 200,
    body: { plugin_info: /"name":"Exporter"/, delivery_rate_24h: null },
    keys: CONFIG_KEYS,
  }),
]

const changing: readonly ApiCase[] = [
  call(
    UPDATE,
    ONE,
    'what is named is changed',
    {
      status: 200,
      body: { plugin: '{plugin}', order: 4, enabled: true, error: { message: 'x' } },
      keys: CONFIG_KEYS,
    },
    { body: { plugin: '{plugin}', order: 4, config: { host: 'ignored' } } },
  ),
  call(
    UPDATE,
    ONE,
    'another plugin moves the config there, and it begins anew',
    {
      status: 200,
      body: { id: '{config}', plugin: '{unused}', order: 4, enabled: true, error: null },
      keys: CONFIG_KEYS,
    },
    { body: { plugin: '{unused}' } },
  ),
  call(
    UPDATE,
    ONE,
    'and back, with what else is named',
    {
      status: 200,
      body: { id: '{config}', plugin: '{plugin}', order: 4, error: { message: 'x' } },
    },
    { as: WRITER, body: { plugin: '{plugin}', error: { message: 'x' } } },
  ),
  call(
    UPDATE,
    ONE,
    'a plugin that has a config takes no second one',
    invalidField('unique', 'plugin'),
    { body: { plugin: '{frontend}', order: 9 } },
  ),
  call(
    UPDATE,
    ONE,
    'nor does one that nobody has',
    invalidField('does_not_exist', 'plugin', 'Invalid pk "999999" - object does not exist.'),
    { body: { plugin: 999_999 } },
  ),
  call(
    UPDATE,
    ONE,
    'null clears the error',
    { status: 200, body: { error: null } },
    {
      body: { error: null },
    },
  ),
  call(
    UPDATE,
    ONE,
    'a change of nothing is fine',
    { status: 200, body: { order: 4 } },
    {
      body: {},
    },
  ),
  call(UPDATE, ONE, 'an order is not null', invalidField('null', 'order'), {
    body: { order: null },
  }),
  call(
    UPDATE,
    ONE,
    'the plugin of a change is a number',
    {
      ...invalidField('incorrect_type', 'plugin'),
    },
    { body: { plugin: 'x' } },
  ),
  call(
    UPDATE,
    ONE,
    'the version that runs may be named',
    { status: 200, body: { plugin_version: 1, plugin_update: null } },
    { body: { plugin_version: 1 } },
  ),
  call(
    UPDATE,
    ONE,
    'a version that is not the newest is refused',
    invalidField('invalid_input', 'plugin_version'),
    { body: { plugin_version: 7 } },
  ),
]

const ordering: readonly ApiCase[] = [
  call(
    REARRANGE,
    `${OURS}rearrange/`,
    'orders by plugin are set, enabled configs answered',
    {
      status: 200,
      body: [{ id: '{config}', order: 9, ...NO_EXTRAS }],
      keysAt: { '0': CONFIG_KEYS },
    },
    { as: WRITER, body: { orders: { '{plugin}': 9, '{frontend}': 0, '999999': 1 } } },
  ),
  call(
    REARRANGE,
    `${OURS}rearrange/`,
    'without orders nothing moves',
    {
      status: 200,
      body: [{ id: '{config}', order: 9 }],
    },
    { body: {}, unlogged: 'nothing is changed' },
  ),
  call(
    REARRANGE,
    `${OURS}rearrange/`,
    'the documented body changes the config of that plugin, and answers it',
    {
      status: 200,
      body: { id: '{second}', plugin: '{frontend}', order: -5, enabled: true, error: { a: 1 } },
      keys: CONFIG_KEYS,
    },
    { body: { plugin: '{frontend}', order: -5, enabled: true, error: { a: 1 } } },
  ),
  call(
    REARRANGE,
    `${OURS}rearrange/`,
    'some of its fields are enough',
    {
      status: 200,
      body: { id: '{second}', order: -5, enabled: false, error: null },
    },
    { body: { plugin: '{frontend}', enabled: false, error: null } },
  ),
  call(
    REARRANGE,
    `${OURS}rearrange/`,
    'but not without the plugin',
    invalidField('required', 'plugin'),
    { body: { order: 2 } },
  ),
  call(
    REARRANGE,
    `${OURS}rearrange/`,
    'one that is moved has a config',
    {
      ...invalidField('does_not_exist', 'plugin'),
    },
    { body: { plugin: '{unused}', order: 1 } },
  ),
  call(
    REARRANGE,
    `${OURS}rearrange/`,
    'orders are an object',
    {
      ...invalidField('invalid_input', 'orders'),
    },
    { body: { orders: [1] } },
  ),
  call(
    REARRANGE,
    `${OURS}rearrange/`,
    'an order has 32 bits, whatever its plugin',
    {
      ...invalidField('invalid_input', 'orders'),
    },
    { body: { orders: { '{plugin}': 1, '999999': 2_147_483_648 } } },
  ),
  call(REARRANGE, `${OURS}rearrange/`, 'a key that reads moves nothing', FORBIDDEN, {
    shows: 'permission',
    as: READER,
    body: {},
  }),
  call(
    REARRANGE,
    `${THEIRS}rearrange/`,
    'plugins of another project are not moved',
    {
      status: 200,
      body: [],
    },
    { shows: 'tenancy', as: 'outsider', body: { orders: { '{plugin}': 1 } } },
  ),
]

const removing: readonly ApiCase[] = [
  call(DELETE, ONE, 'a config is removed', { status: 204, text: '' }, { as: WRITER }),
  call(GET, ONE, 'and is not there any more', NOT_FOUND),
  call(DELETE, ONE, 'nor to be removed again', NOT_FOUND),
  call(
    CREATE,
    OURS,
    'a new one of the plugin begins anew',
    {
      status: 201,
      body: { config: '{}', error: null, enabled: false },
    },
    { body: { plugin: '{plugin}', order: 1 } },
  ),
]

export const cases: readonly ApiCase[] = [
  ...creating,
  ...reading,
  ...changing,
  ...ordering,
  ...removing,
]
