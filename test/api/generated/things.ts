/** One object of each kind, which the generated cases are about, and their removal after them. */
import type { ApiCase } from '../support/case.ts'

const PROJECT = '/api/projects/{project}'
const ORGANIZATION = '/api/organizations/{organization}'
const NESTED = '/api/projects/{project_id}'

export const makeThings: readonly ApiCase[] = [
  {
    name: 'an event is captured for the generated cases',
    endpoint: 'POST /capture/',
    shows: 'success',
    as: 'anonymous',
    path: '/capture/',
    body: { api_key: '{token}', event: 'generated event', distinct_id: 'generated' },
    expect: { status: 200, body: { status: 1 } },
  },
  {
    name: 'it is in the list of events',
    endpoint: `GET ${NESTED}/events/`,
    shows: 'success',
    path: `${PROJECT}/events/?event=generated+event&limit=1`,
    expect: { status: 200 },
    save: { thing_event: 'results.0.id' },
  },
  {
    name: 'it has a person',
    endpoint: `GET ${NESTED}/events/`,
    shows: 'success',
    path: `${PROJECT}/events/?event=generated+event&limit=1&select=person.id`,
    expect: { status: 200 },
    save: { thing_person: 'results.0.0' },
  },
  {
    name: 'a deletion is asked for, of events that there are none of',
    endpoint: `POST ${NESTED}/deletions/`,
    shows: 'success',
    path: `${PROJECT}/deletions/`,
    body: { event: 'no such event' },
    expect: { status: 201, body: { kind: 'events', total: 0 } },
    save: { thing_deletion: 'id' },
  },
  {
    name: 'its name has a definition',
    endpoint: `GET ${NESTED}/event_definitions/`,
    shows: 'success',
    path: `${PROJECT}/event_definitions/?search=generated+event`,
    expect: { status: 200, body: { count: 1, results: [{ name: 'generated event' }] } },
    save: { thing_definition: 'results.0.id' },
  },
  {
    name: 'a session begins for the generated cases',
    ...{ endpoint: 'POST /api/login/', shows: 'success', as: 'anonymous' },
    path: '/api/login/',
    body: { personal_api_key: '{owner_key}' },
    expect: { status: 200 },
  },
  {
    name: 'it is in the list of sessions',
    ...{ endpoint: 'GET /api/users/@me/sessions/', shows: 'success' },
    path: '/api/users/@me/sessions/',
    expect: { status: 200 },
    save: { thing_session: '0.id' },
  },
  {
    name: 'a feature flag is made for the generated cases',
    endpoint: `POST ${NESTED}/feature_flags/`,
    shows: 'success',
    path: `${PROJECT}/feature_flags/`,
    body: { key: 'generated' },
    expect: { status: 201, body: { key: 'generated' } },
    save: { thing_flag: 'id', thing_flag_key: 'key' },
  },
  {
    name: 'an insight is saved for the generated cases',
    endpoint: `POST ${NESTED}/insights/`,
    shows: 'success',
    path: `${PROJECT}/insights/`,
    body: {
      name: 'generated',
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: null }] },
    },
    expect: { status: 201, body: { name: 'generated' } },
    save: { thing_insight: 'id' },
  },
  {
    name: 'a cohort is made for the generated cases',
    endpoint: `POST ${NESTED}/cohorts/`,
    shows: 'success',
    path: `${PROJECT}/cohorts/`,
    body: { name: 'generated', filters: { properties: [] } },
    expect: { status: 201, body: { name: 'generated' } },
    save: { thing_cohort: 'id' },
  },
  {
    name: 'a dashboard is made for the generated cases',
    endpoint: `POST ${NESTED}/dashboards/`,
    shows: 'success',
    path: `${PROJECT}/dashboards/`,
    body: { name: 'generated' },
    expect: { status: 201, body: { name: 'generated' } },
    save: { thing_dashboard: 'id' },
  },
  {
    name: 'an annotation is made for the generated cases',
    endpoint: `POST ${NESTED}/annotations/`,
    shows: 'success',
    path: `${PROJECT}/annotations/`,
    body: { content: 'generated' },
    expect: { status: 201, body: { content: 'generated', scope: 'project' } },
    save: { thing_annotation: 'id' },
  },
  {
    name: 'a question is asked under a name for the generated cases',
    endpoint: `POST ${NESTED}/query/`,
    shows: 'success',
    path: `${PROJECT}/query/`,
    body: {
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: null }] },
      refresh: 'async',
      client_query_id: 'generated',
    },
    unlogged: 'a question reads',
    expect: { status: 202, body: { query_status: { id: 'generated', error: false } } },
    save: { thing_query: 'query_status.id' },
  },
  {
    name: 'a plugin is made for the generated cases',
    endpoint: 'POST /api/organizations/{organization_id}/plugins/',
    shows: 'success',
    path: `${ORGANIZATION}/plugins/`,
    body: { plugin_type: 'source', name: 'generated' },
    expect: { status: 201, body: { name: 'generated' } },
    save: { thing_plugin: 'id' },
  },
  {
    name: 'a plugin config is made for the generated cases',
    endpoint: `POST ${NESTED}/plugin_configs/`,
    shows: 'success',
    path: `${PROJECT}/plugin_configs/`,
    body: { plugin: '{thing_plugin}', order: 1 },
    expect: { status: 201, body: { plugin: '{thing_plugin}', enabled: false } },
    save: { thing_config: 'id' },
  },
  {
    name: 'an invite is made for the generated cases',
    endpoint: 'POST /api/organizations/{parent_lookup_organization_id}/invites/',
    shows: 'success',
    path: `${ORGANIZATION}/invites/`,
    body: { target_email: 'generated@example.com' },
    expect: { status: 201, body: { target_email: 'generated@example.com' } },
    save: { thing_invite: 'id', thing_invite_token: 'token' },
  },
  {
    name: 'a personal key is made for the generated cases',
    endpoint: 'POST /api/personal_api_keys/',
    shows: 'success',
    path: '/api/personal_api_keys/',
    body: { label: 'generated' },
    expect: { status: 201, body: { label: 'generated' } },
    save: { thing_key: 'id' },
  },
  {
    name: 'a second project is made for keys that are restricted to it',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'generated' },
    expect: { status: 201, body: { name: 'generated' } },
    save: { thing_project: 'id' },
  },
]

export const removeThings: readonly ApiCase[] = [
  removal('DELETE /api/projects/{id}/', '/api/projects/{thing_project}/'),
  removal('DELETE /api/personal_api_keys/{id}/', '/api/personal_api_keys/{thing_key}/'),
  removal(
    'DELETE /api/organizations/{parent_lookup_organization_id}/invites/{id}/',
    `${ORGANIZATION}/invites/{thing_invite}/`,
  ),
  removal(`DELETE ${NESTED}/annotations/{id}/`, `${PROJECT}/annotations/{thing_annotation}/`),
  removal(`DELETE ${NESTED}/dashboards/{id}/`, `${PROJECT}/dashboards/{thing_dashboard}/`),
  removal(`DELETE ${NESTED}/cohorts/{id}/`, `${PROJECT}/cohorts/{thing_cohort}/`),
  removal(`DELETE ${NESTED}/insights/{id}/`, `${PROJECT}/insights/{thing_insight}/`),
  removal(`DELETE ${NESTED}/plugin_configs/{id}/`, `${PROJECT}/plugin_configs/{thing_config}/`),
  removal(
    'DELETE /api/organizations/{organization_id}/plugins/{id}/',
    `${ORGANIZATION}/plugins/{thing_plugin}/`,
  ),
  {
    name: 'the feature flag of the generated cases is removed',
    endpoint: `PATCH ${NESTED}/feature_flags/{id}/`,
    shows: 'success',
    path: `${PROJECT}/feature_flags/{thing_flag}/`,
    body: { deleted: true },
    expect: { status: 200, body: { deleted: true } },
  },
]

function removal(endpoint: string, path: string): ApiCase {
  const name = `${endpoint}: the object of the generated cases is removed`
  return { name, endpoint, shows: 'success', path, expect: { status: 204, text: '' } }
}
