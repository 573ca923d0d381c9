import { objectOf, own } from '../core/json.ts'
import type { FlagSnapshot } from './compile.ts'
import { type FlagFacts, unitedFacts } from './facts.ts'
import { NOT_EVALUATED, selectFlags } from './selection.ts'
import { type FlagRequest, groupKeyOf } from './subject.ts'

/** Stored data that a question needs before it can be evaluated. */
export type StoredNeeds = {
  /** Properties of the person that owns the distinct id, by name; the list of equal flags is one. */
  readonly personProperties: readonly string[]
  readonly groups: readonly GroupNeeds[]
  /** Hash keys of the owners of the distinct id and of the anonymous id. */
  readonly hashKeyOverrides: boolean
  /** Static cohorts that hold the person. */
  readonly staticCohorts: boolean
  /** The request may store hash keys: see `continuityWrites`. */
  readonly continuityWrites: boolean
}

/** A group and the names of those of its properties that are read. */
type GroupNeeds = {
  readonly type: string
  readonly key: string
  readonly properties: readonly string[]
}

const NO_NAMES: readonly string[] = []
const NOTHING: StoredNeeds = {
  personProperties: NO_NAMES,
  groups: [],
  hashKeyOverrides: false,
  staticCohorts: false,
  continuityWrites: false,
}

/**
 * The stored data that the answer may depend on: nothing for flags that only roll out, and nothing
 * for properties that the request brings along.
 */
export function storedNeeds(snapshot: FlagSnapshot, request: FlagRequest): StoredNeeds {
  const facts = factsFor(snapshot, request)
  const { personKeys, groupKeys, readsMembership, readsOverrides } = facts
  const continuityWrites = snapshot.continuityKeys.length > 0 && !!request.anonDistinctId
  if (personKeys.size === 0 && groupKeys.size === 0 && !readsMembership && !readsOverrides) {
    return continuityWrites ? { ...NOTHING, continuityWrites } : NOTHING
  }
  const sent = objectOf(request.personProperties)
  const groups: GroupNeeds[] = []
  for (const [type, keys] of groupKeys) {
    const key = groupKeyOf(objectOf(request.groups), type)
    const sentOfGroup = objectOf(own(objectOf(request.groupProperties), type))
    if (key === undefined || !someMissing(keys, sentOfGroup)) continue
    groups.push({ type, key, properties: facts.groupReads.get(type) ?? NO_NAMES })
  }
  return {
    personProperties: someMissing(personKeys, sent) ? facts.personReads : NO_NAMES,
    groups,
    hashKeyOverrides: readsOverrides,
    staticCohorts: readsMembership,
    continuityWrites,
  }
}

function someMissing(keys: ReadonlySet<string>, sent: Readonly<Record<string, unknown>>): boolean {
  for (const key of keys) {
    if (key !== 'distinct_id' && !Object.hasOwn(sent, key)) return true
  }
  return false
}

function factsFor(snapshot: FlagSnapshot, request: FlagRequest): FlagFacts {
  const marks = selectFlags(snapshot, request)
  if (marks === undefined) return snapshot.facts
  const asked = snapshot.flags.filter(
    (flag) => flag.enabled && marks[flag.position] !== NOT_EVALUATED,
  )
  return unitedFacts(asked.map((flag) => flag.facts))
}
