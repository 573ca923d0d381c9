/** Chance that is the same at every run: numbers that follow from a text. */
import { createHash } from 'node:crypto'

export type Some<Item> = readonly [Item, ...Item[]]

export type Random = {
  /** In [0, 1). */
  next(): number
  /** True with this probability, 0 to 1. */
  chance(share: number): boolean
  /** A whole number in [0, `bound`). */
  below(bound: number): number
  pick<Item>(items: Some<Item>): Item
  /** An item by its share of the sum of all shares. */
  weighted<Item extends { readonly share: number }>(items: Some<Item>): Item
}

/** @param text another one gives other numbers. */
export function randomOf(text: string): Random {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0)
  // Mulberry32: 32 bits of state, seeded by the text.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)] ?? items[0],
    weighted: (items) => {
      let left = next() * items.reduce((all, { share }) => all + share, 0)
      for (const item of items) {
        left -= item.share
        if (left < 0) return item
      }
      return items[0]
    },
  }
}

/**
 * Distributes `total` over places by their weights, in whole numbers. The largest remainders are
 * rounded up, the first place first.
 */
export function shared(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const exact = weights.map((weight) => (total * weight) / sum)
  const parts = exact.map(Math.floor)
  const rest = total - parts.reduce((all, part) => all + part, 0)
  const order = exact
    .map((value, at) => ({ at, remainder: value - Math.floor(value) }))
    .sort((one, other) => other.remainder - one.remainder || one.at - other.at)
  for (const { at } of order.slice(0, rest)) parts[at] = (parts[at] ?? 0) + 1
  return parts
}
