/** Draws the rooms in `docs/ARCHITECTURE.md`: a diagram of their imports, and a table. */
import { type Graph, reduced } from './graph.ts'
import { roomGraph, roomImports, roomLines } from './room-imports.ts'
import { ROOMS } from './rooms.ts'
import type { Tree } from './tree.ts'

export const ARCHITECTURE = 'docs/ARCHITECTURE.md'

const BEGIN = '<!-- rooms: made by npm run gen -->'
const END = '<!-- end of rooms -->'

/**
 * A shown size with a smaller error than this share is kept: the table shows orders of magnitude.
 */
const DRIFT_MAX = 0.25

/** The processes in which a room runs, and the colours of its border in the diagram. */
const SIDES = {
  both: '#8264c8',
  gateway: '#2f8f52',
  worker: '#2f72c4',
  command: '#b27a17',
} as const
type Side = keyof typeof SIDES

/** The document with the rooms as they are. */
export function roomsPicture(tree: Tree): string {
  const document = tree.repository.text(ARCHITECTURE)
  const lines = shownLines(document, roomLines(tree))
  return withRooms(document, roomGraph(roomImports(tree)), lines)
}

/**
 * Puts the diagram and the table of the rooms between their marks.
 * @throws when a mark is missing.
 */
export function withRooms(
  document: string,
  graph: Graph,
  linesOf: ReadonlyMap<string, number>,
): string {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END)
  if (begin === -1 || end < begin) throw new Error(`no "${BEGIN}" before "${END}"`)
  const rows = ROOMS.toReversed().map(({ name, path, purpose, uses }) => {
    const lines = (linesOf.get(name) ?? 0).toLocaleString('en')
    return `| \`${path}/\` | ${purpose} | ${uses.join(', ')} | ${lines} |`
  })
  const made = [
    BEGIN,
    ...diagram(graph),
    '',
    '| Room | What it is for | May use | Lines |',
    '| --- | --- | --- | ---: |',
    ...rows,
  ]
  return `${document.slice(0, begin)}${made.join('\n')}\n${document.slice(end)}`
}

/** A Mermaid diagram, without arrows that a longer path replaces. */
function diagram(graph: Graph): readonly string[] {
  const arrows = [...reduced(graph)].filter(([, uses]) => uses.size > 0).toReversed()
  const sideOf = sidesOf(graph)
  const members = (side: Side) => [...graph.keys()].filter((name) => sideOf(name) === side)
  return [
    '```mermaid',
    'flowchart TD',
    ...arrows.map(([name, uses]) => `  ${name} --> ${[...uses].join(' & ')}`),
    ...Object.entries(SIDES).map(([side, stroke]) => `  classDef ${side} stroke:${stroke}`),
    ...(Object.keys(SIDES) as Side[]).map((side) => `  class ${members(side).join(',')} ${side}`),
    '```',
  ]
}

/**
 * A room that a gateway reaches runs in both processes. A room that reaches both sides starts them.
 * The page that a gateway serves counts as its own.
 */
function sidesOf(graph: Graph): (name: string) => Side {
  const below = (name: string): ReadonlySet<string> => {
    const found = new Set<string>()
    const visit = (node: string): void => {
      for (const use of graph.get(node) ?? []) {
        if (!found.has(use)) {
          found.add(use)
          visit(use)
        }
      }
    }
    visit(name)
    return found
  }
  const shared = below('gateway')
  return (name) => {
    if (/^gateway/.test(ROOMS.find((room) => room.name === name)?.path ?? '')) return 'gateway'
    if (shared.has(name)) return 'both'
    return below(name).has('gateway') ? 'command' : 'worker'
  }
}

/**
 * The sizes to show: the document's own while they are about right, so that a small change changes
 * no picture; otherwise the real ones with two figures.
 */
export function shownLines(
  document: string,
  linesOf: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const said = new Map<string, number>()
  for (const [, path, lines] of document.matchAll(/^\| `([\w/-]+)\/` \|.*\| ([\d,]+) \|$/gm)) {
    const room = ROOMS.find((room) => room.path === path)
    if (room !== undefined) said.set(room.name, Number(lines?.replaceAll(',', '')))
  }
  return new Map(
    [...linesOf].map(([name, lines]) => {
      const kept = said.get(name)
      const isRight = kept !== undefined && Math.abs(kept - lines) <= DRIFT_MAX * lines
      return [name, isRight ? kept : Number(lines.toPrecision(2))]
    }),
  )
}
