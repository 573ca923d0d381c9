/**
 * Prepares a flush for its statements: drops repeated rows, and finds the persons to load. Also
 * makes the stored forms that differ from the received ones: see `storedTimestamp` and
 * `storedProperties`.
 */
import type { ProjectId } from '../../../core/ids.ts'
import type { IngestEvent } from '../../../events/event.ts'
import { changesPerson } from '../../../ingest/ordering.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import type { GroupTypes } from '../persons/groups-sql.ts'
import { midnightNear } from './near-midnight.ts'

export type PreparedFlush = {
  /** Rows that repeat no earlier row of the flush. */
  readonly rows: readonly FlushRow[]
  /** Position in the original flush of each of `rows`. */
  readonly positions: readonly number[]
  /** Positions of rows that repeat an earlier one. */
  readonly repeated: readonly number[]
  /** Distinct ids whose persons may change or are to be made, by project. */
  readonly planned: ReadonlyMap<ProjectId, ReadonlySet<string>>
  /**
   * Changes that the rows make: to persons or groups in any way, at most to properties of persons
   * and which persons exist, or none.
   */
  readonly changes: 'any' | 'properties' | 'none'
  /** Some row may have been stored before, on the other side of a midnight. */
  readonly isNearMidnight: boolean
}

/** Postgres has no year 0, so the year 1 BC of ISO 8601 starts with the year 1. */
const TIMESTAMP_MIN = '0001-01-01T00:00:00.000000Z'

/**
 * Drops repeated rows and finds the distinct ids whose persons must be looked at.
 * @param memory which distinct ids have a person for certain.
 */
export function prepareFlush(
  rows: readonly FlushRow[],
  memory: { knows(projectId: ProjectId, distinctId: string): boolean },
): PreparedFlush {
  const seen = new Set<string>()
  const kept: FlushRow[] = []
  const positions: number[] = []
  const repeated: number[] = []
  const planned = new Map<ProjectId, Set<string>>()
  let changes: PreparedFlush['changes'] = 'none'
  let isNearMidnight = false
  for (const [position, row] of rows.entries()) {
    const { projectId, event } = row
    const timestamp = storedTimestamp(event)
    const key = `${projectId} ${timestamp.slice(0, 10)} ${event.uuid}`
    const midnight = midnightNear(timestamp)
    const keyAcross = midnight === undefined ? key : `${projectId} ${midnight} ${event.uuid}`
    if (seen.has(key) || seen.has(keyAcross)) {
      repeated.push(position)
      continue
    }
    seen.add(key)
    if (midnight !== undefined) {
      seen.add(keyAcross)
      isNearMidnight = true
    }
    kept.push(row)
    positions.push(position)
    if (event.groupChange !== undefined) changes = 'any'
    if (!event.person.profile) continue
    if (!changesPerson(event.person) && memory.knows(projectId, event.distinctId)) continue
    if (event.person.merge !== undefined) changes = 'any'
    else if (changes === 'none') changes = 'properties'
    addPlanned(planned, projectId, event)
  }
  return { rows: kept, positions, repeated, planned, changes, isNearMidnight }
}

function addPlanned(
  planned: Map<ProjectId, Set<string>>,
  projectId: ProjectId,
  { distinctId, person }: IngestEvent,
): void {
  const ids = planned.get(projectId) ?? new Set()
  planned.set(projectId, ids)
  ids.add(distinctId)
  if (person.merge !== undefined) ids.add(person.merge.otherDistinctId)
}

/** The timestamp of an event, no earlier than Postgres can store. */
export function storedTimestamp({ timestamp }: IngestEvent): string {
  return timestamp < TIMESTAMP_MIN ? TIMESTAMP_MIN : timestamp
}

/**
 * Adds `$group_<index>` to the properties without parsing them. At the end, where jsonb lets it win
 * over a property of that name from the client.
 */
export function storedProperties(
  { properties, groups }: IngestEvent,
  types: GroupTypes | undefined,
): string {
  if (groups.length === 0 || types === undefined) return properties
  let added = ''
  for (const { type, key } of groups) {
    const index = types.get(type)
    if (index !== undefined) added += `,"$group_${index}":${JSON.stringify(key)}`
  }
  const end = properties.lastIndexOf('}')
  // Text that is not an object is refused by the store as it is.
  if (added === '' || end === -1) return properties
  const head = properties.slice(0, end)
  return `${head}${head.trim() === '{' ? added.slice(1) : added}}`
}
