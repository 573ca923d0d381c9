/** Question of an alert's insight: whether the rule can look at it, and as a check asks it. */
import { isList, isObject, type Json, type JsonObject, own, textsIn } from '../../../core/json.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { type Zone, zonedText } from '../../../core/time/zone.ts'
import { AGGREGATED_DISPLAYS } from '../../../query/insights/question.ts'
import { INTERVALS, type Interval } from '../../../query/insights/time/grid.ts'
import type { AlertRule, RuleError } from './alert-rule.ts'
import { ANOMALY_WEEKS } from './anomaly.ts'
import { startBefore } from './intervals.ts'
import type { Numbers } from './judge.ts'

const DAY_MS = 86_400_000

/** A question about trends that was checked when it was saved. */
export type AlertQuestion = {
  readonly query: JsonObject
  readonly interval: Interval
  /** One number over the whole range, instead of those of intervals. */
  readonly isWhole: boolean
}

/** The question of an insight, if the rule can look at it. */
export function readAlertQuestion(query: Json, rule: AlertRule): Result<AlertQuestion, RuleError> {
  if (!isObject(query) || own(query, 'kind') !== 'TrendsQuery') {
    return refused('An alert needs an insight about trends.', 'insight')
  }
  const filter = memberOf(query, 'trendsFilter')
  const isWhole = AGGREGATED_DISPLAYS.some((display) => display === own(filter, 'display'))
  const isOngoing = rule.condition !== 'anomaly' && rule.isOngoing
  if (isWhole && (rule.condition !== 'absolute_value' || isOngoing)) {
    const detail = 'The insight shows one number over its range: only absolute_value looks at it.'
    return refused(detail, isOngoing ? 'config__check_ongoing_interval' : 'condition__type')
  }
  const series = own(query, 'series')
  const count = hasFormula(query) ? 1 : isList(series) ? series.length : 0
  if (rule.seriesIndex >= count) {
    return refused(`The insight has ${count} series, counted from 0.`, 'config__series_index')
  }
  const interval = INTERVALS.find((each) => each === own(query, 'interval')) ?? 'day'
  if (rule.condition === 'anomaly') {
    if (interval === 'minute' || interval === 'month') {
      const detail = 'The condition anomaly needs intervals of hours, days or weeks.'
      return refused(detail, 'condition__type')
    }
    if (Object.keys(memberOf(query, 'breakdownFilter')).length > 0) {
      const detail = 'The condition anomaly needs an insight without a breakdown.'
      return refused(detail, 'condition__type')
    }
  }
  return ok({ query, interval, isWhole })
}

/**
 * The questions over the intervals that the rule compares, and the one that runs, in the order of
 * time: an answer has a bounded number of intervals.
 */
export function askedQuestions(
  { query, interval, isWhole }: AlertQuestion,
  rule: AlertRule,
  zone: Zone,
  nowMs: number,
): readonly Json[] {
  const { compareFilter: _, ...alone } = query
  if (isWhole) return [alone]
  const textOf = (ms: number) => zonedText(zone, ms)
  const asked = (from: number, to: number | null): Json => {
    const dateRange = { date_from: textOf(from), date_to: to === null ? null : textOf(to) }
    return { ...alone, dateRange }
  }
  if (rule.condition !== 'anomaly') {
    const back = (rule.condition === 'absolute_value' ? 0 : 1) + (rule.isOngoing ? 0 : 1)
    return [asked(startBefore(nowMs, interval, zone, back), null)]
  }
  const last = zone.wallAt(startBefore(nowMs, interval, zone, 1))
  const before = (weeks: number) => zone.instantOf(last - weeks * 7 * DAY_MS)
  const [from, middle] = [before(ANOMALY_WEEKS), before(ANOMALY_WEEKS / 2)]
  return [asked(from, middle), asked(middle, null)]
}

/** The numbers of series over ranges that follow one another. */
export function joined(parts: readonly (readonly Numbers[])[]): readonly Numbers[] {
  return parts.reduce((before, after) =>
    after.map((numbers, index) => {
      const earlier = before[index]
      if (earlier === undefined) return numbers
      return {
        ...numbers,
        values: [...earlier.values, ...numbers.values],
        days: [...earlier.days, ...numbers.days],
        complete: earlier.values.length + numbers.complete,
      }
    }),
  )
}

/** The numbers of the rule's series in the results of a trends question. */
export function numbersIn(
  results: unknown,
  { query, isWhole }: AlertQuestion,
  { seriesIndex }: AlertRule,
): readonly Numbers[] {
  const rows = isList(results) ? results.filter(isObject) : []
  const isFormula = hasFormula(query)
  return rows
    .filter((row) => isFormula || own(memberOf(row, 'action'), 'order') === seriesIndex)
    .map((row) => numbersOf(row, isWhole))
}

function numbersOf(row: JsonObject, isWhole: boolean): Numbers {
  const value = own(row, 'breakdown_value')
  const label = String(own(row, 'label') ?? '')
  const breakdown = value === undefined || value === null ? undefined : String(value)
  const words = { label, breakdown }
  if (isWhole) {
    return { ...words, values: [Number(own(row, 'aggregated_value'))], days: [], complete: 1 }
  }
  const data = own(row, 'data')
  const values = isList(data) ? data.map(Number) : []
  const incomplete = own(row, 'incomplete_from')
  const complete = typeof incomplete === 'number' ? incomplete : values.length
  return { ...words, values, days: textsIn(own(row, 'days')), complete }
}

function hasFormula(query: JsonObject): boolean {
  const formula = own(memberOf(query, 'trendsFilter'), 'formula')
  return typeof formula === 'string' && formula.trim() !== ''
}

const NOTHING: JsonObject = {}

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = own(object, name)
  return isObject(member) ? member : NOTHING
}

function refused(detail: string, attr: string): Result<never, RuleError> {
  return err({ detail, attr, code: 'invalid_input' })
}
