/** Sets the horizontal positions of a layered picture. */
import type { Layers } from './layers.ts'

/** The middle of each place, measured from the left edge, and the width of the picture. */
export type Places = { readonly middles: ReadonlyMap<string, number>; readonly width: number }

export type PlaceSizes = { readonly node: number; readonly pass: number; readonly gap: number }

const ROUNDS = 60

/**
 * Chooses the positions of places: in the order of their floor, with a gap, as near as possible to
 * the middle of the places that they are joined to.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: rounds over floors in both directions
export function placesOf({ floors, steps }: Layers, sizes: PlaceSizes): Places {
  const middles = new Map<string, number>()
  const apart = (a: 'node' | 'pass', b: 'node' | 'pass') => (sizes[a] + sizes[b]) / 2 + sizes.gap
  for (const floor of floors) {
    let x = 0
    for (const [index, { id, kind }] of floor.entries()) {
      const before = floor[index - 1]
      if (before !== undefined) x += apart(before.kind, kind)
      middles.set(id, x)
    }
    // At the start every floor is centred.
    for (const { id } of floor) middles.set(id, (middles.get(id) ?? 0) - x / 2)
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const floor of round % 2 === 0 ? floors : floors.toReversed()) {
      const offsets: number[] = []
      for (const [index, { kind }] of floor.entries()) {
        const before = floor[index - 1]
        offsets.push((offsets.at(-1) ?? 0) + (before === undefined ? 0 : apart(before.kind, kind)))
      }
      const wanted = floor.map(
        ({ id }, index) => meanOf(id, steps, middles) - (offsets[index] ?? 0),
      )
      for (const [index, start] of rising(wanted).entries()) {
        const place = floor[index]
        if (place !== undefined) middles.set(place.id, start + (offsets[index] ?? 0))
      }
    }
  }
  return fromTheLeft(floors, sizes, middles)
}

function meanOf(id: string, steps: Layers['steps'], middles: ReadonlyMap<string, number>): number {
  const joined = steps.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : []))
  if (joined.length === 0) return middles.get(id) ?? 0
  return joined.reduce((sum, other) => sum + (middles.get(other) ?? 0), 0) / joined.length
}

/** The rising numbers that are nearest to the wanted ones (pool adjacent violators). */
function rising(wanted: readonly number[]): readonly number[] {
  const pools: { sum: number; count: number }[] = []
  for (const value of wanted) {
    let pool = { sum: value, count: 1 }
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.count <= pool.sum / pool.count) break
      pools.pop()
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
}

function fromTheLeft(
  floors: Layers['floors'],
  sizes: PlaceSizes,
  middles: ReadonlyMap<string, number>,
): Places {
  const edges = floors.flat().map(({ id, kind }) => {
    const middle = middles.get(id) ?? 0
    return { id, left: middle - sizes[kind] / 2, middle, right: middle + sizes[kind] / 2 }
  })
  const left = Math.min(...edges.map((edge) => edge.left))
  const right = Math.max(...edges.map((edge) => edge.right))
  return {
    middles: new Map(edges.map(({ id, middle }) => [id, Math.round(middle - left)])),
    width: Math.ceil(right - left),
  }
}
