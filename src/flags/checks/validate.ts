/** Checks of a flag on save: refuses filters that evaluation would have to treat as broken. */

import { isObject, type JsonObject, listOf, objectOf, own } from '../../core/json.ts'
import { FLAG_FILTERS_MAX } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { CohortDefinition } from '../definition.ts'
import { dependencyOrder } from '../order.ts'
import { checkPropertyFilter, type FilterPlace } from './validate-filter.ts'

export type FlagFault = {
  readonly code: string
  readonly detail: string
  /** The field to blame, or none. */
  readonly attr: 'filters' | null
}

/** Another flag of the project, or the stored form of the one being saved. */
export type SavedFlag = {
  readonly id: number
  readonly key: string
  readonly deleted: boolean
  readonly filters: unknown
}

export type ValidationContext = {
  /** Id of the flag being changed; `undefined` for a new one. */
  readonly id?: number | undefined
  readonly key: string
  readonly cohorts: ReadonlyMap<number, CohortDefinition>
  readonly otherFlags: readonly SavedFlag[]
  /** The filters are stored ones of the flag, current or past. */
  readonly isStored?: boolean
}

type Check = Result<void, FlagFault>
const PASSED: Check = ok(undefined)
const SHARE_SUM_TOLERANCE = 1e-6
const GROUP_TYPE_INDEX_MAX = 4

function fault(detail: string, attr: FlagFault['attr'] = 'filters'): Check {
  return err({ code: 'invalid_input', detail, attr })
}

/**
 * Checks `filters` of a flag. Keys that are not known here are not looked at: they are kept and
 * given back as sent. Never throws; the first fault is reported.
 */
export function validateFlagFilters(filters: unknown, context: ValidationContext): Check {
  if (!isObject(filters)) return fault('Filters must be an object.')
  const index = own(filters, 'aggregation_group_type_index')
  if (!isGroupTypeIndex(index)) return fault(`Group type index must be 0 to 4 or null.`)
  const variants = checkVariants(filters)
  if (!variants.ok) return variants
  const sets = checkSets(filters, variants.value, context)
  if (!sets.ok) return sets
  const payloads = checkPayloads(filters, variants.value)
  return payloads.ok ? checkCycles(filters, context) : payloads
}

function isGroupTypeIndex(index: unknown): boolean {
  if (index === undefined || index === null) return true
  const inside = typeof index === 'number' && index >= 0 && index <= GROUP_TYPE_INDEX_MAX
  return inside && Number.isInteger(index)
}

function checkVariants(filters: JsonObject): Result<ReadonlySet<string>, FlagFault> {
  const keys = new Set<string>()
  const refuse = (detail: string, attr: FlagFault['attr'] = 'filters') =>
    err({ code: 'invalid_input', detail, attr })
  const multivariate = own(filters, 'multivariate')
  if (multivariate === undefined || multivariate === null) return ok(keys)
  if (!isObject(multivariate)) return refuse('Multivariate must be an object or null.')
  const variants = own(multivariate, 'variants')
  if (variants !== undefined && !Array.isArray(variants)) return refuse('Variants must be a list.')
  let sum = 0
  for (const variant of listOf(variants)) {
    const key = own(objectOf(variant), 'key')
    const share = own(objectOf(variant), 'rollout_percentage')
    if (typeof key !== 'string' || key === '') return refuse('Every variant needs a key.')
    if (keys.has(key)) return refuse(`Variant key "${key}" is not unique.`)
    if (!isPercentage(share)) return refuse(`Variant "${key}" needs a percentage from 0 to 100.`)
    keys.add(key)
    sum += share
  }
  if (keys.size > 0 && Math.abs(sum - 100) > SHARE_SUM_TOLERANCE) {
    return refuse('Invalid variant definitions: Variant rollout percentages must sum to 100.', null)
  }
  return ok(keys)
}

function isPercentage(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100
}

function checkSets(
  filters: JsonObject,
  variants: ReadonlySet<string>,
  context: ValidationContext,
): Check {
  const groups = own(filters, 'groups')
  if (groups !== undefined && groups !== null && !Array.isArray(groups)) {
    return fault('Groups must be a list of condition sets.')
  }
  // Without sets the filters themselves are one, as in rows from before there were any.
  const sets = Array.isArray(groups) ? groups : [filters]
  const flagIndex = own(filters, 'aggregation_group_type_index') ?? null
  let left = FLAG_FILTERS_MAX
  const usable = new Set<number>()
  for (const set of sets) {
    if (!isObject(set)) return fault('Every condition set must be an object.')
    left -= 1 + listOf(own(set, 'properties')).length
    if (left < 0) return fault(`A flag may hold ${FLAG_FILTERS_MAX} sets and filters at most.`)
    const checked = checkSet(set, flagIndex, variants, { ...context, usable })
    if (!checked.ok) return checked
  }
  return PASSED
}

function checkSet(
  set: JsonObject,
  flagIndex: unknown,
  variants: ReadonlySet<string>,
  context: ValidationContext & Pick<FilterPlace, 'usable'>,
): Check {
  const rollout = own(set, 'rollout_percentage')
  if (rollout !== undefined && rollout !== null && !isPercentage(rollout)) {
    return fault('Rollout percentage must be a number from 0 to 100, or null.')
  }
  const variant = own(set, 'variant')
  if (variant !== undefined && variant !== null) {
    if (typeof variant !== 'string' || !variants.has(variant)) {
      return fault(`A condition set names the unknown variant ${JSON.stringify(variant)}.`)
    }
  }
  const ownIndex = own(set, 'aggregation_group_type_index')
  if (!isGroupTypeIndex(ownIndex)) return fault('Group type index must be 0 to 4 or null.')
  const properties = own(set, 'properties')
  if (properties !== undefined && properties !== null && !Array.isArray(properties)) {
    return fault('Properties must be a list of property filters.')
  }
  const index = ownIndex === undefined ? flagIndex : ownIndex
  const place: FilterPlace = {
    groupIndex: typeof index === 'number' ? index : undefined,
    ofGroupFlag: flagIndex !== null && index !== null,
    cohorts: context.cohorts,
    usable: context.usable,
    isStored: context.isStored ?? false,
  }
  for (const property of listOf(properties)) {
    const checked = checkPropertyFilter(property, place)
    if (!checked.ok) return checked
  }
  return PASSED
}

function checkPayloads(filters: JsonObject, variants: ReadonlySet<string>): Check {
  const payloads = own(filters, 'payloads')
  if (payloads === undefined || payloads === null) return PASSED
  if (!isObject(payloads)) return fault('Payloads must be an object.')
  for (const key of Object.keys(payloads)) {
    if (variants.size === 0 && key !== 'true') {
      return fault("Payload keys must be 'true' for boolean flags.")
    }
    if (variants.size > 0 && !variants.has(key)) {
      return fault('Payload keys must match a variant key for multivariate flags.')
    }
  }
  return PASSED
}

/** Refuses filters by which the flag would depend on itself, through whichever others. */
function checkCycles(filters: JsonObject, context: ValidationContext): Check {
  const others = context.otherFlags.filter((flag) => flag.id !== context.id)
  const saved = { id: context.id, key: context.key, deleted: false, filters }
  const all = [saved, ...others]
  const byId = new Map(all.map((flag, position) => [String(flag.id), position]))
  const byKey = new Map<string, number>()
  for (const [position, flag] of all.entries()) if (!flag.deleted) byKey.set(flag.key, position)
  const { inCycle } = dependencyOrder(all.length, (position) =>
    dependencyKeys(all[position]?.filters)
      .map((key) => byId.get(key) ?? byKey.get(key))
      .filter((dependency) => dependency !== undefined),
  )
  return inCycle[0] === 1 ? fault('The flag would depend on itself.') : PASSED
}

function dependencyKeys(filters: unknown): string[] {
  return listOf(own(objectOf(filters), 'groups'))
    .flatMap((set) => listOf(own(objectOf(set), 'properties')))
    .filter((filter) => isObject(filter) && own(filter, 'type') === 'flag')
    .map((filter) => String(own(objectOf(filter), 'key')))
}
