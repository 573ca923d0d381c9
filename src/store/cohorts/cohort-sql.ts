/** Membership of a cohort as SQL over the person `p`: what `holds` of the flags says of a person. */
import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import { type Json, type JsonObject, own } from '../../core/json.ts'
import { COHORT_LEAVES_MAX } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type Cohorts, compileCohorts, type Rule } from '../../flags/cohorts.ts'
import type { CohortDefinition } from '../../flags/definition.ts'
import { namesRead } from '../../flags/subject.ts'
import { commas, type Fragment, fragment, join } from '../pool/fragment.ts'
import { type LeafTest, leafTest } from './leaf-sql.ts'

/** Who is in a cohort, with the cohorts within it put in their places. */
export type Members =
  | { readonly kind: 'every' | 'some'; readonly parts: readonly Members[] }
  | { readonly kind: 'not'; readonly part: Members }
  | { readonly kind: 'stored'; readonly cohort: number }
  | {
      readonly kind: 'property'
      /** The first that is there is read. */
      readonly names: readonly string[]
      readonly test: LeafTest
      readonly negated: boolean
    }
  | { readonly kind: 'nobody' }

/** Who is in each cohort. The error says why a cohort cannot be used, by its id or another name. */
export type CohortMembers = (id: number, name?: string) => Result<Members, string>

/**
 * @param definitions of the cohorts that may be asked for, and of those within them.
 * @param nowMs that relative dates are before.
 * @param refused patterns that Postgres cannot read: see `patternsOf`.
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
  if (test === undefined || test.patterns.some((pattern) => reading.refused.has(pattern))) {
    const what = JSON.stringify(own(leaf, 'operator'))
    reading.problem = `has a condition of ${what} that only flags understand`
    return NOBODY
  }
  return { kind: 'property', names: namesRead(key), test, negated }
}

/** The patterns that Postgres must be asked about first: it refuses some that RE2 accepts. */
export function patternsOf(members: Members): readonly string[] {
  switch (members.kind) {
    case 'every':
    case 'some':
      return members.parts.flatMap(patternsOf)
    case 'not':
      return patternsOf(members.part)
    case 'property':
      return members.test.patterns
    case 'stored':
    case 'nobody':
      return []
    default:
      return members satisfies never
  }
}

/** A condition over `p`. It is never null, and false where there is no person. */
export function isMember(members: Members): Fragment {
  return fragment`(p.id is not null and ${toWhere(members)})`
}

/** Persons and the cohorts of a list that they are in: rows of `person_id` and `value`, its id. */
export function membershipRows(
  project: ProjectId,
  cohorts: readonly { readonly id: number; readonly members: Members }[],
): Fragment {
  const [first, ...others] = cohorts.map(
    ({ id, members }) => fragment`select p.id as person_id, ${String(id)} as value from persons p
      where p.project_id = ${String(project)}::integer and ${isMember(members)}`,
  )
  assert(first !== undefined, 'a breakdown has cohorts')
  return others.reduce((all, rows) => fragment`${all} union all ${rows}`, first)
}

function toWhere(members: Members): Fragment {
  switch (members.kind) {
    case 'every':
    case 'some': {
      const parts = members.parts.map(toWhere)
      return fragment`(${join(parts, members.kind === 'every' ? 'and' : 'or')})`
    }
    case 'not':
      return fragment`(not ${toWhere(members.part)})`
    case 'stored':
      return fragment`exists (select from cohort_people s
        where s.person_id = p.id and s.cohort_id = ${String(members.cohort)}::integer)`
    case 'property':
      return propertyHolds(members)
    case 'nobody':
      return fragment`false`
    default:
      return members satisfies never
  }
}

/** The value is worked out once, as `v`. */
function propertyHolds(members: Extract<Members, { kind: 'property' }>): Fragment {
  const { names, test, negated } = members
  const values = commas(names.map((name) => fragment`p.properties -> ${name}`))
  const whenMissing = test.whenMissing ? fragment`true` : fragment`false`
  const outcome = fragment`(select case when v.v is null then ${whenMissing}
    else coalesce(${test.where}, false) end from (select coalesce(${values}) as v) v)`
  return negated ? fragment`(not ${outcome})` : outcome
}
