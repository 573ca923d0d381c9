import type { ProjectId } from '../../src/core/ids.ts'
import type { IngestEvent } from '../../src/events/event.ts'

export { encodeIngestBatch, encodeIngestGroup } from '../../src/events/batch-encoder.ts'

/**
 * Events of one request to one project on their way to a worker: as objects, or encoded already by
 * the thread that parsed a large body.
 */
export type EncodedGroup = {
  readonly projectId: ProjectId
  readonly count: number
  /** About the size on the wire. */
  readonly bytes: number
  /** Plugins of its project run first: no other project's events share its calls. */
  readonly hasPlugins: boolean
  readonly content:
    | { readonly kind: 'events'; readonly events: readonly IngestEvent[] }
    | { readonly kind: 'encoded'; readonly group: Uint8Array }
}

/** Ids, times and tags of one event, in bytes. */
const EVENT_OVERHEAD_BYTES = 128

/** Wraps parsed events; nothing is encoded before a socket needs it. */
export function groupOfEvents(
  projectId: ProjectId,
  events: readonly IngestEvent[],
  hasPlugins = false,
): EncodedGroup {
  let bytes = 0
  for (const { properties, elementsChain, person } of events) {
    bytes += EVENT_OVERHEAD_BYTES + properties.length + elementsChain.length
    bytes += person.set.length + person.setOnce.length
  }
  const content = { kind: 'events', events } as const
  return { projectId, count: events.length, bytes, hasPlugins, content }
}
