/** Gates before a flag's condition sets: the early access opt-in and the holdout. */
import { numberOf } from '../conditions/property-value.ts'
import { isObject, type JsonObject, listOf, objectOf, own } from '../core/json.ts'
import { compileFilters, type Filter, type FilterScope } from './filter.ts'
import type { Outcome } from './outcome.ts'

export type OptIn =
  /** On for a person whose property is true, off for any other value. */
  | { readonly kind: 'enrollment'; readonly property: string }
  /** Applies to persons that have one of the properties; then its outcome is final. */
  | {
      readonly kind: 'super_group'
      readonly properties: readonly string[]
      readonly filters: readonly Filter[]
      readonly rollout: number
    }

/** Keeps a share of the identifiers out of an experiment, whichever flags it has. */
export type Holdout = {
  readonly filters: readonly Filter[]
  /** 0 to 1. */
  readonly exclusion: number
  readonly outcome: Outcome
}

export function compileOptIn(
  flagKey: string,
  filters: JsonObject,
  scope: FilterScope,
): OptIn | undefined {
  if (own(filters, 'feature_enrollment') === true) {
    return { kind: 'enrollment', property: `$feature_enrollment/${flagKey}` }
  }
  const group = listOf(own(filters, 'super_groups'))[0]
  if (!isObject(group)) return undefined
  const compiled = compileFilters(own(group, 'properties'), scope, undefined)
  const properties = listOf(own(group, 'properties'))
    .map((property) => own(objectOf(property), 'key'))
    .filter((key) => typeof key === 'string')
  if (properties.length === 0) return undefined
  return {
    kind: 'super_group',
    properties,
    filters: compiled,
    rollout: (numberOf(own(group, 'rollout_percentage') ?? 100) ?? 0) / 100,
  }
}

export function compileHoldout(
  filters: JsonObject,
  scope: FilterScope,
  outcomeOf: (value: string) => Outcome,
): Holdout | undefined {
  const holdout = own(filters, 'holdout')
  if (isObject(holdout)) {
    const exclusion = exclusionOf(own(holdout, 'exclusion_percentage'))
    if (exclusion === undefined) return undefined
    const id = own(holdout, 'id')
    return { filters: [], exclusion, outcome: outcomeOf(holdoutName(id)) }
  }
  const old = listOf(own(filters, 'holdout_groups'))[0]
  if (!isObject(old)) return undefined
  const exclusion = exclusionOf(own(old, 'rollout_percentage') ?? 100)
  if (exclusion === undefined) return undefined
  const variant = own(old, 'variant')
  return {
    filters: compileFilters(own(old, 'properties'), scope, undefined),
    exclusion,
    outcome: outcomeOf(typeof variant === 'string' && variant !== '' ? variant : 'holdout'),
  }
}

function holdoutName(id: unknown): string {
  return typeof id === 'number' || typeof id === 'string' ? `holdout-${id}` : 'holdout'
}

/** Clamped to 0 to 1; `undefined` when it is not a number. */
function exclusionOf(percentage: unknown): number | undefined {
  const number = numberOf(percentage)
  return number === undefined ? undefined : Math.min(100, Math.max(0, number)) / 100
}
