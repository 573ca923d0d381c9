import { type ApiCase, FORBIDDEN } from './support/case.ts'

const ROOT = '/api/organizations/{organization_id}/plugins/'
const LIST = `GET ${ROOT}`
const CREATE = `POST ${ROOT}`

const OURS = '/api/organizations/{organization}/plugins/'
const THEIRS = '/api/organizations/{foreign_organization}/plugins/'
const NOBODYS = '/api/organizations/018f3d6c-7e2a-7c11-8e62-3f5b0a9d4c21/plugins/'
const KEYS = ['id', 'plugin_type', 'name', 'description', 'url', 'icon', 'config_schema'].concat(
  ['tag', 'latest_tag', 'is_global', 'organization_id', 'organization_name', 'capabilities'],
  ['metrics', 'public_jobs'],
)
const PAGE = ['count', 'next', 'previous', 'results']
const READER = { scopes: ['plugin:read'] }
const OF_PROJECT = { scoped_teams: ['{project}'] }

export const cases: readonly ApiCase[] = [
  {
    name: 'another organization has plugins of its own',
    endpoint: CREATE,
    shows: 'success',
    as: 'outsider',
    path: THEIRS,
    body: { plugin_type: 'source', name: 'Zeta' },
    expect: { status: 201 },
    save: { their_plugin: 'id' },
  },
  {
    name: 'and may have a second one',
    endpoint: CREATE,
    shows: 'success',
    as: 'outsider',
    path: THEIRS,
    body: { plugin_type: 'source', name: 'Alpha' },
    expect: { status: 201 },
  },
  {
    name: 'plugins are listed in pages, with those that come with the product',
    endpoint: LIST,
    shows: 'success',
    as: 'outsider',
    path: `${THEIRS}?limit=1`,
    expect: {
      status: 200,
      body: { previous: null, next: /limit=1&offset=1$/, results: [{}] },
      keys: PAGE,
      keysAt: { 'results.0': KEYS },
    },
    save: { next_page: 'next' },
  },
  {
    name: 'the next page goes on',
    endpoint: LIST,
    shows: 'success',
    as: 'outsider',
    path: '{next_page}',
    expect: { status: 200, body: { previous: /\?limit=1$/, results: [{}] } },
  },
  {
    name: 'a key that may read plugins lists them',
    endpoint: LIST,
    shows: 'success',
    as: READER,
    path: OURS,
    expect: { status: 200, body: { previous: null } },
  },
  {
    name: 'a key of projects lists no plugins',
    endpoint: LIST,
    shows: 'permission',
    as: OF_PROJECT,
    path: OURS,
    expect: FORBIDDEN,
  },
  {
    name: 'plugins of a foreign organization are not listed',
    endpoint: LIST,
    shows: 'tenancy',
    path: THEIRS,
    expect: FORBIDDEN,
  },
  {
    name: 'plugins of no organization are not there',
    endpoint: LIST,
    shows: 'error',
    path: NOBODYS,
    expect: { status: 404, body: { code: 'not_found', detail: 'Organization not found.' } },
  },
]
