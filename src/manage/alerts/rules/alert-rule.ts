/** Rule of an alert as its request and its row have it: condition, threshold and config. */
import { isObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { INSIGHT_SERIES_MAX } from '../../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { SENSITIVITIES, type Sensitivity } from './anomaly.ts'

const CONDITIONS = ['absolute_value', 'relative_increase', 'relative_decrease'] as const
export type BoundsCondition = (typeof CONDITIONS)[number]
const ANOMALY = 'anomaly'

export type AlertRule = BoundsRule | AnomalyRule

export type BoundsRule = {
  readonly condition: BoundsCondition
  /** Changes are shares of the value before: 0.5 is 50 %. */
  readonly isShare: boolean
  /** It fires below `lower` and above `upper`; at least one of them is there. */
  readonly lower: number | undefined
  readonly upper: number | undefined
  /** Place of the series in the question, from 0. */
  readonly seriesIndex: number
  /** Looks at the interval that runs, and not at the last complete one. */
  readonly isOngoing: boolean
}

/** It fires outside of what is usual, and looks at complete intervals. */
export type AnomalyRule = Pick<BoundsRule, 'seriesIndex'> & {
  readonly condition: typeof ANOMALY
  readonly sensitivity: Sensitivity
}

/** JSON of a rule. */
export type RuleFields = {
  readonly condition: Json
  readonly threshold: Json
  readonly config: Json
}

/** An error in the form of the management interface. */
export type RuleError = {
  readonly detail: string
  readonly attr: string
  readonly code: 'invalid_input'
}

/** Ends the reading of a rule; `readRule` catches it. */
class RuleProblem extends Error {
  readonly attr: string

  constructor(detail: string, attr: string) {
    super(detail)
    this.attr = attr
  }
}

/** The error names the first member that is wrong. Never throws. */
export function readRule(fields: RuleFields): Result<AlertRule, RuleError> {
  try {
    return ok(ruleOf(fields))
  } catch (error) {
    if (!(error instanceof RuleProblem)) throw error
    return err({ detail: error.message, attr: error.attr, code: 'invalid_input' })
  }
}

function ruleOf({ condition, threshold, config }: RuleFields): AlertRule {
  const { type: asked, sensitivity } = membersOf(condition, 'condition', ['type', 'sensitivity'])
  const type = choiceOf(asked, [...CONDITIONS, ANOMALY], 'condition__type')
  if (type === ANOMALY) return anomalyOf(sensitivity ?? 'medium', threshold, config)
  if (sensitivity !== undefined) {
    throw new RuleProblem('Only the condition anomaly has it.', 'condition__sensitivity')
  }
  const bounds = boundsOf(threshold)
  const { isShare, lower, upper } = bounds
  if (isShare && type === 'absolute_value') {
    const detail = 'A percentage needs the condition relative_increase or relative_decrease.'
    throw new RuleProblem(detail, 'threshold__configuration__type')
  }
  const { seriesIndex, isOngoing } = configOf(config)
  if (isOngoing && (type === 'relative_decrease' || lower !== undefined)) {
    const detail =
      'An interval that still runs can only be above a bound: name an upper bound alone, of ' +
      'absolute_value or relative_increase.'
    throw new RuleProblem(detail, 'config__check_ongoing_interval')
  }
  return { condition: type, isShare, lower, upper, seriesIndex, isOngoing }
}

function anomalyOf(sensitivity: Json, threshold: Json, config: Json): AnomalyRule {
  const choice = choiceOf(sensitivity, SENSITIVITIES, 'condition__sensitivity')
  if (isObject(threshold) && Object.keys(threshold).length > 0) {
    throw new RuleProblem('The condition anomaly has no bounds.', 'threshold')
  }
  const { seriesIndex, isOngoing } = configOf(config)
  if (isOngoing) {
    const detail = 'The condition anomaly looks at complete intervals.'
    throw new RuleProblem(detail, 'config__check_ongoing_interval')
  }
  return { condition: ANOMALY, sensitivity: choice, seriesIndex }
}

function boundsOf(threshold: Json): Pick<BoundsRule, 'isShare' | 'lower' | 'upper'> {
  const { configuration } = membersOf(threshold, 'threshold', ['configuration'])
  const path = 'threshold__configuration'
  const { type, bounds } = membersOf(configuration, path, ['type', 'bounds'])
  const kind = choiceOf(type ?? 'absolute', ['absolute', 'percentage'], `${path}__type`)
  const named = membersOf(bounds, `${path}__bounds`, ['lower', 'upper'])
  const lower = numberOf(named['lower'], `${path}__bounds__lower`)
  const upper = numberOf(named['upper'], `${path}__bounds__upper`)
  if (lower === undefined && upper === undefined) {
    throw new RuleProblem('Needs a lower or an upper bound.', `${path}__bounds`)
  }
  if (lower !== undefined && upper !== undefined && lower > upper) {
    throw new RuleProblem('The lower bound is above the upper one.', `${path}__bounds__lower`)
  }
  return { isShare: kind === 'percentage', lower, upper }
}

const TRENDS_CONFIG = 'TrendsAlertConfig'

function configOf(config: Json): Pick<BoundsRule, 'seriesIndex' | 'isOngoing'> {
  const members = membersOf(config, 'config', ['type', 'series_index', 'check_ongoing_interval'])
  choiceOf(members['type'] ?? TRENDS_CONFIG, [TRENDS_CONFIG], 'config__type')
  const index = members['series_index'] ?? 0
  const isPlace = typeof index === 'number' && Number.isInteger(index)
  if (!isPlace || index < 0 || index >= INSIGHT_SERIES_MAX) {
    throw new RuleProblem('Must be the place of a series, from 0.', 'config__series_index')
  }
  const ongoing = members['check_ongoing_interval'] ?? false
  if (typeof ongoing !== 'boolean') {
    throw new RuleProblem('Must be a valid boolean.', 'config__check_ongoing_interval')
  }
  return { seriesIndex: index, isOngoing: ongoing }
}

/** Members that are null count as absent. */
function membersOf(value: Json | undefined, path: string, known: readonly string[]): JsonObject {
  if (!isObject(value)) throw new RuleProblem('Must be an object.', path)
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new RuleProblem('Unknown member.', `${path}__${unknown}`)
  return Object.fromEntries(known.flatMap((name) => entryOf(value, name)))
}

function entryOf(value: JsonObject, name: string): [string, Json][] {
  const member = own(value, name)
  return member === undefined || member === null ? [] : [[name, member]]
}

function choiceOf<C extends string>(
  value: Json | undefined,
  choices: readonly C[],
  attr: string,
): C {
  const choice = choices.find((each) => each === value)
  if (choice === undefined) throw new RuleProblem(`Must be one of ${choices.join(', ')}.`, attr)
  return choice
}

function numberOf(value: Json | undefined, attr: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new RuleProblem('A valid number is required.', attr)
  }
  return value
}
