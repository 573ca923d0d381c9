import { BarChart } from '../charts/bar-chart.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import type { Series } from '../charts/series.ts'
import { formatNumber } from '../data/format.ts'
import type { Answer } from '../data/questions.ts'
import { labelOfBucket } from '../data/ranges.ts'
import { labelOf } from '../kit/names/label.ts'
import { Table } from '../kit/table.tsx'
import { actorsOf, labelsOf, pointOf, type ResultProps, type Row } from './answer.ts'
import { displayOf, intervalIn } from './question.ts'
import { KIND_NAMES, RESULT_TEXTS as TEXTS } from './texts.ts'
import { valueName } from './values.ts'

/** Numbers over time, or one for the whole range. */
export function TrendResult({ title, question, answer, height, onOpen }: ResultProps) {
  const rows = (answer as Answer<Row>).results
  const display = displayOf(question)
  const interval = intervalIn(question)
  const timesOf = ({ buckets }: Row) => buckets.map((each) => labelOfBucket(each, interval, true))
  const open = (row: Row | undefined, at?: number) => {
    if (row === undefined) return
    const when = at === undefined ? [] : [timesOf(row)[at]]
    const name = [nameOf(row), ...when].join(', ')
    onOpen({ title: name, source: actorsOf(question, pointOf(question, row, at)) })
  }
  if (display === 'BoldNumber') return <Numbers rows={rows} onOpen={open} />
  if (AGGREGATED.has(display)) return <Values rows={rows} onOpen={open} />
  // Ranges that are compared may have another number of buckets.
  const [first] = rows
  const labels = labelsOf(first?.buckets ?? [], interval)
  const isRunning = display === 'ActionsLineGraphCumulative'
  const chart = {
    title,
    labels,
    labelTitle: TEXTS.time,
    format: formatNumber,
    height: height ?? 320,
    times: first && timesOf(first),
    starts: first?.buckets,
    series: rows.map((row, index) => ({
      ...seriesOf(row, index, labels.length, isRunning),
      // Series of the current range come first, then as many of the earlier one.
      earlier: isEarlier(row) ? { of: index - rows.length / 2, times: timesOf(row) } : undefined,
    })),
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

const AGGREGATED = new Set(['ActionsTable', 'ActionsPie', 'ActionsBarValue'])
const BARS = new Set(['ActionsBar', 'ActionsStackedBar', 'ActionsUnstackedBar'])

function seriesOf(row: Row, index: number, count: number, isRunning: boolean): Series {
  const values: readonly number[] = isRunning ? sums(row.data) : row.data
  return {
    key: String(index),
    label: nameOf(row),
    values: Array.from({ length: count }, (_, at) => values[at] ?? null),
    incompleteFrom: row.incomplete_from ?? undefined,
  }
}

function sums(values: readonly number[]): readonly number[] {
  let sum = 0
  return values.map((value) => {
    sum += value
    return sum
  })
}

function isEarlier({ compare_label: side }: Row): boolean {
  return side === 'previous'
}

function nameOf(row: Row): string {
  const parts = [labelOf(row.label) || KIND_NAMES.TrendsQuery]
  if (row.breakdown_value !== undefined)
    parts.push(valueName(row.breakdown_value, row.breakdown_label))
  if (isEarlier(row)) parts.push(TEXTS.before)
  return parts.join(' · ')
}

type ValuesProps = { readonly rows: readonly Row[]; readonly onOpen: (row: Row) => void }

function Numbers({ rows, onOpen }: ValuesProps) {
  return (
    <div class="result-numbers">
      {rows.map((row, index) => (
        <p key={index}>
          <span class="stat-label">{nameOf(row)}</span>
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
        { key: 'series', title: TEXTS.series, cell: (row: Row) => nameOf(row) },
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
