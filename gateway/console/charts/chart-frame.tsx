import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { type Column, Table } from '../kit/table.tsx'
import { type ChartProps, dashOf, markerPath, toneOf } from './series.ts'

type ChartFrameProps = ChartProps & {
  /** The drawing. */
  readonly children: ComponentChildren
  /** How the legend draws a series. */
  readonly sample: 'line' | 'box'
}

/** A chart with its legend, and the same numbers as a table behind "Table". */
export function ChartFrame(props: ChartFrameProps) {
  const { title, series, children, sample } = props
  const [isTable, setTable] = useState(false)
  return (
    <figure class="chart" aria-label={title}>
      <div class="chart-head">
        <ul class="legend" aria-hidden={isTable}>
          {series.length > 1 &&
            !isTable &&
            series.map(({ key, label, isEarlier }, index) => (
              <li key={key} class={`${toneOf(index)}${isEarlier === true ? ' is-earlier' : ''}`}>
                <Sample index={index} kind={sample} />
                {label}
              </li>
            ))}
        </ul>
        <Button tone="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </Button>
      </div>
      {isTable ? <ChartTable {...props} /> : children}
    </figure>
  )
}

/** A short piece of a series as the chart draws it. */
export function Sample({ index, kind }: { readonly index: number; readonly kind: 'line' | 'box' }) {
  return (
    <svg class="sample" viewBox="0 0 22 10" aria-hidden="true">
      {kind === 'line' ? (
        <>
          <path class="chart-line" stroke-dasharray={dashOf(index)} d="M0 5h22" />
          <path class="chart-mark" d={markerPath(index, 11, 5, 3)} />
        </>
      ) : (
        <rect class="chart-box" x="6" width="10" height="10" rx="2" />
      )}
    </svg>
  )
}

const NO_NUMBER = '–'

function ChartTable({ title, labels, labelTitle, series, format = String, onOpen }: ChartProps) {
  const columns: readonly Column<number>[] = [
    { key: 'label', title: labelTitle, cell: (index) => labels[index] ?? '' },
    ...series.map(
      ({ key, label, values, incompleteFrom }, at): Column<number> => ({
        ...{ key, title: label, align: 'end' },
        cell: (index) => {
          const value = values[index] ?? null
          if (value === null) return NO_NUMBER
          const isOpenEnded = incompleteFrom !== undefined && index >= incompleteFrom
          const text = `${format(value)}${isOpenEnded ? ' so far' : ''}`
          if (onOpen === undefined) return text
          return (
            <button type="button" class="link figure" onClick={() => onOpen(at, index)}>
              {text}
            </button>
          )
        },
      }),
    ),
  ]
  const rows = labels.map((_, index) => index)
  return <Table caption={title} columns={columns} rows={rows} keyOf={(index) => index} />
}
