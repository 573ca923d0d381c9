/** Share of places that one of several may take while the others want some too. */

/**
 * True when a further place leaves as many to all others as one has then: at most half of what the
 * others have not taken. The first place of each is free while there is any.
 */
export function mayTakePlace(places: {
  readonly own: number
  /** Places in use, including own ones. */
  readonly all: number
  readonly max: number
}): boolean {
  const { own, all, max } = places
  if (all >= max) return false
  return own === 0 || 2 * (own + 1) <= max - (all - own)
}
