/** Questions of the overview: eight in one call. */
import type { JsonObject } from '../../../client/index.ts'
import { intervalOf, rangeOf } from '../../data/ranges.ts'
import { asProperties } from '../../kit/filters/expression.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts'

const FLAG_CALLED = '$feature_flag_called'
const ACTIVE_MS = 300_000
const LISTED = 9

/** Numbers of the range, in the order of the question's series. */
export const METRICS = [
  { key: 'persons', label: TEXTS.persons, math: 'dau', event: null },
  { key: 'events', label: TEXTS.events, math: 'total', event: null },
  { key: 'sessions', label: TEXTS.sessions, math: 'unique_session', event: null },
  { key: 'flag_calls', label: TEXTS.flagCalls, math: 'total', event: FLAG_CALLED },
] as const

export type Ranked = {
  readonly key: string
  readonly title: string
  /** The property that it counts, or `$event`: names of events. */
  readonly property: string
  readonly event: string | null
}

export const LISTS: readonly Ranked[] = [
  { key: 'events', title: TEXTS.listEvents, property: '$event', event: null },
  { key: 'pages', title: TEXTS.listPages, property: '$pathname', event: null },
  { key: 'referrers', title: TEXTS.listReferrers, property: '$referring_domain', event: null },
  { key: 'countries', title: TEXTS.listCountries, property: '$geoip_country_code', event: null },
  { key: 'browsers', title: TEXTS.listBrowsers, property: '$browser', event: null },
  { key: 'flags', title: TEXTS.listFlags, property: '$feature_flag', event: FLAG_CALLED },
]

/** Filter of a click on a row of the list. An event's name is metadata, not a property. */
export function filterOfList({ property }: Ranked): Pick<PropertyFilter, 'type' | 'key'> {
  return property === '$event'
    ? { type: 'event_metadata', key: 'event' }
    : { type: 'event', key: property }
}

export type AskedOverview = {
  readonly date: string
  readonly filters: readonly PropertyFilter[]
  /** Offset of the comparison; empty for the range directly before. */
  readonly compare: string
}

/** The numbers of the range with those of the range before: exactly what a trend answers. */
export function numbersQuery({ date, filters, compare }: AskedOverview): JsonObject {
  const to = compare === '' ? {} : { compare_to: compare }
  return {
    kind: 'TrendsQuery',
    series: METRICS.map(({ math, event }) => ({ kind: 'EventsNode', event, math })),
    dateRange: rangeOf(date),
    interval: intervalOf(date),
    // There is no range before all of it.
    ...(date === 'all' ? {} : { compareFilter: { compare: true, ...to } }),
    trendsFilter: { display: 'ActionsTable' },
    properties: asProperties(filters),
  }
}

export function overviewQueries(asked: AskedOverview, nowMs: number): readonly JsonObject[] {
  const { date, filters } = asked
  const active = {
    kind: 'EventsQuery',
    select: ['countDistinct(distinct_id)'],
    after: new Date(nowMs - ACTIVE_MS).toISOString(),
    properties: asProperties(filters),
  }
  const lists = LISTS.map(({ property, event }) => ({
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event }],
    dateRange: rangeOf(date),
    breakdownFilter: {
      breakdown: property,
      breakdown_type: property === '$event' ? 'event_metadata' : 'event',
      breakdown_limit: LISTED,
    },
    trendsFilter: { display: 'ActionsBarValue' },
    properties: asProperties(filters),
  }))
  return [numbersQuery(asked), active, ...lists]
}
