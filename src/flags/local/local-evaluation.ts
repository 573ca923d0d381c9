/**
 * Flags as server libraries evaluate them: with the same outcome as here, or so that the library
 * finds that it must ask the server. Filters stay as saved except for parts that it could not read.
 */

import { cohortIdOf } from '../../core/ids.ts'
import { isObject, type Json, type JsonObject, listOf, objectOf, own } from '../../core/json.ts'
import { FLAG_FILTERS_MAX } from '../../core/limits/limits.ts'
import type { Work } from '../../core/work/turns.ts'
import type { FlagDefinition, FlagSources } from '../definition.ts'
import {
  type CohortGroup,
  conditionSetsOf,
  definitionsOf,
  type LocalCohorts,
  localCohorts,
} from './local-cohorts.ts'
import { type DependencyChains, dependencyChains } from './local-dependencies.ts'

export type LocalDefinitions = {
  /** Inactive ones too, deleted ones not; in the order of ids. */
  readonly flags: readonly FlagDefinition[]
  /** By id: those that flags use and those within them. Undefined when they were not requested. */
  readonly cohorts: ReadonlyMap<number, CohortGroup> | undefined
}

/** Version of matching booleans: `false` matches false only, not every other value. */
export const PROPERTY_MATCHING_VERSION = 2

/** Places of property filters beside the condition sets. */
const GATES = ['super_groups', 'holdout_groups'] as const

/** Never throws. */
export function* localDefinitions(
  { flags, cohorts }: FlagSources,
  options: { readonly withCohorts: boolean },
): Work<LocalDefinitions> {
  const alive: ReadFlag[] = []
  for (const flag of flags.filter(({ deleted }) => !deleted).toSorted((a, b) => a.id - b.id)) {
    const read = inOneForm(objectOf(flag.filters))
    const properties = propertyFilters(read)
    alive.push({ flag, filters: read, properties })
    yield 1 + properties.length / FILTERS_OF_WORK
  }
  const known = yield* localCohorts(cohorts)
  const chains = dependencyChains(
    alive.map(({ flag: { id, key }, properties }) => ({ id, key, filters: properties })),
  )
  const given: FlagDefinition[] = []
  for (const read of alive) {
    const filters = options.withCohorts ? read.filters : withoutCohort(read, known)
    given.push({
      ...read.flag,
      filters: chains.hasAny ? withDependencies(filters, chains) : filters,
    })
    yield 1 + read.properties.length / FILTERS_OF_WORK
  }
  if (!options.withCohorts) return { flags: given, cohorts: undefined }
  const used = alive.flatMap(({ properties }) => cohortIdsOf(properties))
  return { flags: given, cohorts: definitionsOf(used, known) }
}

type ReadFlag = {
  readonly flag: FlagDefinition
  readonly filters: JsonObject
  /** All property filters of the flag, of every condition set and gate. */
  readonly properties: readonly JsonObject[]
}

/** Filters that are looked through in a microsecond. */
const FILTERS_OF_WORK = 2

/** Older rows hold a single set at their top level, and payloads that are no texts. */
function inOneForm(saved: JsonObject): JsonObject {
  const filters: Record<string, Json> = { ...saved }
  if ((own(saved, 'groups') ?? null) === null) {
    const rollout = own(saved, 'rollout_percentage') ?? null
    filters['groups'] = [
      { properties: own(saved, 'properties') ?? [], rollout_percentage: rollout },
    ]
  }
  const payloads = own(saved, 'payloads')
  if (isObject(payloads)) filters['payloads'] = payloadTexts(payloads)
  return filters
}

function payloadTexts(payloads: JsonObject): JsonObject {
  const texts = Object.entries(payloads).map(([key, payload]) => {
    const isText = typeof payload === 'string' || payload === null
    return [key, isText ? payload : JSON.stringify(payload)]
  })
  return Object.fromEntries(texts)
}

function propertyFilters(filters: JsonObject): JsonObject[] {
  return ['groups', ...GATES].flatMap((place) => filtersAt(filters, place))
}

function filtersAt(filters: JsonObject, place: string): JsonObject[] {
  return listOf(own(filters, place))
    .flatMap((set) => listOf(own(objectOf(set), 'properties')))
    .filter(isObject)
}

function cohortIdsOf(properties: readonly JsonObject[]): number[] {
  return properties
    .filter((property) => own(property, 'type') === 'cohort')
    .map((property) => cohortIdOf(own(property, 'value')))
    .filter((id) => id !== undefined)
}

/** Replaces the flag's only cohort by its condition sets, where it has such a form. */
function withoutCohort({ filters, properties }: ReadFlag, cohorts: LocalCohorts): JsonObject {
  const ids = new Set(cohortIdsOf(properties))
  const [id] = ids
  const cohort = ids.size === 1 && id !== undefined ? cohorts.get(id) : undefined
  const isGated = GATES.some((gate) => cohortIdsOf(filtersAt(filters, gate)).length > 0)
  const choice = cohort === undefined || isGated ? undefined : conditionSetsOf(cohort.shape)
  if (choice === undefined) return filters
  const isByGroup = typeof own(filters, 'aggregation_group_type_index') === 'number'
  const sets: JsonObject[] = []
  for (const set of listOf(own(filters, 'groups'))) {
    const those = isObject(set) ? setWithout(set, choice, isByGroup) : undefined
    if (those === undefined) return filters
    for (const each of those) sets.push(each)
  }
  const size = sets.reduce((sum, set) => sum + 1 + listOf(own(set, 'properties')).length, 0)
  return size > FLAG_FILTERS_MAX ? filters : { ...filters, groups: sets }
}

/** Sets that replace a set with cohorts; undefined when the cohort cannot be inlined. */
function setWithout(
  set: JsonObject,
  choice: readonly (readonly JsonObject[])[],
  isByGroup: boolean,
): readonly JsonObject[] | undefined {
  const properties = listOf(own(set, 'properties'))
  const isCohort = (property: unknown) => isObject(property) && own(property, 'type') === 'cohort'
  const tests = properties.filter(isCohort).map(objectOf)
  if (tests.length === 0) return [set]
  const index = own(set, 'aggregation_group_type_index')
  // Filters of persons would be read of the group there.
  if (typeof index === 'number' || (isByGroup && index !== null)) return undefined
  if (tests.some((test) => !['in', 'exact'].includes(String(own(test, 'operator') ?? 'in')))) {
    return undefined
  }
  const others = properties.filter((property) => !isCohort(property))
  const [only] = choice
  if (choice.length === 1) return [{ ...set, properties: [...others, ...(only ?? [])] }]
  // With other filters, each alternative would repeat them.
  return others.length === 0
    ? choice.map((filters) => ({ ...set, properties: filters }))
    : undefined
}

/** Flags are saved by id; libraries need the key, and the flags to evaluate before it. */
function withDependencies(filters: JsonObject, chains: DependencyChains): JsonObject {
  const given: Record<string, Json> = { ...filters }
  for (const place of ['groups', ...GATES]) {
    const sets = own(filters, place)
    if (Array.isArray(sets)) given[place] = sets.map((set: Json) => withChains(set, chains))
  }
  return given
}

function withChains(set: Json, chains: DependencyChains): Json {
  const properties = isObject(set) ? own(set, 'properties') : undefined
  if (!isObject(set) || !Array.isArray(properties)) return set
  const given = properties.map((property: Json) => {
    if (!isObject(property) || own(property, 'type') !== 'flag') return property
    const dependency = chains.of(property)
    if (dependency === undefined) return property
    const { key, chain } = dependency
    const { dependency_chain: _saved, ...test } = property
    return { ...test, key, ...(chain === undefined ? {} : { dependency_chain: chain }) }
  })
  return { ...set, properties: given }
}
