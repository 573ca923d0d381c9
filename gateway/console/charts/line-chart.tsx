import { area, line } from 'd3-shape'
import { ChartFrame } from './chart-frame.tsx'
import { type Place, Plot } from './plot.tsx'
import { type ChartProps, dashOf, markerPath, type Series, toneOf } from './series.ts'

type Point = { readonly index: number; readonly value: number }

const MARKED_MAX = 40
const MARK_PX = 3

/** Numbers over time. What may still change is dotted. */
export function LineChart(props: ChartProps) {
  const { series } = props
  const values = series.flatMap((each) => each.values.filter((value) => value !== null))
  return (
    <ChartFrame {...props} sample="line">
      <Plot {...props} values={values} sits="on" sample="line">
        {(place) =>
          // The first series lies on top.
          series
            .map((each, index) => (
              <Line
                key={each.key}
                series={each}
                index={index}
                place={place}
                isAlone={series.filter(({ isEarlier }) => isEarlier !== true).length === 1}
              />
            ))
            .reverse()
        }
      </Plot>
    </ChartFrame>
  )
}

type LineProps = {
  readonly series: Series
  readonly index: number
  readonly place: Place
  readonly isAlone: boolean
}

function Line({ series, index, place, isAlone }: LineProps) {
  const { x, y, base, at } = place
  const { values, isEarlier = false, incompleteFrom = values.length } = series
  const points = values.map((value, each) => ({ index: each, value }))
  const known = (point: { readonly value: number | null }): point is Point => point.value !== null
  const draw = line<(typeof points)[number]>()
    .defined(known)
    .x((point) => x(point.index))
    .y((point) => y(point.value ?? 0))
  const fill = area<(typeof points)[number]>()
    .defined(known)
    .x((point) => x(point.index))
    .y1((point) => y(point.value ?? 0))
    .y0(base)
  const done = points.slice(0, incompleteFrom)
  const open = incompleteFrom < points.length ? points.slice(Math.max(0, incompleteFrom - 1)) : []
  const isMarked = points.length <= MARKED_MAX && !isEarlier
  return (
    <g class={`${toneOf(index)}${isEarlier ? ' is-earlier' : ''}`}>
      {isAlone && !isEarlier && <path class="chart-area" d={fill(points) ?? ''} />}
      <path class="chart-line" stroke-dasharray={dashOf(index)} d={draw(done) ?? ''} />
      <path class="chart-line chart-open" d={draw(open) ?? ''} />
      {points
        .filter(known)
        .filter((point) => isMarked || point.index === at || points.length === 1)
        .map((point) => (
          <path
            key={point.index}
            class="chart-mark"
            d={markerPath(
              index,
              x(point.index),
              y(point.value),
              point.index === at ? MARK_PX + 1.5 : MARK_PX,
            )}
          />
        ))}
    </g>
  )
}
