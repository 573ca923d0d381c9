import { dashOf, markerPath, type Series } from '../../../src/core/charts/series.ts'
import { areaPath, linePath, type Point } from '../../../src/core/charts/shapes.ts'
import { ChartFrame } from './chart-frame.tsx'
import { type Pick, type Place, Plot } from './plot.tsx'
import { type ChartProps, classOf } from './series.ts'

const MARKED_MAX = 40
const MARK_PX = 3

/** Numbers over time. Segments that may still change are dotted. */
export function LineChart(props: ChartProps) {
  const { series } = props
  const isAlone = series.filter(({ earlier }) => earlier === undefined).length === 1
  const values = series.flatMap((each) => each.values.filter((value) => value !== null))
  const pick: Pick = (index, value) =>
    nearest(
      series.map((each) => each.values[index]),
      value,
    )
  return (
    <ChartFrame {...props} sample="line">
      <Plot {...props} values={values} sits="on" sample="line" pick={pick}>
        {(place) =>
          // The first series lies on top.
          series
            .map((each, index) => (
              <Line key={each.key} series={each} index={index} place={place} isAlone={isAlone} />
            ))
            .reverse()
        }
      </Plot>
    </ChartFrame>
  )
}

/** The place of the number that is closest. */
function nearest(numbers: readonly (number | null | undefined)[], value: number): number {
  const far = numbers.map((number) => (number == null ? Infinity : Math.abs(number - value)))
  return far.indexOf(Math.min(...far))
}

type LineProps = {
  readonly series: Series
  readonly index: number
  readonly place: Place
  readonly isAlone: boolean
}

function Line({ series, index: own, place, isAlone }: LineProps) {
  const { x, y, base, at } = place
  const { values, earlier, incompleteFrom = values.length } = series
  const shape = earlier?.of ?? own
  const points = values.map((value, index): Point | undefined =>
    value === null ? undefined : [x(index), y(value)],
  )
  const done = points.slice(0, incompleteFrom)
  const open = incompleteFrom < points.length ? points.slice(Math.max(0, incompleteFrom - 1)) : []
  const isMarked = points.length <= MARKED_MAX && earlier === undefined
  return (
    <g class={classOf(own, earlier)}>
      {isAlone && earlier === undefined && <path class="chart-area" d={areaPath(points, base)} />}
      <path class="chart-line" stroke-dasharray={dashOf(shape, earlier)} d={linePath(done)} />
      <path class="chart-line chart-open" d={linePath(open)} />
      {points.map(
        (point, index) =>
          point !== undefined &&
          (isMarked || index === at || points.length === 1) && (
            <path
              key={index}
              class="chart-mark"
              d={markerPath(shape, ...point, index === at ? MARK_PX + 1.5 : MARK_PX)}
            />
          ),
      )}
    </g>
  )
}
