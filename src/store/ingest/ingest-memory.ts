/** What a worker remembers of the database, so that most flushes need no look-up. */

import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import {
  DEFINITION_SEEN_MS,
  KNOWN_DEFINITIONS_MAX,
  KNOWN_DISTINCT_IDS_BYTES_MAX,
  KNOWN_PROJECTS_MAX,
} from '../../core/limits/limits.ts'
import type { NewDistinctId, SeenDefinition } from './flush/events-sql.ts'
import { type PreparedFlush, storedTimestamp } from './flush/prepare-flush.ts'
import { GROUP_TYPES_MAX, type GroupTypes } from './groups-sql.ts'
import type { MonthHome } from './partitions.ts'
import { RecentMap } from './recent-map.ts'

/** Servers of PostHog report on their plugins by it: it is stored, and is no event of the project's. */
const EVENT_WITHOUT_DEFINITION = '$$plugin_metrics'

/** What a flush adds beside its events, because this worker does not know it to be there. */
export type Unknown = {
  readonly newDistinctIds: readonly NewDistinctId[]
  readonly seenDefinitions: readonly SeenDefinition[]
  readonly firstProjectIds: readonly ProjectId[]
}

/**
 * What this worker knows to be in the store, so that the common flush does not ask. Only facts that
 * stay true as long as the project lives, learnt after a COMMIT; forgetting one costs a look-up.
 * Distinct ids of deleted persons are told to it.
 */
export class IngestMemory {
  readonly #clock: Clock
  readonly #personUuid: () => string
  readonly #distinctIds = new RecentMap<true>(KNOWN_DISTINCT_IDS_BYTES_MAX, entryBytes)
  /** Monotonic milliseconds of the last write of `last_seen_at`. */
  readonly #definitions = new RecentMap<number>(KNOWN_DEFINITIONS_MAX)
  readonly #projects = new RecentMap<true>(KNOWN_PROJECTS_MAX)
  readonly #groupTypes = new RecentMap<GroupTypes>(KNOWN_PROJECTS_MAX)
  /** Where months are written, by names of partitions; bounded by the calendar. */
  readonly homes = new Map<string, MonthHome>()

  constructor(clock: Clock, personUuid: () => string) {
    this.#clock = clock
    this.#personUuid = personUuid
  }

  unknownOf({ rows, planned }: PreparedFlush): Unknown {
    const now = this.#clock.monotonic()
    const distinctIds = new Map<string, NewDistinctId>()
    const definitions = new Map<string, SeenDefinition>()
    const projects = new Set<ProjectId>()
    for (const { projectId, event } of rows) {
      const { distinctId, person } = event
      const id = keyOf(projectId, distinctId)
      const isPlanned = planned.get(projectId)?.has(distinctId) === true
      if (person.profile && !isPlanned && !distinctIds.has(id) && !this.#distinctIds.get(id)) {
        const personUuid = this.#personUuid()
        distinctIds.set(id, {
          projectId,
          distinctId,
          personUuid,
          createdAt: storedTimestamp(event),
        })
      }
      const name = keyOf(projectId, event.event)
      const isDefined = event.event !== EVENT_WITHOUT_DEFINITION
      if (isDefined && !definitions.has(name) && !this.#seenLately(name, now)) {
        definitions.set(name, { projectId, name: event.event })
      }
      if (!projects.has(projectId) && !this.#projects.get(String(projectId))) {
        projects.add(projectId)
      }
    }
    return {
      newDistinctIds: [...distinctIds.values()],
      seenDefinitions: [...definitions.values()],
      firstProjectIds: [...projects],
    }
  }

  learn(unknown: Unknown, isLive: (projectId: number) => boolean): void {
    const now = this.#clock.monotonic()
    for (const { projectId, distinctId } of unknown.newDistinctIds) {
      if (isLive(projectId)) this.learnDistinctId(projectId, distinctId)
    }
    for (const { projectId, name } of unknown.seenDefinitions) {
      if (isLive(projectId)) this.#definitions.set(keyOf(projectId, name), now)
    }
    for (const projectId of unknown.firstProjectIds) {
      if (isLive(projectId)) this.#projects.set(String(projectId), true)
    }
  }

  /** A uuid for the person of a distinct id; empty when the distinct id is known to have one. */
  newPersonUuid(projectId: number, distinctId: string): string {
    return this.#distinctIds.get(keyOf(projectId, distinctId)) ? '' : this.#personUuid()
  }

  learnDistinctId(projectId: number, distinctId: string): void {
    this.#distinctIds.set(keyOf(projectId, distinctId), true)
  }

  /** The distinct id was deleted with its person: the next event of it makes another one. */
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

  #seenLately(name: string, now: number): boolean {
    const at = this.#definitions.get(name)
    return at !== undefined && now - at < DEFINITION_SEEN_MS
  }
}

/** Of a map with such a key: the string's header and the map's slots beside the text. */
const ENTRY_OVERHEAD_BYTES = 64

function entryBytes(key: string): number {
  return key.length + ENTRY_OVERHEAD_BYTES
}

function keyOf(projectId: number, name: string): string {
  return `${projectId}:${name}`
}
