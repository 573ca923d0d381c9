import { labelsOf } from '../../../src/core/charts/buckets.ts'
import { goalsIn } from '../../../src/core/charts/goals.ts'
import {
  BARS,
  CUMULATIVE,
  isEarlier,
  nameOfRow,
  type TrendRow as Row,
  timesOfRow,
  trendSeries,
} from '../../../src/core/charts/trends.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { formatNumber } from '../data/format.ts'
import type { Answer } from '../data/questions.ts'
import { actorsOf, pointOf, type ResultProps } from './answer.ts'
import { displayOf, intervalIn, memberOf } from './question.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

/** Numbers over time. */
export function TrendResult({ title, question, answer, height, onOpen }: ResultProps) {
  const rows = (answer as Answer<Row>).results
  const display = displayOf(question)
  const interval = intervalIn(question)
  const timesOf = (row: Row) => timesOfRow(row, interval)
  const open = (row: Row | undefined, at?: number) => {
    if (row === undefined) return
    const when = at === undefined ? [] : [timesOf(row)[at]]
    const name = [nameOfRow(row), ...when].join(', ')
    onOpen?.({ title: name, source: actorsOf(question, pointOf(question, row, at)) })
  }
  const [first] = rows
  const labels = labelsOf(first?.buckets ?? [], interval)
  const isRunning = display === CUMULATIVE
  const chart = {
    title,
    labels,
    labelTitle: TEXTS.time,
    format: formatNumber,
    height: height ?? 320,
    times: first && timesOf(first),
    starts: first?.buckets,
    series: trendSeries(rows, interval, display),
    goals: goalsIn(memberOf(question, 'trendsFilter')['goalLines']),
    // A cumulative number has no actors of its own.
    onOpen:
      isRunning || onOpen === undefined
        ? undefined
        : (series: number, at: number) => open(rows[series], at),
  }
  const isEmpty = rows.every(({ data }) => data.every((value) => value === 0))
  return (
    <>
      {BARS.has(display) ? (
        <BarChart {...chart} isStacked={!rows.some(isEarlier)} />
      ) : (
        <LineChart {...chart} />
      )}
      {isEmpty && <p class="result-note">{TEXTS.nothing}</p>}
    </>
  )
}
