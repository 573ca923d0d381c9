/** A batch of events on its way from a gateway to a worker, and its encoding. */

import type { ProjectId } from '../../src/core/ids.ts'
import { LARGE_EVENT_BYTES } from '../../src/core/limits/limits.ts'
import type { IngestEvent } from '../../src/events/event.ts'
import { holdsLargeEvent, sizeOfEvents } from '../../src/events/event-size.ts'

export { encodeEventBatch, encodeIngestRequest } from '../../src/events/batch-encoder.ts'

/**
 * The events of one request to one project: as objects, or as bytes when a thread has parsed a
 * large body.
 */
export type EncodedBatch = {
  readonly projectId: ProjectId
  readonly count: number
  /** The sum of `eventSize`, or the length of the bytes. */
  readonly bytes: number
  /** True when plugins of its project run first. It then shares no call with other projects. */
  readonly hasPlugins: boolean
  readonly content:
    | { readonly kind: 'events'; readonly events: readonly IngestEvent[] }
    | { readonly kind: 'encoded'; readonly batch: Uint8Array }
}

/** Wraps parsed events. They are encoded when a socket needs it. */
export function encodableBatch(
  projectId: ProjectId,
  events: readonly IngestEvent[],
  hasPlugins = false,
): EncodedBatch {
  const bytes = sizeOfEvents(events)
  const content = { kind: 'events', events } as const
  return { projectId, count: events.length, bytes, hasPlugins, content }
}

/**
 * True for batches that must not delay others: a piece of a large body, and a batch with an event
 * that the worker flushes apart. Cheap for a small batch.
 */
export function travelsApart({ bytes, content }: EncodedBatch): boolean {
  if (bytes <= LARGE_EVENT_BYTES) return false
  return content.kind === 'encoded' || holdsLargeEvent(content.events, bytes)
}
