/** The questions about a site by the specification alone. */
import type { Json } from '../../../src/core/json.ts'
import { matcherOf, textOf } from './filters.ts'
import { Unclear } from './funnels.ts'
import {
  bucketOf,
  compared,
  covered,
  type DateRange,
  gridOf,
  isWithin,
  type Range,
  Refused,
  resolved,
} from './ranges.ts'
import {
  eventMatcher,
  type ReferenceSession,
  sessionMatcher,
  sessionsIn,
  VIEWS,
  type WebFilter,
} from './sessions.ts'
import { grouped, type Seen, seenIn, type World } from './world.ts'
import { dayOf, type Interval, startOfDay } from './zones.ts'

type Asked = {
  readonly dateRange?: DateRange
  readonly properties?: readonly WebFilter[]
  readonly filterTestAccounts?: boolean
  readonly compareFilter?: { readonly compare: boolean; readonly compare_to?: string }
  readonly includeBots?: boolean
  readonly conversionGoal?: { readonly customEventName: string } | { readonly goal: string }
}
export type WebOverviewQuery = Asked & { readonly kind: 'WebOverviewQuery' }
export type WebStatsTableQuery = Asked & {
  readonly kind: 'WebStatsTableQuery'
  readonly breakdownBy: keyof typeof BREAKDOWNS
  readonly includeBounceRate?: boolean
  readonly limit?: number
}
export type WebTrendsQuery = Asked & {
  readonly kind: 'WebTrendsQuery'
  readonly metrics: readonly (typeof METRICS)[number][]
  readonly interval?: Interval
}
export type WebGoalsQuery = Omit<Asked, 'conversionGoal'> & { readonly kind: 'WebGoalsQuery' }
export type SessionsQuery = Pick<
  Asked,
  'dateRange' | 'properties' | 'filterTestAccounts' | 'includeBots'
> & {
  readonly kind: 'SessionsQuery'
  readonly distinctId?: string
  readonly limit?: number
  readonly offset?: number
}
export type WebQuery =
  | SessionsQuery
  | WebOverviewQuery
  | WebStatsTableQuery
  | WebTrendsQuery
  | WebGoalsQuery

/** Numbers of the overview, in its order. */
export const METRICS = [
  ...(['visitors', 'views', 'sessions', 'views per session', 'session duration'] as const),
  ...(['bounce rate'] as const),
] as const

/** A session that is counted, with the views that pass the filters. */
type Counted = { readonly session: ReferenceSession; readonly views: readonly Seen[] }

/** Ranges of an answer: the question's own, and the compared one. */
function periodsOf(
  world: World,
  query: Asked,
  interval: Interval = 'day',
): readonly (Range | undefined)[] {
  const { properties = [], filterTestAccounts, compareFilter } = query
  const matches = eventMatcher(world, properties, filterTestAccounts)
  const end = startOfDay(world.zone, dayOf(world.zone, world.now) + 1)
  const first = () => seenIn(world).find((event) => event.at < end && matches(event))?.at
  const range = resolved(world, query.dateRange ?? {}, first)
  if (compareFilter?.compare !== true) return [range, undefined]
  return [range, compared(world, interval, range, compareFilter.compare_to)]
}

function countedIn(world: World, query: Asked, range: Range): readonly Counted[] {
  const { properties = [], filterTestAccounts, includeBots = false } = query
  const matches = eventMatcher(world, properties, filterTestAccounts)
  const passes = sessionMatcher(world, properties)
  return sessionsIn(world)
    .filter(({ begin, isBot }) => isWithin(range, begin) && (includeBots || !isBot))
    .filter(passes)
    .map((session) => ({
      session,
      views: session.events.filter((event) => VIEWS.includes(event.event) && matches(event)),
    }))
    .filter(({ views }) => views.length > 0)
}

/** Begin, duration and number of events of each session of the page, newest first. */
export function evaluateSessions(world: World, query: SessionsQuery) {
  const { properties = [], filterTestAccounts, includeBots = false, distinctId } = query
  const { limit = 100, offset = 0 } = query
  const [range] = periodsOf(world, query)
  if (range === undefined) throw new Error('a question has a range')
  const own = world.events.filter((event) => [undefined, event.distinctId].includes(distinctId))
  const matches = eventMatcher(world, properties, filterTestAccounts)
  const found = sessionsIn({ ...world, events: own })
    .filter(({ begin, isBot }) => isWithin(range, begin) && (includeBots || !isBot))
    .filter(sessionMatcher(world, properties))
    .filter(({ events }) => events.some(matches))
    .map((session) => [
      session.begin,
      session.properties['$session_duration'],
      session.events.length,
    ])
    .map((row) => row.map(Number))
  found.sort((a, b) => (b[0] ?? 0) - (a[0] ?? 0))
  const begins = new Set(found.map(([begin]) => begin))
  // Sessions that begin together are in the order of actors, which have none here.
  if (begins.size < found.length) throw new Unclear()
  const rows = found.slice(offset, offset + limit)
  return { rows, hasMore: found.length > offset + limit }
}

function different(counted: readonly Counted[]): number {
  return new Set(counted.map(({ session }) => session.actor)).size
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}

function of(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function bounceRate(counted: readonly Counted[]): number | null {
  const bounces = counted.filter(({ session }) => session.properties['$is_bounce'] === true)
  return of(bounces.length, counted.length)
}

/** Tells whether an event reaches the goal of a question; undefined without one. */
function goalMatcher(world: World, { conversionGoal }: Asked) {
  if (conversionGoal === undefined) return undefined
  if ('customEventName' in conversionGoal) {
    return ({ event }: Seen) => event === conversionGoal.customEventName
  }
  const goal = world.webGoals?.find(({ name }) => name === conversionGoal.goal)
  if (goal === undefined) throw new Refused('query.conversionGoal.goal')
  return matcherOf(world, {}, { kind: 'EventsNode', ...goal })
}

type Reaches = ReturnType<typeof goalMatcher>

function goalNumbers(counted: readonly Counted[], reaches: Reaches): readonly (number | null)[] {
  if (reaches === undefined) return []
  const conversionsIn = ({ session }: Counted) => session.events.filter(reaches).length
  const converted = counted.filter((each) => conversionsIn(each) > 0)
  const total = sum(counted.map(conversionsIn))
  return [total, different(converted), of(different(converted), different(counted))]
}

/** Each goal of the project with its conversions. */
export function evaluateGoals(world: World, query: WebGoalsQuery) {
  const { webGoals = [] } = world
  const [now, before] = periodsOf(world, query).map(
    (range) => range && countedIn(world, query, range),
  )
  return webGoals.map(({ name }) => {
    const reaches = goalMatcher(world, { conversionGoal: { goal: name } })
    const [own, old] = [now, before].map((counted) => counted && goalNumbers(counted, reaches))
    const pair = (place: number) => [own?.[place] ?? null, old?.[place] ?? null]
    return [name, pair(1), pair(0), pair(2)]
  })
}

export function evaluateOverview(world: World, query: WebOverviewQuery) {
  const [now, before] = periodsOf(world, query).map(
    (range) => range && overviewNumbers(countedIn(world, query, range), goalMatcher(world, query)),
  )
  return (now ?? []).map((value, place) => [value, before?.[place] ?? null])
}

/** The numbers of each row's buckets: the rows of the compared range are last. */
export function evaluateWebTrends(world: World, query: WebTrendsQuery) {
  const { metrics, interval = 'day' } = query
  return periodsOf(world, query, interval).flatMap((range) => {
    if (range === undefined) return []
    const grid = gridOf(world.zone, interval, range)
    const counted = countedIn(world, query, covered(grid, range))
    const buckets = grid.starts.map((_start, place) =>
      overviewNumbers(
        counted.filter(({ session }) => bucketOf(grid, session.begin) === place),
        undefined,
      ),
    )
    return metrics.map((metric) => buckets.map((numbers) => numbers[METRICS.indexOf(metric)]))
  })
}

function overviewNumbers(
  counted: readonly Counted[],
  reaches: Reaches,
): readonly (number | null)[] {
  const views = sum(counted.map((each) => each.views.length))
  const seconds = counted.map(({ session }) => Number(session.properties['$session_duration']))
  const rate = bounceRate(counted)
  const [total, unique, goalRate] = goalNumbers(counted, reaches)
  const numbers = [
    ...[different(counted), views, counted.length, of(views, counted.length)],
    ...[of(sum(seconds), counted.length), rate === null ? null : rate * 100],
  ]
  if (total === undefined || unique === undefined || goalRate === undefined) return numbers
  return [...numbers, total, unique, goalRate === null ? null : goalRate * 100]
}

/** Properties that the values of sessions are; `undefined` is by the pages that were viewed. */
const BREAKDOWNS = {
  Page: undefined,
  InitialPage: '$entry_pathname',
  ExitPage: '$exit_pathname',
  InitialChannelType: '$channel_type',
  InitialReferringDomain: '$entry_referring_domain',
  InitialUTMSource: '$entry_utm_source',
  InitialUTMMedium: '$entry_utm_medium',
  Browser: '$browser',
  Country: '$geoip_country_code',
} as const

export const REFERENCE_BREAKDOWNS = [
  ...(['Page', 'InitialPage', 'ExitPage', 'InitialChannelType', 'InitialReferringDomain'] as const),
  ...(['InitialUTMSource', 'InitialUTMMedium', 'Browser', 'Country'] as const),
] satisfies readonly (keyof typeof BREAKDOWNS)[]

type Numbers = readonly (number | null)[]

export function evaluateStats(world: World, query: WebStatsTableQuery) {
  const tables = periodsOf(world, query).map(
    (range) => range && statsOf(countedIn(world, query, range), query, goalMatcher(world, query)),
  )
  const [now, before] = tables
  const zeros = [
    ...[0, 0],
    ...(query.includeBounceRate === true ? [null] : []),
    ...(query.conversionGoal === undefined ? [] : [0, 0, null]),
  ]
  const values = [...new Set([...(now?.keys() ?? []), ...(before?.keys() ?? [])])]
  const rows = values.map((value) => {
    const own = now?.get(value) ?? zeros
    const old = before === undefined ? undefined : (before.get(value) ?? zeros)
    const pairs = own.map((number, place) => [number, old?.[place] ?? null])
    return [JSON.parse(value), ...pairs]
  })
  rows.sort((a, b) => b[1][0] - a[1][0] || b[2][0] - a[2][0] || byText(a[0], b[0]))
  const { limit = 25 } = query
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

function byText(one: Json, other: Json): number {
  const text = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))
  return Buffer.compare(Buffer.from(text(one)), Buffer.from(text(other)))
}

function statsOf(
  counted: readonly Counted[],
  query: WebStatsTableQuery,
  reaches: Reaches,
): Map<string, Numbers> {
  const { breakdownBy, includeBounceRate = false } = query
  const property = BREAKDOWNS[breakdownBy]
  const parts = counted.flatMap((each) => valuesOf(each, query).map((part) => part))
  const rows = new Map<string, Numbers>()
  for (const [value, own] of grouped(parts, (part) => part.value)) {
    const sessions = own.map((part) => part.counted)
    const entries =
      property === undefined
        ? counted.filter(({ session }) => {
            return session.properties['$entry_pathname'] === JSON.parse(value)
          })
        : sessions
    rows.set(value, [
      ...[different(sessions), sum(own.map(({ views }) => views))],
      ...(includeBounceRate ? [bounceRate(entries)] : []),
      ...goalNumbers(sessions, reaches),
    ])
  }
  return rows
}

/** Rows that a session is in, with its views there. */
function valuesOf(counted: Counted, { breakdownBy }: WebStatsTableQuery) {
  const property = BREAKDOWNS[breakdownBy]
  if (property !== undefined) {
    const value = counted.session.properties[property]
    if (value === undefined && !breakdownBy.startsWith('InitialUTM')) return []
    return [{ value: JSON.stringify(value ?? null), counted, views: counted.views.length }]
  }
  const pages = counted.views.filter(({ event }) => event === '$pageview')
  const paths = pages.map(({ properties }) => textOf(properties['$pathname']) ?? '').filter(Boolean)
  return [...grouped(paths, (path) => path)].map(([path, own]) => {
    return { value: JSON.stringify(path), counted, views: own.length }
  })
}
