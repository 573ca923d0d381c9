/** Lays a graph out in floors, for the picture of the rooms. */
import { floorsOf, type Graph } from './graph.ts'

/**
 * A place in a layered picture: a node of the graph, or a point where an arrow passes a floor. All
 * long arrows to one node share their points, so that they run together.
 */
export type Place = { readonly id: string; readonly kind: 'node' | 'pass' }
/** An arrow from one floor to the next one below. */
export type Step = { readonly from: string; readonly to: string }
export type Layers = {
  /** The highest floor first, and each floor from left to right. */
  readonly floors: readonly (readonly Place[])[]
  readonly steps: readonly Step[]
}

const SWEEPS = 24

/**
 * Puts each node on its floor, and orders the floors so that few arrows cross (Sugiyama's method:
 * the mean of the neighbours, floor by floor, up and down). The same graph gives the same picture.
 */
export function layersOf(graph: Graph, arrows: Graph): Layers {
  const floorOf = floorsOf(graph)
  const height = Math.max(...floorOf.values())
  const floors: Place[][] = Array.from({ length: height + 1 }, () => [])
  const rowOf = (node: string) => height - (floorOf.get(node) ?? 0)
  for (const node of graph.keys()) floors[rowOf(node)]?.push({ id: node, kind: 'node' })
  const steps = new Map<string, Step>()
  for (const [node, uses] of arrows) {
    for (const use of uses) {
      let from = node
      for (let row = rowOf(node) + 1; row <= rowOf(use); row++) {
        const isPass = row < rowOf(use)
        const to = isPass ? `${use} at ${row}` : use
        const floor = floors[row]
        if (isPass && !floor?.some(({ id }) => id === to)) floor?.push({ id: to, kind: 'pass' })
        steps.set(`${from} > ${to}`, { from, to })
        from = to
      }
    }
  }
  return ordered({ floors, steps: [...steps.values()] })
}

function ordered(layers: Layers): Layers {
  let best = layers
  let current = layers
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    current = swept(current, sweep % 2 === 0 ? 'down' : 'up')
    if (crossings(current) < crossings(best)) best = current
  }
  return best
}

/** Orders each floor by the positions of the neighbours on the previous floor. */
function swept({ floors, steps }: Layers, way: 'down' | 'up'): Layers {
  const next = floors.map((floor) => [...floor])
  const rows = [...next.keys()]
  if (way === 'up') rows.reverse()
  for (const row of rows) {
    const before = next[way === 'down' ? row - 1 : row + 1]
    const floor = next[row]
    if (before === undefined || floor === undefined) continue
    const indexOf = new Map(before.map(({ id }, index) => [id, index / before.length]))
    const wanted = new Map(
      floor.map(({ id }, index) => {
        const places = steps.flatMap(({ from, to }) => {
          const [here, there] = way === 'down' ? [to, from] : [from, to]
          const place = here === id ? indexOf.get(there) : undefined
          return place === undefined ? [] : [place]
        })
        const sum = places.reduce((total, place) => total + place, 0)
        return [id, places.length === 0 ? index / floor.length : sum / places.length]
      }),
    )
    floor.sort((a, b) => (wanted.get(a.id) ?? 0) - (wanted.get(b.id) ?? 0))
  }
  return { floors: next, steps }
}

/** How many pairs of arrows between two floors cross. */
export function crossings({ floors, steps }: Layers): number {
  const indexOf = new Map<string, number>()
  const rowOf = new Map<string, number>()
  for (const [row, floor] of floors.entries())
    for (const [index, { id }] of floor.entries()) {
      indexOf.set(id, index)
      rowOf.set(id, row)
    }
  const at = (id: string) => indexOf.get(id) ?? 0
  let count = 0
  for (const [index, a] of steps.entries())
    for (const b of steps.slice(index + 1))
      if (rowOf.get(a.from) === rowOf.get(b.from))
        if ((at(a.from) - at(b.from)) * (at(a.to) - at(b.to)) < 0) count++
  return count
}
