import type { ProjectId, Revision } from '../../src/core/ids.ts'

/**
 * Answers of decide, under (project, revision, distinct id, whole question). An answer is wrong
 * when the project's revision moved (then it is never looked up again) or when stored data of the
 * person changed: the worker tells `forgetPersons` before it acknowledges such a change. A cache
 * that cannot be told keeps only answers that read nothing stored (`keepsStored` is false).
 */
export type DecideCache = {
  readonly keepsStored: boolean
  /** Never rejects: a failed look-up is a miss. */
  look(place: DecidePlace): Looked | Promise<Looked>
  /**
   * Keeps the answer unless the person was forgotten since the ticket was taken: the answer may
   * have been computed from older data. Callers need not wait; never rejects.
   */
  put(place: DecidePlace, ticket: DecideTicket, answer: CachedAnswer): Promise<void> | void
  /** @throws {AppError} `unavailable` when some of them may not have been forgotten. */
  forgetPersons(project: ProjectId, distinctIds: readonly string[]): Promise<void> | void
  close(): Promise<void>
}

export type DecidePlace = {
  readonly projectId: ProjectId
  readonly revision: Revision
  readonly distinctId: string
  /** Text of the rest of the question. */
  readonly question: string
}

export type CachedAnswer = {
  readonly members: string
  /** False when nothing but the project's revision can make it wrong. */
  readonly dependsOnStored: boolean
}

export type Looked = {
  /** `undefined` when a worker must be asked. */
  readonly members: string | undefined
  /** Whether `members` depend on stored data; true when the cache does not know. */
  readonly dependsOnStored: boolean
  /** For `put` of an answer that is computed from now on. */
  readonly ticket: DecideTicket
}

/** State at the time of a look. Each cache reads its own part. */
export type DecideTicket = {
  /** Number of changes that a cache in this process had been told of. */
  readonly heard: number
  readonly shared: SharedTicket | undefined
}

/** Ticket of the shared cache; without one the answer is not kept there. */
export type SharedTicket = {
  /** Names the server's run and the workers' cache generation. */
  readonly era: string
  /** Changes whenever the person is forgotten; `undefined` when it was not read. */
  readonly nonce: string | undefined
}
