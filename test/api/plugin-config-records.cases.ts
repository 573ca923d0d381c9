import { type ApiCase, type Expectation, invalidField, NOT_FOUND } from './support/case.ts'
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
  ROOT,
  UPDATE,
} from './support/plugin-config-cases.ts'

const JOB = `POST ${ROOT}{id}/job/`
const FRONTEND = `GET ${ROOT}{id}/frontend/`
const LOGS = `GET ${ROOT}{parent_lookup_plugin_config_id}/logs/`

const PAGE = ['count', 'next', 'previous', 'results']
const SCENE = 'export const scene = { title: <b>hi</b> }'

const beforehand: readonly ApiCase[] = [
  ownProject,
  plugin('Exporter', EXPORTER, 'plugin'),
  plugin('Frontend', { 'frontend.tsx': SCENE }, 'frontend'),
  plugin('Broken', { 'frontend.tsx': 'export const' }, 'broken'),
  call(
    CREATE,
    OURS,
    'a config is made',
    { status: 201 },
    {
      body: { plugin: '{plugin}', order: 4, enabled: true },
      save: { config: 'id' },
    },
  ),
  call(
    CREATE,
    OURS,
    'and one with a frontend',
    { status: 201 },
    {
      body: { plugin: '{frontend}', order: 1 },
      save: { second: 'id' },
    },
  ),
]

const NO_JOB = invalidField('invalid_input', null)

function job(name: string, body: unknown, expect: Expectation = NO_JOB): ApiCase {
  return call(JOB, `${ONE}job/`, name, expect, { body })
}

const jobs: readonly ApiCase[] = [
  job(
    'a job is started',
    { job: { type: 'export', payload: { from: 1, force: true } } },
    {
      status: 200,
      body: { id: '{config}', ...NO_EXTRAS },
      keys: CONFIG_KEYS,
    },
  ),
  call(
    JOB,
    `${ONE}job/`,
    'the documented body starts nothing, and the config is the answer',
    {
      status: 200,
      body: { id: '{config}', order: 4, enabled: true, error: null },
      keys: CONFIG_KEYS,
    },
    {
      body: { plugin: '{plugin}', enabled: false, order: 0, error: {} },
      unlogged: 'nothing is changed',
    },
  ),
  job('its fields are checked', { order: 'x' }, invalidField('invalid_input', 'order')),
  job('and its plugin exists', { plugin: 999_999 }, invalidField('does_not_exist', 'plugin')),
  job('a job has a type', { job: {} }),
  job('and one that says something', { job: { type: '', payload: {} } }),
  job('a job is one of the plugin', { job: { type: 'import' } }),
  job('what it requires is given', { job: { type: 'export', operation: 'start' } }),
  job('and nothing that it does not declare', {
    job: { type: 'export', payload: { from: 1, x: 1 } },
  }),
  job(
    'a payload is an object',
    { job: { type: 'export', payload: [] } },
    {
      ...invalidField('invalid_input', 'job__payload'),
    },
  ),
  call(JOB, `${ONE}job/`, 'a field of staff is not for a member', NO_JOB, {
    shows: 'permission',
    as: 'member',
    body: { job: { type: 'export', payload: { from: 1, force: true } } },
  }),
  call(JOB, `${OURS}{second}/job/`, 'a plugin without public jobs starts none', NO_JOB, {
    body: { job: { type: 'export' } },
  }),
]

function frontend(name: string, config: string, accept: string, expect: Expectation): ApiCase {
  const path = `${OURS}${config}/frontend/`
  return call(FRONTEND, path, name, expect, { headers: { accept } })
}

const frontends: readonly ApiCase[] = [
  call(
    CREATE,
    OURS,
    'a config of a plugin whose frontend is broken',
    { status: 201 },
    {
      body: { plugin: '{broken}', order: 1 },
      save: { third: 'id' },
    },
  ),
  frontend('JSON is the config', '{second}', '*/*', {
    status: 200,
    body: { id: '{second}', ...NO_EXTRAS },
    keys: CONFIG_KEYS,
  }),
  frontend('JavaScript is the module', '{second}', 'application/javascript', {
    status: 200,
    headers: { 'content-type': 'application/javascript; charset=utf-8' },
    text: /^export function getFrontendApp\(require\) \{[\s\S]*createElement\("b"/,
  }),
  frontend('by either of its types', '{second}', 'text/html, text/javascript', {
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
    text: /getFrontendApp/,
  }),
  frontend('a module that is none says why', '{third}', 'text/javascript', {
    status: 200,
    text: /"error":"frontend\.tsx:1:\d+: /,
  }),
  frontend('a plugin without one says so', '{config}', 'text/javascript', {
    status: 200,
    text: /"no_frontend":true/,
  }),
  frontend('an error is JSON whatever is accepted', '999999', 'text/javascript', NOT_FOUND),
]

const logs: readonly ApiCase[] = [
  call(
    LOGS,
    `${ONE}logs/?type_filter=ERROR&type_filter=WARN&search=%25&after=2023-01-01`,
    'a log',
    {
      status: 200,
      body: { count: 0, next: null, previous: null, results: [] },
      keys: PAGE,
    },
    { as: 'member' },
  ),
  call(LOGS, `${ONE}logs/?before=soon`, 'a time is one', invalidField('invalid_input', 'before')),
  call(LOGS, `${ONE}logs/?after=2023-02-30`, 'of the calendar', {
    ...invalidField('invalid_input', 'after'),
  }),
  call(LOGS, `${ONE}logs/?type_filter=TRACE`, 'a type is one', {
    ...invalidField('invalid_choice', 'type_filter__0', '"TRACE" is not a valid choice.'),
  }),
]

const SETTINGS = `PATCH ${ROOT}{id}/settings/`
const MASK = '******** SECRET ********'

/** Settings in their order, then files by key; of secret ones nothing. */
const SHOWN_FILES =
  /^\{"host":"a","token":"\*+ SECRET \*+","certificate":\{"uid":-1,"saved":true,"size":-1,"name":"\*+ SECRET \*+","type":"[a-z/-]+"\},"rules":\{"uid":"[0-9a-f-]{36}","saved":true,"size":3,"name":"rules\.txt","type":"text\/plain"\}\}$/

const withSettings: readonly ApiCase[] = [
  plugin('Exporter with settings', EXPORTER, 'plugin'),
  call(
    CREATE,
    OURS,
    'a config is made for settings',
    { status: 201 },
    {
      body: { plugin: '{plugin}', order: 4, enabled: true },
      save: { config: 'id' },
    },
  ),
]

const settings: readonly ApiCase[] = [
  call(
    UPDATE,
    ONE,
    'a form brings settings and files',
    {
      status: 200,
      body: { config: SHOWN_FILES, order: 4 },
    },
    {
      form: {
        config: JSON.stringify({ host: 'a', token: 's3cret' }),
        'add_attachment[rules]': { file: 'rules.txt', type: 'text/plain', text: 'abc' },
        'add_attachment[certificate]': { file: 'acme.pem', type: 'x/pem', text: 's3cret' },
      },
    },
  ),
  call(
    UPDATE,
    ONE,
    'a form without a setting clears it, but for secrets',
    {
      status: 200,
      body: { config: `{"token":"${MASK}","region":"eu"}`, enabled: true },
    },
    {
      form: {
        config: '{"region": "eu"}',
        'remove_attachment[rules]': 'true',
        'remove_attachment[certificate]': '',
      },
    },
  ),
  call(UPDATE, ONE, 'the settings of a form are JSON', invalidField('invalid_input', 'config'), {
    form: { config: '{' },
  }),
  call(UPDATE, ONE, 'and checked', invalidField('invalid_input', 'config__region'), {
    form: { config: '{"region": "mars"}' },
  }),
  call(
    UPDATE,
    ONE,
    'a file is for a setting that is one',
    {
      ...invalidField('invalid_input', 'add_attachment[host]'),
    },
    { form: { 'add_attachment[host]': { file: 'a', type: 'text/plain', text: 'a' } } },
  ),
  call(
    CREATE,
    OURS,
    'a form makes a config as well',
    {
      status: 201,
      body: { id: '{config}', order: 5, config: `{"token":"${MASK}","host":"b"}` },
    },
    {
      form: { plugin: '{plugin}', order: '5', enabled: 'true', config: '{"host": "b"}' },
    },
  ),
  call(
    SETTINGS,
    `${ONE}settings/`,
    'settings are written by name, and null clears',
    {
      status: 200,
      body: { config: `{"token":"${MASK}","region":"us"}`, ...NO_EXTRAS },
      keys: CONFIG_KEYS,
    },
    { as: 'member', body: { host: null, region: 'us', token: MASK } },
  ),
  call(
    SETTINGS,
    `${ONE}settings/`,
    'the empty text clears a secret',
    {
      status: 200,
      body: { config: '{"token":"","region":"us"}' },
    },
    { body: { token: '' } },
  ),
  call(
    SETTINGS,
    `${ONE}settings/`,
    'nothing changes nothing',
    {
      status: 200,
      body: { config: '{"token":"","region":"us"}' },
    },
    { body: {} },
  ),
  call(
    SETTINGS,
    `${ONE}settings/`,
    'a setting must be declared',
    {
      ...invalidField('invalid_input', 'other'),
    },
    { body: { host: 'x', other: 1 } },
  ),
  call(
    SETTINGS,
    `${ONE}settings/`,
    'a choice must be one',
    {
      ...invalidField('invalid_input', 'region', '"mars" is not a valid choice.'),
    },
    { body: { region: 'mars' } },
  ),
]

export const cases: readonly ApiCase[] = [
  ...beforehand,
  ...jobs,
  ...frontends,
  ...logs,
  ...withSettings,
  ...settings,
]
