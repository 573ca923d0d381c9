/** Named objects of the demo: insights, and a dashboard of them. */
import type { JsonObject } from '../../core/json.ts'

/** Tag of all demo objects, by which they can be removed. */
export const DEMO_TAG = 'sluice-demo'

export const DASHBOARD_NAME = 'Demo shop'
export const DASHBOARD_TEXT =
  'A shop that does not exist, filled by “sluice demo”. “sluice demo --remove” removes it.'

/** The insight that the alert of the demo looks at. */
export const WATCHED_INSIGHT = 'Checkouts'

export type DemoInsight = {
  readonly name: string
  readonly description: string
  readonly query: JsonObject
}

const MONTH = { dateRange: { date_from: '-30d' } }
const DAILY = { ...MONTH, interval: 'day' }

export const DEMO_INSIGHTS: readonly DemoInsight[] = [
  {
    name: 'Visitors',
    description: 'Persons who look at a page, by day',
    query: { kind: 'TrendsQuery', ...DAILY, series: [node('$pageview', { math: 'dau' })] },
  },
  {
    name: 'Revenue',
    description: 'What orders come to, by day',
    query: {
      kind: 'TrendsQuery',
      ...DAILY,
      series: [node('order placed', { math: 'sum', math_property: 'total' })],
    },
  },
  {
    name: 'From a product to an order',
    description: 'How many go on at each step',
    query: {
      kind: 'FunnelsQuery',
      ...MONTH,
      series: ['product viewed', 'product added', 'checkout started', 'order placed'].map((event) =>
        node(event),
      ),
    },
  },
  {
    name: 'Who comes back',
    description: 'Visitors of a day on the days after it',
    query: {
      kind: 'RetentionQuery',
      dateRange: { date_from: '-13d' },
      retentionFilter: { period: 'Day', totalIntervals: 14 },
    },
  },
  {
    name: 'Orders by country',
    description: 'The month, by where the order came from',
    query: {
      kind: 'TrendsQuery',
      ...MONTH,
      series: [node('order placed')],
      breakdownFilter: { breakdown: '$geoip_country_code', breakdown_type: 'event' },
      trendsFilter: { display: 'ActionsBarValue' },
    },
  },
  {
    name: 'Paths from the front page',
    description: 'What visitors look at next',
    query: {
      kind: 'PathsQuery',
      ...MONTH,
      pathsFilter: {
        includeEventTypes: ['$pageview', 'custom_event'],
        startPoint: '/',
        edgeLimit: 20,
      },
    },
  },
  {
    name: WATCHED_INSIGHT,
    description: 'How many begin to pay, by day',
    query: { kind: 'TrendsQuery', ...DAILY, series: [node('checkout started')] },
  },
]

function node(event: string, more: JsonObject = {}): JsonObject {
  return { kind: 'EventsNode', event, ...more }
}
