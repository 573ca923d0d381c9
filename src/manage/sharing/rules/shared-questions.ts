/** Questions that a link may show, and how it shows them. */
import { isList, isObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { WEB_BREAKDOWNS, WEB_METRICS } from '../../../query/insights/web/web-question.ts'

const SHARED_KINDS: readonly string[] = [
  'TrendsQuery',
  'FunnelsQuery',
  'RetentionQuery',
  'StickinessQuery',
  'LifecycleQuery',
  'PathsQuery',
  'WebOverviewQuery',
  'WebTrendsQuery',
  'WebStatsTableQuery',
  'WebGoalsQuery',
]

/** Properties whose values name persons, browsers or visits one by one. */
const NAMING: ReadonlySet<string> = new Set([
  'distinct_id',
  '$distinct_id',
  '$anon_distinct_id',
  '$user_id',
  '$person_id',
  'person_id',
  '$device_id',
  '$session_id',
  '$window_id',
  '$ip',
])

/** Why a stored question cannot be shared; undefined where it can. */
export function unsharedReason(query: Json): string | undefined {
  if (!isObject(query)) return 'There is no question to share.'
  const kind = String(own(query, 'kind'))
  if (!SHARED_KINDS.includes(kind)) {
    return `A question of the kind ${kind.slice(0, 40)} shows persons or single events, and cannot be shared.`
  }
  const breakdown = own(query, 'breakdownFilter')
  const property = isObject(breakdown) ? own(breakdown, 'breakdown') : undefined
  if (typeof property !== 'string' || !NAMING.has(property)) return undefined
  return `A breakdown by ${property} shows persons one by one, and cannot be shared.`
}

/** Members that hold values of filters, at any depth of a question. */
const FILTERS: readonly string[] = ['properties', 'filterTestAccounts']

/** The question as viewers see it: without its filters, which may name persons. */
export function withoutFilters(question: Json): Json {
  if (isList(question)) return question.map(withoutFilters)
  if (!isObject(question)) return question
  const shown = Object.entries(question).filter(([name]) => !FILTERS.includes(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, withoutFilters(value)]))
}

/** Ranges that viewers choose from, with the interval of their chart. */
const RANGES: readonly (readonly [from: string, to: string | undefined, interval: string])[] = [
  ['-24h', undefined, 'hour'],
  ['-0d', undefined, 'hour'],
  ['-1d', '-1dEnd', 'hour'],
  ['-7d', undefined, 'day'],
  ['-30d', undefined, 'day'],
  ['-90d', undefined, 'week'],
  ['mStart', undefined, 'day'],
  ['-1mStart', '-1mEnd', 'day'],
  ['yStart', undefined, 'month'],
  ['-12m', undefined, 'month'],
]

/** Members of a link's filters. */
export const WEB_FILTERS = ['date_from', 'date_to', 'properties', 'filterTestAccounts'] as const
const RANGE_DEFAULT = '-7d'
/** Rows of a table. */
const ROWS = 9

/** Range of a site's numbers until the viewer chooses another one. */
export function ownRange(filters: JsonObject): JsonObject {
  const from = own(filters, 'date_from') ?? RANGE_DEFAULT
  const to = own(filters, 'date_to') ?? null
  return to === null ? { date_from: from } : { date_from: from, date_to: to }
}

const CHOSEN = ['kind', 'dateRange', 'metrics', 'breakdownBy']

/**
 * The question about a site that a viewer gets for `asked`: one of a bounded number, with the filters
 * of the link. Undefined for any other.
 */
export function webQuestion(asked: Json, filters: JsonObject): JsonObject | undefined {
  if (!isObject(asked) || Object.keys(asked).some((name) => !CHOSEN.includes(name)))
    return undefined
  const range = rangeOf(own(asked, 'dateRange'), filters)
  const metrics = own(asked, 'metrics')
  const by = own(asked, 'breakdownBy')
  if (range === undefined) return undefined
  const { dateRange, interval } = range
  const common = {
    dateRange,
    properties: own(filters, 'properties') ?? [],
    filterTestAccounts: own(filters, 'filterTestAccounts') === true,
    ...(dateRange['date_from'] === 'all' ? {} : { compareFilter: { compare: true } }),
  }
  const kind = own(asked, 'kind')
  const isWhole = kind === 'WebOverviewQuery' || kind === 'WebGoalsQuery'
  if (isWhole && metrics === undefined && by === undefined) return { kind, ...common }
  if (kind === 'WebTrendsQuery' && by === undefined) {
    const [metric] = isList(metrics) && metrics.length === 1 ? metrics : []
    const known = WEB_METRICS.find((each) => each === metric)
    return known === undefined ? undefined : { kind, ...common, metrics: [known], interval }
  }
  const breakdown = WEB_BREAKDOWNS.find((each) => each === by)
  if (kind !== 'WebStatsTableQuery' || metrics !== undefined || breakdown === undefined) {
    return undefined
  }
  return { kind, ...common, breakdownBy: breakdown, includeBounceRate: true, limit: ROWS }
}

type Range = { readonly dateRange: JsonObject; readonly interval: string }

/** @param asked undefined for the link's own. */
function rangeOf(asked: Json | undefined, filters: JsonObject): Range | undefined {
  const dateRange = asked ?? ownRange(filters)
  if (!isObject(dateRange)) return undefined
  const known = RANGES.find(([from, to]) => isRange(dateRange, from, to))
  if (known === undefined) return asked === undefined ? { dateRange, interval: 'day' } : undefined
  const [from, to, interval] = known
  const whole = to === undefined ? { date_from: from } : { date_from: from, date_to: to }
  return { dateRange: whole, interval }
}

function isRange(range: JsonObject, from: string, to: string | undefined): boolean {
  const size = to === undefined ? 1 : 2
  return (
    Object.keys(range).length === size &&
    own(range, 'date_from') === from &&
    own(range, 'date_to') === to
  )
}
