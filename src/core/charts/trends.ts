/** Rows of the answers of trends, as series of a chart. */
import { type Interval, labelOfBucket } from './buckets.ts'
import { labelOf } from './label.ts'
import { valueName } from './names.ts'
import type { Series } from './series.ts'

/** One row of the answer of a trend. */
export type TrendRow = {
  readonly label: string
  readonly count: number
  readonly data: readonly number[]
  readonly days: readonly string[]
  readonly buckets: readonly string[]
  /** Place of the first bucket that has not ended. */
  readonly incomplete_from: number | null
  /** Over the whole range, where the question asks for it. */
  readonly aggregated_value?: number
  readonly compare_label?: 'current' | 'previous'
  readonly breakdown_value?: string | number
  /** Name of the cohort or country that the value stands for. */
  readonly breakdown_label?: string
  /** Null for a formula, which combines several series. */
  readonly action?: { readonly order: number } | null
  /** Only in a life cycle: the status of its actors. */
  readonly status?: string
}

/** Displays that show one number for each row. */
const AGGREGATED: ReadonlySet<string> = new Set(['ActionsTable', 'ActionsPie', 'ActionsBarValue'])
/** Tells whether a display shows one number for each row, not numbers over time. */
export function hasOneValue(display: string): boolean {
  return display === 'BoldNumber' || AGGREGATED.has(display)
}

/** Displays that draw bars over time. */
export const BARS: ReadonlySet<string> = new Set([
  'ActionsBar',
  'ActionsStackedBar',
  'ActionsUnstackedBar',
])
/** Display that adds up the numbers over time. */
export const CUMULATIVE = 'ActionsLineGraphCumulative'

export function isEarlier({ compare_label: side }: TrendRow): boolean {
  return side === 'previous'
}

/**
 * Name of a row: event, value of the breakdown, and whether it is of the earlier range.
 * @param rows the answer; values of its only series need no name of the series.
 */
export function nameOfRow(row: TrendRow, rows: readonly TrendRow[] = []): string {
  const value = row.breakdown_value
  const parts = value === undefined ? [] : [valueName(value, row.breakdown_label)]
  if (value === undefined || !isOneSeries(rows)) parts.unshift(labelOf(row.label) || 'Trends')
  if (isEarlier(row)) parts.push('previous period')
  return parts.join(' · ')
}

/** Tells whether the rows are the values of one series. */
export function isOneSeries([first, ...others]: readonly TrendRow[]): boolean {
  const { breakdown_value: value, action } = first ?? {}
  return value !== undefined && others.every((each) => each.action?.order === action?.order)
}

/** Times of the row's buckets, as a table says them. */
export function timesOfRow({ buckets }: TrendRow, interval: Interval): readonly string[] {
  return buckets.map((each) => labelOfBucket(each, interval, true))
}

/** One series for each row; ranges that are compared may have another number of buckets. */
export function trendSeries(
  rows: readonly TrendRow[],
  interval: Interval,
  display: string,
): readonly Series[] {
  const count = rows[0]?.buckets.length ?? 0
  return rows.map((row, index) => {
    const values = display === CUMULATIVE ? sums(row.data) : row.data
    return {
      key: String(index),
      label: nameOfRow(row, rows),
      values: Array.from({ length: count }, (_, at) => values[at] ?? null),
      incompleteFrom: row.incomplete_from ?? undefined,
      // Series of the current range come first, then as many of the earlier one.
      earlier: isEarlier(row)
        ? { of: index - rows.length / 2, times: timesOfRow(row, interval) }
        : undefined,
    }
  })
}

function sums(values: readonly number[]): readonly number[] {
  let sum = 0
  return values.map((value) => {
    sum += value
    return sum
  })
}
