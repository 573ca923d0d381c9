/** Line charts as inline SVG. The page's style sets colours and fonts. */

export type Line = {
  readonly name: string
  /** In order of x; an undefined y leaves a gap. */
  readonly points: readonly (readonly [x: number, y: number | undefined])[]
}

export type Tick = { readonly at: number; readonly label: string }

export type Chart = {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly lines: readonly Line[]
  /** Chosen by the caller for scales that are not plain. */
  readonly xTicks?: readonly Tick[]
}

/** Classes `line-0` and so on are used in turn. */
export const LINE_STYLES = 6

const WIDTH = 720
const HEIGHT = 300
const LEFT = 64
const RIGHT = 32
const TOP = 28
const BOTTOM = 44
const TICKS = 5
/** A smaller value is drawn as nothing, because powers of ten never reach 0. */
const LEAST = 1e-9
/** More points than pixels only make the page larger. */
const POINTS_MAX = 400

/** Text and attribute values alike. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function svgChart(chart: Chart): string {
  const lines = chart.lines.map((line) => ({ ...line, points: thinned(line.points) }))
  const all = lines.flatMap(({ points }) => points)
  const ys = all.flatMap(([, y]) => (y === undefined ? [] : [y]))
  const yTicks = niceTicks(ys.reduce((most, y) => Math.max(most, y), 0))
  const yMax = yTicks.at(-1)?.at ?? 1
  const xs = [...all.map(([x]) => x), ...(chart.xTicks ?? []).map(({ at }) => at)]
  const xMin = xs.reduce((least, x) => Math.min(least, x), xs[0] ?? 0)
  const xMax = xs.reduce((most, x) => Math.max(most, x), xMin)
  const xTicks = chart.xTicks ?? niceTicks(xMax).filter(({ at }) => at >= xMin && at <= xMax)
  const xOf = (x: number) =>
    LEFT + ((x - xMin) / Math.max(xMax - xMin, Number.MIN_VALUE)) * (WIDTH - LEFT - RIGHT)
  const yOf = (y: number) => HEIGHT - BOTTOM - (y / yMax) * (HEIGHT - TOP - BOTTOM)
  const parts = [
    ...yTicks.map(({ at, label }) => yGrid(yOf(at), label)),
    ...xTicks.map(({ at, label }) => xGrid(xOf(at), label)),
    ...lines.map(({ points, name }, index) => {
      const path = pathOf(points, xOf, yOf)
      const title = `<title>${escapeHtml(name)}</title>`
      return `<path class="line line-${index % LINE_STYLES}" d="${path}">${title}</path>`
    }),
    label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, 'middle', chart.xLabel),
    label(LEFT - 6, TOP - 14, 'end', chart.yLabel),
  ]
  const name = escapeHtml(chart.title)
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}">${parts.join('')}</svg>`
}

/** The largest y of each stretch, so that no peak is lost. */
export function thinned(points: Line['points']): Line['points'] {
  const stretch = Math.ceil(points.length / POINTS_MAX)
  if (stretch <= 1) return points
  return Array.from({ length: Math.ceil(points.length / stretch) }, (_, index) => {
    const part = points.slice(index * stretch, (index + 1) * stretch)
    const ys = part.flatMap(([, y]) => (y === undefined ? [] : [y]))
    const most = ys.length === 0 ? undefined : Math.max(...ys)
    return [part[0]?.[0] ?? 0, most] as const
  })
}

/** From 0 to at least `max` in steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(max: number): Tick[] {
  const wanted = max > LEAST && Number.isFinite(max) ? max / TICKS : 1 / TICKS
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = ([1, 2, 5].find((factor) => factor * power >= wanted) ?? 10) * power
  const count = Math.max(1, Math.ceil(max / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, index) => {
    // Without the rounding 3 * 0.1 would read 0.30000000000000004.
    const at = Number((index * step).toPrecision(12))
    return { at, label: at.toLocaleString('en-US') }
  })
}

function pathOf(
  points: Line['points'],
  xOf: (x: number) => number,
  yOf: (y: number) => number,
): string {
  let pen = 'M'
  let path = ''
  for (const [x, y] of points) {
    if (y === undefined) {
      pen = 'M'
      continue
    }
    path += `${pen}${xOf(x).toFixed(1)} ${yOf(y).toFixed(1)}`
    // A line of no length shows a point without neighbours.
    if (pen === 'M') path += 'h0'
    pen = 'L'
  }
  return path
}

function yGrid(y: number, text: string): string {
  const at = y.toFixed(1)
  const line = `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`
  return line + label(LEFT - 6, y + 4, 'end', text)
}

function xGrid(x: number, text: string): string {
  const at = x.toFixed(1)
  const line = `<line class="grid" x1="${at}" x2="${at}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`
  return line + label(x, HEIGHT - BOTTOM + 16, 'middle', text)
}

function label(x: number, y: number, anchor: 'start' | 'middle' | 'end', text: string): string {
  const at = `x="${x.toFixed(1)}" y="${y.toFixed(1)}"`
  return `<text ${at} text-anchor="${anchor}">${escapeHtml(text)}</text>`
}
