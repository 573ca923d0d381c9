/** Median, lowest and highest of several runs. */
import { assert } from '../../../src/core/code.ts'

export type Spread = { readonly median: number; readonly min: number; readonly max: number }

/** The median and the extremes of a few runs. A mean would hide the run that went wrong. */
export function spreadOf(values: readonly number[]): Spread {
  assert(values.length > 0, 'a spread needs a value')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const low = sorted[Math.floor(middle)] ?? Number.NaN
  const high = sorted[Math.ceil(middle)] ?? Number.NaN
  return {
    median: (low + high) / 2,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  }
}
