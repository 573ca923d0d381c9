/** Random numbers that follow from one seed. Every random choice of a run is made here. */
export type Random = {
  /** In [0, 1). */
  next(): number
  /** 0 to 4,294,967,295. */
  bits(): number
  /** 0 to `below` - 1. */
  integer(below: number): number
  between(from: number, to: number): number
  chance(share: number): boolean
  /** @throws {RangeError} when the list is empty. */
  pick<T>(items: readonly T[]): T
}

/** Mulberry32: 32 bits of state, which is enough for the choices of one run. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) | 0

  const bits = () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const next = () => bits() / 0x1_0000_0000
  const integer = (below: number) => Math.floor(next() * below)

  return {
    next,
    bits,
    integer,
    between: (from, to) => from + next() * (to - from),
    chance: (share) => share > 0 && next() < share,
    pick(items) {
      const found = items[integer(items.length)]
      if (found === undefined) throw new RangeError('nothing to pick from')
      return found
    },
  }
}
