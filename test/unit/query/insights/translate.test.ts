import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { type OlderCall, translate } from '../../../../src/query/insights/older/translate.ts'

function query(call: OlderCall, asked: Json): unknown {
  const read = translate(call, asked)
  return read.ok ? read.value.query : read.error.attr
}

const A = { id: '$pageview', type: 'events', order: 1, math: 'dau', custom_name: 'Seen' }
const B = { id: null, order: 0, properties: [{ key: 'a', value: 1 }] }
const NODES = [
  { kind: 'EventsNode', properties: [{ key: 'a', value: 1 }] },
  { kind: 'EventsNode', event: '$pageview', math: 'dau', custom_name: 'Seen' },
]

t.test('flat members of a trend are a question, in the order of its events', async (t) => {
  const flat = {
    insight: 'TRENDS',
    events: [A, B],
    actions: [],
    date_from: '-7d',
    date_to: null,
    interval: 'week',
    properties: [],
    filter_test_accounts: true,
    breakdown: '$browser',
    breakdown_type: 'event',
    compare: true,
    formula: 'A/B',
    display: 'ActionsLineGraph',
    refresh: true,
  }
  t.strictSame(query('trend', flat), {
    kind: 'TrendsQuery',
    properties: [],
    filterTestAccounts: true,
    interval: 'week',
    series: NODES,
    dateRange: { date_from: '-7d' },
    breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
    compareFilter: { compare: true },
    trendsFilter: { formula: 'A/B', display: 'ActionsLineGraph' },
  })
  t.match(query('trend', { insight: 'STICKINESS', events: [A] }), { kind: 'StickinessQuery' })
})

t.test('a form sends texts, which mean what they say', async (t) => {
  const texts = {
    events: JSON.stringify([A, B]),
    properties: '[]',
    filter_test_accounts: 'true',
    compare: 'false',
    breakdown: '5',
    breakdown_limit: '5',
  }
  t.strictSame(query('trend', texts), {
    kind: 'TrendsQuery',
    properties: [],
    filterTestAccounts: true,
    series: NODES,
    breakdownFilter: { breakdown: '5', breakdown_limit: 5 },
    compareFilter: { compare: false },
  })
  const entity = { target_entity: '{"id": "a", "type": "events"}', total_intervals: '7' }
  t.match(query('retention', entity), {
    retentionFilter: { targetEntity: { id: 'a', type: 'events' }, totalIntervals: 7 },
  })
  t.equal(query('trend', { events: '[' }), 'events')
  t.equal(query('trend', { events: [], refresh: 'maybe' }), 'refresh')
})

t.test('flat members of a funnel are a question', async (t) => {
  const flat = {
    events: [A, B],
    display: 'FunnelViz',
    funnel_window_days: 3,
    funnel_order_type: 'strict',
    exclusions: [{ id: 'x', type: 'events', name: 'x', funnel_from_step: 0, funnel_to_step: 1 }],
  }
  t.strictSame(query('funnel', flat), {
    kind: 'FunnelsQuery',
    series: NODES,
    funnelsFilter: {
      funnelOrderType: 'strict',
      funnelWindowInterval: 3,
      funnelWindowIntervalUnit: 'day',
      exclusions: [{ event: 'x', funnelFromStep: 0, funnelToStep: 1 }],
    },
  })
})

t.test('flat members of retention are a question, whose last row is that of now', async (t) => {
  const target = { id: 'a', type: 'events' }
  t.strictSame(query('retention', { period: 'Week', total_intervals: 8, target_entity: target }), {
    kind: 'RetentionQuery',
    retentionFilter: { period: 'Week', totalIntervals: 8, targetEntity: target },
    dateRange: { date_from: '-7w' },
  })
  const dated = query('retention', { total_intervals: 8, date_from: '2026-01-01' })
  t.match(dated, { dateRange: { date_from: '2026-01-01' } })
})

t.test('an error has its flat name', async (t) => {
  t.equal(query('trend', { events: [A], session: 1 }), 'session')
  t.equal(query('trend', { actions: [{ id: 1 }] }), 'actions')
  t.equal(query('trend', { insight: 'PATHS' }), 'insight')
  t.equal(query('trend', { events: [{ id: 'a', type: 'actions' }] }), 'events.0.type')
  t.equal(query('trend', { events: [B, { id: 'a', colour: 1 }] }), 'events.1.colour')
  t.equal(
    query('funnel', { funnel_window_days: 1, funnel_window_interval: 1 }),
    'funnel_window_days',
  )
  t.equal(query('funnel', { exclusions: [{ id: 'x', steps: 1 }] }), 'exclusions.0.steps')
  t.equal(query('retention', { events: [A] }), 'events')

  const names = translate('trend', { events: [A, B] })
  const steps = translate('funnel', {})
  const rows = translate('retention', {})
  if (!names.ok || !steps.ok || !rows.ok) throw new Error('each is a question')
  t.equal(names.value.attrOf('series.0.event'), 'events.1.id')
  t.equal(names.value.attrOf('series.1.math'), 'events.0.math')
  t.equal(names.value.attrOf('series'), 'events')
  t.equal(names.value.attrOf('trendsFilter.formula'), 'formula')
  t.equal(names.value.attrOf('dateRange.date_to'), 'date_to')
  t.equal(
    steps.value.attrOf('funnelsFilter.exclusions.2.funnelToStep'),
    'exclusions.2.funnel_to_step',
  )
  t.equal(steps.value.attrOf('funnelsFilter.exclusions'), 'exclusions')
  t.equal(rows.value.attrOf('retentionFilter.targetEntity.type'), 'target_entity.type')
})
