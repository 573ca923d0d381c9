/** The imports between rooms. */
import type { Graph } from './graph.ts'
import { ROOMS, roomOf } from './rooms.ts'
import type { Tree } from './tree.ts'

/** One file that refers to a file outside its room. */
export type RoomImport = {
  readonly from: string
  /** `undefined` when the file is in no room. */
  readonly to: string | undefined
  readonly path: string
  readonly target: string
}

export function roomImports(tree: Tree): readonly RoomImport[] {
  return tree.sources.flatMap((path) => {
    const room = roomOf(path)
    if (room === undefined) return []
    return tree.importsOf(path).flatMap(({ target }) => {
      const to = roomOf(target)
      return to === room ? [] : [{ from: room.name, to: to?.name, path, target }]
    })
  })
}

/** The rooms that each room uses, by the imports. */
export function roomGraph(imports: readonly RoomImport[]): Graph {
  const graph = new Map<string, Set<string>>(ROOMS.map(({ name }) => [name, new Set()]))
  for (const { from, to } of imports) if (to !== undefined) graph.get(from)?.add(to)
  return graph
}

/** Lines of each room's sources. Generated files do not count; the contract's own do. */
export function roomLines({ repository }: Tree): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(ROOMS.map(({ name }) => [name, 0]))
  for (const path of repository.paths) {
    const room = roomOf(path)
    if (room === undefined || !isCounted(path)) continue
    const lines = repository.text(path).trimEnd().split('\n').length
    counts.set(room.name, (counts.get(room.name) ?? 0) + lines)
  }
  return counts
}

function isCounted(path: string): boolean {
  return /\.(?:tsx?|proto)$/.test(path) && !/^(?:proto\/(?!sluice\/)|gateway\/client\/)/.test(path)
}
