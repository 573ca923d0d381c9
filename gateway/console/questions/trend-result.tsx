import { labelsOf } from '../../../src/core/charts/buckets.ts'
import {
  AGGREGATED,
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
import { Table } from '../kit/table.tsx'
import { actorsOf, pointOf, type ResultProps } from './answer.ts'
import { displayOf, intervalIn } from './question.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

/** Numbers over time, or one for the whole range. */
export function TrendResult({ title, question, answer, height, onOpen }: ResultProps) {
  const rows = (answer as Answer<Row>).results
  const display = displayOf(question)
  const interval = intervalIn(question)
  const timesOf = (row: Row) => timesOfRow(row, interval)
  const open = (row: Row | undefined, at?: number) => {
    if (row === undefined) return
    const when = at === undefined ? [] : [timesOf(row)[at]]
    const name = [nameOfRow(row), ...when].join(', ')
    onOpen({ title: name, source: actorsOf(question, pointOf(question, row, at)) })
  }
  if (display === 'BoldNumber') return <Numbers rows={rows} onOpen={open} />
  if (AGGREGATED.has(display)) return <Values rows={rows} onOpen={open} />
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
    // A cumulative number has no actors of its own.
    onOpen: isRunning ? undefined : (series: number, at: number) => open(rows[series], at),
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

type ValuesProps = { readonly rows: readonly Row[]; readonly onOpen: (row: Row) => void }

function Numbers({ rows, onOpen }: ValuesProps) {
  return (
    <div class="result-numbers">
      {rows.map((row, index) => (
        <p key={index}>
          <span class="stat-label">{nameOfRow(row)}</span>
          <Value row={row} onOpen={onOpen} />
        </p>
      ))}
    </div>
  )
}

function Values({ rows, onOpen }: ValuesProps) {
  return (
    <Table
      caption={TEXTS.result}
      columns={[
        { key: 'series', title: TEXTS.series, cell: (row: Row) => nameOfRow(row) },
        {
          key: 'value',
          title: TEXTS.value,
          align: 'end',
          cell: (row: Row) => <Value row={row} onOpen={onOpen} />,
        },
      ]}
      rows={rows}
      keyOf={(row) => rows.indexOf(row)}
    />
  )
}

type ValueProps = { readonly row: Row; readonly onOpen: (row: Row) => void }

function Value({ row, onOpen }: ValueProps) {
  return (
    <button type="button" class="link figure" onClick={() => onOpen(row)}>
      {formatNumber(row.aggregated_value ?? row.count)}
    </button>
  )
}
