/** Knowledge of a worker about the database, so that most flushes need no look-up. */

import type { Clock } from '../../../core/clock.ts'
import type { ProjectId } from '../../../core/ids.ts'
import type { IngestEvent } from '../../../events/event.ts'
import { changesPerson } from '../../../ingest/ordering.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import type { MonthHome } from '../../months/partitions.ts'
import { GROUP_TYPES_MAX, type GroupTypes } from '../persons/groups-sql.ts'
import type { SeenDefinition, Unseen } from './events-sql.ts'
import { KnownNames, NO_NAMES, NUMBERS_END } from './known-names.ts'
import { type PersonForm, personForm } from './person-form.ts'
import { RecentMap } from './recent-map.ts'

/** Remembered by a worker: distinct ids known to exist, in bytes with the entry's overhead. */
const KNOWN_DISTINCT_IDS_BYTES_MAX = 33_554_432
/** Event names just seen and projects met, in entries. */
const KNOWN_DEFINITIONS_MAX = 50_000
const KNOWN_PROJECTS_MAX = 50_000
/** `last_seen_at` of an event definition is written at most once in this time per worker. */
export const DEFINITION_SEEN_MS = 60_000

/** Sent by servers of PostHog about their plugins: stored, but not as an event of the project. */
const EVENT_WITHOUT_DEFINITION = '$$plugin_metrics'

const NOTHING_EXPECTED: PersonForm = { names: '', set: '' }
/** Divides the number kept for a distinct id: names below it, a hash of the set values above. */
const HASH_FACTOR = NUMBERS_END

/**
 * Facts that this worker knows about the store, so that the common flush needs no look-up. They are
 * recorded after a COMMIT, and forgetting one costs a look-up. That a distinct id has a person
 * stays true as long as the project lives, because deletions of persons are reported here. The
 * remembered properties of a person are a guess.
 */
export class IngestMemory {
  readonly #clock: Clock
  readonly #personUuid: () => string
  readonly #distinctIds = new RecentMap<number>(KNOWN_DISTINCT_IDS_BYTES_MAX, entryBytes)
  readonly #names = new KnownNames()
  /** Monotonic milliseconds of the last write of `last_seen_at`. */
  readonly #definitions = new RecentMap<number>(KNOWN_DEFINITIONS_MAX)
  /** Previous event: the next one mostly has the same name. */
  #lastSeen = { projectId: 0, name: '', at: Number.NEGATIVE_INFINITY }
  readonly #projects = new RecentMap<true>(KNOWN_PROJECTS_MAX)
  readonly #groupTypes = new RecentMap<GroupTypes>(KNOWN_PROJECTS_MAX)
  /** Homes of months, by names of partitions; bounded by the calendar. */
  readonly homes = new Map<string, MonthHome>()

  constructor(clock: Clock, personUuid: () => string) {
    this.#clock = clock
    this.#personUuid = personUuid
  }

  unseenOf(rows: readonly FlushRow[]): Unseen {
    const now = this.#clock.monotonic()
    const definitions = new Map<string, SeenDefinition>()
    const projects = new Set<ProjectId>()
    for (const { projectId, event } of rows) {
      const name = keyOf(projectId, event.event)
      if (!definitions.has(name) && !this.#isSeen(projectId, event.event, now)) {
        definitions.set(name, { projectId, name: event.event })
      }
      if (!this.#projects.get(String(projectId))) projects.add(projectId)
    }
    return { seenDefinitions: [...definitions.values()], firstProjectIds: [...projects] }
  }

  learn(
    { seenDefinitions, firstProjectIds }: Unseen,
    isLive: (projectId: number) => boolean,
  ): void {
    const now = this.#clock.monotonic()
    for (const { projectId, name } of seenDefinitions) {
      if (isLive(projectId)) this.#definitions.set(keyOf(projectId, name), now)
    }
    this.#lastSeen = { projectId: 0, name: '', at: Number.NEGATIVE_INFINITY }
    for (const projectId of firstProjectIds) {
      if (isLive(projectId)) this.#projects.set(String(projectId), true)
    }
  }

  /**
   * Names and values that the person of an event has, as far as this worker knows: then the event
   * changes nothing of it. Undefined where something may change. A guess, which the flush checks.
   */
  expect(projectId: ProjectId, { person, distinctId }: IngestEvent): PersonForm | undefined {
    if (!person.profile) return NOTHING_EXPECTED
    const known = this.#distinctIds.get(keyOf(projectId, distinctId))
    if (known === undefined) return undefined
    if (!changesPerson(person)) return NOTHING_EXPECTED
    const form = personForm(person)
    if (form === undefined) return undefined
    const names = this.#names.numberOf(form.names)
    if (names === undefined || !this.#names.covers(known % HASH_FACTOR, names)) return undefined
    const isSet = form.set === '' || Math.floor(known / HASH_FACTOR) === hashOf(form.set)
    return isSet ? form : undefined
  }

  /** True when the distinct id has a person. */
  knows(projectId: ProjectId, distinctId: string): boolean {
    return this.#distinctIds.get(keyOf(projectId, distinctId)) !== undefined
  }

  /** A uuid for the person of a distinct id; empty when the distinct id is known to have one. */
  newPersonUuid(projectId: ProjectId, distinctId: string): string {
    return this.knows(projectId, distinctId) ? '' : this.#personUuid()
  }

  learnDistinctId(projectId: number, distinctId: string): void {
    const key = keyOf(projectId, distinctId)
    if (this.#distinctIds.get(key) === undefined) this.#distinctIds.set(key, NO_NAMES)
  }

  /** Records that the person of a known distinct id has what this event sets. */
  learnChange(projectId: ProjectId, { distinctId, person }: IngestEvent): void {
    const key = keyOf(projectId, distinctId)
    const known = this.#distinctIds.get(key)
    if (known === undefined) return
    const form = personForm(person)
    const names = form === undefined ? undefined : this.#names.numberOf(form.names)
    if (form === undefined || names === undefined) {
      this.#distinctIds.set(key, NO_NAMES)
      return
    }
    const hash = form.set === '' ? Math.floor(known / HASH_FACTOR) : hashOf(form.set)
    this.#distinctIds.set(key, this.#names.union(known % HASH_FACTOR, names) + hash * HASH_FACTOR)
  }

  /** Called when its person did not have what was expected. */
  forgetNames(projectId: ProjectId, distinctId: string): void {
    this.#distinctIds.set(keyOf(projectId, distinctId), NO_NAMES)
  }

  /** Called when the distinct id was deleted with its person: its next event makes a new one. */
  forgetDistinctId(projectId: number, distinctId: string): void {
    this.#distinctIds.delete(keyOf(projectId, distinctId))
  }

  /** The project's group types, if they answer for all of `types`. */
  groupTypes(projectId: ProjectId, types: ReadonlySet<string>): GroupTypes | undefined {
    const known = this.#groupTypes.get(String(projectId))
    if (known === undefined || known.size === GROUP_TYPES_MAX) return known
    for (const type of types) if (!known.has(type)) return undefined
    return known
  }

  learnGroupTypes(projectId: ProjectId, types: GroupTypes): void {
    this.#groupTypes.set(String(projectId), types)
  }

  #isSeen(projectId: ProjectId, name: string, now: number): boolean {
    if (name === EVENT_WITHOUT_DEFINITION) return true
    const last = this.#lastSeen
    if (last.name !== name || last.projectId !== projectId) {
      const at = this.#definitions.get(keyOf(projectId, name)) ?? Number.NEGATIVE_INFINITY
      this.#lastSeen = { projectId, name, at }
    }
    return now - this.#lastSeen.at < DEFINITION_SEEN_MS
  }
}

/** Bytes of a map's entry beside the text: the string's header and the map's slots. */
const ENTRY_OVERHEAD_BYTES = 64

function entryBytes(key: string): number {
  return key.length + ENTRY_OVERHEAD_BYTES
}

function keyOf(projectId: number, name: string): string {
  return `${projectId}:${name}`
}

/** 32 bits, never 0: FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0 || 1
}
