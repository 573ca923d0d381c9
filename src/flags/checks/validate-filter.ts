import { readCondition } from '../../conditions/read-condition.ts'
import { cohortIdOf } from '../../core/ids.ts'
import { isObject, type JsonObject, own } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { zoneOf } from '../../core/time/zone.ts'
import { inspectDefinition, isCohortOperator } from '../cohorts.ts'
import type { CohortDefinition } from '../definition.ts'

/** Place of a filter, and the data that its check needs. */
export type FilterPlace = {
  /** Group type of the set; `undefined` for persons. */
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
  if (type === 'flag' || place.isStored) return PASSED
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

/** Refuses a condition that nothing could meet. */
export function checkValue(filter: JsonObject): Check {
  const read = readCondition(own(filter, 'operator'), own(filter, 'value'), ANY_ZONE)
  if (read.ok) return PASSED
  return fault(`Property ${JSON.stringify(own(filter, 'key'))}: ${read.error}`)
}

/** Whether a condition can hold depends on no zone. */
const ANY_ZONE = zoneOf('UTC')
