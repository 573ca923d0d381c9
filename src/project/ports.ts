import type { ProjectId, Revision } from '../core/ids.ts'
import type { IngestEvent } from '../ingest/event.ts'

/** Events of one request to one project, kept in order for each distinct id. */
export type IngestGroup = {
  readonly projectId: ProjectId
  readonly events: readonly IngestEvent[]
  /** Size on the wire; the unit of every ingest bound. */
  readonly bytes: number
}

export type IngestOutcome =
  /** Every event is committed, was known already, or is a dead letter. */
  | {
      readonly kind: 'stored'
      readonly stored: number
      readonly duplicates: number
      readonly deadLetters: number
    }
  /** Refused at a full bound; nothing of it was written. */
  | { readonly kind: 'overloaded'; readonly retryAfterS: number }
  /** The store did not answer; it may have been written, and the same uuids may be sent again. */
  | { readonly kind: 'unavailable'; readonly retryAfterS: number; readonly cause: unknown }
  /** The project does not exist any more. */
  | { readonly kind: 'no_project' }

/** Takes events and answers once their fate is durable. Never rejects. */
export type EventSink = { submit(group: IngestGroup): Promise<IngestOutcome> }

/** Persons whose stored data a flush changed: told before the flush is acknowledged. */
export type PersonsChanged = {
  readonly projectId: ProjectId
  /** Every distinct id of every person touched, those of folded persons included. */
  readonly distinctIds: readonly string[]
  /** Groups whose properties changed. */
  readonly groups: readonly { readonly type: string; readonly key: string }[]
}

/** Revision and keys of projects as they change; subscribers run before the mutation is answered. */
export type ProjectNews =
  | { readonly kind: 'revision'; readonly projectId: ProjectId; readonly revision: Revision }
  | { readonly kind: 'keys' }
