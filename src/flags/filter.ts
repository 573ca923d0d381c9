import { isObject, type JsonObject, own } from '../core/json.ts'
import { type Cohort, type Cohorts, cohortIdOf, holds, isCohortOperator } from './cohorts.ts'
import { compileTest, type PropertyTest } from './condition.ts'
import type { FailureCode, FlagValue } from './flag-result.ts'
import type { Subject } from './subject.ts'

/** One property filter of a condition set. */
export type Filter =
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

/** What filters refer to. */
export type FilterScope = {
  readonly cohorts: Cohorts
  readonly groupTypes: ReadonlyMap<number, string>
  /** Position of a flag, by id or key. */
  readonly positionOf: (key: string) => number | undefined
}

const NEVER: Filter = { kind: 'never' }

/**
 * Cheap filters first: a cohort that cannot be resolved fails the flag only when the rest of its
 * set matches.
 */
const RANK: Readonly<Record<Filter['kind'], number>> = {
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
  if (!Array.isArray(raw)) return [NEVER]
  return raw
    .map((filter: unknown) => (isObject(filter) ? compileFilter(filter, scope, groupIndex) : NEVER))
    .toSorted((a, b) => RANK[a.kind] - RANK[b.kind])
}

function compileFilter(
  filter: JsonObject,
  scope: FilterScope,
  groupIndex: number | undefined,
): Filter {
  const type = own(filter, 'type') ?? 'person'
  if (type === 'cohort') return compileCohortFilter(filter, scope)
  if (type === 'flag') return compileFlagFilter(filter, scope)
  const key = own(filter, 'key')
  if (typeof key !== 'string') return NEVER
  if (type === 'person' || type === 'event')
    return { kind: 'person', key, test: compileTest(filter) }
  if (type !== 'group') return NEVER
  const index = own(filter, 'group_type_index') ?? groupIndex
  const name = typeof index === 'number' ? scope.groupTypes.get(index) : undefined
  if (name === undefined) return NEVER
  return { kind: 'group', type: name, key, test: compileTest(filter) }
}

function compileCohortFilter(filter: JsonObject, scope: FilterScope): Filter {
  const operator = own(filter, 'operator') ?? 'in'
  const id = cohortIdOf(own(filter, 'value'))
  if (id === undefined || !isCohortOperator(operator)) return NEVER
  const cohort = scope.cohorts.byId.get(id)
  if (cohort === undefined) return { kind: 'fault', failure: 'dependency_not_found_cohort' }
  return { kind: 'cohort', cohort, negated: operator === 'not_in' }
}

function compileFlagFilter(filter: JsonObject, scope: FilterScope): Filter {
  const key = own(filter, 'key')
  const wanted = own(filter, 'value')
  if (own(filter, 'operator') !== 'flag_evaluates_to') return NEVER
  if (typeof wanted !== 'boolean' && typeof wanted !== 'string') return NEVER
  if (typeof key !== 'string' && typeof key !== 'number') return NEVER
  const position = scope.positionOf(String(key))
  return position === undefined ? { kind: 'missing_flag' } : { kind: 'flag', position, wanted }
}

/** Values of the flags evaluated so far, by position; what is absent is off. */
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

function filterHolds(
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
