/** The management endpoints of the service's specification, in its order and spelling. */
const PROJECT = '/api/projects/{project_id}'
const CONFIGS = `${PROJECT}/plugin_configs`
const INVITES = '/api/organizations/{parent_lookup_organization_id}/invites'

export const SEED_ENDPOINTS: readonly string[] = [
  `GET ${CONFIGS}/`,
  `POST ${CONFIGS}/`,
  `GET ${CONFIGS}/{parent_lookup_plugin_config_id}/logs/`,
  `GET ${CONFIGS}/{id}/`,
  `PATCH ${CONFIGS}/{id}/`,
  `DELETE ${CONFIGS}/{id}/`,
  `GET ${CONFIGS}/{id}/frontend/`,
  `POST ${CONFIGS}/{id}/job/`,
  `PATCH ${CONFIGS}/rearrange/`,
  `GET ${INVITES}/`,
  `POST ${INVITES}/`,
  `DELETE ${INVITES}/{id}/`,
  `POST ${INVITES}/bulk/`,
  `GET ${PROJECT}/event_definitions/`,
  `GET ${PROJECT}/event_definitions/{id}/`,
  `PATCH ${PROJECT}/event_definitions/{id}/`,
  `GET ${PROJECT}/events/`,
  `GET ${PROJECT}/events/{id}/`,
  `GET ${PROJECT}/events/values/`,
  'GET /api/projects/',
  'POST /api/projects/',
  'GET /api/projects/{id}/',
  'PATCH /api/projects/{id}/',
  'DELETE /api/projects/{id}/',
  'GET /api/users/@me/',
]
