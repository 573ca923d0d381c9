/** Reads the definitions of cohorts: who is in them, as a tree. */
import { type Json, type JsonObject, own } from '../../core/json.ts'
import { COHORT_LEAVES_MAX } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { LeafTest, Members } from '../../events/trees/members.ts'
import { type Cohorts, compileCohorts, type Rule } from '../../flags/cohorts.ts'
import type { CohortDefinition } from '../../flags/definition.ts'
import { namesRead } from '../../flags/subject.ts'
import { leafTest } from './leaf-test.ts'

/** Who is in each cohort. The error says why a cohort cannot be used, by its id or another name. */
export type CohortMembers = (id: number, name?: string) => Result<Members, string>

/**
 * @param definitions of the cohorts that may be asked for, and of those within them.
 * @param nowMs that relative dates are before.
 * @param refused patterns that the store cannot read: see `patternsOfMembers`.
 */
export function cohortMembers(
  definitions: readonly CohortDefinition[],
  nowMs: number,
  refused: ReadonlySet<string> = new Set(),
): CohortMembers {
  const cohorts = compileCohorts(definitions)
  return (id, name = `Cohort ${id}`) => {
    const reading: Reading = { cohorts, nowMs, refused, leaves: 0, problem: undefined }
    const members = membersOf(id, reading)
    return reading.problem === undefined ? ok(members) : err(`${name} ${reading.problem}.`)
  }
}

/** No stored cohort has this id. */
const CONDITIONS_ID = 0

/** Conditions of type person and cohort, all of which must hold, as a cohort that nobody stores. */
export function cohortOfConditions(conditions: readonly Json[]): CohortDefinition {
  return {
    ...{ id: CONDITIONS_ID, name: '', isStatic: false, deleted: false },
    filters: { properties: { type: 'AND', values: conditions } },
  }
}

type Reading = {
  readonly cohorts: Cohorts
  readonly nowMs: number
  readonly refused: ReadonlySet<string>
  leaves: number
  problem: string | undefined
}

const NOBODY: Members = { kind: 'nobody' }

function membersOf(id: number, reading: Reading): Members {
  const cohort = reading.cohorts.byId.get(id)
  if (cohort === undefined) {
    reading.problem = 'does not exist'
    return NOBODY
  }
  if (cohort.failure !== undefined) {
    const isCycle = cohort.failure === 'dependency_cycle_cohort'
    reading.problem = isCycle ? 'contains itself, or is too deep' : 'names one that does not exist'
    return NOBODY
  }
  return cohort.rule === undefined ? { kind: 'stored', cohort: id } : read(cohort.rule, reading)
}

function read(rule: Rule, reading: Reading): Members {
  if (++reading.leaves > COHORT_LEAVES_MAX) reading.problem = 'is too large'
  if (reading.problem !== undefined) return NOBODY
  switch (rule.kind) {
    case 'every':
    case 'some':
      return { kind: rule.kind, parts: rule.rules.map((part) => read(part, reading)) }
    case 'cohort': {
      const members = membersOf(rule.id, reading)
      return rule.negated ? { kind: 'not', part: members } : members
    }
    case 'person':
      return readLeaf(rule.leaf, rule, reading)
    case 'behaviour':
    case 'never':
      return NOBODY
    default:
      return rule satisfies never
  }
}

function readLeaf(
  leaf: JsonObject,
  { key, negated }: { readonly key: string; readonly negated: boolean },
  reading: Reading,
): Members {
  const test = leafTest(own(leaf, 'operator') ?? 'exact', own(leaf, 'value'), reading.nowMs)
  if (test === undefined || isRefused(test, reading)) {
    const what = JSON.stringify(own(leaf, 'operator'))
    reading.problem = `has a condition of ${what} that only flags understand`
    return NOBODY
  }
  return { kind: 'property', names: namesRead(key), test, negated }
}

function isRefused({ value }: LeafTest, { refused }: Reading): boolean {
  return value.kind === 'regex' && refused.has(value.pattern)
}
