/** Selects instead of sorting when fewer than one item in this many is wanted. */
const FEW_OF = 16

/**
 * The first `limit` items in the order of `compare`, of many: the others are not put in order. Items
 * that are equal stay in their order.
 */
export function firstOf<T>(
  items: Iterable<T>,
  limit: number,
  compare: (one: T, other: T) => number,
): T[] {
  const all = [...items]
  if (limit * FEW_OF >= all.length) return all.sort(compare).slice(0, limit)
  const first: T[] = []
  for (const item of all) {
    const last = first[limit - 1]
    if (last !== undefined && compare(item, last) >= 0) continue
    let [low, high] = [0, first.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const there = first[middle]
      if (there !== undefined && compare(item, there) < 0) high = middle
      else low = middle + 1
    }
    first.splice(low, 0, item)
    if (first.length > limit) first.pop()
  }
  return first
}
