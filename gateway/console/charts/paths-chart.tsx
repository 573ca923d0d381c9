import { useState } from 'preact/hooks'
import { formatNumber } from '../data/format.ts'
import { Button } from '../kit/button.tsx'
import { later } from '../kit/later.tsx'
import { type Edge, layoutOf, type PathLink, type PathNode } from './paths-layout.ts'
import { useWidth } from './use-width.ts'

const PathsNumbers = later(async () => (await import('./paths-numbers.tsx')).PathsNumbers)

type PathsChartProps<E extends Edge> = {
  readonly title: string
  readonly edges: readonly E[]
  readonly height?: number
  /** A further column of the table. */
  readonly more: { readonly title: string; readonly cell: (edge: E) => string }
  readonly onOpen: ((edge: E) => void) | undefined
}

const NODE_PX = 8
const COLUMN_PX_MIN = 130
/** Room for the names of the last step. */
const END_PX = 150
const CHAR_PX = 6.2

/** Paths from step to step as a diagram, and as a table. */
export function PathsChart<E extends Edge>(props: PathsChartProps<E>) {
  const { title, edges, more, onOpen } = props
  const [isTable, setTable] = useState(false)
  return (
    <figure class="chart" aria-label={title}>
      <div class="chart-head">
        <span />
        <Button tone="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </Button>
      </div>
      {isTable ? (
        <PathsNumbers
          title={title}
          more={more.title}
          rows={edges.map((edge) => ({
            ...edge,
            more: more.cell(edge),
            onOpen: onOpen && (() => onOpen(edge)),
          }))}
        />
      ) : (
        <Drawing {...props} />
      )}
    </figure>
  )
}

function Drawing<E extends Edge>({ title, edges, height = 360, onOpen }: PathsChartProps<E>) {
  const [ref, width] = useWidth()
  const { nodes, links, columns } = layoutOf(edges, height)
  const step = Math.max(COLUMN_PX_MIN, (width - END_PX) / Math.max(1, columns - 1))
  const bottom = Math.max(height, ...nodes.map((node) => node.y + node.height))
  return (
    // The table behind "Table" has the same numbers for the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
    <section class="paths" tabIndex={0} aria-label={title}>
      <div ref={ref} />
      <svg width={step * (columns - 1) + END_PX} height={bottom + 4} role="img" aria-label={title}>
        {links.map((link) => (
          <Way
            key={`${link.edge.source} ${link.edge.target}`}
            link={link}
            step={step}
            onOpen={onOpen}
          />
        ))}
        {nodes.map((node) => (
          <Item key={node.key} node={node} step={step} />
        ))}
      </svg>
    </section>
  )
}

type WayProps<E extends Edge> = {
  readonly link: PathLink<E>
  readonly step: number
  readonly onOpen: ((edge: E) => void) | undefined
}

function Way<E extends Edge>({ link, step, onOpen }: WayProps<E>) {
  const { edge, from, to, y0, y1, width } = link
  const x0 = from.column * step + NODE_PX
  const x1 = to.column * step
  const middle = (x0 + x1) / 2
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table has buttons
    <path
      class="paths-way tone-1"
      d={`M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`}
      stroke-width={width}
      onClick={() => onOpen?.(edge)}
    >
      <title>
        {from.label} → {to.label}: {formatNumber(edge.value)}
      </title>
    </path>
  )
}

function Item({ node, step }: { readonly node: PathNode; readonly step: number }) {
  const { column, y, height, label, value } = node
  const room = Math.floor((Math.min(step, END_PX) - 8) / CHAR_PX) - formatNumber(value).length - 1
  const short = label.length > room ? `${label.slice(0, Math.max(1, room - 1))}…` : label
  return (
    <g class="tone-1">
      <rect class="chart-box" x={column * step} y={y} width={NODE_PX} height={height} rx="2" />
      <text class="chart-text paths-text" x={column * step} y={y - 4}>
        {short} <tspan class="paths-value">{formatNumber(value)}</tspan>
        <title>{label}</title>
      </text>
    </g>
  )
}
