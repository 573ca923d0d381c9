/**
 * A batch of events on its way to the store, what became of it, and the places that take one. The
 * way of a batch in a worker, each step with its file:
 *
 *   `IngestRoute` (project/ingest-route.ts) -> `ProjectActor.ingest` (project/project-actor.ts)
 *   -> `ProjectPlugins.ingest` (plugins/runtime/runtime.ts), where the project has plugins
 *   -> `EventSink` (ingest/spill/spilling-sink.ts) -> `IngestWriter` (ingest/writer.ts)
 *   -> `IngestStore` (store/ingest/ingest-store.ts)
 */
import type { ProjectId } from '../core/ids.ts'
import type { IngestEvent } from './event.ts'
import { sizeOfEvents } from './event-size.ts'

/** Events of one request to one project, kept in order for each distinct id. */
export type EventBatch<Id extends number = ProjectId> = {
  readonly projectId: Id
  readonly events: readonly IngestEvent[]
  /** Sum of `eventSize`; the unit of every bound on what waits. */
  readonly bytes: number
  /**
   * Set for events that were acknowledged before they reached the writer, from the spill or as dead
   * letters: time of the acknowledgement or later, ms since 1970. Deletions requested since then
   * apply to them.
   */
  readonly ackedAtMs?: number | undefined
}

/** A batch of these events. */
export function batchOf<Id extends number>(project: Id, events: readonly IngestEvent[]) {
  return { projectId: project, events, bytes: sizeOfEvents(events) } satisfies EventBatch<Id>
}

/** Batch as it was decoded: its project id is not checked. */
export type UncheckedBatch = EventBatch<number>

export type IngestOutcome =
  /** Every event is committed, was known already, or is a dead letter. */
  | {
      readonly kind: 'stored'
      readonly stored: number
      readonly duplicates: number
      readonly deadLetters: number
    }
  /** Durable in the spill while the store does not take it; stored once it is drained. */
  | { readonly kind: 'spilled' }
  /** Refused because a bound was reached; no event was written. */
  | { readonly kind: 'overloaded'; readonly retryAfterS: number }
  /** The store did not answer; it may have been written, and the same uuids may be sent again. */
  | {
      readonly kind: 'unavailable'
      readonly retryAfterS: number
      readonly cause: unknown
      /** The spill has no room. */
      readonly isSpillFull?: true
    }
  /** The project does not exist any more. */
  | { readonly kind: 'no_project' }

/** Takes events and answers once their fate is durable. Never rejects. */
export type EventSink = { submit(batch: EventBatch): Promise<IngestOutcome> }

/** Routes events of a project to its actor, and answers as `EventSink` does. */
export type IngestRoute = { ingest(batch: EventBatch): Promise<IngestOutcome> }

/** Persons and groups whose stored data a flush changed; reported before it is acknowledged. */
export type PersonsChanged = {
  readonly projectId: ProjectId
  /** Every distinct id of every changed person, including those of folded persons. */
  readonly distinctIds: readonly string[]
  /** Groups whose properties changed. */
  readonly groups: readonly { readonly type: string; readonly key: string }[]
}
