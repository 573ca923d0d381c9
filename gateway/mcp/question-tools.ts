/** A tool for each kind of question. The members are those of docs/INSIGHTS.md. */
import { inputOf, projectPath, type Tool } from './tool.ts'

const text = (description: string, ...examples: string[]) => ({
  type: 'string',
  description,
  ...(examples.length === 0 ? {} : { examples }),
})
const object = (description: string, example: object) => ({
  type: 'object',
  description,
  examples: [example],
})

const DATE_RANGE = object(
  'From when to when: dates, date-times, or relative such as -7d; to null is the end of today.',
  { date_from: '-30d', date_to: null },
)
const PROPERTIES = {
  type: 'array',
  items: { type: 'object' },
  description: 'Filters that hold for every event: key, value, operator, type (event or person).',
  examples: [[{ key: '$browser', value: 'Chrome', operator: 'exact', type: 'event' }]],
}
const TEST_ACCOUNTS = {
  type: 'boolean',
  description: 'Adds the filters of the project that leave out its own people.',
}
const COMMON = {
  dateRange: DATE_RANGE,
  properties: PROPERTIES,
  filterTestAccounts: TEST_ACCOUNTS,
}
const SERIES = {
  type: 'array',
  items: { type: 'object' },
  description:
    'What is counted: EventsNodes with event (null: all), math (total, dau, weekly_active, ' +
    'monthly_active, unique_session, first_time_for_user, first_matching_event_for_user, or sum, ' +
    'avg, min, max, median, p75, p90, p95, p99 of math_property, or unique_group of ' +
    'math_group_type_index), custom_name and properties.',
  examples: [[{ kind: 'EventsNode', event: '$pageview', math: 'dau' }]],
}
const STEPS = {
  ...SERIES,
  description: 'The steps in order, 2 to 20: EventsNodes with event, custom_name and properties.',
  examples: [
    [
      { kind: 'EventsNode', event: '$pageview' },
      { kind: 'EventsNode', event: 'signed up' },
    ],
  ],
}
const INTERVAL = {
  type: 'string',
  enum: ['minute', 'hour', 'day', 'week', 'month'],
  description: 'Length of the buckets.',
}
const BREAKDOWN = object('A row for each of the values with the most events.', {
  breakdown: '$browser',
  breakdown_type: 'event',
  breakdown_limit: 10,
})

type Asking = {
  readonly kind: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly members: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

const ASKED: readonly Asking[] = [
  {
    kind: 'TrendsQuery',
    name: 'ask_trends',
    title: 'Numbers over time',
    description: 'Counts events, people, sessions or values of a property by bucket of time.',
    members: {
      ...COMMON,
      series: SERIES,
      interval: INTERVAL,
      breakdownFilter: BREAKDOWN,
      compareFilter: object('The same for the time directly before, or so much earlier.', {
        compare: true,
        compare_to: '-7d',
      }),
      trendsFilter: object('A formula over the series, or one number for the whole range.', {
        formula: 'A / B',
        display: 'BoldNumber',
      }),
    },
    required: ['series'],
  },
  {
    kind: 'FunnelsQuery',
    name: 'ask_funnel',
    title: 'How many take all steps',
    description: 'Counts how many people take steps one after the other, and how long it takes.',
    members: {
      ...COMMON,
      series: STEPS,
      breakdownFilter: BREAKDOWN,
      interval: INTERVAL,
      funnelsFilter: object('Order, window, exclusions and form of the answer.', {
        funnelOrderType: 'ordered',
        funnelWindowInterval: 14,
        funnelWindowIntervalUnit: 'day',
      }),
    },
    required: ['series'],
  },
  {
    kind: 'RetentionQuery',
    name: 'ask_retention',
    title: 'Who comes back',
    description: 'Counts how many people come back in the intervals after one event.',
    members: {
      ...COMMON,
      retentionFilter: object('Period, number of intervals, and the two events.', {
        period: 'Week',
        totalIntervals: 8,
        targetEntity: { id: 'signed up', type: 'events' },
        returningEntity: { id: '$pageview', type: 'events' },
      }),
    },
  },
  {
    kind: 'StickinessQuery',
    name: 'ask_stickiness',
    title: 'On how many days people are active',
    description: 'Counts how many people were active on one, two, three … intervals of a range.',
    members: { ...COMMON, series: SERIES, interval: INTERVAL },
    required: ['series'],
  },
  {
    kind: 'LifecycleQuery',
    name: 'ask_lifecycle',
    title: 'New, returning, resurrecting and dormant people',
    description:
      'Counts by interval who is new, came back, came back after a pause, or stayed away.',
    members: { ...COMMON, series: SERIES, interval: INTERVAL },
    required: ['series'],
  },
  {
    kind: 'PathsQuery',
    name: 'ask_paths',
    title: 'Ways that people take',
    description: 'Counts which events or pages follow each other.',
    members: {
      ...COMMON,
      pathsFilter: object('Events, bounds and ends of the ways.', {
        includeEventTypes: ['$pageview'],
        startPoint: '/',
        stepLimit: 5,
        edgeLimit: 50,
      }),
    },
  },
  {
    kind: 'EventsQuery',
    name: 'ask_events_table',
    title: 'A table of events',
    description:
      'Reads columns that are expressions over events, such as event, timestamp, ' +
      'properties.$browser, count() or sum(properties.amount).',
    members: {
      select: { type: 'array', items: { type: 'string' }, examples: [['event', 'count()']] },
      where: { type: 'array', items: { type: 'string' }, examples: [["event = 'paid'"]] },
      orderBy: { type: 'array', items: { type: 'string' }, examples: [['count() desc']] },
      properties: PROPERTIES,
      event: text('Only events of this name.', '$pageview'),
      after: text('Only later events: ISO 8601 or relative.', '-7d'),
      before: text('Only earlier events: ISO 8601 or relative.'),
      limit: { type: 'integer', description: 'Rows of a page.', examples: [50] },
      offset: { type: 'integer', description: 'Rows to pass over.' },
    },
    required: ['select'],
  },
  {
    kind: 'ActorsQuery',
    name: 'ask_people',
    title: 'Who is behind a number',
    description: 'Lists the people behind one number of another question.',
    members: {
      source: object('The question, and which of its numbers.', {
        kind: 'InsightActorsQuery',
        source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
        day: '2026-01-31',
        series: 0,
      }),
      limit: { type: 'integer', description: 'People of a page.', examples: [20] },
      offset: { type: 'integer', description: 'People to pass over.' },
    },
    required: ['source'],
  },
]

export const QUESTION_TOOLS: readonly Tool[] = ASKED.map(
  ({ kind, name, title, description, members, required = [] }) => ({
    name,
    title,
    description,
    isWrite: false,
    input: inputOf(members, required),
    run: ({ project, ...asked }, call) =>
      call('POST', `${projectPath({ project })}/query/`, { body: { query: { kind, ...asked } } }),
  }),
)
