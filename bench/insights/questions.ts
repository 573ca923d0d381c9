/** The questions that `sluice bench insights` asks. */

/** A body's `query`: one question, or a list of them. */
export type BenchQuestion = { readonly name: string; readonly query: unknown }

const views = (math: string, more: object = {}) => ({
  kind: 'EventsNode',
  event: '$pageview',
  math,
  ...more,
})

/** A range of whole days; today is the last of them. */
const days = (count: number) => ({ dateRange: { date_from: `-${count - 1}d` }, interval: 'day' })

const trends = (math: string, count: number, more: object = {}) => ({
  kind: 'TrendsQuery',
  series: [views(math)],
  ...days(count),
  ...more,
})

const ranked = (property: string, limit: number) => ({
  breakdownFilter: { breakdown: property, breakdown_type: 'event', breakdown_limit: limit },
})

const bold = { trendsFilter: { display: 'BoldNumber' } }
const table = { trendsFilter: { display: 'ActionsTable' } }

/** Questions of the console's first page: three numbers and five lists, of a week. */
const PAGE = [
  trends('total', 7, bold),
  trends('dau', 7, bold),
  trends('unique_session', 7, bold),
  ...['$pathname', '$referring_domain', '$browser', '$os', 'campaign'].map((property) =>
    trends('total', 7, { ...ranked(property, 8), ...table }),
  ),
]

/** Questions of the console's page about a site, with the compared range. */
const site = (count: number, more: object) => ({
  dateRange: { date_from: `-${count - 1}d` },
  compareFilter: { compare: true },
  ...more,
})
const SITE_DAYS = 90
const SITE_PAGE = [
  site(SITE_DAYS, { kind: 'WebOverviewQuery' }),
  site(SITE_DAYS, { kind: 'WebTrendsQuery', metrics: ['visitors'], interval: 'day' }),
  ...['InitialChannelType', 'Page', 'Country', 'DeviceType'].map((breakdownBy) =>
    site(SITE_DAYS, {
      kind: 'WebStatsTableQuery',
      breakdownBy,
      includeBounceRate: true,
      limit: 10,
    }),
  ),
]

export const SITE_QUESTION: BenchQuestion = {
  name: 'the page of a site, 90 days',
  query: SITE_PAGE,
}

export const BENCH_QUESTIONS: readonly BenchQuestion[] = [
  { name: 'total by day, 90 days', query: trends('total', 90) },
  { name: 'daily actors, 30 days', query: trends('dau', 30) },
  {
    name: 'breakdown by a property, 30 days, top 25',
    query: trends('total', 30, ranked('$pathname', 25)),
  },
  {
    name: 'funnel of three steps, 30 days',
    query: {
      kind: 'FunnelsQuery',
      series: ['$pageview', 'added to cart', 'paid'].map((event) => ({
        kind: 'EventsNode',
        event,
      })),
      dateRange: { date_from: '-29d' },
    },
  },
  {
    name: 'weekly retention, 8 weeks',
    query: {
      kind: 'RetentionQuery',
      dateRange: { date_from: '-49d' },
      retentionFilter: {
        period: 'Week',
        totalIntervals: 8,
        targetEntity: { id: '$pageview', type: 'events' },
        returningEntity: { id: '$pageview', type: 'events' },
      },
    },
  },
  { name: 'a page of 8 questions, 7 days', query: PAGE },
  SITE_QUESTION,
  {
    name: 'breakdown by channel of the session, 30 days',
    query: trends('total', 30, {
      breakdownFilter: { breakdown: '$channel_type', breakdown_type: 'session' },
    }),
  },
]

const PAGEVIEWS = [views('total')]

/** Further questions, for `bench/insight-stores.ts`. */
export const MORE_QUESTIONS: readonly BenchQuestion[] = [
  {
    name: 'by hour, events of a property, 7 days',
    query: {
      kind: 'TrendsQuery',
      series: PAGEVIEWS,
      dateRange: { date_from: '-6d' },
      interval: 'hour',
      properties: [{ key: '$browser', value: 'Firefox' }],
    },
  },
  { name: 'weekly actors by day, 30 days', query: trends('weekly_active', 30) },
  { name: 'first events of actors, 30 days', query: trends('first_time_for_user', 30) },
  {
    name: 'p90 of a number, 30 days',
    query: { ...trends('total', 30), series: [views('p90', { math_property: 'amount' })] },
  },
  {
    name: 'daily actors by plan of the person, 30 days',
    query: trends('dau', 30, { breakdownFilter: { breakdown: 'plan', breakdown_type: 'person' } }),
  },
  {
    name: 'daily actors of one plan, 30 days',
    query: trends('dau', 30, { properties: [{ type: 'person', key: 'plan', value: 'team' }] }),
  },
  {
    name: 'stickiness, 30 days',
    query: { kind: 'StickinessQuery', series: PAGEVIEWS, dateRange: { date_from: '-29d' } },
  },
  {
    name: 'life cycle by week, 8 weeks',
    query: {
      kind: 'LifecycleQuery',
      series: PAGEVIEWS,
      dateRange: { date_from: '-55d' },
      interval: 'week',
    },
  },
  {
    name: 'paths, 7 days',
    query: {
      kind: 'PathsQuery',
      dateRange: { date_from: '-6d' },
      pathsFilter: { includeEventTypes: ['$pageview'] },
    },
  },
  {
    name: 'actors of a day',
    query: {
      kind: 'ActorsQuery',
      source: {
        kind: 'InsightActorsQuery',
        day: '2026-10-20',
        source: trends('dau', 30),
      },
    },
  },
]
