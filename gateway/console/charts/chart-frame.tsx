import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { later } from '../kit/later.tsx'
import { type ChartProps, dashOf, markerPath, toneOf } from './series.ts'

const ChartNumbers = later(async () => (await import('./chart-numbers.tsx')).ChartNumbers)

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
      {isTable ? <ChartNumbers {...props} /> : children}
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
