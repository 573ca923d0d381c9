/** What the evaluation of a flag has found of each of its conditions. */
import type { FlagValue, ReasonCode } from './flag-result.ts'

export type FlagTrace = {
  readonly optIn: GateTrace | undefined
  readonly holdout: GateTrace | undefined
  /** In the order in which they are stored and asked. */
  readonly sets: readonly SetTrace[]
}

type Conditions = {
  /** In the order in which they are stored. */
  readonly filters: readonly FilterTrace[]
  /** Undefined where nobody is there to be counted: a group that was not named. */
  readonly bucket: number | undefined
  /** Whoever is in a bucket up to it is let through. */
  readonly threshold: number
}

/** What is asked before the condition sets. */
export type GateTrace = Conditions & {
  /** Undefined: it does not apply to the subject. */
  readonly holds: boolean | undefined
}

export type SetTrace = Conditions & {
  /** False where the answer was found before. */
  readonly isReached: boolean
  /** What it says by itself. */
  readonly outcome: ReasonCode
  /** What the flag comes out as if the set matches. */
  readonly variant: FlagValue | undefined
  /** Where the variant is chosen by hash. */
  readonly variantBucket: number | undefined
}

export type FilterTrace = {
  /** Position among the filters of its set. */
  readonly place: number
  readonly holds: boolean
  /** What the subject has; undefined for nothing, and for what has no value, such as a cohort. */
  readonly actual: unknown
}
