import { projectId } from '../../../src/core/ids.ts'
import type { FlagSnapshot } from '../../../src/flags/compile.ts'
import type { CohortDefinition, FlagDefinition } from '../../../src/flags/definition.ts'
import { type Evaluation, evaluate } from '../../../src/flags/evaluate.ts'
import type { FlagResult } from '../../../src/flags/flag-result.ts'
import type { FlagRequest, StoredData } from '../../../src/flags/subject.ts'
import { compileSnapshot } from '../../support/conditions/compile-snapshot.ts'

export const NOW = Date.parse('2024-05-01T00:00:00Z')

export function flag(
  id: number,
  key: string,
  filters: unknown,
  rest: Partial<FlagDefinition> = {},
) {
  const definition: FlagDefinition = {
    projectId: projectId(1),
    ...{ id, key, name: '', active: true, deleted: false, version: 1, filters },
    ensureExperienceContinuity: false,
    bucketingIdentifier: 'distinct_id',
    evaluationRuntime: 'all',
    evaluationContexts: [],
    hasEncryptedPayloads: false,
    ...rest,
  }
  return definition
}

export function cohort(id: number, filters: unknown, rest: Partial<CohortDefinition> = {}) {
  const definition: CohortDefinition = {
    ...{ id, name: '', isStatic: false, deleted: false, filters },
    ...rest,
  }
  return definition
}

export function snapshot(
  flags: readonly FlagDefinition[],
  cohorts: readonly CohortDefinition[] = [],
  groupTypes: ReadonlyMap<number, string> = new Map([
    [0, 'company'],
    [1, 'project'],
  ]),
  timezone = 'UTC',
): FlagSnapshot {
  return compileSnapshot({ flags, cohorts, groupTypes, timezone })
}

/** Filters of a flag with one set. */
export function oneSet(properties: readonly unknown[], rollout: number | null = 100): object {
  return { groups: [{ properties, rollout_percentage: rollout }] }
}

export function person(key: string, value: unknown, operator?: string): object {
  return { key, value, type: 'person', ...(operator === undefined ? {} : { operator }) }
}

export function ask(
  compiled: FlagSnapshot,
  request: Partial<FlagRequest> = {},
  stored: StoredData = {},
  now = NOW,
): Evaluation {
  return evaluate(compiled, { distinctId: 'u1', ...request }, stored, now)
}

export function resultFor(evaluation: Evaluation, key: string): FlagResult | undefined {
  return evaluation.results.find((result) => result.key === key)
}

/** Values by key. */
export function valuesOf(evaluation: Evaluation): Record<string, boolean | string> {
  return Object.fromEntries(evaluation.results.map((result) => [result.key, result.value]))
}
