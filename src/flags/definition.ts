import type { ProjectId } from '../core/ids.ts'

export type BucketingIdentifier = 'distinct_id' | 'device_id'
export type EvaluationRuntime = 'all' | 'server' | 'client'

/** A feature flag as stored. */
export type FlagDefinition = {
  readonly projectId: ProjectId
  readonly id: number
  /** At most `FLAG_KEY_LENGTH_MAX` characters; unique among the project's flags not deleted. */
  readonly key: string
  /** Shown to people as the description. */
  readonly name: string
  readonly active: boolean
  readonly deleted: boolean
  /** Rises with each edit. */
  readonly version: number
  /** A person who becomes known keeps the bucket of the anonymous id. */
  readonly ensureExperienceContinuity: boolean
  readonly bucketingIdentifier: BucketingIdentifier
  readonly evaluationRuntime: EvaluationRuntime
  readonly evaluationContexts: readonly string[]
  /** Payloads are not given out by decide. */
  readonly hasEncryptedPayloads: boolean
  /** JSON as saved; older rows may not keep to its shape, which `compile.ts` bears with. */
  readonly filters: unknown
}

/** A cohort as stored. */
export type CohortDefinition = {
  readonly id: number
  readonly name: string
  /** Membership is stored, the definition is not evaluated. */
  readonly isStatic: boolean
  readonly deleted: boolean
  /** `{properties: <definition>}`, or the definition itself. */
  readonly filters: unknown
}

/** Input of the compiler for a project. */
export type FlagSources = {
  /** Deleted and inactive ones too: others may depend on them. */
  readonly flags: readonly FlagDefinition[]
  readonly cohorts: readonly CohortDefinition[]
  /** Index, 0 to 4, to name. */
  readonly groupTypes: ReadonlyMap<number, string>
  /** Name of IANA, in which dates without a zone are read. */
  readonly timezone: string
}
