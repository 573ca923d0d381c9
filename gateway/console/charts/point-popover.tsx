import { Fragment } from 'preact'
import type { Earlier } from '../../../src/core/charts/series.ts'
import { Sample } from './chart-frame.tsx'
import { type ChartProps, classOf, partOf } from './series.ts'

const CARD_PX = 220

type CardProps = ChartProps & {
  /** Index of the label, and its horizontal position in the plot. */
  readonly at: number
  readonly x: number
  readonly width: number
  readonly sample: 'line' | 'box'
}

/** The numbers of one label. Screen readers have the table. */
export function PointPopover(props: CardProps) {
  const { labels, times = labels, series, at, x, width, format = String, onOpen, sample } = props
  const left = x + CARD_PX + 16 > width ? Math.max(0, x - CARD_PX - 12) : x + 12
  // The time above them tells several earlier ones from the others.
  const nameOf = ({ of }: Earlier) => (series.length > 2 ? series[of]?.label : undefined)
  return (
    <div class="chart-card" style={{ left: `${left}px`, width: `${CARD_PX}px` }} aria-hidden="true">
      <strong>{times[at]}</strong>
      {series.map((each, index) => {
        const { key, label, values, earlier } = each
        const value = values[at] ?? null
        return (
          <Fragment key={key}>
            {earlier?.of === 0 && value !== null && <strong>{earlier.times[at]}</strong>}
            <p class={classOf(index, earlier)}>
              <Sample index={index} earlier={earlier} kind={sample} />
              <span class="chart-card-name">{(earlier && nameOf(earlier)) ?? label}</span>
              <span class="figure">{value === null ? '–' : format(value) + partOf(each, at)}</span>
            </p>
          </Fragment>
        )
      })}
      {onOpen !== undefined && <p class="chart-card-hint">Click to view persons</p>}
    </div>
  )
}
