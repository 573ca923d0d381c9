/** Criteria of a cohort as the page edits them: groups of conditions, nested. */
import type { Json } from '../../../client/index.ts'
import { isRecord, type JsonRecord } from '../../data/json.ts'
import { textOf } from '../flag/model.ts'
import { conditionText, type Names } from '../flag/sentence.ts'

export type Group = {
  /** `AND` matches all criteria, `OR` any of them. */
  readonly type: 'AND' | 'OR'
  readonly values: readonly Criterion[]
}

/** A condition keeps members that the page does not know. */
export type Criterion = Group | JsonRecord

export const NEW_CONDITION: JsonRecord = { type: 'person', key: '', operator: 'exact', value: '' }
const EVERYBODY: Group = { type: 'AND', values: [] }

export function isGroup(criterion: Criterion): criterion is Group {
  return 'values' in criterion
}

/** Reads `filters` in each of its forms: groups, a list of conditions, or nothing. */
export function criteriaOf(filters: Json): Group {
  const read = readPart(isRecord(filters) ? (filters['properties'] ?? null) : null)
  if (read === undefined) return EVERYBODY
  return isGroup(read) ? read : { type: 'AND', values: [read] }
}

function readPart(json: Json): Criterion | undefined {
  if (Array.isArray(json)) return { type: 'AND', values: readAll(json as readonly Json[]) }
  if (!isRecord(json) || Object.keys(json).length === 0) return undefined
  const { type, values } = json
  if (!Array.isArray(values)) return json
  const isAny = typeof type === 'string' && type.toUpperCase() === 'OR'
  return { type: isAny ? 'OR' : 'AND', values: readAll(values as readonly Json[]) }
}

function readAll(list: readonly Json[]): readonly Criterion[] {
  return list.map(readPart).filter((part) => part !== undefined)
}

export function filtersOfCriteria(criteria: Group): { readonly properties: Json } {
  return { properties: criteria as unknown as JsonRecord }
}

/** Whether every condition is filled in, so that the server can count it. */
export function isComplete(group: Group): boolean {
  return group.values.every((each) => {
    if (isGroup(each)) return isComplete(each)
    if (each['type'] === 'cohort') return textOf(each['value']) !== ''
    const isBare = /^is_(?:not_)?set$/.test(textOf(each['operator']))
    return textOf(each['key']) !== '' && (isBare || textOf(each['value']) !== '')
  })
}

/** Criteria in a sentence; empty where all persons meet them. */
export function criteriaText(group: Group, names: Names): string {
  const parts = group.values.map((each) => {
    if (!isGroup(each)) return `${each['negation'] === true ? 'not ' : ''}${wordsOf(each, names)}`
    const inner = criteriaText(each, names)
    return each.values.length > 1 ? `(${inner})` : inner
  })
  return parts.filter((part) => part !== '').join(group.type === 'OR' ? ' or ' : ' and ')
}

function wordsOf(condition: JsonRecord, names: Names): string {
  return conditionText(condition, names)
}
