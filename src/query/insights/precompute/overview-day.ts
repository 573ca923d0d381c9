/**
 * Questions of the console's overview, for one day. Buckets are cached by what they count and not
 * by their question, so an overview of many days is combined from them.
 */
import type { Json } from '../../../core/json.ts'

const FLAG_CALLED = '$feature_flag_called'

const NUMBERS = [
  { event: null, math: 'dau' },
  { event: null, math: 'total' },
  { event: null, math: 'unique_session' },
  { event: FLAG_CALLED, math: 'total' },
] as const

const LISTS = [
  { event: null, type: 'event_metadata', property: '$event' },
  { event: null, type: 'event', property: '$pathname' },
  { event: null, type: 'event', property: '$referring_domain' },
  { event: null, type: 'event', property: '$geoip_country_code' },
  { event: null, type: 'event', property: '$browser' },
  { event: FLAG_CALLED, type: 'event', property: '$feature_flag' },
] as const

/** @param day of the project's zone, as 2026-11-25. */
export function overviewOfDay(day: string): readonly Json[] {
  const dateRange = { date_from: day, date_to: day }
  const numbers = {
    kind: 'TrendsQuery',
    series: NUMBERS.map(({ event, math }) => ({ kind: 'EventsNode', event, math })),
    dateRange,
    trendsFilter: { display: 'ActionsTable' },
  }
  const lists = LISTS.map(({ event, type, property }) => ({
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event }],
    dateRange,
    breakdownFilter: { breakdown: property, breakdown_type: type },
    trendsFilter: { display: 'ActionsBarValue' },
  }))
  return [numbers, ...lists]
}
