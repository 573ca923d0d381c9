/** The filters of a list of persons. */
import type { Moment } from '../../conditions/condition.ts'
import { isObject } from '../../core/json.ts'
import { parseExact } from '../../core/json-text/exact-numbers.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FilterNode } from '../../events/trees/filter.ts'
import type { CohortMembers } from '../../store/cohorts/cohort-members.ts'
import { createBudget } from '../language/expressions.ts'
import { type FilterError, parseFilters, readFilters } from './filters.ts'

type PersonFilterError = FilterError & { readonly code: string }

/**
 * Reads filters on properties and cohorts of persons, a list of them or a group. A filter without
 * a type is about the person. Undefined when nothing is asked.
 */
export function parsePersonFilters(
  text: string,
  moment: Moment,
  cohorts: CohortMembers,
): Result<FilterNode | undefined, PersonFilterError> {
  if (text.trim() === '') return ok(undefined)
  // Length and syntax are checked as those of other filters.
  const parsed = parseFilters(text, moment, undefined, cohorts)
  if (!parsed.ok) return err({ ...parsed.error, code: 'invalid_input' })
  const json: unknown = parseExact(text)
  if (!Array.isArray(json) && !(isObject(json) && 'values' in json)) return err(NOT_A_LIST)
  const read = readFilters(ofPersons(json), moment, createBudget(), cohorts)
  if (!read.ok) return err({ ...read.error, code: 'invalid_input' })
  return asksPersons(read.value) ? ok(read.value) : err(NOT_OF_PERSONS)
}

const NOT_A_LIST: PersonFilterError = {
  detail: 'Properties must be a list of filters or a group of them.',
  attr: 'properties',
  code: 'invalid_input',
}
const NOT_OF_PERSONS: PersonFilterError = {
  detail: 'Only filters on persons: the type must be person or cohort.',
  attr: 'properties',
  code: 'invalid_input',
}

/** The same filters, with the type `person` where none is given. */
function ofPersons(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(ofPersons)
  if (!isObject(json)) return json
  if ('values' in json) return { ...json, values: ofPersons(json['values']) }
  return 'type' in json ? json : { ...json, type: 'person' }
}

function asksPersons(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.every(asksPersons)
    case 'property':
      return node.source === 'person'
    case 'cohort':
      return true
    default:
      return false
  }
}
