/** Series of a chart, and the marks by which they differ. */

export type Series = {
  /** Unique in the chart. */
  readonly key: string
  readonly label: string
  /** One for each label of the chart; null where there is no number. */
  readonly values: readonly (number | null)[]
  /** Place of the first value that may still change. */
  readonly incompleteFrom?: number | undefined
  /** Values of an earlier range, drawn behind the others. */
  readonly earlier?: Earlier | undefined
}

export type Earlier = {
  /** Index of the compared series, whose colour it has. */
  readonly of: number
  /** Time of each value. */
  readonly times: readonly string[]
}

/** Number of colours of series; the ninth series has that of the first. */
export const TONES = 8

const EARLIER_DASH = '5 5'
const DASHES = ['', '7 4', '2 3', '9 3 2 3', '4 2', '12 4', '1 4', '6 2 1 2'] as const

/** Series differ by dash as well as by colour. */
export function dashOf(index: number, earlier?: Earlier): string {
  if (earlier !== undefined) return EARLIER_DASH
  return DASHES[(index + Math.floor(index / TONES)) % DASHES.length] ?? ''
}

const MARKERS = ['circle', 'square', 'triangle', 'diamond'] as const

/** The outline of a series' marker around a point. */
export function markerPath(index: number, x: number, y: number, size: number): string {
  const shape = MARKERS[index % MARKERS.length]
  if (shape === 'square') return `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`
  if (shape === 'triangle') return `M${x} ${y - size}l${size} ${2 * size}h${-2 * size}z`
  if (shape === 'diamond')
    return `M${x} ${y - size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z`
  return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`
}
