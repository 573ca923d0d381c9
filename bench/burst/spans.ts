/** Spans of a load's seconds: before a burst, during it, after it. Pure. */
import type { Second } from '../load/report/time-series.ts'

export type Span = {
  readonly seconds: number
  readonly sent: number
  readonly accepted: number
  readonly shed: number
  readonly errors: number
  /** Milliseconds: the middle one and the highest of the seconds' own. */
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

/** Of the p99 before: machines that others use are not steady themselves. */
const AS_BEFORE = 2
/** Seconds that must all be good. */
const LOOKED_AT = 5

/**
 * Seconds after which everything is served as `before`: nothing shed, no errors, the usual latency.
 * Undefined when that does not come.
 */
export function servedAsBefore(after: readonly Second[], before: Span): number | undefined {
  for (let from = 0; from + LOOKED_AT <= after.length; from++) {
    const { accepted, shed, errors, p99 } = spanOf(after.slice(from, from + LOOKED_AT))
    const whole = accepted > 0 && shed === 0 && errors === 0
    if (whole && p99 <= AS_BEFORE * before.p99) return from
  }
  return undefined
}
