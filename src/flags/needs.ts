import type { FlagSnapshot } from './compile.ts'
import { type FlagFacts, unitedFacts } from './facts.ts'
import { objectOf, own } from './property-value.ts'
import { NOT_EVALUATED, selectFlags } from './selection.ts'
import { type FlagRequest, groupKeyOf } from './subject.ts'

/** What the store must be asked for before a question can be evaluated. */
export type StoredNeeds = {
  /** Properties of the person that owns the distinct id. */
  readonly personProperties: boolean
  /** Groups whose properties are read. */
  readonly groups: readonly { readonly type: string; readonly key: string }[]
  /** Hash keys of the owners of the distinct id and of the anonymous id. */
  readonly hashKeyOverrides: boolean
  /** Static cohorts that hold the person. */
  readonly staticCohorts: boolean
  /** The request may store hash keys: see `continuityWrites`. */
  readonly continuityWrites: boolean
}

const NOTHING: StoredNeeds = {
  personProperties: false,
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
  const { personKeys, groupKeys, readsMembership, readsOverrides } = factsFor(snapshot, request)
  const continuityWrites = snapshot.continuityKeys.length > 0 && !!request.anonDistinctId
  if (personKeys.size === 0 && groupKeys.size === 0 && !readsMembership && !readsOverrides) {
    return continuityWrites ? { ...NOTHING, continuityWrites } : NOTHING
  }
  const sent = objectOf(request.personProperties)
  const groups: { type: string; key: string }[] = []
  for (const [type, keys] of groupKeys) {
    const key = groupKeyOf(objectOf(request.groups), type)
    const properties = objectOf(own(objectOf(request.groupProperties), type))
    if (key !== undefined && someMissing(keys, properties)) groups.push({ type, key })
  }
  return {
    personProperties: someMissing(personKeys, sent),
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
  const asked = snapshot.flags.filter((flag) => flag.enabled && marks[flag.slot] !== NOT_EVALUATED)
  return unitedFacts(asked.map((flag) => flag.facts))
}
