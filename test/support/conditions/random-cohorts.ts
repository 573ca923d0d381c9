/** Random trees of conditions, as cohorts have them, and their members computed in memory. */
import fc from 'fast-check'
import type { JsonObject } from '../../../src/core/json.ts'
import { type Zone, zoneOf } from '../../../src/core/time/zone.ts'
import type { Members } from '../../../src/events/trees/members.ts'
import { compilingCohorts, holds } from '../../../src/flags/cohorts.ts'
import type { CohortDefinition } from '../../../src/flags/definition.ts'
import { Subject } from '../../../src/flags/subject.ts'
import { cohortMembers } from '../../../src/store/cohorts/cohort-members.ts'
import { workAtOnce } from '../work-at-once.ts'
import { OPERATORS, WANTED, ZONES } from './conditions.ts'

/** Moment of all decisions. */
const NOW = Date.parse('2026-11-20T10:00:00.123Z')
/** Ids of a static cohort, of a second one (trees name both), and of the evaluated one. */
const STORED = 1
const SECOND = 2
const ASKED = 3

/** Numbers of more digits than a double has, as JSON text. */
export const LONG = [
  '9007199254740993',
  '-9007199254740993.25',
  '0.1234567890123456789',
  '7'.repeat(400),
  '1000000000000000000000',
  '12345678901234567000000',
  '0.00000012345678901234567',
  `0.${'0'.repeat(420)}12`,
  `1763632800.${'1'.repeat(30)}`,
  '1763632800123456789',
]

const inner = fc.record({
  type: fc.constant('cohort'),
  key: fc.constant('id'),
  value: fc.constantFrom(STORED, String(SECOND)),
  operator: fc.constantFrom('in', 'not_in', undefined),
  negation: fc.constantFrom(true, false),
})
const zones = fc.constantFrom(...ZONES).map(zoneOf)

/** @param keys of the properties that conditions ask for. */
function treesOf(keys: readonly string[]) {
  const leaf = fc.record({
    type: fc.constantFrom('person', undefined),
    key: fc.constantFrom(...keys),
    operator: fc.constantFrom(...OPERATORS),
    value: fc.constantFrom(...WANTED),
    negation: fc.constantFrom(true, false, undefined),
  })
  const group = fc.record({
    type: fc.constantFrom('AND', 'OR'),
    values: fc.array(fc.oneof({ weight: 4, arbitrary: leaf }, inner), { maxLength: 3 }),
  })
  const definition = fc.oneof(
    group,
    fc.record({ type: fc.constantFrom('AND', 'OR'), values: fc.array(group, { maxLength: 2 }) }),
    fc.array(leaf, { maxLength: 2 }),
  )
  return fc.record({ filters: definition, second: fc.array(leaf, { maxLength: 1 }), zones })
}

/** Condition that a store can evaluate. */
export type Known = {
  readonly definitions: readonly CohortDefinition[]
  readonly zone: Zone
  readonly members: Members
  readonly text: string
}

/** Undefined where no store can evaluate it. */
export function knownOf(definitions: readonly CohortDefinition[], zone: Zone, text: string) {
  const members = cohortMembers(definitions, { nowMs: NOW, zone })(ASKED)
  return members.ok ? { definitions, zone, members: members.value, text } : undefined
}

/** The evaluated cohort, with one condition. */
export function cohortOf(filter: object): CohortDefinition {
  return cohort(ASKED, { properties: [filter] })
}

function cohort(id: number, filters: unknown, isStatic = false): CohortDefinition {
  const stored: unknown = JSON.parse(JSON.stringify(filters))
  return { id, name: '', isStatic, deleted: false, filters: stored }
}

type Wanted = { readonly trees: number; readonly seed: number; readonly atOnce: number }

/**
 * Trees in the order of their seeds, those of one statement together.
 * @param trees how many, of which those that no store can be asked are left out.
 * @param atOnce trees of a statement, which have one seed.
 */
export function* randomTrees(
  keys: readonly string[],
  { trees, seed, atOnce }: Wanted,
): Generator<readonly Known[]> {
  const arbitrary = treesOf(keys)
  for (let batch = 0; batch * atOnce < trees; batch++) {
    const numRuns = Math.min(atOnce, trees - batch * atOnce)
    const asked = fc.sample(arbitrary, { seed: seed + batch, numRuns })
    yield asked.flatMap(({ filters, second, zones: zone }) => {
      const definitions = [
        cohort(STORED, {}, true),
        cohort(SECOND, second),
        cohort(ASKED, { properties: filters }),
      ]
      const text = `seed ${seed + batch}: ${JSON.stringify(definitions)} in ${zone.name}`
      return knownOf(definitions, zone, text) ?? []
    })
  }
}

export type Stored = { readonly id: string; readonly properties: JsonObject }

/**
 * Ids of the persons for whom a condition holds in memory, sorted.
 * @param written those that are written down as members of the static cohort.
 */
export function inMemory(
  { definitions, zone }: Known,
  persons: readonly Stored[],
  written: ReadonlySet<string>,
): readonly string[] {
  const cohorts = workAtOnce(compilingCohorts(definitions, zone))
  const cohort = cohorts.byId.get(ASKED)
  const found = persons.filter(({ id, properties }) => {
    const ids = written.has(id) ? new Set([STORED]) : new Set<number>()
    const known = { personProperties: properties, staticCohortIds: ids }
    const subject = new Subject({ distinctId: 'x' }, known, NOW)
    return cohort !== undefined && holds(cohort, cohorts, subject)
  })
  return found.map(({ id }) => id).sort()
}
