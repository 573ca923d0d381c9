/** Shared by the cases of plugin configs: their endpoints, a plugin to configure, a project. */
import type { ApiCase, Expectation } from './case.ts'

export const ROOT = '/api/projects/{project_id}/plugin_configs/'
export const CREATE = `POST ${ROOT}`
export const UPDATE = `PATCH ${ROOT}{id}/`

/** Path of a project of each family, so that its lists hold nothing of the others. */
export const OURS = '/api/projects/{own_project}/plugin_configs/'
export const THEIRS = '/api/projects/{foreign_project}/plugin_configs/'
export const ONE = `${OURS}{config}/`

export const CONFIG_KEYS = ['id', 'plugin', 'enabled', 'order', 'config', 'error'].concat([
  ...[
    'team_id',
    'plugin_info',
    'delivery_rate_24h',
    'created_at',
    'plugin_version',
    'plugin_update',
  ],
])
export const READER = { scopes: ['plugin:read'] }
export const WRITER = { scopes: ['plugin:write'] }
/** Where more than one config is read or one is changed. */
export const NO_EXTRAS = { plugin_info: null, delivery_rate_24h: null }

const SCHEMA = [
  { key: 'host', type: 'string', required: true },
  { key: 'token', type: 'string', secret: true },
  { key: 'region', type: 'choice', choices: ['eu', 'us'] },
  { key: 'rules', type: 'attachment' },
  { key: 'certificate', type: 'attachment', secret: true },
]
const JOBS = { export: { payload: { from: { required: true }, force: { staff_only: true } } } }

/** The files of a plugin with settings of every kind and a public job. */
export const EXPORTER = {
  'index.js': '',
  'plugin.json': JSON.stringify({ name: 'Exporter', config: SCHEMA, publicJobs: JOBS }),
}

export const ownProject: ApiCase = {
  name: 'a project of one’s own is made',
  endpoint: 'POST /api/projects/',
  shows: 'success',
  path: '/api/projects/',
  body: { name: 'Plugins' },
  expect: { status: 201 },
  save: { own_project: 'id' },
}

/** @param saved what the cases after it call the plugin. */
export function plugin(name: string, files: object, saved: string): ApiCase {
  return {
    name: `a plugin is installed: ${name}`,
    endpoint: 'POST /api/organizations/{organization_id}/plugins/',
    shows: 'success',
    path: '/api/organizations/{organization}/plugins/',
    body: { name, files },
    expect: { status: 201 },
    save: { [saved]: 'id' },
  }
}

/** A call by the owner, unless told. */
export function call(
  endpoint: string,
  path: string,
  name: string,
  expect: Expectation,
  more: Partial<ApiCase> = {},
): ApiCase {
  const shows = expect.status < 400 ? 'success' : 'error'
  return { name, endpoint, shows, path, expect, ...more }
}
