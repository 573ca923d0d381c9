/** Checks of a cohort's change or removal against the flags and cohorts that use it. */
import { cohortIdOf } from '../../core/ids.ts'
import { isObject, listOf, objectOf, own } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { inspectDefinition, readCohorts } from '../cohorts.ts'
import type { CohortDefinition, FlagSources } from '../definition.ts'
import type { CohortFault } from './validate-cohort.ts'

type Check = Result<void, CohortFault>

/** A cohort that stays: it must be usable, and those that contain it must stay so. */
export function judgeCohort(id: number, { cohorts }: FlagSources): Check {
  const refused = (detail: string, code = 'invalid_input'): Check =>
    err({ code, detail, attr: 'filters' })
  const compiled = readCohorts(cohorts).byId
  const failure = compiled.get(id)?.failure
  if (failure === 'dependency_not_found_cohort') {
    return refused('A condition names a cohort that does not exist.', 'cohort_does_not_exist')
  }
  if (failure !== undefined) return refused('The cohort would contain itself, or be too deep.')
  for (const outer of containersOf(id, cohorts)) {
    if (compiled.get(outer)?.failure !== 'dependency_cycle_cohort') continue
    return refused(`Cohort ${outer}, which contains it, would be too deep.`)
  }
  return ok(undefined)
}

/** Checks the removal of a cohort: no flag and no other cohort may use it. */
export function judgeRemoval(
  id: number,
  { flags, cohorts }: Pick<FlagSources, 'flags' | 'cohorts'>,
  attr: 'deleted' | null,
): Check {
  const outer = containersOf(id, cohorts)
  const using = new Set([id, ...outer])
  const flag = flags.find(
    ({ deleted, filters }) => !deleted && namedByFlag(filters).some((named) => using.has(named)),
  )
  const refused = (detail: string): Check => err({ code: 'invalid_input', detail, attr })
  if (flag !== undefined) return refused(`The feature flag ${flag.key} uses this cohort.`)
  const [container] = outer
  if (container !== undefined) return refused(`Cohort ${container} uses this cohort.`)
  return ok(undefined)
}

/** Ids of the cohorts that contain it, themselves or through others. */
function containersOf(id: number, cohorts: readonly CohortDefinition[]): ReadonlySet<number> {
  const outerOf = new Map<number, number[]>()
  for (const { id: outer, deleted, isStatic, filters } of cohorts) {
    if (deleted || isStatic || outer === id) continue
    for (const inner of inspectDefinition(filters).cohortIds) {
      const known = outerOf.get(inner)
      if (known === undefined) outerOf.set(inner, [outer])
      else known.push(outer)
    }
  }
  const found = new Set<number>()
  const waiting = [id]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const outer of outerOf.get(next) ?? []) {
      if (found.has(outer)) continue
      found.add(outer)
      waiting.push(outer)
    }
  }
  return found
}

/** Without condition sets the filters themselves are one. */
function namedByFlag(filters: unknown): readonly number[] {
  const groups = own(objectOf(filters), 'groups')
  const sets: readonly unknown[] = Array.isArray(groups) ? groups : [filters]
  return sets
    .flatMap((set) => listOf(own(objectOf(set), 'properties')))
    .filter((filter) => isObject(filter) && own(filter, 'type') === 'cohort')
    .map((filter) => cohortIdOf(own(objectOf(filter), 'value')))
    .filter((named) => named !== undefined)
}
