/** Draws the rooms and their imports as SVG. */
import { type Graph, reduced } from './graph.ts'
import { type Layers, layersOf } from './layers.ts'
import { type Places, placesOf } from './places.ts'
import { ROOMS, type Room } from './rooms.ts'

const BOX = { width: 240, height: 88 }
const SIZES = { node: BOX.width, pass: 8, gap: 22 }
const FLOOR_GAP = 54
const MARGIN = 20
const LEGEND_HEIGHT = 34
const PORT_GAP = 26
const LINE_LETTERS_MAX = 30
const SAID_LINES_MAX = 2

/** The processes in which a room runs, which decide the colour of its box. */
const SIDES = {
  both: 'runs in gateways and workers',
  gateway: 'runs in gateways',
  worker: 'runs in workers',
  command: 'starts them, or measures them',
} as const
type Side = keyof typeof SIDES

const STYLE = `
  text { font-family: system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif; fill: #1f2328; }
  .name { font-size: 17px; font-weight: 600; }
  .size { font-size: 12px; text-anchor: end; fill: #57606a; }
  .says { font-size: 13px; fill: #424a53; }
  .legend { font-size: 13px; fill: #424a53; }
  rect { stroke-width: 1.5; }
  .both { fill: #f3f0fa; stroke: #8264c8; }
  .gateway { fill: #e8f6ec; stroke: #2f8f52; }
  .worker { fill: #eaf3fd; stroke: #2f72c4; }
  .command { fill: #fdf4e3; stroke: #b27a17; }
  path { fill: none; stroke: #8c959f; stroke-width: 1.5; }
  #head path { fill: #8c959f; stroke: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .size { fill: #9198a1; }
    .says, .legend { fill: #c4ccd4; }
    .both { fill: #241f36; stroke: #a288e3; }
    .gateway { fill: #14291c; stroke: #4fb878; }
    .worker { fill: #14243a; stroke: #5a9ee8; }
    .command { fill: #2e2410; stroke: #d6a23f; }
    path { stroke: #768390; }
    #head path { fill: #768390; }
  }
`

/**
 * The picture of the rooms: one row for each floor, and arrows to the rooms that a room uses. An
 * arrow that a longer path replaces is left out.
 * @param linesOf the lines of each room as shown.
 */
export function roomsSvg(graph: Graph, linesOf: ReadonlyMap<string, number>): string {
  const layers = layersOf(graph, reduced(graph))
  const places = placesOf(layers, SIZES)
  const width = places.width + 2 * MARGIN
  const floors = layers.floors.length
  const height = floors * BOX.height + (floors - 1) * FLOOR_GAP + 2 * MARGIN + LEGEND_HEIGHT
  const sides = sidesOf(graph)
  const boxes = layers.floors.flatMap((floor, row) =>
    floor.flatMap(({ id }) => {
      const room = ROOMS.find(({ name }) => name === id)
      if (room === undefined) return []
      const left = MARGIN + (places.middles.get(id) ?? 0) - BOX.width / 2
      return box(room, linesOf.get(id) ?? 0, sides(id), left, topOf(row))
    }),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    '<title id="title">The rooms of the source: each uses those that its arrows lead down to, and what those use.</title>',
    `<style>${STYLE}</style>`,
    '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M 0 1 L 9 5 L 0 9 z"/></marker></defs>',
    ...arrows(layers, places),
    ...boxes,
    ...legend(height - MARGIN),
    '</svg>',
    '',
  ].join('\n')
}

function topOf(row: number): number {
  return MARGIN + row * (BOX.height + FLOOR_GAP)
}

/**
 * A room that a gateway reaches runs in both processes. A room that reaches both sides starts them.
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
    if (name === 'gateway') return 'gateway'
    if (shared.has(name)) return 'both'
    return below(name).has('gateway') ? 'command' : 'worker'
  }
}

function box({ name, purpose }: Room, lines: number, side: Side, left: number, top: number) {
  const right = left + BOX.width - 12
  return [
    `<rect class="${side}" x="${left}" y="${top}" width="${BOX.width}" height="${BOX.height}" rx="9"/>`,
    `<text class="name" x="${left + 14}" y="${top + 27}">${name}</text>`,
    `<text class="size" x="${right}" y="${top + 26}">${lines.toLocaleString('en')} lines</text>`,
    ...wrapped(purpose).map(
      (text, index) =>
        `<text class="says" x="${left + 14}" y="${top + 52 + 19 * index}">${escaped(text)}</text>`,
    ),
  ]
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= LINE_LETTERS_MAX)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  if (lines.length > SAID_LINES_MAX) throw new Error(`"${text}" is too long for its box`)
  return lines
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Arrows leave and reach a box side by side, ordered by their other ends. */
function arrows({ floors, steps }: Layers, { middles }: Places): readonly string[] {
  const middle = (id: string) => middles.get(id) ?? 0
  const byMiddle = (a: string, b: string) => middle(a) - middle(b)
  const port = (at: string, others: readonly string[], other: string) => {
    const index = others.toSorted(byMiddle).indexOf(other)
    return MARGIN + middle(at) + (index - (others.length - 1) / 2) * PORT_GAP
  }
  const passes = new Set(
    floors.flatMap((floor) => floor.filter(({ kind }) => kind === 'pass').map(({ id }) => id)),
  )
  const rowOf = (id: string) => floors.findIndex((floor) => floor.some((place) => place.id === id))
  return steps.map(({ from, to }) => {
    const below = steps.filter((step) => step.from === from).map((step) => step.to)
    const above = steps.filter((step) => step.to === to).map((step) => step.from)
    const x1 = passes.has(from) ? MARGIN + middle(from) : port(from, below, to)
    const x2 = passes.has(to) ? MARGIN + middle(to) : port(to, above, from)
    const y1 = topOf(rowOf(from)) + BOX.height
    const y2 = topOf(rowOf(to))
    const bend = FLOOR_GAP * 0.55
    const curve = `M ${x1} ${y1} C ${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`
    return passes.has(to)
      ? `<path d="${curve} V ${y2 + BOX.height}"/>`
      : `<path d="${curve}" marker-end="url(#head)"/>`
  })
}

function legend(bottom: number): readonly string[] {
  let left = MARGIN
  return Object.entries(SIDES).flatMap(([side, text]) => {
    const at = left
    left += 48 + text.length * 7
    return [
      `<rect class="${side}" x="${at}" y="${bottom - 14}" width="18" height="14" rx="3"/>`,
      `<text class="legend" x="${at + 26}" y="${bottom - 2}">${text}</text>`,
    ]
  })
}
