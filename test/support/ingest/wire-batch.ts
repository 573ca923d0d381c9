/** Event batches as they travel to a worker. */
import type { IngestEvent__Output } from '../../../proto/gen/sluice/v1/IngestEvent.ts'
import type { IngestGroup__Output } from '../../../proto/gen/sluice/v1/IngestGroup.ts'
import type { MergeKind } from '../../../proto/gen/sluice/v1/MergeKind.ts'
import type { IngestEvent, PersonMerge } from '../../../src/events/event.ts'

const MERGE_NAMES: Readonly<Record<PersonMerge['kind'], keyof typeof MergeKind>> = {
  identify: 'MERGE_KIND_IDENTIFY',
  alias: 'MERGE_KIND_ALIAS',
  dangerously: 'MERGE_KIND_DANGEROUSLY',
}

/** The message as reflection reads it. */
export function toWireBatch(
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
    volatile: person.volatile,
    set: person.set,
    unset: [...person.unset],
    merge: person.merge === undefined ? 'MERGE_KIND_NONE' : MERGE_NAMES[person.merge.kind],
    merge_distinct_id: person.merge?.otherDistinctId ?? '',
    groups: [...event.groups],
    group_change: event.groupChange ?? null,
  }
}
