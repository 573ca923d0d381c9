/** Compiles stored flags to an immutable snapshot, once for all evaluations. Never throws. */

import { numberOf } from '../conditions/property-value.ts'
import { isObject, type JsonObject, listOf, objectOf, own } from '../core/json.ts'
import { zoneOrUtc } from '../core/time/zone.ts'
import type { Work } from '../core/work/turns.ts'
import { type Cohorts, compilingCohorts, holdPatterns } from './cohorts.ts'
import type { EvaluationRuntime, FlagDefinition, FlagSources } from './definition.ts'
import { type FlagFacts, factsOfFlag, unitedFacts } from './facts.ts'
import { compileFilters, type Filter, type FilterScope, neverAt } from './filter.ts'
import { compileHoldout, compileOptIn, type Holdout, type OptIn } from './gates.ts'
import { dependencyOrder } from './order.ts'
import {
  createOutcome,
  type FlagIdentity,
  type Outcome,
  type SetReasons,
  setReasons,
} from './outcome.ts'

/** Subjects of a flag or of one of its sets: persons, or groups of a type. */
export type Aggregation =
  | { readonly by: 'person' }
  /** `type` is `undefined` when the project has none at the index. */
  | { readonly by: 'group'; readonly type: string | undefined }

export type ConditionSet = {
  readonly aggregation: Aggregation
  readonly filters: readonly Filter[]
  /** 0 to 1 and beyond; 1 or more lets everybody through without hashing. */
  readonly rollout: number
  /** Forced variant. */
  readonly variant: Outcome | undefined
  readonly reasons: SetReasons
}

/** A variant and the bucket below which it is taken, counted from the end of the one before. */
export type VariantRange = { readonly below: number; readonly outcome: Outcome }

export type CompiledFlag = FlagIdentity & {
  /** Place in the snapshot, in the order of ids. */
  readonly position: number
  /** Active and not deleted. */
  readonly enabled: boolean
  readonly runtime: EvaluationRuntime
  readonly contexts: readonly string[]
  /** Hashed in front of the identifier. */
  readonly prefix: string
  readonly byDevice: boolean
  readonly continuity: boolean
  readonly aggregation: Aggregation
  readonly optIn: OptIn | undefined
  readonly holdout: Holdout | undefined
  readonly sets: readonly ConditionSet[]
  readonly earlyExit: boolean
  readonly variants: readonly VariantRange[]
  readonly off: Outcome
  readonly on: Outcome
  /** Positions, each once. */
  readonly dependencies: readonly number[]
  readonly dependsOnMissingFlag: boolean
  readonly facts: FlagFacts
}

export type FlagSnapshot = {
  /** In the order of ids; disabled ones too, since others may depend on them. */
  readonly flags: readonly CompiledFlag[]
  readonly byKey: ReadonlyMap<string, CompiledFlag>
  /** Positions with dependencies first; the order of ids when there are none. */
  readonly order: readonly number[]
  /** 1 for positions of flags that depend on themselves. */
  readonly inCycle: Uint8Array
  readonly hasDependencies: boolean
  readonly cohorts: Cohorts
  /** Facts of all enabled flags together. */
  readonly facts: FlagFacts
  /** Keys of the enabled flags with experience continuity. */
  readonly continuityKeys: readonly string[]
}

/** In steps: a project may have very many flags, cohorts and patterns in them. */
export function* compilingSnapshot({
  flags,
  cohorts,
  groupTypes,
  timezone,
}: FlagSources): Work<FlagSnapshot> {
  const sorted = flags.toSorted((a, b) => a.id - b.id)
  const positions = positionFinder(sorted)
  const zone = zoneOrUtc(timezone)
  const found = yield* compilingCohorts(cohorts, zone)
  const scope = { cohorts: found, groupTypes, zone, positionOf: positions }
  const compiled: CompiledFlag[] = []
  for (const [position, flag] of sorted.entries()) {
    const held = yield* holdPatterns(flag.filters)
    compiled.push(compileFlag(flag, position, scope))
    held.length = 0 // The tests hold them from now on.
  }
  const hasDependencies = compiled.some((flag) => flag.dependencies.length > 0)
  const { order, inCycle } = dependencyOrder(
    compiled.length,
    (position) => compiled[position]?.dependencies ?? [],
  )
  const byKey = new Map<string, CompiledFlag>()
  const enabled = compiled.filter((flag) => flag.enabled)
  for (const flag of enabled) byKey.set(flag.key, flag)
  return {
    flags: compiled,
    byKey,
    order,
    inCycle,
    hasDependencies,
    cohorts: scope.cohorts,
    facts: unitedFacts(enabled.map((flag) => flag.facts)),
    continuityKeys: enabled.filter((flag) => flag.continuity).map((flag) => flag.key),
  }
}

/** Dependencies are stored by id; imported definitions name the key. */
function positionFinder(flags: readonly FlagDefinition[]): FilterScope['positionOf'] {
  const byId = new Map(flags.map((flag, position) => [String(flag.id), position]))
  const byKey = new Map<string, number>()
  for (const [position, flag] of flags.entries()) if (!flag.deleted) byKey.set(flag.key, position)
  return (key) => byId.get(key) ?? byKey.get(key)
}

function compileFlag(flag: FlagDefinition, position: number, scope: FilterScope): CompiledFlag {
  const filters = objectOf(flag.filters)
  const aggregation = aggregationOf(own(filters, 'aggregation_group_type_index'), scope)
  const payloads = flag.hasEncryptedPayloads ? {} : objectOf(own(filters, 'payloads'))
  const variants = compileVariants(filters, payloads)
  const optIn = aggregation.by === 'group' ? undefined : compileOptIn(flag.key, filters, scope)
  const holdout = compileHoldout(filters, scope, (value) => outcomeOf(value, payloads))
  const isGated = optIn !== undefined || holdout !== undefined
  const sets = compileSets(flag.filters, scope, variants, isGated)
  const gates = [
    ...(optIn?.kind === 'super_group' ? optIn.filters : []),
    ...(holdout?.filters ?? []),
  ]
  const all = [...gates, ...sets.flatMap((set) => set.filters)]
  const byDevice = flag.bucketingIdentifier === 'device_id'
  const continuity = flag.ensureExperienceContinuity && aggregation.by === 'person' && !byDevice
  const hashes = variants.length > 0 || sets.some((set) => set.rollout < 1) || optIn !== undefined
  // Member by member: with a spread V8 gives each flag a shape of its own, and evaluating a thousand
  // of them takes twice as long.
  return {
    id: flag.id,
    key: flag.key,
    version: flag.version,
    description: flag.name,
    isMultivariate: variants.length > 0,
    position,
    enabled: flag.active && !flag.deleted,
    runtime: flag.evaluationRuntime,
    contexts: flag.evaluationContexts,
    prefix: `${flag.key}.`,
    byDevice,
    continuity,
    aggregation,
    optIn,
    holdout,
    sets,
    earlyExit: own(filters, 'early_exit') === true,
    variants,
    off: createOutcome(false),
    on: outcomeOf(true, payloads),
    dependencies: [...new Set(all.flatMap((one) => (one.kind === 'flag' ? [one.position] : [])))],
    dependsOnMissingFlag: all.some((one) => one.kind === 'missing_flag'),
    facts: factsOfFlag(all, optIn, continuity && hashes),
  }
}

function aggregationOf(index: unknown, scope: FilterScope): Aggregation {
  if (index === null || index === undefined) return { by: 'person' }
  return { by: 'group', type: typeof index === 'number' ? scope.groupTypes.get(index) : undefined }
}

/** An outcome with its payload: JSON text, or in older rows the parsed JSON. */
function outcomeOf(value: true | string, payloads: JsonObject): Outcome {
  const payload = own(payloads, String(value))
  if (payload === undefined || payload === null) return createOutcome(value)
  return createOutcome(value, typeof payload === 'string' ? payload : JSON.stringify(payload))
}

/** Shares are summed as doubles in listed order: the sums are part of the stored format. */
function compileVariants(filters: JsonObject, payloads: JsonObject): VariantRange[] {
  const ranges: VariantRange[] = []
  let below = 0
  for (const variant of listOf(own(objectOf(own(filters, 'multivariate')), 'variants'))) {
    const key = own(objectOf(variant), 'key')
    if (typeof key !== 'string') continue
    below += (numberOf(own(objectOf(variant), 'rollout_percentage')) ?? 0) / 100
    ranges.push({ below, outcome: outcomeOf(key, payloads) })
  }
  return ranges
}

/** Whether the hash has a choice: a shipped variant has all the share, and the others none. */
function splits(variants: readonly VariantRange[]): boolean {
  let from = 0
  let found = 0
  for (const { below } of variants) {
    if (below > from && from < 1) found++
    from = below
  }
  return found > 1 || (found === 1 && from < 1)
}

/** @param isGated a gate is evaluated before the sets. */
function compileSets(
  raw: unknown,
  scope: FilterScope,
  variants: readonly VariantRange[],
  isGated: boolean,
): ConditionSet[] {
  if (!isObject(raw)) return []
  const hasSplit = splits(variants)
  const groups = own(raw, 'groups')
  // Rows from before condition sets hold a single one, at the top level.
  const legacy = groups === undefined || groups === null
  const flagIndex = own(raw, 'aggregation_group_type_index')
  return (legacy ? [raw] : listOf(groups)).map((group, position) => {
    const set = objectOf(group)
    const ownIndex = own(set, 'aggregation_group_type_index')
    const index = ownIndex === undefined ? flagIndex : ownIndex
    const wanted = own(set, 'variant')
    const rollout = rolloutOf(own(set, 'rollout_percentage'))
    const groupIndex = typeof index === 'number' ? index : undefined
    const readable = isObject(group) && rollout !== undefined
    const aggregation = aggregationOf(index, scope)
    const filters: Filter[] = readable
      ? compileFilters(own(set, 'properties'), scope, groupIndex)
      : [neverAt(0)]
    const variant = variants.find((range) => range.outcome.value === wanted)?.outcome
    const reasons = setReasons(position, {
      isFirst: position === 0 && !isGated,
      isForAll: aggregation.by === 'person' && filters.length === 0,
      rollout: rollout ?? 0,
      splitsVariants: hasSplit && variant === undefined,
    })
    return { aggregation, filters, rollout: rollout ?? 0, variant, reasons }
  })
}

/** Rollout as a fraction; missing or null means 100 %. `undefined` when it is not a number. */
function rolloutOf(percentage: unknown): number | undefined {
  if (percentage === undefined || percentage === null) return 1
  const number = numberOf(percentage)
  return number === undefined ? undefined : number / 100
}
