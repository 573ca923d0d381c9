import t from 'tap'
import {
  unsharedReason,
  webQuestion,
  withoutFilters,
} from '../../../../src/manage/sharing/rules/shared-questions.ts'

const SECRET = { type: 'person', key: 'email', value: 'kim@example.com' }
const FILTERS = { date_from: '-30d', properties: [SECRET], filterTestAccounts: true }

t.test('questions about numbers are shared, those about persons and events are not', (t) => {
  for (const kind of ['TrendsQuery', 'FunnelsQuery', 'RetentionQuery', 'PathsQuery']) {
    t.equal(unsharedReason({ kind }), undefined, kind)
  }
  for (const kind of ['EventsQuery', 'ActorsQuery', 'SessionsQuery', 'HogQLQuery', 'x']) {
    t.match(unsharedReason({ kind }), kind)
  }
  t.ok(unsharedReason(null))
  const by = (breakdown: string) => ({ kind: 'TrendsQuery', breakdownFilter: { breakdown } })
  t.equal(unsharedReason(by('plan')), undefined)
  for (const name of ['distinct_id', '$device_id', '$session_id', '$user_id']) {
    t.match(unsharedReason(by(name)), name)
  }
  t.end()
})

t.test('viewers see no values of filters, at any depth', (t) => {
  const shown = withoutFilters({
    kind: 'FunnelsQuery',
    series: [{ event: 'a', properties: [SECRET] }],
    funnelsFilter: { exclusions: [{ event: 'b', properties: [SECRET] }] },
    properties: { type: 'AND', values: [SECRET] },
    filterTestAccounts: true,
  })
  t.same(shown, {
    kind: 'FunnelsQuery',
    series: [{ event: 'a' }],
    funnelsFilter: { exclusions: [{ event: 'b' }] },
  })
  t.end()
})

t.test('a viewer of a site gets the filters of the link, and a range of a few', (t) => {
  const common = {
    properties: [SECRET],
    filterTestAccounts: true,
    compareFilter: { compare: true },
  }
  t.same(webQuestion({ kind: 'WebOverviewQuery' }, FILTERS), {
    kind: 'WebOverviewQuery',
    dateRange: { date_from: '-30d' },
    ...common,
  })
  t.same(webQuestion({ kind: 'WebGoalsQuery', dateRange: { date_from: '-7d' } }, FILTERS), {
    kind: 'WebGoalsQuery',
    dateRange: { date_from: '-7d' },
    ...common,
  })
  const hour = { date_from: '-1d', date_to: '-1dEnd' }
  t.same(webQuestion({ kind: 'WebTrendsQuery', metrics: ['views'], dateRange: hour }, FILTERS), {
    kind: 'WebTrendsQuery',
    dateRange: hour,
    ...common,
    metrics: ['views'],
    interval: 'hour',
  })
  t.match(webQuestion({ kind: 'WebStatsTableQuery', breakdownBy: 'Page' }, FILTERS), {
    breakdownBy: 'Page',
    limit: 9,
  })
  const own = webQuestion({ kind: 'WebOverviewQuery' }, { date_from: 'all' })
  t.same(own?.['dateRange'], { date_from: 'all' })
  t.equal(own?.['compareFilter'], undefined, 'all time is compared with nothing')
  t.end()
})

t.test('any other question about a site is none', (t) => {
  const asked = [
    null,
    'WebOverviewQuery',
    { kind: 'SessionsQuery' },
    { kind: 'WebGoalsQuery', metrics: ['views'] },
    { kind: 'WebGoalsQuery', breakdownBy: 'Page' },
    { kind: 'WebGoalsQuery', properties: [] },
    { kind: 'WebGoalsQuery', dateRange: { date_from: '2020-01-01' } },
    { kind: 'WebOverviewQuery', properties: [] },
    { kind: 'WebOverviewQuery', metrics: ['views'] },
    { kind: 'WebOverviewQuery', dateRange: { date_from: '2020-01-01' } },
    { kind: 'WebOverviewQuery', dateRange: { date_from: '-7d', date_to: '-1d' } },
    { kind: 'WebOverviewQuery', dateRange: { date_from: '-7d', explicitDate: true } },
    { kind: 'WebTrendsQuery' },
    { kind: 'WebTrendsQuery', metrics: ['views', 'visitors'] },
    { kind: 'WebTrendsQuery', metrics: ['conversion rate'] },
    { kind: 'WebTrendsQuery', metrics: ['views'], breakdownBy: 'Page' },
    { kind: 'WebStatsTableQuery' },
    { kind: 'WebStatsTableQuery', breakdownBy: 'Person' },
    { kind: 'WebStatsTableQuery', breakdownBy: 'Page', limit: 1_000 },
  ]
  for (const each of asked) {
    t.equal(webQuestion(each, FILTERS), undefined, JSON.stringify(each))
  }
  t.end()
})
