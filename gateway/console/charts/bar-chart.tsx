import type { Series } from '../../../src/core/charts/series.ts'
import { type Span, stacked } from '../../../src/core/charts/shapes.ts'
import { ChartFrame } from './chart-frame.tsx'
import { type Pick, type Place, Plot } from './plot.tsx'
import { type ChartProps, classOf } from './series.ts'

type BarChartProps = ChartProps & {
  /** Stacks the series instead of placing them side by side; negative numbers go below zero. */
  readonly isStacked?: boolean
}

/** Numbers side by side, or as parts of a whole. */
export function BarChart(props: BarChartProps) {
  const { series, labels, isStacked = false } = props
  const layers = isStacked
    ? stacked(
        series.map((each) => each.values),
        labels.length,
      )
    : undefined
  const values =
    layers?.flat(2) ?? series.flatMap((each) => each.values.filter((value) => value !== null))
  const pick: Pick = (index, value, across) =>
    layers === undefined
      ? Math.max(0, Math.min(series.length - 1, Math.floor((across / FILL + 0.5) * series.length)))
      : closest(
          layers.map((layer) => layer[index]),
          value,
        )
  return (
    <ChartFrame {...props} sample="box">
      <Plot {...props} values={values} sits="between" sample="box" pick={pick}>
        {(place) =>
          series.map((each, index) => (
            <Bars
              key={each.key}
              series={each}
              index={index}
              place={place}
              // Side by side each has its part of the width, else the whole.
              parts={layers === undefined ? series.length : 1}
              spans={layers?.[index] ?? each.values.map((value) => [0, value ?? 0] as const)}
            />
          ))
        }
      </Plot>
    </ChartFrame>
  )
}

/** Index of the part that holds the value, or is next to it. */
function closest(spans: readonly (Span | undefined)[], value: number): number {
  const far = spans.map((span) => {
    if (span === undefined || span[0] === span[1]) return Infinity
    const low = Math.min(...span)
    const high = Math.max(...span)
    return Math.max(low - value, value - high, 0)
  })
  return far.indexOf(Math.min(...far))
}

type BarsProps = {
  readonly series: Series
  readonly index: number
  readonly place: Place
  readonly parts: number
  readonly spans: readonly Span[]
}

const FILL = 0.72
const BAR_PX_MAX = 48
const ROUND_PX = 2

function Bars({ series, index, place, parts, spans }: BarsProps) {
  const { x, y, step } = place
  const whole = Math.min(step * FILL, BAR_PX_MAX * parts)
  const width = Math.max(1, whole / parts)
  const shift = parts === 1 ? 0 : index * width
  const { incompleteFrom = spans.length, earlier } = series
  return (
    <g class={classOf(index, earlier)}>
      {spans.map(([from, to], at) => {
        const top = y(Math.max(from, to))
        const bottom = y(Math.min(from, to))
        if (bottom - top <= 0) return null
        return (
          <rect
            key={at}
            class={at >= incompleteFrom ? 'chart-box chart-box-open' : 'chart-box'}
            x={x(at) - whole / 2 + shift}
            y={top}
            width={Math.max(1, width - 1)}
            height={bottom - top}
            rx={ROUND_PX}
          />
        )
      })}
    </g>
  )
}
