/** Compares the numbers of an insight with the rule of an alert. */
import type { AlertRule, AnomalyRule, BoundsRule } from './alert-rule.ts'
import { ANOMALY_WEEKS_MIN, type Band, bandOf, historyOf, isAnomaly } from './anomaly.ts'

/** One series of an answer, or one value of its breakdown. */
export type Numbers = {
  readonly label: string
  /** The value of the breakdown; undefined without one. */
  readonly breakdown?: string | undefined
  /** By interval, to the end of the range. A number over the whole range is one alone. */
  readonly values: readonly number[]
  /** Local times of the intervals. */
  readonly days: readonly string[]
  /** How many of the intervals, from the first, are complete; the next one runs. */
  readonly complete: number
}

/** One compared number. */
export type Compared = Pick<Numbers, 'label' | 'breakdown'> & {
  readonly value: number
  /** The usual range; only of an anomaly. */
  readonly usual?: Band
}

export type Judgement = {
  /** Numbers out of bounds, in the order of the answer; none: it does not fire. */
  readonly outside: readonly Compared[]
  /** All of them. */
  readonly compared: readonly Compared[]
  /** The number that stands for the check: the first out of bounds, else the first of all. */
  readonly value: number | null
}

export function judge(rule: AlertRule, series: readonly Numbers[]): Judgement {
  return rule.condition === 'anomaly' ? judgeUsual(rule, series) : judgeBounds(rule, series)
}

/** A series of too few weeks is not compared. */
function judgeUsual({ sensitivity }: AnomalyRule, series: readonly Numbers[]): Judgement {
  const compared = series.flatMap(({ label, values, days, complete }) => {
    const value = values[complete - 1]
    const history = historyOf(days, values, complete - 1)
    if (value === undefined || history.length < ANOMALY_WEEKS_MIN) return []
    return [{ label, value, usual: bandOf(history, sensitivity) }]
  })
  const outside = compared.filter(({ value, usual }) => isAnomaly(value, usual))
  return { outside, compared, value: compared[0]?.value ?? null }
}

function judgeBounds(rule: BoundsRule, series: readonly Numbers[]): Judgement {
  const compared = series.flatMap(({ label, breakdown, ...numbers }) => {
    const value = comparedOf(rule, numbers)
    return value === undefined ? [] : [{ label, breakdown, value }]
  })
  const outside = compared.filter(({ value }) => isOutside(rule, value))
  const [first] = outside.length > 0 ? outside : compared
  return { outside, compared, value: first?.value ?? null }
}

/** The value or the change that a rule compares; undefined without such an interval. */
function comparedOf(rule: BoundsRule, { values, complete }: Pick<Numbers, 'values' | 'complete'>) {
  const at = rule.isOngoing ? complete : complete - 1
  const current = values[at]
  if (current === undefined || rule.condition === 'absolute_value') return current
  const before = values[at - 1]
  if (before === undefined) return undefined
  const change = rule.condition === 'relative_increase' ? current - before : before - current
  return rule.isShare ? shareOf(change, before) : change
}

/** A change from nothing is beyond every share, unless there is none. */
function shareOf(change: number, before: number): number {
  return change === 0 ? 0 : change / Math.abs(before)
}

function isOutside({ lower, upper }: BoundsRule, value: number): boolean {
  return (lower !== undefined && value < lower) || (upper !== undefined && value > upper)
}
