/** Data that a flag reads besides the request, found once when it is compiled. */
import type { Filter } from './filter.ts'
import type { OptIn } from './gates.ts'
import { namesRead } from './subject.ts'

export type FlagFacts = {
  readonly personKeys: ReadonlySet<string>
  /** By group type name. */
  readonly groupKeys: ReadonlyMap<string, ReadonlySet<string>>
  /** Stored membership of static cohorts. */
  readonly readsMembership: boolean
  /** Hash keys stored for experience continuity. */
  readonly readsOverrides: boolean
  /** Stored properties that may be looked at for `personKeys`, each once. */
  readonly personReads: readonly string[]
  /** The same for `groupKeys`. */
  readonly groupReads: ReadonlyMap<string, readonly string[]>
}

type FoundFacts = Omit<FlagFacts, 'personReads' | 'groupReads'>

export function factsOfFlag(
  filters: readonly Filter[],
  optIn: OptIn | undefined,
  readsOverrides: boolean,
): FlagFacts {
  const personKeys = new Set<string>()
  const groupKeys = new Map<string, Set<string>>()
  let readsMembership = false
  if (optIn?.kind === 'enrollment') personKeys.add(optIn.property)
  if (optIn?.kind === 'super_group') for (const key of optIn.properties) personKeys.add(key)
  for (const filter of filters) {
    if (filter.kind === 'person') personKeys.add(filter.key)
    if (filter.kind === 'group') addKey(groupKeys, filter.type, filter.key)
    if (filter.kind !== 'cohort') continue
    for (const key of filter.cohort.personKeys) personKeys.add(key)
    readsMembership ||= filter.cohort.readsMembership
  }
  return withReads({ personKeys, groupKeys, readsMembership, readsOverrides })
}

/** Facts of several flags taken together. */
export function unitedFacts(all: readonly FlagFacts[]): FlagFacts {
  const personKeys = new Set<string>()
  const groupKeys = new Map<string, Set<string>>()
  for (const facts of all) {
    for (const key of facts.personKeys) personKeys.add(key)
    for (const [type, keys] of facts.groupKeys) for (const key of keys) addKey(groupKeys, type, key)
  }
  return withReads({
    personKeys,
    groupKeys,
    readsMembership: all.some((facts) => facts.readsMembership),
    readsOverrides: all.some((facts) => facts.readsOverrides),
  })
}

function withReads(facts: FoundFacts): FlagFacts {
  const personReads = new Set<string>()
  for (const key of facts.personKeys) for (const name of namesRead(key)) personReads.add(name)
  // The request itself names its subject.
  personReads.delete('distinct_id')
  const groupReads = new Map([...facts.groupKeys].map(([type, keys]) => [type, [...keys]]))
  return { ...facts, personReads: [...personReads], groupReads }
}

function addKey(groupKeys: Map<string, Set<string>>, type: string, key: string): void {
  const keys = groupKeys.get(type) ?? new Set()
  keys.add(key)
  groupKeys.set(type, keys)
}
