import type { ProjectId } from '../../core/ids.ts'
import type { IngestEvent } from '../../events/event.ts'
import { changesPerson, isOrdered } from '../../ingest/ordering.ts'
import type { FlushRow } from '../../ingest/store-port.ts'
import type { EventRow } from './events-sql.ts'
import type { GroupTypes } from './groups-sql.ts'
import { midnightNear } from './near-midnight.ts'

/** A row of the batch that no earlier row of it repeats. */
export type BatchRow = FlushRow & {
  /** In the batch as it came. */
  readonly position: number
  readonly timestamp: string
}

export type FlushBatch = {
  readonly rows: readonly BatchRow[]
  /** Positions of rows that repeat an earlier one. */
  readonly repeated: readonly number[]
  /** Rows whose persons or groups are planned, by project: those that name the same persons too. */
  readonly planned: ReadonlyMap<ProjectId, ReadonlySet<string>>
  readonly hasPlan: boolean
  /** Some of the rows may have come before, on the other side of a midnight. */
  readonly isNearMidnight: boolean
}

/** Postgres has no year 0, so the year 1 BC of ISO 8601 starts with the year 1. */
const TIMESTAMP_MIN = '0001-01-01T00:00:00.000000Z'

/** Drops repeated rows and finds the distinct ids whose persons must be loaded. */
export function toFlushBatch(rows: readonly FlushRow[]): FlushBatch {
  const seen = new Set<string>()
  const kept: BatchRow[] = []
  const repeated: number[] = []
  const planned = new Map<ProjectId, Set<string>>()
  let hasPlan = false
  let isNearMidnight = false
  for (const [position, { projectId, event }] of rows.entries()) {
    const timestamp = event.timestamp < TIMESTAMP_MIN ? TIMESTAMP_MIN : event.timestamp
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
    kept.push({ projectId, event, position, timestamp })
    if (isOrdered(event)) hasPlan = true
    if (changesPerson(event.person)) addPlanned(planned, projectId, event)
  }
  return { rows: kept, repeated, planned, hasPlan, isNearMidnight }
}

function addPlanned(
  planned: Map<ProjectId, Set<string>>,
  projectId: ProjectId,
  { distinctId, person }: IngestEvent,
): void {
  if (!person.profile) return
  const ids = planned.get(projectId) ?? new Set()
  planned.set(projectId, ids)
  ids.add(distinctId)
  if (person.merge !== undefined) ids.add(person.merge.otherDistinctId)
}

export function toEventRow(
  { projectId, event, timestamp }: BatchRow,
  types: GroupTypes | undefined,
): EventRow {
  return {
    projectId,
    uuid: event.uuid,
    timestamp,
    event: event.event,
    distinctId: event.distinctId,
    properties: withGroups(event, types),
    elementsChain: event.elementsChain,
  }
}

/**
 * Adds `$group_<index>` to the properties without parsing them. At the end, where jsonb lets it win
 * over a property of that name from the client.
 */
function withGroups({ properties, groups }: IngestEvent, types: GroupTypes | undefined): string {
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
