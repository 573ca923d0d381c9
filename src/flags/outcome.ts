/** Outcomes of a flag: values, reasons, and the JSON texts of both, written once. */
import { once } from '../core/once.ts'
import type {
  FailureCode,
  FlagResult,
  FlagValue,
  Fragments,
  Reason,
  ReasonCode,
  Resolution,
} from './flag-result.ts'
import {
  matchResolution,
  openFeatureEntry,
  rolloutResolution,
  type SetTraits,
} from './open-feature.ts'

/** A value of one flag with the results that it has had so far, by reason. */
export type Outcome = {
  readonly value: FlagValue
  readonly payload: string | undefined
  readonly results: Map<Reason, FlagResult>
}

export type FlagIdentity = {
  readonly key: string
  readonly id: number
  readonly version: number
  readonly description: string
  /** Its value is the key of a variant, where it is on. */
  readonly isMultivariate: boolean
}

export function createOutcome(value: FlagValue, payload?: string): Outcome {
  return { value, payload, results: new Map() }
}

/**
 * Result of a flag for an outcome and a reason, made once. Reasons are objects of the compiled flag
 * or of this module, so the map stays as small as the number of its sets.
 */
export function resultOf(flag: FlagIdentity, outcome: Outcome, reason: Reason): FlagResult {
  const known = outcome.results.get(reason)
  if (known !== undefined) return known
  const failed = FAILURES.has(reason.code)
  const { key, id, version, description } = flag
  const { value, payload } = outcome
  const facts = { key, id, version, description, value, reason, payload, failed }
  const fragments = fragmentsOf(facts, flag.isMultivariate)
  // No spread: all results are to have one shape.
  const result = { key, id, version, description, value, reason, payload, failed, fragments }
  outcome.results.set(reason, result)
  return result
}

function fragmentsOf(facts: Omit<FlagResult, 'fragments'>, isMultivariate: boolean): Fragments {
  const { key, id, version, description, value, reason, payload, failed } = facts
  const name = JSON.stringify(key)
  const details = {
    key,
    enabled: value !== false,
    variant: typeof value === 'string' ? value : null,
    ...(failed ? { failed } : {}),
    reason: {
      code: reason.code,
      condition_index: reason.conditionIndex,
      description: reason.description,
    },
    metadata: {
      id,
      version,
      description: description === '' ? null : description,
      payload: payload ?? null,
    },
  }
  return {
    listed: value === false ? '' : name,
    valued: `${name}:${JSON.stringify(value)}`,
    payload: payload === undefined ? '' : `${name}:${JSON.stringify(payload)}`,
    detailed: `${name}:${JSON.stringify(details)}`,
    openFeature: once(() => openFeatureEntry(facts, isMultivariate)),
  }
}

/** Reasons that name no set, or the only one there is. */
export const REASONS = {
  superCondition: targeted('super_condition_value', 0, 'Matched the early access opt-in'),
  superConditionOff: targeted('super_condition_value', 0, 'Out of the early access feature'),
  holdout: reason('holdout_condition_value', null, 'Held out of the experiment', 'SPLIT'),
  holdoutOfAll: targeted('holdout_condition_value', null, 'Held out of the experiment'),
  noSets: reason('no_condition_match', null, 'The flag has no condition sets', 'DEFAULT'),
  missingDependency: reason(
    'missing_dependency',
    null,
    'Depends on a flag that does not exist',
    'DEFAULT',
  ),
} as const

export const FAILURE_REASONS: Readonly<Record<FailureCode, Reason>> = {
  dependency_cycle_flag: failure('dependency_cycle_flag', 'Depends on itself'),
  dependency_cycle_cohort: failure('dependency_cycle_cohort', 'A cohort contains itself'),
  dependency_not_found_cohort: failure(
    'dependency_not_found_cohort',
    'A cohort of the flag does not exist',
  ),
  database_unavailable: failure('database_unavailable', 'Stored data could not be read'),
  evaluation_error: failure('evaluation_error', 'The flag could not be evaluated'),
}

const FAILURES: ReadonlySet<string> = new Set(Object.keys(FAILURE_REASONS))

/** Reasons of one condition set, made once so that results can be shared. */
export type SetReasons = {
  readonly matched: Reason
  /** The same where the hash has kept the subject out of the holdout or of a set before. */
  readonly matchedNext: Reason
  readonly outOfRollout: Reason
  readonly noMatch: Reason
  readonly noGroup: Reason
}

export function setReasons(index: number, traits: SetTraits): SetReasons {
  const set = `condition set ${index + 1}`
  const match = (resolution: Resolution) =>
    reason('condition_match', index, `Matched ${set}`, resolution)
  const resolution = matchResolution(traits)
  const matched = match(resolution)
  return {
    matched,
    matchedNext: resolution === 'SPLIT' ? matched : match('SPLIT'),
    outOfRollout: reason(
      'out_of_rollout_bound',
      index,
      `Outside the rollout of ${set}`,
      rolloutResolution(traits.rollout),
    ),
    noMatch: reason('no_condition_match', index, `Did not match ${set}`, 'DEFAULT'),
    noGroup: reason('no_group_type', index, `No group given for ${set}`, 'DEFAULT'),
  }
}

function targeted(code: ReasonCode, conditionIndex: number | null, description: string): Reason {
  return reason(code, conditionIndex, description, 'TARGETING_MATCH')
}

function failure(code: FailureCode, description: string): Reason {
  return reason(code, null, description, 'ERROR')
}

function reason(
  code: ReasonCode,
  conditionIndex: number | null,
  description: string,
  resolution: Resolution,
): Reason {
  return { code, conditionIndex, description, resolution }
}
