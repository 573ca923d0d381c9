/** The local time of a zone, as data: a store need not know the zone, nor agree about its history. */

/**
 * Seconds that local time is ahead of UTC: `first`, and from each change on another number.
 * Changes are ascending, ms since the epoch.
 */
export type LocalTime = {
  /** Weeks begin on Sunday; without it on Monday. */
  readonly weekStartDay?: 0
  readonly first: number
  readonly changes: readonly { readonly ms: number; readonly seconds: number }[]
}

/** A number of seconds for each part of time: one more than there are bounds, in ms. */
export type OffsetSteps = {
  readonly boundsMs: readonly number[]
  readonly seconds: readonly number[]
}

/** Offsets by instants, in ms since the epoch. */
export function offsetsOfInstants({ first, changes }: LocalTime): OffsetSteps {
  return {
    boundsMs: changes.map(({ ms }) => ms),
    seconds: [first, ...changes.map(({ seconds }) => seconds)],
  }
}

/**
 * Offsets by wall clock time, in ms of a UTC clock that shows the same time. A time that occurs
 * twice means its first occurrence; one that is skipped is moved past the change by the same
 * amount.
 */
export function offsetsOfWalls(local: LocalTime): OffsetSteps {
  const { boundsMs, seconds } = offsetsOfInstants(local)
  return {
    seconds,
    boundsMs: boundsMs.map(
      (ms, place) => ms + 1_000 * Math.max(seconds[place] ?? 0, seconds[place + 1] ?? 0),
    ),
  }
}
