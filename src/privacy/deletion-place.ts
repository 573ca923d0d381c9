/** Progress of a deletion, and the events it has found. */

/** Position at which a walk resumes: the key of the last row that it has seen, as texts. */
export type Place = readonly string[]

/** An event that goes; `day` is `YYYY-MM-DD`. */
export type FoundKey = { readonly day: string; readonly uuid: string; readonly event: string }

export type FoundKeys = {
  /** Keys in the order of the walk. */
  readonly keys: readonly (FoundKey & { readonly place: Place })[]
  /** Position after all of them; undefined when the walk is over. */
  readonly place: Place | undefined
}

export type FindWalk = {
  /** Events that were stored later stay. */
  readonly startedAt: string
  readonly place: Place | undefined
  /** Keys at most. */
  readonly rows: number
  readonly signal: AbortSignal
}
