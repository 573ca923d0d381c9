import type { ProjectId, Revision } from '../../src/core/ids.ts'

/**
 * Answers of decide, under (project, revision, distinct id, whole question). An answer is wrong
 * when the project's revision moved (then it is never looked up again) or when stored data of the
 * person changed: the worker tells `forgetPersons` before it acknowledges such a change. A cache
 * that cannot be told keeps only answers that read nothing stored (`keepsStored` is false).
 */
export type DecideCache = {
  readonly keepsStored: boolean
  get(place: DecidePlace): Promise<string | undefined> | string | undefined
  /** Taken before the answer is computed; see `put`. */
  ticket(place: DecidePlace): DecideTicket
  /**
   * Keeps `members` unless the person was forgotten since the ticket was taken: the answer may have
   * been computed from what the person was before.
   */
  put(place: DecidePlace, ticket: DecideTicket, members: string): void
  forgetPersons(project: ProjectId, distinctIds: readonly string[]): Promise<void> | void
  close(): Promise<void>
}

export type DecidePlace = {
  readonly projectId: ProjectId
  readonly revision: Revision
  readonly distinctId: string
  /** Text of everything else that was asked. */
  readonly question: string
}

declare const ticket: unique symbol
/** Opaque; made and read by one implementation. */
export type DecideTicket = number & { readonly [ticket]: true }
