/** Layout of paths: positions of the items and links. */
import { labelOf } from '../kit/names/label.ts'

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

const GAP = 14
const NODE_PX_MIN = 4

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
  const scale = Math.min(
    ...inColumn.map((column) => {
      const total = column.reduce((sum, key) => sum + (values.get(key) ?? 0), 0)
      return (height - GAP * column.length) / Math.max(1, total)
    }),
  )
  const nodes = new Map<string, PathNode>()
  for (const [at, column] of inColumn.entries()) {
    let y = 0
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
  const used = new Map<string, number>()
  const place = (side: string, node: PathNode, width: number) => {
    const before = used.get(side + node.key) ?? 0
    used.set(side + node.key, before + width)
    return node.y + before + width / 2
  }
  return edges.flatMap((edge) => {
    const from = nodes.get(edge.source)
    const to = nodes.get(edge.target)
    if (from === undefined || to === undefined) return []
    const width = Math.max(1, edge.value * scale)
    return [{ edge, from, to, width, y0: place('out ', from, width), y1: place('in ', to, width) }]
  })
}
