/** Linear map from a domain to a range. */
export type Scale = (value: number) => number

export function linear(
  [low, high]: readonly [number, number],
  [start, end]: readonly [number, number],
): Scale {
  const span = high - low
  return (value) => (span === 0 ? start : start + ((value - low) / span) * (end - start))
}

export type Axis = {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
}

/** Steps between lines that are read at a glance, up to a power of ten. */
const STEPS = [1, 2, 5]
const TICKS = 4
/** Factor by which a step may be smaller than a quarter of the axis. */
const SLACK = 1.5
/** Digits to round to, since sums of tenths are inexact in binary. */
const DIGITS = 12

/** Round numbers around the values; zero is always among them. */
export function axisOf(values: readonly number[], isWhole = true): Axis {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  if (low === high) return { low: 0, high: 1, ticks: [0] }
  // Counts are whole numbers: no line is between them.
  const least = isWhole && Math.max(high, -low) >= 1 ? 1 : 0
  const step = Math.max(least, stepOf((high - low) / TICKS))
  const first = Math.floor(low / step)
  const count = Math.ceil(high / step) - first + 1
  const ticks = Array.from({ length: count }, (_, index) =>
    Number(((first + index) * step).toPrecision(DIGITS)),
  )
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks }
}

/** Round step nearest to the given one. */
function stepOf(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = STEPS.find((each) => rough <= each * power * SLACK) ?? 10
  return step * power
}

const LABEL_PX = 78

/**
 * Indexes of the labels that fit a width, the last one included where it fits.
 * @param labelPx room for one label.
 */
export function shownLabels(count: number, width: number, labelPx = LABEL_PX): ReadonlySet<number> {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / labelPx))))
  return new Set(Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step))
}
