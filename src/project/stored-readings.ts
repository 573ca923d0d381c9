/** Reads the stored data of all questions of one decide at once. */
import { continuityWrites, type HashKeyOverride, hashKeyOverrides } from '../flags/continuity.ts'
import type { Watch } from '../flags/evaluate.ts'
import type { StoredNeeds } from '../flags/needs.ts'
import type { FlagRequest, StoredData } from '../flags/subject.ts'
import type {
  DecideStore,
  GroupLookup,
  PersonLookup,
  StoredPerson,
  StoredProperties,
} from './ports.ts'
import type { ProjectState } from './project-state.ts'

export type DecideQuestion = {
  /** The snapshot at the arrival of the question. */
  readonly state: Pick<ProjectState, 'id' | 'revision' | 'flags'>
  readonly request: FlagRequest
  /** Milliseconds since the epoch that relative dates are counted from. @default now */
  readonly now?: number
  /** Receives the outcome of each flag. */
  readonly watch?: Watch
}

/** A question that needs stored data. */
export type PlannedQuestion = {
  /** Its position among the questions of the call. */
  readonly index: number
  readonly needs: StoredNeeds
  readonly question: DecideQuestion
}

/** Runs a read of the store; `undefined` when the store does not answer. Never rejects. */
export type StoreAttempt = <T>(read: () => Promise<T>) => Promise<T | undefined>

/** The stored data by position of the question; `undefined` where the store did not answer. */
export type Readings = PersonReadings & { readonly groups: GroupReadings | undefined }

type PersonReadings = {
  readonly persons: ReadonlyMap<number, StoredPerson> | undefined
  /** The persons of `$anon_distinct_id`. */
  readonly anonymous: ReadonlyMap<number, StoredPerson> | undefined
}

type GroupReadings = ReadonlyMap<number, ReadonlyMap<string, StoredProperties>>

export async function readStored(
  store: DecideStore,
  attempt: StoreAttempt,
  planned: readonly PlannedQuestion[],
): Promise<Readings> {
  const [{ persons, anonymous }, groups] = await Promise.all([
    readPersons(store, attempt, planned),
    readGroups(store, attempt, planned),
  ])
  return { persons, anonymous, groups }
}

async function readPersons(
  store: DecideStore,
  attempt: StoreAttempt,
  planned: readonly PlannedQuestion[],
): Promise<PersonReadings> {
  const lookups: PersonLookup[] = []
  /** The questions that the lookups are for, by position. */
  const askers: { index: number; anonymous: boolean }[] = []
  for (const { index, needs, question } of planned) {
    const { distinctId, anonDistinctId } = question.request
    const overrides = needs.hashKeyOverrides || needs.continuityWrites
    const { personProperties: properties, staticCohorts: cohorts } = needs
    if (properties.length === 0 && !overrides && !cohorts) continue
    const projectId = question.state.id
    lookups.push({ projectId, distinctId, properties, overrides, cohorts })
    askers.push({ index, anonymous: false })
    if (!overrides || anonDistinctId === undefined || anonDistinctId === '') continue
    lookups.push({
      projectId,
      distinctId: anonDistinctId,
      properties: [],
      overrides,
      cohorts: false,
    })
    askers.push({ index, anonymous: true })
  }
  const persons = new Map<number, StoredPerson>()
  const anonymous = new Map<number, StoredPerson>()
  if (lookups.length === 0) return { persons, anonymous }
  const found = await attempt(() => store.persons(lookups))
  if (found === undefined) return { persons: undefined, anonymous: undefined }
  for (const [position, person] of found) {
    const asker = askers[position]
    if (asker === undefined) continue
    const into = asker.anonymous ? anonymous : persons
    into.set(asker.index, person)
  }
  return { persons, anonymous }
}

async function readGroups(
  store: DecideStore,
  attempt: StoreAttempt,
  planned: readonly PlannedQuestion[],
): Promise<GroupReadings | undefined> {
  const lookups: GroupLookup[] = []
  const askers: number[] = []
  for (const { index, needs, question } of planned) {
    for (const { type, key, properties } of needs.groups) {
      lookups.push({ projectId: question.state.id, type, key, properties })
      askers.push(index)
    }
  }
  const groups = new Map<number, Map<string, StoredProperties>>()
  if (lookups.length === 0) return groups
  const found = await attempt(() => store.groups(lookups))
  if (found === undefined) return undefined
  for (const [position, { properties }] of found) {
    const index = askers[position]
    const lookup = lookups[position]
    if (index === undefined || lookup === undefined) continue
    const byType = groups.get(index) ?? new Map<string, StoredProperties>()
    byType.set(lookup.type, properties)
    groups.set(index, byType)
  }
  return groups
}

/** Reads the hash keys of a question, after storing those that it is the first to bring. */
export async function overridesOf(
  store: DecideStore,
  attempt: StoreAttempt,
  { index, needs, question }: PlannedQuestion,
  { persons, anonymous }: Readings,
): Promise<StoredData['hashKeyOverrides']> {
  if (!needs.hashKeyOverrides && !needs.continuityWrites) return undefined
  if (persons === undefined || anonymous === undefined) return 'unavailable'
  const people = [persons.get(index), anonymous.get(index)]
  const owners = people.map((person) => person?.personId)
  const existing = people.flatMap(overrideRows)
  const added = needs.continuityWrites
    ? continuityWrites(question.state.flags, question.request, owners, existing)
    : []
  if (added.length > 0) {
    const rows = added.map(({ person: personId, flagKey, hashKey }) => ({
      personId,
      flagKey,
      hashKey,
    }))
    const isKept = await attempt(async () => {
      await store.keepContinuity(question.state.id, rows)
      return true
    })
    if (isKept === undefined) return 'unavailable'
  }
  return hashKeyOverrides(owners, [...existing, ...added])
}

function overrideRows(person: StoredPerson | undefined): HashKeyOverride<bigint>[] {
  if (person === undefined) return []
  return [...person.overrides].map(([flagKey, hashKey]) => ({
    person: person.personId,
    flagKey,
    hashKey,
  }))
}

/** The stored data that the evaluation of one question may use. */
export function storedDataOf(
  { index, needs }: PlannedQuestion,
  { persons, groups }: Readings,
  hashKeyOverrides: StoredData['hashKeyOverrides'],
): StoredData {
  const ofPerson = <T>(isNeeded: boolean, read: (person: StoredPerson) => T) => {
    if (!isNeeded) return undefined
    if (persons === undefined) return 'unavailable'
    const person = persons.get(index)
    return person === undefined ? undefined : read(person)
  }
  const readsPerson = needs.personProperties.length > 0
  return {
    personProperties: ofPerson(readsPerson, ({ properties }) => readable(properties)),
    groupProperties: needs.groups.length === 0 ? undefined : groupsOf(index, groups),
    hashKeyOverrides,
    staticCohortIds: ofPerson(needs.staticCohorts, ({ cohortIds }) => cohortIds),
  }
}

function groupsOf(index: number, groups: GroupReadings | undefined): StoredData['groupProperties'] {
  if (groups === undefined) return 'unavailable'
  const found = groups.get(index)
  if (found === undefined) return undefined
  const read = [...found].map(([type, properties]) => [type, readable(properties)] as const)
  return new Map(read)
}

/** Flags that read too large properties fail, as with an unreachable store. */
function readable(properties: StoredProperties) {
  return properties === 'too_large' ? 'unavailable' : properties
}
