/** Spans of a load's seconds: before a burst, during it, after it. Pure. */
import type { Second } from '../load/report/time-series.ts'

export type Span = {
  readonly seconds: number
  readonly sent: number
  readonly accepted: number
  readonly shed: number
  readonly errors: number
  /** Milliseconds: median and highest of the p99 of the single seconds. */
  readonly p99: number
  readonly p99Worst: number
}

export function spanOf(seconds: readonly Second[]): Span {
  const sum = (of: 'sent' | 'accepted' | 'shed' | 'errors') =>
    seconds.reduce((total, second) => total + second[of], 0)
  const p99s = seconds.flatMap(({ p99 }) => (p99 === undefined ? [] : [p99])).sort((a, b) => a - b)
  return {
    seconds: seconds.length,
    sent: sum('sent'),
    accepted: sum('accepted'),
    shed: sum('shed'),
    errors: sum('errors'),
    p99: p99s[Math.floor(p99s.length / 2)] ?? Number.NaN,
    p99Worst: p99s.at(-1) ?? Number.NaN,
  }
}

/** Factor on the p99 before the burst: latency on a shared machine varies by itself. */
const AS_BEFORE = 2
/** Number of consecutive good seconds that count as recovered. */
const LOOKED_AT = 5

/**
 * Seconds after which everything is served as `before`: nothing shed, no errors, the usual latency.
 * Undefined when that never happens.
 */
export function servedAsBefore(after: readonly Second[], before: Span): number | undefined {
  for (let from = 0; from + LOOKED_AT <= after.length; from++) {
    const { accepted, shed, errors, p99 } = spanOf(after.slice(from, from + LOOKED_AT))
    const whole = accepted > 0 && shed === 0 && errors === 0
    if (whole && p99 <= AS_BEFORE * before.p99) return from
  }
  return undefined
}
