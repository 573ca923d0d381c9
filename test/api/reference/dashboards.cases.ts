/** The examples of the reference: what a web shop keeps of its insights. */
import type { ApiCase } from '../support/case.ts'
import { before, example } from '../support/example-case.ts'

const NESTED = '/api/projects/{project_id}'
const INSIGHTS = `${NESTED}/insights/`
const OWN = '/api/projects/{board_shop}'
const DASHBOARDS = `${NESTED}/dashboards/`
const ANNOTATIONS = `${NESTED}/annotations/`
const RELEASE = `${OWN}/annotations/{release}/`
const BOARD = `${OWN}/dashboards/{board}/`
const ALERTS = `${NESTED}/alerts/`
const ALERT = `${OWN}/alerts/{alert}/`
const SUBSCRIPTIONS = `${NESTED}/subscriptions/`
const SUBSCRIPTION = `${OWN}/subscriptions/{subscription}/`
const LINKS = `${NESTED}/sharing/`
const LINK = `${OWN}/sharing/{link}/`
const ORDERS = `${OWN}/insights/{orders}/`

export const cases: readonly ApiCase[] = [
  before('a shop that keeps insights', 'POST /api/projects/', 201, '/api/projects/', {
    body: { name: 'Shop with dashboards', timezone: 'Europe/Paris' },
    save: { board_shop: 'id' },
  }),
  example(`POST ${INSIGHTS}`, 201, `${OWN}/insights/`, {
    body: {
      name: 'Orders a day',
      tags: ['orders'],
      query: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'paid', custom_name: 'Orders' }],
        dateRange: { date_from: '-30d' },
        interval: 'day',
      },
    },
    save: { orders: 'short_id', orders_id: 'id' },
  }),
  example(`GET ${INSIGHTS}`, 200, `${OWN}/insights/?search=orders`),
  example(`GET ${INSIGHTS}{id}/`, 200, ORDERS),
  example(`PATCH ${INSIGHTS}{id}/`, 200, ORDERS, {
    body: { description: 'Paid orders of the last 30 days.', favorited: true },
  }),
  example(`POST ${DASHBOARDS}`, 201, `${OWN}/dashboards/`, {
    body: {
      name: 'Shop',
      filters: { date_from: '-7d' },
      tiles: [
        { insight: '{orders}', layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } } },
        { text: { body: 'Orders count when they are paid.' } },
      ],
    },
    save: { board: 'id' },
  }),
  example(`GET ${DASHBOARDS}`, 200, `${OWN}/dashboards/?order=name`),
  example(`GET ${DASHBOARDS}{id}/`, 200, BOARD),
  example(`PATCH ${DASHBOARDS}{id}/`, 200, BOARD, {
    body: { description: 'What the team looks at on Mondays.', tags: ['weekly'] },
  }),
  example(`POST ${ANNOTATIONS}`, 201, `${OWN}/annotations/`, {
    body: { content: 'Release 2.0', date_marker: '2026-03-01T12:00:00Z', creation_type: 'GIT' },
    save: { release: 'id' },
  }),
  example(`GET ${ANNOTATIONS}`, 200, `${OWN}/annotations/?date_from=2026-03-01T00:00:00Z`),
  example(`GET ${ANNOTATIONS}{id}/`, 200, RELEASE),
  example(`PATCH ${ANNOTATIONS}{id}/`, 200, RELEASE, { body: { content: 'Release 2.0.1' } }),
  example(`DELETE ${ANNOTATIONS}{id}/`, 204, RELEASE),
  example(`POST ${INSIGHTS}trend/`, 200, `${OWN}/insights/trend/`, {
    body: { events: [{ id: 'paid', math: 'dau' }], date_from: '2026-03-01', date_to: '2026-03-02' },
    unlogged: 'a question reads',
  }),
  example(`POST ${INSIGHTS}funnel/`, 200, `${OWN}/insights/funnel/`, {
    body: { events: [{ id: 'added' }, { id: 'paid' }], funnel_window_days: 7 },
    unlogged: 'a question reads',
  }),
  example(`POST ${INSIGHTS}retention/`, 200, `${OWN}/insights/retention/`, {
    body: { target_entity: { id: 'paid', type: 'events' }, period: 'Week', total_intervals: 2 },
    unlogged: 'a question reads',
  }),
  example(`POST ${ALERTS}`, 201, `${OWN}/alerts/`, {
    body: {
      name: 'Few orders',
      insight: '{orders_id}',
      condition: { type: 'absolute_value' },
      threshold: { configuration: { type: 'absolute', bounds: { lower: 20 } } },
      calculation_interval: 'daily',
      enabled: false,
      webhook_url: 'https://hooks.example.com/orders',
    },
    save: { alert: 'id' },
  }),
  example(`GET ${ALERTS}`, 200, `${OWN}/alerts/`),
  example(`GET ${ALERTS}{id}/`, 200, ALERT),
  example(`PATCH ${ALERTS}{id}/`, 200, ALERT, { body: { snoozed_until: '2999-03-02T08:00:00Z' } }),
  example(`GET ${ALERTS}{id}/checks/`, 200, `${ALERT}checks/`),
  example(`DELETE ${ALERTS}{id}/`, 204, ALERT),
  example(`GET ${INSIGHTS}{id}/export/`, 200, `${ORDERS}export/?format=json`, {
    // Another call takes another time.
    headers: { accept: '*/*' },
  }),
  example(`POST ${SUBSCRIPTIONS}`, 201, `${OWN}/subscriptions/`, {
    body: {
      kind: 'insight',
      insight: '{orders_id}',
      frequency: 'weekly',
      day_of_week: 1,
      time_of_day: '08:30',
      recipients: ['team@example.com'],
    },
    save: { subscription: 'id' },
  }),
  example(`GET ${SUBSCRIPTIONS}`, 200, `${OWN}/subscriptions/`),
  example(`GET ${SUBSCRIPTIONS}{id}/`, 200, SUBSCRIPTION),
  example(`PATCH ${SUBSCRIPTIONS}{id}/`, 200, SUBSCRIPTION, { body: { day_of_week: 5 } }),
  example(`DELETE ${SUBSCRIPTIONS}{id}/`, 204, SUBSCRIPTION),
  example(`POST ${LINKS}`, 201, `${OWN}/sharing/`, {
    body: { kind: 'insight', insight: '{orders_id}', title: 'Orders of the shop' },
    save: { link: 'id', link_token: 'access_token' },
  }),
  example(`GET ${LINKS}`, 200, `${OWN}/sharing/`),
  example(`GET ${LINKS}{id}/`, 200, LINK),
  example(`PATCH ${LINKS}{id}/`, 200, LINK, { body: { expires_at: '2999-03-02T08:00:00Z' } }),
  example('GET /api/shared/{token}/', 200, '/api/shared/{link_token}/', { as: 'anonymous' }),
  example('GET /shared/{token}/card.png', 200, '/shared/{link_token}/card.png', {
    as: 'anonymous',
  }),
  example('POST /api/shared/{token}/', 200, '/api/shared/{link_token}/', {
    as: 'anonymous',
    body: { query: [{ tile: 0 }] },
    unlogged: 'it reads',
  }),
  example(`DELETE ${LINKS}{id}/`, 204, LINK),
  example(`DELETE ${DASHBOARDS}{id}/`, 204, BOARD),
  example(`DELETE ${INSIGHTS}{id}/`, 204, ORDERS),
]
