/** Layout of paths: positions of the items and links. */
import { labelOf } from '../../../src/core/charts/label.ts'

export type Edge = {
  /** `1_/`: the step from 1, and the item. */
  readonly source: string
  readonly target: string
  readonly value: number
}

export type PathNode = {
  readonly key: string
  readonly label: string
  /** From 0. */
  readonly column: number
  readonly value: number
  readonly y: number
  readonly height: number
}

export type PathLink<E extends Edge> = {
  readonly edge: E
  readonly from: PathNode
  readonly to: PathNode
  /** Middles of both ends, and the thickness. */
  readonly y0: number
  readonly y1: number
  readonly width: number
}

/** Room for the name above each item. */
const GAP = 24
const NODE_PX_MIN = 4
/** Height of all items of a column together. */
const FLOW_PX_MIN = 160

export function nameOfItem(key: string): string {
  return labelOf(key.slice(key.indexOf('_') + 1))
}

function columnOf(key: string): number {
  return Math.max(0, Number.parseInt(key, 10) - 1) || 0
}

/** Lays out the items of a step in a column, the most frequent on top; heights show counts. */
export function layoutOf<E extends Edge>(
  edges: readonly E[],
  height: number,
): {
  readonly nodes: readonly PathNode[]
  readonly links: readonly PathLink<E>[]
  readonly columns: number
} {
  const values = valuesOf(edges)
  const keys = [...values.keys()].sort(
    (one, other) => (values.get(other) ?? 0) - (values.get(one) ?? 0),
  )
  const columns = Math.max(0, ...keys.map((key) => columnOf(key) + 1))
  const inColumn = Array.from({ length: columns }, (_, at) =>
    keys.filter((key) => columnOf(key) === at),
  )
  const most = Math.max(0, ...inColumn.map(({ length }) => length))
  const room = Math.max(height, GAP * most + FLOW_PX_MIN)
  const scale = Math.min(
    ...inColumn.map((column) => {
      const total = column.reduce((sum, key) => sum + (values.get(key) ?? 0), 0)
      return (room - GAP * column.length) / Math.max(1, total)
    }),
  )
  const nodes = new Map<string, PathNode>()
  for (const [at, column] of inColumn.entries()) {
    let y = GAP - 4
    for (const key of column) {
      const value = values.get(key) ?? 0
      const node = {
        key,
        label: nameOfItem(key),
        column: at,
        value,
        y,
        height: Math.max(NODE_PX_MIN, value * scale),
      }
      nodes.set(key, node)
      y += node.height + GAP
    }
  }
  return { nodes: [...nodes.values()], links: linksOf(edges, nodes, scale), columns }
}

/** Size of each item: the larger of its incoming and outgoing counts. */
function valuesOf(edges: readonly Edge[]): Map<string, number> {
  const incoming = new Map<string, number>()
  const outgoing = new Map<string, number>()
  for (const { source, target, value } of edges) {
    outgoing.set(source, (outgoing.get(source) ?? 0) + value)
    incoming.set(target, (incoming.get(target) ?? 0) + value)
  }
  const keys = new Set([...outgoing.keys(), ...incoming.keys()])
  return new Map(
    [...keys].map((key) => [key, Math.max(incoming.get(key) ?? 0, outgoing.get(key) ?? 0)]),
  )
}

function linksOf<E extends Edge>(
  edges: readonly E[],
  nodes: ReadonlyMap<string, PathNode>,
  scale: number,
): readonly PathLink<E>[] {
  const middleOf = (key: string) => {
    const node = nodes.get(key)
    return node === undefined ? 0 : node.y + node.height / 2
  }
  // Ends of an item in the order of the other ends, so that links cross as little as they can.
  const outgoing = placed(edges, 'source', nodes, scale, ({ target }) => middleOf(target))
  const incoming = placed(edges, 'target', nodes, scale, ({ source }) => middleOf(source))
  return edges.flatMap((edge) => {
    const from = nodes.get(edge.source)
    const to = nodes.get(edge.target)
    if (from === undefined || to === undefined) return []
    const width = widthOf(edge, scale)
    return [{ edge, from, to, width, y0: outgoing.get(edge) ?? 0, y1: incoming.get(edge) ?? 0 }]
  })
}

function widthOf({ value }: Edge, scale: number): number {
  return Math.max(1, value * scale)
}

/** Middle of the end of each link at one side, ends below each other. */
function placed<E extends Edge>(
  edges: readonly E[],
  side: 'source' | 'target',
  nodes: ReadonlyMap<string, PathNode>,
  scale: number,
  orderOf: (edge: E) => number,
): ReadonlyMap<E, number> {
  const used = new Map<string, number>()
  const sorted = [...edges].sort((one, other) => orderOf(one) - orderOf(other))
  return new Map(
    sorted.map((edge) => {
      const before = used.get(edge[side]) ?? 0
      const width = widthOf(edge, scale)
      used.set(edge[side], before + width)
      return [edge, (nodes.get(edge[side])?.y ?? 0) + before + width / 2]
    }),
  )
}
