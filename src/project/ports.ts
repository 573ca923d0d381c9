import type { TransactionSql } from 'postgres'
import type { ProjectId, Revision } from '../core/ids.ts'
import type { IngestEvent } from '../events/event.ts'
import type { FlagSnapshot } from '../flags/compile.ts'
import type { JsonObject } from '../flags/definition.ts'
import type { PluginPlan } from '../plugins/ports.ts'

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
  /** Durable in the spill while the store does not take it; stored once it is drained. */
  | { readonly kind: 'spilled' }
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

export type { ProjectNews } from '../core/project-news.ts'

/** Immutable snapshot of a project as of one revision. */
export type ProjectState = {
  readonly id: ProjectId
  readonly revision: Revision
  readonly apiToken: string
  readonly anonymizeIps: boolean
  readonly flags: FlagSnapshot
  /** Plugins that take its events first; undefined when there are none. */
  readonly plugins: PluginPlan | undefined
}

/** The transaction of a state change: already fenced, with the revision raised. */
export type ChangeTransaction = TransactionSql<{ bigint: bigint }>
export type StateChange<T> = (tx: ChangeTransaction) => Promise<T>

/**
 * Changes the state of one project through its actor: one change at a time, fenced, committed, seen
 * by the snapshot and told to the news before it resolves.
 * @throws {AppError} what `change` throws, `not_found` when the project is gone, `not_owner` or
 * `fenced` when another worker owns the shard; nothing is changed then.
 */
export type MutateProject = <T>(project: ProjectId, change: StateChange<T>) => Promise<T>

/**
 * Removes one project through its actor, after the changes that came before, and tells the news of
 * it. What is stored of it is removed in the background.
 * @param before runs in the transaction that removes it, and sees it for the last time.
 * @throws {AppError} as `MutateProject`; the project stays then.
 */
export type RemoveProject = (project: ProjectId, before: StateChange<void>) => Promise<void>

/** Whose stored data a decide reads. */
export type PersonLookup = {
  readonly projectId: ProjectId
  readonly distinctId: string
  /** Which of the costlier parts are wanted. */
  readonly overrides: boolean
  readonly cohorts: boolean
}

export type StoredPerson = {
  readonly personId: bigint
  readonly properties: JsonObject
  /** Experience continuity: flag key to the id that is hashed. */
  readonly overrides: ReadonlyMap<string, string>
  readonly cohortIds: ReadonlySet<number>
}

export type GroupLookup = {
  readonly projectId: ProjectId
  readonly type: string
  readonly key: string
}

export type StoredGroup = { readonly properties: JsonObject }

export type ContinuityRow = {
  readonly personId: bigint
  readonly flagKey: string
  readonly hashKey: string
}

/** Reads of decide, each for many questions at once; answers are keyed by a lookup's position. */
export type DecideStore = {
  persons(lookups: readonly PersonLookup[]): Promise<ReadonlyMap<number, StoredPerson>>
  groups(lookups: readonly GroupLookup[]): Promise<ReadonlyMap<number, StoredGroup>>
  keepContinuity(project: ProjectId, rows: readonly ContinuityRow[]): Promise<void>
}
