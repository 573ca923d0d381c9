/** Content of a picture, for any kind of question. */
import type { Goal } from '../../../core/charts/goals.ts'
import type { HeatRow } from '../../../core/charts/retention.ts'
import type { Series } from '../../../core/charts/series.ts'

export type PlotDrawing = {
  /** Bars stand side by side unless they are stacked. */
  readonly kind: 'lines' | 'bars' | 'stacked'
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  /** After the numbers of the axis: `%`. */
  readonly unit: string
  /** Things that the axis counts; empty for nothing in common. */
  readonly caption: string
  /** The axis says no sign. */
  readonly isUnsigned: boolean
  readonly goals?: readonly Goal[]
}

export type ValuesDrawing = {
  readonly kind: 'numbers' | 'ranked' | 'pie'
  readonly numbers: readonly { readonly label: string; readonly value: number }[]
}

export type FunnelDrawing = {
  readonly kind: 'funnel'
  readonly steps: readonly string[]
  readonly groups: readonly {
    /** Undefined without a breakdown. */
    readonly name: string | undefined
    readonly counts: readonly number[]
  }[]
}

export type HeatDrawing = {
  readonly kind: 'heat'
  readonly columns: readonly string[]
  readonly rows: readonly HeatRow[]
}

export type TableDrawing = {
  readonly kind: 'table'
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export type Drawing =
  | PlotDrawing
  | ValuesDrawing
  | FunnelDrawing
  | HeatDrawing
  | TableDrawing
  | { readonly kind: 'nothing' }
