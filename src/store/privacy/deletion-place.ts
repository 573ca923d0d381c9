/** Where a deletion is, and what it has found. */

/** Where a walk goes on: the key of the last row that it has seen, as texts. */
export type Place = readonly string[]

/** An event that goes; `day` is `YYYY-MM-DD`. */
export type FoundKey = { readonly day: string; readonly uuid: string; readonly event: string }

export type FoundKeys = {
  readonly keys: readonly FoundKey[]
  /** Where the walk goes on; undefined when it is over. */
  readonly place: Place | undefined
}

export type FindWalk = {
  /** Events that were stored later stay. */
  readonly startedAt: string
  readonly place: Place | undefined
  /** A whole chunk is divided by it. */
  readonly share: number
  readonly signal: AbortSignal
}
