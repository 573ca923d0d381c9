/** Random questions to a random project. */
import fc from 'fast-check'
import type { Breakdown } from './breakdowns.ts'
import type { EventsNode, Filter } from './filters.ts'
import type { FunnelsQuery } from './funnels.ts'
import { EVENTS, type Place } from './generate-worlds.ts'
import type { RangeQuery, RetentionQuery } from './habits.ts'
import { FIRST_MATHS, MATHS, NUMBER_MATHS, ROLLING_DAYS } from './maths.ts'
import type { PathsQuery } from './paths.ts'
import type { DateRange } from './ranges.ts'
import type { TrendsQuery } from './trends.ts'
import { DAY, type Interval } from './zones.ts'

export type Question = PathsQuery | TrendsQuery | FunnelsQuery | RetentionQuery | RangeQuery

function some<T>(values: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...values)
}

/** Optional members. */
function maybe<T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record<T, never>(members, { requiredKeys: [] })
}

const filter: fc.Arbitrary<Filter> = some<Filter>([
  { key: 'browser', type: 'event', operator: 'exact', value: ['Chrome', '5', 'a'] },
  { key: 'browser', type: 'event', operator: 'is_not', value: 'Safari' },
  { key: 'browser', type: 'event', operator: 'icontains', value: 'F' },
  { key: 'browser', type: 'event', operator: 'not_icontains', value: 'r' },
  { key: 'amount', type: 'event', operator: 'gt', value: 1 },
  { key: 'amount', type: 'event', operator: 'lte', value: 7 },
  { key: 'amount', type: 'event', operator: 'is_set' },
  { key: 'a.b', type: 'event', operator: 'exact', value: 'dots' },
  { key: 'a.b', type: 'event', operator: 'is_not_set' },
  { key: 'plan', type: 'person', operator: 'exact', value: 'team' },
  { key: 'plan', type: 'person', operator: 'is_not', value: ['team'] },
  { key: 'plan', type: 'person', operator: 'is_set' },
])
const filters = fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, few(filter))

function few<T>(each: fc.Arbitrary<T>) {
  return { weight: 1, arbitrary: fc.array(each, { minLength: 1, maxLength: 2 }) }
}

const node: fc.Arbitrary<EventsNode> = fc.record({
  kind: fc.constant('EventsNode' as const),
  event: some<string | null>([...EVENTS, 'view', 'view', 'paid', null]),
  properties: filters,
})

/** Index of a group type: an existing one, or one that does not exist. */
const groupIndex = some([undefined, undefined, 0, 0, 1, 4])

/** With the groups that are actors, where they are. */
function ofGroups<T extends object>(question: fc.Arbitrary<T>) {
  return fc.tuple(question, groupIndex).map(([each, index]) => ({
    ...each,
    ...(index === undefined ? {} : { aggregation_group_type_index: index }),
  }))
}

const mathNode = (interval: Interval): fc.Arbitrary<EventsNode> => {
  const isRolling = ['day', 'week', 'month'].includes(interval)
  const maths = [...MATHS, 'total', 'dau', ...(isRolling ? Object.keys(ROLLING_DAYS) : [])]
  return fc
    .tuple(node, some([...maths, 'unique_group']), some(['amount', 'a.b', 'browser']), groupIndex)
    .map(([each, math, key, index]) => ({
      ...each,
      math,
      ...(NUMBER_MATHS.some((name) => name === math) ? { math_property: key } : {}),
      ...(math === 'unique_group' ? { math_group_type_index: index ?? 0 } : {}),
    }))
}

function dateOf(day: number): string {
  return new Date((day * DAY) / 1_000).toISOString().slice(0, 10)
}

/** Ranges of at most some 40 days, around the day of the place. */
function datesAt({ day }: Place): fc.Arbitrary<DateRange> {
  const date = (min: number, max: number) =>
    fc.integer({ min, max }).map((days) => dateOf(day + days))
  const from = fc.oneof(
    { weight: 4, arbitrary: date(-8, 0) },
    { weight: 1, arbitrary: date(-35, -9) },
    { weight: 2, arbitrary: some(['-7d', '-1d', '-0d', '-2w', '-1m', '-24h']) },
  )
  const to = fc.oneof(date(0, 8), date(0, 1))
  return fc
    .oneof(
      { weight: 5, arbitrary: fc.record({ date_from: date(-8, 0), date_to: to }) },
      { weight: 2, arbitrary: fc.record({ date_from: date(-35, 0), date_to: to }) },
      { weight: 3, arbitrary: fc.record({ date_from: from, date_to: fc.constant(null) }) },
    )
    .filter(
      ({ date_from, date_to }) =>
        date_to !== null || !/^\d/.test(date_from) || date_from < dateOf(day - 2),
    )
}

/** Instants, for minutes and for hours. */
function instantsAt({ day }: Place): fc.Arbitrary<DateRange> {
  const at = (hours: number) => new Date(((day * DAY) / 3_600_000_000 + hours) * 3_600_000)
  return fc
    .tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: 1, max: 14 }))
    .map(([from, length]) => ({
      date_from: at(from).toISOString(),
      date_to: at(from + length).toISOString(),
    }))
}

const breakdown: fc.Arbitrary<Breakdown> = fc
  .tuple(
    some<Breakdown>([
      { breakdown: 'browser', breakdown_type: 'event' },
      { breakdown: 'a.b', breakdown_type: 'event' },
      { breakdown: 'amount', breakdown_type: 'event' },
      { breakdown: 'plan', breakdown_type: 'person' },
      { breakdown: '$event', breakdown_type: 'event_metadata' },
    ]),
    some([undefined, 1, 2, 3]),
  )
  .map(([by, limit]) => (limit === undefined ? by : { ...by, breakdown_limit: limit }))

const FORMULAS = [
  'A',
  'A/B',
  'A - B',
  '-A ** 2 / (B + 1)',
  'A % 2 + B * 0.5',
  '2 ** B ** A',
  '(A + B) / C',
  'A / B / C',
  '1 / (A - B)',
  '-(A - B) % 3',
  'A % B',
  '10 - C - A',
]

function trends(place: Place): fc.Arbitrary<TrendsQuery> {
  const ranges = (interval: Interval) =>
    interval === 'minute' || interval === 'hour' ? instantsAt(place) : datesAt(place)
  return some<Interval>(['minute', 'hour', 'day', 'day', 'day', 'week', 'month']).chain(
    (interval) => {
      const plain = {
        kind: fc.constant('TrendsQuery' as const),
        interval: fc.constant(interval),
        dateRange:
          interval === 'hour' ? fc.oneof(ranges(interval), datesAt(place)) : ranges(interval),
        properties: filters,
        filterTestAccounts: fc.boolean(),
      }
      const more = maybe<Pick<TrendsQuery, 'breakdownFilter' | 'compareFilter'>>({
        breakdownFilter: breakdown,
        compareFilter: some<NonNullable<TrendsQuery['compareFilter']>>([
          { compare: true },
          { compare: true },
          { compare: true },
          { compare: true, compare_to: '-7d' },
          { compare: true, compare_to: '-1w' },
          { compare: true, compare_to: '-1m' },
          { compare: true, compare_to: '-30h' },
          { compare: false },
        ]),
      })
      const series = (minLength: number) =>
        fc.array(mathNode(interval), { minLength, maxLength: Math.max(2, minLength) })
      const display = some(['BoldNumber', 'ActionsTable', 'ActionsLineGraph', 'ActionsPie'])
      return fc
        .oneof(
          fc.tuple(fc.record({ ...plain, series: series(1) }), more, maybe({ display })),
          fc.tuple(
            fc.record({ ...plain, series: series(3) }),
            more,
            maybe({ display }).chain((filter) =>
              some(FORMULAS).map((formula) => ({ ...filter, formula })),
            ),
          ),
        )
        .map(([query, parts, trendsFilter]) => ({ ...query, ...parts, trendsFilter }))
    },
  )
}

function funnels(place: Place): fc.Arbitrary<FunnelsQuery> {
  const exclusion = fc
    .tuple(some(EVENTS), fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 2 }), filters)
    .map(([event, funnelFromStep, step, properties]) => ({
      event,
      properties,
      funnelFromStep,
      funnelToStep: Math.max(step, funnelFromStep + 1),
    }))
  const steps = fc.record({
    kind: fc.constant('FunnelsQuery' as const),
    series: fc.array(node, { minLength: 3, maxLength: 4 }),
    dateRange: datesAt(place),
    properties: filters,
    filterTestAccounts: fc.boolean(),
    funnelsFilter: maybe<NonNullable<FunnelsQuery['funnelsFilter']>>({
      funnelOrderType: some(['ordered', 'strict', 'unordered'] as const),
      funnelWindowInterval: some([1, 2, 30]),
      funnelWindowIntervalUnit: some(['minute', 'hour', 'hour', 'day'] as const),
      exclusions: fc.array(exclusion, { maxLength: 2 }),
      funnelVizType: some(['steps', 'steps', 'trends', 'time_to_convert'] as const),
    }),
  })
  const byValue = fc
    .tuple(
      steps,
      breakdown,
      some(['first_touch', 'last_touch', 'all_events', 'step'] as const),
      fc.integer({ min: 0, max: 2 }),
    )
    .map(([query, breakdownFilter, type, step]): FunnelsQuery => {
      const { funnelVizType = 'steps', ...filter } = query.funnelsFilter
      const attribution = {
        breakdownAttributionType: type,
        ...(type === 'step' ? { breakdownAttributionValue: step } : {}),
        funnelVizType: funnelVizType === 'time_to_convert' ? 'steps' : funnelVizType,
      }
      return { ...query, breakdownFilter, funnelsFilter: { ...filter, ...attribution } }
    })
  return ofGroups(fc.oneof(steps, byValue))
}

function retention(place: Place): fc.Arbitrary<RetentionQuery> {
  const entity = some(EVENTS).map((id) => ({ id, type: 'events' as const }))
  const retained = fc.record({
    kind: fc.constant('RetentionQuery' as const),
    dateRange: datesAt(place).map(({ date_from }) => ({ date_from: date_from ?? null })),
    properties: filters,
    filterTestAccounts: fc.boolean(),
    retentionFilter: fc.record({
      period: some(['Hour', 'Day', 'Day', 'Week', 'Month'] as const),
      totalIntervals: fc.integer({ min: 1, max: 12 }),
      retentionType: some(['retention_recurring', 'retention_first_time'] as const),
      targetEntity: entity,
      returningEntity: entity,
      cumulative: fc.boolean(),
    }),
  })
  return ofGroups(retained)
}

function habits(place: Place): fc.Arbitrary<RangeQuery> {
  return fc.record({
    kind: some(['StickinessQuery', 'LifecycleQuery'] as const),
    series: fc.array(node, { minLength: 1, maxLength: 1 }),
    dateRange: datesAt(place),
    interval: some<Interval>(['hour', 'day', 'day', 'week', 'month']),
    properties: filters,
    filterTestAccounts: fc.boolean(),
  })
}

function paths(place: Place): fc.Arbitrary<PathsQuery> {
  return fc.record({
    kind: fc.constant('PathsQuery' as const),
    dateRange: datesAt(place),
    properties: filters,
    filterTestAccounts: fc.boolean(),
    pathsFilter: maybe<NonNullable<PathsQuery['pathsFilter']>>({
      startPoint: some(['view', '/', 'x']),
      stepLimit: fc.integer({ min: 2, max: 6 }),
      edgeLimit: fc.integer({ min: 1, max: 10 }),
    }),
  })
}

export function questionAt(place: Place): fc.Arbitrary<Question> {
  return fc.oneof(
    { weight: 4, arbitrary: trends(place) },
    { weight: 2, arbitrary: funnels(place) },
    { weight: 1, arbitrary: retention(place) },
    { weight: 1, arbitrary: habits(place) },
    { weight: 1, arbitrary: paths(place) },
  )
}

/** Questions of one page: most of them about the same events, each in its own way. */
export function pageAt(place: Place): fc.Arbitrary<readonly Question[]> {
  const sameEvents = trends(place).chain((base) => {
    const maths = some(['total', 'dau', 'unique_session', ...FIRST_MATHS])
    const other = fc
      .tuple(maths, fc.option(breakdown, { nil: undefined }), some(['BoldNumber', undefined]))
      .map(([math, breakdownFilter, display]): TrendsQuery => {
        const series = base.series.map((each) => ({ ...each, math }))
        const { breakdownFilter: _, trendsFilter: __, ...rest } = base
        return {
          ...rest,
          series,
          ...(breakdownFilter && { breakdownFilter }),
          ...(display && { trendsFilter: { display } }),
        }
      })
    return fc.array(other, { minLength: 2, maxLength: 6, size: 'max' }).map((all) => [base, ...all])
  })
  return fc
    .tuple(sameEvents, fc.array(questionAt(place), { maxLength: 2 }))
    .map(([same, more]) => [...same, ...more])
}
