import t from 'tap'
import { type Json, objectOf } from '../../../../src/core/json.ts'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import { createReading } from '../../../../src/query/insights/read/common.ts'
import { readQuestion } from '../../../../src/query/insights/read/read-question.ts'

const NOW = Date.parse('2026-10-27T12:00:00Z')
const VIEW = { kind: 'EventsNode', event: 'view' }
const GOAL = { label: 'Plan', value: 90 }
const TRENDS = { kind: 'TrendsQuery', series: [VIEW] }
const GROUPS = { ...VIEW, math: 'unique_group' }
const GROUP_TYPE = 'series.0.math_group_type_index'
const FUNNEL = { kind: 'FunnelsQuery', series: [VIEW, VIEW] }

/** The path of what is wrong; undefined when nothing is. */
function wrong(question: Json, testAccounts: Json = []): string | null | undefined {
  const read = readQuestion(question, createReading(zoneOf('UTC'), NOW, testAccounts))
  return read.ok ? undefined : read.error.attr
}

t.test('no member is ignored: what is unknown or wrong is named by its path', async (t) => {
  const cases: readonly (readonly [Json, string])[] = [
    ['TrendsQuery', 'kind'],
    [null, 'kind'],
    [{ kind: 'HogQLQuery' }, 'kind'],
    [{ ...TRENDS, cake: null }, 'cake'],
    [{ ...TRENDS, modifiers: { a: 1 } }, 'modifiers.a'],
    [{ ...TRENDS, series: VIEW }, 'series'],
    [{ ...TRENDS, series: [] }, 'series'],
    [{ ...TRENDS, series: Array.from({ length: 11 }, () => VIEW) }, 'series'],
    [{ ...TRENDS, series: [VIEW, { kind: 'ActionsNode' }] }, 'series.1.kind'],
    [{ ...TRENDS, series: [{ kind: 'ActionsNode', id: 1 }] }, 'series.0.kind'],
    [{ ...TRENDS, series: [{ event: 'view', cake: 1 }] }, 'series.0.kind'],
    [{ ...TRENDS, series: [{ ...VIEW, cake: 1 }] }, 'series.0.cake'],
    [{ ...TRENDS, series: [{ ...VIEW, event: 1 }] }, 'series.0.event'],
    [{ ...TRENDS, series: [{ ...VIEW, math: 'sum' }] }, 'series.0.math_property'],
    [{ ...TRENDS, series: [{ ...VIEW, math_property: 'a' }] }, 'series.0.math_property'],
    [{ ...TRENDS, series: [{ ...VIEW, math: 'unique_group' }] }, GROUP_TYPE],
    [{ ...TRENDS, series: [{ ...VIEW, math_group_type_index: 0 }] }, GROUP_TYPE],
    [{ ...TRENDS, series: [{ ...GROUPS, math_group_type_index: 5 }] }, GROUP_TYPE],
    [{ ...TRENDS, aggregation_group_type_index: 0 }, 'aggregation_group_type_index'],
    [{ ...FUNNEL, aggregation_group_type_index: 5 }, 'aggregation_group_type_index'],
    [{ ...TRENDS, series: [{ ...VIEW, properties: 1 }] }, 'series.0.properties'],
    [{ ...TRENDS, dateRange: { date_from: '2026-02-30' } }, 'dateRange.date_from'],
    [{ ...TRENDS, dateRange: { date_to: 'all' } }, 'dateRange.date_to'],
    [{ ...TRENDS, filterTestAccounts: 'yes' }, 'filterTestAccounts'],
    [{ ...TRENDS, trendsFilter: { formula: 'A+B' } }, 'trendsFilter.formula'],
    [{ ...TRENDS, trendsFilter: { display: 'Cake' } }, 'trendsFilter.display'],
    [{ ...TRENDS, trendsFilter: { goalLines: 5 } }, 'trendsFilter.goalLines'],
    [{ ...TRENDS, trendsFilter: { goalLines: Array(11).fill(GOAL) } }, 'trendsFilter.goalLines'],
    [{ ...TRENDS, trendsFilter: { goalLines: [GOAL, {}] } }, 'trendsFilter.goalLines.1.label'],
    [
      { ...TRENDS, trendsFilter: { goalLines: [{ ...GOAL, value: '5' }] } },
      'trendsFilter.goalLines.0.value',
    ],
    [
      { ...TRENDS, trendsFilter: { goalLines: [{ ...GOAL, cake: 1 }] } },
      'trendsFilter.goalLines.0.cake',
    ],
    [{ ...TRENDS, compareFilter: { compare: true, compare_to: '7d' } }, 'compareFilter.compare_to'],
    [{ ...TRENDS, breakdownFilter: { breakdown: '' } }, 'breakdownFilter.breakdown'],
    [
      { ...TRENDS, breakdownFilter: { breakdown: 'a', breakdown_limit: 0 } },
      'breakdownFilter.breakdown_limit',
    ],
    [
      { ...TRENDS, breakdownFilter: { breakdown: 'a', breakdown_type: 'group' } },
      'breakdownFilter.breakdown_group_type_index',
    ],
    [
      { ...TRENDS, breakdownFilter: { breakdown: 'a', breakdown_group_type_index: 0 } },
      'breakdownFilter.breakdown_group_type_index',
    ],
    [
      {
        ...TRENDS,
        breakdownFilter: {
          breakdown: 'a',
          breakdown_type: 'group',
          breakdown_group_type_index: 5,
        },
      },
      'breakdownFilter.breakdown_group_type_index',
    ],
    [{ ...TRENDS, properties: [{ type: 'group', key: 'a', value: 1 }] }, 'properties'],
    [
      { ...TRENDS, properties: [{ type: 'group', group_type_index: 5, key: 'a', value: 1 }] },
      'properties',
    ],
    [{ ...FUNNEL, series: [VIEW] }, 'series'],
    [{ ...FUNNEL, interval: 'day' }, 'interval'],
    [{ ...FUNNEL, series: [VIEW, { ...VIEW, math: 'dau' }] }, 'series.1.math'],
    [
      { ...FUNNEL, funnelsFilter: { funnelWindowInterval: 0 } },
      'funnelsFilter.funnelWindowInterval',
    ],
    [
      { ...FUNNEL, funnelsFilter: { exclusions: [{ kind: 'ActionsNode', event: 'x' }] } },
      'funnelsFilter.exclusions.0.kind',
    ],
    [
      { ...FUNNEL, funnelsFilter: { exclusions: [{ event: 'x', properties: 1 }] } },
      'funnelsFilter.exclusions.0.properties',
    ],
    [
      { ...FUNNEL, funnelsFilter: { exclusions: [{ event: 'x', funnelToStep: 2 }] } },
      'funnelsFilter.exclusions.0.funnelToStep',
    ],
    [
      { kind: 'RetentionQuery', retentionFilter: { totalIntervals: 101 } },
      'retentionFilter.totalIntervals',
    ],
    [
      { kind: 'RetentionQuery', retentionFilter: { targetEntity: { id: 'a', type: 'actions' } } },
      'retentionFilter.targetEntity.type',
    ],
    [{ kind: 'LifecycleQuery', series: [VIEW, VIEW] }, 'series'],
    [{ ...FUNNEL, breakdownFilter: { cake: 1 } }, 'breakdownFilter.cake'],
    [{ ...FUNNEL, funnelsFilter: { funnelFromStep: 0 } }, 'funnelsFilter.funnelFromStep'],
    [
      { ...FUNNEL, funnelsFilter: { breakdownAttributionType: 'step' } },
      'funnelsFilter.breakdownAttributionType',
    ],
    [{ kind: 'PathsQuery', pathsFilter: { cake: 1 } }, 'pathsFilter.cake'],
    [{ kind: 'PathsQuery', pathsFilter: { stepLimit: 1 } }, 'pathsFilter.stepLimit'],
    [{ kind: 'PathsQuery', interval: 'day' }, 'interval'],
    [{ kind: 'EventsQuery', dateRange: {} }, 'dateRange'],
    [{ kind: 'EventsQuery', select: 'event' }, 'select'],
    [{ kind: 'EventsQuery', select: ['event('] }, 'select'],
    [{ kind: 'EventsQuery', limit: 10_001 }, 'limit'],
    [{ kind: 'EventsQuery', modifiers: { a: 1 } }, 'modifiers.a'],
  ]
  for (const [question, path] of cases) t.equal(wrong(question), path, JSON.stringify(question))
})

t.test('no member of a filter is ignored: what no filter has is named by its path', async (t) => {
  const filter = { key: 'a', value: 1, operator: 'exact', type: 'event' }
  const odd = { ...filter, negation: true }
  const groups = (item: Json) => ({ type: 'AND', values: [{ type: 'OR', values: [item] }] })
  const group = { ...filter, type: 'group', group_type_index: 0 }
  for (const properties of [[], [filter, group], groups(filter), { a: 1, negation: 2 }]) {
    t.equal(wrong({ ...TRENDS, properties }), undefined, JSON.stringify(properties))
  }
  t.equal(wrong({ ...TRENDS, properties: [filter, odd] }), 'properties.1.negation')
  t.equal(wrong({ ...TRENDS, properties: groups(odd) }), 'properties.values.0.values.0.negation')
  t.equal(wrong({ ...TRENDS, properties: odd }), 'properties.negation')
  t.equal(wrong({ ...TRENDS, properties: [{ ...groups(filter), id: 1 }] }), 'properties.0.id')
  const byIndex = { ...filter, group_type_index: 0 }
  t.equal(wrong({ ...TRENDS, properties: [byIndex] }), 'properties.0.group_type_index')
  const series = [{ ...VIEW, properties: [odd] }]
  t.equal(wrong({ ...TRENDS, series }), 'series.0.properties.0.negation')
  t.equal(wrong({ kind: 'EventsQuery', properties: [odd] }), 'properties.0.negation')
  const people = { ...TRENDS, filterTestAccounts: true }
  t.equal(wrong(people, [odd]), undefined, 'those of the project are no part of the question')
})

t.test('fields of any question', async (t) => {
  const common = { tags: {}, version: 2, modifiers: {}, filterTestAccounts: true }
  for (const question of [TRENDS, FUNNEL, { kind: 'RetentionQuery' }, { kind: 'PathsQuery' }]) {
    t.equal(wrong({ ...question, ...common }), undefined, question.kind)
  }
  t.equal(wrong({ ...TRENDS, filterTestAccounts: true }, [{ key: 1 }]), 'filterTestAccounts')
})

t.test(
  'a number is named by its question: what names none is an error of its member',
  async (t) => {
    const of = (source: Json, point: Record<string, Json> = {}): Json => ({
      kind: 'ActorsQuery',
      source: { kind: 'InsightActorsQuery', source, ...point },
    })
    const formula = { ...TRENDS, series: [VIEW, VIEW], trendsFilter: { formula: 'A+B' } }
    const by = { ...TRENDS, breakdownFilter: { breakdown: 'a' } }
    const retention = { kind: 'RetentionQuery', retentionFilter: { totalIntervals: 3 } }
    const sticky = { kind: 'StickinessQuery', series: [VIEW, VIEW] }
    const lifecycle = { kind: 'LifecycleQuery', series: [VIEW] }
    const cases: readonly (readonly [Json, string])[] = [
      [{ kind: 'ActorsQuery' }, 'source'],
      [{ kind: 'ActorsQuery', source: 1 }, 'source'],
      [{ kind: 'ActorsQuery', source: { ...TRENDS, dateRange: {} } }, 'source.kind'],
      [{ kind: 'ActorsQuery', source: { kind: 'InsightActorsQuery' } }, 'source.source'],
      [{ kind: 'ActorsQuery', select: [] }, 'select'],
      [of(of(TRENDS)), 'source.source.kind'],
      [of({ kind: 'HogQLQuery' }), 'source.source.kind'],
      [of({ ...TRENDS, cake: 1 }), 'source.source.cake'],
      [of({ ...TRENDS, interval: 'year' }), 'source.source.interval'],
      [of(TRENDS, { cake: 1 }), 'source.cake'],
      [of(TRENDS, { series: 1 }), 'source.series'],
      [of(TRENDS, { series: '0' }), 'source.series'],
      [of({ ...TRENDS, series: [VIEW, VIEW] }), 'source.series'],
      [of(TRENDS, { day: 1 }), 'source.day'],
      [of(TRENDS, { breakdown: 'Chrome' }), 'source.breakdown'],
      [of(TRENDS, { compare: 'previous' }), 'source.compare'],
      [of(TRENDS, { funnelStep: 1 }), 'source.funnelStep'],
      [of(by), 'source.breakdown'],
      [of(by, { breakdown: {} }), 'source.breakdown'],
      [of(formula, { series: 2 }), 'source.series'],
      [of(FUNNEL), 'source.funnelStep'],
      ...[0, -1, 3, -3, 21, 1.5, '1'].map(
        (funnelStep) => [of(FUNNEL, { funnelStep }), 'source.funnelStep'] as const,
      ),
      [of(FUNNEL, { funnelStep: 1, status: 'open' }), 'source.status'],
      [of(FUNNEL, { funnelStep: -2, status: 'new' }), 'source.status'],
      [of(FUNNEL, { funnelStep: 1, day: '2026-10-25' }), 'source.day'],
      [of(retention, { day: 0 }), 'source.interval'],
      [of(retention, { interval: 0, day: 3 }), 'source.day'],
      [of(retention, { interval: 3, day: 0 }), 'source.interval'],
      [of(retention, { interval: 1, day: 2 }), 'source.day'],
      [of(sticky, { day: 1 }), 'source.series'],
      [of(sticky, { series: 0 }), 'source.day'],
      [of(sticky, { series: 0, day: 0 }), 'source.day'],
      [of(lifecycle, { status: 'new' }), 'source.day'],
      [of(lifecycle, { day: '2026-10-25' }), 'source.status'],
      [of(lifecycle, { day: '2026-10-25', status: 'late' }), 'source.status'],
    ]
    for (const [question, path] of cases) t.equal(wrong(question), path, JSON.stringify(question))
    const paged = (page: Record<string, Json>) => wrong({ ...objectOf(of(TRENDS)), ...page })
    t.equal(paged({ limit: 1_000, offset: 5, tags: {}, version: 1, modifiers: {} }), undefined)
    for (const limit of [0, 1_001, '5']) t.equal(paged({ limit }), 'limit')
    for (const offset of [-1, 2 ** 31]) t.equal(paged({ offset }), 'offset')
    t.equal(wrong(of(formula)), undefined, 'all series of a formula')
    t.equal(wrong(of(FUNNEL, { funnelStep: -2 })), undefined, 'who dropped before the last step')
  },
)
