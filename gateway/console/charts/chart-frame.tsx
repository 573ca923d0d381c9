import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { dashOf, type Earlier, markerPath } from '../../../src/core/charts/series.ts'
import { Button } from '../kit/button.tsx'
import { later } from '../kit/later.tsx'
import { type ChartProps, classOf } from './series.ts'

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
            series.map(({ key, label, earlier }, index) => (
              <li key={key} class={classOf(index, earlier)}>
                <Sample index={index} earlier={earlier} kind={sample} />
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

type SampleProps = {
  readonly index: number
  readonly earlier: Earlier | undefined
  readonly kind: 'line' | 'box'
}

/** A short piece of a series as the chart draws it. */
export function Sample({ index, earlier, kind }: SampleProps) {
  return (
    <svg class="sample" viewBox="0 0 22 10" aria-hidden="true">
      {kind === 'line' ? (
        <>
          <path class="chart-line" stroke-dasharray={dashOf(index, earlier)} d="M0 5h22" />
          <path class="chart-mark" d={markerPath(earlier?.of ?? index, 11, 5, 3)} />
        </>
      ) : (
        <rect class="chart-box" x="6" width="10" height="10" rx="2" />
      )}
    </svg>
  )
}
