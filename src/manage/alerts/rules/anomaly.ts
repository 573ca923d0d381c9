/** The usual range of a number, from the same weekday and hour of the weeks before. */

export const SENSITIVITIES = ['low', 'medium', 'high'] as const
export type Sensitivity = (typeof SENSITIVITIES)[number]

/** Weeks that make the range, and the fewest of them. */
export const ANOMALY_WEEKS = 8
export const ANOMALY_WEEKS_MIN = 4
/** Numbers below this tell nothing: neither the usual one nor the new one reaches it. */
const ANOMALY_NUMBER_MIN = 30
/** Median deviations between the median and an end of the range: 4, 3 and 2 sigma. */
const DEVIATIONS: Readonly<Record<Sensitivity, number>> = { low: 6, medium: 4.5, high: 3 }
/** Median deviation of what chance alone makes of a count, in parts of its root. */
const CHANCE = 0.6745
const DAY_MS = 86_400_000

export type Band = { readonly median: number; readonly low: number; readonly high: number }

/**
 * The median ± k · MAD. Weeks that happen to be alike have a MAD of zero: it is at least what
 * chance makes of such a count, so that one event more is no alarm.
 * @param history at least one number.
 */
export function bandOf(history: readonly number[], sensitivity: Sensitivity): Band {
  const median = medianOf(history)
  const deviation = medianOf(history.map((each) => Math.abs(each - median)))
  const reach = DEVIATIONS[sensitivity] * Math.max(deviation, CHANCE * Math.sqrt(Math.abs(median)))
  return { median, low: median - reach, high: median + reach }
}

export function isAnomaly(value: number, { median, low, high }: Band): boolean {
  if (Math.max(value, median) < ANOMALY_NUMBER_MIN) return false
  return value < low || value > high
}

/**
 * The numbers of the same weekday and hour in the weeks before an interval, newest first. Weeks
 * from before the first number that is not zero are not there, nor hours that a clock skipped.
 * @param days local times of the intervals: `2026-10-25`, or `2026-10-25 13:00:00`.
 */
export function historyOf(
  days: readonly string[],
  values: readonly number[],
  at: number,
): readonly number[] {
  const first = values.findIndex((value) => value !== 0)
  const places = new Map(days.map((day, index) => [day, index]))
  const [date = '', time] = (days[at] ?? '').split(' ')
  return Array.from({ length: ANOMALY_WEEKS }, (_, week) => {
    const before = new Date(Date.parse(date) - (week + 1) * 7 * DAY_MS).toISOString().slice(0, 10)
    return places.get(time === undefined ? before : `${before} ${time}`)
  }).flatMap((index) => {
    const value = index === undefined || first === -1 || index < first ? undefined : values[index]
    return value === undefined ? [] : [value]
  })
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}
