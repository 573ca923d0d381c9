/** The examples of the reference: events, flags, persons and projects of a web shop. */
import { type ApiCase, FORBIDDEN, invalidField, NOT_FOUND } from '../support/case.ts'
import { before, example } from '../support/example-case.ts'

const NESTED = '/api/projects/{project_id}'
const FLAGS = `${NESTED}/feature_flags/`
const SHOP = '/api/projects/{shop}'
const SHOP_FLAGS = `${SHOP}/feature_flags/`
const PAID = '018f3d6c-7e2a-7c11-8e62-3f5b0a9d4c21'
const NO_FLAG = `${SHOP_FLAGS}999999999/`

const projects: readonly ApiCase[] = [
  example('POST /api/projects/', 201, '/api/projects/', {
    body: { name: 'Web shop', timezone: 'Europe/Paris' },
    save: { shop: 'id', shop_token: 'api_token' },
  }),
  example('GET /api/projects/', 200, '/api/projects/?limit=1'),
  example('GET /api/projects/{id}/', 200, `${SHOP}/`),
  example('PATCH /api/projects/{id}/', 200, `${SHOP}/`, {
    body: { anonymize_ips: true, events_retention_days: 400 },
  }),
]

const events: readonly ApiCase[] = [
  example('POST /capture/', 200, '/capture/', {
    as: 'anonymous',
    body: {
      api_key: '{shop_token}',
      event: 'signed up',
      distinct_id: 'ann',
      properties: { plan: 'pro', $set: { email: 'ann@example.com' } },
      timestamp: '2026-03-01T10:00:00Z',
    },
  }),
  example('POST /batch/', 200, '/batch/', {
    as: 'anonymous',
    body: {
      api_key: '{shop_token}',
      batch: [
        { event: 'paid', distinct_id: 'ann', properties: { total: 12.5 }, uuid: PAID },
        { event: 'left', distinct_id: 'ben', timestamp: '2026-03-02T08:30:00Z' },
      ],
    },
  }),
  example(`GET ${NESTED}/events/`, 200, `${SHOP}/events/?event=paid&limit=2`),
  example(`GET ${NESTED}/events/{id}/`, 200, `${SHOP}/events/${PAID}/?shape=native`),
  example(`GET ${NESTED}/events/values/`, 200, `${SHOP}/events/values/?key=total`),
  example(`GET ${NESTED}/event_definitions/`, 200, `${SHOP}/event_definitions/?search=paid`, {
    save: { paid: 'results.0.id' },
  }),
  example(`GET ${NESTED}/event_definitions/{id}/`, 200, `${SHOP}/event_definitions/{paid}/`),
  example(`PATCH ${NESTED}/event_definitions/{id}/`, 200, `${SHOP}/event_definitions/{paid}/`, {
    body: { description: 'An order was paid.', tags: ['orders'], verified: true },
  }),
  example(`POST ${NESTED}/query/`, 200, `${SHOP}/query/`, {
    body: {
      query: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'signed up', math: 'dau' }],
        dateRange: { date_from: '2026-02-28', date_to: '2026-03-02' },
        interval: 'day',
      },
    },
    unlogged: 'a question reads',
  }),
  before('a question under a name', `POST ${NESTED}/query/`, 200, `${SHOP}/query/`, {
    body: {
      query: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'signed up' }],
        dateRange: { date_from: '2026-03-01', date_to: '2026-03-01' },
      },
      client_query_id: 'sign-ups',
    },
    unlogged: 'a question reads',
  }),
  example(`GET ${NESTED}/query/{client_query_id}/`, 200, `${SHOP}/query/sign-ups/`),
  example(`DELETE ${NESTED}/query/{client_query_id}/`, 204, `${SHOP}/query/sign-ups/`, {
    unlogged: 'a question reads',
  }),
  example(`GET ${NESTED}/ingestion_warnings/`, 200, `${SHOP}/ingestion_warnings/`),
]

const flags: readonly ApiCase[] = [
  example(`POST ${FLAGS}`, 201, SHOP_FLAGS, {
    body: {
      key: 'new-checkout',
      name: 'The checkout on one page',
      filters: {
        groups: [
          {
            properties: [
              { key: 'email', type: 'person', operator: 'icontains', value: '@example.com' },
            ],
            rollout_percentage: 50,
          },
        ],
        payloads: { true: '{"colour": "blue"}' },
      },
      tags: ['checkout'],
    },
    save: { flag: 'id' },
  }),
  example('POST /decide/', 200, '/decide/?v=3', {
    as: 'anonymous',
    body: {
      api_key: '{shop_token}',
      distinct_id: 'ann',
      person_properties: { email: 'ann@example.com' },
    },
  }),
  example(`GET ${FLAGS}`, 200, `${SHOP_FLAGS}?limit=1`),
  example(`GET ${FLAGS}{id}/`, 200, `${SHOP_FLAGS}{flag}/`),
  example(`PATCH ${FLAGS}{id}/`, 200, `${SHOP_FLAGS}{flag}/`, {
    body: { filters: { groups: [{ properties: [], rollout_percentage: 100 }] } },
  }),
  example(`GET ${FLAGS}my_flags/`, 200, `${SHOP_FLAGS}my_flags/`),
  example(`GET ${FLAGS}local_evaluation/`, 200, `${SHOP_FLAGS}local_evaluation/?send_cohorts=1`),
  example(
    'GET /api/feature_flag/local_evaluation/',
    200,
    '/api/feature_flag/local_evaluation/?token={shop_token}',
  ),
  example('GET /flags/definitions/', 200, '/flags/definitions/?token={shop_token}'),
  example('GET /api/feature_flag/', 200, '/api/feature_flag/?token={shop_token}'),
  example(`GET ${FLAGS}{id}/activity/`, 200, `${SHOP_FLAGS}{flag}/activity/?limit=1`),
  example(`POST ${FLAGS}{id}/rollback/`, 200, `${SHOP_FLAGS}{flag}/rollback/`, {
    body: { version: 1 },
  }),
  example(`GET ${FLAGS}{key}/remote_config/`, 200, `${SHOP_FLAGS}new-checkout/remote_config/`),
  example(`GET ${NESTED}/activity/`, 200, `${SHOP}/activity/?scope=FeatureFlag&limit=1`),
]

const refusals: readonly ApiCase[] = [
  example(`POST ${FLAGS}`, 400, SHOP_FLAGS, {
    shows: 'error',
    name: 'the example of a field that is wrong',
    body: { name: 'Nobody named me' },
    expect: invalidField('required', 'key'),
  }),
  example(`GET ${FLAGS}`, 401, SHOP_FLAGS, {
    shows: 'permission',
    name: 'the example of a key that is missing',
    as: 'anonymous',
  }),
  example(`GET ${FLAGS}`, 403, SHOP_FLAGS, {
    shows: 'permission',
    name: 'the example of a key that may not',
    as: { scopes: ['query:read'] },
    expect: FORBIDDEN,
  }),
  example(`GET ${FLAGS}{id}/`, 404, NO_FLAG, {
    shows: 'error',
    name: 'the example of an object that is not there',
    expect: NOT_FOUND,
  }),
]

const persons: readonly ApiCase[] = [
  example(`GET ${NESTED}/persons/`, 200, `${SHOP}/persons/?search=ann@example.com`),
  example(`GET ${NESTED}/persons/{id}/`, 200, `${SHOP}/persons/ann/`),
  example(`PATCH ${NESTED}/persons/{id}/`, 200, `${SHOP}/persons/ann/`, {
    body: { properties: { plan: 'enterprise' }, unset: ['trial'] },
  }),
  example(`POST ${NESTED}/persons/{id}/merge/`, 200, `${SHOP}/persons/ann/merge/`, {
    body: { distinct_ids: ['ann-phone'], dry_run: true },
    unlogged: 'nothing is changed',
  }),
]

const cohorts: readonly ApiCase[] = [
  example(`POST ${NESTED}/cohorts/`, 201, `${SHOP}/cohorts/`, {
    body: {
      name: 'Customers with a plan',
      filters: {
        properties: {
          type: 'AND',
          values: [{ type: 'person', key: 'plan', operator: 'is_set', value: 'is_set' }],
        },
      },
    },
    save: { cohort: 'id' },
  }),
  example(`GET ${NESTED}/cohorts/`, 200, `${SHOP}/cohorts/`),
  example(`GET ${NESTED}/cohorts/{id}/`, 200, `${SHOP}/cohorts/{cohort}/`),
  example(`PATCH ${NESTED}/cohorts/{id}/`, 200, `${SHOP}/cohorts/{cohort}/`, {
    body: { description: 'Whoever has chosen one.' },
  }),
  example(`GET ${NESTED}/cohorts/{id}/persons/`, 200, `${SHOP}/cohorts/{cohort}/persons/?limit=1`),
  example(`DELETE ${NESTED}/cohorts/{id}/`, 204, `${SHOP}/cohorts/{cohort}/`),
]

const privacy: readonly ApiCase[] = [
  example(`GET ${NESTED}/persons/{id}/export/`, 200, `${SHOP}/persons/ann/export/?by=distinct_id`),
  example(`POST ${NESTED}/deletions/`, 201, `${SHOP}/deletions/`, {
    body: { event: 'left', before: '2026-06-01' },
    save: { deletion: 'id' },
  }),
  example(`GET ${NESTED}/deletions/{id}/`, 200, `${SHOP}/deletions/{deletion}/`),
  example(`DELETE ${NESTED}/persons/{id}/`, 202, `${SHOP}/persons/ben/?by=distinct_id`),
  example(`GET ${NESTED}/deletions/`, 200, `${SHOP}/deletions/?limit=1`),
]

const ends: readonly ApiCase[] = [
  example('PATCH /api/projects/{id}/reset_token/', 200, `${SHOP}/reset_token/`),
  example('DELETE /api/projects/{id}/', 204, `${SHOP}/`),
]

export const cases: readonly ApiCase[] = [
  ...projects,
  ...events,
  ...flags,
  ...refusals,
  ...persons,
  ...cohorts,
  ...privacy,
  ...ends,
]
