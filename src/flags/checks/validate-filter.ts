import { cohortIdOf } from '../../core/ids.ts'
import { isObject, type JsonObject, own } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { inspectDefinition, isCohortOperator } from '../cohorts.ts'
import { isDateValue } from '../condition.ts'
import type { CohortDefinition } from '../definition.ts'
import { inspectPattern } from '../patterns/regex.ts'
import { textOf } from '../property-value.ts'

/** Where a filter stands. */
export type FilterPlace = {
  /** Of the groups that the set is about; `undefined` for persons. */
  readonly groupIndex: number | undefined
  /** The flag as a whole is about groups, and the set does not turn back to persons. */
  readonly ofGroupFlag: boolean
  readonly cohorts: ReadonlyMap<number, CohortDefinition>
  /** Cohorts that may be named, as was found already: with those within them they are walked once. */
  readonly usable: Set<number>
  /** The filters were saved once: those of events, which were taken then, mean persons. */
  readonly isStored: boolean
}

type Check = Result<void, { code: string; detail: string; attr: 'filters' }>
const PASSED: Check = ok(undefined)

function fault(detail: string, code = 'invalid_input'): Check {
  return err({ code, detail, attr: 'filters' })
}

/** Checks one property filter of a condition set. */
export function checkPropertyFilter(filter: unknown, place: FilterPlace): Check {
  if (!isObject(filter)) return fault('Every property filter must be an object.')
  const type = typeOf(filter, place)
  const placed = checkType(filter, type, place)
  if (!placed.ok) return placed
  if (type === 'cohort') return checkCohort(filter, place)
  const key = own(filter, 'key')
  const numeric = type === 'flag' && typeof key === 'number'
  if (typeof key !== 'string' && !numeric) return fault('Every property filter needs a key.')
  return checkValue(filter)
}

/** A filter without a type is one of events. */
function typeOf(filter: JsonObject, { isStored }: FilterPlace): unknown {
  const type = own(filter, 'type') ?? 'event'
  return isStored && type === 'event' ? 'person' : type
}

function checkType(filter: JsonObject, type: unknown, place: FilterPlace): Check {
  if (type === 'group') {
    const index = own(filter, 'group_type_index') ?? place.groupIndex
    if (place.groupIndex === undefined || index !== place.groupIndex) {
      return fault('Group filters must be of the group type that their condition set is about.')
    }
    return PASSED
  }
  if (type === 'event') {
    return fault('Flags take no event filters, which filters without a type are: name the type.')
  }
  if (type !== 'person' && type !== 'cohort' && type !== 'flag') {
    return fault(`Property filters of type ${JSON.stringify(type)} are not supported in flags.`)
  }
  if (place.ofGroupFlag) return fault('Flags about groups take only filters of that group type.')
  return PASSED
}

function checkCohort(filter: JsonObject, { cohorts, usable }: FilterPlace): Check {
  const value = own(filter, 'value')
  const id = cohortIdOf(value)
  const shown = JSON.stringify(value) ?? 'missing'
  if (id === undefined) return fault(`Cohort id ${shown} is not an integer.`)
  const operator = own(filter, 'operator') ?? 'in'
  if (!isCohortOperator(operator)) return fault('Cohort filters take the operators in and not_in.')
  const seen = new Set<number>()
  const waiting = [id]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || usable.has(next)) continue
    seen.add(next)
    const cohort = cohorts.get(next)
    if (cohort === undefined || cohort.deleted) {
      return fault(`Cohort with id ${next} does not exist.`, 'cohort_does_not_exist')
    }
    if (cohort.isStatic) continue
    const { behavioural, cohortIds } = inspectDefinition(cohort.filters)
    if (behavioural) {
      return fault(`Cohort ${next} has behavioural criteria.`, 'behavioral_cohort_found')
    }
    for (const inner of cohortIds) waiting.push(inner)
  }
  for (const each of seen) usable.add(each)
  return PASSED
}

/** Dates and patterns must be some. */
export function checkValue(filter: JsonObject): Check {
  const operator = own(filter, 'operator') ?? 'exact'
  const value = own(filter, 'value')
  if (typeof operator !== 'string') return fault('Operators are texts.')
  if (operator.startsWith('is_date_') || operator.startsWith('is_relative_date_')) {
    if (!isDateValue(value)) return fault(`Invalid date value: ${JSON.stringify(value)}`)
  }
  if (operator === 'regex' || operator === 'not_regex') {
    const source = value === undefined || value === null ? undefined : textOf(value)
    if (source === undefined) return fault('Regular expressions are texts.')
    const pattern = inspectPattern(source)
    if (!pattern.ok) return fault(`Invalid regular expression: ${pattern.error}.`)
  }
  return PASSED
}
