import { compileTest, type PropertyTest } from '../conditions/decide.ts'
import { cohortIdOf } from '../core/ids.ts'
import { isObject, type JsonObject, own } from '../core/json.ts'
import type { Zone } from '../core/time/zone.ts'
import { type Cohort, type Cohorts, holds, isCohortOperator } from './cohorts.ts'
import type { FailureCode, FlagValue } from './flag-result.ts'
import type { Subject } from './subject.ts'

/** One property filter of a condition set. */
export type Filter = FilterKind & {
  /** Its position among the filters as stored, which are evaluated in another order. */
  readonly place: number
}

type FilterKind =
  | { readonly kind: 'flag'; readonly position: number; readonly wanted: FlagValue }
  | { readonly kind: 'person'; readonly key: string; readonly test: PropertyTest }
  | {
      readonly kind: 'group'
      readonly type: string
      readonly key: string
      readonly test: PropertyTest
    }
  | { readonly kind: 'cohort'; readonly cohort: Cohort; readonly negated: boolean }
  | { readonly kind: 'fault'; readonly failure: FailureCode }
  /** Depends on a flag that does not exist: the whole flag is off. */
  | { readonly kind: 'missing_flag' }
  /** Cannot be evaluated, so its set does not match. */
  | { readonly kind: 'never' }

/** Lookups that filters need to be compiled. */
export type FilterScope = {
  readonly cohorts: Cohorts
  readonly groupTypes: ReadonlyMap<number, string>
  readonly zone: Zone
  /** Position of a flag, by id or key. */
  readonly positionOf: (key: string) => number | undefined
}

/**
 * Cheap filters first: a cohort that cannot be resolved fails the flag only when the rest of its
 * set matches.
 */
const RANK: Readonly<Record<FilterKind['kind'], number>> = {
  never: 0,
  missing_flag: 0,
  flag: 1,
  person: 2,
  group: 2,
  cohort: 3,
  fault: 3,
}

/** Compiles a set's filters in the order of evaluation. Never throws. */
export function compileFilters(
  raw: unknown,
  scope: FilterScope,
  groupIndex: number | undefined,
): Filter[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) return [neverAt(0)]
  return raw
    .map((filter: unknown, place) =>
      isObject(filter) ? compileFilter(filter, place, scope, groupIndex) : neverAt(place),
    )
    .toSorted((a, b) => RANK[a.kind] - RANK[b.kind])
}

/** A filter that never matches. */
export function neverAt(place: number): Filter {
  return { kind: 'never', place }
}

// No spread anywhere here: it would give each filter a shape of its own.
function compileFilter(
  filter: JsonObject,
  place: number,
  scope: FilterScope,
  groupIndex: number | undefined,
): Filter {
  const type = own(filter, 'type') ?? 'person'
  if (type === 'cohort') return compileCohortFilter(filter, place, scope)
  if (type === 'flag') return compileFlagFilter(filter, place, scope)
  const key = own(filter, 'key')
  if (typeof key !== 'string') return neverAt(place)
  if (type === 'person' || type === 'event')
    return { kind: 'person', key, test: compileTest(filter, scope.zone), place }
  if (type !== 'group') return neverAt(place)
  const index = own(filter, 'group_type_index') ?? groupIndex
  const name = typeof index === 'number' ? scope.groupTypes.get(index) : undefined
  if (name === undefined) return neverAt(place)
  return { kind: 'group', type: name, key, test: compileTest(filter, scope.zone), place }
}

function compileCohortFilter(filter: JsonObject, place: number, scope: FilterScope): Filter {
  const operator = own(filter, 'operator') ?? 'in'
  const id = cohortIdOf(own(filter, 'value'))
  if (id === undefined || !isCohortOperator(operator)) return neverAt(place)
  const cohort = scope.cohorts.byId.get(id)
  if (cohort === undefined) return { kind: 'fault', failure: 'dependency_not_found_cohort', place }
  return { kind: 'cohort', cohort, negated: operator === 'not_in', place }
}

function compileFlagFilter(filter: JsonObject, place: number, scope: FilterScope): Filter {
  const key = own(filter, 'key')
  const wanted = own(filter, 'value')
  if (own(filter, 'operator') !== 'flag_evaluates_to') return neverAt(place)
  if (typeof wanted !== 'boolean' && typeof wanted !== 'string') return neverAt(place)
  if (typeof key !== 'string' && typeof key !== 'number') return neverAt(place)
  const position = scope.positionOf(String(key))
  if (position === undefined) return { kind: 'missing_flag', place }
  return { kind: 'flag', position, wanted, place }
}

/** Values of the flags evaluated so far, by position; absent ones are off. */
export type FlagValues = readonly (FlagValue | undefined)[]

/** Whether all filters hold. Stops at the first that does not, or that fails the flag. */
export function allHold(
  filters: readonly Filter[],
  subject: Subject,
  values: FlagValues,
  cohorts: Cohorts,
): boolean {
  for (const filter of filters) {
    if (!filterHolds(filter, subject, values, cohorts)) return false
  }
  return true
}

export function filterHolds(
  filter: Filter,
  subject: Subject,
  values: FlagValues,
  cohorts: Cohorts,
): boolean {
  switch (filter.kind) {
    case 'person': {
      const value = subject.personProperty(filter.key)
      return value === undefined ? filter.test.whenMissing : filter.test.test(value, subject)
    }
    case 'group': {
      const value = subject.groupProperty(filter.type, filter.key)
      return value === undefined ? filter.test.whenMissing : filter.test.test(value, subject)
    }
    case 'flag': {
      const value = values[filter.position] ?? false
      return filter.wanted === true ? value !== false : value === filter.wanted
    }
    case 'cohort':
      return holds(filter.cohort, cohorts, subject) !== filter.negated
    case 'fault':
      subject.failure = filter.failure
      return false
    case 'missing_flag':
    case 'never':
      return false
    default:
      return filter satisfies never
  }
}
