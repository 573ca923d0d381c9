/** Port of the writer to the database; `src/event-store/postgres/flush/ingest-store.ts` implements it. */

import type { ProjectId } from '../core/ids.ts'
import type { IngestEvent } from '../events/event.ts'
import type { PersonsChanged } from '../events/event-batch.ts'

/** One event of a flush, with the project it belongs to. */
export type FlushRow = {
  readonly projectId: ProjectId
  readonly event: IngestEvent
  /** Index of its batch in the flush, by which the writer counts outcomes. */
  readonly batch: number
  /** See `EventBatch`. */
  readonly ackedAtMs?: number | undefined
}

export type FlushResult = {
  /** Positions in the flush of events that were stored already, or occur twice in it. */
  readonly duplicates: readonly number[]
  /** Projects that do not exist: none of their rows was written. */
  readonly missingProjects: ReadonlySet<ProjectId>
  readonly changed: readonly PersonsChanged[]
  /** Missing where no row was acknowledged before. */
  readonly acked?: AckedRows
}

/** Positions in the flush of rows that were acknowledged before and are not stored. */
export type AckedRows = {
  /** Their person was deleted since: they are done with. */
  readonly deleted: readonly number[]
  /** A person of their project is being deleted: they must be sent again. */
  readonly held: readonly number[]
}

/** The database, as the writer uses it. Failed calls throw a `StoreError` and nothing else. */
export type IngestStore = {
  /**
   * Writes all rows in one transaction, in order for each person. Calls of one slot never overlap.
   * @throws {StoreError} `data`: nothing was written, one of the rows is at fault. Other kinds: it
   * may have been written, and a retry is safe.
   */
  flush(slot: number, rows: readonly FlushRow[]): Promise<FlushResult>
  /**
   * Keeps a row that the database refuses, with the reason; of one that was acknowledged before,
   * nothing when its person was deleted since.
   * @throws {StoreError}
   */
  deadLetter(slot: number, row: FlushRow, reason: StoreError): Promise<void>
  /**
   * Resolves when the database answers, within about a second.
   * @throws {StoreError}
   */
  ping(): Promise<void>
}

export type StoreErrorKind =
  /** A row is at fault: retrying cannot help, splitting the flush can. */
  | 'data'
  /** Lost against a concurrent transaction: retry at once. */
  | 'conflict'
  /** The database is away, slow or full: retry later. */
  | 'unreachable'
  /** A defect of ours or of the schema: neither a retry nor a split helps. */
  | 'fault'

/** A failure of the store. `message` may quote a row and is for dead letters and the log only. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind
  /** SQLSTATE, or the driver's own code; empty when there is none. */
  readonly code: string
  /** The database itself reports that it takes no writes: no row is at fault, no probe needed. */
  readonly isStated: boolean

  constructor(
    kind: StoreErrorKind,
    code: string,
    message: string,
    cause?: unknown,
    isStated = false,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.code = code
    this.isStated = isStated
  }
}

/** True when the next try may succeed; the outcome of this one is unknown. */
export function isTransient(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.kind === 'unreachable' || error.kind === 'conflict')
}
