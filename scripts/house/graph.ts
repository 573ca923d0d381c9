/** Edges from each node to those that it uses. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The circles of a graph: each is a set of nodes that reach one another (Tarjan's strongly
 * connected components), sorted, those of one node only when it uses itself.
 */
export function circlesOf(graph: Graph): readonly (readonly string[])[] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const visit = (node: string): number => {
    const number = order.size
    order.set(node, number)
    open.push(node)
    isOpen.add(node)
    let low = number
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (isOpen.has(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === number) {
      const members = open.splice(open.indexOf(node))
      for (const member of members) isOpen.delete(member)
      if (members.length > 1 || graph.get(node)?.has(node)) found.push(members.toSorted())
    }
    return low
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return found.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

/** The graph without arrows that a longer path replaces. It must have no circle. */
export function reduced(graph: Graph): Graph {
  const below = reachable(graph)
  return new Map(
    [...graph].map(([node, uses]) => {
      const others = [...uses].filter((use) => use !== node)
      const isShort = (use: string) =>
        !others.some((other) => other !== use && below.get(other)?.has(use))
      return [node, new Set(others.filter(isShort))]
    }),
  )
}

/** All nodes that each node reaches, without itself. The graph must have no circle. */
function reachable(graph: Graph): Graph {
  const known = new Map<string, ReadonlySet<string>>()
  const visit = (node: string): ReadonlySet<string> => {
    const kept = known.get(node)
    if (kept !== undefined) return kept
    const found = new Set<string>()
    for (const next of graph.get(node) ?? []) {
      if (next === node) continue
      found.add(next)
      for (const far of visit(next)) found.add(far)
    }
    known.set(node, found)
    return found
  }
  for (const node of graph.keys()) visit(node)
  return known
}

/**
 * A graph for each folder: of the files and folders directly in it. An import belongs to the
 * deepest folder that holds both files.
 */
export function folderGraphs(files: Graph): ReadonlyMap<string, Graph> {
  const found = new Map<string, Map<string, Set<string>>>()
  for (const [path, targets] of files) {
    for (const target of targets) {
      const from = path.split('/')
      const to = target.split('/')
      let depth = 0
      while (from[depth] === to[depth] && depth < from.length) depth += 1
      if (depth === from.length) continue
      const folder = from.slice(0, depth).join('/')
      const graph = found.get(folder) ?? new Map<string, Set<string>>()
      found.set(folder, graph)
      const part = from.slice(0, depth + 1).join('/')
      const uses = graph.get(part) ?? new Set<string>()
      graph.set(part, uses.add(to.slice(0, depth + 1).join('/')))
    }
  }
  return found
}
