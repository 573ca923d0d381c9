/** The examples of the reference: organizations, people, keys and plugins. */
import type { ApiCase } from '../support/case.ts'
import { before, example } from '../support/example-case.ts'

const NESTED = '/api/projects/{project_id}'
const CONFIGS = `${NESTED}/plugin_configs/`
const PLUGINS = '/api/organizations/{organization_id}/plugins/'
const INVITES = '/api/organizations/{parent_lookup_organization_id}/invites/'
const MEMBERS = '/api/organizations/{organization_id}/members/'
const USERS = '/api/users/'
const KEYS = '/api/personal_api_keys/'
const OWN = '/api/organizations/{organization}'
const SHOP_CONFIGS = '/api/projects/{own}/plugin_configs/'
const CONFIG = `${SHOP_CONFIGS}{config}/`
const UNCHANGED = { unlogged: 'nothing is changed' }

const SOURCE = `export function processEvent(event, { config }) {
  event.properties.shop = config.shop
  return event
}
export const jobs = { recount() {} }
`
const MANIFEST = JSON.stringify({
  name: 'Shop name',
  config: [{ key: 'shop', type: 'string', required: true }],
  publicJobs: { recount: {} },
})

const keys: readonly ApiCase[] = [
  example(`POST ${KEYS}`, 201, KEYS, {
    body: { label: 'Nightly report', scopes: ['query:read'], expires_at: '2099-01-01T00:00:00Z' },
    save: { key: 'id' },
  }),
  example(`GET ${KEYS}`, 200, KEYS),
  example(`GET ${KEYS}{id}/`, 200, `${KEYS}{key}/`),
  example(`PATCH ${KEYS}{id}/`, 200, `${KEYS}{key}/`, { body: { label: 'Weekly report' } }),
  example(`POST ${KEYS}{id}/roll/`, 200, `${KEYS}{key}/roll/`),
  example(`DELETE ${KEYS}{id}/`, 204, `${KEYS}{key}/`),
]

const invites: readonly ApiCase[] = [
  example(`POST ${INVITES}`, 201, `${OWN}/invites/`, {
    body: { target_email: 'bea@example.net', first_name: 'Bea', message: 'Join us.' },
    save: { invite: 'token' },
  }),
  example('GET /api/signup/{invite_id}/', 200, '/api/signup/{invite}/', { as: 'anonymous' }),
  example('POST /api/signup/{invite_id}/', 201, '/api/signup/{invite}/', {
    as: 'anonymous',
    body: { first_name: 'Bea', password: 'correct horse battery staple' },
    save: { bea: 'uuid', bea_key: 'personal_api_key' },
  }),
  example(`POST ${INVITES}bulk/`, 201, `${OWN}/invites/bulk/`, {
    body: [{ target_email: 'cy@example.net' }, { target_email: 'dee@example.net' }],
    save: { cy: '0.id', dee: '1.id' },
  }),
  example(`GET ${INVITES}`, 200, `${OWN}/invites/?limit=2`),
  example(`DELETE ${INVITES}{id}/`, 204, `${OWN}/invites/{cy}/`),
  before('the other invite goes', `DELETE ${INVITES}{id}/`, 204, `${OWN}/invites/{dee}/`),
]

const people: readonly ApiCase[] = [
  example(`GET ${USERS}@me/`, 200, `${USERS}@me/`),
  example(`PATCH ${USERS}@me/`, 200, `${USERS}@me/`, { body: { email_opt_in: true } }),
  before('it is as it was', `PATCH ${USERS}@me/`, 200, `${USERS}@me/`, {
    body: { email_opt_in: false },
  }),
  example(`GET ${USERS}`, 200, `${USERS}?limit=2`),
  example(`GET ${USERS}{id}/`, 200, `${USERS}{bea}/`),
  example(`GET ${MEMBERS}`, 200, `${OWN}/members/?limit=2`),
  example(`GET ${MEMBERS}{user}/`, 200, `${OWN}/members/{bea}/`),
  example(`PATCH ${MEMBERS}{user}/`, 200, `${OWN}/members/{bea}/`, { body: { level: 8 } }),
  example(
    `GET ${MEMBERS}{user}/personal_api_keys/`,
    200,
    `${OWN}/members/{bea}/personal_api_keys/`,
  ),
  example(`GET ${USERS}{id}/personal_api_keys/`, 200, `${USERS}{bea}/personal_api_keys/`, {
    save: { key_of_bea: '0.id' },
  }),
  before('a second key of the member', `POST ${KEYS}`, 201, KEYS, {
    as: 'anonymous',
    headers: { authorization: 'Bearer {bea_key}' },
    body: { label: 'Laptop' },
    save: { second_key: 'id' },
    unlogged: 'nobody is asked for the entries',
  }),
  example(
    `DELETE ${MEMBERS}{user}/personal_api_keys/{id}/`,
    204,
    `${OWN}/members/{bea}/personal_api_keys/{second_key}/`,
  ),
  example(
    `DELETE ${USERS}{id}/personal_api_keys/{key_id}/`,
    204,
    `${USERS}{bea}/personal_api_keys/{key_of_bea}/`,
  ),
  example(`PATCH ${USERS}{id}/`, 200, `${USERS}{bea}/`, { body: { is_active: false } }),
  example(`DELETE ${MEMBERS}{user}/`, 204, `${OWN}/members/{bea}/`),
  example(
    'GET /api/organizations/{organization_id}/activity/',
    200,
    `${OWN}/activity/?scope=OrganizationMembership&limit=1`,
  ),
]

const organizations: readonly ApiCase[] = [
  example('POST /api/organizations/', 201, '/api/organizations/', {
    body: { name: 'Corner shops' },
    save: { shops: 'id' },
  }),
  example('GET /api/organizations/', 200, '/api/organizations/?limit=2'),
  example('GET /api/organizations/{id}/', 200, '/api/organizations/{shops}/'),
  example('PATCH /api/organizations/{id}/', 200, '/api/organizations/{shops}/', {
    body: { name: 'Corner shops, united' },
    unlogged: 'the entry is in the organization that was made',
  }),
  example('DELETE /api/organizations/{id}/', 204, '/api/organizations/{shops}/'),
]

const plugins: readonly ApiCase[] = [
  before('a project for plugins', 'POST /api/projects/', 201, '/api/projects/', {
    body: { name: 'Shop with plugins' },
    save: { own: 'id' },
  }),
  example(`POST ${PLUGINS}`, 201, `${OWN}/plugins/`, {
    body: {
      plugin_type: 'source',
      name: 'Shop name',
      files: { 'index.js': SOURCE, 'plugin.json': MANIFEST },
    },
    save: { plugin: 'id' },
  }),
  example(`GET ${PLUGINS}`, 200, `${OWN}/plugins/?limit=1`),
  example(`GET ${PLUGINS}{id}/`, 200, `${OWN}/plugins/{plugin}/`),
  example(`PATCH ${PLUGINS}{id}/`, 200, `${OWN}/plugins/{plugin}/`, {
    body: { description: 'Names the shop in each event.' },
  }),
  example(`GET ${PLUGINS}{id}/source/`, 200, `${OWN}/plugins/{plugin}/source/`),
  example(`PATCH ${PLUGINS}{id}/update_source/`, 200, `${OWN}/plugins/{plugin}/update_source/`, {
    body: { 'index.js': `${SOURCE}// Checked.\n` },
  }),
]

const configs: readonly ApiCase[] = [
  example(`POST ${CONFIGS}`, 201, SHOP_CONFIGS, {
    body: { plugin: '{plugin}', order: 1 },
    save: { config: 'id' },
  }),
  example(`PATCH ${CONFIGS}{id}/settings/`, 200, `${CONFIG}settings/`, {
    body: { shop: 'Corner shop' },
  }),
  example(`PATCH ${CONFIGS}{id}/`, 200, CONFIG, { body: { enabled: true } }),
  example(`GET ${CONFIGS}`, 200, SHOP_CONFIGS),
  example(`GET ${CONFIGS}{id}/`, 200, CONFIG),
  example(`PATCH ${CONFIGS}rearrange/`, 200, `${SHOP_CONFIGS}rearrange/`, {
    body: { orders: { '{plugin}': 2 } },
  }),
  example(`POST ${CONFIGS}{id}/dry_run/`, 200, `${CONFIG}dry_run/`, {
    body: { event: { event: 'paid', distinct_id: 'ann', properties: { total: 12.5 } } },
    ...UNCHANGED,
  }),
  example(`POST ${CONFIGS}{id}/job/`, 200, `${CONFIG}job/`, {
    body: { job: { type: 'recount', payload: {} } },
  }),
  example(`GET ${CONFIGS}{id}/frontend/`, 200, `${CONFIG}frontend/`),
  example(`GET ${CONFIGS}{parent_lookup_plugin_config_id}/logs/`, 200, `${CONFIG}logs/?limit=2`),
  example(`DELETE ${CONFIGS}{id}/`, 204, CONFIG),
  example(`DELETE ${PLUGINS}{id}/`, 204, `${OWN}/plugins/{plugin}/`),
  before('the project of plugins goes', 'DELETE /api/projects/{id}/', 204, '/api/projects/{own}/'),
]

export const cases: readonly ApiCase[] = [
  ...keys,
  ...invites,
  ...people,
  ...organizations,
  ...plugins,
  ...configs,
]
