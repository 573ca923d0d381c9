import type { IngestBatchRequest__Output } from '../../proto/gen/sluice/v1/IngestBatchRequest.ts'
import type { IngestEvent__Output } from '../../proto/gen/sluice/v1/IngestEvent.ts'
import type { IngestGroup__Output } from '../../proto/gen/sluice/v1/IngestGroup.ts'
import type { MergeKind } from '../../proto/gen/sluice/v1/MergeKind.ts'
import { projectId } from '../core/ids.ts'
import type { IngestGroup } from '../project/ports.ts'
import { type IngestEvent, NO_PERSON_CHANGE, type PersonMerge } from './event.ts'

/** Between events and their messages, for calls within the process, over a socket, and the spill. */

export type WireBatch = IngestBatchRequest__Output

/** What an event costs beside its texts, in bytes; part of every ingest bound. */
const EVENT_OVERHEAD_BYTES = 256

const MERGE_NAMES: Readonly<Record<PersonMerge['kind'], keyof typeof MergeKind>> = {
  identify: 'MERGE_KIND_IDENTIFY',
  alias: 'MERGE_KIND_ALIAS',
  dangerously: 'MERGE_KIND_DANGEROUSLY',
}
const MERGES: Readonly<Record<IngestEvent__Output['merge'], PersonMerge['kind'] | undefined>> = {
  MERGE_KIND_NONE: undefined,
  MERGE_KIND_IDENTIFY: 'identify',
  MERGE_KIND_ALIAS: 'alias',
  MERGE_KIND_DANGEROUSLY: 'dangerously',
}

/** The message as a worker's handler reads it, for calls that stay within the process. */
export function toWireGroup(
  projectId: number,
  events: readonly IngestEvent[],
): IngestGroup__Output {
  return { project_id: projectId, events: events.map(toWireEvent) }
}

function toWireEvent({ person, ...event }: IngestEvent): IngestEvent__Output {
  return {
    uuid: event.uuid,
    event: event.event,
    distinct_id: event.distinctId,
    timestamp: event.timestamp,
    properties: event.properties,
    elements_chain: event.elementsChain,
    no_profile: !person.profile,
    set_once: person.setOnce,
    set: person.set,
    unset: [...person.unset],
    merge: person.merge === undefined ? 'MERGE_KIND_NONE' : MERGE_NAMES[person.merge.kind],
    merge_distinct_id: person.merge?.otherDistinctId ?? '',
    groups: [...event.groups],
    group_change: event.groupChange ?? null,
  }
}

/**
 * A group as the writer takes it.
 * @throws {RangeError} when its project id is none.
 */
export function toGroup(wire: IngestGroup__Output): IngestGroup {
  let bytes = 0
  const events = wire.events.map((event) => {
    bytes += EVENT_OVERHEAD_BYTES + event.properties.length + event.set.length
    bytes += event.set_once.length + event.elements_chain.length
    return toEvent(event)
  })
  return { projectId: projectId(wire.project_id), events, bytes }
}

function toEvent(wire: IngestEvent__Output): IngestEvent {
  return {
    uuid: wire.uuid,
    event: wire.event,
    distinctId: wire.distinct_id,
    timestamp: wire.timestamp,
    properties: wire.properties,
    elementsChain: wire.elements_chain,
    person: toPersonChange(wire),
    groups: wire.groups,
    groupChange: wire.group_change ?? undefined,
  }
}

function toPersonChange(wire: IngestEvent__Output): IngestEvent['person'] {
  const kind = MERGES[wire.merge]
  const plain = kind === undefined && wire.set === '' && wire.set_once === ''
  if (plain && wire.unset.length === 0 && !wire.no_profile) return NO_PERSON_CHANGE
  return {
    profile: !wire.no_profile,
    setOnce: wire.set_once,
    set: wire.set,
    unset: wire.unset,
    merge: kind === undefined ? undefined : { kind, otherDistinctId: wire.merge_distinct_id },
  }
}
