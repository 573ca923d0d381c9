import { type ApiCase, invalidField } from './support/case.ts'
import {
  CONFIG_KEYS,
  CREATE,
  call,
  EXPORTER,
  guarded,
  NO_EXTRAS,
  ONE,
  OURS,
  ownProject,
  plugin,
  ROOT,
  UPDATE,
} from './support/plugin-config-cases.ts'

const SETTINGS = `PATCH ${ROOT}{id}/settings/`
const MASK = '******** SECRET ********'

/** Settings in their order, then files by key; of secret ones nothing. */
const SHOWN_FILES =
  /^\{"host":"a","token":"\*+ SECRET \*+","certificate":\{"uid":-1,"saved":true,"size":-1,"name":"\*+ SECRET \*+","type":"[a-z/-]+"\},"rules":\{"uid":"[0-9a-f-]{36}","saved":true,"size":3,"name":"rules\.txt","type":"text\/plain"\}\}$/

const beforehand: readonly ApiCase[] = [
  ownProject,
  plugin('Exporter', EXPORTER, 'plugin'),
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
  ...guarded(SETTINGS, 'settings/', { host: 'x' }),
]

export const cases: readonly ApiCase[] = [...beforehand, ...settings]
