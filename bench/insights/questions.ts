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

/** What the first page of a console asks: three numbers and five lists, of a week. */
const PAGE = [
  trends('total', 7, bold),
  trends('dau', 7, bold),
  trends('unique_session', 7, bold),
  ...['$pathname', '$referring_domain', '$browser', '$os', 'campaign'].map((property) =>
    trends('total', 7, { ...ranked(property, 8), ...table }),
  ),
]

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
]
