/** Properties of the charts. */
import type { Goal } from '../../../src/core/charts/goals.ts'
import type { Earlier, Series } from '../../../src/core/charts/series.ts'
import { toneOf } from './tone.ts'

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
  /** Lines to reach, across the chart. */
  readonly goals?: readonly Goal[]
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

/** Note after a number whose bucket has not ended. */
export function partOf({ incompleteFrom = Infinity, earlier }: Series, index: number): string {
  if (index < incompleteFrom) return ''
  return earlier === undefined ? ' so far' : ' by this time'
}
