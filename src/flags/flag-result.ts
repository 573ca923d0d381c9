/** Values of flags, and the reasons for them. */

export type FlagValue = boolean | string

export type ReasonCode =
  | 'super_condition_value'
  | 'holdout_condition_value'
  | 'condition_match'
  | 'out_of_rollout_bound'
  | 'no_condition_match'
  | 'no_group_type'
  | 'missing_dependency'
  | FailureCode

/** Reason why a flag could not be evaluated: it is off, and the client keeps its last value. */
export type FailureCode =
  | 'dependency_cycle_flag'
  | 'dependency_cycle_cohort'
  | 'dependency_not_found_cohort'
  | 'database_unavailable'
  | 'evaluation_error'

export type Reason = {
  readonly code: ReasonCode
  /** 0-based; `null` when no condition set was looked at. */
  readonly conditionIndex: number | null
  /** For people; sets are counted from 1. */
  readonly description: string
  readonly resolution: Resolution
}

/** The answer for one flag. Instances are shared between evaluations. */
export type FlagResult = {
  readonly key: string
  readonly id: number
  readonly version: number
  readonly description: string
  readonly value: FlagValue
  readonly reason: Reason
  /** JSON text. */
  readonly payload: string | undefined
  readonly failed: boolean
  readonly fragments: Fragments
}

/** Members of the answers of `render.ts`; empty where the flag does not appear. */
export type Fragments = {
  /** `"key"`, for a flag that is on. */
  readonly listed: string
  /** `"key":value`. */
  readonly valued: string
  /** `"key":"payload"`. */
  readonly payload: string
  /** `"key":{…}`. */
  readonly detailed: string
  /** OpenFeature entry `{…}`; written at first use, since most projects never need it. */
  readonly openFeature: () => string
}

/**
 * Origin of an outcome, in OpenFeature's terms. `STATIC`: the same for everybody. `SPLIT`: the hash
 * decided. `TARGETING_MATCH`: properties of the subject decided. `DEFAULT`: nothing matched. A
 * failure has an error code instead, so `ERROR` is never sent.
 */
export type Resolution = 'STATIC' | 'SPLIT' | 'TARGETING_MATCH' | 'DEFAULT' | 'ERROR'
