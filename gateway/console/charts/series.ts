/** Data and properties of the charts. */
import { TONES, toneOf } from './tone.ts'

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

/** Called when the user opens the actors of a data point. */
export type OpenPoint = (series: number, index: number) => void

export type ChartProps = {
  /** Name for screen readers, and the caption of the chart's table. */
  readonly title: string
  /** Below the chart, from the start to the end. */
  readonly labels: readonly string[]
  /** Time of each label, where labels alone may be ambiguous. */
  readonly times?: readonly string[] | undefined
  /** Start of each label's time, ISO 8601, where the chart takes annotations. */
  readonly starts?: readonly string[] | undefined
  /** Title of the labels: "Day". */
  readonly labelTitle: string
  readonly series: readonly Series[]
  readonly height?: number
  readonly format?: (value: number) => string
  /** After the numbers of the axis: `%`. */
  readonly unit?: string
  /** The axis says no sign. */
  readonly isUnsigned?: boolean
  readonly onOpen?: OpenPoint | undefined
}

/** Classes of a series: an earlier one has a paler shade of the colour that it is compared with. */
export function classOf(index: number, earlier?: Earlier): string {
  return earlier === undefined ? toneOf(index) : `${toneOf(earlier.of)} is-earlier`
}

const EARLIER_DASH = '5 5'
const DASHES = ['', '7 4', '2 3', '9 3 2 3', '4 2', '12 4', '1 4', '6 2 1 2'] as const

/** Series differ by dash as well as by colour. */
export function dashOf(index: number, earlier?: Earlier): string {
  if (earlier !== undefined) return EARLIER_DASH
  return DASHES[(index + Math.floor(index / TONES)) % DASHES.length] ?? ''
}

export const MARKERS = ['circle', 'square', 'triangle', 'diamond'] as const

/** The outline of a series' marker around a point. */
export function markerPath(index: number, x: number, y: number, size: number): string {
  const shape = MARKERS[index % MARKERS.length]
  if (shape === 'square') return `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`
  if (shape === 'triangle') return `M${x} ${y - size}l${size} ${2 * size}h${-2 * size}z`
  if (shape === 'diamond')
    return `M${x} ${y - size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z`
  return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`
}

/** Note after a number whose bucket has not ended. */
export function partOf({ incompleteFrom = Infinity, earlier }: Series, index: number): string {
  if (index < incompleteFrom) return ''
  return earlier === undefined ? ' so far' : ' by this time'
}
