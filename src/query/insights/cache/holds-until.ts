/** Lifetime of a cached answer while no event is stored. */

import { CACHED_MOVING_MS } from '../../../core/limits/limits-query.ts'
import type { Zone } from '../../../core/time/zone.ts'
import type { CachedQuestion } from '../any-question.ts'
import { PERIODS } from '../question.ts'
import { rangeOf } from '../time/date-range.ts'
import { gridOf, type Interval } from '../time/grid.ts'

/** Two of each, so that a grid has the next start. */
const TWICE_MS = {
  minute: 120_000,
  hour: 7_200_000,
  day: 180_000_000,
  week: 1_300_000_000,
  month: 5_400_000_000,
}

/**
 * The instant, in ms since 1970, at which time alone may change an answer: a bucket ends, or an
 * interval begins. Undefined when it never does.
 */
export function holdsUntil(question: CachedQuestion, nowMs: number): number | undefined {
  switch (question.kind) {
    case 'trends':
    case 'web_trends': {
      const endMs = endOf(question)
      const next = [boundaryAfter(question.interval, question.zone, nowMs), endMs]
      // The compared range is cut where now lies in this one.
      const isMoving = question.compare !== undefined && endMs !== undefined
      return firstOf(isMoving ? [...next, nowMs + CACHED_MOVING_MS] : next)
    }
    case 'lifecycle':
      return firstOf([boundaryAfter(question.interval, question.zone, nowMs), endOf(question)])
    case 'retention':
      return boundaryAfter(PERIODS[question.period], question.zone, nowMs)
    case 'funnel':
      // Windows close at any time.
      return 'interval' in question.shape
        ? boundaryAfter(question.shape.interval, question.zone, nowMs)
        : nowMs + CACHED_MOVING_MS
    case 'web_overview':
    case 'web_stats':
    case 'web_goals':
      // As of trends, the compared range is cut where now lies in this one.
      return question.compare !== undefined && endOf(question) !== undefined
        ? nowMs + CACHED_MOVING_MS
        : undefined
    default:
      return undefined
  }

  function endOf({ range: { to }, zone }: CachedQuestion): number | undefined {
    const { untilMs } = rangeOf(to, to, zone)
    return untilMs > nowMs ? untilMs : undefined
  }
}

function firstOf(instants: readonly (number | undefined)[]): number {
  return Math.min(...instants.map((ms) => ms ?? Infinity))
}

function boundaryAfter(interval: Interval, zone: Zone, nowMs: number): number {
  const range = { fromMs: nowMs, untilMs: nowMs + TWICE_MS[interval] }
  return gridOf(range, interval, zone, Infinity)?.starts[1] ?? nowMs
}
