import type { ProjectId, Revision } from '../../src/core/ids.ts'

/**
 * Answers of decide, under (project, revision, distinct id, whole question). An answer is wrong
 * when the project's revision moved (then it is never looked up again) or when stored data of the
 * person changed: the worker tells `forgetPersons` before it acknowledges such a change. A cache
 * that cannot be told keeps only answers that read nothing stored (`keepsStored` is false).
 */
export type DecideCache = {
  readonly keepsStored: boolean
  /** Never rejects: what cannot be looked up is not there. */
  look(place: DecidePlace): Looked | Promise<Looked>
  /**
   * Keeps the answer unless the person was forgotten since the ticket was taken: it may have been
   * computed from what the person was before. Nobody needs to wait for it; never rejects.
   */
  put(place: DecidePlace, ticket: DecideTicket, answer: KeptAnswer): Promise<void> | void
  /** @throws {AppError} `unavailable` when nobody knows whether all of them were forgotten. */
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

export type KeptAnswer = {
  readonly members: string
  /** False when nothing but the project's revision can make it wrong. */
  readonly dependsOnStored: boolean
}

export type Looked = {
  /** `undefined` when it must be asked. */
  readonly members: string | undefined
  /** Of `members`; true when the cache does not know. */
  readonly dependsOnStored: boolean
  /** For `put` of an answer that is computed from now on. */
  readonly ticket: DecideTicket
}

/** What was so when an answer was looked for. Each cache reads its own part. */
export type DecideTicket = {
  /** Count of changes that a cache in this process had heard of. */
  readonly heard: number
  readonly shared: SharedTicket | undefined
}

/** Of a cache that processes share; `undefined` in its place: the answer is not kept there. */
export type SharedTicket = {
  /** Names the server's run and the time in which all changes were deleted from it. */
  readonly era: string
  /** Names the time since the person was last forgotten; `undefined` when it was not asked for. */
  readonly nonce: string | undefined
}
