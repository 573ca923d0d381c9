import { createAwayGuard } from '../core/away-guard.ts'
import type { Clock } from '../core/clock.ts'
import type { Revision } from '../core/ids.ts'
import { STORED_READ_MS } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import { continuityWrites, type HashKeyOverride, hashKeyOverrides } from '../flags/continuity.ts'
import type { JsonObject } from '../flags/definition.ts'
import { type Evaluation, evaluate } from '../flags/evaluate.ts'
import { type StoredNeeds, storedNeeds } from '../flags/needs.ts'
import { type FlagRequest, NOTHING_STORED, type StoredData } from '../flags/subject.ts'
import type { DecideStore, GroupLookup, PersonLookup, ProjectState, StoredPerson } from './ports.ts'

export type DecideQuestion = {
  /** The snapshot of the moment the question came in. */
  readonly state: ProjectState
  readonly request: FlagRequest
}

export type DecideAnswer = { readonly revision: Revision; readonly evaluation: Evaluation }

/** Evaluates flags for many questions, reading what is stored for all of them at once. */
export type DecideService = {
  /** One answer for each question, in order. A store that fails shows in the answers only. */
  decide(questions: readonly DecideQuestion[]): Promise<readonly DecideAnswer[]>
}

/** What was read for the questions, by position of the question. */
type Readings = {
  readonly persons: ReadonlyMap<number, StoredPerson> | undefined
  readonly anonymous: ReadonlyMap<number, StoredPerson> | undefined
  readonly groups: ReadonlyMap<number, ReadonlyMap<string, JsonObject>> | undefined
}

type Planned = {
  readonly index: number
  readonly needs: StoredNeeds
  readonly question: DecideQuestion
}

export function createDecideService(deps: {
  store: DecideStore
  clock: Clock
  log: Log
}): DecideService {
  const { store, clock, log } = deps

  const guard = createAwayGuard(
    { clock, log },
    { ms: STORED_READ_MS, what: 'stored data of decide' },
  )

  /** Undefined when the store does not answer: flags that need it are failed, others evaluated. */
  const attempt = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await guard.ask(read)
    } catch {
      return undefined // The guard has told it.
    }
  }

  const readPersons = async (planned: readonly Planned[]) => {
    const lookups: PersonLookup[] = []
    const owner: { index: number; anonymous: boolean }[] = []
    for (const { index, needs, question } of planned) {
      const { distinctId, anonDistinctId } = question.request
      const overrides = needs.hashKeyOverrides || needs.continuityWrites
      if (!needs.personProperties && !overrides && !needs.staticCohorts) continue
      const projectId = question.state.id
      lookups.push({ projectId, distinctId, overrides, cohorts: needs.staticCohorts })
      owner.push({ index, anonymous: false })
      if (!overrides || anonDistinctId === undefined || anonDistinctId === '') continue
      lookups.push({ projectId, distinctId: anonDistinctId, overrides, cohorts: false })
      owner.push({ index, anonymous: true })
    }
    const persons = new Map<number, StoredPerson>()
    const anonymous = new Map<number, StoredPerson>()
    if (lookups.length === 0) return { persons, anonymous }
    const found = await attempt(() => store.persons(lookups))
    if (found === undefined) return { persons: undefined, anonymous: undefined }
    for (const [position, person] of found) {
      const place = owner[position]
      if (place === undefined) continue
      const into = place.anonymous ? anonymous : persons
      into.set(place.index, person)
    }
    return { persons, anonymous }
  }

  const readGroups = async (planned: readonly Planned[]) => {
    const lookups: GroupLookup[] = []
    const owner: number[] = []
    for (const { index, needs, question } of planned) {
      for (const { type, key } of needs.groups) {
        lookups.push({ projectId: question.state.id, type, key })
        owner.push(index)
      }
    }
    const groups = new Map<number, Map<string, JsonObject>>()
    if (lookups.length === 0) return groups
    const found = await attempt(() => store.groups(lookups))
    if (found === undefined) return undefined
    for (const [position, { properties }] of found) {
      const index = owner[position]
      const lookup = lookups[position]
      if (index === undefined || lookup === undefined) continue
      const byType = groups.get(index) ?? new Map<string, JsonObject>()
      byType.set(lookup.type, properties)
      groups.set(index, byType)
    }
    return groups
  }

  /** Hash keys that this question reads, after storing those it is the first to bring. */
  const overridesOf = async (
    { index, needs, question }: Planned,
    { persons, anonymous }: Readings,
  ): Promise<StoredData['hashKeyOverrides']> => {
    if (!needs.hashKeyOverrides && !needs.continuityWrites) return undefined
    if (persons === undefined || anonymous === undefined) return 'unavailable'
    const people = [persons.get(index), anonymous.get(index)]
    const owners = people.map((person) => person?.personId)
    const existing = people.flatMap(overrideRows)
    const added = needs.continuityWrites
      ? continuityWrites(question.state.flags, question.request, owners, existing)
      : []
    if (added.length > 0) {
      const rows = added.map(({ person, flagKey, hashKey }) => ({
        personId: person,
        flagKey,
        hashKey,
      }))
      const kept = await attempt(async () => {
        await store.keepContinuity(question.state.id, rows)
        return true
      })
      if (kept === undefined) return 'unavailable'
    }
    return hashKeyOverrides(owners, [...existing, ...added])
  }

  const answer = async (planned: Planned, readings: Readings): Promise<DecideAnswer> => {
    const { index, needs, question } = planned
    const { persons, groups } = readings
    const stored: StoredData = {
      personProperties: needs.personProperties
        ? persons === undefined
          ? 'unavailable'
          : persons.get(index)?.properties
        : undefined,
      groupProperties:
        needs.groups.length === 0
          ? undefined
          : groups === undefined
            ? 'unavailable'
            : groups.get(index),
      hashKeyOverrides: await overridesOf(planned, readings),
      staticCohortIds: needs.staticCohorts
        ? persons === undefined
          ? 'unavailable'
          : persons.get(index)?.cohortIds
        : undefined,
    }
    return evaluated(question, stored)
  }

  const evaluated = ({ state, request }: DecideQuestion, stored: StoredData): DecideAnswer => ({
    revision: state.revision,
    evaluation: evaluate(state.flags, request, stored, clock.now()),
  })

  return {
    async decide(questions) {
      const answers: DecideAnswer[] = []
      const planned: Planned[] = []
      for (const [index, question] of questions.entries()) {
        const needs = storedNeeds(question.state.flags, question.request)
        if (readsNothing(needs)) answers[index] = evaluated(question, NOTHING_STORED)
        else planned.push({ index, needs, question })
      }
      if (planned.length === 0) return answers
      const [{ persons, anonymous }, groups] = await Promise.all([
        readPersons(planned),
        readGroups(planned),
      ])
      const readings: Readings = { persons, anonymous, groups }
      await Promise.all(
        planned.map(async (each) => {
          answers[each.index] = await answer(each, readings)
        }),
      )
      return answers
    },
  }
}

function readsNothing(needs: StoredNeeds): boolean {
  return (
    !needs.personProperties &&
    needs.groups.length === 0 &&
    !needs.hashKeyOverrides &&
    !needs.staticCohorts &&
    !needs.continuityWrites
  )
}

function overrideRows(person: StoredPerson | undefined): HashKeyOverride<bigint>[] {
  if (person === undefined) return []
  return [...person.overrides].map(([flagKey, hashKey]) => ({
    person: person.personId,
    flagKey,
    hashKey,
  }))
}
