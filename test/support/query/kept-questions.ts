/** Questions of each kind, for the life of a project of `kept-histories.ts`. */
import type { Json } from '../../../src/core/json.ts'

const node = (event: string | null, more: Record<string, Json> = {}): Json => ({
  kind: 'EventsNode',
  event,
  ...more,
})
const trends = (series: readonly Json[], more: Record<string, Json> = {}): Json => ({
  kind: 'TrendsQuery',
  series: [...series],
  dateRange: { date_from: '-7d' },
  ...more,
})
const MATHS = ['total', 'dau', 'weekly_active', 'unique_session', 'first_time_for_user']
const UNIQUE_GROUP = { math: 'unique_group', math_group_type_index: 0 }
const BROWSER = { breakdown: '$browser', breakdown_limit: 2 }
const CHROME: Json = [{ key: '$browser', value: ['Chrome', 'Safari'], operator: 'exact' }]

export const QUESTIONS: readonly Json[] = [
  ...MATHS.map((math) => trends([node('view', { math })])),
  trends([node(null, { math: 'dau' }), node('paid', { math: 'monthly_active' })]),
  trends([node('view', { math: 'p90', math_property: 'amount' })], { interval: 'week' }),
  trends([node('view', { math: 'dau' })], { dateRange: { date_from: '-36h' }, interval: 'hour' }),
  trends([node('view', { math: 'dau' })], { trendsFilter: { display: 'BoldNumber' } }),
  trends([node('view', { math: 'unique_session' }), node(null, { math: 'dau' })], {
    trendsFilter: { display: 'ActionsTable' },
    compareFilter: { compare: true },
  }),
  trends([node('view')], { breakdownFilter: BROWSER }),
  trends([node('view', { math: 'dau' })], { breakdownFilter: BROWSER }),
  trends([node('view', { math: 'sum', math_property: 'amount' })], { breakdownFilter: BROWSER }),
  trends([node(null)], { dateRange: { date_from: 'all' }, interval: 'week' }),
  trends([node('view')], { properties: CHROME, compareFilter: { compare: true } }),
  trends([node(null), node('view')], {
    trendsFilter: { display: 'ActionsTable' },
    compareFilter: { compare: true },
  }),
  trends([node('view', { math: 'dau' })], {
    dateRange: { date_from: '-24d' },
    interval: 'week',
    compareFilter: { compare: true },
  }),
  trends([node('view'), node('paid')], { trendsFilter: { formula: 'B / A' } }),
  { kind: 'FunnelsQuery', series: [node('view'), node('paid')] },
  trends([node('view', UNIQUE_GROUP)], { trendsFilter: { display: 'BoldNumber' } }),
  { kind: 'FunnelsQuery', series: [node('view'), node('paid')], aggregation_group_type_index: 0 },
  { kind: 'RetentionQuery', retentionFilter: {}, aggregation_group_type_index: 0 },
  {
    kind: 'RetentionQuery',
    retentionFilter: {
      targetEntity: { id: 'view', type: 'events' },
      retentionType: 'retention_first_time',
    },
  },
  { kind: 'StickinessQuery', series: [node('view')] },
  { kind: 'LifecycleQuery', series: [node('view')] },
  { kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['custom_event'] } },
]
