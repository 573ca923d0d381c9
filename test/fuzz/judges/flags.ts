import { projectId } from '../../../src/core/ids.ts'
import { isObject } from '../../../src/core/json.ts'
import { validateFlagFilters } from '../../../src/flags/checks/validate.ts'
import type { FlagDefinition } from '../../../src/flags/definition.ts'
import { evaluate } from '../../../src/flags/evaluate.ts'
import { storedNeeds } from '../../../src/flags/needs.ts'
import { renderMembers } from '../../../src/flags/render.ts'
import { compileSnapshot } from '../../support/conditions/compile-snapshot.ts'
import { isRecord, type Judge, jsonOf } from '../target.ts'

/** Validates, compiles and evaluates, as saving and deciding do. Stored ones may keep to no shape. */
export const judgeFlags: Judge = async (input) => {
  const given = jsonOf(input.toString())
  if (!isRecord(given)) return undefined
  const cohort = { id: 1, name: 'c', isStatic: false, deleted: false, filters: given['cohort'] }
  const others = [{ id: 2, key: 'other', deleted: false, filters: given['other'] }]
  const context = { id: 1, key: 'one', cohorts: new Map([[1, cohort]]), otherFlags: others }
  const checked = validateFlagFilters(given['filters'], context)
  if (!checked.ok && typeof checked.error.detail !== 'string') return 'a refusal without words'
  const flags = [flagOf(1, 'one', given['filters']), flagOf(2, 'other', given['other'])]
  const groupTypes = new Map([[0, 'company']])
  const snapshot = compileSnapshot({ flags, cohorts: [cohort], groupTypes, timezone: 'UTC' })
  const request = questionOf(given['request'])
  storedNeeds(snapshot, request)
  const first = evaluate(snapshot, request, {}, 0)
  const again = evaluate(snapshot, request, {}, 0)
  if (JSON.stringify(first.results) !== JSON.stringify(again.results))
    return 'two answers to one question'
  for (const shape of ['v1', 'v2', 'v3', 'v4', 'ofrep'] as const) {
    const members = renderMembers(shape, first)
    if (jsonOf(`{${members}}`) === undefined) return `no JSON in ${shape}: ${members.slice(0, 500)}`
  }
  return undefined
}

export function flagOf(id: number, key: string, filters: unknown): FlagDefinition {
  return {
    ...{ projectId: projectId(1), id, key, name: '', active: true, deleted: false, version: 1 },
    ensureExperienceContinuity: false,
    bucketingIdentifier: 'distinct_id',
    evaluationRuntime: 'all',
    evaluationContexts: [],
    hasEncryptedPayloads: false,
    filters,
  }
}

/** Members of other types than they have in a question are left out. */
export function questionOf(given: unknown) {
  const { distinctId, groups, personProperties, groupProperties } = isRecord(given) ? given : {}
  const objectOr = (value: unknown) => (isObject(value) ? value : undefined)
  return {
    distinctId: String(distinctId),
    groups: objectOr(groups),
    personProperties: objectOr(personProperties),
    groupProperties: objectOr(groupProperties),
  }
}
