/** A flag's outcome as OpenFeature's remote evaluation protocol (OFREP) words it. */
import type { FlagResult, Resolution } from './flag-result.ts'

/** Traits of a condition set that decide the resolution of its outcomes. */
export type SetTraits = {
  /** It is the first set, without an opt-in or holdout before it. */
  readonly isFirst: boolean
  /** It matches persons, not groups, and has no properties. */
  readonly isForAll: boolean
  /** 0 to 1 and beyond. */
  readonly rollout: number
  /** The variant is found by the hash, and there is more than one to be found. */
  readonly splitsVariants: boolean
}

/** Resolution for subjects that the set lets through. */
export function matchResolution(set: SetTraits): Resolution {
  if (set.splitsVariants || isPartial(set.rollout)) return 'SPLIT'
  return set.isFirst && set.isForAll ? 'STATIC' : 'TARGETING_MATCH'
}

/** Resolution for subjects that its rollout leaves out. At 0 % no hash lets anybody in. */
export function rolloutResolution(rollout: number): Resolution {
  return isPartial(rollout) ? 'SPLIT' : 'DEFAULT'
}

function isPartial(rollout: number): boolean {
  return rollout > 0 && rollout < 1
}

/**
 * One flag of an OFREP answer, as JSON text. `value` has one type per flag, or is left out, so that
 * the client uses the default in its code: true or false for a boolean flag; for a multivariate one
 * the key of the variant, and nothing while it is off, since a boolean cannot replace a text. It is
 * left out for held-out subjects, too: the code does not know the value `holdout-3`. `variant` is
 * always present, and `metadata` holds scalars only, the payload as JSON text. The entry of a
 * failed flag, and no other, starts with its error code, by which gateways recognise it.
 */
export function openFeatureEntry(
  result: Omit<FlagResult, 'fragments'>,
  isMultivariate: boolean,
): string {
  const { key, id, version, value, reason, payload } = result
  const { code, conditionIndex, description, resolution } = reason
  const about = { flagId: id, version, reasonCode: code }
  if (result.failed) {
    return JSON.stringify({
      errorCode: 'GENERAL',
      key,
      errorDetails: description,
      metadata: about,
    })
  }
  const isTyped = isMultivariate ? typeof value === 'string' : typeof value === 'boolean'
  const isKnown = isTyped && code !== 'holdout_condition_value'
  return JSON.stringify({
    key,
    ...(isKnown ? { value } : {}),
    reason: resolution,
    variant: typeof value === 'string' ? value : value ? 'on' : 'off',
    metadata: {
      ...about,
      ...(conditionIndex === null ? {} : { conditionIndex }),
      ...(payload === undefined ? {} : { payload }),
    },
  })
}
