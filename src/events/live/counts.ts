/** Counts the places that each owner has taken; owners without any are forgotten. */

export type Counts<Owner> = {
  of(owner: Owner): number
  /** @returns a function that gives the place back. */
  take(owner: Owner): () => void
}

export function createCounts<Owner>(): Counts<Owner> {
  const taken = new Map<Owner, number>()
  const of = (owner: Owner) => taken.get(owner) ?? 0
  return {
    of,
    take(owner) {
      taken.set(owner, of(owner) + 1)
      return () => {
        const left = of(owner) - 1
        if (left === 0) taken.delete(owner)
        else taken.set(owner, left)
      }
    },
  }
}
