import {
  type ApiCase,
  type Expectation,
  FORBIDDEN,
  invalidField,
  NOT_FOUND,
} from './support/case.ts'

const ROOT = '/api/organizations/{organization_id}/plugins/'
const CREATE = `POST ${ROOT}`
const GET = `GET ${ROOT}{id}/`
const UPDATE = `PATCH ${ROOT}{id}/`
const DELETE = `DELETE ${ROOT}{id}/`
const SOURCE = `GET ${ROOT}{id}/source/`
const SAVE = `PATCH ${ROOT}{id}/update_source/`

const OURS = '/api/organizations/{organization}/plugins/'
const THEIRS = '/api/organizations/{foreign_organization}/plugins/'
const KEYS = ['id', 'plugin_type', 'name', 'description', 'url', 'icon', 'config_schema'].concat(
  ['tag', 'latest_tag', 'is_global', 'organization_id', 'organization_name', 'capabilities'],
  ['metrics', 'public_jobs'],
)
const READER = { scopes: ['plugin:read'] }
const WRITER = { scopes: ['plugin:write'] }
const OF_PROJECT = { scoped_teams: ['{project}'] }
const SCHEMA = [{ key: 'host', type: 'string' }]
const MANIFEST = JSON.stringify({ name: 'Geo', config: SCHEMA, publicJobs: { run: {} } })

function create(name: string, body: unknown, expect: Expectation): ApiCase {
  const shows = expect.status < 400 ? 'success' : 'error'
  return { name, endpoint: CREATE, shows, path: OURS, body, expect }
}

function save(name: string, body: unknown, expect: Expectation): ApiCase {
  const shows = expect.status < 400 ? 'success' : 'error'
  return { name, endpoint: SAVE, shows, path: `${OURS}{plugin}/update_source/`, body, expect }
}

const creating: readonly ApiCase[] = [
  {
    name: 'a plugin is installed with its files in one call',
    endpoint: CREATE,
    shows: 'success',
    path: OURS,
    body: {
      plugin_type: 'source',
      name: 'Given',
      files: { 'index.js': 'export {}', 'plugin.json': MANIFEST },
      organization_id: '{foreign_organization}',
      unknown: 1,
    },
    expect: {
      status: 201,
      body: {
        ...{ plugin_type: 'source', name: 'Geo', description: null, url: null, icon: null },
        ...{ config_schema: SCHEMA, tag: null, latest_tag: null, is_global: false },
        ...{ organization_id: '{organization}', metrics: {}, public_jobs: { run: {} } },
        capabilities: { methods: [], jobs: [], scheduled_tasks: [] },
      },
      keys: KEYS,
    },
    save: { plugin: 'id' },
  },
  {
    name: 'a form of the same fields does as well',
    endpoint: CREATE,
    shows: 'success',
    path: OURS,
    form: { plugin_type: 'source', name: 'By form', files: '{"site.ts": "x"}' },
    expect: { status: 201, body: { name: 'By form', config_schema: [] } },
  },
  {
    name: 'a member may install, since the organization may',
    endpoint: CREATE,
    shows: 'permission',
    as: 'member',
    path: OURS,
    body: { name: 'By a member' },
    expect: { status: 201, body: { plugin_type: 'source' } },
    save: { by_member: 'id' },
  },
  {
    name: 'a key that reads installs nothing',
    endpoint: CREATE,
    shows: 'permission',
    as: READER,
    path: OURS,
    body: { name: 'x' },
    expect: FORBIDDEN,
  },
  {
    name: 'a key of projects is not for plugins of the organization',
    endpoint: CREATE,
    shows: 'permission',
    as: OF_PROJECT,
    path: OURS,
    body: { name: 'x' },
    expect: FORBIDDEN,
  },
  {
    name: 'nothing is installed in a foreign organization',
    endpoint: CREATE,
    shows: 'tenancy',
    path: THEIRS,
    body: { name: 'x' },
    expect: FORBIDDEN,
  },
  create('a name is required', { plugin_type: 'source' }, invalidField('required', 'name')),
  create('a name is not blank', { name: ' ' }, invalidField('blank', 'name')),
  create('a name is short', { name: 'x'.repeat(201) }, invalidField('max_length', 'name')),
  create(
    'a type is one of four',
    { plugin_type: 'npm', name: '' },
    {
      ...invalidField('invalid_choice', 'plugin_type', '"npm" is not a valid choice.'),
    },
  ),
  create(
    'folders of the server are none',
    { plugin_type: 'local', url: 'file:/etc' },
    {
      ...invalidField('invalid_input', 'plugin_type'),
    },
  ),
  create('a type with a URL needs one', { plugin_type: 'custom' }, invalidField('required', 'url')),
  create(
    'a URL is one of the web',
    { url: 'file:///etc/passwd' },
    {
      ...invalidField('invalid_input', 'url'),
    },
  ),
  create(
    'a URL is fetched only where that is switched on',
    { url: 'https://example.com/a.js' },
    {
      ...invalidField('invalid_input', 'url'),
    },
  ),
  create('files are an object', { name: 'x', files: [] }, invalidField('invalid_input', 'files')),
  create(
    'a file has one of the known names',
    { name: 'x', files: { '../a': 'x' } },
    {
      ...invalidField('invalid_input', 'files__../a'),
    },
  ),
  create(
    'a plugin.json is JSON',
    { name: 'x', files: { 'plugin.json': '{' } },
    {
      ...invalidField('invalid_input', 'files__plugin.json'),
    },
  ),
]

const reading: readonly ApiCase[] = [
  {
    name: 'a plugin is read by its id',
    endpoint: GET,
    shows: 'success',
    path: '/api/organizations/@current/plugins/{plugin}/',
    expect: { status: 200, body: { id: '{plugin}', config_schema: SCHEMA }, keys: KEYS },
  },
  {
    name: 'a member reads it too',
    endpoint: GET,
    shows: 'permission',
    as: 'member',
    path: `${OURS}{plugin}/`,
    expect: { status: 200, body: { name: 'Geo' } },
  },
  {
    name: 'an unknown id is no plugin',
    endpoint: GET,
    shows: 'error',
    path: `${OURS}2147483647/`,
    expect: NOT_FOUND,
  },
]

const changing: readonly ApiCase[] = [
  {
    name: 'what is named is changed, what is not stays',
    endpoint: UPDATE,
    shows: 'success',
    as: WRITER,
    path: `${OURS}{plugin}/`,
    body: { description: 'Adds places', name: ' Places ', plugin_type: 'local', config_schema: 1 },
    expect: {
      status: 200,
      body: { name: 'Places', description: 'Adds places', plugin_type: 'source' },
      keys: KEYS,
    },
  },
  {
    name: 'a change of nothing is fine, and so is null',
    endpoint: UPDATE,
    shows: 'success',
    path: `${OURS}{plugin}/`,
    body: { description: null },
    expect: { status: 200, body: { name: 'Places', description: null, config_schema: SCHEMA } },
  },
  {
    name: 'a name is not null',
    endpoint: UPDATE,
    shows: 'error',
    path: `${OURS}{plugin}/`,
    body: { name: null },
    expect: invalidField('null', 'name'),
  },
  {
    name: 'a URL has no password in it',
    endpoint: UPDATE,
    shows: 'error',
    path: `${OURS}{plugin}/`,
    body: { url: 'https://me:secret@example.com/' },
    expect: invalidField('invalid_input', 'url'),
  },
  {
    name: 'a member may make one for everybody where the organization may',
    endpoint: UPDATE,
    shows: 'permission',
    as: 'member',
    path: `${OURS}{by_member}/`,
    body: { is_global: true, url: 'https://example.com/x.js?v=1' },
    expect: { status: 200, body: { is_global: true } },
  },
  {
    name: 'one URL is installed once',
    endpoint: UPDATE,
    shows: 'error',
    path: `${OURS}{plugin}/`,
    body: { url: 'https://example.com/x.js?v=2' },
    expect: invalidField('unique', 'url'),
  },
  {
    name: 'another organization sees a global one',
    endpoint: GET,
    shows: 'tenancy',
    as: 'outsider',
    path: `${THEIRS}{by_member}/`,
    expect: { status: 200, body: { is_global: true, organization_id: '{organization}' } },
  },
  {
    name: 'and does not change it',
    endpoint: UPDATE,
    shows: 'tenancy',
    as: 'outsider',
    path: `${THEIRS}{by_member}/`,
    body: { name: '' },
    expect: FORBIDDEN,
  },
]

const source: readonly ApiCase[] = [
  {
    name: 'the source is a map of files',
    endpoint: SOURCE,
    shows: 'success',
    path: `${OURS}{plugin}/source/`,
    expect: {
      status: 200,
      body: { 'index.js': 'export {}', 'plugin.json': MANIFEST },
      keys: ['index.js', 'plugin.json'],
    },
  },
  {
    name: 'a member reads the source',
    endpoint: SOURCE,
    shows: 'permission',
    as: 'member',
    path: `${OURS}{plugin}/source/`,
    expect: { status: 200 },
  },
  {
    name: 'the source of no plugin is not there',
    endpoint: SOURCE,
    shows: 'error',
    path: `${OURS}0/source/`,
    expect: NOT_FOUND,
  },
  save(
    'files are replaced and removed by name',
    { 'index.js': null, 'index.ts': 'export {}', 'frontend.tsx': 'export const a = <' },
    {
      status: 200,
      body: { 'index.ts': 'export {}', 'frontend.tsx': 'export const a = <' },
      keys: ['frontend.tsx', 'index.ts', 'plugin.json'],
    },
  ),
  save('plugin.json names the plugin', { 'plugin.json': '{"name": "Named"}' }, { status: 200 }),
  {
    name: 'and what it does not say stays',
    endpoint: GET,
    shows: 'success',
    path: `${OURS}{plugin}/`,
    expect: { status: 200, body: { name: 'Named', config_schema: SCHEMA } },
  },
  save('a change of no file is fine', {}, { status: 200, body: { 'index.ts': 'export {}' } }),
  save(
    'a broken plugin.json is refused',
    { 'plugin.json': '{"config": 1}' },
    {
      ...invalidField('invalid_input', 'plugin.json'),
    },
  ),
  save(
    'a file of another name is refused',
    { 'package.json': '{}' },
    {
      ...invalidField('invalid_input', 'package.json'),
    },
  ),
  save('a file is text', { 'index.ts': { text: '' } }, invalidField('invalid_input', 'index.ts')),
  {
    name: 'a key that reads saves no source',
    endpoint: SAVE,
    shows: 'permission',
    as: READER,
    path: `${OURS}{plugin}/update_source/`,
    body: { 'index.ts': 'x' },
    expect: FORBIDDEN,
  },
  {
    name: 'another organization saves no source of a global plugin',
    endpoint: SAVE,
    shows: 'tenancy',
    as: 'outsider',
    path: `${THEIRS}{by_member}/update_source/`,
    body: { 'index.ts': 'x' },
    expect: FORBIDDEN,
  },
]

const removing: readonly ApiCase[] = [
  {
    name: 'a global plugin is not removed',
    endpoint: DELETE,
    shows: 'error',
    path: `${OURS}{by_member}/`,
    expect: invalidField('invalid_input', null),
  },
  {
    name: 'nor by another organization',
    endpoint: DELETE,
    shows: 'tenancy',
    as: 'outsider',
    path: `${THEIRS}{by_member}/`,
    expect: FORBIDDEN,
  },
  {
    name: 'it is made its organization’s own again',
    endpoint: UPDATE,
    shows: 'success',
    path: `${OURS}{by_member}/`,
    body: { is_global: false },
    expect: { status: 200, body: { is_global: false } },
  },
  {
    name: 'a key that reads removes nothing',
    endpoint: DELETE,
    shows: 'permission',
    as: READER,
    path: `${OURS}{by_member}/`,
    expect: FORBIDDEN,
  },
  {
    name: 'then it is removed',
    endpoint: DELETE,
    shows: 'success',
    as: 'member',
    path: `${OURS}{by_member}/`,
    expect: { status: 204, text: '' },
  },
  {
    name: 'and is not there to be removed again',
    endpoint: DELETE,
    shows: 'error',
    path: `${OURS}{by_member}/`,
    expect: NOT_FOUND,
  },
]

export const cases: readonly ApiCase[] = [
  ...creating,
  ...reading,
  ...changing,
  ...source,
  ...removing,
]
