/** Times of checks, and the intervals that a check reads. */
import type { Zone } from '../../../core/time/zone.ts'
import { type Interval, nextStart, startOf } from '../../../query/insights/time/grid.ts'
import type { CalculationInterval } from '../../../store/alerts/alert-store.ts'

/** Milliseconds after the end of an interval, for events on their way. */
const ALERT_DELAY_MS = 60_000

const INTERVALS: Readonly<Record<CalculationInterval, Interval>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
}

/** When the interval that runs at `nowMs` has ended, on the clock of the project. */
export function nextCheckMs(nowMs: number, interval: CalculationInterval, zone: Zone): number {
  const unit = INTERVALS[interval]
  // A check within the delay is still that of the interval before.
  return nextStart(startOf(nowMs - ALERT_DELAY_MS, unit, zone), unit, zone) + ALERT_DELAY_MS
}

/** The start of an interval so many before the one that runs. */
export function startBefore(nowMs: number, interval: Interval, zone: Zone, count: number): number {
  let start = startOf(nowMs, interval, zone)
  for (let left = count; left > 0; left--) start = startOf(start - 1, interval, zone)
  return start
}
