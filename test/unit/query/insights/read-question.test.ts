import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { createReading } from '../../../../src/query/insights/read/common.ts'
import { readQuestion } from '../../../../src/query/insights/read/read-question.ts'
import { zoneOf } from '../../../../src/query/insights/time/zone.ts'

const NOW = Date.parse('2026-10-27T12:00:00Z')
const VIEW = { kind: 'EventsNode', event: 'view' }
const TRENDS = { kind: 'TrendsQuery', series: [VIEW] }
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
    [{ ...TRENDS, series: [{ ...VIEW, cake: 1 }] }, 'series.0.cake'],
    [{ ...TRENDS, series: [{ ...VIEW, event: 1 }] }, 'series.0.event'],
    [{ ...TRENDS, series: [{ ...VIEW, math: 'sum' }] }, 'series.0.math_property'],
    [{ ...TRENDS, series: [{ ...VIEW, math_property: 'a' }] }, 'series.0.math_property'],
    [{ ...TRENDS, series: [{ ...VIEW, properties: 1 }] }, 'series.0.properties'],
    [{ ...TRENDS, dateRange: { date_from: '2026-02-30' } }, 'dateRange.date_from'],
    [{ ...TRENDS, dateRange: { date_to: 'all' } }, 'dateRange.date_to'],
    [{ ...TRENDS, filterTestAccounts: 'yes' }, 'filterTestAccounts'],
    [{ ...TRENDS, trendsFilter: { formula: 'A+B' } }, 'trendsFilter.formula'],
    [{ ...TRENDS, trendsFilter: { display: 'Cake' } }, 'trendsFilter.display'],
    [{ ...TRENDS, compareFilter: { compare: true, compare_to: '7d' } }, 'compareFilter.compare_to'],
    [{ ...TRENDS, breakdownFilter: { breakdown: '' } }, 'breakdownFilter.breakdown'],
    [
      { ...TRENDS, breakdownFilter: { breakdown: 'a', breakdown_limit: 0 } },
      'breakdownFilter.breakdown_limit',
    ],
    [{ ...FUNNEL, series: [VIEW] }, 'series'],
    [{ ...FUNNEL, interval: 'day' }, 'interval'],
    [{ ...FUNNEL, series: [VIEW, { ...VIEW, math: 'dau' }] }, 'series.1.math'],
    [
      { ...FUNNEL, funnelsFilter: { funnelWindowInterval: 0 } },
      'funnelsFilter.funnelWindowInterval',
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
  ]
  for (const [question, path] of cases) t.equal(wrong(question), path, JSON.stringify(question))
})

t.test('what may stand in any question', async (t) => {
  const common = { tags: {}, version: 2, modifiers: {}, filterTestAccounts: true }
  for (const question of [TRENDS, FUNNEL, { kind: 'RetentionQuery' }]) {
    t.equal(wrong({ ...question, ...common }), undefined, question.kind)
  }
  t.equal(wrong({ ...TRENDS, filterTestAccounts: true }, [{ key: 1 }]), 'filterTestAccounts')
})
