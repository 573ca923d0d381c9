/** Checks of a cohort on save: refuses definitions that evaluation could only treat as nobody. */
import { cohortIdOf } from '../../core/ids.ts'
import { isObject, type JsonObject, own } from '../../core/json.ts'
import { COHORT_DEPTH_MAX } from '../../core/limits/limits.ts'
import { COHORT_LEAVES_MAX } from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { isCohortOperator } from '../cohorts.ts'
import { namesRead } from '../subject.ts'
import { checkValue } from './validate-filter.ts'

export type CohortFault = {
  readonly code: string
  readonly detail: string
  readonly attr: 'filters' | 'deleted' | null
}

type Check = Result<void, CohortFault>
const PASSED: Check = ok(undefined)

function fault(detail: string, code = 'invalid_input'): Check {
  return err({ code, detail, attr: 'filters' })
}

/** Checks `filters` by themselves, without the cohorts that they name. Never throws. */
export function validateCohortFilters(filters: unknown): Check {
  if (!isObject(filters) || !Object.hasOwn(filters, 'properties')) {
    return fault('Filters must be an object with the member properties.')
  }
  type Part = { readonly part: unknown; readonly depth: number }
  const waiting: Part[] = [{ part: own(filters, 'properties'), depth: 0 }]
  let parts = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { part, depth } = next
    if (depth > COHORT_DEPTH_MAX) return fault('The conditions are nested too deeply.')
    if (++parts > COHORT_LEAVES_MAX) {
      return fault(`A cohort has at most ${COHORT_LEAVES_MAX} conditions and groups of them.`)
    }
    const read = partsOf(part)
    if (!read.ok) return read
    // The first condition that is wrong is reported.
    for (const inner of [...read.value].reverse()) waiting.push({ part: inner, depth: depth + 1 })
  }
  return PASSED
}

/** Members of a group; empty for a valid condition. */
function partsOf(part: unknown): Result<readonly unknown[], CohortFault> {
  if (Array.isArray(part)) return bounded(part)
  if (!isObject(part)) return refused('Every condition must be an object.')
  if (!Object.hasOwn(part, 'values')) {
    if (Object.keys(part).length === 0) return ok([])
    const checked = checkLeaf(part)
    return checked.ok ? ok([]) : checked
  }
  const type = own(part, 'type')
  if (typeof type !== 'string' || !/^(and|or)$/i.test(type)) {
    return refused('A group of conditions has the type AND or OR.')
  }
  const values = own(part, 'values')
  if (!Array.isArray(values)) return refused('The values of a group must be a list.')
  return bounded(values)
}

function bounded(list: readonly unknown[]): Result<readonly unknown[], CohortFault> {
  if (list.length <= COHORT_LEAVES_MAX) return ok(list)
  return refused(`A cohort has at most ${COHORT_LEAVES_MAX} conditions and groups of them.`)
}

function refused(detail: string): Result<never, CohortFault> {
  return err({ code: 'invalid_input', detail, attr: 'filters' })
}

function checkLeaf(leaf: JsonObject): Check {
  const negation = own(leaf, 'negation') ?? false
  if (typeof negation !== 'boolean') return fault('Negation must be true or false.')
  const type = own(leaf, 'type') ?? 'person'
  if (type === 'behavioral') {
    return fault('Cohorts of what persons did are not supported.', 'behavioral_cohort_found')
  }
  if (type === 'cohort') return checkCohortLeaf(leaf)
  if (type !== 'person') {
    return fault(`Conditions of type ${JSON.stringify(type)} are not supported in cohorts.`)
  }
  const key = own(leaf, 'key')
  if (typeof key !== 'string' || key === '') return fault('Every condition needs a key.')
  if (namesRead(key).includes('distinct_id')) {
    return fault('A person has several distinct ids: make a static cohort of them.')
  }
  return checkValue(leaf)
}

function checkCohortLeaf(leaf: JsonObject): Check {
  if (cohortIdOf(own(leaf, 'value')) === undefined) {
    return fault(`Cohort id ${JSON.stringify(own(leaf, 'value')) ?? 'missing'} is not an integer.`)
  }
  if (isCohortOperator(own(leaf, 'operator') ?? 'in')) return PASSED
  return fault('Conditions on cohorts take the operators in and not_in.')
}
