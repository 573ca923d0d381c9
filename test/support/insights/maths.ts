/** One number of some events. */
import type { Json } from '../../../src/core/json.ts'
import { groupOf, type Seen } from './world.ts'

export const NUMBER_MATHS = [
  ...(['sum', 'avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const),
] as const
export const FIRST_MATHS = ['first_time_for_user', 'first_matching_event_for_user'] as const
export const MATHS = [
  ...(['total', 'dau', 'unique_session'] as const),
  ...FIRST_MATHS,
  ...NUMBER_MATHS,
] as const
export const ROLLING_DAYS: { readonly [math: string]: number | undefined } = {
  weekly_active: 7,
  monthly_active: 30,
}

const QUANTILES: { readonly [math: string]: number | undefined } = {
  median: 0.5,
  p75: 0.75,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
}

function numberOf(value: Json | undefined): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? [Number(value)] : []
}

/** Interpolated between neighbours; 0 of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = q * (sorted.length - 1)
  const low = sorted[Math.floor(place)] ?? 0
  const high = sorted[Math.ceil(place)] ?? 0
  return low + (high - low) * (place - Math.floor(place))
}

export function actorsOf(events: readonly Seen[]): Set<string> {
  return new Set(events.map(({ actor }) => actor))
}

function ofNumbers(math: string, values: readonly number[]): number {
  const sum = values.reduce((total, each) => total + each, 0)
  if (values.length === 0) return 0
  if (math === 'sum') return sum
  if (math === 'avg') return sum / values.length
  if (math === 'min') return Math.min(...values)
  if (math === 'max') return Math.max(...values)
  return quantile(values, QUANTILES[math] ?? 0)
}

/** Number of groups of a type that the events name. */
export function groupsOf(index: number, events: readonly Seen[]): number {
  return new Set(events.flatMap((event) => groupOf(event, index) ?? [])).size
}

/** @param events for first-time and rolling maths those that count for them. */
export function mathOf(
  math: string,
  property: string | undefined,
  events: readonly Seen[],
): number {
  if (math === 'total') return events.length
  if (math === 'unique_session') {
    const sessions = events.map(({ properties }) => properties['$session_id'])
    return new Set(sessions.filter((id) => typeof id === 'string' && id !== '')).size
  }
  if (['dau', ...FIRST_MATHS, ...Object.keys(ROLLING_DAYS)].includes(math)) {
    return actorsOf(events).size
  }
  return ofNumbers(
    math,
    events.flatMap(({ properties }) => numberOf(properties[property ?? ''])),
  )
}
