import { BarChart } from '../charts/bar-chart.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import type { Series } from '../charts/series.ts'
import { formatNumber } from '../data/format.ts'
import type { Answer } from '../data/questions.ts'
import { labelOf } from '../kit/names/label.ts'
import { Table } from '../kit/table.tsx'
import { actorsOf, labelsOf, pointOf, type ResultProps, type Row } from './answer.ts'
import { displayOf, intervalIn } from './question.ts'
import { sentenceOf } from './sentence.ts'
import { KIND_NAMES, RESULT_TEXTS as TEXTS } from './texts.ts'
import { valueName } from './values.ts'

/** Numbers over time, or one for the whole range. */
export function TrendResult({ question, answer, height, onOpen }: ResultProps) {
  const rows = (answer as Answer<Row>).results
  const display = displayOf(question)
  const open = (row: Row | undefined, at: number | undefined, when: string) => {
    if (row === undefined) return
    const title = [nameOf(row), when].filter((part) => part !== '').join(', ')
    onOpen({ title, source: actorsOf(question, pointOf(question, row, at)) })
  }
  if (display === 'BoldNumber')
    return <Numbers rows={rows} onOpen={(row) => open(row, undefined, '')} />
  if (AGGREGATED.has(display)) {
    return <Values rows={rows} onOpen={(row) => open(row, undefined, '')} />
  }
  const labels = labelsOf(longest(rows), intervalIn(question))
  const isRunning = display === 'ActionsLineGraphCumulative'
  const chart = {
    title: sentenceOf(question),
    ...{ labels, labelTitle: TEXTS.time, format: formatNumber, height: height ?? 320 },
    series: rows.map((row, index) => seriesOf(row, index, labels.length, isRunning)),
    // Nobody is behind a sum of earlier numbers alone.
    onOpen: isRunning
      ? undefined
      : (series: number, at: number) => open(rows[series], at, labels[at] ?? ''),
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

/** Ranges that are compared may have another number of buckets; the labels are of the current one. */
function longest(rows: readonly Row[]): readonly string[] {
  return rows[0]?.buckets ?? []
}

function seriesOf(row: Row, index: number, count: number, isRunning: boolean): Series {
  const values: readonly number[] = isRunning ? sums(row.data) : row.data
  return {
    key: String(index),
    label: nameOf(row),
    values: Array.from({ length: count }, (_, at) => values[at] ?? null),
    incompleteFrom: row.incomplete_from ?? undefined,
    isEarlier: isEarlier(row),
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
  if (row.breakdown_value !== undefined) parts.push(labelOf(valueName(row.breakdown_value)))
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
          ...{ key: 'value', title: TEXTS.value, align: 'end' },
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
