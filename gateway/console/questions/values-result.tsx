/** One number for each series: as numbers, a table, bars or a pie. */
import { labelOf } from '../../../src/core/charts/label.ts'
import { slicePath } from '../../../src/core/charts/slices.ts'
import { isOneSeries, nameOfRow, type TrendRow as Row } from '../../../src/core/charts/trends.ts'
import type { JsonObject } from '../../client/index.ts'
import { Count } from '../charts/count.tsx'
import { toneOf } from '../charts/tone.ts'
import { formatNumber } from '../data/format.ts'
import type { Answer } from '../data/questions.ts'
import { type Column, Table } from '../kit/table.tsx'
import { actorsOf, pointOf, type ResultProps } from './answer.ts'
import { displayOf, memberOf, textIn } from './question.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

type OpenRow = ((row: Row) => void) | undefined
type ValuesProps = { readonly rows: readonly Row[]; readonly onOpen: OpenRow }

export function ValuesResult({ title, question, answer, onOpen: onOpened }: ResultProps) {
  const { results: rows } = answer as Answer<Row>
  const display = displayOf(question)
  const onOpen =
    onOpened &&
    ((row: Row) =>
      onOpened({
        title: nameOfRow(row),
        source: actorsOf(question, pointOf(question, row, undefined)),
      }))
  if (display === 'BoldNumber') return <Numbers rows={rows} onOpen={onOpen} />
  const value: Column<Row> = {
    key: 'value',
    title: TEXTS.value,
    align: 'end',
    cell: (row) => <Value row={row} onOpen={onOpen} />,
  }
  const table = (...more: readonly Column<Row>[]) => (
    <Table
      caption={TEXTS.result}
      columns={[
        {
          key: 'series',
          title: (isOneSeries(rows) && breakdownOf(question)) || TEXTS.series,
          cell: (row) =>
            display === 'ActionsPie' ? (
              <span class={`result-part ${toneOf(rows.indexOf(row))}`}>{nameOfRow(row, rows)}</span>
            ) : (
              nameOfRow(row, rows)
            ),
        },
        ...more,
      ]}
      rows={rows}
      keyOf={(row) => rows.indexOf(row)}
    />
  )
  if (display === 'ActionsBarValue') return table(barOf(rows, onOpen))
  if (display !== 'ActionsPie') return table(value)
  return (
    <div class="result-pie">
      <Pie title={title} values={rows.map(numberOf)} />
      {table(value, shareOf(rows))}
    </div>
  )
}

/** Name of the property that a question is broken down by; empty where it is by cohorts. */
function breakdownOf(question: JsonObject): string {
  return labelOf(textIn(memberOf(question, 'breakdownFilter'), 'breakdown'))
}

function Numbers({ rows, onOpen }: ValuesProps) {
  return (
    <div class="result-numbers">
      {rows.map((row, index) => (
        <p key={index}>
          <span class="stat-label">{nameOfRow(row, rows)}</span>
          <Value row={row} onOpen={onOpen} />
        </p>
      ))}
    </div>
  )
}

type ValueProps = { readonly row: Row; readonly onOpen: OpenRow }

function Value({ row, onOpen }: ValueProps) {
  return <Count open={onOpen && (() => onOpen(row))}>{formatNumber(numberOf(row))}</Count>
}

function numberOf(row: Row): number {
  return row.aggregated_value ?? row.count
}

function barOf(rows: readonly Row[], onOpen: ValuesProps['onOpen']): Column<Row> {
  const most = Math.max(0, ...rows.map(numberOf))
  return {
    key: 'value',
    title: TEXTS.value,
    cell: (row) => {
      const part = most === 0 ? 0 : Math.max(0, numberOf(row) / most)
      return (
        <div class="result-bar">
          <span>
            <span style={{ inlineSize: `${part * 100}%` }} />
          </span>
          <Value row={row} onOpen={onOpen} />
        </div>
      )
    },
  }
}

function shareOf(rows: readonly Row[]): Column<Row> {
  const sum = rows.reduce((total, row) => total + Math.max(0, numberOf(row)), 0)
  return {
    key: 'share',
    title: TEXTS.share,
    align: 'end',
    cell: (row) => {
      const share = sum === 0 ? 0 : Math.max(0, numberOf(row)) / sum
      return <span class="figure">{Math.round(share * 1000) / 10} %</span>
    },
  }
}

const SIZE = 200
const CIRCLE = { x: SIZE / 2, y: SIZE / 2, radius: 96 }

/** Slices clockwise from the top. The table beside it has the numbers. */
function Pie({ title, values }: { readonly title: string; readonly values: readonly number[] }) {
  const sum = values.reduce((total, value) => total + Math.max(0, value), 0)
  let end = 0
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={title}>
      {values.map((value, index) => {
        const start = end
        end += sum === 0 ? 0 : Math.max(0, value) / sum
        return (
          <path
            key={index}
            class={`chart-slice ${toneOf(index)}`}
            d={slicePath(start, end, CIRCLE)}
          />
        )
      })}
    </svg>
  )
}
