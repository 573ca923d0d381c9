/** Retention as a grid: a row for each group, a column for each interval after its start. */
import { type Interval, labelsOf } from './buckets.ts'

/** A group in the answer. */
export type RetentionGroup = {
  readonly date: string
  readonly label: string
  readonly values: readonly { readonly count: number; readonly complete: boolean }[]
}

export type HeatRow = {
  readonly label: string
  /** Size of the whole group, of which the values are a part. */
  readonly size: number
  /** Null where a value has not begun. */
  readonly values: readonly (number | null)[]
  /** Place of the first value that may still change. */
  readonly incompleteFrom?: number | undefined
}

/** Mean of each column, weighted by the sizes of its groups; null for a column without an end. */
export function meansOf(rows: readonly HeatRow[], count: number): readonly (number | null)[] {
  return Array.from({ length: count }, (_, at) => {
    const ended = rows.filter(
      ({ values, incompleteFrom = Infinity }) =>
        (values[at] ?? null) !== null && at < incompleteFrom,
    )
    const size = ended.reduce((sum, row) => sum + row.size, 0)
    return size === 0 ? null : ended.reduce((sum, { values }) => sum + (values[at] ?? 0), 0) / size
  })
}

const INTERVALS: Readonly<Record<string, Interval>> = { Hour: 'hour', Week: 'week', Month: 'month' }

/** @param period as the question names it: `Day`. */
export function heatRows(groups: readonly RetentionGroup[], period: string): readonly HeatRow[] {
  const dates = labelsOf(
    groups.map(({ date }) => date),
    INTERVALS[period] ?? 'day',
  )
  return groups.map(({ label, values }, index) => {
    const open = values.findIndex(({ complete }) => !complete)
    return {
      label: dates[index] ?? label,
      size: values[0]?.count ?? 0,
      values: groups.map((_, at) => values[at]?.count ?? null),
      incompleteFrom: open === -1 ? undefined : open,
    }
  })
}
