/** Trace of the evaluation of a flag, by condition. */
import type { FlagValue, ReasonCode } from './flag-result.ts'

export type FlagTrace = {
  readonly optIn: GateTrace | undefined
  readonly holdout: GateTrace | undefined
  /** In the order in which they are stored and evaluated. */
  readonly sets: readonly SetTrace[]
}

type Conditions = {
  /** In the order in which they are stored. */
  readonly filters: readonly FilterTrace[]
  /** Undefined when there is nothing to hash: a group that was not named. */
  readonly bucket: number | undefined
  /** Buckets up to it are included. */
  readonly threshold: number
}

/** Trace of a gate, which is evaluated before the condition sets. */
export type GateTrace = Conditions & {
  /** Undefined: it does not apply to the subject. */
  readonly holds: boolean | undefined
}

export type SetTrace = Conditions & {
  /** False where the answer was found before. */
  readonly isReached: boolean
  /** Outcome of the set by itself. */
  readonly outcome: ReasonCode
  /** Value of the flag if the set matches. */
  readonly variant: FlagValue | undefined
  /** Undefined unless the variant is chosen by hash. */
  readonly variantBucket: number | undefined
}

export type FilterTrace = {
  /** Position among the filters of its set. */
  readonly place: number
  readonly holds: boolean
  /** Value of the subject; undefined for none, and for filters without one, such as a cohort. */
  readonly actual: unknown
}
