/** Reads the definitions of cohorts: who is in them, as a tree. */
import { asOf, type Condition, type Moment, NEVER } from '../../conditions/condition.ts'
import { isPattern } from '../../conditions/patterns/store-patterns.ts'
import { readCondition } from '../../conditions/read-condition.ts'
import { type Json, type JsonObject, own } from '../../core/json.ts'
import { COHORT_LEAVES_MAX } from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Members } from '../../events/trees/members.ts'
import { type Cohorts, type Rule, readCohorts } from '../../flags/cohorts.ts'
import type { CohortDefinition } from '../../flags/definition.ts'
import { namesRead } from '../../flags/subject.ts'

/** Conditions of all cohorts that one call names, each cohort once; more are 400. */
export const COHORT_LEAVES_OF_CALL_MAX = 2_000

export type CohortMembers = {
  /** Members of a cohort. The error says why it cannot be used, by its id or another name. */
  (id: number, name?: string): Result<Members, string>
  /** Name of a cohort for people; its id where it has no name. */
  readonly nameOf: (id: number) => string
}

/**
 * Each cohort is read once, however often it is named, and its members are the same object then.
 * @param definitions of the cohorts that may be asked for, and of those within them.
 * @param refused patterns that the store cannot read: see `patternsOfMembers`.
 */
export function cohortMembers(
  definitions: readonly CohortDefinition[],
  { nowMs, zone }: Moment,
  refused: ReadonlySet<string> = new Set(),
): CohortMembers {
  const reading: Reading = {
    cohorts: readCohorts(definitions),
    nowMs,
    zone,
    refused,
    found: new Map(),
    leaves: 0,
  }
  const named = new Map<number, Found>()
  const members = (id: number, name = `Cohort ${id}`) => {
    const found = named.get(id) ?? counted(membersOf(id, reading), reading)
    named.set(id, found)
    return found.ok ? ok(found.value.members) : err(`${name} ${found.error}.`)
  }
  const names = new Map(definitions.map(({ id, name }) => [id, name]))
  return Object.assign(members, { nameOf: (id: number) => names.get(id) || `Cohort ${id}` })
}

/** All cohorts that are named are counted together: its conditions become a part of each statement. */
function counted(found: Found, reading: Reading): Found {
  if (!found.ok) return found
  const leaves = reading.leaves + found.value.leaves
  if (leaves <= COHORT_LEAVES_OF_CALL_MAX) {
    reading.leaves = leaves
    return found
  }
  return err(
    `is too large together with the other cohorts that the request names, which may have ` +
      `${COHORT_LEAVES_OF_CALL_MAX} conditions`,
  )
}

/** No stored cohort has this id. */
const CONDITIONS_ID = 0

/** Conditions of type person and cohort, all of which must hold, as a cohort that nobody stores. */
export function cohortOfConditions(conditions: readonly Json[]): CohortDefinition {
  return {
    id: CONDITIONS_ID,
    name: '',
    isStatic: false,
    deleted: false,
    filters: { properties: { type: 'AND', values: conditions } },
  }
}

type Reading = Moment & {
  readonly cohorts: Cohorts
  readonly refused: ReadonlySet<string>
  /** Results by cohort: one within several others is read once. */
  readonly found: Map<number, Found>
  /** Leaves of the cohorts that were named so far. */
  leaves: number
}

/** The error goes after a name. Leaves are counted as often as the members hold them. */
type Found = Result<{ readonly members: Members; readonly leaves: number }, string>

const NOBODY: Members = { kind: 'nobody' }

function membersOf(id: number, reading: Reading): Found {
  const known = reading.found.get(id)
  if (known !== undefined) return known
  const found = newMembers(id, reading)
  reading.found.set(id, found)
  return found
}

function newMembers(id: number, reading: Reading): Found {
  const cohort = reading.cohorts.byId.get(id)
  if (cohort === undefined) return err('does not exist')
  if (cohort.failure !== undefined) {
    const isCycle = cohort.failure === 'dependency_cycle_cohort'
    return err(isCycle ? 'contains itself, or is too deep' : 'names one that does not exist')
  }
  if (cohort.rule === undefined) return ok({ members: { kind: 'stored', cohort: id }, leaves: 1 })
  return read(cohort.rule, reading)
}

function read(rule: Rule, reading: Reading): Found {
  switch (rule.kind) {
    case 'every':
    case 'some':
      return readAll(rule, reading)
    case 'cohort': {
      const inner = membersOf(rule.id, reading)
      if (!inner.ok || !rule.negated) return inner
      return ok({ ...inner.value, members: { kind: 'not', part: inner.value.members } })
    }
    case 'person':
      return readLeaf(rule.leaf, rule, reading)
    case 'behaviour':
    case 'never':
      return ok({ members: NOBODY, leaves: 1 })
    default:
      return rule satisfies never
  }
}

function readAll(
  { kind, rules }: Extract<Rule, { kind: 'every' | 'some' }>,
  reading: Reading,
): Found {
  const parts: Members[] = []
  let leaves = 1
  for (const rule of rules) {
    const part = read(rule, reading)
    if (!part.ok) return part
    parts.push(part.value.members)
    leaves += part.value.leaves
    if (leaves > COHORT_LEAVES_MAX) return err('is too large')
  }
  return ok({ members: { kind, parts }, leaves })
}

function readLeaf(
  leaf: JsonObject,
  { key, negated }: { readonly key: string; readonly negated: boolean },
  reading: Reading,
): Found {
  const read = readCondition(own(leaf, 'operator'), own(leaf, 'value'), reading.zone)
  const condition = read.ok ? asOf(read.value, reading.nowMs) : NEVER
  if (isRefused(condition, reading)) {
    const what = JSON.stringify(own(leaf, 'operator'))
    return err(`has a condition of ${what} that only flags understand`)
  }
  const names = namesRead(key)
  return ok({ members: { kind: 'property', names, condition, negated }, leaves: 1 })
}

/** A pattern that the store cannot read. */
function isRefused({ value }: Condition, { refused }: Reading): boolean {
  return value.kind === 'regex' && (refused.has(value.pattern) || !isPattern(value.pattern))
}
