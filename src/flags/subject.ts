/** Subject of a question, and every read of what is known about it. */

import type { Meter } from '../conditions/decide.ts'
import { type JsonObject, objectOf, own } from '../core/json.ts'
import { exactDigits } from '../core/json-text/exact-numbers.ts'
import type { FailureCode } from './flag-result.ts'

/** One question to decide, as the client sent it: every field is untrusted. */
export type FlagRequest = {
  readonly distinctId: string
  /** `$anon_distinct_id`; empty counts as absent. */
  readonly anonDistinctId?: string | undefined
  /** `$device_id`; empty counts as absent. */
  readonly deviceId?: string | undefined
  /** Group type to group key. */
  readonly groups?: JsonObject | undefined
  /** Win over stored ones, also when null. */
  readonly personProperties?: JsonObject | undefined
  /** Group type to properties, which win over stored ones. */
  readonly groupProperties?: JsonObject | undefined
  /** Limits the answer; dependencies are evaluated all the same. */
  readonly flagKeys?: readonly string[] | undefined
  readonly evaluationRuntime?: string | undefined
  readonly evaluationContexts?: readonly string[] | undefined
}

/** The store could not answer: flags that read this are failed, the others evaluated. */
export type Unavailable = 'unavailable'

/** Stored data of the subject; `undefined` for an unknown person or nothing stored. */
export type StoredData = {
  readonly personProperties?: JsonObject | Unavailable | undefined
  /** By group type name, for the group keys of the request. */
  readonly groupProperties?: ReadonlyMap<string, JsonObject | Unavailable> | Unavailable | undefined
  /** Experience continuity, by flag key; see `continuity.ts`. */
  readonly hashKeyOverrides?: ReadonlyMap<string, string> | Unavailable | undefined
  /** Static cohorts, and those with behavioural criteria, that hold the person. */
  readonly staticCohortIds?: ReadonlySet<number> | Unavailable | undefined
}

export const NOTHING_STORED: StoredData = {}

const INITIAL = '$initial_'

/** State of one evaluation: inputs, and facts found while reading them. */
export class Subject implements Meter {
  readonly now: number
  regexWork = 0
  timeDependent = false
  /** Whether stored data was looked at, be it there or not. */
  dependsOnStored = false
  /** Reason why the current flag cannot be evaluated; cleared between flags. */
  failure: FailureCode | undefined = undefined
  /** Outcomes of dynamic cohorts by position; -1 unknown. Made on first use. */
  cohortOutcomes: Int8Array | undefined = undefined

  readonly request: FlagRequest
  readonly stored: StoredData
  readonly #personProperties: JsonObject
  readonly #groups: JsonObject

  constructor(request: FlagRequest, stored: StoredData, now: number) {
    this.now = now
    this.request = request
    this.stored = stored
    this.#personProperties = objectOf(request.personProperties)
    this.#groups = objectOf(request.groups)
  }

  /** The value of a person's property, or `undefined` when there is none. */
  personProperty(key: string): unknown {
    const value = this.#plainPersonProperty(key)
    if (value !== undefined || !key.startsWith(INITIAL)) return value
    for (const source of sourcesOfInitial(key)) {
      const derived = this.#plainPersonProperty(source)
      if (derived !== undefined) return derived
    }
    return undefined
  }

  #plainPersonProperty(key: string): unknown {
    const sent = own(this.#personProperties, key)
    if (sent !== undefined) return sent
    if (key === 'distinct_id') return this.request.distinctId
    return this.#storedProperty(this.stored.personProperties, key)
  }

  /** The value of a property of the group that the request names for `type`. */
  groupProperty(type: string, key: string): unknown {
    const sent = own(objectOf(own(objectOf(this.request.groupProperties), type)), key)
    if (sent !== undefined) return sent
    if (this.groupKey(type) === undefined) return undefined
    const { groupProperties } = this.stored
    if (groupProperties === 'unavailable') return this.#storedProperty(groupProperties, key)
    return this.#storedProperty(groupProperties?.get(type), key)
  }

  #storedProperty(properties: JsonObject | Unavailable | undefined, key: string): unknown {
    this.dependsOnStored = true
    if (properties === undefined) return undefined
    if (properties !== 'unavailable') return own(properties, key)
    this.failure = 'database_unavailable'
    return undefined
  }

  /** The group key that the request names for `type`: a non-empty text or a number, as text. */
  groupKey(type: string): string | undefined {
    return groupKeyOf(this.#groups, type)
  }

  /** Whether the person is a stored member of the cohort. */
  inStaticCohort(id: number): boolean {
    this.dependsOnStored = true
    const { staticCohortIds } = this.stored
    if (staticCohortIds !== 'unavailable') return staticCohortIds?.has(id) ?? false
    this.failure = 'database_unavailable'
    return false
  }

  /** Id that a flag with experience continuity hashes for this person. */
  continuityKey(flagKey: string): string {
    this.dependsOnStored = true
    const { anonDistinctId, distinctId } = this.request
    const { hashKeyOverrides } = this.stored
    if (hashKeyOverrides === 'unavailable') this.failure = 'database_unavailable'
    else if (hashKeyOverrides?.has(flagKey)) return hashKeyOverrides.get(flagKey) ?? distinctId
    return anonDistinctId || distinctId
  }
}

/** `$initial_browser` is derived from `$browser`, `$initial_utm_source` from `utm_source`. */
function sourcesOfInitial(key: string): readonly string[] {
  const bare = key.slice(INITIAL.length)
  return [bare, `$${bare}`]
}

/** The properties that `Subject.personProperty` may look at for a key, by themselves. */
export function namesRead(key: string): readonly string[] {
  return key.startsWith(INITIAL) ? [key, ...sourcesOfInitial(key)] : [key]
}

export function groupKeyOf(groups: JsonObject, type: string): string | undefined {
  const key = own(groups, type)
  if (typeof key === 'number') return String(key)
  return typeof key === 'string' && key !== '' ? (exactDigits(key) ?? key) : undefined
}
