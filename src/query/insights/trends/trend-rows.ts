/** Words a trends answer. */
import { NO_VALUE, OTHER_VALUE } from '../../../event-store/insight-events.ts'
import { shownAs } from '../breakdown-values.ts'
import { formulaValue } from '../formula.ts'
import type { Series, TrendsQuestion } from '../question.ts'
import { frameOf } from '../time/grid.ts'
import type { Period, Trends } from './ask-trends.ts'
import type { Counted } from './count-series.ts'

/** Members of a row. */
export type TrendRow = Readonly<Record<string, unknown>>

/** The rows of the answer: those of the current period first. */
export function trendRows(question: TrendsQuestion, trends: Trends, nowMs: number): TrendRow[] {
  const { current, previous, shown } = trends
  const rowsIn = (period: Period, label: string | undefined) => {
    const frame = {
      ...frameOf(period.grid, nowMs),
      ...(label && { compare: true, compare_label: label }),
    }
    return question.formula === undefined
      ? question.series.flatMap((series, index) =>
          valuesOf(trends, [index], shown?.[index]).map((value) => ({
            ...numbersOf(period, index, value ?? ''),
            ...wordsOf(series, index),
            ...frame,
            ...breakdownValue(question, value),
          })),
        )
      : valuesOf(
          trends,
          question.series.map((_, index) => index),
          shown?.[0],
        ).map((value) => ({
          ...formulaNumbers(question, period, value ?? ''),
          action: null,
          label: `Formula (${question.formula?.text})`,
          ...frame,
          ...breakdownValue(question, value),
        }))
  }
  const isCompared = previous !== undefined
  return [
    ...rowsIn(current, isCompared ? 'current' : undefined),
    ...(isCompared ? rowsIn(previous, 'previous') : []),
  ]
}

/** True when some values were too many to be shown by themselves. */
export function hasMore(trends: Trends): boolean {
  return allCounted(trends).some((counted) => counted.has(OTHER_VALUE))
}

function allCounted({ current, previous }: Trends): readonly Counted[] {
  return [...current.counted, ...(previous?.counted ?? [])]
}

function breakdownValue({ breakdown }: TrendsQuestion, value: string | undefined): TrendRow {
  if (value === undefined || breakdown === undefined) return {}
  return shownAs(breakdown.source, value)
}

/** The values of the rows, in order; one undefined value without a breakdown. */
export function valuesOf(
  trends: Trends,
  series: readonly number[],
  shown: readonly string[] | undefined,
): readonly (string | undefined)[] {
  if (shown === undefined) return [undefined]
  const isThere = (value: string) =>
    [trends.current, trends.previous].some((period) =>
      series.some((index) => period?.counted[index]?.has(value)),
    )
  return [...shown, ...[NO_VALUE, OTHER_VALUE].filter(isThere)]
}

function wordsOf({ event, name, customName, maths }: Series, order: number): TrendRow {
  const shown = name ?? event ?? 'All events'
  return {
    label: customName ?? shown,
    action: {
      id: event,
      type: 'events',
      order,
      name: shown,
      custom_name: customName ?? null,
      math: maths.kind,
    },
  }
}

function numbersOf({ grid, counted, aggregated }: Period, index: number, value: string): TrendRow {
  const data = counted[index]?.get(value) ?? grid.starts.map(() => 0)
  const whole = aggregated && { aggregated_value: aggregated[index]?.get(value)?.[0] ?? 0 }
  return { count: sum(data), data: [...data], ...whole }
}

function formulaNumbers(
  { formula, series }: TrendsQuestion,
  { grid, counted, aggregated }: Period,
  value: string,
): TrendRow {
  if (formula === undefined) return {}
  const at = (from: readonly Counted[], bucket: number) =>
    formulaValue(
      formula.tree,
      series.map((_, index) => from[index]?.get(value)?.[bucket] ?? 0),
    )
  const data = grid.starts.map((_, bucket) => at(counted, bucket))
  return { count: sum(data), data, ...(aggregated && { aggregated_value: at(aggregated, 0) }) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
