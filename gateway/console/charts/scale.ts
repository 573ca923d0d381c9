import { nice, ticks } from 'd3-array'

/** Maps a domain to a range in a straight line. */
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

const TICKS = 4

/** Round numbers around the values; zero is always among them. */
export function axisOf(values: readonly number[], isWhole = true): Axis {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  if (low === high) return { low: 0, high: 1, ticks: [0] }
  const [from, to] = nice(low, high, TICKS)
  const all = ticks(from, to, TICKS)
  // Half an event is no event.
  const most = Math.max(high, -low)
  const shown = isWhole && most >= 1 ? all.filter((tick) => Number.isInteger(tick)) : all
  return { low: from, high: to, ticks: shown }
}

const LABEL_PX = 78

/** Which labels of so many stand below a width, the last one included where it fits. */
export function shownLabels(count: number, width: number): ReadonlySet<number> {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / LABEL_PX))))
  return new Set(Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step))
}
