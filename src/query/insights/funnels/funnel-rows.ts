/** Rows of a funnel answer, from the ways of its actors. */
import type { FunnelQuestion } from '../question.ts'
import { bucketText, dayText, type Grid, incompleteFrom, labelText } from '../time/grid.ts'
import type { Way } from './fold.ts'

/** Bars of the times that actors took. */
const INSIGHT_BINS_MAX = 60

/** Members of a row of the answer. */
export type FunnelRow = Readonly<Record<string, unknown>>

const US_PER_MS = 1_000
const US_PER_S = 1_000_000
const NO_TIME = new Float64Array(0)

/** One row a step. */
export function stepRows(
  { steps, windowMs }: FunnelQuestion,
  ways: readonly Way[],
  nowMs: number,
): FunnelRow[] {
  return steps.map(({ event, name, customName }, order) => {
    const reached = ways.filter((way) => hasReached(way, order))
    const open = reached.filter((way) => isOpen(way, order, windowMs, nowMs))
    const seconds = order === 0 ? NO_TIME : secondsBetween(reached, order - 1, order)
    return {
      action_id: event,
      name: name ?? event ?? 'All events',
      custom_name: customName ?? null,
      order,
      people: [],
      count: reached.length,
      type: 'events',
      average_conversion_time: averageOf(seconds),
      median_conversion_time: medianOf(seconds),
      open_entrants: order === steps.length - 1 ? null : open.length,
    }
  })
}

/** @param step from 0. */
export function hasReached({ times }: Way, step: number): boolean {
  return times.length > step
}

/** True when the way ended with the step, and may still advance. */
export function isOpen(
  { times, latestStart }: Way,
  step: number,
  windowMs: number,
  nowMs: number,
): boolean {
  return times.length === step + 1 && latestStart + windowMs * US_PER_MS >= nowMs * US_PER_MS
}

const EMPTY_BIN_SECONDS = 60

/** How many took how long. */
export function timeRow(ways: readonly Way[], from: number, to: number): FunnelRow {
  const seconds = secondsBetween(ways, from, to)
  const starts = binsOf(seconds)
  const bins = starts.map((start) => [start, 0])
  for (const each of seconds) {
    const bin = bins[binOf(starts, each)]
    if (bin !== undefined) bin[1] = (bin[1] ?? 0) + 1
  }
  return { bins, average_conversion_time: averageOf(seconds) }
}

/**
 * Starts of bins of equal whole seconds, from the shortest time to the longest: about as many as
 * the cube root of the number of times. The last bin may begin with the longest.
 */
export function binsOf(seconds: Float64Array): readonly number[] {
  const shortest = Math.floor(seconds[0] ?? 0)
  const longest = Math.ceil(seconds.at(-1) ?? 0)
  const number = Math.min(Math.ceil(Math.cbrt(seconds.length)), INSIGHT_BINS_MAX)
  if (number === 0) return []
  const width = Math.ceil((longest - shortest) / number) || EMPTY_BIN_SECONDS
  return Array.from({ length: number + 1 }, (_, bin) => shortest + bin * width)
}

/** The place of the bin that a time is in. */
export function binOf([shortest = 0, second = 0]: readonly number[], seconds: number): number {
  return Math.floor((seconds - shortest) / (second - shortest))
}

/** Percentage of those with one step who took the other, by the bucket in which they began. */
export function entryRow(
  ways: readonly Way[],
  { from, to }: { readonly from: number; readonly to: number },
  grid: Grid,
  nowMs: number,
): FunnelRow {
  const entered = grid.starts.map(() => 0)
  const converted = grid.starts.map(() => 0)
  for (const { times } of ways) {
    if (times.length <= from) continue
    const bucket = bucketOfWay(grid, { times })
    entered[bucket] = (entered[bucket] ?? 0) + 1
    if (times.length > to) converted[bucket] = (converted[bucket] ?? 0) + 1
  }
  const data = entered.map((all, bucket) => {
    return all === 0 ? 0 : (100 * (converted[bucket] ?? 0)) / all
  })
  return {
    count: data.reduce((sum, number) => sum + number, 0),
    data,
    entered,
    converted,
    days: grid.starts.map((start) => dayText(grid, start)),
    labels: grid.starts.map((start) => labelText(grid, start)),
    buckets: grid.starts.map((start) => bucketText(grid, start)),
    incomplete_from: incompleteFrom(grid, nowMs),
  }
}

/**
 * The place of the bucket in which a way began. The first one may begin before what is read.
 */
export function bucketOfWay({ starts }: Grid, { times }: Pick<Way, 'times'>): number {
  const ms = (times[0] ?? 0) / US_PER_MS
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= ms) low = middle + 1
    else high = middle
  }
  return Math.max(low - 1, 0)
}

/** Ascending; those of no time at all do not count. */
export function secondsBetween(ways: readonly Way[], from: number, to: number): Float64Array {
  const all = new Float64Array(ways.length)
  let count = 0
  for (const way of ways) {
    const seconds = secondsOf(way, from, to)
    if (seconds > 0) all[count++] = seconds
  }
  return all.subarray(0, count).sort()
}

/** Seconds between two steps; 0 also for a way that did not get so far. */
export function secondsOf({ times }: Way, from: number, to: number): number {
  return times.length > to ? ((times[to] ?? 0) - (times[from] ?? 0)) / US_PER_S : 0
}

function averageOf(numbers: Float64Array): number | null {
  if (numbers.length === 0) return null
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function medianOf(ascending: Float64Array): number | null {
  if (ascending.length === 0) return null
  const middle = (ascending.length - 1) / 2
  const low = ascending[Math.floor(middle)] ?? 0
  const high = ascending[Math.ceil(middle)] ?? 0
  return (low + high) / 2
}
