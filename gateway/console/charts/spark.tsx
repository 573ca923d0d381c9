import { linear } from '../../../src/core/charts/scale.ts'
import { linePath } from '../../../src/core/charts/shapes.ts'

type SparkProps = {
  /** Description with the newest number: all that screen readers get. */
  readonly label: string
  readonly values: readonly number[]
  readonly width?: number
  readonly height?: number
}

/** A line as small as a word, without axes. */
export function Spark({ label, values, width = 96, height = 24 }: SparkProps) {
  const x = linear([0, Math.max(1, values.length - 1)], [1, width - 1])
  const y = linear([0, Math.max(1, ...values)], [height - 2, 2])
  const path = linePath(values.map((value, index) => [x(index), y(value)]))
  return (
    <svg class="spark tone-1" width={width} height={height} role="img" aria-label={label}>
      <path class="chart-line" d={path} />
    </svg>
  )
}
