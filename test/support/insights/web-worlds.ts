/** Random sites: ids of sessions that are shared, missing and used again, arrivals, bots. */
import fc from 'fast-check'
import type { Json } from '../../../src/core/json.ts'
import { type Place, worldAt } from './generate-worlds.ts'
import type { SessionFilter, WebFilter } from './sessions.ts'
import { METRICS, REFERENCE_BREAKDOWNS, type WebQuery } from './web.ts'
import type { Goal, World, WorldEvent } from './world.ts'
import { DAY, HOUR, type Interval, MINUTE, startOfDay } from './zones.ts'

function some<T>(values: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...values)
}

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'

const properties = fc.record(
  {
    $session_id: some<Json>(['s1', 's1', 's2', 's3', '', null, 7]),
    $lib: some<Json>(['web', 'web', 'posthog-node', 'posthog-python', null, '']),
    $pathname: some<Json>(['/', '/a', '/b', '', null, `/${'l'.repeat(500)}`.slice(0, 400)]),
    $browser: some<Json>(['Chrome', 'Safari', '', null]),
    $raw_user_agent: some<Json>([FIREFOX, FIREFOX, FIREFOX, BOT, '', null]),
    $geoip_country_code: some<Json>(['DE', 'JP', null]),
    $referring_domain: some<Json>(['$direct', 'www.google.com', 't.co', 'own.example', '', null]),
    $referrer: some<Json>(['https://chatgpt.com/', 'data:,x', '$direct', '']),
    $host: some<Json>(['www.own.example', 'localhost:1']),
    utm_source: some<Json>(['google', 'news', '', null, ['google', 'x']]),
    utm_medium: some<Json>(['cpc', 'email', '', null]),
    gclid: some<Json>(['abc', '']),
    plan: some<Json>(['free', 'team']),
  },
  { requiredKeys: [] },
)

const EVENTS = ['$pageview', '$pageview', '$screen', '$autocapture', 'signup', '$set', '$pageleave']
const IDS = ['a', 'b', 'c', 'd', 'e', 'f']

/** Steps between events: around the half hour, the day, and the ten seconds. */
const step = fc.oneof(
  some([0, 1, 9_999_999, 10_000_000, 30 * MINUTE - 1, 30 * MINUTE, DAY - 1, DAY, 6 * DAY]),
  fc.integer({ min: 0, max: 40 }).map((minutes) => minutes * MINUTE),
  fc.integer({ min: 0, max: 30 }).map((hours) => hours * HOUR),
)

/** Events of one id follow each other by steps, from a time near the place's day. */
function visits({ zone, day }: Place): fc.Arbitrary<readonly WorldEvent[]> {
  return fc
    .record({
      distinctId: some(IDS),
      days: fc.integer({ min: -4, max: 4 }),
      within: some([0, -1, 1, -10 * MINUTE, HOUR, 2 * HOUR, 12 * HOUR, 23 * HOUR]),
      rows: fc.array(fc.record({ event: some(EVENTS), properties, step }), { maxLength: 8 }),
    })
    .map(({ distinctId, days, within, rows }) => {
      let at = startOfDay(zone, day + days) + within
      return rows.map(({ event, properties: own, step: after }) => {
        const now = at
        at += after
        return { event, distinctId, properties: own, at: now }
      })
    })
}

const GOALS: readonly Goal[] = [
  { name: 'Sign-up', event: 'signup' },
  {
    name: 'Page a',
    event: '$pageview',
    properties: [{ key: '$pathname', type: 'event', operator: 'exact', value: '/a' }],
  },
  {
    name: 'Click of a free person',
    event: '$autocapture',
    properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'free' }],
  },
]

export function siteAt(place: Place): fc.Arbitrary<World> {
  return fc
    .tuple(worldAt(place), fc.array(visits(place), { maxLength: 6 }))
    .map(([world, rows]) => ({ ...world, webGoals: GOALS, events: rows.flat() }))
}

export const SESSION_FILTERS: readonly SessionFilter[] = [
  { key: '$session_duration', type: 'session', operator: 'gte', value: 0 },
  { key: '$channel_type', type: 'session', operator: 'exact', value: 'Direct' },
  { key: '$channel_type', type: 'session', operator: 'is_not', value: ['Direct', 'AI'] },
  { key: '$entry_pathname', type: 'session', operator: 'exact', value: '/' },
  { key: '$exit_pathname', type: 'session', operator: 'is_not_set' },
  { key: '$is_bounce', type: 'session', operator: 'exact', value: 'true' },
  { key: '$session_duration', type: 'session', operator: 'gte', value: 10 },
  { key: '$entry_utm_source', type: 'session', operator: 'icontains', value: 'GOO' },
  { key: '$geoip_country_code', type: 'session', operator: 'exact', value: ['DE'] },
]

const filter = some<WebFilter>([
  { key: '$pathname', type: 'event', operator: 'exact', value: '/a' },
  { key: '$browser', type: 'event', operator: 'is_not', value: 'Chrome' },
  { key: 'plan', type: 'person', operator: 'exact', value: 'free' },
  ...SESSION_FILTERS,
])

/** Questions about a site near the place's day. */
export function webQuestionAt({ day }: Place): fc.Arbitrary<WebQuery> {
  const date = (days: number) => new Date((day + days) * (DAY / 1_000)).toISOString().slice(0, 10)
  const asked = {
    dateRange: fc.oneof(
      fc.record({
        date_from: fc.integer({ min: -4, max: 1 }).map(date),
        date_to: fc.integer({ min: 1, max: 4 }).map(date),
      }),
      some([{ date_from: '-1d' }, { date_from: 'all' }, { date_from: '-24h' }]),
    ),
    properties: fc.array(filter, { maxLength: 2 }),
    filterTestAccounts: fc.boolean(),
    compareFilter: some([
      ...[{ compare: true }, { compare: true, compare_to: '-7d' }, { compare: false }],
    ]),
    includeBots: fc.boolean(),
    conversionGoal: some([
      ...[{ customEventName: 'signup' }, { goal: 'Page a' }, { goal: 'Click of a free person' }],
    ]),
  }
  const { conversionGoal: _, ...ofGoals } = asked
  const { compareFilter: __, ...ofSessions } = ofGoals
  return fc.oneof(
    fc.record(
      {
        kind: fc.constant('SessionsQuery' as const),
        ...ofSessions,
        distinctId: some(IDS),
        limit: some([1, 3, 100]),
        offset: some([0, 1, 2]),
      },
      { requiredKeys: ['kind'] },
    ),
    fc.record(
      { kind: fc.constant('WebGoalsQuery' as const), ...ofGoals },
      { requiredKeys: ['kind'] },
    ),
    fc.record(
      { kind: fc.constant('WebOverviewQuery' as const), ...asked },
      { requiredKeys: ['kind'] },
    ),
    fc.record(
      {
        kind: fc.constant('WebTrendsQuery' as const),
        metrics: fc.subarray([...METRICS], { minLength: 1 }),
        interval: some<Interval>(['hour', 'day', 'week', 'month']),
        ...asked,
      },
      { requiredKeys: ['kind', 'metrics'] },
    ),
    fc.record(
      {
        kind: fc.constant('WebStatsTableQuery' as const),
        breakdownBy: some(REFERENCE_BREAKDOWNS),
        includeBounceRate: fc.boolean(),
        limit: some([1, 2, 25]),
        ...asked,
      },
      { requiredKeys: ['kind', 'breakdownBy'] },
    ),
  )
}
