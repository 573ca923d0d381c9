/** Ports of a project: its store, and changes of its state. */
import type { ProjectId } from '../core/ids.ts'
import type { JsonObject } from '../core/json.ts'
import type { Db } from '../core/sql.ts'
import type { FlagSources } from '../flags/definition.ts'

/** The transaction of a state change. It is fenced, and the revision is raised already. */
export type ChangeTransaction = Db & {
  /**
   * Has the resulting flags checked before the change is committed: an error of `judge` rolls the
   * change back.
   */
  judgeFlags(judge: (left: FlagSources) => void): void
}
export type StateChange<T> = (tx: ChangeTransaction) => Promise<T>

/**
 * Changes the state of one project through its actor. One change runs at a time; it is fenced and
 * committed, replaces the snapshot and is published before this resolves.
 * @throws {AppError} errors of `change`; `not_found` when the project is gone; `not_owner` or
 * `fenced` when another worker owns the shard. Nothing is changed then.
 */
export type MutateProject = <T>(project: ProjectId, change: StateChange<T>) => Promise<T>

/** Runs in the transaction that removes a project. */
export type RemovalWork = (tx: Db) => Promise<void>

/**
 * Removes one project through its actor, after all earlier changes, and publishes the change. Its
 * stored data is removed in the background.
 * @param before runs in the transaction that removes the project, while the project still exists.
 * @throws {AppError} as `MutateProject`; the project stays then.
 */
export type RemoveProject = (project: ProjectId, before: RemovalWork) => Promise<void>

/** A person whose stored data a decide reads. */
export type PersonLookup = {
  readonly projectId: ProjectId
  readonly distinctId: string
  /** Names of the properties that are wanted. */
  readonly properties: readonly string[]
  /** Costlier parts that are requested. */
  readonly overrides: boolean
  readonly cohorts: boolean
}

/** Stored properties that were asked for, unless they exceed what one call may read. */
export type StoredProperties = JsonObject | 'too_large'

export type StoredPerson = {
  readonly personId: bigint
  readonly properties: StoredProperties
  /** Experience continuity: the id that is hashed, by flag key. */
  readonly overrides: ReadonlyMap<string, string>
  readonly cohortIds: ReadonlySet<number>
}

export type GroupLookup = {
  readonly projectId: ProjectId
  readonly type: string
  readonly key: string
  /** Names of the properties that are wanted. */
  readonly properties: readonly string[]
}

export type StoredGroup = { readonly properties: StoredProperties }

export type ContinuityRow = {
  readonly personId: bigint
  readonly flagKey: string
  readonly hashKey: string
}

/** Reads of decide, each for many questions at once. Answers are keyed by a lookup's position. */
export type DecideStore = {
  persons(lookups: readonly PersonLookup[]): Promise<ReadonlyMap<number, StoredPerson>>
  groups(lookups: readonly GroupLookup[]): Promise<ReadonlyMap<number, StoredGroup>>
  keepContinuity(project: ProjectId, rows: readonly ContinuityRow[]): Promise<void>
}
